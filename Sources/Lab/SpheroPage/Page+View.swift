// The view of the page as JSON; Docs/Page.md lists its members.

import SpheroControls
import SpheroDrawing
import SpheroHost
import SpheroMotion
import SpheroOrientation
package import SpheroProtocol

extension Page {
  /// All that the page draws, except the path.
  var view: FieldValue {
    [
      "link": .text(shownState.rawValue), "status": status, "name": .text(robot.name),
      "battery": batteryView, "stick": stickView, "motion": motionView,
      "aim": [
        "is_active": .flag(aiming.isActive),
        "heading": .decimal(aiming.ring.heading?.degrees(digits: 1), digits: 1),
        "turn": .decimal(aiming.isActive ? aiming.turn : nil, digits: 1),
        "is_twisted": .flag(aiming.isActive && aiming.twist?.hasBegun == true),
      ],
      "tilt": ["is_on": .flag(tilt != nil)], "color": colorView,
      "screen": measurements.screen?.view ?? .missing, "calibration": calibrationView, "game": gameView,
      "guidance": guidanceView, "program": programView, "attitude": Self.view(of: monitor.attitude),
      "stream": streamView, "collisions": collisionView, "walls": walls,
      "recording": [
        "is_on": .flag(recording.isOn),
        "seconds": .seconds(recording.latest - recording.start, digits: 1),
        "bytes": .count(recording.byteCount), "samples": .count(recording.sampleCount),
      ],
    ]
  }

  /// The shown state: a connection without a stream is live although no samples arrive.
  private var shownState: ConnectionState {
    connection == .silent && stream.request == nil ? .live : connection
  }

  var status: FieldValue {
    shownState.view(
      sampleAge: stream.lastSample.map { now - $0 }, answerAge: robot.lastHeard.map { now - $0 })
  }

  private var batteryView: FieldValue {
    guard let battery = robot.battery else { return .missing }
    let summary = battery.summary
    return [
      "text": .text(summary.text), "volts": .decimal(battery.voltage, digits: 2),
      "state": .text(battery.state.description), "weight": .text(summary.severity.rawValue),
    ]
  }

  private var collisionView: FieldValue {
    let (count, last, time) = robot.collisions
    return [
      "count": .count(count), "time": .seconds(last.map { _ in time }),
      "direction": .decimal(last?.direction?.degrees(digits: 0), digits: 0),
      "marks": .list(robot.marks.map { .list($0.fields) }),
    ]
  }

  private var stickView: FieldValue {
    [
      // The y axis of a `Point` points downward, that of the page upward.
      "x": .decimal(stick.point.x, digits: 3), "y": .decimal(-stick.point.y, digits: 3),
      "speed": .decimal(stick.speed, digits: 3), "is_held": .flag(stick.isHeld),
    ]
  }

  private var motionView: FieldValue {
    guard let odometry = robot.odometry else { return .missing }
    return Self.view(heading: odometry.heading, speed: odometry.speed, position: odometry.position)
  }

  /// A motion over the floor, whose speed is in cm/s.
  static func view(heading: Heading?, speed: Double?, position: Position?) -> FieldValue {
    [
      "heading": .decimal(heading?.degrees(digits: 1), digits: 1), "speed": .decimal(speed, digits: 1),
      "x": .decimal(position?.x, digits: 1), "y": .decimal(position?.y, digits: 1),
    ]
  }

  private var colorView: FieldValue {
    let (marker, color) = (light.picker.wheel.marker, light.picker.color)
    return [
      "text": .text(color.description),
      "red": .count(color.red), "green": .count(color.green), "blue": .count(color.blue),
      "previous": .text(light.previous?.description), "current": .text(light.current?.description),
      "x": .decimal(marker.x, digits: 3), "y": .decimal(-marker.y, digits: 3),
      "brightness": .decimal(light.picker.wheel.hsb.brightness, digits: 3),
      "visible": .text((light.visible ?? color).description),
      "tail": .decimal(light.tail, digits: 3),
    ]
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
    return [
      "pitch": .decimal(angles.pitch.degrees, digits: 1),
      "roll": .decimal(angles.roll.degrees, digits: 1),
      "yaw": .decimal(angles.yaw.degrees, digits: 1),
      "horizontal": lines(.horizontal), "vertical": lines(.vertical),
      "nose": mark(ball.nose), "tail": mark(ball.tail), "top": mark(ball.top),
    ]
  }

  private var streamView: FieldValue {
    let statistics = conversation?.statistics
    return [
      "hertz": .decimal(stream.rate, digits: 2),
      "rate": .decimal(monitor.rate(at: now / .seconds(1)), digits: 1),
      "samples": .count(stream.sampleCount), "lost": .count(statistics?.lostFrames ?? 0),
      "renewals": .count(statistics?.renewals ?? 0),
      "reconnections": .count(statistics?.reconnections ?? 0),
      "round_trip": .seconds(statistics?.roundTrip.median, digits: 4),
      "bytes": .count(statistics?.bytesReceived ?? 0),
      "sample_age": .seconds(stream.lastSample.map { now - $0 }, digits: 1),
      "answer_age": .seconds(robot.lastHeard.map { now - $0 }, digits: 1),
    ]
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

struct ViewChanges: Sendable {
  /// The members as JSON, in their order.
  private var members: [[UInt8]] = []

  /// Returns an object with the members that differ from those of the last call; at first, all.
  mutating func take(_ view: FieldValue) -> [UInt8] {
    guard case .record(let fields) = view else { return [] }
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

extension FieldValue: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral {
  package init(dictionaryLiteral elements: (String, FieldValue)...) {
    self = .record(elements.map { Field($0, $1) })
  }

  package init(stringLiteral text: String) { self = .text(text) }

  static func count(_ number: Int?) -> FieldValue { number.map { .integer(Int64($0), .count) } ?? .missing }

  static func point(_ point: Point, digits: Int) -> FieldValue {
    .list([.decimal(point.x, digits: digits), .decimal(point.y, digits: digits)])
  }
}
