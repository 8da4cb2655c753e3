// The parts, sizes and colours of the picture of a recording against positions computed by hand.

import SpheroControls
import SpheroProtocol
import Testing

@testable import SpheroDrawing

@Suite struct PictureTests {
  private static func plot(
    _ titles: [String], _ selection: PlotSelection = PlotSelection(), _ rows: [[Double?]] = []
  ) throws -> Plot {
    var plot = try #require(
      Plot(title: "run", columns: titles.map { Column(title: $0) }, selection: selection))
    for row in rows { plot.append(row) }
    return plot
  }

  private static func picture(_ plots: [Plot], _ size: String) throws -> PlotPicture {
    PlotPicture(title: "run", plots, size: try #require(PictureSize(parsing: size)))
  }

  @Test func coloursAreAttributesOfTheirElements() throws {
    var plot = try Self.plot(
      ["time_s", "pitch_deg", "roll_deg", "yaw_deg", "odometer_x_cm", "odometer_y_cm"], PlotSelection(),
      [[0, 0, 0, 0, 0, 0], [1, 10, 20, 30, 50, 50]])
    plot.appendMark("collision")
    let svg = plot.svg()
    #expect(!svg.contains("var("))
    let shapes = svg.split(separator: "\n").filter { line in
      ["<polyline", "<text", "<circle", "<rect"].contains { line.hasPrefix($0) }
    }
    #expect(shapes.count > 100)
    for shape in shapes {
      #expect(shape.contains(" stroke=\"#") || shape.contains(" fill=\"#"), "\(shape)")
      #expect(!shape.contains("style="), "\(shape)")
    }
    #expect(svg.contains("<style>@media (prefers-color-scheme:dark){.paper{fill:#14171a}"))
  }

  @Test(
    arguments: [
      ("85x60mm", 321.26, 226.77), ("85mm", 321.26, nil), ("640x480px", 640, 480), ("640px", 640, nil),
      ("4x3in", 384, 288), ("8.5cm", 321.26, nil), ("300pt", 400, nil),
    ] as [(String, Double, Double?)])
  func aSizeHasAUnit(text: String, width: Double, height: Double?) throws {
    let size = try #require(PictureSize(parsing: text))
    #expect(abs(size.width - width) < 0.01)
    #expect(size.height.map { abs($0 - (height ?? 0)) < 0.01 } ?? (height == nil))
  }

  @Test(arguments: [
    "", "mm", "85x", "x60mm", "85x60x1mm", "85 mm", "85furlong", "-85mm", "1mm", "30000px", "85", "640x480",
    "85x1mm", "1e9",
    "nan", "8..5cm", "85MM",
  ])
  func otherTextsAreNotSizes(text: String) { #expect(PictureSize(parsing: text) == nil) }

  @Test func aPictureHasItsSize() throws {
    let rows = (0..<50).map { [Double($0) / 10, Double($0), Double($0 % 7)] as [Double?] }
    let plot = try Self.plot(["time_s", "yaw_deg", "accel_x_g"], PlotSelection(), rows)
    let svg = try Self.picture([plot], "85x60mm").svg()
    #expect(
      svg.contains("viewBox=\"0 0 321.26 226.77\" width=\"85mm\" height=\"60mm\""), "\(svg.prefix(300))")
    #expect(svg.contains("font-size=\"9.33\""))
    #expect(try Self.picture([plot], "85x60mm").requiredSize == nil)
  }

  @Test func aPictureWithoutRoomStatesItsSize() throws {
    let titles = ["time_s", "yaw_deg", "accel_x_g", "gyro_x_deg_s", "q0", "pwm_left"]
    let plot = try Self.plot(titles, PlotSelection(), [[0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6]])
    // Five panels of 28 units, legends of 16 and gaps of 5, 15 for times, and 2 above: 262 units are 69.3 mm.
    #expect(try Self.picture([plot], "85x60mm").requiredSize == "85x70mm")
    #expect(try Self.picture([plot], "85x70mm").requiredSize == nil)
    #expect(try Self.picture([plot], "85mm").requiredSize == nil)
  }

  @Test func namesSelectColumnsAndPictures() throws {
    let titles = [
      "time_s", "pitch_deg", "roll_deg", "yaw_deg", "accel_x_g", "accel_y_g", "accel_one_g", "odometer_x_cm",
      "odometer_y_cm",
    ]
    let row: [Double?] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
    let next: [Double?] = [1, 1, 2, 3, 4, 5, 6, 9, 9]
    var selection = PlotSelection()
    selection.names = ["yaw", "accel"]
    let columns = titles.map { Column(title: $0) }
    #expect(selection.unknownName(in: columns) == nil)
    var plot = try Self.plot(titles, selection, [row, next])
    #expect(
      plot.panels.map { $0.series.map(\.name) } == [["yaw"], ["accel x", "accel y"], ["accel one"]])
    #expect(plot.attitudes.isEmpty && plot.trail.points.isEmpty)
    selection.names = ["accel-one", "path", "attitude"]
    plot = try Self.plot(titles, selection, [row, next])
    #expect(plot.panels.map { $0.series.map(\.name) } == [["accel one"]])
    #expect(plot.attitudes.count == 2 && plot.trail.points.count == 2)
    selection.names = ["imu", "locator"]
    plot = try Self.plot(titles, selection, [row, next])
    #expect(
      plot.panels.map { $0.series.map(\.name) } == [["pitch", "roll", "yaw"], ["odometer x", "odometer y"]])
    let raw = ["accel_raw_x", "emf_raw_left"].map { Column(title: $0) }
    for (name, selects) in [
      ("accel", [false, false]), ("emf", [false, false]), ("accel-raw", [true, false]),
    ] {
      selection.names = [name]
      #expect(raw.map { selection.shows($0) } == selects, "\(name)")
    }
    selection.names = ["imu", "quat"]
    #expect(selection.unknownName(in: columns) == "quat")
    selection.names = ["yaw", "acc", "time"]
    #expect(selection.unknownName(in: columns) == "acc")
    selection.names = ["time"]
    #expect(selection.unknownName(in: columns) == "time")
  }

  @Test func aTimeWindowSelectsSamples() throws {
    var selection = PlotSelection()
    (selection.start, selection.duration) = (1, 2)
    var plot = try Self.plot(["time_s", "yaw_deg"], selection)
    for step in 0..<50 {
      #expect(plot.isOver == (step > 30))
      plot.append([Double(step) / 10, Double(step)])
      plot.appendMark("event \(step)")
    }
    #expect(plot.count == 20 && plot.start == 1 && plot.end == 2.9)
    #expect(plot.marks.map(\.label) == (10..<30).map { "event \($0)" })
    // Without a start, the time counts from the first sample.
    selection.start = nil
    plot = try Self.plot(["time_s", "yaw_deg"], selection, [[7, 0], [8, 0], [8.9, 0], [9, 0]])
    #expect(plot.count == 3 && plot.isOver)
  }

  @Test func anUnwrappedAngleContinues() throws {
    var selection = PlotSelection()
    selection.unwrapsAngles = true
    let yaw: [Double?] = [170, 179, -171, -100, nil, 100, -179, 179, 0, -179, 179]
    let rows = yaw.enumerated().map { [Double($0.offset), $0.element] }
    let plot = try Self.plot(["time_s", "yaw_deg"], selection, rows)
    let lines = plot.panels[0].series[0].extremes.lines.map { $0.map(\.value) }
    #expect(lines == [[170, 179, 189, 260], [100, 181, 179, 0, -179, -181]])
  }

  @Test func eventsHaveLabelsAndLines() throws {
    var plot = try Self.plot(
      ["time_s", "yaw_deg"], PlotSelection(), [[0, 0], [1, 100], [2, 50]])
    plot.append(EventPacket(id: Core.PowerNotification.id, payload: [3]), at: 0.5)
    plot.append(EventPacket(id: Core.PreSleepWarning.id), at: nil)
    plot.append(EventPacket(id: Sensing.Collision.id), at: 0.55)
    #expect(plot.marks.map(\.label) == ["battery low", "pre sleep warning", "collision"])
    #expect(plot.marks.map(\.time) == [0.5, 2, 0.55])
    let svg = plot.svg()
    // 864 units for 2 s from 72 on; two rows of labels of 16 units are above the panel of 120 units.
    #expect(svg.contains("stroke-dasharray=\"3 2\" points=\"288,120 288,240\""), "\(svg)")
    #expect(svg.contains("x=\"288\" y=\"79\">battery low</text>"), "\(svg)")
    #expect(svg.contains("x=\"309.6\" y=\"95\">collision</text>"), "\(svg)")
  }

  /// The lightness of CIE 1976 of a colour of sRGB, by the formulas of the standard.
  private static func lightness(_ color: RGB) -> Double {
    let linear = [color.red, color.green, color.blue].map { channel -> Double in
      let value = Double(channel) / 255
      guard value > 0.04045 else { return value / 12.92 }
      return power((value + 0.055) / 1.055, 2.4)
    }
    let luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return 116 * power(luminance, 1.0 / 3) - 16
  }

  /// A power by its series, since the tests of this target use no mathematics of the system.
  private static func power(_ base: Double, _ exponent: Double) -> Double {
    // ln b = 2 artanh((b - 1) / (b + 1))
    let ratio = (base - 1) / (base + 1)
    var (logarithm, odd, term) = (0.0, 1.0, ratio)
    while abs(term) > 1e-18, odd < 20_000 {
      logarithm += 2 * term / odd
      (term, odd) = (term * ratio * ratio, odd + 2)
    }
    var (sum, factor) = (0.0, 1.0)
    for index in 1...80 {
      sum += factor
      factor *= exponent * logarithm / Double(index)
    }
    return sum
  }

  @Test func theColoursOfTimeGrowEvenlyLighter() {
    let steps = (0...32).map { Self.lightness(TimeColors.color(Double($0) / 32)) }
    let differences = zip(steps, steps.dropFirst()).map { $1 - $0 }
    // From 29 to 80 in 32 steps: 1.6 each.
    #expect(differences.allSatisfy { abs($0 - 1.6) < 0.5 }, "\(differences)")
    #expect(abs(steps[0] - 28.6) < 0.5 && abs(steps[32] - 79.8) < 0.5)
    #expect(TimeColors.color(-1) == TimeColors.color(0) && TimeColors.color(.nan) == TimeColors.color(0))
    #expect(TimeColors.color(2) == TimeColors.color(1))
  }
}
