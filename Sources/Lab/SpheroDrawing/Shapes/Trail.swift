// The trail of a ball on the floor in bounded memory, and its projection onto a picture.

public import SpheroControls

/// The positions of the ball on the floor with their times and colours.
///
/// Memory is bounded: points closer to each other than ``spacing`` are dropped, and when there are too many,
/// the spacing doubles. Each point that was added is at most ``spacing`` away from one that is kept.
public struct Trail: Hashable, Sendable {
  public struct Point: Hashable, Sendable {
    /// Centimetres to the right of the origin.
    public var x: Double
    /// Centimetres ahead of the origin.
    public var y: Double
    /// Seconds.
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
  /// The minimum distance of points in centimetres.
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
    var kept: [Point] = []
    for point in points where isFar(point, from: kept.last) { kept.append(point) }
    points = kept
  }

  private func isFar(_ point: Point, from other: Point?) -> Bool {
    guard let other, point.color == other.color else { return true }
    let (x, y) = (point.x - other.x, point.y - other.y)
    return x * x + y * y > spacing * spacing || (spacing == 0 && (x != 0 || y != 0))
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
  /// The centre in centimetres.
  let center: (x: Double, y: Double)
  private let middle: Point

  /// The smallest extent in centimetres, so that noise does not fill the picture of a ball at rest.
  private static let minimumExtent = 20.0

  /// Fits points and the origin into a picture, whose sizes are above 0.
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
  /// - Returns: The width of the area in centimetres, or nil if it is too small.
  @discardableResult public mutating func floor(_ trail: Trail, in area: Area) -> Double? {
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
