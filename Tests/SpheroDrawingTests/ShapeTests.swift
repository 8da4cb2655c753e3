// Attitude, trail, scales and the monitor against positions computed by hand.

import SpheroControls
import SpheroOrientation
import SpheroProtocol
import Testing

@testable import SpheroDrawing

private func isNear(_ a: Point, _ x: Double, _ y: Double) -> Bool {
  abs(a.x - x) < 1e-9 && abs(a.y - y) < 1e-9
}
// The viewer looks down by 25 degrees.
private let sine = 0.42261826174069944
private let cosine = 0.9063077870366499

@Suite struct AttitudeBallTests {
  @Test func aLevelBallShowsItsTail() {
    let ball = AttitudeBall(.identity)
    #expect(isNear(ball.nose.point, 0, -sine) && !ball.nose.isVisible)
    #expect(isNear(ball.tail.point, 0, sine) && ball.tail.isVisible)
    #expect(isNear(ball.top.point, 0, -cosine) && ball.top.isVisible)
    // The near half of the horizontal ring: from one side over the tail to the other.
    let ring = ball.lines.filter { $0.ring == .horizontal }.flatMap(\.points)
    #expect((23...26).contains(ring.count) && ring.allSatisfy { $0.y >= -1e-9 && abs($0.x) <= 1 })
  }

  @Test func turnedLeftTheNoseIsAtTheLeft() throws {
    // Yaw grows counter-clockwise: by a quarter, ahead becomes left.
    let ball = AttitudeBall(try #require(Rotation(angle: .degrees(90), axis: Vector3(0, 0, 1))))
    #expect(isNear(ball.nose.point, -1, 0) && isNear(ball.tail.point, 1, 0))
    // Nose up by a quarter, about the axis to the right.
    let up = AttitudeBall(try #require(Rotation(angle: .degrees(90), axis: Vector3(1, 0, 0))))
    #expect(isNear(up.nose.point, 0, -cosine) && up.nose.isVisible)
    #expect(isNear(up.top.point, 0, sine) && up.top.isVisible)
  }

  @Test func theBallFitsItsCells() {
    var canvas = Canvas(width: 20, height: 12)
    canvas.ball(.identity, in: Area(column: 2, row: 1, width: 16, height: 10), nil)
    #expect((0..<20).allSatisfy { canvas[$0, 0] == .blank && canvas[$0, 11] == .blank })
    #expect((0..<12).allSatisfy { canvas[1, $0] == .blank && canvas[18, $0] == .blank })
    #expect((0..<12).contains { canvas.text(row: $0).contains("o") })
    canvas = Canvas(width: 2, height: 1)
    canvas.ball(.identity, in: canvas.area, nil)
    #expect(canvas == Canvas(width: 2, height: 1))
  }
}

@Suite struct FloorTests {
  @Test func aScaleOfOneLargeValueHasAHeight() {
    for value in [1e10, -1e16, 1e30] {
      let scale = Scale(value, value)
      #expect(scale.lowest < value && value < scale.highest, "\(value)")
    }
  }

  @Test func bothAxesHaveTheSameScale() {
    // 100 cm across and 50 cm ahead in a picture of 200 by 200: 2 units a centimetre.
    let points = [(0.0, 0.0), (100, 0), (100, 50)].map { Trail.Point(x: $0.0, y: $0.1, time: 0) }
    let projection = TrailProjection(points, width: 200, height: 200)
    #expect(projection.scale == 2)
    #expect(isNear(projection.point(x: 0, y: 0), 0, 150) && isNear(projection.point(x: 100, y: 50), 200, 50))
    // The smallest extent is 20 cm.
    #expect(TrailProjection([], width: 40, height: 80).scale == 2)
  }

  @Test func aLongTrailIsThinnedWithinItsSpacing() {
    var trail = Trail(capacity: 100)
    var all: [(Double, Double)] = []
    // Strips of 400 points, 3 cm apart.
    for step in 0..<20_000 {
      let (x, y) = (Double(step % 400), Double(step / 400) * 3)
      all.append((x, y))
      trail.append(Trail.Point(x: x, y: y, time: Double(step)))
    }
    #expect(trail.points.count <= 100)
    #expect(trail.line.last?.x == all.last?.0 && trail.line.last?.y == all.last?.1)
    for (x, y) in all {
      let near = trail.points.contains {
        ($0.x - x) * ($0.x - x) + ($0.y - y) * ($0.y - y) <= 4 * trail.spacing * trail.spacing
      }
      #expect(near, "\(x), \(y) is far from all points, which are \(trail.spacing) cm apart")
      if !near { break }
    }
    trail.append(Trail.Point(x: .nan, y: 0, time: 0))
    #expect(trail.last?.x == 399)
  }

  @Test func aTrailOfManyColorsIsBounded() {
    var trail = Trail(capacity: 100)
    for step in 0..<1_000 {
      let color = RGB(red: step.isMultiple(of: 2) ? 255 : 0, green: 0, blue: 0)
      trail.append(Trail.Point(x: Double(step), y: 0, time: Double(step), color: color))
    }
    #expect(trail.points.count <= 100)
  }

  @Test func theBallAndTheOriginAreMarked() {
    var trail = Trail()
    for x in [0.0, 20] {
      trail.append(Trail.Point(x: x, y: 0, time: x, color: RGB(red: 255, green: 0, blue: 0)))
    }
    var canvas = Canvas(width: 10, height: 5)
    canvas.floor(trail, in: canvas.area)
    // From the left edge to the right one, in the middle of 20 rows of dots, drawn in red.
    #expect(canvas.text(row: 2).hasPrefix("+") && canvas.text(row: 2).hasSuffix("@"))
    #expect(canvas[4, 2].style.foreground == RGB(red: 255, green: 0, blue: 0))
    #expect(canvas[4, 2].character.value & ~0xFF == 0x2800)
  }
}

@Suite struct ScaleTests {
  @Test(
    arguments: [
      (-100, 100, -100, 100, 50, 0), (0, 1, 0, 1, 0.5, 1), (-0.7, 3.6, -2, 4, 2, 0),
      (0.98, 1.02, 0.98, 1.02, 0.01, 2),
      (5, 5, 4.5, 5.5, 0.5, 1), (0, 0.004, 0, 0.004, 0.001, 3), (-1_234, 5_678, -2_000, 6_000, 2_000, 0),
    ] as [(Double, Double, Double, Double, Double, Int)])
  func roundNumbers(
    _ low: Double, _ high: Double, _ lowest: Double, _ highest: Double, _ step: Double, _ digits: Int
  ) {
    let scale = Scale(low, high)
    #expect(abs(scale.lowest - lowest) < 1e-9 && abs(scale.highest - highest) < 1e-9, "\(scale)")
    #expect(abs(scale.step - step) < 1e-12 && scale.digits == digits, "\(scale)")
  }

  @Test(
    arguments: [
      (-172, 180, -180, 180, 90), (-50, 100, -50, 100, 50), (-90, 1_000, -360, 1_080, 360),
      (0, 181, 0, 270, 90),
      (0, 180, 0, 200, 50),
    ] as [(Double, Double, Double, Double, Double)])
  func quarterTurns(_ low: Double, _ high: Double, _ lowest: Double, _ highest: Double, _ step: Double) {
    let scale = Scale(low, high, degrees: true)
    #expect(scale.lowest == lowest && scale.highest == highest && scale.step == step, "\(scale)")
  }

  @Test(arguments: [
    (Double.nan, 1), (-.infinity, .infinity), (0, 1e300), (1e17, 1e17 + 16), (-1e-300, 1e-300),
  ])
  func anyNumbers(_ low: Double, _ high: Double) {
    let scale = Scale(low, high)
    #expect(scale.highest > scale.lowest && scale.step > 0 && scale.ticks.count < 65)
  }
}

@Suite struct MonitorTests {
  private func monitor() -> Monitor {
    var monitor = Monitor(columns: [Column("accel_x", .g), Column("yaw", .degrees)], rate: 20)
    monitor.title = "sim:"
    monitor.color = RGB(red: 255, green: 0, blue: 0)
    return monitor
  }

  @Test func valuesBarsAndEvents() {
    var monitor = monitor()
    monitor.battery = ("7.80 V ok", .note)
    monitor.record("Sensing.Collision x=3", .warning)
    for step in 0...40 {
      monitor.append(
        [.decimal(1, digits: 4), .integer(-90, .degrees)], at: Double(step) / 20,
        arrival: 100 + Double(step) / 20,
        attitude: .identity, position: (x: Double(step), y: 0))
    }
    let canvas = monitor.draw(width: 100, height: 24, now: 102)
    #expect(canvas.text(row: 0) == "sphero monitor  live  sim:  20.0/s  0 lost  7.80 V ok  2.0 s  ● #ff0000")
    let rows = (0..<24).map { canvas.text(row: $0) }
    #expect(
      rows[1].hasPrefix("accel x ") && rows[1].contains(" 1.0000 g ··")
        && rows[1].contains("pitch 0° roll 0° yaw 0°"), "\(rows)")
    #expect(rows[2].hasPrefix("yaw ") && rows[2].contains(" -90° ··"), "\(rows)")
    #expect(rows.contains { $0.contains("floor 40, 0 cm") })
    #expect(rows.contains("0.0 s    Sensing.Collision x=3") && rows[23] == "q quits")
  }

  /// 780 counts of 10 mV are 7.8 V.
  @Test func theBatteryIsInVolts() {
    var power = Core.GetPowerState.Response()
    (power.state, power.centivolts) = (.ok, 780)
    #expect(power.summary.text == "7.80 V ok")
  }

  /// On a screen of 80 columns, the rows of one quantity differ by their axis.
  @Test func aLongNameKeepsItsAxis() {
    let columns = ["x", "y"].map { Column("user_acceleration_\($0)", .g) }
    let canvas = Monitor(columns: columns, rate: 20).draw(width: 80, height: 24, now: 0)
    #expect(canvas.text(row: 1).hasPrefix("user accelera… x "), "\(canvas.text(row: 1))")
    #expect(canvas.text(row: 2).hasPrefix("user accelera… y "), "\(canvas.text(row: 2))")
  }

  @Test func aLostLinkIsShown() {
    var monitor = monitor()
    monitor.link = .lost
    let canvas = monitor.draw(width: 60, height: 8, now: 0)
    #expect(canvas.text(row: 0).hasPrefix("sphero monitor  link lost, reconnecting"))
    monitor.append([.missing, .missing], at: 1, arrival: 1, attitude: nil, position: nil)
    #expect(monitor.link == .live)
    #expect(monitor.draw(width: 60, height: 8, now: 1).text(row: 1).contains(" - "))
  }

  @Test func everySizeCanBeDrawn() {
    var monitor = monitor()
    for step in 0..<3_000 {
      monitor.append(
        [.decimal(step.isMultiple(of: 7) ? .nan : 1e12, digits: 3), .integer(.max, .degrees)],
        at: Double(step),
        arrival: Double(step), attitude: nil, position: (x: Double(step * 10), y: -1e300))
      monitor.record("event \(step) \u{1B}[2J")
    }
    for width in [0, 1, 23, 24, 59, 60, 61, 100, 400] {
      for height in [0, 1, 5, 6, 7, 12, 50, 300] {
        let canvas = monitor.draw(width: width, height: height, now: 3_000)
        #expect(canvas.width == width && canvas.height == height)
      }
    }
    #expect(monitor.events.count == 100)
  }

  @Test func itIsAPanelThatEndsAtQ() {
    var monitor = monitor()
    monitor.resize(width: 60, height: 8)
    #expect(monitor.draw(at: .seconds(1)).text(row: 7) == "q quits")
    for key in [TerminalInput.Key.escape, .enter, .up, .character("x"), .character(" ")] {
      #expect(monitor.handle(.key(key), at: .zero) == .continues)
    }
    #expect(monitor.handle(.mouse(.press, column: 0, row: 0), at: .zero) == .continues)
    for key in ["q", "Q"] as [Unicode.Scalar] {
      #expect(monitor.handle(.key(.character(key)), at: .zero) == .cancelled)
    }
  }

  @Test func theRateIsMeasured() {
    var monitor = monitor()
    #expect(monitor.rate(at: 0) == nil)
    for step in 0..<100 {
      monitor.append([], at: Double(step) / 10, arrival: Double(step) / 10, attitude: nil, position: nil)
    }
    #expect(abs((monitor.rate(at: 9.9) ?? 0) - 10) < 0.01)
    #expect(monitor.rate(at: 20) == 0)
  }

  /// At 0.4 Hz, two seconds seldom contain two samples.
  @Test func aSlowRateIsMeasured() {
    var monitor = Monitor(columns: [Column("yaw", .degrees)], rate: 0.4)
    for step in 0..<5 {
      monitor.append([], at: 2.5 * Double(step), arrival: 2.5 * Double(step), attitude: nil, position: nil)
    }
    for time in [10, 11.2, 12.4] { #expect(abs((monitor.rate(at: time) ?? 0) - 0.4) < 0.01) }
    #expect(monitor.rate(at: 30) == 0)
  }

  @Test func samplesOfOnePacketHaveNoRate() {
    var monitor = monitor()
    for _ in 0..<2 { monitor.append([], at: 0, arrival: 1, attitude: nil, position: nil) }
    #expect(monitor.rate(at: 1.01) == nil)
    monitor.append([], at: 0.1, arrival: 1.1, attitude: nil, position: nil)
    #expect(abs((monitor.rate(at: 1.1) ?? 0) - 20) < 0.01)
  }
}
