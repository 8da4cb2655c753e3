// Defines the rows of the orientation library: the estimator, Euler angles and filters.

import CBaseline
import SpheroOrientation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Comparison {
  static func orientation(_ divisor: Int) -> [(name: String, make: () -> Comparison)] {
    [
      ("estimator", { estimator(divisor) }), ("euler", { euler(divisor) }),
      ("low-pass", lowPass), ("high-pass", highPass), ("adaptive", adaptive), ("timed", timed),
      ("butterworth", { butterworth("butterworth", .lowPass, order: 2) }),
      ("butterworth-4", { butterworth("butterworth-4", .highPass, order: 4) }),
      ("butterworth-3d", butterworthOfVectors),
    ]
  }

  /// `MotionEstimator` at 100 Hz on a body that rotates, accelerates and rests.
  private static func estimator(_ divisor: Int) -> Comparison {
    let readings = 20_000 / divisor
    var numbers = SeededNumbers(seed: 2)
    let samples = (0..<readings).map { index in
      let time = Double(index) / 100
      let isMoving = Int(time) % 40 < 30
      func noise(_ size: Double) -> Double { Double.random(in: -size...size, using: &numbers) }
      func motion(_ frequency: Double, _ size: Double) -> Double {
        isMoving ? size * sin(2 * .pi * frequency * time) : 0
      }
      return InertialSample(
        timestamp: time,
        rotationRate: Vector3(
          motion(0.7, 1.5) + 0.004 + noise(0.003), motion(0.43, 1) - 0.003 + noise(0.003),
          motion(0.31, 2) + noise(0.003)),
        acceleration: Vector3(
          motion(0.9, 0.3) + noise(0.005), motion(1.3, 0.2) + noise(0.005),
          1 + motion(1.1, 0.2) + noise(0.005)))
    }
    let rates = samples.flatMap { [$0.rotationRate.x, $0.rotationRate.y, $0.rotationRate.z] }
    let forces = samples.flatMap { [$0.acceleration.x, $0.acceleration.y, $0.acceleration.z] }

    func ours(_ body: (DeviceMotion) -> Void) {
      var estimator = MotionEstimator()
      for sample in samples { if let motion = estimator(sample) { body(motion) } }
    }
    func baseline(_ body: (UnsafeBufferPointer<Double>) -> Void) {
      let estimator = baseline_estimator_new()
      defer { baseline_estimator_free(estimator) }
      var motion = [Double](repeating: 0, count: 13)
      rates.withUnsafeBufferPointer { rates in
        forces.withUnsafeBufferPointer { forces in
          guard let rate = rates.baseAddress, let force = forces.baseAddress else { return }
          for (index, sample) in samples.enumerated() {
            if baseline_estimator_update(
              estimator, sample.timestamp, rate + 3 * index, force + 3 * index, &motion) != 0
            {
              motion.withUnsafeBufferPointer { body($0) }
            }
          }
        }
      }
    }
    return Comparison(
      "estimator", "`MotionEstimator` at 100 readings a second", unit: "reading", count: readings,
      limit: 1.3,
      ours: {
        var sum = 0.0
        ours { sum += $0.attitude.quaternion.x + $0.rotationRate.x + $0.userAcceleration.x }
        keep(sum)
      },
      baseline: {
        var sum = 0.0
        baseline { sum += $0[1] + $0[4] + $0[10] }
        keep(sum)
      },
      difference: {
        var (mine, others): ([Double], [Double]) = ([], [])
        ours {
          let (q, rate, bias, own) = (
            $0.attitude.quaternion, $0.rotationRate, $0.rotationRateBias, $0.userAcceleration
          )
          mine += [q.w, q.x, q.y, q.z, rate.x, rate.y, rate.z, bias.x, bias.y, bias.z, own.x, own.y, own.z]
        }
        baseline { others += $0 }
        return firstDifference(mine, others, tolerance: 1e-12, floor: 1e-12)
      })
  }

  /// Euler angles in Core Motion's order.
  private static func euler(_ divisor: Int) -> Comparison {
    let count = 10_000 / divisor
    var numbers = SeededNumbers(seed: 3)
    func word() -> Double { Double.random(in: -1...1, using: &numbers) }
    let rotations = (0..<count).map { _ in
      Rotation(w: word(), x: word(), y: word(), z: word()) ?? .identity
    }
    let words = rotations.flatMap { [$0.quaternion.w, $0.quaternion.x, $0.quaternion.y, $0.quaternion.z] }
    let output = UnsafeMutablePointer<Double>.allocate(capacity: 3 * count)
    func ours() {
      for (index, rotation) in rotations.enumerated() {
        let angles = rotation.eulerAngles(order: .intrinsic(.zxy))
        output[3 * index] = angles.first.radians
        output[3 * index + 1] = angles.second.radians
        output[3 * index + 2] = angles.third.radians
      }
    }
    func baseline() { baseline_euler(words, count, 2, 0, 1, 1, output) }
    return Comparison(
      "euler", "quaternion to Euler angles", unit: "rotation", count: count, limit: 1.1, ours: ours,
      baseline: baseline,
      difference: {
        var lists: [[Double]] = []
        for run in [ours, baseline] {
          run()
          lists.append(Array(UnsafeBufferPointer(start: output, count: 3 * count)))
        }
        return firstDifference(lists[0], lists[1], tolerance: 1e-12, floor: 1e-14)
      })
  }

  // MARK: Filters

  private static let sampleCount = 100_000
  private static let signal: [Double] = {
    var numbers = SeededNumbers(seed: 4)
    return (0..<sampleCount).map { sin(Double($0) * 0.05) + Double.random(in: -0.3...0.3, using: &numbers) }
  }()

  /// A row for a filter; `ours` and `baseline` each create a filter and write its outputs.
  private static func filter(
    _ name: String, _ work: String, width: Int = 1, limit: Double = 1.2,
    ours: @escaping (UnsafeMutablePointer<Double>) -> Void,
    baseline: @escaping (UnsafeMutablePointer<Double>) -> Void
  ) -> Comparison {
    let count = sampleCount / width
    let output = UnsafeMutablePointer<Double>.allocate(capacity: sampleCount)
    return Comparison(
      name, work, unit: "sample", count: count, limit: limit, ours: { ours(output) },
      baseline: { baseline(output) },
      difference: {
        var lists: [[Double]] = []
        for run in [ours, baseline] {
          run(output)
          lists.append(Array(UnsafeBufferPointer(start: output, count: count * width)))
        }
        return firstDifference(lists[0], lists[1], tolerance: 1e-12, floor: 1e-12)
      })
  }

  private static func lowPass() -> Comparison {
    let samples = signal
    return filter(
      "low-pass", "`LowPassFilter<Double>`",
      ours: { output in
        var filter = LowPassFilter<Double>(factor: 0.1)
        for index in samples.indices { output[index] = filter(samples[index]) }
      },
      baseline: { output in
        var filter = baseline_low_pass(factor: 0.1, output: 0, begun: 0)
        baseline_low_pass_run(&filter, samples, samples.count, output)
      })
  }

  private static func highPass() -> Comparison {
    let samples = signal
    return filter(
      "high-pass", "`HighPassFilter<Double>`",
      ours: { output in
        var filter = HighPassFilter<Double>(factor: 0.1)
        for index in samples.indices { output[index] = filter(samples[index]) }
      },
      baseline: { output in
        var filter = baseline_high_pass(low: baseline_low_pass(factor: 0.1, output: 0, begun: 0), output: 0)
        baseline_high_pass_run(&filter, samples, samples.count, output)
      })
  }

  private static func adaptive() -> Comparison {
    let samples = signal
    return filter(
      "adaptive", "`AdaptiveLowPassFilter<Double>`",
      ours: { output in
        var filter = AdaptiveLowPassFilter<Double>(factor: 0.1, step: 0.02)
        for index in samples.indices { output[index] = filter(samples[index]) }
      },
      baseline: { output in
        var filter = baseline_adaptive(
          step: 0.02, nominal: 0.1, base: baseline_low_pass(factor: 0.1, output: 0, begun: 1))
        baseline_adaptive_run(&filter, samples, samples.count, output)
      })
  }

  private static func timed() -> Comparison {
    let samples = signal
    let intervals = samples.indices.map { 0.01 + 0.001 * Double($0 % 3) }
    return filter(
      "timed", "`TimedLowPassFilter<Double>`, uneven",
      ours: { output in
        guard let time = TimeConstant(seconds: 0.2) else { return }
        var filter = TimedLowPassFilter<Double>(timeConstant: time)
        for index in samples.indices { output[index] = filter(samples[index], after: intervals[index]) }
      },
      baseline: { output in
        var filter = baseline_timed(
          tau: 0.2, elapsed: 0, base: baseline_low_pass(factor: 0, output: 0, begun: 0))
        baseline_timed_run(&filter, samples, intervals, samples.count, output)
      })
  }

  private static func butterworth(
    _ name: String, _ kind: ButterworthFilter<Double>.Kind, order: Int
  ) -> Comparison {
    let samples = signal
    let side = kind == .lowPass ? "low" : "high"
    return filter(
      name, "`ButterworthFilter<Double>`, \(side) pass of order \(order)",
      ours: { output in
        guard var filter = ButterworthFilter<Double>(kind, order: order, cutoff: 5, sampleRate: 100) else {
          return
        }
        for index in samples.indices { output[index] = filter(samples[index]) }
      },
      baseline: { output in
        var filter = baseline_butterworth()
        baseline_butterworth_init(&filter, kind == .lowPass ? 0 : 1, order, 5, 100)
        baseline_butterworth_run(&filter, samples, samples.count, output)
      })
  }

  private static func butterworthOfVectors() -> Comparison {
    let samples = signal
    let vectors = stride(from: 0, to: samples.count - 2, by: 3).map {
      Vector3(samples[$0], samples[$0 + 1], samples[$0 + 2])
    }
    return filter(
      "butterworth-3d", "`ButterworthFilter<Vector3>`, low pass of order 2", width: 3,
      ours: { output in
        guard var filter = ButterworthFilter<Vector3>(.lowPass, cutoff: 5, sampleRate: 100) else { return }
        for index in vectors.indices {
          let value = filter(vectors[index])
          output[3 * index] = value.x
          output[3 * index + 1] = value.y
          output[3 * index + 2] = value.z
        }
      },
      baseline: { output in
        var filter = baseline_butterworth()
        baseline_butterworth_init(&filter, 0, 2, 5, 100)
        baseline_butterworth_run3(&filter, samples, vectors.count, output)
      })
  }
}
