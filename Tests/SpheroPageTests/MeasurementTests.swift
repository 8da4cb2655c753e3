// The sensors of the page: filters of the lanes, the motion screen, and offsets at rest.

import SpheroPage
import SpheroProtocol
import Testing

@Suite struct MeasurementTests {
  /// The numbers of a member in each line of JSON that has it.
  private static func values(_ name: String, in text: String) -> [Double] {
    text.split(separator: "\n").compactMap { line in
      guard let range = line.firstRange(of: "\"\(name)\":") else { return nil }
      return Double(line[range.upperBound...].prefix { "-.0123456789".contains($0) })
    }
  }

  private static func samples(_ rig: inout PageRig) throws -> String {
    try rig.news("sample")
      .joined(separator: "\n")
  }

  // MARK: Filter

  @Test func aFilterByFactorFollowsItsFormula() throws {
    var rig = try PageRig.connected()
    try rig.execute("filter low factor 0.25")
    #expect(try rig.execute("lanes").contains(#""filtered":"accel_y_filtered""#))
    _ = try rig.execute("news")
    for _ in 0..<20 {
      try rig.execute("stick 0 1")
      rig.run(for: .milliseconds(100))
    }
    let text = try Self.samples(&rig)
    let (raw, filtered) = (Self.values("accel_y", in: text), Self.values("accel_y_filtered", in: text))
    #expect(raw.count > 30 && raw.count == filtered.count)
    // y = F x + (1 - F) y1, from the first sample on.
    var expected = try #require(filtered.first)
    for (value, result) in zip(raw, filtered).dropFirst() {
      expected = 0.25 * value + 0.75 * expected
      #expect(abs(result - expected) < 0.001)
    }
    #expect(raw.max() != raw.min())
    // Angles are not filtered.
    #expect(!text.contains("yaw_filtered"))
  }

  @Test func aHighPassRemovesWhatIsConstant() throws {
    var rig = try PageRig.connected()
    try rig.execute("filter high hertz 0.5")
    rig.run(for: .seconds(5))
    let text = try Self.samples(&rig)
    #expect(try #require(Self.values("accel_z", in: text).last) > 0.9)
    #expect(abs(try #require(Self.values("accel_z_filtered", in: text).last)) < 0.05)
    try rig.execute("filter off")
    _ = try rig.execute("news")
    rig.run(for: .seconds(1))
    #expect(try !Self.samples(&rig).contains("_filtered"))
    #expect(try !rig.execute("lanes").contains("_filtered"))
  }

  @Test(arguments: [
    "filter", "filter low", "filter low factor", "filter low factor 0", "filter low factor 1.5",
    "filter low hertz 0",
    "filter band factor 0.1", "filter low hertz 0.1 2", "filter low seconds 1", "motion", "motion grads",
    "calibrate", "calibrate set 1 2", "calibrate now",
  ])
  func invalidCommandsAreErrors(_ command: String) throws {
    var rig = try PageRig.connected()
    #expect(throws: PageError.self) { try rig.execute(command) }
  }

  // MARK: Motion screen

  /// The values of a group of the motion screen.
  private static func group(_ name: String, in view: String) throws -> (unit: String, values: [Double]) {
    let start = try #require(view.firstRange(of: "{\"name\":\"\(name)\",\"unit\":\"")).upperBound
    let unit = String(view[start...].prefix { $0 != "\"" })
    let values = try #require(view[start...].firstRange(of: "\"values\":[")).upperBound
    return (unit, view[values...].prefix { $0 != "]" }.split(separator: ",").compactMap { Double($0) })
  }

  @Test func theScreenShowsSixGroupsInBothUnits() throws {
    var rig = try PageRig.connected()
    try rig.expectView("\"screen\":null")
    try rig.execute("motion degrees")
    rig.run(for: .seconds(2))
    var view = try rig.execute("view")
    for (name, unit, z) in [
      // A ball at rest reads 1 g upward, and gravity points down.
      ("Raw accelerometer", "g", 1.0), ("Gravity", "g", -1), ("User acceleration", "g", 0),
      ("Raw gyroscope", "°/s", 0), ("Rotation rate", "°/s", 0), ("Attitude", "°", 0),
    ] {
      let group = try Self.group(name, in: view)
      #expect(group.unit == unit && group.values.count == 3)
      #expect(abs(group.values[2] - z) < (unit == "g" ? 0.05 : 2), "\(name): \(group)")
    }
    // A tenth of a degree, a thousandth of g.
    #expect(view.contains(#""name":"Attitude","unit":"°","limit":180.0000,"digits":1,"names":["pitch","#))
    #expect(view.contains(#""name":"Gravity","unit":"g","limit":1.0000,"digits":3,"names":["x","#))
    try rig.execute("turn 90")
    rig.run(for: .seconds(5))
    let degrees = try Self.group("Attitude", in: try rig.execute("view"))
    try rig.execute("motion radians")
    rig.run(for: .milliseconds(200))
    view = try rig.execute("view")
    let radians = try Self.group("Attitude", in: view)
    // A turn to the right is negative, as in the wire.
    #expect(abs(degrees.values[2] + 90) < 3 && radians.unit == "rad" && abs(radians.values[2] + 1.571) < 0.05)
    #expect(try Self.group("Rotation rate", in: view).unit == "rad/s")
    #expect(view.contains(#""name":"Attitude","unit":"rad","limit":3.1416,"digits":3,"#))
    try rig.execute("motion off")
    try rig.expectView("\"screen\":null")
  }

  /// Offsets of -2 °/s about the vertical and 1 °/s about the right axis have the effect of a gyroscope's bias.
  @Test func theRotationRateIsWithoutBias() throws {
    var rig = try PageRig.connected()
    try rig.execute("motion degrees")
    try rig.execute("calibrate set \(Self.stored(rate: (0.0174532925, 0, -0.0349065850), force: 0))")
    rig.run(for: .milliseconds(300))
    let early = try Self.group("Rotation rate", in: try rig.execute("view")).values
    #expect(abs(early[0] + 1) < 0.7 && abs(early[2] - 2) < 0.7, "\(early)")
    var sums = [0.0, 0, 0]
    rig.run(for: .seconds(10))
    for _ in 0..<50 {
      rig.run(for: .milliseconds(50))
      let rates = try Self.group("Rotation rate", in: try rig.execute("view")).values
      sums = zip(sums, rates).map { $0 + $1 }
    }
    // The mean of 50 readings with a noise of 0.12 °/s.
    #expect(sums.allSatisfy { abs($0 / 50) < 0.1 }, "\(sums.map { $0 / 50 })")
    // The bias of other readings is not subtracted.
    try rig.execute("calibrate clear")
    rig.run(for: .milliseconds(300))
    let restarted = try Self.group("Rotation rate", in: try rig.execute("view")).values
    #expect(abs(restarted[2]) < 0.7, "\(restarted)")
  }

  // MARK: Offsets at rest

  /// A calibration in the form of Docs/Storing.md, with a force along the vertical.
  private static func stored(rate: (Double, Double, Double), force: Double) -> String {
    """
    {"rotationRateOffset": {"x": \(rate.0), "y": \(rate.1), "z": \(rate.2)},
     "accelerationOffset": {"x": 0, "y": 0, "z": \(force)}, "sampleCount": 100}
    """
  }

  @Test func offsetsAreMeasuredAtRestAndSubtracted() throws {
    var rig = try PageRig.connected()
    try rig.execute("calibrate start")
    rig.run(for: .seconds(1))
    try rig.expectView("\"calibration\":{\"progress\":0.00,\"is_at_rest\":false")
    rig.run(for: .seconds(6))
    #expect(
      try rig.execute("news").contains("{\"kind\":\"calibration\",\"message\":\"the offsets are measured\""))
    // Offsets of 5 °/s about the vertical and of 0.02 g along it, on the axes right, ahead, up.
    try rig.execute("calibrate clear")
    rig.run(for: .seconds(1))
    let before = try Self.samples(&rig)
    try rig.execute("calibrate set \(Self.stored(rate: (0, 0, 0.0872664626), force: 0.02))")
    try rig.expectView(#"\"sampleCount\": 100}"#)
    rig.run(for: .seconds(1))
    let after = try Self.samples(&rig)
    func mean(_ name: String, _ text: String) -> Double {
      let values = Self.values(name, in: text)
      return values.reduce(0, +) / Double(max(values.count, 1))
    }
    // The sensors have x to the left, y back and z up.
    #expect(abs(mean("gyro_z", before) - mean("gyro_z", after) - 5) < 0.2)
    #expect(abs(mean("accel_z", before) - mean("accel_z", after) - 0.02) < 0.003)
    #expect(abs(mean("accel_x", before) - mean("accel_x", after)) < 0.003)
    // Another robot has other offsets.
    try rig.execute("leave")
    rig.run(for: .seconds(2))
    try rig.execute("connect 1763800000000")
    try rig.expectView("\"offsets\":null")
  }

  /// A capture notes the offsets, its samples are without them, and so are those of the table and of the playback.
  @Test func recordingsContainTheOffsets() throws {
    var rig = try PageRig.connected()
    let offsets = Self.stored(rate: (0, 0, 0), force: 0.25)
    try rig.execute("calibrate set \(offsets)")
    try rig.execute("record start")
    rig.run(for: .seconds(1))
    try rig.execute("calibrate clear")
    rig.run(for: .seconds(1))
    try rig.execute("record stop")
    /// The vertical accelerations of a table of samples.
    func forces(_ table: String) throws -> [Double] {
      let rows = table.split(separator: "\n").map {
        $0.split(separator: ",", omittingEmptySubsequences: false)
      }
      let column = try #require(rows.first?.firstIndex { $0.hasPrefix("accel_z") })
      return rows.dropFirst().compactMap { Double($0[column]) }
    }
    func check(_ forces: [Double]) {
      #expect(forces.count > 30)
      #expect(abs((forces.first ?? 0) - 0.75) < 0.05 && abs((forces.last ?? 0) - 1) < 0.05, "\(forces)")
    }
    try check(forces(rig.execute("rows")))
    let capture = try rig.execute("capture")
    let marks = capture.split(separator: "\n").filter { $0.hasPrefix("#:") && $0.contains(" calibration") }
    #expect(marks.count == 2)
    #expect(marks.first?.contains(#"\"z\": 0.25"#) == true && marks.last?.contains("offsets") == false)
    try rig.execute("open file")
    try rig.page.read(Array(capture.utf8))
    try rig.execute("end")
    try check(forces(rig.execute("table")))
    #expect(
      try Self.values("accel_z", in: rig.execute("playback at 0")).first.map { abs($0 - 0.75) < 0.05 } == true
    )
    // The next recording in the page begins without them.
    try rig.execute("record start")
    rig.run(for: .seconds(1))
    #expect(try !rig.execute("capture").contains("calibration"))
  }

  @Test(arguments: [
    "1 2 3", "{", "[]", #"{"rotationRateOffset": {"x": 0, "y": 0, "z": 0}}"#, "{} trailing",
  ])
  func otherTextsAreNoCalibration(_ text: String) throws {
    var rig = PageRig()
    #expect(throws: PageError.self) { try rig.execute("calibrate set \(text)") }
    try rig.expectView("\"offsets\":null")
  }

  @Test func aMovingBallIsNotMeasured() throws {
    var rig = try PageRig.connected()
    try rig.execute("calibrate start")
    for step in 0..<160 {
      try rig.execute("stick \(step % 8 < 4 ? 1 : -1) 0")
      rig.run(for: .milliseconds(100))
    }
    #expect(try rig.execute("news").contains("the ball did not lie still within 15 s"))
    try rig.expectView("\"progress\":null")
  }

  /// A gap of more than a second restarts the measurement, and the clock of a robot may be slow.
  @Test func aRateOfOneHertzIsTooLowForAMeasurement() throws {
    var rig = try PageRig.connected()
    try rig.execute("sensors imu 1")
    rig.run(for: .seconds(4))
    #expect(throws: PageError.self) { try rig.execute("calibrate start") }
  }

  @Test func withoutARobotNothingIsMeasured() throws {
    var rig = PageRig()
    #expect(throws: PageError.self) { try rig.execute("calibrate start") }
  }
}
