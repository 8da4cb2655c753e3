// Simulated motion of a body with imperfect sensors.

import Foundation

#if canImport(TestSupport)
  import TestSupport

  @testable import SpheroOrientation
#endif

/// A body that rests for a while and is then rotated and moved by hand, and its sensors.
struct SimulatedMotion {
  /// The standard deviations of random errors.
  struct Sensors {
    /// Of each component of the gyroscope's bias, in rad/s.
    var bias = 0.5 * Double.pi / 180
    /// Of the change of each component of the bias in 100 s, in rad/s.
    var biasDrift = 0.1 * Double.pi / 180
    /// Of each scale factor and each misalignment of the gyroscope.
    var sensitivity = 0.01
    /// Of the gyroscope's noise, in rad/s.
    var rateNoise = 0.1 * Double.pi / 180
    /// Of the accelerometer's noise, in g.
    var accelerationNoise = 0.004
  }

  /// A sum of sine waves.
  private struct Waves {
    var waves: [(size: Double, speed: Double, phase: Double)]

    init(_ count: Int, size: ClosedRange<Double>, speed: ClosedRange<Double>, _ random: inout SeededGenerator)
    {
      waves = (0..<count).map { _ in
        (random.number(size), random.number(speed), random.number(-Double.pi ... .pi))
      }
    }

    func callAsFunction(_ time: Double) -> Double {
      waves.reduce(0) { $0 + $1.size * sin($1.speed * time + $1.phase) }
    }
  }

  /// The duration of rest in seconds.
  var rest = 10.0
  private var random: SeededGenerator
  private var turns: [Waves] = []
  private var positions: [Waves] = []
  private var spin: Double
  private var bias: Vector3
  private var lastTime = 0.0
  private let sensitivity: RotationMatrix
  private let sensors: Sensors

  init(seed: UInt64, sensors: Sensors = Sensors()) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<3 {
      turns.append(Waves(4, size: 0.1...0.5, speed: 0.5...6, &random))
      positions.append(Waves(3, size: 0.01...0.08, speed: 1...7, &random))
    }
    spin = random.number(-1...1)
    bias = random.normalVector() * sensors.bias
    sensitivity = RotationMatrix(
      rows: random.normalVector() * sensors.sensitivity, random.normalVector() * sensors.sensitivity,
      random.normalVector() * sensors.sensitivity)
    self.sensors = sensors
    self.random = random
  }

  /// The time argument of the motion: constant at rest, then accelerating to real time within two seconds.
  private func motionTime(_ time: Double) -> Double {
    let since = max(time - rest, 0)
    return since < 2 ? since * since / 4 : since - 1
  }

  /// The true attitude at a time in seconds.
  func attitude(at time: Double) -> Rotation {
    let time = motionTime(time)
    let angles = [(Axis.z, turns[0](time) + spin * time), (.x, turns[1](time)), (.y, turns[2](time))]
    let parts = angles.compactMap { Rotation(angle: .radians($1), axis: $0.vector) }
    return parts.reduce(.identity, *)
  }

  /// The true rotation rate at a time, in rad/s, from the difference of adjacent attitudes.
  func rate(at time: Double) -> Vector3 {
    let step = 1e-5
    return (attitude(at: time - step).inverse * attitude(at: time + step)).rotationVector / (2 * step)
  }

  /// The acceleration of the body at a time, in g, from the difference of adjacent positions in metres.
  func acceleration(at time: Double) -> Vector3 {
    let step = 1e-3
    func position(_ time: Double) -> Vector3 {
      let time = motionTime(time)
      return Vector3(positions[0](time), positions[1](time), positions[2](time))
    }
    return (position(time - step) + position(time + step) - position(time) * 2) / (step * step * 9.81)
  }

  /// The readings at a time, with a robot's resolution: 0.1 deg/s and 1/4096 g.
  mutating func sample(at time: Double) -> InertialSample {
    let rate = rate(at: time)
    bias = bias + random.normalVector() * (sensors.biasDrift * (max(time - lastTime, 0) / 100).squareRoot())
    lastTime = time
    let force = attitude(at: time).specificForce(
      acceleration: attitude(at: time).inverse.act(on: acceleration(at: time)))
    let read = rate + sensitivity.act(on: rate) + bias + random.normalVector() * sensors.rateNoise
    return InertialSample(
      timestamp: time, rotationRate: read.rounded(toMultipleOf: 0.1 * .pi / 180),
      acceleration: (force + random.normalVector() * sensors.accelerationNoise).rounded(
        toMultipleOf: 1.0 / 4096))
  }
}

extension Vector3 {
  func rounded(toMultipleOf unit: Double) -> Vector3 {
    Vector3((x / unit).rounded() * unit, (y / unit).rounded() * unit, (z / unit).rounded() * unit)
  }
}

extension SeededGenerator {
  mutating func number(_ range: ClosedRange<Double> = -1...1) -> Double {
    // The generic `Double.random` takes most of the time of a test in a debug build.
    range.lowerBound + (range.upperBound - range.lowerBound) * (Double(next() >> 11) * 0x1p-53)
  }

  /// An approximately standard normal number: the sum of twelve uniform ones.
  mutating func normal() -> Double {
    var (sum, count) = (-6.0, 0)
    while count < 12 { (sum, count) = (sum + Double(next() >> 11) * 0x1p-53, count + 1) }
    return sum
  }

  /// A vector of such numbers.
  mutating func normalVector() -> Vector3 { Vector3(normal(), normal(), normal()) }
}
