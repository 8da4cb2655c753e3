// The way of a ball over the floor, in bounded memory, and its place in a picture.

public import SpheroControls

/// The way over the floor: where the ball was, when, and in which colour.
///
/// Memory is bounded: points that are nearer to each other than ``spacing`` are left out,
/// and where too many are left, the spacing doubles. So every point that was ever added is at most ``spacing`` away
/// from one that is kept.
public struct FloorPath: Hashable, Sendable {
  /// A place on the floor.
  public struct Place: Hashable, Sendable {
    /// Centimetres to the right of the origin.
    public var x: Double
    /// Centimetres ahead of the origin.
    public var y: Double
    /// When the ball was there, in seconds.
    public var time: Double
    /// The colour of the ball; nil where nobody knows it.
    public var color: RGB?

    /// Makes a place.
    public init(x: Double, y: Double, time: Double, color: RGB? = nil) {
      (self.x, self.y, self.time, self.color) = (x, y, time, color)
    }
  }

  /// The places that are kept, the oldest first.
  public private(set) var places: [Place] = []
  /// Where the ball was last, kept or not.
  public private(set) var last: Place?
  /// The centimetres within which no further place is kept.
  public private(set) var spacing = 0.0
  private let capacity: Int

  /// Starts without places.
  ///
  /// - Parameter capacity: How many places are kept.
  public init(capacity: Int = 2_000) { self.capacity = max(2, capacity) }

  /// Adds a place; coordinates that are not finite are left out.
  public mutating func append(_ place: Place) {
    guard place.x.isFinite, place.y.isFinite else { return }
    last = place
    guard isFar(place, from: places.last) else { return }
    places.append(place)
    guard places.count > capacity else { return }
    // From nothing, half a centimetre: the locator counts whole ones.
    spacing = max(0.5, spacing * 2)
    var kept: [Place] = []
    for place in places where isFar(place, from: kept.last) { kept.append(place) }
    places = kept
  }

  private func isFar(_ place: Place, from other: Place?) -> Bool {
    guard let other else { return true }
    if place.color != other.color { return true }
    let (x, y) = (place.x - other.x, place.y - other.y)
    return x * x + y * y > spacing * spacing || (spacing == 0 && (x != 0 || y != 0))
  }

  /// All places, with the last one where the ball was.
  public var line: [Place] {
    guard let last, last != places.last else { return places }
    return places + [last]
  }
}

/// Where places of the floor lie in a picture: the same scale for both ways, the whole path within.
public struct FloorView: Hashable, Sendable {
  /// How long one centimetre is, in the unit of the picture.
  public let scale: Double
  /// The place in the middle, in centimetres.
  public let center: (x: Double, y: Double)
  private let middle: Point

  /// The least extent that is shown, in centimetres: a ball that lies still does not fill the picture with noise.
  public static let leastExtent = 20.0

  /// Fits a path, and the origin, into a picture.
  ///
  /// - Parameters:
  ///   - places: What must be seen.
  ///   - width: The width of the picture, above 0.
  ///   - height: The height of the picture, above 0.
  public init(_ places: [FloorPath.Place], width: Double, height: Double) {
    var (across, along) = (Extremes(0), Extremes(0))
    for place in places {
      across.take(place.x)
      along.take(place.y)
    }
    let extent = (
      max(across.highest - across.lowest, Self.leastExtent),
      max(along.highest - along.lowest, Self.leastExtent)
    )
    scale = min(width / extent.0, height / extent.1)
    center = ((across.lowest + across.highest) / 2, (along.lowest + along.highest) / 2)
    middle = Point(x: width / 2, y: height / 2)
  }

  /// The point of a place: x grows to the right, y downward, ahead is up.
  public func point(x: Double, y: Double) -> Point {
    Point(x: middle.x + scale * (x - center.x), y: middle.y - scale * (y - center.y))
  }

  /// Views are the same that show the same.
  public static func == (a: FloorView, b: FloorView) -> Bool {
    a.scale == b.scale && a.center == b.center && a.middle == b.middle
  }

  /// Hashes scale and middle.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(scale)
    hasher.combine(center.x)
    hasher.combine(center.y)
    hasher.combine(middle)
  }
}

extension Canvas {
  /// Draws a path on the floor in the colours of the ball: ahead is up, `+` is the origin, `@` the ball.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - area: Where to draw.
  /// - Returns: The centimetres that the area is wide, or nil where nothing fits.
  @discardableResult public mutating func floor(_ path: FloorPath, in area: Area) -> Double? {
    guard area.width >= 3, area.height >= 2 else { return nil }
    let places = path.line
    let (right, bottom) = (Double(area.dotWidth - 1), Double(area.dotHeight - 1))
    let view = FloorView(places, width: right, height: bottom)
    func mark(_ sign: Unicode.Scalar, _ point: Point, _ style: Style) {
      guard (0...right).contains(point.x.rounded()), (0...bottom).contains(point.y.rounded()) else { return }
      self[area.column + Int(point.x.rounded()) / 2, area.row + Int(point.y.rounded()) / 4] = Cell(
        sign, style)
    }
    for (start, end) in zip(places, places.dropFirst()) {
      line(
        from: view.point(x: start.x, y: start.y), to: view.point(x: end.x, y: end.y), in: area,
        end.color?.visible)
    }
    mark("+", view.point(x: 0, y: 0), Style(Palette.faint))
    if let last = path.last {
      mark("@", view.point(x: last.x, y: last.y), Style(last.color?.visible, isBold: true))
    }
    return Double(area.dotWidth) / view.scale
  }
}

extension RGB {
  /// This colour where it can be seen on black and on white: a light that is off is grey.
  var visible: RGB {
    let brightest = max(red, green, blue)
    guard brightest >= 64 else { return Palette.faint }
    let isNearWhite = min(red, green, blue) > 224
    return isNearWhite ? RGB(red: 192, green: 192, blue: 192) : self
  }
}
