// Simulated motion with faults of the sensors, and the score of an estimator on it.

import Foundation

#if canImport(TestSupport)
  import TestSupport

  @testable import SpheroOrientation
#endif

/// Readings of a simulated body with a fault, and the true attitudes.
struct MotionTrial {
  /// A fault of the sensors.
  enum Fault: String, CaseIterable {
    /// No fault, after ten seconds of rest.
    case none
    /// The estimator starts while the body moves.
    case start
    /// The gyroscope reads zero for one second.
    case gyroscopeZeros
    /// One reading of the gyroscope has an error of 2000 degrees per second.
    case spike
    /// One reading of 999 rad/s and 999 g.
    case implausible
    /// A vibration of 0.3 g and 5 degrees per second, faster than the readings.
    case vibration
    /// The accelerometer reads zero for eight seconds.
    case accelerometerZeros
    /// A bias of 4 degrees per second about each axis.
    case bias
    /// No fault, with a magnetometer whose noise is 1 % of the field.
    case magnetometer
    /// The same with hard iron of 20 % of the field.
    case hardIron
  }

  /// The time in seconds at which a temporary fault begins.
  static let faultTime = 30.0
  /// The earth's field in the reference frame, with a dip of 63 degrees.
  static let field = Vector3(0, 20, -40)

  let fault: Fault
  let rate: Double
  var samples: [InertialSample] = []
  var truth: [Rotation] = []

  /// Simulates readings for some seconds.
  init(
    _ fault: Fault, seed: UInt64, rate: Double = 50, seconds: Double = 120,
    sensors: SimulatedMotion.Sensors = SimulatedMotion.Sensors()
  ) {
    (self.fault, self.rate) = (fault, rate)
    var motion = SimulatedMotion(seed: seed, sensors: sensors)
    var random = SeededGenerator(seed: seed ^ 0xFA)
    let begin = fault == .start ? 30.0 : 0
    if fault == .start { motion.rest = 0 }
    func direction() -> Vector3 { random.normalVector().normalized ?? Vector3(1, 0, 0) }
    let axis = direction()
    let signs = Vector3(random.isTrue(0.5) ? 1 : -1, random.isTrue(0.5) ? 1 : -1, random.isTrue(0.5) ? 1 : -1)
    let degree = Double.pi / 180
    for count in 0..<Int(seconds * rate) {
      let time = Double(count) / rate
      var sample = motion.sample(at: begin + time)
      sample.timestamp = time
      let attitude = motion.attitude(at: begin + time)
      switch fault {
      case .none, .start: break
      case .gyroscopeZeros:
        if (Self.faultTime..<Self.faultTime + 1).contains(time) { sample.rotationRate = .zero }
      case .spike:
        if count == Int(Self.faultTime * rate) {
          sample.rotationRate = sample.rotationRate + axis * (2000 * degree)
        }
      case .implausible:
        if count == Int(Self.faultTime * rate) {
          (sample.rotationRate, sample.acceleration) = (axis * 999, axis * -999)
        }
      case .vibration:
        // Root mean squares of the lengths; the readings are independent, since a robot does not stream fast enough.
        let share = (1.0 / 3).squareRoot()
        sample.rotationRate = sample.rotationRate + random.normalVector() * (5 * degree * share)
        sample.acceleration = sample.acceleration + random.normalVector() * (0.3 * share)
      case .accelerometerZeros:
        if (Self.faultTime..<Self.faultTime + 8).contains(time) { sample.acceleration = .zero }
      case .bias: sample.rotationRate = sample.rotationRate + signs * (4 * degree)
      case .magnetometer, .hardIron:
        let strength = Self.field.length
        let iron = fault == .hardIron ? axis * (0.2 * strength) : .zero
        sample.magneticField =
          attitude.inverse.act(on: Self.field) + iron + random.normalVector() * (0.01 * strength)
      }
      samples.append(sample)
      truth.append(attitude)
    }
  }

  /// Estimates the attitudes from the readings.
  func run(_ settings: MotionEstimator.Settings = .init()) -> (
    attitudes: [Rotation], accuracy: [AttitudeAccuracy]
  ) {
    var estimator = MotionEstimator(settings: settings)
    var attitudes: [Rotation] = []
    var accuracy: [AttitudeAccuracy] = []
    for sample in samples {
      attitudes.append(estimator(sample)?.attitude ?? .identity)
      accuracy.append(estimator.accuracy)
    }
    return (attitudes, accuracy)
  }
}

/// The errors of estimated attitudes, in degrees.
struct MotionScore {
  /// The heading error; without a magnetometer, less its mean.
  var heading: [Double] = []
  /// The heading error to which the accuracy refers: without a magnetometer, less its value at the first reading.
  var headingSinceStart: [Double] = []
  var tilt: [Double] = []
  var figures: [AttitudeAccuracy] = []
  private let interval: Double

  /// Compares attitudes with the truth, except for a constant heading error if there is no magnetometer.
  init(_ attitudes: [Rotation], accuracy: [AttitudeAccuracy] = [], in trial: MotionTrial) {
    interval = 1 / trial.rate
    figures = accuracy
    var headings: [Double] = []
    for (attitude, truth) in zip(attitudes, trial.truth) {
      let q = (attitude * truth.inverse).quaternion
      headings.append(2 * atan2(q.z, q.w))
      tilt.append(2 * atan2(hypot(q.x, q.y), hypot(q.w, q.z)) * 180 / .pi)
    }
    // The heading error after a temporary fault counts relative to the time before it.
    let temporary: Set<MotionTrial.Fault> = [.gyroscopeZeros, .spike, .implausible, .accelerometerZeros]
    let reference =
      temporary.contains(trial.fault)
      ? headings.prefix(Int(MotionTrial.faultTime * trial.rate)) : headings[...]
    let hasNorth = trial.samples.contains { $0.magneticField != nil }
    let offset =
      hasNorth ? 0 : atan2(reference.reduce(0) { $0 + sin($1) }, reference.reduce(0) { $0 + cos($1) })
    let first = hasNorth ? 0 : headings.first ?? 0
    headingSinceStart = headings.map { abs(($0 - first).remainder(dividingBy: 2 * .pi)) * 180 / .pi }
    heading = headings.map { abs(($0 - offset).remainder(dividingBy: 2 * .pi)) * 180 / .pi }
  }

  static func rootMeanSquare(_ errors: [Double]) -> Double {
    (errors.reduce(0) { $0 + $1 * $1 } / Double(max(errors.count, 1))).squareRoot()
  }
  var headingError: Double { Self.rootMeanSquare(heading) }
  var tiltError: Double { Self.rootMeanSquare(tilt) }
  var worstHeading: Double { heading.max() ?? 0 }
  var worstTilt: Double { tilt.max() ?? 0 }

  private func share(_ errors: [Double], _ figure: (AttitudeAccuracy) -> Angle) -> Double {
    Double(zip(errors, figures).count { $0 <= 2 * figure($1).degrees }) / Double(max(figures.count, 1))
  }
  /// The share of the time in which the heading error since the start is within twice the reported accuracy.
  var headingCoverage: Double { share(headingSinceStart, \.heading) }
  var tiltCoverage: Double { share(tilt, \.tilt) }

  private func typical(_ figure: (AttitudeAccuracy) -> Angle, _ error: Double) -> Double {
    let sorted = figures.map { figure($0).degrees }.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2] / error
  }
  /// The ratio of the median reported accuracy to the root mean square error.
  var headingRatio: Double { typical(\.heading, headingError) }
  var tiltRatio: Double { typical(\.tilt, tiltError) }

  /// The number of seconds after a time until the tilt error is within a limit for five seconds.
  func recovery(after time: Double, within limit: Double = 5) -> Double {
    let start = Int(time / interval)
    var count = 0
    for index in start..<tilt.count {
      count = tilt[index] <= limit ? count + 1 : 0
      if Double(count) * interval >= 5 { return Double(index + 1 - count - start) * interval }
    }
    return .infinity
  }
}
