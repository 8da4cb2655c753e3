// Measures MotionEstimator on BROAD recordings and simulated motion: its errors, and the time of an update.
//
//   fusion errors FILE...    for each recording, rate and sampling method: inclination, heading and total error in degrees
//   fusion stored FILE...    mean total errors without and with a calibration learned at 47.6 Hz from the other recordings
//   fusion speed N FILE      CPU time of an update in nanoseconds, on every N-th row of a recording
//   fusion trials DIRECTORY  writes the readings of simulated motion to a directory, for the other estimators
//   fusion scores DIRECTORY  errors on simulated motion, of MotionEstimator and of the attitudes that peers.py wrote
import Foundation

/// A recording: rotation rates in rad/s, accelerations in g, ground truth, and whether each row is valid.
struct Recording {
  var name: String
  var rate = 2000.0 / 7
  /// The decimation of the file: it has the last of this many rows of the full rate.
  var thinned = 1
  var rows: [(rate: Vector3, acceleration: Vector3, truth: Rotation?, counts: Bool)] = []

  /// Reads a file with the columns that Fixtures/README.md describes.
  init?(_ path: String) {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    name = URL(filePath: path).lastPathComponent
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").drop { $0.hasPrefix("#") }
    guard let header = lines.first?.split(separator: ","),
      let gyroscope = header.firstIndex(of: "gx_pick") ?? header.firstIndex(of: "gyr_x")
    else { return nil }
    let isThinned = header[gyroscope] == "gx_pick"
    thinned = isThinned ? 6 : 1
    for line in lines.dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).dropFirst(gyroscope).map {
        Double($0) ?? .nan
      }
      guard fields.count >= 11 else { return nil }
      let rate = Vector3(fields[0], fields[1], fields[2]) * (isThinned ? 1 : 0.01 * .pi / 180)
      let force = Vector3(fields[3], fields[4], fields[5]) * (isThinned ? 1 / 9.81 : 1 / 8192)
      rows.append(
        (rate, force, Rotation(w: fields[6], x: fields[7], y: fields[8], z: fields[9]), fields[10] > 0))
    }
  }

  /// The rows decimated to every `count`-th row of the full rate, evenly timed and quantised like a robot's (0.1 deg/s, 1/4096 g);
  /// nil if the file does not have these rows.
  func picked(every count: Int) -> (interval: Double, rows: Self)? {
    guard count % thinned == 0 else { return nil }
    var picked = self
    let step = count / thinned
    picked.rows = stride(from: step - 1, to: rows.count, by: step).map { index in
      var row = rows[index]
      row.rate = row.rate.rounded(toMultipleOf: 0.1 * .pi / 180)
      row.acceleration = row.acceleration.rounded(toMultipleOf: 1.0 / 4096)
      return row
    }
    return (Double(count) / rate, picked)
  }

  func samples(interval: Double) -> [InertialSample] {
    rows.enumerated().map { index, row in
      InertialSample(
        timestamp: Double(index) * interval, rotationRate: row.rate, acceleration: row.acceleration)
    }
  }

  /// The share of valid rows whose tilt and heading errors are within twice the reported accuracy,
  /// and the ratios of the median accuracy to the root mean square error.
  func coverage(
    of attitudes: [Rotation], _ accuracy: [AttitudeAccuracy]
  ) -> (tilt: Double, heading: Double, tiltRatio: Double, headingRatio: Double) {
    let all = zip(zip(attitudes, accuracy), rows).compactMap { pair, row in
      row.counts ? row.truth.map { ((pair.0 * $0.inverse).quaternion, pair.1) } : nil
    }
    let headings = all.map { 2 * atan2($0.0.z, $0.0.w) }
    let offset = atan2(headings.reduce(0) { $0 + sin($1) }, headings.reduce(0) { $0 + cos($1) })
    func judge(_ errors: [Double], _ figures: [Double]) -> (within: Double, ratio: Double) {
      let within = zip(errors, figures).count { $0 <= 2 * $1 }
      let square = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
      return (
        Double(within) / Double(errors.count), figures.sorted()[figures.count / 2] / square.squareRoot()
      )
    }
    let tilt = judge(
      all.map { 2 * atan2(hypot($0.0.x, $0.0.y), hypot($0.0.w, $0.0.z)) }, all.map(\.1.tilt.radians))
    let heading = judge(
      headings.map { abs(($0 - offset).remainder(dividingBy: 2 * .pi)) }, all.map(\.1.heading.radians))
    return (tilt.within, heading.within, tilt.ratio, heading.ratio)
  }

  /// The root mean square errors over the valid rows in degrees; heading and total are corrected for a constant heading offset.
  func errors(of attitudes: [Rotation]) -> (inclination: Double, heading: Double, total: Double) {
    let errors = zip(attitudes, rows).compactMap { attitude, row in
      row.counts ? row.truth.map { (attitude * $0.inverse).quaternion } : nil
    }
    let headings = errors.map { 2 * atan2($0.z, $0.w) }
    let offset = atan2(headings.reduce(0) { $0 + sin($1) }, headings.reduce(0) { $0 + cos($1) })
    var sums = (0.0, 0.0, 0.0)
    for (error, heading) in zip(errors, headings) {
      let inclination = 2 * atan2(hypot(error.x, error.y), hypot(error.w, error.z))
      let rest = (heading - offset).remainder(dividingBy: 2 * .pi)
      let total = 2 * acos(min(cos(inclination / 2) * abs(cos(rest / 2)), 1))
      sums = (sums.0 + inclination * inclination, sums.1 + rest * rest, sums.2 + total * total)
    }
    func degrees(_ sum: Double) -> Double { (sum / Double(errors.count)).squareRoot() * 180 / .pi }
    return (degrees(sums.0), degrees(sums.1), degrees(sums.2))
  }
}

@main struct Fusion {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "errors": for path in arguments.dropFirst() { printErrors(path) }
    case "stored": printStored(arguments.dropFirst().compactMap { Recording($0) })
    case "speed" where arguments.count == 3:
      if let count = Int(arguments[2]) { printSpeed(arguments[3], every: count) }
    case "trials" where arguments.count == 2: Trials(directory: arguments[2]).write()
    case "scores" where arguments.count == 2: Trials(directory: arguments[2]).printScores()
    default: break
    }
  }

  static func printErrors(_ path: String) {
    guard let recording = Recording(path) else {
      print("cannot read \(path)")
      exit(1)
    }
    for count in [1, 6, 14] {
      guard let (interval, picked) = recording.picked(every: count) else { continue }
      let ways = [("points", RateIntegrator.Readings.points), ("means", .means(over: 1 / recording.rate))]
      for (way, readings) in ways {
        var settings = MotionEstimator.Settings()
        settings.readings = readings
        var estimator = MotionEstimator(settings: settings)
        var accuracy: [AttitudeAccuracy] = []
        let attitudes = picked.samples(interval: interval).map { sample in
          let attitude = estimator(sample)?.attitude ?? .identity
          accuracy.append(estimator.accuracy)
          return attitude
        }
        let errors = picked.errors(of: attitudes)
        let coverage = picked.coverage(of: attitudes, accuracy)
        print(
          recording.name, count, way, errors.inclination, errors.heading, errors.total, coverage.tilt,
          coverage.heading, coverage.tiltRatio, coverage.headingRatio)
      }
    }
  }

  static func printStored(_ recordings: [Recording]) {
    for count in [1, 6, 14] {
      var sums = (fresh: 0.0, stored: 0.0, count: 0.0)
      for (index, recording) in recordings.enumerated() {
        guard let (interval, picked) = recording.picked(every: count) else { continue }
        var settings = MotionEstimator.Settings()
        for (otherIndex, other) in recordings.enumerated() where otherIndex != index {
          guard let (interval, rows) = other.picked(every: 6) else { continue }
          var estimator = MotionEstimator(settings: settings)
          for sample in rows.samples(interval: interval) { _ = estimator(sample) }
          settings.calibration = estimator.calibration
        }
        func error(_ settings: MotionEstimator.Settings) -> Double {
          let motions = picked.samples(interval: interval).processed(by: MotionEstimator(settings: settings))
          return picked.errors(of: motions.map { $0?.attitude ?? .identity }).total
        }
        sums.fresh += error(MotionEstimator.Settings())
        sums.stored += error(settings)
        sums.count += 1
      }
      print(2000.0 / 7 / Double(count), sums.fresh / sums.count, sums.stored / sums.count)
    }
  }

  static func printSpeed(_ path: String, every count: Int) {
    guard let (interval, picked) = Recording(path)?.picked(every: count) else { exit(1) }
    let samples = picked.samples(interval: interval)
    var best = Double.infinity
    var sum = 0.0
    for _ in 0..<(40 * count) {
      var estimator = MotionEstimator()
      let start = clock()
      for sample in samples { sum += estimator(sample)?.attitude.quaternion.x ?? 0 }
      best = min(best, Double(clock() - start) * 1e9 / Double(CLOCKS_PER_SEC) / Double(samples.count))
    }
    print(sum.isFinite ? best : .nan)
  }
}

/// Simulated motion, written to a directory for the other estimators, and the scores of all estimators.
struct Trials {
  var directory: String
  /// The slow estimators only run on the first eight seeds.
  let seeds: [UInt64] = Array(500..<564)
  static let rates = [20.0, 50, 100]

  private func name(_ fault: MotionTrial.Fault, _ seed: UInt64) -> String { "\(fault.rawValue)-\(seed)" }

  private func trial(_ fault: MotionTrial.Fault, _ seed: UInt64) -> MotionTrial {
    MotionTrial(fault, seed: seed, rate: Self.rates[Int(seed) % 3])
  }

  func write() {
    for fault in MotionTrial.Fault.allCases {
      for seed in seeds {
        let rows = trial(fault, seed).samples.map { sample in
          let field = sample.magneticField ?? Vector3(.nan, .nan, .nan)
          return [sample.rotationRate, sample.acceleration, field].map { "\($0.x) \($0.y) \($0.z)" }
            .joined(separator: " ")
        }
        let text = (["\(Self.rates[Int(seed) % 3])"] + rows).joined(separator: "\n")
        try? text.write(toFile: "\(directory)/\(name(fault, seed)).trial", atomically: false, encoding: .utf8)
      }
    }
  }

  private func attitudes(_ name: String) -> [Rotation]? {
    guard let data = FileManager.default.contents(atPath: "\(directory)/\(name)") else { return nil }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map { line in
      let n = line.split(separator: " ").compactMap { Double($0) }
      return n.count == 4 ? Rotation(w: n[0], x: n[1], y: n[2], z: n[3]) ?? .identity : .identity
    }
  }

  /// Settings with the calibration that an estimator stores after a trial of the same sensors.
  private func settingsLearned(from trial: MotionTrial) -> MotionEstimator.Settings {
    var estimator = MotionEstimator()
    for sample in trial.samples { _ = estimator(sample) }
    var settings = MotionEstimator.Settings()
    settings.calibration = estimator.calibration
    return settings
  }

  func printScores() {
    let columns = ["heading", "worst", "tilt", "worst", "seconds", "head %", "tilt %", "h. fig.", "t. fig."]
    let padded = columns.map { String(repeating: " ", count: 8 - $0.count) + $0 }
    print("fault".padding(toLength: 20, withPad: " ", startingAt: 0) + "estimator " + padded.joined())
    for fault in MotionTrial.Fault.allCases {
      let trials = seeds.map { ($0, trial(fault, $0)) }
      func score(_ trial: MotionTrial, _ settings: MotionEstimator.Settings) -> MotionScore {
        let run = trial.run(settings)
        return MotionScore(run.attitudes, accuracy: run.accuracy, in: trial)
      }
      report(fault, "ours", trials.map { score($1, MotionEstimator.Settings()) })
      if fault == .start {
        report(fault, "stored", trials.map { score($1, settingsLearned(from: trial(.none, $0))) })
      }
      for peer in ["VQF", "VQF-third", "Madgwick", "Mahony", "imufusion"] {
        let scores = trials.compactMap { seed, trial in
          attitudes("\(name(fault, seed)).\(peer)").map { MotionScore($0, in: trial) }
        }
        if !scores.isEmpty { report(fault, peer, scores) }
      }
    }
  }

  /// Root mean square and maximum errors, the maximum recovery time, coverage, and the ratio of accuracy to error, over all trials.
  private func report(_ fault: MotionTrial.Fault, _ name: String, _ scores: [MotionScore]) {
    func number(_ value: Double, _ digits: Int = 2) -> String {
      let text = String(format: "%.\(digits)f", value)
      return String(repeating: " ", count: max(8 - text.count, 1)) + text
    }
    func mean(_ value: (MotionScore) -> Double) -> Double {
      scores.reduce(0) { $0 + value($1) } / Double(scores.count)
    }
    func pooled(_ value: (MotionScore) -> Double) -> Double { mean { value($0) * value($0) }.squareRoot() }
    func worst(_ value: (MotionScore) -> Double) -> Double { scores.map(value).max() ?? 0 }
    var line = fault.rawValue.padding(toLength: 20, withPad: " ", startingAt: 0)
    line += name.padding(toLength: 10, withPad: " ", startingAt: 0)
    line += number(pooled(\.headingError)) + number(worst(\.worstHeading), 0)
    line += number(pooled(\.tiltError)) + number(worst(\.worstTilt), 0)
    line += number(worst { $0.recovery(after: MotionTrial.faultTime) }, 1)
    if ["ours", "stored"].contains(name) {
      line += number(100 * mean(\.headingCoverage), 0) + number(100 * mean(\.tiltCoverage), 0)
      line += number(mean(\.headingRatio)) + number(mean(\.tiltRatio))
    }
    print(line)
  }
}
