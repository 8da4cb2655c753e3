// The balance game on a screen: a ball that rolls when a device in a hand is tilted.

public import SpheroControls
public import SpheroOrientation
import SpheroProtocol

/// A game on a terminal: the player tilts a robot, and a ball on the screen rolls towards the lowered side.
///
/// The physics is that of `BallBalance`. Its accelerometer samples are gravity on the axes of a `LevelFrame`,
/// because a ball in a hand has no screen that shows which side is up. The first reading defines the level.
public struct BalancePanel: Panel {
  /// The height of the screen in points, as in the original of `BallBalance`; the width depends on the screen's shape.
  private static let viewHeight = 480.0

  /// The title line, such as the port and the name of the robot.
  public var title = ""
  /// The latest remark and its importance; nil for none.
  public var remark: (text: String, severity: Monitor.Severity)?
  /// The state of the connection.
  public private(set) var link = Monitor.Link.silent
  /// The game; nil if the screen is too small.
  public private(set) var game: BallBalance?
  private var frame: LevelFrame?
  /// Whether the latest reading could not define the level, because the forward axis was nearly vertical.
  private var isUnusable = false
  private var edge: BallBalance.Edge
  /// The time of the latest reading; nil before the first one.
  private var lastReading: Duration?
  /// The times of the first and of the latest reading since the ball was last put in the centre, or since a gap.
  private var round: ClosedRange<Duration>?
  private var best = Duration.zero
  private var size = Area(width: 0, height: 0)

  /// Creates a panel of a game with a behaviour at the edge of the screen.
  public init(edge: BallBalance.Edge = .reset) { self.edge = edge }

  // MARK: Inputs

  /// A screen of another size begins a new game.
  public mutating func resize(width: Int, height: Int) {
    let new = Area(width: width, height: height)
    guard new != size else { return }
    size = new
    begin()
  }

  private mutating func begin() {
    round = nil
    guard let area = size.content else {
      game = nil
      return
    }
    let width = Self.viewHeight * Double(area.dotWidth) / Double(area.dotHeight)
    game = BallBalance(viewSize: Point(x: width, y: Self.viewHeight))
    game?.edge = edge
  }

  public mutating func handle(_ input: TerminalInput, at now: Duration) -> PanelOutcome {
    guard case .key(let key, _) = input else { return .continues }
    switch key {
    case .escape, .character("q"), .character("Q"): return .cancelled
    case .character(" "): begin()
    case .character("z"), .character("Z"): frame = nil
    case .character("w"), .character("W"):
      edge = edge == .wall ? .reset : .wall
      begin()
    default: break
    }
    return .continues
  }

  public mutating func release() {}

  /// Handles a reading: gravity in device coordinates (x right, y ahead, z up) in g, and its time on a monotonic clock.
  public mutating func handleTilt(gravity: Vector3, at time: Duration) {
    (link, lastReading) = (.live, time)
    guard let frame = frame ?? LevelFrame(level: gravity) else {
      isUnusable = true
      return
    }
    (self.frame, isUnusable) = (frame, false)
    let resets = game?.resets
    let level = frame.components(of: gravity)
    game?.update(accelerationX: level.x, accelerationY: level.y, timestamp: time / .seconds(1))
    // A gap does not count as time on the screen, because the ball does not move during it.
    if let round, resets == game?.resets, time >= round.upperBound, !isGap(from: round.upperBound, to: time) {
      self.round = round.lowerBound...time
      if game != nil, edge == .reset { best = max(best, time - round.lowerBound) }
    } else {
      round = time...time
    }
  }

  /// Notes that the link is lost; the ball waits.
  public mutating func interruptTilt() {
    (link, round) = (.lost, nil)
  }

  /// Notes that there are no more readings, for example because a recording is over.
  public mutating func endTilt() {
    (link, round) = (.silent, nil)
  }

  private func isGap(from start: Duration, to end: Duration) -> Bool {
    (end - start) / .seconds(1) > BallBalance.maximumGap
  }

  // MARK: Drawing

  public func draw(at now: Duration) -> Canvas {
    guard let area = size.content, let game else { return size.tooSmall }
    let isSilent = link == .live && lastReading.map { isGap(from: $0, to: now) } ?? true
    var status = ""
    if edge == .reset {
      let time = round.map { $0.upperBound - $0.lowerBound } ?? .zero
      status =
        "\(text(time)) on the screen  best \(text(best))  left \(game.resets) time\(game.resets == 1 ? "" : "s")"
    }
    var canvas = Canvas(
      size, name: "sphero balance", link: isSilent ? .silent : link,
      header: [title, edge == .wall ? "with walls" : "without walls"].map { ($0, .plain) },
      message: remark ?? (instruction, .note), status: status,
      help: "q: quit  space: new game  z: level here  w: walls")
    if edge == .wall {
      let (right, bottom) = (Double(area.dotWidth - 1), Double(area.dotHeight - 1))
      let corners = [
        Point(x: 0, y: 0), Point(x: right, y: 0), Point(x: right, y: bottom), Point(x: 0, y: bottom),
      ]
      canvas.lines(corners + [corners[0]], in: area, Palette.faint)
    }
    drawBall(game, on: &canvas, area)
    return canvas
  }

  private var instruction: String {
    if isUnusable { return "Turn its tail light to you." }
    guard link != .silent else { return "Waiting for the first reading." }
    return "Tilt the ball in your hand, with its tail light towards you."
  }

  private func text(_ time: Duration) -> String { "\(Decimal.text(time / .seconds(1), digits: 1)) s" }

  private func drawBall(_ game: BallBalance, on canvas: inout Canvas, _ area: Area) {
    let scale = Double(area.dotHeight) / Self.viewHeight
    let radius = game.ballSize.x / 2
    let center = Point(x: game.position.x + radius, y: game.position.y + radius)
    func dots(_ middle: Double, _ limit: Int) -> Range<Int> {
      let (low, high) = (max(0, scale * (middle - radius)), min(Double(limit), scale * (middle + radius) + 1))
      return low < high ? Int(low)..<Int(high) : 0..<0
    }
    for y in dots(center.y, area.dotHeight) {
      for x in dots(center.x, area.dotWidth) {
        let (right, down) = (Double(x) / scale - center.x, Double(y) / scale - center.y)
        if right * right + down * down <= radius * radius {
          canvas.dot(x: x, y: y, in: area, Palette.series[0])
        }
      }
    }
  }
}
