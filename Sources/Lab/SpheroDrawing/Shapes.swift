// Shapes for cells and for SVG: the axis, the trail of a ball on the floor, and its attitude.

public import SpheroControls
public import SpheroOrientation

/// The range of an axis with its ticks.
struct Scale: Hashable, Sendable {
  /// The values at the ends.
  let lowest, highest: Double
  /// The difference between two ticks: 1, 2 or 5 times a power of ten, or a multiple of a quarter turn.
  let step: Double
  /// The number of decimals of the ticks.
  let digits: Int

  /// Finds round numbers around a range, or around 0...1 if an end is not within ±1e100.
  ///
  /// `ticks` is the largest number of steps, at least 1; each end may add one.
  /// With `degrees`, the steps are multiples of a quarter turn if steps of 45° do not suffice.
  init(_ lowest: Double, _ highest: Double, ticks: Int = 4, degrees: Bool = false) {
    var (low, high) = (lowest, highest)
    guard low.isFinite, high.isFinite, abs(low) < 1e100, abs(high) < 1e100 else {
      (self.lowest, self.highest, step, digits) = (0, 1, 1, 0)
      return
    }
    let roundingError = max(max(abs(low), abs(high)) * 1e-9, 1e-8)
    if high - low <= roundingError {
      let margin = max(0.5, roundingError)
      (low, high) = (low - margin, high + margin)
    }
    let size = (high - low) / Double(max(1, ticks))
    (step, digits) = degrees && size > 45 ? (Self.angleStep(atLeast: size), 0) : Self.step(atLeast: size)
    self.lowest = (low / step + 1e-9).rounded(.down) * step
    self.highest = (high / step - 1e-9).rounded(.up) * step
  }

  /// Makes a scale with exact ends and round ticks between them.
  init(exactly lowest: Double, _ highest: Double, ticks: Int) {
    let round = Scale(lowest, highest, ticks: ticks)
    (self.lowest, self.highest) = highest > lowest ? (lowest, highest) : (round.lowest, round.highest)
    (step, digits) = (round.step, round.digits)
  }

  /// The round values within the scale, ascending, at most 64.
  var ticks: [Double] {
    let first = (lowest / step - 1e-9).rounded(.up)
    return (0..<64).map { (first + Double($0)) * step }.filter { $0 <= highest + step * 1e-9 }
  }

  /// The relative position of a value: 0 at the lower end, 1 at the upper end.
  func fraction(of value: Double) -> Double { (value - lowest) / (highest - lowest) }

  /// The smallest quarter turn, half turn, turn or double of these that is at least a size, in degrees.
  private static func angleStep(atLeast size: Double) -> Double {
    var step = 90.0
    while step < size * (1 - 1e-9) { step *= 2 }
    return step
  }

  /// The smallest round step that is at least a size, and its number of decimals.
  static func step(atLeast size: Double) -> (step: Double, digits: Int) {
    guard size > 1e-9 else { return (1e-9, 9) }
    var (power, digits) = (1.0, 0)
    while power > size {
      power /= 10
      digits += 1
    }
    while power * 10 <= size { power *= 10 }
    for factor in [1.0, 2, 5] where power * factor >= size * (1 - 1e-9) { return (power * factor, digits) }
    return (power * 10, max(0, digits - 1))
  }
}

/// The positions of the ball on the floor with their times and colours.
///
/// Memory is bounded: a point is dropped if it has the colour of the previous one and is at most ``spacing`` away from it.
/// When there are too many points, the spacing doubles, and if necessary colours are ignored.
/// Each point that was added is less than twice ``spacing`` away from one that is kept.
public struct Trail: Hashable, Sendable {
  /// A position of the robot, with its time and colour.
  public struct Point: Hashable, Sendable {
    /// The position to the right of the origin, in centimetres.
    public var x: Double
    /// The position ahead of the origin, in centimetres.
    public var y: Double
    /// The time in seconds.
    public var time: Double
    /// The colour of the ball; nil if unknown.
    public var color: RGB?

    public init(x: Double, y: Double, time: Double, color: RGB? = nil) {
      (self.x, self.y, self.time, self.color) = (x, y, time, color)
    }
  }

  /// The points that are kept, the oldest first.
  public private(set) var points: [Point] = []
  /// The latest point, even if it is not kept.
  public private(set) var last: Point?
  /// The minimum distance of consecutive points of one colour, in centimetres.
  public private(set) var spacing = 0.0
  private let capacity: Int

  /// Makes an empty trail that keeps up to `capacity` points.
  public init(capacity: Int = 2_000) { self.capacity = max(2, capacity) }

  /// Adds a point, unless its coordinates are not finite.
  public mutating func append(_ point: Point) {
    guard point.x.isFinite, point.y.isFinite else { return }
    last = point
    guard isFar(point, from: points.last) else { return }
    points.append(point)
    guard points.count > capacity else { return }
    // Half a centimetre at first, because the locator counts whole ones.
    spacing = max(0.5, spacing * 2)
    let kept = thinned(ignoringColor: false)
    points = kept.count > capacity ? thinned(ignoringColor: true) : kept
  }

  private func thinned(ignoringColor: Bool) -> [Point] {
    points.reduce(into: []) { kept, point in
      if isFar(point, from: kept.last, ignoringColor: ignoringColor) { kept.append(point) }
    }
  }

  private func isFar(_ point: Point, from other: Point?, ignoringColor: Bool = false) -> Bool {
    guard let other, ignoringColor || point.color == other.color else { return true }
    let (x, y) = (point.x - other.x, point.y - other.y)
    return x * x + y * y > spacing * spacing
  }

  /// The points that are kept, followed by the latest one.
  public var line: [Point] {
    guard let last, last != points.last else { return points }
    return points + [last]
  }
}

/// The projection of a trail onto a picture, with equal scales in both directions.
struct TrailProjection: Sendable {
  /// Units of the picture per centimetre.
  let scale: Double
  let center: (x: Double, y: Double)
  private let middle: Point

  /// The smallest extent in centimetres, so that noise does not fill the picture of a ball at rest.
  private static let minimumExtent = 20.0

  /// Fits points and the origin into a picture, whose width and height are above 0.
  init(_ points: [Trail.Point], width: Double, height: Double) {
    var (x, y) = (0.0...0.0, 0.0...0.0)
    for point in points { (x, y) = (x.extended(to: point.x), y.extended(to: point.y)) }
    scale = min(
      width / max(x.upperBound - x.lowerBound, Self.minimumExtent),
      height / max(y.upperBound - y.lowerBound, Self.minimumExtent))
    center = ((x.lowerBound + x.upperBound) / 2, (y.lowerBound + y.upperBound) / 2)
    middle = Point(x: width / 2, y: height / 2)
  }

  /// The point of the picture at a position: x grows to the right, y downward, ahead is up.
  func point(x: Double, y: Double) -> Point {
    Point(x: middle.x + scale * (x - center.x), y: middle.y - scale * (y - center.y))
  }
}

extension Canvas {
  /// Draws a trail in the colours of the ball: ahead is up, `+` is the origin, `@` the ball.
  ///
  /// Returns the width of the area in centimetres, or nil if it is too small.
  @discardableResult mutating func floor(_ trail: Trail, in area: Area) -> Double? {
    guard area.width >= 3, area.height >= 2 else { return nil }
    let points = trail.line
    let projection = TrailProjection(
      points, width: Double(area.dotWidth - 1), height: Double(area.dotHeight - 1))
    func projected(_ point: Trail.Point) -> Point { projection.point(x: point.x, y: point.y) }
    for (start, end) in zip(points, points.dropFirst()) {
      line(from: projected(start), to: projected(end), in: area, end.color?.visible)
    }
    symbol("+", at: projection.point(x: 0, y: 0), in: area, Style(Palette.faint))
    if let last = trail.last {
      symbol("@", at: projected(last), in: area, Style(last.color?.visible, isBold: true))
    }
    return Double(area.dotWidth) / projection.scale
  }
}

/// The ball as it is seen from behind its tail light at heading 0, and slightly from above.
///
/// The picture is a parallel projection onto a unit circle around the origin: x grows to the right, y downward.
/// It shows only the parts that face the viewer: the ring through the sides of the body (level if the ball is
/// level), the ring through its nose, top and tail, and the nose and the tail light.
public struct AttitudeBall: Sendable {
  /// A great circle of the ball.
  public enum Ring: Hashable, Sendable, CaseIterable {
    /// The plane of the right and forward axes of the body.
    case horizontal
    /// The plane of the forward and up axes of the body.
    case vertical
  }

  /// A point of the picture, and whether it faces the viewer.
  public typealias Projection = (point: Point, isVisible: Bool)

  /// How far the viewer looks down.
  public static let slope = Angle(degrees: 25)

  /// The visible arcs of the rings.
  public let lines: [(ring: Ring, points: [Point])]
  /// The front of the robot, opposite the tail light.
  public let nose: Projection
  /// The position of the tail light.
  public let tail: Projection
  /// The top of the robot.
  public let top: Projection

  private static let steps = 48

  /// Draws an attitude, which rotates body to reference coordinates: x right, y forward, z up.
  public init(_ attitude: Rotation) {
    nose = Self.project(attitude.act(on: Vector3(0, 1, 0)))
    tail = Self.project(attitude.act(on: Vector3(0, -1, 0)))
    top = Self.project(attitude.act(on: Vector3(0, 0, 1)))
    lines = Ring.allCases.flatMap { ring in
      let seen = (0...Self.steps).map { step in
        let circle = Point.unit(at: 360 * Double(step) / Double(Self.steps))
        let body = ring == .horizontal ? Vector3(circle.x, circle.y, 0) : Vector3(0, circle.y, circle.x)
        return Self.project(attitude.act(on: body))
      }
      let arcs = seen.split { !$0.isVisible }.filter { $0.count > 1 }
      return arcs.map { arc in (ring: ring, points: arc.map { $0.point }) }
    }
  }

  private static func project(_ v: Vector3) -> Projection {
    let view = Point.unit(at: slope.degrees)
    return (Point(x: v.x, y: -(v.z * view.y + v.y * view.x)), v.z * view.x - v.y * view.y >= 0)
  }
}

extension Point {
  /// The point of the unit circle at a heading in degrees: 0 is +y, 90 is +x.
  fileprivate static func unit(at degrees: Double) -> Point {
    let deflection = Deflection(heading: Heading(degrees: degrees) ?? .ahead, magnitude: 1)
    return Point(x: deflection.x, y: deflection.y)
  }
}

extension Canvas {
  /// Draws a ball as large as the area allows: the nose is `^`, the tail light `o`; without an attitude, the outline.
  mutating func ball(_ attitude: Rotation?, in area: Area, _ color: RGB?) {
    let radius = Double(min(area.dotWidth, area.dotHeight)) / 2 - 1
    guard radius >= 3 else { return }
    func scaled(_ point: Point) -> Point {
      Point(
        x: Double(area.dotWidth - 1) / 2 + radius * point.x,
        y: Double(area.dotHeight - 1) / 2 + radius * point.y)
    }
    lines((0...72).map { scaled(.unit(at: 5 * Double($0))) }, in: area, Palette.faint)
    guard let attitude else { return }
    let ball = AttitudeBall(attitude)
    for (_, points) in ball.lines { lines(points.map(scaled), in: area, color) }
    if ball.nose.isVisible { symbol("^", at: scaled(ball.nose.point), in: area, .bold) }
    if ball.tail.isVisible {
      symbol("o", at: scaled(ball.tail.point), in: area, Style(Palette.tailLight, isBold: true))
    }
  }
}
