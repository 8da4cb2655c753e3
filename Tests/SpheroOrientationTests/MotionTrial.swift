// Simulated motion in which something goes wrong, and the score of an estimator on it.

import Foundation

#if canImport(TestSupport)
  import TestSupport

  @testable import SpheroOrientation
#endif

/// Readings of a simulated body, the truth, and the fault that the readings have.
struct MotionTrial {
  /// What goes wrong.
  enum Fault: String, CaseIterable {
    /// Nothing.
    case none
    /// The estimator starts while the body moves.
    case start
    /// The gyroscope gives zeros for one second.
    case zeros
    /// One reading of the gyroscope is 2000 degrees per second off.
    case spike
    /// One reading of 999 rad/s and 999 g.
    case nonsense
    /// A vibration of 0.3 g and 5 degrees per second, faster than the readings.
    case vibration
    /// The accelerometer gives zeros for eight seconds.
    case weightless
    /// A bias of 4 degrees per second about each axis.
    case bias
    /// The body itself adds 20 % of the field to what the magnetometer reads.
    case iron
  }

  /// When a fault that comes once begins, in seconds.
  static let moment = 30.0
  /// The field of the earth in the reference frame, at a dip of 63 degrees.
  static let field = Vector3(0, 20, -40)

  let fault: Fault
  let rate: Double
  var samples: [InertialSample] = []
  var truth: [Rotation] = []

  /// Makes a trial of some seconds.
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
      case .zeros:
        if (Self.moment..<Self.moment + 1).contains(time) { sample.rotationRate = .zero }
      case .spike:
        if count == Int(Self.moment * rate) {
          sample.rotationRate = sample.rotationRate + axis * (2000 * degree)
        }
      case .nonsense:
        if count == Int(Self.moment * rate) {
          (sample.rotationRate, sample.acceleration) = (axis * 999, axis * -999)
        }
      case .vibration:
        // Root mean squares of the length: of independent readings, for a robot does not stream fast enough to show it.
        let share = (1.0 / 3).squareRoot()
        sample.rotationRate = sample.rotationRate + random.normalVector() * (5 * degree * share)
        sample.acceleration = sample.acceleration + random.normalVector() * (0.3 * share)
      case .weightless:
        if (Self.moment..<Self.moment + 8).contains(time) { sample.acceleration = .zero }
      case .bias: sample.rotationRate = sample.rotationRate + signs * (4 * degree)
      case .iron:
        sample.magneticField = attitude.inverse.act(on: Self.field) + axis * (0.2 * Self.field.length)
      }
      samples.append(sample)
      truth.append(attitude)
    }
  }

  /// What an estimator makes of the readings.
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

/// How far estimated attitudes are off, in degrees and seconds.
struct MotionScore {
  var heading: [Double] = []
  var tilt: [Double] = []
  var figures: [AttitudeAccuracy] = []
  private let interval: Double

  /// Compares attitudes with the truth; without a magnetometer the heading counts from the first reading.
  init(_ attitudes: [Rotation], accuracy: [AttitudeAccuracy] = [], in trial: MotionTrial) {
    interval = 1 / trial.rate
    figures = accuracy
    var headings: [Double] = []
    for (attitude, truth) in zip(attitudes, trial.truth) {
      let q = (attitude * truth.inverse).quaternion
      headings.append(2 * atan2(q.z, q.w))
      tilt.append(2 * atan2(hypot(q.x, q.y), hypot(q.w, q.z)) * 180 / .pi)
    }
    // A fault that comes once must not move the zero from which the heading counts.
    let comesOnce: Set<MotionTrial.Fault> = [.zeros, .spike, .nonsense, .weightless]
    let known =
      comesOnce.contains(trial.fault) ? headings.prefix(Int(MotionTrial.moment * trial.rate)) : headings[...]
    let offset =
      trial.fault == .iron ? 0 : atan2(known.reduce(0) { $0 + sin($1) }, known.reduce(0) { $0 + cos($1) })
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
  /// For which part of the time the heading is within twice its figure.
  var headingCoverage: Double { share(heading, \.heading) }
  var tiltCoverage: Double { share(tilt, \.tilt) }

  private func typical(_ figure: (AttitudeAccuracy) -> Angle, _ error: Double) -> Double {
    let sorted = figures.map { figure($0).degrees }.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2] / error
  }
  /// The median figure over the root mean square error.
  var headingRatio: Double { typical(\.heading, headingError) }
  var tiltRatio: Double { typical(\.tilt, tiltError) }

  /// How many seconds after a time the tilt is within a limit, and stays there for five seconds.
  func recovery(after time: Double, within limit: Double = 5) -> Double {
    let start = Int(time / interval)
    var calm = 0
    for index in start..<tilt.count {
      calm = tilt[index] <= limit ? calm + 1 : 0
      if Double(calm) * interval >= 5 { return Double(index + 1 - calm - start) * interval }
    }
    return .infinity
  }
}
