// Every result is finite and in its range for any input.
import SpheroControls
import SpheroOrientation
import TestSupport
import Testing

@Suite(.ownThread) struct PropertyTests {
  static let seeds: [UInt64] = Array(1...8)
  static let rounds = 2000

  func isPlausible(_ drive: Drive) -> Bool {
    (0...1).contains(drive.speed) && drive.heading.map(isPlausible) ?? true
  }

  func isPlausible(_ heading: Heading) -> Bool {
    (0..<360).contains(heading.degrees) && heading.wholeDegrees < 360
  }

  func isFinite(_ point: Point) -> Bool { point.x.isFinite && point.y.isFinite }

  @Test(arguments: seeds)
  func pads(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func any() -> Double { extremeNumber(using: &generator) }
    var made = 0
    for _ in 0..<Self.rounds {
      let unusual = Pad(x: any(), y: any(), width: any(), height: any())
      if unusual != nil { made += 1 }
      let pad = try #require(unusual ?? Pad(width: 200, height: 100))
      let curve = ResponseCurve(deadZone: any(), exponential: any())
      let joystick = Joystick(pad: pad, velocityScale: any(), correctionAngle: any(), response: curve)
      let point = Point(x: any(), y: any())
      let drive = joystick.drive(at: point)
      #expect(isPlausible(drive), "seed \(seed): \(joystick) \(point)")
      #expect((drive.heading == nil) == (drive.speed == 0), "seed \(seed): \(joystick) \(point)")
      let heading = Heading(degrees: any())
      let asked = Drive(heading: heading, speed: any())
      #expect(isPlausible(asked), "seed \(seed)")
      for puck in [joystick.puck(for: drive), joystick.puck(for: asked), pad.clamped(point)] {
        #expect(isFinite(puck), "seed \(seed): \(joystick) \(point)")
      }
      var wheel = ColorWheel(pad: pad)
      wheel.pick(at: point)
      wheel.setBrightness(any())
      #expect(isFinite(wheel.marker), "seed \(seed): \(pad) \(point)")
      let color = wheel.hsb
      #expect((0..<360).contains(color.hue) && (0...1).contains(color.saturation), "seed \(seed)")
      #expect((0...1).contains(color.brightness), "seed \(seed)")
    }
    #expect(made > 50, "seed \(seed): too few pads to mean anything")
  }

  @Test(arguments: seeds)
  func deflectionsAndCurves(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func any() -> Double { extremeNumber(using: &generator) }
    for _ in 0..<Self.rounds {
      let (x, y) = (any(), any())
      if let push = Deflection(x: x, y: y) {
        #expect((0...1).contains(push.magnitude), "seed \(seed): \(x) \(y)")
        #expect(abs(push.x) <= 1 && abs(push.y) <= 1, "seed \(seed): \(x) \(y)")
        #expect(isPlausible(push.heading) && (0..<360).contains(push.hue), "seed \(seed): \(x) \(y)")
      } else {
        #expect(!x.isFinite || !y.isFinite, "seed \(seed): \(x) \(y)")
      }
      let curve = ResponseCurve(deadZone: any(), exponential: any())
      #expect((-1...1).contains(curve.response(to: x)), "seed \(seed): \(curve) \(x)")
      #expect((-1...1).contains(curve.deflection(for: x)), "seed \(seed): \(curve) \(x)")
    }
  }

  @Test(arguments: seeds)
  func headingsAndAims(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func any() -> Double { extremeNumber(using: &generator) }
    for _ in 0..<Self.rounds {
      let (a, b) = (any(), any())
      if let first = Heading(degrees: a), let second = Heading(degrees: b) {
        #expect(isPlausible(first) && isPlausible(second), "seed \(seed): \(a) \(b)")
        let turn = first.turn(to: second).degrees
        #expect(turn > -180 && turn <= 180, "seed \(seed): \(a) \(b)")
        let turned = first.turned(by: Angle(degrees: turn)).map { agreeAround($0.degrees, second.degrees) }
        #expect(turned == true, "seed \(seed): \(a) \(b)")
        #expect(first.turned(by: Angle(degrees: b)).map(isPlausible) == true, "seed \(seed): \(a) \(b)")
        var hold = HeadingHold(heading: first)
        #expect(hold.command(for: Drive(heading: second, speed: any())).heading < 360, "seed \(seed)")
      }
      let (start, end) = (Position(x: a, y: b), Position(x: any(), y: any()))
      #expect(start.heading(to: end).map(isPlausible) != false, "seed \(seed): \(start) \(end)")
      if let color = HSB(hue: a, saturation: b, brightness: any()) {
        let parts = color.components
        for part in [parts.red, parts.green, parts.blue] {
          #expect((0...1).contains(part), "seed \(seed): \(color)")
        }
        _ = RGB(color)
      }
    }
  }

  @Test(arguments: seeds)
  func tiltAndSteering(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func any() -> Double { extremeNumber(using: &generator) }
    var radio = RadioControl()
    for _ in 0..<Self.rounds {
      for edge in TiltDrive.Edge.allCases {
        let curve = ResponseCurve(deadZone: any(), exponential: any())
        let tilt = TiltDrive(
          farEdge: edge, maximumTilt: any(), neutralTilt: any(), velocityScale: any(), response: curve)
        let drives = [
          tilt.drive(specificForceX: any(), y: any(), z: any()),
          tilt.drive(gravityX: any(), y: any(), z: any()),
        ]
        for drive in drives {
          #expect(isPlausible(drive), "seed \(seed): \(tilt)")
          #expect((drive.heading == nil) == (drive.speed == 0), "seed \(seed): \(tilt)")
        }
      }
      let wheel = SteeringWheel(maximumSteer: any(), maximumLean: any())
      let held = wheel.levers(gravityX: any(), y: any(), z: any())
      radio.maximumTurnRate = any()
      radio.velocityScale = any()
      radio.response = ResponseCurve(deadZone: any(), exponential: any())
      for levers in [held, Levers(gas: any(), steer: any())] {
        #expect((0...1).contains(levers.gas) && (-1...1).contains(levers.steer), "seed \(seed): \(wheel)")
        #expect(isPlausible(radio.drive(levers, elapsed: any())), "seed \(seed): \(radio)")
        #expect(isPlausible(radio.heading), "seed \(seed): \(radio)")
      }
    }
  }

  @Test(arguments: seeds)
  func balls(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func any() -> Double { extremeNumber(using: &generator) }
    for _ in 0..<Self.rounds / 10 {
      let usual = BallBalance(viewSize: Point(x: 320, y: 480), accelerationPerG: 1e300)
      let unusual = BallBalance(
        viewSize: Point(x: any(), y: any()), ballSize: Point(x: any(), y: any()), accelerationPerG: any())
      var ball = try #require(unusual ?? usual)
      var time = 0.0
      for _ in 0..<20 {
        time += 0.03
        let isRegular = generator.next() % 4 != 0
        ball.update(accelerationX: any(), accelerationY: any(), timestamp: isRegular ? time : any())
        #expect(isFinite(ball.position) && isFinite(ball.velocity), "seed \(seed): \(ball)")
      }
    }
  }
}
