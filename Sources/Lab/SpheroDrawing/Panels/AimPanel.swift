// The calibration ring on a screen: keys and mouse in; what the robot is to do, and the picture, out.

public import SpheroControls
public import SpheroOrientation
import SpheroProtocol

/// The ring that aims a robot from a terminal.
///
/// It turns a ``CalibrationRing`` and collects its actions. Nothing can be turned before ``begin(at:)``.
public struct AimPanel: Panel {
  /// By how many degrees a key turns, and one with Shift or for pages.
  public static let (step, largeStep) = (2.0, 30.0)
  /// The smallest screen.
  public static let (leastWidth, leastHeight) = (36, 12)

  /// What the robot is called, or where it is.
  public var title = ""
  /// Whether the line is lost: nothing can be turned meanwhile.
  public var isLinkLost = false
  /// A remark for the person.
  public var remark: (text: String, weight: Monitor.Weight)?
  /// Where the robot looks, by its own report; nil before the first one.
  public var seen: Heading?
  private var ring = CalibrationRing()
  private var actions: [CalibrationRing.Action] = []
  /// Whether the robot was told to turn.
  private var hasTurned = false
  /// Where on the ring the mouse holds it.
  private var grip: Heading?
  private var size = (width: 0, height: 0)

  /// Creates a ring that nobody touches.
  public init() {}

  /// Whether the ring can be turned.
  public var isActive: Bool { ring.isActive }

  /// The heading that the robot was last told to turn to; nil before the beginning.
  public var heading: Heading? { ring.heading }

  /// Begins to aim.
  ///
  /// - Parameter heading: Where the robot looks, clockwise from its old aim.
  public mutating func begin(at heading: Heading) { actions += ring.begin(at: heading) }

  /// What the robot is to do, in order; of several turns the last one.
  public mutating func takeActions() -> [CalibrationRing.Action] {
    defer { actions = [] }
    return actions
  }

  /// What the robot is to do at the end.
  ///
  /// - Parameter isConfirmed: Whether where it looks becomes ahead; otherwise it turns back to where it began.
  /// - Returns: The actions, in order.
  public mutating func end(isConfirmed: Bool) -> [CalibrationRing.Action] {
    actions = []
    guard isConfirmed else {
      // A robot that never turned stays as it is, to the degree.
      return ring.cancel().filter { if case .rotate = $0 { hasTurned } else { true } }
    }
    // A turn that waits would count from the new aim.
    let last = ring.heading.map { CalibrationRing.Action.rotate(to: $0) }
    return (hasTurned ? [last].compactMap { $0 } : []) + ring.end()
  }

  // MARK: Inputs

  /// Takes the size of the screen; what the mouse held is somewhere else by then.
  public mutating func resize(width: Int, height: Int) {
    guard (width, height) != size else { return }
    (size, grip) = ((width, height), nil)
  }

  /// Takes what a hand does.
  public mutating func take(_ input: TerminalInput, at now: Duration) -> PanelOutcome {
    switch input {
    case .key(let press):
      let step = press.modifiers.contains(.shift) ? Self.largeStep : Self.step
      switch press.key {
      case .escape, .character("q"), .character("Q"): return .cancelled
      // Without a robot that was told to turn there is nothing to keep.
      case .enter: return ring.isActive && !isLinkLost ? .confirmed : .goesOn
      case .left: turn(by: -step)
      case .right: turn(by: step)
      case .pageUp: turn(by: -Self.largeStep)
      case .pageDown: turn(by: Self.largeStep)
      default: break
      }
    case .mouse(let event):
      switch event.action {
      case .press: grip = grip(event.column, event.row)
      case .drag:
        guard let former = grip, let next = grip(event.column, event.row, isHeld: true) else { break }
        turn(by: former.turn(to: next).degrees)
        grip = next
      case .release: grip = nil
      case .scrollUp: turn(by: -Self.step)
      case .scrollDown: turn(by: Self.step)
      case .move: break
      }
    }
    return .goesOn
  }

  /// The direction of a cell from the middle; nil off the ring, and in the middle, which has none.
  private func grip(_ column: Int, _ row: Int, isHeld: Bool = false) -> Heading? {
    let point = PadFrame.point(column: column, row: row)
    guard let frame, isHeld || frame.contains(point), let place = frame.pad.deflection(at: point),
      place.magnitude > 0
    else { return nil }
    return place.heading
  }

  private mutating func turn(by degrees: Double) {
    guard !isLinkLost else { return }
    for action in ring.turn(by: degrees) {
      hasTurned = true
      if case .rotate? = actions.last, case .rotate = action { actions.removeLast() }
      actions.append(action)
    }
  }

  /// Lets go of all that is held.
  public mutating func release() { grip = nil }

  // MARK: The picture

  /// Where the ring is; nil where the screen is too small.
  private var frame: PadFrame? {
    guard size.width >= Self.leastWidth, size.height >= Self.leastHeight else { return nil }
    return PadFrame(in: Area(row: 2, width: size.width, height: size.height - 4))
  }

  /// Draws the panel, or that the screen is too small for it.
  public func draw(at now: Duration) -> Canvas {
    var canvas = Canvas(width: size.width, height: size.height)
    guard let frame else {
      canvas.tooSmall(leastWidth: Self.leastWidth, leastHeight: Self.leastHeight)
      return canvas
    }
    var parts: [(text: String, style: Style)] = [("sphero calibrate", .bold)]
    if isLinkLost { parts.append(("link lost, reconnecting", Style(Palette.alarm, isBold: true))) }
    parts.append((title, .plain))
    if let heading { parts.append(("turned to \(heading.wholeDegrees)°", .plain)) }
    if let seen { parts.append(("faces \(seen.wholeDegrees)°", .plain)) }
    canvas.head(parts)
    if let remark { canvas.write(remark.text, column: 0, row: 1, remark.weight.style) }
    canvas.rim(of: frame, isLinkLost ? Palette.alarm : Palette.faint)
    if let seen { canvas.hand(at: seen, magnitude: 0.8, of: frame, Palette.series[0]) }
    if let heading, let tail = heading.turned(by: .degrees(180)) {
      for (place, sign, style) in [
        (heading, "^" as Unicode.Scalar, Style.bold), (tail, "o", Style(Palette.tail, isBold: true)),
      ] {
        let cell = PadFrame.cell(of: frame.pad.point(at: Deflection(heading: place, magnitude: 1)))
        canvas[cell.column, cell.row] = Cell(sign, style)
      }
    }
    canvas.write(
      ring.isActive
        ? "Turn the ball until its blue tail light faces you."
        : "Waiting for the robot to report its heading.",
      column: 0, row: size.height - 2, .bold)
    canvas.write(
      "Enter: set as ahead  Esc: cancel  left, right, Shift, PgUp, PgDn or drag: turn", column: 0,
      row: size.height - 1, Style(Palette.faint))
    return canvas
  }
}
