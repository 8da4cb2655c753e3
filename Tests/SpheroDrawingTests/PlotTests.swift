// Pictures of recordings against positions computed by hand.

import SpheroOrientation
import SpheroProtocol
import Testing

@testable import SpheroDrawing

@Suite struct MinMaxDecimatorTests {
  @Test func fewSamplesAreKept() {
    var extremes = MinMaxDecimator(capacity: 8)
    for (time, value) in [(0.0, 1.0), (1, 3), (2, 2)] { extremes.append(value, at: time) }
    extremes.append(nil, at: 3)
    extremes.append(.nan, at: 4)
    extremes.append(5, at: 5)
    let lines = extremes.lines.map { $0.map { [$0.time, $0.value] } }
    #expect(lines == [[[0, 1], [1, 3], [2, 2]], [[5, 5]]])
    #expect(extremes.range == 1...5)
  }

  @Test(arguments: [0, 1, 4_999, 77_777, 99_999]) func noPeakIsLost(_ index: Int) {
    var extremes = MinMaxDecimator(capacity: 100)
    for step in 0..<100_000 {
      extremes.append(step == index ? 9 : step == index + 1 ? -9 : 0, at: Double(step))
    }
    #expect(extremes.groups.count <= 100 && extremes.groups.count >= 49)
    let points = extremes.lines.flatMap { $0 }
    #expect(points.contains { $0.value == 9 && $0.time == Double(index) })
    if index < 99_999 { #expect(points.contains { $0.value == -9 && $0.time == Double(index + 1) }) }
    #expect(points.map(\.time) == points.map(\.time).sorted())
  }

  @Test func anInterruptionRemainsWhenGroupsAreMerged() {
    var extremes = MinMaxDecimator(capacity: 100)
    for step in 0..<1_000 {
      if [51, 700].contains(step) { extremes.interrupt() }
      extremes.append(Double(step), at: Double(step))
    }
    #expect(extremes.lines.map { [$0.first?.value, $0.last?.value] } == [[0, 50], [51, 699], [700, 999]])
  }

  @Test func frequentInterruptionsDoNotExceedTheCapacity() {
    var extremes = MinMaxDecimator(capacity: 100)
    for step in 0..<10_000 {
      extremes.interrupt()
      extremes.append(1, at: Double(step))
      #expect(extremes.groups.count <= 100)
    }
    // Groups of 128 samples.
    #expect(extremes.groups.count == 79)
  }
}

@Suite struct PlotTests {
  @Test func linesAreAtTheirPositions() throws {
    var plot = try #require(
      Plot(
        title: "a<b>&\"c\"\u{1B}",
        columns: ["time_s", "yaw_deg", "odometer_x_cm", "odometer_y_cm"].map { Column(title: $0) }))
    for row in [[0.0, 0, 0, 0], [1, 100, 100, 0], [2, -50, 100, 100]] { plot.append(row) }
    let svg = plot.svg()
    #expect(svg.contains("<title>a&lt;b&gt;&amp;&quot;c&quot;?</title>"))
    // 864 units for 2 s from 72; 120 units for 150 degrees downward from 88: -50...100.
    #expect(
      svg.contains("<polyline class=\"s0\" stroke=\"#0072b2\" points=\"72,168 504,88 936,208\"/>"), "\(svg)")
    #expect(svg.contains(">yaw (°)</text>") && svg.contains(">odometer x (cm)</text>"))
    // 440 units for 100 cm from (92, 476); the first colour, then later ones.
    let first = try #require(svg.firstRange(of: "points=\"92,916 532,916\""))
    let second = try #require(svg.firstRange(of: "points=\"532,916 532,476\""))
    #expect(first.lowerBound < second.lowerBound)
    #expect(svg.contains("3 samples in 2.000 s"))
    #expect(svg.contains("prefers-color-scheme:dark") && !svg.contains("href") && !svg.contains("<script"))
  }

  /// Of 48 colours for 2 s, 0 s and 0.01 s have the first one, 1 s the 25th and 2 s the last one.
  @Test func eachSegmentOfATrailHasTheColourOfItsEnd() throws {
    let titles = ["time_s", "odometer_x_cm", "odometer_y_cm"]
    var plot = try #require(Plot(title: "", columns: titles.map { Column(title: $0) }))
    for row in [[0.0, 0, 0], [0.01, 10, 0], [1, 20, 0], [2, 20, 10]] { plot.append(row) }
    let lines = plot.svg().split(separator: "\n").filter { $0.hasPrefix("<polyline stroke=\"#") }
    #expect(lines.count == 3, "\(lines)")
    #expect(lines.first?.hasPrefix("<polyline stroke=\"#552f86\"") == true, "\(lines)")
    #expect(lines.last?.hasPrefix("<polyline stroke=\"#cacc56\"") == true, "\(lines)")
    #expect(lines.allSatisfy { $0.split(separator: ",").count == 3 }, "\(lines)")
  }

  @Test func anUnfilteredValueSharesAPanelWithItsFilteredOne() throws {
    let titles = [
      "time_s", "accel_x_g", "accel_x_filtered_g", "accel_y_g", "accel_y_filtered_g", "gyro_x_deg_s",
      "gyro_y_deg_s",
    ]
    let plot = try #require(Plot(title: "", columns: titles.map { Column(title: $0) }))
    #expect(
      plot.panels.map { $0.series.map(\.name) } == [
        ["accel x", "accel x filtered"], ["accel y", "accel y filtered"], ["gyro x", "gyro y"],
      ])
  }

  @Test func relatedSeriesShareAPanel() throws {
    let titles = [
      "time_s", "pitch_deg", "roll_deg", "yaw_deg", "accel_x_g", "accel_y_g", "accel_z_g", "accel_one_g",
      "gyro_x_deg_s", "q0", "q1", "q2", "q3", "pwm_left", "pwm_right", "euler_pitch_deg",
    ]
    let plot = try #require(Plot(title: "", columns: titles.map { Column(title: $0) }))
    #expect(
      plot.panels.map { $0.series.map(\.name) } == [
        ["pitch", "roll", "yaw"], ["accel x", "accel y", "accel z"], ["accel one"], ["gyro x"],
        ["q0", "q1", "q2", "q3"], ["pwm left", "pwm right"], ["euler pitch"],
      ])
    #expect(plot.panels.map(\.unit) == ["°", " g", " g", " °/s", "", "", "°"])
    #expect(Plot(title: "", columns: [Column("yaw", .degrees)]) == nil)
  }

  @Test func timesOfOtherClocksAreDrawnByName() throws {
    let columns = ["time_s", "wall_s", "arrival_s", "yaw_deg"].map { Column(title: $0) }
    let plot = try #require(Plot(title: "", columns: columns))
    #expect(plot.panels.map { $0.series.map(\.name) } == [["yaw"]])
    var selection = PlotSelection()
    selection.names = ["arrival"]
    let selected = try #require(Plot(title: "", columns: columns, selection: selection))
    #expect(selected.panels.map { $0.series.map(\.name) } == [["arrival"]])
  }

  @Test func columnTitlesAreParsed() {
    for (title, name, unit) in [
      ("time_s", "time", "s"), ("gyro_x_deg_s", "gyro_x", "deg_s"), ("velocity_x_mm_s", "velocity_x", "mm_s"),
      ("q0", "q0", ""), ("accel_x_g", "accel_x", "g"), ("x_furlong", "x_furlong", ""), ("_s", "", "s"),
      ("s", "s", ""),
    ] {
      let column = Column(title: title)
      #expect(column.name == name && column.unit.name == unit)
      #expect(column.title == title)
    }
    for field in SensorField.allCases {
      let column = Column(field.name, field.scale.unit)
      #expect(Column(title: column.title) == column)
    }
  }

  @Test func recordingsFollowEachOtherAndGapsStayOpen() throws {
    var plot = try #require(Plot(title: "", columns: [Column("time", .seconds), Column("yaw", .degrees)]))
    for time in [0, 0.1, 0.2, 5, 5.1, 0, 0.1] as [Double?] { plot.append([time, 1]) }
    plot.append([nil, 1])
    plot.append([])
    #expect(plot.count == 7 && plot.restarts == 1)
    let lines = plot.panels[0].series[0].extremes.lines.map { $0.map { ($0.time * 10).rounded() / 10 } }
    #expect(lines == [[0, 0.1, 0.2], [5, 5.1], [5.2, 5.3]])
    // An angle that wraps, and a row without a value.
    plot = try #require(Plot(title: "", columns: [Column("time", .seconds), Column("yaw", .degrees)]))
    for (time, yaw) in [(0, 179), (1, -179), (2, nil), (3, 1)] as [(Double, Double?)] {
      plot.append([time, yaw])
    }
    #expect(plot.panels[0].series[0].extremes.lines.map { $0.map(\.value) } == [[179], [-179], [1]])
  }

  @Test func aLowerRateIsNoSequenceOfGaps() throws {
    var plot = try #require(Plot(title: "", columns: [Column("time", .seconds), Column("yaw", .degrees)]))
    for time in [0, 0.05, 0.1, 1.1, 2.1, 3.1] { plot.append([time, 1]) }
    let lines = plot.panels[0].series[0].extremes.lines.map { $0.map(\.time) }
    #expect(lines == [[0, 0.05, 0.1], [1.1, 2.1, 3.1]])
  }

  @Test func attitudesComeFromEachRepresentation() throws {
    // A quarter turn to the left is negative in the robot's quaternion and positive in the angles.
    let half = 0.5.squareRoot()
    for (titles, values) in [
      (["q0", "q1", "q2", "q3"], [half, 0, 0, -half]), (["pitch_deg", "roll_deg", "yaw_deg"], [0, 0, 90]),
      (["attitude_w", "attitude_x", "attitude_y", "attitude_z"], [half, 0, 0, half]),
    ] {
      var plot = try #require(Plot(title: "", columns: (["time_s"] + titles).map { Column(title: $0) }))
      plot.append([0] + values)
      let attitude = try #require(plot.attitudes.first?.attitude)
      #expect(abs(attitude.yaw.degrees - 90) < 1e-6, "\(titles)")
    }
  }

  @Test func longRecordingsMakeSmallPictures() throws {
    let titles = [
      "time_s", "accel_x_g", "pitch_deg", "roll_deg", "yaw_deg", "odometer_x_cm", "odometer_y_cm",
    ]
    var plot = try #require(Plot(title: "", columns: titles.map { Column(title: $0) }))
    for step in 0..<200_000 {
      let time = Double(step) / 400
      plot.append([
        time, step == 123_456 ? 7.5 : Double(step % 3), 0, 0, Double(step % 360) - 180, Double(step % 1_999),
        Double(step % 1_777),
      ])
    }
    let svg = plot.svg()
    #expect(svg.utf8.count < 600_000)
    #expect(plot.attitudes.count <= 512 && plot.trail.points.count <= 4_000)
    // 512 samples apart, after nine thinnings.
    #expect(plot.attitudes.enumerated().allSatisfy { $1.time == Double($0 * 512) / 400 })
    // The peak is in the picture: at 123456 / 199999 of the width, on a scale of 0...8.
    #expect(svg.contains(" 605.33,95.5 ") || svg.contains(" 605.33,95.5\""), "no peak")
    #expect(svg.components(of: "<polyline").count < 2_000)
  }
}

extension String {
  fileprivate func components(of text: String) -> [Range<String.Index>] { ranges(of: text) }
}
