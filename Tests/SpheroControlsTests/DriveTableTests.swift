// The drive controls against every row of the table.
import SpheroControls
import SpheroOrientation
import TestSupport
import Testing

struct JoystickRow: Decodable, Sendable {
  let pad: [Double]
  let point: [Double]
  let velocityScale: Double
  let correctionAngleRad: Double
  let headingOnPadDeg: Double
  let angleDeg: Double
  let velocity: Double
  let puckBack: [Double]
  let headingInt: UInt16
  let speedByte: UInt8
}

struct TiltRow: Decodable, Sendable {
  let accelMs2: [Double]
  let maxTiltDeg: Double
  let headingDeg: Double
  let speed: Double
}

struct RadioRow: Decodable, Sendable {
  let gas: Double
  let steer: Double
  let headingDegAfter: Double
  let speed: Double
}

struct CurveRow: Decodable, Sendable {
  let x: Double
  let deadzone: Double
  let expo: Double
  let y: Double
}

struct AimRow: Decodable, Sendable {
  let fromCm: [Double]
  let toCm: [Double]
  /// Nil if both positions are equal.
  let headingDeg: Double?
  let headingInt: UInt16?
  let distanceCm: Double
}

struct HeadingRow: Decodable, Sendable {
  let angleDeg: Double
  let wrappedDeg: Double
  let rounded0359: UInt16
  let truncated0359: UInt16
}

struct TurnRow: Decodable, Sendable {
  let fromDeg: Double
  let toDeg: Double
  let turnDeg: Double
}

@Suite(.ownThread) struct DriveTableTests {
  @Test func everyKindOfRowIsTested() throws {
    #expect(
      try kinds(of: "drive") == [
        "joystick", "tilt_android_sdk_model", "rc_android_sdk_model", "deadzone_expo", "heading_to_point",
        "heading_int", "shortest_turn", "ball_balance_first_sample_guarded", "ball_balance_seed_verbatim",
      ])
  }

  @Test(arguments: try rows("joystick", of: "drive", as: JoystickRow.self))
  func joystick(row: JoystickRow) throws {
    // The origin of the bounds must have no effect.
    for origin in [Point(x: 0, y: 0), Point(x: -1000, y: 2000)] {
      let pad = try #require(Pad(x: origin.x, y: origin.y, width: row.pad[0], height: row.pad[1]))
      let point = Point(x: origin.x + row.point[0], y: origin.y + row.point[1])
      let joystick = Joystick(
        pad: pad, velocityScale: row.velocityScale, correctionAngle: row.correctionAngleRad * 180 / .pi)

      let deflection = try #require(pad.deflection(at: point))
      #expect(agreeAround(deflection.heading.degrees, row.headingOnPadDeg))
      let angle = try #require(deflection.heading.turned(by: Angle(degrees: -joystick.correctionAngle)))
      #expect(agreeAround(angle.degrees, row.angleDeg))
      #expect(angle.wholeDegrees == row.headingInt)

      let drive = joystick.drive(at: point)
      #expect(agree(drive.speed, row.velocity))
      #expect(drive.speedByte == row.speedByte)
      // The table has a heading for the centre; a drive without speed has none.
      #expect(drive.heading == (row.velocity > 0 ? angle : nil))

      let puck = joystick.puck(for: drive)
      #expect(agree(puck.x - origin.x, row.puckBack[0], scale: row.pad[0] + abs(origin.x)))
      #expect(agree(puck.y - origin.y, row.puckBack[1], scale: row.pad[1] + abs(origin.y)))
    }
  }

  @Test(arguments: try rows("tilt_android_sdk_model", of: "drive", as: TiltRow.self))
  func tilt(row: TiltRow) throws {
    let tilt = TiltDrive(farEdge: .right, maximumTilt: row.maxTiltDeg, velocityScale: 1)
    let (x, y, z) = (row.accelMs2[0], row.accelMs2[1], row.accelMs2[2])
    let android = tilt.drive(specificForceX: x, y: y, z: z)
    let apple = tilt.drive(gravityX: -x / 9.81, y: -y / 9.81, z: -z / 9.81)
    #expect(android == apple)
    #expect(agree(android.speed, row.speed))
    if row.speed > 0 {
      #expect(agreeAround(try #require(android.heading).degrees, row.headingDeg))
    } else {
      #expect(android == .stop)
    }
  }

  @Test func radioControl() throws {
    let table = try rows("rc_android_sdk_model", of: "drive", as: RadioRow.self)
    for row in table {
      // One call of the original corresponds to one second at 30 degrees per second.
      let before = try #require(Heading(degrees: row.headingDegAfter - 30 * row.steer))
      var radio = RadioControl(maximumTurnRate: 30, velocityScale: 1, heading: before)
      let drive = radio.drive(Levers(gas: row.gas, steer: row.steer), elapsed: 1)
      #expect(agreeAround(radio.heading.degrees, row.headingDegAfter))
      #expect(agree(drive.speed, row.speed))
      #expect(drive.heading == (row.gas == 0 && row.steer == 0 ? nil : radio.heading))
    }
    // Consecutive rows are one sequence of calls.
    var (radio, followers) = (RadioControl(maximumTurnRate: 30, velocityScale: 1), 0)
    for (before, row) in zip(table, table.dropFirst()) {
      guard agreeAround(before.headingDegAfter + 30 * row.steer, row.headingDegAfter) else {
        radio.heading = try #require(Heading(degrees: row.headingDegAfter))
        continue
      }
      if followers == 0 { radio.heading = try #require(Heading(degrees: before.headingDegAfter)) }
      followers += 1
      _ = radio.drive(Levers(gas: row.gas, steer: row.steer), elapsed: 1)
      #expect(agreeAround(radio.heading.degrees, row.headingDegAfter))
    }
    #expect(followers >= 3)
  }

  @Test(arguments: try rows("deadzone_expo", of: "drive", as: CurveRow.self))
  func responseCurve(row: CurveRow) {
    let curve = ResponseCurve(deadZone: row.deadzone, exponential: row.expo)
    // At the edge of the dead zone |x| - d cancels, and only x, of order 1, is accurate to 1e-12.
    #expect(agree(curve.response(to: row.x), row.y, scale: 1e-3))
    if row.y != 0 {
      let x = max(-1, min(1, row.x))
      #expect(agree(curve.deflection(for: curve.response(to: row.x)), x))
    }
  }

  @Test(arguments: try rows("heading_to_point", of: "drive", as: AimRow.self))
  func headingToPoint(row: AimRow) {
    let start = Position(x: row.fromCm[0], y: row.fromCm[1])
    let end = Position(x: row.toCm[0], y: row.toCm[1])
    let heading = start.heading(to: end)
    #expect((heading == nil) == (row.headingDeg == nil))
    if let heading, let degrees = row.headingDeg { #expect(agree(heading.degrees, degrees)) }
    #expect(heading?.wholeDegrees == row.headingInt)
    #expect(agree(start.distance(to: end), row.distanceCm))
  }

  @Test(arguments: try rows("heading_int", of: "drive", as: HeadingRow.self))
  func heading(row: HeadingRow) throws {
    let heading = try #require(Heading(degrees: row.angleDeg))
    #expect(agree(heading.degrees, row.wrappedDeg))
    #expect(heading.wholeDegrees == row.rounded0359)
    #expect(UInt16(heading.degrees) == row.truncated0359)
  }

  @Test(arguments: try rows("shortest_turn", of: "drive", as: TurnRow.self))
  func shortestTurn(row: TurnRow) throws {
    let start = try #require(Heading(degrees: row.fromDeg))
    let end = try #require(Heading(degrees: row.toDeg))
    #expect(start.turn(to: end) == Angle(degrees: row.turnDeg))
    #expect(start.turned(by: Angle(degrees: row.turnDeg)) == end)
  }
}
