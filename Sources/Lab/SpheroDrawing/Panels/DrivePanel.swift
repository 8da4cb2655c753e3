// The joystick on a screen: keys, mouse and time in; what the robot is to do, and the picture, out.

public import SpheroControls
public import SpheroOrientation
import SpheroProtocol

/// A joystick that drives a robot from a terminal.
///
/// Keys push a ``KeyStick``, the mouse drags the puck of a ``Joystick``. Both let go by themselves:
/// keys after the times of ``KeyStick``, the mouse where it has told nothing for ``fingerHold``.
///
///     var panel = DrivePanel(speed: 80)
///     _ = panel.take(.key(KeyPress(.up)), at: now)
///     panel.order(at: now)    // .roll(ahead, speed: 80 / 255)
///     panel.order(at: now)    // nil: nothing new
///     panel.order(at: later)  // .stop
public struct DrivePanel: Panel {
  /// What the robot is to do from now on.
  public enum Order: Hashable, Sendable {
    /// Roll on a heading, at a part of full speed.
    case roll(Heading, speed: Double)
    /// Stop.
    case stop
  }

  /// How long a button of the mouse holds that is not moved: a terminal that is gone reports no release.
  public static let fingerHold = Duration.seconds(3)
  /// By how much a key changes the greatest speed, of 255.
  public static let speedStep = 16
  /// The smallest screen.
  public static let (leastWidth, leastHeight) = (36, 12)

  /// What the robot is called, or where it is.
  public var title = ""
  /// What is known of the battery.
  public var battery: (text: String, weight: Monitor.Weight)?
  /// The colour of the ball; nil where nobody knows it.
  public var color: RGB?
  /// A remark for the person.
  public var remark: (text: String, weight: Monitor.Weight)?
  /// How well the robot is reached.
  public private(set) var link = Monitor.Link.silent
  /// The speed at the rim, 1...255.
  public private(set) var speed: Int
  /// What the robot reports of itself; nil where it has reported nothing yet.
  private(set) var reading: Odometry?
  private var path = FloorPath()
  private var stick = KeyStick()
  private var finger: (point: Point, end: Duration)?
  private var size = (width: 0, height: 0)
  private var latest = Order.stop
  /// Whether a stop was asked for that goes out in any case.
  private var mustStop = false

  /// Creates a joystick in the middle.
  ///
  /// - Parameter speed: The speed at the rim, held to 1...255.
  public init(speed: Int) { self.speed = min(max(1, speed), 255) }

  // MARK: Inputs

  /// Takes the size of the screen; what the mouse held is somewhere else by then.
  public mutating func resize(width: Int, height: Int) {
    guard (width, height) != size else { return }
    (size, finger) = ((width, height), nil)
  }

  /// Takes what a hand does.
  public mutating func take(_ input: TerminalInput, at now: Duration) -> PanelOutcome {
    switch input {
    case .key(let press): return take(press.key, at: now)
    case .mouse(let event):
      let point = PadFrame.point(column: event.column, row: event.row)
      switch event.action {
      case .press: if let frame, frame.contains(point) { hold(point, at: now) }
      // After a rest that was too long, too: the terminal is there.
      case .drag: if finger != nil { hold(point, at: now) }
      case .release: finger = nil
      case .scrollUp: change(by: Self.speedStep)
      case .scrollDown: change(by: -Self.speedStep)
      case .move: break
      }
      return .goesOn
    }
  }

  private mutating func take(_ key: KeyPress.Key, at now: Duration) -> PanelOutcome {
    switch key {
    case .character("q"), .character("Q"), .escape:
      release()
      return .cancelled
    case .character(" "):
      release()
      mustStop = true
    case .character("+"), .character("="), .character("]"): change(by: Self.speedStep)
    case .character("-"), .character("_"), .character("["): change(by: -Self.speedStep)
    case .up, .character("w"), .character("W"): push(0, 1, at: now)
    case .down, .character("s"), .character("S"): push(0, -1, at: now)
    case .left, .character("a"), .character("A"): push(-1, 0, at: now)
    case .right, .character("d"), .character("D"): push(1, 0, at: now)
    // As they lie on the keypad.
    case .home: push(-1, 1, at: now)
    case .pageUp: push(1, 1, at: now)
    case .end: push(-1, -1, at: now)
    case .pageDown: push(1, -1, at: now)
    default: break
    }
    return .goesOn
  }

  private mutating func push(_ right: Int, _ ahead: Int, at now: Duration) {
    // A robot that cannot hear is not told later what was meant now.
    guard link != .lost else { return }
    finger = nil
    stick.press(right: right, ahead: ahead, at: now)
  }

  private mutating func hold(_ point: Point, at now: Duration) {
    guard link != .lost else { return }
    stick.release()
    finger = (point, now + Self.fingerHold)
  }

  private mutating func change(by step: Int) {
    speed = step > 0 ? min(255, speed + step) : max(min(speed, Self.speedStep), speed + step)
  }

  /// Lets go of all that is held.
  public mutating func release() {
    stick.release()
    finger = nil
  }

  // MARK: The robot

  /// Takes what the robot reports of itself.
  public mutating func take(_ reading: Odometry) {
    self.reading = reading
    path.append(
      FloorPath.Place(x: reading.position.x, y: reading.position.y, time: reading.time, color: color))
    if link == .silent { link = .live }
  }

  /// Notes that samples stay away; the robot may hear all the same.
  public mutating func missSamples() { if link == .live { link = .silent } }

  /// Notes that the line was lost: what was held is let go of, and the robot will have been stopped when it is back.
  public mutating func loseLink() {
    release()
    (link, latest, mustStop) = (.lost, .stop, false)
  }

  /// Notes that the line is back.
  public mutating func regainLink() {
    release()
    (link, latest) = (.silent, .stop)
  }

  /// What the joystick asks of the robot.
  func drive(at now: Duration) -> Drive {
    let scale = Double(speed) / 255
    if let finger, now < finger.end, let frame {
      let joystick = Joystick(pad: frame.pad, velocityScale: scale, response: ResponseCurve(deadZone: 0.1))
      return joystick.drive(at: finger.point)
    }
    let push = stick.deflection(at: now)
    return push.magnitude > 0 ? Drive(heading: push.heading, speed: scale) : .stop
  }

  /// What is to be sent now.
  ///
  /// - Parameter now: The time; ask at each input, and about twenty times a second for what ends by itself.
  /// - Returns: What is new; nil where the robot was told already.
  public mutating func order(at now: Duration) -> Order? {
    let drive = drive(at: now)
    var order = Order.stop
    if let heading = drive.heading, drive.speedByte > 0 { order = .roll(heading, speed: drive.speed) }
    defer { (latest, mustStop) = (order, false) }
    return order != latest || (mustStop && link != .lost) ? order : nil
  }

  // MARK: The picture

  /// Where the joystick is; nil where the screen is too small.
  private var frame: PadFrame? { areas.flatMap { PadFrame(in: $0.pad) } }

  /// The places of the joystick and of the floor; nil where the screen is too small.
  private var areas: (pad: Area, floor: Area?)? {
    guard size.width >= Self.leastWidth, size.height >= Self.leastHeight else { return nil }
    var rest = Area(row: 2, width: size.width, height: size.height - 4)
    guard rest.width >= 60 else { return (rest, nil) }
    let pad = rest.takeColumns(max(rest.width / 2, 30))
    _ = rest.takeColumns(1)
    return (pad, rest)
  }

  /// Draws the panel, or that the screen is too small for it.
  public func draw(at now: Duration) -> Canvas {
    var canvas = Canvas(width: size.width, height: size.height)
    guard let areas, let frame else {
      canvas.tooSmall(leastWidth: Self.leastWidth, leastHeight: Self.leastHeight)
      return canvas
    }
    drawHead(on: &canvas)
    if let remark {
      canvas.write(remark.text, column: 0, row: 1, remark.weight.style)
    }
    let drive = drive(at: now)
    canvas.rim(of: frame, link == .lost ? Palette.alarm : Palette.faint)
    if let reading { canvas.hand(at: reading.heading, magnitude: 0.8, of: frame, Palette.series[0]) }
    let isHeld = drive.speed > 0
    let push = isHeld ? puck(at: now, frame) : frame.pad.center
    let cell = PadFrame.cell(of: push)
    canvas[cell.column, cell.row] = Cell("●", Style(isHeld ? Palette.good : nil, isBold: true))
    if var rest = areas.floor {
      let label = rest.takeRows(1)
      let extent = canvas.floor(path, in: rest)
      canvas.write(floorText(extent), column: label.column, row: label.row, limit: label.width)
    }
    drawFoot(on: &canvas, drive)
    return canvas
  }

  private func puck(at now: Duration, _ frame: PadFrame) -> Point {
    if let finger, now < finger.end { return frame.pad.clamped(finger.point) }
    return frame.pad.point(at: stick.deflection(at: now))
  }

  private func drawHead(on canvas: inout Canvas) {
    let (text, color) =
      switch link {
      case .live: ("live", Palette.good)
      case .silent: ("no samples", Palette.warning)
      case .lost: ("link lost, reconnecting", Palette.alarm)
      }
    var parts: [(text: String, style: Style)] = [
      ("sphero drive", .bold), (text, Style(color, isBold: true)), (title, .plain),
    ]
    if let reading {
      parts.append(("heading \(reading.heading.wholeDegrees)°", .plain))
      parts.append(("\(Decimal.text(reading.speed, digits: 0)) cm/s", .plain))
    }
    if let battery { parts.append((battery.text, battery.weight.style)) }
    if let color = self.color { parts.append(("● \(color)", Style(color.visible))) }
    canvas.head(parts)
  }

  private func floorText(_ extent: Double?) -> String {
    var text = "floor"
    if let reading {
      text += " \(Decimal.text(reading.position.x, digits: 0)), "
      text += "\(Decimal.text(reading.position.y, digits: 0)) cm"
    }
    if let extent { text += ", \(Decimal.text(extent, digits: 0)) cm wide" }
    return text
  }

  private func drawFoot(on canvas: inout Canvas, _ drive: Drive) {
    let row = canvas.height - 2
    var text = "speed \(speed) of 255"
    if let heading = drive.heading, drive.speedByte > 0 {
      text += "  told heading \(heading.wholeDegrees)° speed \(drive.speedByte)"
    } else {
      text += "  told to stop"
    }
    canvas.write(text, column: 0, row: row, .bold)
    canvas.write(
      "space: stop  q: quit  arrows, WASD or drag: roll  + -: speed", column: 0, row: row + 1,
      Style(Palette.faint))
  }
}
