// Prints the errors of MotionEstimator on BROAD recordings, or the time that an update takes.
//
//   fusion errors FILE...    for each recording, rate and way to read it: inclination, heading and total error in degrees
//   fusion speed N FILE      nanoseconds of processor time for an update, every N-th row of a recording
import Foundation

/// A recording: rows in rad/s, g, truth and whether they count.
struct Recording {
  var name: String
  var rate = 2000.0 / 7
  /// Of how many rows of the full rate the file has the last one.
  var thinned = 1
  var rows: [(rate: Vector3, acceleration: Vector3, truth: Rotation?, counts: Bool)] = []

  /// Reads the columns that README.md of the fixtures describes.
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

  /// The last of each `count` rows of the full rate in the words of a robot, 0.1 deg/s and 1/4096 g, evenly timed;
  /// nil where the file has not the rows.
  func picked(every count: Int) -> (interval: Double, rows: Self)? {
    guard count % thinned == 0 else { return nil }
    var picked = self
    let step = count / thinned
    picked.rows = stride(from: step - 1, to: rows.count, by: step).map { index in
      var row = rows[index]
      row.rate = row.rate.rounded(to: 0.1 * .pi / 180)
      row.acceleration = row.acceleration.rounded(to: 1.0 / 4096)
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

  /// The errors in degrees, root mean square over the rows that count; heading and total less one heading offset.
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

extension Vector3 {
  func rounded(to unit: Double) -> Vector3 {
    Vector3((x / unit).rounded() * unit, (y / unit).rounded() * unit, (z / unit).rounded() * unit)
  }
}

@main struct Fusion {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "errors": for path in arguments.dropFirst() { printErrors(path) }
    case "speed" where arguments.count == 3:
      if let count = Int(arguments[2]) { printSpeed(arguments[3], every: count) }
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
        let attitudes = picked.samples(interval: interval).map { estimator($0)?.attitude ?? .identity }
        let errors = picked.errors(of: attitudes)
        print(recording.name, count, way, errors.inclination, errors.heading, errors.total)
      }
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
