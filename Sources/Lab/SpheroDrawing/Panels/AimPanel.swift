// The calibration ring on a screen: turns keys and mouse events into actions of the robot.

public import SpheroControls
public import SpheroOrientation

/// The ring that aims a robot from a terminal; it cannot be turned before ``begin(at:)``.
///
/// The left and right arrow keys turn the ring by 2 degrees, with Shift by 30; Page Up turns it left and Page
/// Down right by 30. Enter makes the direction heading 0; Escape or q leaves the aim unchanged. The mouse
/// drags the ring, and its wheel turns it by 2 degrees.
public struct AimPanel: Panel {
  /// The turn of an arrow key in degrees, and the turn of an arrow key with Shift or of a page key.
  private static let (step, largeStep) = (2.0, 30.0)

  /// The title line, such as the port and the name of the robot.
  public var title = ""
  /// Whether the link is lost; the ring cannot be turned until it is restored.
  public var isLinkLost = false
  /// The latest remark and its severity; nil for none.
  public var remark: (text: String, severity: Monitor.Severity)?
  /// The heading that the robot reports; nil before its first report.
  public var reportedHeading: Heading?
  private var ring = CalibrationRing()
  private var actions: [CalibrationRing.Action] = []
  private var hasTurned = false
  /// The direction from the centre to the mouse while it drags the ring; nil otherwise.
  private var grip: Heading?
  private var size = Area(width: 0, height: 0)

  public init() {}

  /// Whether the ring can be turned.
  public var isActive: Bool { ring.isActive }

  /// The heading to which the robot was last turned; nil before ``begin(at:)``.
  public var heading: Heading? { ring.heading }

  /// Begins to aim at the heading of the robot, clockwise from its old aim.
  public mutating func begin(at heading: Heading) { actions += ring.begin(at: heading) }

  /// Removes and returns the pending actions in order; only the last of several turns remains.
  public mutating func takeActions() -> [CalibrationRing.Action] {
    defer { actions = [] }
    return actions
  }

  /// Ends aiming and returns the final actions in order.
  ///
  /// If `isConfirmed`, the current heading becomes 0; otherwise the robot turns back.
  public mutating func end(isConfirmed: Bool) -> [CalibrationRing.Action] {
    actions = []
    defer { hasTurned = false }
    guard isConfirmed else {
      // A robot that has not been turned keeps its exact heading.
      return ring.cancel().filter { if case .rotate = $0 { hasTurned } else { true } }
    }
    // The last turn precedes the new heading 0: after it, the robot would turn relative to the new aim.
    let last = ring.heading.map { CalibrationRing.Action.rotate(to: $0) }
    return (hasTurned ? [last].compactMap { $0 } : []) + ring.end()
  }

  // MARK: Inputs

  public mutating func resize(width: Int, height: Int) {
    let new = Area(width: width, height: height)
    if new != size { (size, grip) = (new, nil) }
  }

  public mutating func handle(_ input: TerminalInput, at now: Duration) -> PanelOutcome {
    switch input {
    case .key(let key, let isShifted):
      let step = isShifted ? Self.largeStep : Self.step
      switch key {
      case .escape, .character("q"), .character("Q"): return .cancelled
      case .enter: return ring.isActive && !isLinkLost ? .confirmed : .continues
      case .left: turn(by: -step)
      case .right: turn(by: step)
      case .pageUp: turn(by: -Self.largeStep)
      case .pageDown: turn(by: Self.largeStep)
      default: break
      }
    case .mouse(let action, let column, let row):
      let point = PadFrame.point(column: column, row: row)
      switch action {
      case .press: grip = direction(to: point, isHeld: false)
      case .drag:
        guard let former = grip, let next = direction(to: point, isHeld: true) else { break }
        turn(by: former.turn(to: next).degrees)
        grip = next
      case .release: grip = nil
      case .scrollUp: turn(by: -Self.step)
      case .scrollDown: turn(by: Self.step)
      }
    }
    return .continues
  }

  /// The direction of a point from the centre; nil in the centre, and outside a ring that is not held.
  private func direction(to point: Point, isHeld: Bool) -> Heading? {
    guard let frame, isHeld || frame.contains(point), let deflection = frame.pad.deflection(at: point),
      deflection.magnitude > 0
    else { return nil }
    return deflection.heading
  }

  private mutating func turn(by degrees: Double) {
    guard !isLinkLost else { return }
    for action in ring.turn(by: degrees) {
      hasTurned = true
      if case .rotate? = actions.last, case .rotate = action { actions.removeLast() }
      actions.append(action)
    }
  }

  public mutating func release() { grip = nil }

  // MARK: Drawing

  private var frame: PadFrame? { size.content.flatMap { PadFrame(in: $0) } }

  public func draw(at now: Duration) -> Canvas {
    guard let frame else { return size.tooSmall }
    let header = [
      title, heading.map { "turned to \($0.wholeDegrees)°" } ?? "",
      reportedHeading.map { "faces \($0.wholeDegrees)°" } ?? "",
    ]
    var canvas = Canvas(
      size, name: "sphero aim", link: isLinkLost ? .lost : nil, header: header.map { ($0, .plain) },
      message: remark,
      status: ring.isActive
        ? "Turn the ball until its blue tail light faces you."
        : "Waiting for the robot to report its heading.",
      help: "Enter: set as ahead  Esc: cancel  left, right, Shift, PgUp, PgDn or drag: turn")
    canvas.rim(of: frame, isLinkLost ? Palette.alarm : Palette.faint)
    if let reportedHeading { canvas.hand(at: reportedHeading, magnitude: 0.8, of: frame, Palette.series[0]) }
    if let heading, let tail = heading.turned(by: .degrees(180)) {
      func rim(_ heading: Heading) -> Point {
        frame.pad.point(at: Deflection(heading: heading, magnitude: 1))
      }
      canvas.symbol("^", onPad: rim(heading), .bold)
      canvas.symbol("o", onPad: rim(tail), Style(Palette.tailLight, isBold: true))
    }
    return canvas
  }
}
