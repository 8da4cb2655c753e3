// The user input of the page: joystick, gamepad, aiming, and colours.

import SpheroControls
import SpheroDrawing
import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

extension Page {
  /// The response of the joystick.
  static let response = ResponseCurve(deadZone: 0.1)

  /// A packet that stops the ball and requires no response; the page sends it if the module fails.
  static let halt: [UInt8] = {
    guard let stop = try? EncodedRequest(Motion.Roll(speed: 0, heading: 0, state: .stop)) else { return [] }
    let packet = CommandPacket(id: stop.command, options: .resetTimeout, sequence: 0, payload: stop.payload)
    return (try? Packet.command(packet).encoded()) ?? []
  }()

  // MARK: Joystick

  var joystick: Joystick { Joystick(pad: .unit, velocityScale: stick.speed, response: Self.response) }

  /// Pushes the joystick for ``holdTime``, unless a pointer or a key holds it.
  mutating func push(to point: Point, by hand: Hand = .pointer) {
    guard link == .open, !ring.isActive, hand == .pointer || !isPointerHeld else { return }
    endGuidance(reporting: "the joystick has taken over")
    endRobotGame()
    (stick.point, stick.end, stick.hand) = (Pad.unit.clamped(point), now + Self.holdTime, hand)
    steer()
  }

  /// Whether a pointer or a key holds the joystick.
  var isPointerHeld: Bool { stick.end != nil && stick.hand == .pointer }

  /// Releases a joystick that got no input for ``holdTime``; the hand must be at rest before it drives again.
  mutating func expire() {
    if stick.hand == .tilt { tilt?.control.interrupt() }
    if stick.hand == .gamepad { gamepad.mustCentre = true }
    release()
  }

  /// Sends the drive of the joystick if it has changed.
  mutating func steer() {
    let wanted = stick.end == nil ? .stop : joystick.drive(at: stick.point)
    guard wanted != drive else { return }
    drive = wanted
    do throws(SessionError) {
      if let heading = wanted.heading, wanted.speedByte > 0 {
        try conversation?.drive(speed: wanted.speedByte, heading: heading.wholeDegrees, at: now)
      } else {
        try conversation?.stopDriving(at: now)
      }
    } catch { report(error) }
  }

  mutating func release() {
    // Tilt control does not continue at the moment when a finger leaves the joystick.
    if stick.hand == .pointer { tilt?.control.interrupt() }
    (stick.point, stick.end) = (Point(x: 0, y: 0), nil)
    steer()
  }

  mutating func stop() {
    endInputs()
    endGuidance(reporting: "stopped")
    endProgram(reporting: "stopped")
    endGame()
    if ring.isActive {
      // The ball keeps its current heading.
      ring = CalibrationRing()
      send(Lights.SetBackLED(fraction: 0), .setting)
    }
    (stick.point, stick.end, drive) = (Point(x: 0, y: 0), nil, .stop)
    do throws(SessionError) { try conversation?.stopDriving(at: now) } catch { report(error) }
  }

  /// Ends the inputs that have a state: none of them drives or aims before it begins anew.
  mutating func endInputs() {
    (tilt, aimDeadline, gamepad.mustCentre) = (nil, nil, true)
    twist?.isBlocked = true
  }

  // MARK: Gamepad

  struct Gamepad: Sendable {
    /// Whether the sticks must be centred before they have an effect again.
    var mustCentre = true
    var isStopPressed = false
    var isAiming = false
  }

  /// The buttons of a gamepad in the standard mapping of the W3C, as bits of a mask.
  struct GamepadButtons: OptionSet {
    let rawValue: Int
    static let b = GamepadButtons(rawValue: 1 << 1)
    static let up = GamepadButtons(rawValue: 1 << 12)
    static let down = GamepadButtons(rawValue: 1 << 13)
    static let left = GamepadButtons(rawValue: 1 << 14)
    static let right = GamepadButtons(rawValue: 1 << 15)
  }

  /// Handles the state of a gamepad: the left stick or the pad of directions drives, the right stick aims, B stops.
  ///
  /// The sticks are deflections with y downward.
  mutating func handleGamepad(left: Point, right: Point, buttons: GamepadButtons) {
    let isStop = buttons.contains(.b)
    if isStop, !gamepad.isStopPressed { stop() }
    gamepad.isStopPressed = isStop
    var point = left
    if !buttons.isDisjoint(with: [.up, .down, .left, .right]) {
      func part(_ one: GamepadButtons, _ other: GamepadButtons) -> Double {
        (buttons.contains(one) ? 1 : 0) - (buttons.contains(other) ? 1 : 0)
      }
      point = Pad.unit.clamped(Point(x: part(.right, .left), y: part(.down, .up)))
    }
    func magnitude(_ point: Point) -> Double { Pad.unit.deflection(at: point)?.magnitude ?? 0 }
    let (isPushed, isAiming) = (magnitude(point) > 0.15, magnitude(right) > 0.5)
    if !isPushed, !isAiming, !isStop { gamepad.mustCentre = false }
    guard !gamepad.mustCentre else { return }
    if isPushed {
      push(to: point, by: .gamepad)
    } else if stick.end != nil, stick.hand == .gamepad {
      release()
    }
    if isAiming {
      turn(Point(x: 0, y: 0), right)
    } else if gamepad.isAiming {
      endTwist()
    }
    gamepad.isAiming = isAiming
  }

  /// Releases the sticks of a gamepad that is no longer available; they must be centred before they drive again.
  mutating func dropGamepad() {
    if stick.end != nil, stick.hand == .gamepad { release() }
    if gamepad.isAiming { endTwist(isCancelled: true) }
    gamepad = Gamepad()
  }

  // MARK: Aiming

  /// A rotation gesture of two touches, or of the right stick of a gamepad about its centre.
  struct Twist: Sendable {
    var gesture = RotationGesture()
    /// The rotation that the ring has followed.
    var followed = 0.0
    /// Whether this gesture began the aim, so that its end ends the aim.
    var hasBegun = false
    /// Whether the rest of the gesture has no effect, because the robot was stopped.
    var isBlocked = false
  }

  mutating func beginAim() {
    aimDeadline = nil
    guard link == .open, !ring.isActive else { return }
    endGuidance(reporting: "the robot is being aimed")
    release()
    ringTurn = 0
    tilt?.control.interrupt()
    perform(ring.begin(at: odometry?.heading ?? .ahead))
  }

  /// Turns the ring to degrees since the aim began.
  mutating func turnRing(to degrees: Double) {
    guard ring.isActive, abs(degrees) <= 36_000 else { return }
    ringTurn = degrees
    perform(ring.turn(sinceBeginning: degrees))
  }

  /// Handles the positions of two touches; the aim begins when they have turned far enough.
  mutating func turn(_ first: Point, _ second: Point) {
    guard link == .open, stick.end == nil else { return }
    var twist = twist ?? Twist()
    defer { self.twist = twist }
    guard !twist.isBlocked else { return }
    twist.gesture.move(first, second)
    guard let rotation = twist.gesture.rotation else { return }
    if !ring.isActive {
      // After the end of an aim by other means, only a new gesture begins another one.
      guard !twist.hasBegun else {
        twist.isBlocked = true
        return
      }
      twist.hasBegun = true
      beginAim()
    }
    turnRing(to: ringTurn + rotation - twist.followed)
    twist.followed = rotation
  }

  /// Ends the gesture of two touches; an aim that it began ends too, or turns back.
  mutating func endTwist(isCancelled: Bool = false) {
    guard let twist else { return }
    self.twist = nil
    guard twist.hasBegun, !twist.isBlocked else { return }
    perform(isCancelled ? ring.cancel() : ring.end())
  }

  mutating func perform(_ actions: [CalibrationRing.Action]) {
    for action in actions {
      switch action {
      case .setTailLight(let isOn): send(Lights.SetBackLED(fraction: isOn ? 1 : 0), .setting)
      case .rotate(let heading): send(Motion.Roll(heading, speed: 0), .setting)
      case .setHeadingZero: send(Motion.SetHeading(.ahead), .setting)
      }
    }
  }

  // MARK: Colour

  /// The colours of the two preview windows.
  struct ColorPreview: Sendable {
    /// The colour before the current one; nil while it is unknown.
    var previous: RGB?
    /// The colour that was picked last; nil while the colour of the robot is unknown.
    var current: RGB?
    /// Whether the user is picking: changes have begun and are not finished.
    var isPicking = false
  }

  /// Changes the colour by a function of the wheel, and shows it on the robot.
  mutating func changeColor(_ change: (inout ColorWheel) -> Void) {
    let former = wheel.color
    change(&wheel)
    if !preview.isPicking, wheel.color != former {
      (preview.previous, preview.isPicking) = (monitor.color, true)
    }
    preview.current = wheel.color
    showColor(isFinished: false)
  }

  /// Ends a change of the colour.
  mutating func finishColor() {
    guard preview.isPicking else { return }
    preview.isPicking = false
    reportColor(isFinished: true)
  }

  /// Shows the colour of a preview window again; without a colour, does nothing.
  mutating func selectColor(_ color: RGB?) {
    guard let color else { return }
    finishColor()
    wheel.show(color)
    showColor(isFinished: true)
  }

  private mutating func showColor(isFinished: Bool) {
    monitor.color = wheel.color
    if link == .open || link == .connecting { send(Lights.SetRGBLED(wheel.color), .setting) }
    reportColor(isFinished: isFinished)
  }

  private mutating func reportColor(isFinished: Bool) {
    events.append(
      "color", [Field("color", .text(wheel.color.description)), Field("is_finished", .flag(isFinished))])
  }
}
