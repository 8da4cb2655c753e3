// The joystick on a screen: converts keys, mouse events and time to commands for the robot.

public import SpheroControls
public import SpheroOrientation
import SpheroProtocol

/// A joystick that drives a robot from a terminal.
///
/// Keys push a `KeyStick`, the mouse drags the puck of a `Joystick`. Both are released automatically:
/// keys after the times of `KeyStick`, the mouse if it reports nothing for ``mouseHoldTimeout``.
/// With ``tilt``, a device in a hand drives the same puck while neither keys nor mouse hold it.
///
/// Arrows or WASD roll; Home, Page Up, End and Page Down roll diagonally; space stops; `+` and `-` or `]` and `[` change
/// the speed by 16 of 255; z makes the present attitude of the device level; q or Escape leaves.
/// The mouse drags the puck, and its wheel changes the speed.
///
///     var panel = DrivePanel()
///     _ = panel.handle(.key(.up), at: now)
///     panel.command(at: now)    // 0° at 60 %
///     panel.command(at: now)    // nil: nothing new
///     panel.command(at: later)  // .stop
public struct DrivePanel: Panel {
  /// How long a mouse button counts as held without movement: a closed terminal reports no release.
  public static let mouseHoldTimeout = Duration.seconds(3)
  /// The change of ``speed`` by a key, and the smallest speed that keys reach.
  private static let speedStep = 16

  /// The title line, such as the port and the name of the robot.
  public var title = ""
  /// The state of the battery and its importance; nil while it is unknown.
  public var battery: (text: String, severity: Monitor.Severity)?
  /// The colour of the ball; nil if unknown.
  public var color: RGB?
  /// The latest remark and its importance; nil for none.
  public var remark: (text: String, severity: Monitor.Severity)?
  /// The state of the connection.
  public private(set) var link = Monitor.Link.silent
  /// The control by a device in a hand; nil without one.
  public private(set) var tilt: TiltControl?
  /// The speed that the full deflection of the joystick commands, 1...255.
  public private(set) var speed: Int
  private var reading: Odometry?
  private var trail = Trail()
  private var stick = KeyStick()
  /// The point where the mouse holds the puck, and the time at which it counts as released.
  private var grip: (point: Point, end: Duration)?
  private var size = Area(width: 0, height: 0)
  private var latest = Drive.stop
  /// Whether a stop is sent even if the robot should be at rest.
  private var mustStop = false

  /// The ``speed`` of `Drive.defaultVelocityScale`.
  public static let defaultSpeed = Int(Drive(heading: nil, speed: Drive.defaultVelocityScale).speedByte)

  /// Creates a joystick at rest; ``speed`` is clamped to 1...255.
  public init(speed: Int = defaultSpeed, tilt: TiltControl? = nil) {
    self.speed = min(max(1, speed), 255)
    self.tilt = tilt
    adoptSpeed()
  }

  // MARK: Inputs

  public mutating func resize(width: Int, height: Int) {
    let new = Area(width: width, height: height)
    if new != size { (size, grip) = (new, nil) }
  }

  public mutating func handle(_ input: TerminalInput, at now: Duration) -> PanelOutcome {
    switch input {
    case .key(let key, _): return handle(key, at: now)
    case .mouse(let action, let column, let row):
      let point = PadFrame.point(column: column, row: row)
      switch action {
      case .press: if let frame, frame.contains(point) { hold(point, at: now) }
      // Also after `mouseHoldTimeout`: the terminal is still connected.
      case .drag: if grip != nil { hold(point, at: now) }
      case .release: grip = nil
      case .scrollUp: changeSpeed(by: Self.speedStep)
      case .scrollDown: changeSpeed(by: -Self.speedStep)
      }
      return .continues
    }
  }

  private mutating func handle(_ key: TerminalInput.Key, at now: Duration) -> PanelOutcome {
    switch key {
    case .character("q"), .character("Q"), .escape:
      release()
      return .cancelled
    case .character(" "):
      release()
      mustStop = true
    case .character("z"), .character("Z"): tilt?.setZero()
    case .character("+"), .character("="), .character("]"): changeSpeed(by: Self.speedStep)
    case .character("-"), .character("_"), .character("["): changeSpeed(by: -Self.speedStep)
    case .up, .character("w"), .character("W"): push(0, 1, at: now)
    case .down, .character("s"), .character("S"): push(0, -1, at: now)
    case .left, .character("a"), .character("A"): push(-1, 0, at: now)
    case .right, .character("d"), .character("D"): push(1, 0, at: now)
    // The diagonals of the numeric keypad.
    case .home: push(-1, 1, at: now)
    case .pageUp: push(1, 1, at: now)
    case .end: push(-1, -1, at: now)
    case .pageDown: push(1, -1, at: now)
    default: break
    }
    return .continues
  }

  private mutating func push(_ right: Int, _ ahead: Int, at now: Duration) {
    // Input during a lost link must not take effect after reconnection.
    guard link != .lost else { return }
    grip = nil
    stick.press(right: right, ahead: ahead, at: now)
  }

  private mutating func hold(_ point: Point, at now: Duration) {
    guard link != .lost else { return }
    stick.release()
    grip = (point, now + Self.mouseHoldTimeout)
  }

  private mutating func changeSpeed(by step: Int) {
    // A smaller speed than a step, which only the initializer sets, is not raised by a decrease.
    speed = step > 0 ? min(255, speed + step) : max(min(speed, Self.speedStep), speed + step)
    adoptSpeed()
  }

  private mutating func adoptSpeed() { tilt?.conversion.velocityScale = Double(speed) / 255 }

  /// Releases keys, mouse and the device in a hand, which must be level before it drives again.
  public mutating func release() {
    stick.release()
    grip = nil
    tilt?.interrupt()
  }

  /// Handles a reading of the device in a hand; see `TiltControl.update(gravity:at:)`.
  public mutating func handleTilt(gravity: Vector3, at time: Duration) {
    tilt?.update(gravity: gravity, at: time)
  }

  /// Notes that the device in a hand sends no more readings for now.
  public mutating func interruptTilt() { tilt?.interrupt() }

  /// Notes that there are no more readings; keys and mouse still drive.
  public mutating func endTilt() { tilt = nil }

  // MARK: The robot

  /// Handles a report of the robot.
  public mutating func update(with reading: Odometry) {
    self.reading = reading
    trail.append(Trail.Point(x: reading.position.x, y: reading.position.y, time: reading.time, color: color))
    if link == .silent { link = .live }
  }

  /// Notes that no samples arrive; the robot may still receive commands.
  public mutating func handleSilence() { if link == .live { link = .silent } }

  /// Releases the joystick because the link is lost; the session stops the robot when it reconnects.
  public mutating func loseLink() {
    release()
    (link, latest, mustStop) = (.lost, .stop, false)
  }

  /// Shows a live connection; the robot stays stopped until the next input.
  public mutating func regainLink() {
    release()
    (link, latest) = (.silent, .stop)
  }

  /// The drive request of the mouse, else of the keys, else of the device in a hand, and the place of the puck on a pad.
  private func control(on pad: Pad?, at now: Duration) -> (drive: Drive, puck: Point) {
    let scale = Double(speed) / 255
    if let grip, let pad, now < grip.end {
      let joystick = Joystick(pad: pad, velocityScale: scale, response: ResponseCurve(deadZone: 0.1))
      return (joystick.drive(at: grip.point), pad.clamped(grip.point))
    }
    let (push, pad) = (stick.deflection(at: now), pad ?? .unit)
    if push.magnitude > 0 { return (Drive(heading: push.heading, speed: scale), pad.point(at: push)) }
    // A robot whose link is lost receives no request of the device.
    let drive = link == .lost ? .stop : tilt?.drive(at: now) ?? .stop
    return (drive, Joystick(pad: pad, velocityScale: scale).puck(for: drive))
  }

  /// The request to send now, either `Drive.stop` or one that rolls; nil if it has not changed.
  ///
  /// Call it at each input, and about twenty times a second because keys are released by time.
  public mutating func command(at now: Duration) -> Drive? {
    var command = control(on: frame?.pad, at: now).drive
    if command.heading == nil || command.speedByte == 0 { command = .stop }
    defer { (latest, mustStop) = (command, false) }
    return command != latest || (mustStop && link != .lost) ? command : nil
  }

  // MARK: Drawing

  private var frame: PadFrame? { areas.flatMap { PadFrame(in: $0.pad) } }

  /// The areas of joystick and floor; nil if the screen is too small.
  private var areas: (pad: Area, floor: Area?)? {
    guard var rest = size.content else { return nil }
    guard rest.width >= 60 else { return (rest, nil) }
    let pad = rest.takeColumns(max(rest.width / 2, 30))
    _ = rest.takeColumns(1)
    return (pad, rest)
  }

  public func draw(at now: Duration) -> Canvas {
    guard let areas, let frame else { return size.tooSmall }
    let (drive, puck) = control(on: frame.pad, at: now)
    var status = "speed \(speed) of 255"
    if let heading = drive.heading, drive.speedByte > 0 {
      status += "  command: heading \(heading.wholeDegrees)° speed \(drive.speedByte)"
    } else {
      status += "  command: stop"
    }
    if let tilt { status += "  tilt: \(tilt.state(at: now).text)" }
    let help =
      tilt == nil
      ? "space: stop  q: quit  arrows, WASD or drag: roll  + -: speed"
      : "space: stop  q: quit  z: level here  + -: speed  tilt, keys or drag: roll"
    var canvas = Canvas(
      size, name: "sphero drive", link: link, header: header, message: remark, status: status, help: help)
    canvas.rim(of: frame, link == .lost ? Palette.alarm : Palette.faint)
    if let reading { canvas.hand(at: reading.heading, magnitude: 0.8, of: frame, Palette.series[0]) }
    let isHeld = drive.speed > 0
    canvas.symbol(
      "●", onPad: isHeld ? puck : frame.pad.center, Style(isHeld ? Palette.good : nil, isBold: true))
    if let floor = areas.floor {
      canvas.labelledFloor(trail, position: reading.map { ($0.position.x, $0.position.y) }, in: floor)
    }
    return canvas
  }

  private var header: [(text: String, style: Style)] {
    var header: [(text: String, style: Style)] = [(title, .plain)]
    if let reading {
      header.append(("heading \(reading.heading.wholeDegrees)°", .plain))
      header.append(("\(Decimal.text(reading.speed, digits: 0)) cm/s", .plain))
    }
    if let battery { header.append((battery.text, battery.severity.style)) }
    if let color { header.append(("● \(color)", Style(color.visible))) }
    return header
  }
}

extension TiltControl.State {
  fileprivate var text: String {
    switch self {
    case .waiting: "waiting for the controller"
    case .unusable: "turn its tail light to you"
    case .interrupted: "level the controller"
    case .active: "ready"
    }
  }
}
