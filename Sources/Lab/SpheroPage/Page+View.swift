// The view of the page as JSON; Docs/Page.md lists its members.

import SpheroControls
import SpheroDrawing
import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

extension Page {
  /// Everything that the page draws except the path.
  var view: [UInt8] {
    Self.json(
      .record([
        Field("link", .text(link != .open ? link.rawValue : isLive ? "live" : "silent")),
        Field("name", .text(name)),
        Field("battery", batteryView),
        Field("stick", stickView),
        Field("motion", motionView),
        Field(
          "aim",
          .record([
            Field("is_active", .flag(ring.isActive)),
            Field("heading", .decimal(ring.heading?.degrees, digits: 1)),
            Field("turn", .decimal(ring.isActive ? ringTurn : nil, digits: 1)),
            Field("is_twisted", .flag(ring.isActive && twist?.hasBegun == true)),
          ])),
        Field("tilt", .record([Field("is_on", .flag(tilt != nil))])),
        Field("color", colorView),
        Field("screen", measurements.screen?.view ?? .missing),
        Field("calibration", calibrationView), Field("game", gameView),
        Field("guidance", guidanceView), Field("program", programView),
        Field("attitude", Self.view(of: monitor.attitude)),
        Field("stream", streamView),
        Field(
          "collisions",
          .record([
            Field("count", .count(collisions.count)),
            Field("time", .seconds(collisions.last.map { _ in collisions.time })),
            Field("direction", .decimal(collisions.last?.direction?.degrees, digits: 0)),
          ])),
        Field(
          "recording",
          .record([
            Field("is_on", .flag(recording.isOn)),
            Field("seconds", .seconds(recording.latest - recording.start, digits: 1)),
            Field("bytes", .count(recording.byteCount)), Field("samples", .count(recording.sampleCount)),
          ])),
      ]))
  }

  private var isLive: Bool { monitor.link == .live || request == nil }

  private var batteryView: FieldValue {
    guard let battery, let summary = monitor.battery else { return .missing }
    return .record([
      Field("text", .text(summary.text)), Field("volts", .decimal(battery.voltage, digits: 2)),
      Field("state", .text(battery.state.description)), Field("weight", .text(summary.weight.rawValue)),
    ])
  }

  private var stickView: FieldValue {
    .record([
      // The y axis of the page points upward.
      Field("x", .decimal(stick.point.x, digits: 3)), Field("y", .decimal(-stick.point.y, digits: 3)),
      Field("speed", .decimal(stick.speed, digits: 3)), Field("is_held", .flag(stick.end != nil)),
    ])
  }

  private var motionView: FieldValue {
    guard let odometry else { return .missing }
    return .record([
      Field("heading", .decimal(odometry.heading.degrees, digits: 1)),
      Field("speed", .decimal(odometry.speed, digits: 1)),
      Field("x", .decimal(odometry.position.x, digits: 1)),
      Field("y", .decimal(odometry.position.y, digits: 1)),
    ])
  }

  private var colorView: FieldValue {
    let marker = wheel.marker
    let color = wheel.color
    return .record([
      Field("text", .text(color.description)), Field("red", .count(Int(color.red))),
      Field("green", .count(Int(color.green))), Field("blue", .count(Int(color.blue))),
      Field("previous", .text(preview.previous?.description)),
      Field("current", .text(preview.current?.description)),
      Field("x", .decimal(marker.x, digits: 3)), Field("y", .decimal(-marker.y, digits: 3)),
      Field("brightness", .decimal(wheel.hsb.brightness, digits: 3)),
    ])
  }

  /// An attitude as angles and as the rings and marks of a ball.
  static func view(of attitude: Rotation?) -> FieldValue {
    guard let attitude else { return .missing }
    let ball = AttitudeBall(attitude)
    let angles = Convention.sphero.pitchRollYaw(of: attitude)
    func lines(_ ring: AttitudeBall.Ring) -> FieldValue {
      .list(ball.lines.filter { $0.ring == ring }.map { .list($0.points.map(Self.point)) })
    }
    func mark(_ mark: AttitudeBall.Projection) -> FieldValue {
      .list([
        .decimal(mark.point.x, digits: 3), .decimal(mark.point.y, digits: 3), .flag(mark.isVisible),
      ])
    }
    return .record([
      Field("pitch", .decimal(angles.pitch.degrees, digits: 1)),
      Field("roll", .decimal(angles.roll.degrees, digits: 1)),
      Field("yaw", .decimal(angles.yaw.degrees, digits: 1)),
      Field("horizontal", lines(.horizontal)), Field("vertical", lines(.vertical)),
      Field("nose", mark(ball.nose)), Field("tail", mark(ball.tail)), Field("top", mark(ball.top)),
    ])
  }

  private static func point(_ point: Point) -> FieldValue {
    .list([.decimal(point.x, digits: 3), .decimal(point.y, digits: 3)])
  }

  private var streamView: FieldValue {
    let statistics = conversation?.statistics
    let roundTrip = statistics?.roundTrip.median
    return .record([
      Field("hertz", .decimal(request.map { 400 / Double($0.divisor) }, digits: 2)),
      Field("rate", .decimal(monitor.rate(at: now / .seconds(1)), digits: 1)),
      Field("samples", .count(sampleCount)), Field("lost", .count(statistics?.lostFrames ?? 0)),
      Field("renewals", .count(statistics?.renewals ?? 0)),
      Field("reconnections", .count(statistics?.reconnections ?? 0)),
      Field("round_trip", .seconds(roundTrip, digits: 4)),
      Field("bytes", .count(statistics?.bytesReceived ?? 0)),
      Field("sample_age", .seconds(lastSample.map { now - $0 }, digits: 1)),
      Field("answer_age", .seconds(lastHeard.map { now - $0 }, digits: 1)),
    ])
  }

  var path: [UInt8] {
    let points: [FieldValue] = monitor.trail.line.map { point in
      .list([
        .decimal(point.x, digits: 1), .decimal(point.y, digits: 1),
        .text(point.color.map { $0.description }),
      ])
    }
    return Self.json(.list(points))
  }

  var columnList: [UInt8] {
    let ending = "_filtered"
    let fields: [FieldValue] = columns.columns.dropFirst().map { column in
      let raw = column.name.hasSuffix(ending) ? String(column.name.dropLast(ending.count)) : nil
      return .record(Self.description(of: column) + (raw.map { [Field("of", .text($0))] } ?? []))
    }
    return Self.json(.list(fields))
  }

  static func description(of column: Column) -> [Field] {
    [
      Field("name", .text(column.name)),
      // A symbol may begin with the blank between number and unit.
      Field("unit", .text(String("\(column.unit.symbol)".drop { $0 == " " }))),
      Field("limit", .decimal(Monitor.minimumLimit(column.unit), digits: 0)),
    ]
  }

  /// The colour wheel at full brightness as RGBA pixels in row-major order.
  static func disc(side: Int) -> [UInt8] {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(side * side * 4)
    let middle = Double(side) / 2
    for row in 0..<side {
      for column in 0..<side {
        let (x, y) = ((Double(column) + 0.5 - middle) / middle, (middle - Double(row) - 0.5) / middle)
        let radius = (x * x + y * y).squareRoot()
        guard let deflection = Deflection(x: x, y: y), radius <= 1 + 1 / middle,
          let hsb = HSB(hue: deflection.hue, saturation: deflection.magnitude, brightness: 1)
        else {
          pixels += [0, 0, 0, 0]
          continue
        }
        let color = RGB(hsb)
        // Antialiasing of the rim.
        let opacity = min(max((1 - radius) * middle + 0.5, 0), 1)
        pixels += [color.red, color.green, color.blue, UInt8(opacity * 255)]
      }
    }
    return pixels
  }

  static func json(_ value: FieldValue) -> [UInt8] {
    var bytes: [UInt8] = []
    JSON.append(value, to: &bytes)
    return bytes
  }
}
