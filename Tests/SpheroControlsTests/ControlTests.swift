// The controls beyond the tables: inverses, boundary values, and the defects of the vendors' code.
import SpheroControls
import SpheroOrientation
import TestSupport
import Testing

@Suite(.ownThread) struct ControlTests {
  @Test func wholeDegreesNeverReach360() throws {
    for tenth in -7200...7200 {
      let heading = try #require(Heading(degrees: Double(tenth) / 10))
      let expected = ((tenth + 5) % 3600 + 3600) % 3600 / 10
      #expect(Int(heading.wholeDegrees) == expected, "\(tenth) tenths")
    }
  }

  @Test(arguments: [0, 0.3, 0.7, 1], [0, 0.1, 0.2])
  func responseCurveHasAnInverse(exponential: Double, deadZone: Double) {
    let curve = ResponseCurve(deadZone: deadZone, exponential: exponential)
    var last = -1.0
    for step in -1000...1000 {
      let way = Double(step) / 1000
      let effect = curve.response(to: way)
      #expect(effect >= last, "grows at \(way)")
      #expect(effect == -curve.response(to: -way), "odd at \(way)")
      #expect(agree(curve.response(to: curve.deflection(for: effect)), effect), "inverse at \(way)")
      last = effect
    }
    #expect(curve.response(to: 1) == 1)
    #expect(curve.deflection(for: 1) == 1)
    #expect(curve.response(to: deadZone) == 0)
  }

  @Test func responseCurveInvertsSmallResponses() {
    for exponential in [0, 1e-300, 1e-9, 0.5, 0.999_999, 1] {
      let curve = ResponseCurve(exponential: exponential)
      for exponent in 0...90 {
        var effect = 1.0
        for _ in 0..<exponent { effect /= 10 }
        #expect(agree(curve.response(to: curve.deflection(for: effect)), effect), "\(exponential) \(effect)")
      }
    }
  }

  @Test func puckIsTheInverseOfTheDrive() throws {
    let pad = try #require(Pad(x: 40, y: -30, width: 300, height: 200))
    let curve = ResponseCurve(deadZone: 0.1, exponential: 0.6)
    let joystick = Joystick(pad: pad, velocityScale: 0.35, correctionAngle: -725, response: curve)
    for x in stride(from: 0.0, through: 400, by: 7) {
      for y in stride(from: -80.0, through: 220, by: 7) {
        let finger = Point(x: x, y: y)
        let deflection = try #require(pad.deflection(at: finger))
        let puck = joystick.puck(for: joystick.drive(at: finger))
        let expected = deflection.magnitude > 0.1 ? pad.clamped(finger) : pad.center
        #expect(agree(puck.x, expected.x, scale: 300), "\(finger)")
        #expect(agree(puck.y, expected.y, scale: 300), "\(finger)")
      }
    }
  }

  @Test func velocityScaleZeroCentersThePuck() throws {
    let pad = try #require(Pad(width: 200, height: 200))
    let joystick = Joystick(pad: pad, velocityScale: 0)
    #expect(joystick.drive(at: Point(x: 200, y: 100)) == .stop)
    #expect(joystick.puck(for: Drive(heading: .ahead, speed: 1)) == pad.center)
  }

  @Test func rimHasTheExactSpeed() throws {
    let pad = try #require(Pad(width: 200, height: 200))
    let joystick = Joystick(pad: pad, velocityScale: 0.5)
    for x in stride(from: -500.0, through: 700, by: 13) {
      // 127.5 rounds up: a rim of 0.999… would give 127.
      #expect(joystick.drive(at: Point(x: x, y: -10)).speedByte == 128)
    }
  }

  @Test func centerHasOneDirectionForAllSignsOfZero() throws {
    for x in [0.0, -0.0] {
      for y in [0.0, -0.0] {
        let push = try #require(Deflection(x: x, y: y))
        #expect(push.heading == .ahead)
        #expect(push.hue == 0)
      }
    }
  }

  @Test func puckIsClampedToTheRim() throws {
    let pad = try #require(Pad(width: 200, height: 200))
    let corner = pad.clamped(Point(x: 500, y: -300))
    let dx = corner.x - 100
    let dy = corner.y - 100
    #expect(agree((dx * dx + dy * dy).squareRoot(), 100))
    #expect(agree(dx, -dy))
    let inside = Point(x: 130, y: 80)
    #expect(pad.clamped(inside) == inside)
  }

  @Test func headingIsHeldWhileTheRobotStands() throws {
    let right = try #require(Heading(degrees: 90.4))
    var hold = HeadingHold()
    #expect(hold.command(for: .stop) == hold.command(for: .stop))
    let rolling = hold.command(for: Drive(heading: right, speed: 1))
    #expect((rolling.heading, rolling.speed) == (90, 255))
    let stopped = hold.command(for: .stop)
    #expect((stopped.heading, stopped.speed) == (90, 0))
    let crawling = hold.command(for: Drive(heading: .ahead, speed: 0.001))
    #expect((crawling.heading, crawling.speed) == (90, 0), "too slow for the wire is a stop")
    let turning = hold.command(for: Drive(heading: .ahead, speed: 0))
    #expect((turning.heading, turning.speed) == (0, 0), "a heading at speed 0 turns on the spot")
  }

  @Test func theSamePositionHasNoDirection() {
    for (x, y) in [(0.0, 0.0), (0, -0.0), (-7.5, 3)] {
      let place = Position(x: x, y: y)
      #expect(place.heading(to: place) == nil && place.distance(to: place) == 0)
    }
  }

  @Test func releaseKeepsTheHeading() throws {
    let pad = try #require(Pad(x: 20, y: 20, width: 200, height: 200))
    let joystick = Joystick(pad: pad, velocityScale: 0.6, response: ResponseCurve(deadZone: 0.1))
    var hold = HeadingHold()
    let rolling = hold.command(for: joystick.drive(at: Point(x: 220, y: 120)))
    #expect((rolling.heading, rolling.speed) == (90, 153))
    let released = hold.command(for: .stop)
    #expect((released.heading, released.speed) == (90, 0))
  }

  @Test func tiltDrivesTowardsTheLoweredEdge() throws {
    let directions: [(TiltDrive.Edge, Point)] = [
      (.top, Point(x: 0, y: 1)), (.right, Point(x: 1, y: 0)), (.bottom, Point(x: 0, y: -1)),
      (.left, Point(x: -1, y: 0)),
    ]
    for (edge, lowered) in directions {
      // The far edge is lowered by 10 of 20 degrees.
      let tilt = TiltDrive(farEdge: edge, maximumTilt: 20, velocityScale: 1)
      let part = 0.173_648_177_666_930_33  // sin 10°
      let drive = tilt.drive(gravityX: lowered.x * part, y: lowered.y * part, z: -0.98)
      #expect(agreeAround(try #require(drive.heading).degrees, 0))
      #expect(agree(drive.speed, 0.5))
      // The right edge is a quarter turn clockwise from the far edge.
      let aside = tilt.drive(gravityX: lowered.y * part, y: -lowered.x * part, z: -0.98)
      #expect(agreeAround(try #require(aside.heading).degrees, 90))
    }
  }

  @Test func tiltIsRelativeToTheNeutralTilt() throws {
    let tilt = TiltDrive(maximumTilt: 30, neutralTilt: 30, velocityScale: 1)
    // The top edge is raised by 30 degrees.
    let resting = tilt.drive(gravityX: 0, y: -0.5, z: -0.866_025_403_784_438_6)
    #expect(resting.speed < 1e-15)
    let level = tilt.drive(gravityX: 0, y: 0, z: -1)
    #expect(agree(level.speed, 1))
    #expect(try #require(level.heading).wholeDegrees == 0)
  }

  @Test func radioControlIsIndependentOfTheCallRate() throws {
    var slowPhone = RadioControl(maximumTurnRate: 90, velocityScale: 1)
    var fastPhone = slowPhone
    let levers = Levers(gas: 0.5, steer: -1)
    for _ in 0..<10 { _ = slowPhone.drive(levers, elapsed: 0.1) }
    for _ in 0..<100 { _ = fastPhone.drive(levers, elapsed: 0.01) }
    #expect(agreeAround(slowPhone.heading.degrees, 270))
    #expect(agreeAround(fastPhone.heading.degrees, 270))
    #expect(fastPhone.drive(Levers(gas: 0, steer: 0), elapsed: 0.01) == .stop)
  }

  @Test func steeringWheelWorksWithEitherEdgeDown() {
    let wheel = SteeringWheel(maximumSteer: 60, maximumLean: 30)
    #expect(wheel.levers(gravityX: 1, y: 0, z: 0) == Levers(gas: 0, steer: 0))
    #expect(wheel.levers(gravityX: -1, y: 0, z: 0) == Levers(gas: 0, steer: 0))
    // A rotation of 30° clockwise, with the right edge down and with the left edge down.
    let (cosine, sine) = (0.866_025_403_784_438_6, 0.5)
    #expect(agree(wheel.levers(gravityX: cosine, y: sine, z: 0).steer, 0.5))
    #expect(agree(wheel.levers(gravityX: -cosine, y: -sine, z: 0).steer, 0.5))
    #expect(agree(wheel.levers(gravityX: cosine, y: -sine, z: 0).steer, -0.5))
    #expect(agree(wheel.levers(gravityX: cosine, y: 0, z: -sine).gas, 1))
    #expect(wheel.levers(gravityX: cosine, y: 0, z: sine).gas == 0)
  }
}
