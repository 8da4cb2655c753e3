// The user input of the page: joystick, gamepad, tilt, aiming, and colours.

import SpheroControls
import SpheroDrawing
import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

extension Page {
  static let response = ResponseCurve(deadZone: 0.1)

  /// A packet that stops the ball and requires no response; the page sends it if the module fails.
  static let halt: [UInt8] = {
    guard let stop = try? EncodedRequest(Motion.Roll.stop(on: 0)) else { return [] }
    let packet = CommandPacket(id: stop.command, options: .resetTimeout, sequence: 0, payload: stop.payload)
    return (try? Packet.command(packet).encoded()) ?? []
  }()

  // MARK: Joystick

  /// Pushes the joystick for its hold time; a pointer or a key takes precedence over the other inputs.
  mutating func push(to point: Point, by hand: Stick.Hand = .pointer) {
    let isFree = hand == .pointer || !stick.isHeld(by: .pointer)
    guard connection.isOpen, !aiming.isActive, isFree else { return }
    endGuidance(reporting: "the joystick has taken over")
    endRobotGame()
    stick.push(to: point, by: hand, at: now)
    steer()
  }

  /// Releases a joystick whose hold time has passed; a device or a gamepad drives again only after it was centred.
  mutating func expire() {
    if stick.hand == .tilt { tilt?.control.interrupt() }
    if stick.hand == .gamepad { gamepad.mustCentre = true }
    release()
  }

  mutating func steer() {
    guard let wanted = stick.takeDrive() else { return }
    do throws(SessionError) {
      if let heading = wanted.heading, wanted.speedByte > 0 {
        try conversation?.drive(speed: wanted.speedByte, heading: heading.wholeDegrees, at: now)
      } else {
        try conversation?.stopDriving(at: now)
      }
    } catch { report(error) }
  }

  mutating func release() {
    // When the pointer releases the joystick, the tilt of the device must not drive at once.
    if stick.hand == .pointer { tilt?.control.interrupt() }
    stick.release()
    steer()
  }

  mutating func stop() {
    endInputs()
    endGuidance(reporting: "stopped")
    let hasProgram = program.run != nil
    endProgram(reporting: "stopped")
    endGame()
    // The ball keeps its current heading.
    if aiming.abandon() { setTailLight() }
    stick.reset()
    do throws(SessionError) { try conversation?.stopDriving(at: now) } catch { report(error) }
    if !hasProgram { abortForeignPrograms() }
  }

  /// Ends tilt control, the gamepad's input and a pending aim; each must begin again before it has an effect.
  mutating func endInputs() {
    (tilt, gamepad.mustCentre, aiming.deadline) = (nil, true, nil)
    aiming.twist?.isBlocked = true
  }

  // MARK: Gamepad

  struct Gamepad: Sendable {
    /// Whether the sticks must be centred before they have an effect again.
    var mustCentre = true
    var isStopPressed = false
    var isAiming = false
  }

  /// Handles a gamepad: the left stick or the directional pad drives, the right stick aims, B stops.
  ///
  /// `buttons` has a bit for each button in the standard mapping of the W3C: 1 is B, 12...15 are up, down, left and right.
  mutating func handleGamepad(left: Point, right: Point, buttons: UInt32) {
    func bit(_ button: UInt32) -> Double { Double(buttons >> button & 1) }
    let isStop = bit(1) == 1
    if isStop, !gamepad.isStopPressed { stop() }
    gamepad.isStopPressed = isStop
    var point = left
    if buttons >> 12 & 0xF != 0 {
      point = Pad.unit.clamped(Point(x: bit(15) - bit(14), y: bit(13) - bit(12)))
    }
    func magnitude(_ point: Point) -> Double { Pad.unit.deflection(at: point)?.magnitude ?? 0 }
    let (isPushed, isAiming) = (magnitude(point) > 0.15, magnitude(right) > 0.5)
    if !isPushed, !isAiming, !isStop { gamepad.mustCentre = false }
    guard !gamepad.mustCentre else { return }
    if isPushed {
      push(to: point, by: .gamepad)
    } else if stick.isHeld(by: .gamepad) {
      release()
    }
    if isAiming {
      // The centre and the stick take the place of two touches.
      turn(Point(x: 0, y: 0), right)
    } else if gamepad.isAiming {
      endTwist()
    }
    gamepad.isAiming = isAiming
  }

  /// Releases the sticks of a gamepad that is no longer available; they must be centred before they drive again.
  mutating func dropGamepad() {
    if stick.isHeld(by: .gamepad) { release() }
    if gamepad.isAiming { endTwist(isCancelled: true) }
    gamepad = Gamepad()
  }

  // MARK: Tilt

  struct Tilt: Sendable {
    static let firstEventTimeout = Duration.seconds(1)

    /// The rotation that makes the gravity of the level attitude, that of the first event, point down; nil before it.
    ///
    /// `TiltControl` also takes its first reading as level, but not that of a phone that is held upright, whose forward
    /// axis is vertical.
    var leveling: Rotation?
    var control = TiltControl()
    /// When tilt control ends without a first event; nil after it.
    var deadline: Duration?
  }

  /// Begins tilt control; the attitude of the next event is level.
  mutating func beginTilt() {
    guard connection.isOpen else { return }
    tilt = Tilt(deadline: now + Tilt.firstEventTimeout)
  }

  /// Ends tilt control; if the browser sent no event, reports that.
  mutating func endTilt(isSilent: Bool = false) {
    guard tilt != nil else { return }
    tilt = nil
    if stick.hand == .tilt { release() }
    guard isSilent else { return }
    reportError(
      "this device does not report its orientation", "Use the joystick, or open the page on a phone.")
  }

  /// Moves the puck by gravity on the axes of the phone, in g; if the screen has turned, the attitude becomes level.
  mutating func handleTilt(gravity: Vector3, farEdge: TiltDrive.Edge) {
    guard var tilt, connection.isOpen else { return }
    defer { self.tilt = tilt }
    if tilt.leveling == nil || farEdge != tilt.control.conversion.farEdge {
      (tilt.leveling, tilt.deadline) = (Rotation(from: gravity, to: Vector3(0, 0, -1)), nil)
      tilt.control.conversion.farEdge = farEdge
    }
    guard let leveled = tilt.leveling?.act(on: gravity) else { return }
    tilt.control.conversion.velocityScale = stick.speed
    tilt.control.update(gravity: leveled, at: now)
    guard tilt.control.state(at: now) == .active else {
      if stick.hand == .tilt { release() }
      return
    }
    let drive = tilt.control.drive(at: now)
    // A level device must end neither a guided motion nor a game of the robot.
    let isBusy = guidance.run != nil || measurements.game?.player == .robot
    guard drive != .stop || !isBusy else { return }
    push(to: stick.joystick.puck(for: drive), by: .tilt)
  }

  // MARK: Aiming

  mutating func beginAim() {
    aiming.deadline = nil
    guard connection.isOpen, !aiming.isActive else { return }
    endGuidance(reporting: "the robot is being aimed")
    endRobotGame()
    release()
    tilt?.control.interrupt()
    let sent = conversation?.heading.map { Heading(degrees: Int($0)) }
    perform(aiming.begin(at: robot.odometry?.heading ?? sent ?? .ahead))
  }

  /// Handles the positions of two touches; the aim begins when they have turned far enough.
  mutating func turn(_ first: Point, _ second: Point) {
    guard connection.isOpen, !stick.isHeld else { return }
    var twist = aiming.twist ?? Aiming.Twist()
    defer { aiming.twist = twist }
    guard !twist.isBlocked else { return }
    twist.gesture.move(first, second)
    guard let rotation = twist.gesture.rotation else { return }
    if !aiming.isActive {
      // Another input has ended the aim of this gesture; only a new gesture begins another aim.
      guard !twist.hasBegun else {
        twist.isBlocked = true
        return
      }
      twist.hasBegun = true
      beginAim()
    }
    perform(aiming.turn(to: aiming.turn + rotation - twist.followed))
    twist.followed = rotation
  }

  /// Ends the gesture of two touches, and confirms or cancels the aim that the gesture began.
  mutating func endTwist(isCancelled: Bool = false) {
    guard let twist = aiming.twist else { return }
    aiming.twist = nil
    guard twist.hasBegun, !twist.isBlocked else { return }
    perform(isCancelled ? aiming.ring.cancel() : aiming.ring.end())
  }

  mutating func perform(_ actions: [CalibrationRing.Action]) {
    for action in actions {
      switch action {
      case .setTailLight(let isOn): setTailLight(isAiming: isOn)
      case .rotate(let heading): send(Motion.Roll(heading, speed: 0), .setting)
      case .setHeadingZero:
        send(Motion.SetHeading(.ahead), .setting)
        send(Sensing.ConfigureLocator(x: 0, y: 0), .locator)
      }
    }
  }

  /// Sets the tail light to the brightness that the user has selected, or for aiming to the highest one.
  mutating func setTailLight(isAiming: Bool = false) {
    send(Lights.SetBackLED(fraction: isAiming ? 1 : light.tail), .setting)
  }

  // MARK: Colour

  mutating func changeColor(_ change: (inout ColorWheel) -> Void) {
    light.change(change)
    showColor()
  }

  mutating func finishColor() {
    light.finish()
    reportColor()
  }

  /// Shows what a real robot does not report, the colours of programs and the walls, if there is a conversation.
  package mutating func observe(_ robot: SimulatedRobot) {
    guard conversation != nil else { return }
    light.seen = robot.color
    monitor.color = light.visible
    walls = robot.walls
  }

  mutating func showColor() {
    monitor.color = light.visible
    if connection.takesSettings { send(Lights.SetRGBLED(light.picker.color), .setting) }
    reportColor()
  }

  private mutating func reportColor() {
    for event in light.picker.takeEvents() {
      switch event {
      case .changed(let color), .finished(let color):
        events.append([
          "kind": "color", "color": .text(color.description), "is_finished": .flag(event == .finished(color)),
        ])
      }
    }
  }
}
