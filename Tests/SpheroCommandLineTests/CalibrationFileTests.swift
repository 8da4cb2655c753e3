// Offsets at rest on the command line: measured, stored, applied live and recorded; and headings of a compass.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CalibrationFileTests {
  /// Offsets in fractions that are exact in counts; the rate is 1 degree per second about z.
  private static let offsets =
    #"{"rotationRateOffset": {"x": 0, "y": 0, "z": 0.017453292519943295}, "accelerationOffset": {"x": 0.25, "y": -0.125, "z": 0.5}, "sampleCount": 9}"#

  private func file(_ text: String) throws -> String {
    let path = freshPath()
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Rows of numbers, by the titles of their columns.
  private func rows(_ outcome: Outcome) throws -> [[String: Double]] {
    let lines = outcome.lines.map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let titles = try #require(lines.first)
    return lines.dropFirst().map { line in
      Dictionary(zip(titles, line)) { first, _ in first }.compactMapValues { Double($0) }
    }
  }

  @Test func aBallAtRestIsMeasuredAndItsFileIsApplied() async throws {
    let (path, capture) = (freshPath(), freshPath())
    defer { for path in [path, capture] { try? FileManager.default.removeItem(atPath: path) } }
    let words = ["survey", "--offsets", path, "--port", "sim:seed=3", "--format", "json"]
    let outcome = try await Run(words + ["--capture", capture]).end()
    #expect(outcome.code == 0 && outcome.error.contains("'--calibration \(path)'"), "\(outcome.error)")
    let printed = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(printed["kind"] as? String == "offsets" && printed["readings"] as? Int == 100)
    // A simulated robot has noise, and no offsets.
    #expect(try #require(printed["acceleration_offset_z"] as? Double).magnitude < 0.002)
    #expect(try #require(printed["rotation_rate_offset_z"] as? Double).magnitude < 0.1)
    let stored = try String(contentsOfFile: path, encoding: .utf8)
    #expect(stored.contains(#""sampleCount": 100"#))
    // The capture contains the same text.
    let recorded = try String(contentsOfFile: capture, encoding: .utf8)
    let text = stored.trimmingCharacters(in: .newlines).replacing("\"", with: "\\\"")
    #expect(recorded.contains("calibration offsets=\"\(text)\""), "\(recorded.suffix(500))")

    let again = try await Run(words).end()
    #expect(again.code == 73 && again.error.contains("already there") && again.error.contains("--force"))
    let applied = try await Run([
      "stream", "--port", "sim:seed=3", "--calibration", path, "--count", "1", "-q", "--format", "csv",
    ]).end()
    #expect(applied.code == 0, "\(applied.error)")
  }

  @Test func aMissingFolderIsAnErrorBeforeTheMeasurement() async throws {
    let path = freshPath() + "/ball.json"
    let outcome = try await Run(["survey", "--offsets", path, "--port", "sim:"]).end()
    #expect(outcome.code == 73 && outcome.output.isEmpty && !outcome.error.contains("lie still"))
    #expect(outcome.error.contains("\(path): No such file or directory"), "\(outcome.error)")
  }

  @Test func aMovingBallIsAnError() async throws {
    let (path, script) = (freshPath(), try file("0s shake 20s"))
    defer { try? FileManager.default.removeItem(atPath: script) }
    let outcome = try await Run(
      ["survey", "--offsets", path, "--port", "sim:script=\(script)", "--for", "2s"]
    ).end()
    #expect(
      outcome.code == 75 && outcome.error.contains("the ball did not lie still within 2 s"),
      "\(outcome.error)")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func offsetsAreSubtractedLiveAndRecorded() async throws {
    let (path, capture) = (try file(Self.offsets), freshPath())
    defer { for path in [path, capture] { try? FileManager.default.removeItem(atPath: path) } }
    let live = try await Run([
      "stream", "--port", "sim:seed=5", "--mask", "accel,gyro,accel-raw,motion", "--count", "20",
      "--calibration",
      path, "--capture", capture, "--format", "csv",
    ]).end()
    #expect(live.code == 0, "\(live.error)")
    for row in try rows(live) {
      // A simulated robot at rest, upright, within its noise: x and y of the sensor point to the left and back.
      for (title, value) in [
        ("accel_x_g", 0.25), ("accel_y_g", -0.125), ("accel_z_g", 0.5), ("user_acceleration_x_g", -0.25),
        ("user_acceleration_y_g", 0.125), ("user_acceleration_z_g", -0.5),
      ] {
        #expect(abs(try #require(row[title]) - value) < 0.03, "\(title) \(row)")
      }
      // Raw words stay as measured.
      #expect(abs(try #require(row["accel_raw_z_g"]) - 1) < 0.03)
      #expect(abs(try #require(row["gyro_z_deg_s"]) + 1) < 1)
    }
    // Later, the rest that remains is estimated as a bias.
    let rate = try #require(try rows(live).first?["rotation_rate_z_deg_s"])
    #expect(abs(rate + 1) < 0.5)
    let decode = ["decode", "--samples", "--mask", "accel,gyro,accel-raw,motion", "--format", "csv", capture]
    let recorded = try await Run(decode).end()
    // A packet that arrives after the last printed sample is recorded, too.
    #expect(recorded.output.hasPrefix(live.output))
    #expect(recorded.error.contains("the recording contains offsets at rest, which are subtracted"))
    let left = try await Run(decode + ["--calibration", "none"]).end()
    #expect(!left.error.contains("offsets"))
    for (with, without) in zip(try rows(live), try rows(left)) {
      for (title, offset) in [("accel_x_g", -0.25), ("accel_y_g", 0.125), ("gyro_z_deg_s", 1)] {
        let difference = try #require(without[title]) - #require(with[title])
        #expect(abs(difference - offset) < 1e-3, "\(title)")
      }
    }
    let replaced = try await Run(decode + ["--calibration", path]).end()
    #expect(replaced.output == recorded.output && !replaced.error.contains("the recording contains offsets"))
    let plain = try await Run(["decode", capture]).end()
    #expect(plain.output.contains("calibration offsets="))
  }

  @Test func aRecordingContainsTheOffsetsAndReplays() async throws {
    let (path, capture) = (try file(Self.offsets), freshPath())
    defer { for path in [path, capture] { try? FileManager.default.removeItem(atPath: path) } }
    let recording = try await Run([
      "record", capture, "--port", "sim:seed=5", "--mask", "accel", "--count", "10", "--calibration", path,
    ]).end()
    #expect(recording.code == 0, "\(recording.error)")
    // A second recording in the same file has no offsets.
    let second = freshPath()
    defer { try? FileManager.default.removeItem(atPath: second) }
    _ = try await Run(["record", second, "--port", "sim:seed=5", "--mask", "accel", "--count", "10"]).end()
    try (String(contentsOfFile: capture, encoding: .utf8) + String(contentsOfFile: second, encoding: .utf8))
      .write(toFile: second, atomically: true, encoding: .utf8)
    let decoded = try await Run(["decode", "--samples", second, "--format", "csv"]).end()
    let values = try rows(decoded).map { try #require($0["accel_z_g"]) }
    #expect(values.count == 20 && values.prefix(10).allSatisfy { abs($0 - 0.5) < 0.03 }, "\(values)")
    #expect(values.suffix(10).allSatisfy { abs($0 - 1) < 0.03 }, "\(values)")
    let replayed = try await Run([
      "stream", "--port", "replay:\(capture)", "--mask", "accel", "--count", "5", "--format", "csv",
    ]).end()
    // A replay is a robot, which has offsets.
    #expect(try rows(replayed).allSatisfy { abs(try #require($0["accel_z_g"]) - 1) < 0.03 })
  }

  @Test func aLineOfARunRecordsItsOffsets() async throws {
    let (path, capture, lines) = (try file(Self.offsets), freshPath(), freshPath())
    defer { for path in [path, capture, lines] { try? FileManager.default.removeItem(atPath: path) } }
    try "stream --mask accel --count 5 --calibration \(path)\n"
      .write(toFile: lines, atomically: true, encoding: .utf8)
    let run = try await Run(["run", lines, "--port", "sim:seed=5", "--capture", capture]).end()
    #expect(run.code == 0, "\(run.error)")
    let recorded = try await Run(["decode", capture]).end()
    #expect(recorded.output.contains("calibration offsets="), "\(recorded.output)")
  }

  @Test(arguments: [
    ("", "line 1, column 1: JSON has a value here"), ("[1, 2", "line 1, column 6: JSON has ',' or ']' here"),
    (#"{"x": {"bias": 0}}"#, "this is not a calibration: it has no number 'rotationRateOffset.x'"),
    (
      offsets.replacing("0.5", with: "9.81"),
      "'accelerationOffset.z' is 9.81, but no sensor has an offset beyond 0.5"
    ),
    (offsets.replacing("9}", with: "0}"), "'sampleCount' is 0, but a whole number from 1 is needed"),
  ])
  func aForeignFileIsAnError(text: String, message: String) async throws {
    let path = try file(text)
    defer { try? FileManager.default.removeItem(atPath: path) }
    for verb in [["stream", "--port", "sim:"], ["decode", "--samples"]] {
      let outcome = try await Run(verb + ["--calibration", path]).end()
      #expect(outcome.code == 65 && outcome.error.contains("\(path): \(message)"), "\(outcome.error)")
    }
    let missing = try await Run(["stream", "--port", "sim:", "--calibration", path + ".missing"]).end()
    #expect(missing.code == 66, "\(missing.error)")
  }

  // MARK: Headings

  /// The test values of the model's authors for 2025.0, at 3, 28 and 54 km.
  @Test func declinationsMatchTheTestValues() async throws {
    let usable = try await sphero(
      "heading", "350", "--place", "-50,-103,3000", "--date", "2025-01-01", "--format", "json")
    #expect(usable.code == 0 && usable.error.isEmpty, "\(usable.error)")
    #expect(
      usable.output
        == #"{"kind":"heading","magnetic_heading":350.00,"true_heading":17.96,"declination":27.96,"#
        + #""declination_error":0.36,"declination_per_year":-0.03,"inclination":-54.89,"horizontal_field":22.11,"#
        + #""compass":"usable","date":"2025-01-01","latitude":-50.00000,"longitude":-103.00000,"#
        + #""model":"World Magnetic Model 2025, until 2030-01-01"}"# + "\n")
    let inverse = try await sphero(
      "heading", "17.96", "--true", "--place", "-50,-103,3000", "--date", "2025-01-01", "--format", "json")
    #expect(inverse.output.contains(#""magnetic_heading":350.00,"true_heading":17.96,"#), "\(inverse.output)")
    let wrapped = try await sphero("heading", "359.999", "--place", "50,8", "--format", "json")
    #expect(wrapped.output.contains(#""magnetic_heading":0.00,"#), "\(wrapped.output)")
    let pole = try await sphero(
      "heading", "--place", "89,-121,28000", "--date", "2025-01-01", "--format", "json")
    #expect(pole.output.hasPrefix(#"{"kind":"heading","declination":-99.77,"declination_error":3.61,"#))
    #expect(pole.error == "sphero: the horizontal field is only 1.5 µT there: a compass cannot be used\n")
    let north = try await sphero("heading", "--place", "82,87,54000", "--date", "2025-01-01")
    #expect(north.output.contains("54.89") && north.error.contains("2.3 µT there: a compass is inaccurate"))
  }

  @Test func theModelExpires() async throws {
    for (date, message) in [("2030-01-02", "valid until 2030.0"), ("2024-12-31", "valid from 2025.0 on")] {
      let outcome = try await sphero("heading", "--place", "50,8", "--date", date)
      #expect(
        outcome.code == 64 && outcome.error.contains("\(date): the World Magnetic Model 2025 is \(message)"))
    }
    #expect(try await sphero("heading", "--place", "50,8", "--date", "2030-01-01").code == 0)
  }
}
