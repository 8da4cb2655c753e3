// Limits and signs of the drive controls with default settings against numbers computed by hand.
import SpheroControls
import SpheroOrientation
import TestSupport
import Testing

@Suite(.ownThread) struct WitnessDriveTests {
  /// The defaults of 25 degrees of tilt and of 0.6 of full speed are the vendor's.
  @Test func limits() throws {
    let pad = try #require(Pad(width: 200, height: 100))
    let joystick = Joystick(pad: pad)
    #expect((joystick.velocityScale, joystick.correctionAngle, joystick.response) == (0.6, 0, .linear))
    #expect((ResponseCurve.linear.deadZone, ResponseCurve.linear.exponential) == (0, 0))
    let tilt = TiltDrive()
    #expect((tilt.farEdge, tilt.maximumTilt, tilt.neutralTilt) == (.top, 25, 0))
    #expect((tilt.velocityScale, tilt.response) == (0.6, .linear))
    let radio = RadioControl()
    #expect((radio.maximumTurnRate, radio.velocityScale) == (180, 0.6))
    #expect((radio.response, radio.heading.degrees) == (.linear, 0))
    let wheel = SteeringWheel()
    #expect((wheel.maximumSteer, wheel.maximumLean) == (60, 30))
    #expect(HeadingHold().heading.degrees == 0)
    #expect(Drive.stop.heading == nil && Drive.stop.speed == 0)
    #expect(BallBalance.maximumGap == 1)
    let ball = try #require(BallBalance(viewSize: Point(x: 320, y: 480)))
    #expect((ball.ballSize, ball.accelerationPerG) == (Point(x: 100, y: 100), 200))
    #expect((ball.position, ball.velocity) == (Point(x: 160, y: 240), Point(x: 0, y: 0)))
  }

  /// 0.3 to the right and 0.4 ahead of the centre is a magnitude of 0.5: atan2(0.3, 0.4) = 36.869898 degrees.
  @Test func joystick() throws {
    // The centre is (110, 70), the half sides 100 and 50.
    let pad = try #require(Pad(x: 10, y: 20, width: 200, height: 100))
    let finger = Point(x: 140, y: 50)
    let deflection = try #require(pad.deflection(at: finger))
    #expect(agree(deflection.x, 0.3) && agree(deflection.y, 0.4) && agree(deflection.magnitude, 0.5))
    var joystick = Joystick(pad: pad, velocityScale: 1)
    var drive = joystick.drive(at: finger)
    #expect(abs(try #require(drive.heading).degrees - 36.869897646) < 1e-8)
    #expect(agree(drive.speed, 0.5) && drive.speedByte == 128)
    joystick.correctionAngle = 20
    joystick.velocityScale = 0.6
    // 0.5 with a dead zone of 0.1 gives 4/9; 0.7 of it plus 0.3 of its cube is 0.337448560.
    joystick.response = ResponseCurve(deadZone: 0.1, exponential: 0.3)
    drive = joystick.drive(at: finger)
    #expect(abs(try #require(drive.heading).degrees - 16.869897646) < 1e-8)
    #expect(abs(drive.speed - 0.202469136) < 1e-9 && drive.speedByte == 52)
    let puck = joystick.puck(for: drive)
    #expect(agree(puck.x, 140, scale: 200) && agree(puck.y, 50, scale: 200))
  }

  /// A device whose far edge is lowered by 10 degrees and whose right edge by 5, for each far edge.
  ///
  /// sin 10 = 0.173648178, sin 5 = 0.087155743: heading atan2(right, far) = 26.652529,
  /// tilt asin(0.194295) = 11.203432, of 25 degrees 0.448137.
  @Test func tilt() throws {
    let (far, right) = (0.173648178, 0.087155743)
    // Gravity points to the lowered edges; x is to the right of the screen, y to its top.
    let table: [(edge: TiltDrive.Edge, x: Double, y: Double)] = [
      (.top, right, far), (.right, far, -right), (.bottom, -right, -far), (.left, -far, right),
    ]
    for row in table {
      let tilt = TiltDrive(farEdge: row.edge, velocityScale: 1)
      let drive = tilt.drive(gravityX: row.x, y: row.y, z: -0.98)
      #expect(abs(try #require(drive.heading).degrees - 26.652529) < 1e-5, "\(row.edge)")
      #expect(abs(drive.speed - 0.448137) < 1e-5, "\(row.edge)")
      // Android's reading has the opposite sign and is in m/s^2.
      let android = tilt.drive(specificForceX: -9.81 * row.x, y: -9.81 * row.y, z: 9.61)
      #expect(abs(try #require(android.heading).degrees - 26.652529) < 1e-5, "\(row.edge)")
      #expect(abs(android.speed - 0.448137) < 1e-5, "\(row.edge)")
    }
    // Lowered by 10 degrees from a neutral tilt of 20, the top is still raised by 10.
    let held = TiltDrive(neutralTilt: 20, velocityScale: 1)
    let drive = held.drive(gravityX: 0, y: -0.173648178, z: -0.984807753)
    #expect(try #require(drive.heading).degrees == 0)
    #expect(abs(drive.speed - 0.4) < 1e-8)
    let android = held.drive(specificForceX: 0, y: 9.81 * 0.173648178, z: 9.81 * 0.984807753)
    #expect(abs(android.speed - 0.4) < 1e-8)
    #expect(TiltDrive(velocityScale: 1).drive(gravityX: 0, y: 0.422618262, z: -0.9).speed > 0.999_999)
    #expect(TiltDrive(velocityScale: 1).drive(gravityX: 0, y: 0.406736643, z: -0.9).speed < 0.961)
  }

  /// Full steer for a quarter of a second is 45 degrees to the right; the speed is the square of the gas.
  @Test func radioControl() throws {
    var radio = RadioControl(velocityScale: 1)
    var drive = radio.drive(Levers(gas: 0.6, steer: 1), elapsed: 0.25)
    #expect(agreeAround(try #require(drive.heading).degrees, 45) && agree(drive.speed, 0.36))
    drive = radio.drive(Levers(gas: 0.5, steer: -0.5), elapsed: 1)
    #expect(agreeAround(try #require(drive.heading).degrees, 315) && agree(drive.speed, 0.25))
  }

  /// A rotation of 15 of 60 degrees clockwise and a lean of 6 of 30 degrees: levers at 0.25 and 0.2.
  @Test func steeringWheel() {
    // sin 6 = 0.104528463; cos 15 = 0.965925826 and sin 15 = 0.258819045, each by cos 6 = 0.994521895.
    let (x, y, z) = (0.960634392, 0.257401212, -0.104528463)
    for sign in [1.0, -1.0] {
      let levers = SteeringWheel().levers(gravityX: sign * x, y: sign * y, z: z)
      #expect(abs(levers.steer - 0.25) < 1e-8 && abs(levers.gas - 0.2) < 1e-8)
      let left = SteeringWheel().levers(gravityX: sign * x, y: -sign * y, z: z)
      #expect(abs(left.steer + 0.25) < 1e-8)
    }
    #expect(Levers(gas: 1.5, steer: -1.5).gas == 1 && Levers(gas: -1, steer: -1.5).steer == -1)
    #expect(Levers(gas: -1, steer: 0).gas == 0)
  }

  /// From (1, 2) to (4, -2): 3 to the right and 4 back are 5 cm at 180 - 36.869898 degrees.
  @Test func directionAndDistance() {
    let (start, end) = (Position(x: 1, y: 2), Position(x: 4, y: -2))
    #expect(abs((start.heading(to: end)?.degrees ?? 0) - 143.130102354) < 1e-8)
    #expect(agree(start.distance(to: end), 5))
  }

  /// The speeds on the wire: 255 times the fraction, rounded half up.
  @Test func bytes() {
    for (speed, byte) in [(0.0, 0), (0.1, 26), (0.25, 64), (0.5, 128), (0.75, 191), (0.998, 254), (1, 255)] {
      #expect(Drive(heading: nil, speed: speed).speedByte == UInt8(byte), "\(speed)")
    }
    #expect(Drive(heading: nil, speed: 7).speed == 1 && Drive(heading: nil, speed: -7).speed == 0)
  }

  /// A ring that begins at 350, turns by 25 clockwise, and then to 40 counter-clockwise of the beginning.
  @Test func calibrationRing() throws {
    func heading(_ degrees: Double) throws -> Heading { try #require(Heading(degrees: degrees)) }
    var ring = CalibrationRing()
    #expect(ring.begin(at: try heading(350)) == [.setTailLight(isOn: true)])
    #expect(ring.turn(by: 25) == [.rotate(to: try heading(15))])
    #expect(ring.turn(by: 0.4) == [], "within the same whole degree")
    #expect(ring.turn(by: 0.2) == [.rotate(to: try heading(15.6))])
    #expect(ring.turn(sinceBeginning: -40) == [.rotate(to: try heading(310))])
    #expect(ring.end() == [.setHeadingZero, .setTailLight(isOn: false)])
    #expect(ring.begin(at: try heading(77)) == [.setTailLight(isOn: true)])
    #expect(ring.turn(by: -80) == [.rotate(to: try heading(357))])
    #expect(ring.cancel() == [.rotate(to: try heading(77)), .setTailLight(isOn: false)])
  }

  /// 0.1 g to the right and 0.2 g up the screen for half a second: 10 and -20 points per second, then half of that in points.
  @Test func ball() throws {
    var ball = try #require(BallBalance(viewSize: Point(x: 320, y: 480)))
    ball.update(accelerationX: 9, accelerationY: 9, timestamp: 100)
    ball.update(accelerationX: 0.1, accelerationY: 0.2, timestamp: 100.5)
    #expect(agree(ball.velocity.x, 10) && agree(ball.velocity.y, -20))
    #expect(agree(ball.position.x, 165) && agree(ball.position.y, 230))
    // A gap of more than a second is not integrated.
    ball.update(accelerationX: 5, accelerationY: 5, timestamp: 101.6)
    #expect(agree(ball.position.x, 165) && agree(ball.position.y, 230))
    ball.update(accelerationX: 0, accelerationY: 0, timestamp: 102.6)
    #expect(agree(ball.position.x, 175) && agree(ball.position.y, 210))
  }
}
