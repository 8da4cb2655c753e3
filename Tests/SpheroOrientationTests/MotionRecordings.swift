// The BROAD recordings: reading them, and the errors of an attitude against their cameras.
import Foundation
import Testing

@testable import SpheroOrientation

/// A part of the BROAD data set (Laidig, Caruso, Cereatti, Seel 2021; CC BY 4.0).
struct Recording {
  /// Seconds between two rows: every sixth sample of 285.714 Hz.
  static let interval = 0.021
  static let slow = "broad_05_undisturbed_slow_rotation_with_breaks_B_div6.csv"
  static let fast = "broad_07_undisturbed_fast_rotation_B_div6.csv"

  struct Row {
    var sample: InertialSample
    /// The rotation from sensor to east-north-up by the cameras; nil if they lost the body.
    var truth: Rotation?
    var isMoving: Bool
  }

  var rows: [Row]

  /// Reads the columns of picked samples, with a robot's resolution if `quantized`: 0.1 deg/s and 1/4096 g.
  init(_ name: String, quantized: Bool) throws {
    let text = String(decoding: try Fixture.data("data/" + name), as: UTF8.self)
    rows = try text.utf8.split(separator: UInt8(ascii: "\n")).dropFirst(2).map { line in
      let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      try #require(fields.count == 18, "\(line)")
      // A missing truth is written as nan.
      let numbers = try fields[7...].map { try #require(Double(Substring($0)), "\(line)") }
      var rate = Vector3(Array(numbers[0..<3]))
      var acceleration = Vector3(Array(numbers[3..<6])) / 9.81
      if quantized {
        rate = rate.rounded(toMultipleOf: 0.1 * .pi / 180)
        acceleration = acceleration.rounded(toMultipleOf: 1.0 / 4096)
      }
      let time = try #require(Double(Substring(fields[0])), "\(line)")
      return Row(
        sample: InertialSample(timestamp: time, rotationRate: rate, acceleration: acceleration),
        truth: Rotation(Quaternion(wxyz: Array(numbers[6..<10]))), isMoving: numbers[10] > 0)
    }
  }
}

/// Errors in degrees, root mean square over the moving rows.
struct AttitudeError: CustomStringConvertible {
  var inclination = 0.0
  var heading = 0.0
  var total = 0.0

  var description: String { "inclination \(inclination), heading \(heading), total \(total)" }

  /// Compares attitudes with the truth of the same rows, less the best constant heading offset.
  init(_ attitudes: [Rotation?], in recording: Recording) {
    let errors = zip(attitudes, recording.rows).compactMap { attitude, row -> Quaternion? in
      guard row.isMoving, let attitude, let truth = row.truth else { return nil }
      return (attitude * truth.inverse).quaternion
    }
    let headings = errors.map { 2 * atan2($0.z, $0.w) }
    let offset = atan2(headings.map { sin($0) }.reduce(0, +), headings.map { cos($0) }.reduce(0, +))
    for (error, heading) in zip(errors, headings) {
      let inclination = 2 * atan2(hypot(error.x, error.y), hypot(error.w, error.z))
      let remaining = (heading - offset).remainder(dividingBy: 2 * .pi)
      self.inclination += inclination * inclination
      self.heading += remaining * remaining
      let total = 2 * acos(min(cos(inclination / 2) * abs(cos(remaining / 2)), 1))
      self.total += total * total
    }
    func degrees(_ sum: Double) -> Double { (sum / Double(errors.count)).squareRoot() * 180 / .pi }
    (inclination, heading, total) = (degrees(inclination), degrees(heading), degrees(total))
  }
}
