// The view of the page as JSON; Docs/Page.md lists its members.

import SpheroControls
import SpheroDrawing
import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

extension Page {
  /// The members of the view: all that the page draws, except the path.
  private var members: [Field] {
    [
      Field("link", .text(shownState.rawValue)), Field("status", status),
      Field("name", .text(robot.name)),
      Field("battery", batteryView),
      Field("stick", stickView),
      Field("motion", motionView),
      Field(
        "aim",
        .record([
          Field("is_active", .flag(aiming.isActive)),
          Field("heading", .decimal(aiming.ring.heading?.degrees(digits: 1), digits: 1)),
          Field("turn", .decimal(aiming.isActive ? aiming.turn : nil, digits: 1)),
          Field("is_twisted", .flag(aiming.isActive && aiming.twist?.hasBegun == true)),
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
          Field("count", .count(robot.collisions.count)),
          Field("time", .seconds(robot.collisions.last.map { _ in robot.collisions.time })),
          Field("direction", .decimal(robot.collisions.last?.direction?.degrees(digits: 0), digits: 0)),
          Field("marks", .list(robot.marks.map { .list($0.fields) })),
        ])),
      Field("walls", walls),
      Field(
        "recording",
        .record([
          Field("is_on", .flag(recording.isOn)),
          Field("seconds", .seconds(recording.latest - recording.start, digits: 1)),
          Field("bytes", .count(recording.byteCount)), Field("samples", .count(recording.sampleCount)),
        ])),
    ]
  }

  /// The whole view, or with the word `changes` the members that have changed since the last request for changes.
  mutating func viewText(_ words: inout CommandParser) throws(PageError) -> [UInt8] {
    let isChanges = words.skip("changes")
    try words.end {}
    return isChanges ? viewChanges.take(members) : Self.json(.record(members))
  }

  /// The shown state: a connection without a stream is live although no samples arrive.
  private var shownState: ConnectionState {
    connection == .silent && stream.request == nil ? .live : connection
  }

  private var status: FieldValue {
    shownState.view(
      sampleAge: stream.lastSample.map { now - $0 }, answerAge: robot.lastHeard.map { now - $0 })
  }

  /// The status of the connection, or with the word `failed` the status of a page whose WebAssembly module has failed.
  func describeStatus(_ words: inout CommandParser) throws(PageError) -> [UInt8] {
    let hasFailed = words.skip("failed")
    try words.end {}
    return Self.json(hasFailed ? ConnectionState.failed.view() : status)
  }

  private var batteryView: FieldValue {
    guard let battery = robot.battery else { return .missing }
    let summary = battery.summary
    return .record([
      Field("text", .text(summary.text)), Field("volts", .decimal(battery.voltage, digits: 2)),
      Field("state", .text(battery.state.description)), Field("weight", .text(summary.severity.rawValue)),
    ])
  }

  private var stickView: FieldValue {
    .record([
      // The y axis of a `Point` points downward, that of the page upward.
      Field("x", .decimal(stick.point.x, digits: 3)), Field("y", .decimal(-stick.point.y, digits: 3)),
      Field("speed", .decimal(stick.speed, digits: 3)), Field("is_held", .flag(stick.isHeld)),
    ])
  }

  private var motionView: FieldValue {
    guard let odometry = robot.odometry else { return .missing }
    return Self.view(heading: odometry.heading, speed: odometry.speed, position: odometry.position)
  }

  /// A motion over the floor, whose speed is in cm/s.
  static func view(heading: Heading?, speed: Double?, position: Position?) -> FieldValue {
    .record([
      Field("heading", .decimal(heading?.degrees(digits: 1), digits: 1)),
      Field("speed", .decimal(speed, digits: 1)),
      Field("x", .decimal(position?.x, digits: 1)), Field("y", .decimal(position?.y, digits: 1)),
    ])
  }

  private var colorView: FieldValue {
    let (marker, color) = (light.wheel.marker, light.color)
    return .record([
      Field("text", .text(color.description)), Field("red", .count(Int(color.red))),
      Field("green", .count(Int(color.green))), Field("blue", .count(Int(color.blue))),
      Field("previous", .text(light.previous?.description)),
      Field("current", .text(light.current?.description)),
      Field("x", .decimal(marker.x, digits: 3)), Field("y", .decimal(-marker.y, digits: 3)),
      Field("brightness", .decimal(light.wheel.hsb.brightness, digits: 3)),
      Field("visible", .text((light.visible ?? color).description)),
      Field("tail", .decimal(light.tail, digits: 3)),
    ])
  }

  /// An attitude as Euler angles in degrees, and as the drawing of a ball with rings and marks.
  static func view(of attitude: Rotation?) -> FieldValue {
    guard let attitude else { return .missing }
    let ball = AttitudeBall(attitude)
    let angles = Convention.sphero.pitchRollYaw(of: attitude)
    func lines(_ ring: AttitudeBall.Ring) -> FieldValue {
      .list(ball.lines.filter { $0.ring == ring }.map { .list($0.points.map { .point($0, digits: 3) }) })
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

  private var streamView: FieldValue {
    let statistics = conversation?.statistics
    let roundTrip = statistics?.roundTrip.median
    return .record([
      Field("hertz", .decimal(stream.rate, digits: 2)),
      Field("rate", .decimal(monitor.rate(at: now / .seconds(1)), digits: 1)),
      Field("samples", .count(stream.sampleCount)), Field("lost", .count(statistics?.lostFrames ?? 0)),
      Field("renewals", .count(statistics?.renewals ?? 0)),
      Field("reconnections", .count(statistics?.reconnections ?? 0)),
      Field("round_trip", .seconds(roundTrip, digits: 4)),
      Field("bytes", .count(statistics?.bytesReceived ?? 0)),
      Field("sample_age", .seconds(stream.lastSample.map { now - $0 }, digits: 1)),
      Field("answer_age", .seconds(robot.lastHeard.map { now - $0 }, digits: 1)),
    ])
  }

  /// The sensor lanes of the stream as JSON: the columns that share a picture, without the time.
  var laneList: [UInt8] {
    let columns = stream.columns.columns.enumerated().dropFirst().map {
      (index: $0.offset, column: $0.element)
    }
    return Self.json(.list(SensorLane.lanes(of: columns).map { $0.view }))
  }

  /// The colour wheel at full brightness, as RGBA pixels of a square in row-major order.
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
        // Antialiases the rim.
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

/// The members of the view that the page has read.
struct ViewChanges: Sendable {
  /// The members as JSON, in their order.
  private var members: [[UInt8]] = []

  /// Returns an object with the members that differ from those of the last call; at first, all.
  mutating func take(_ fields: [Field]) -> [UInt8] {
    let former = members
    members = fields.map { field in
      var member: [UInt8] = []
      JSON.append(key: field.name, to: &member)
      JSON.append(field.value, to: &member)
      return member
    }
    let changed = members.indices.filter { former.isEmpty || members[$0] != former[$0] }
    return Array("{".utf8) + changed.map { members[$0] }.joined(separator: ",".utf8) + "}".utf8
  }
}

extension FieldValue {
  static func point(_ point: Point, digits: Int) -> FieldValue {
    .list([.decimal(point.x, digits: digits), .decimal(point.y, digits: digits)])
  }
}
