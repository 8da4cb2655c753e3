// The floor that robots roll on: how far it goes, its walls, its grip and its slope.

/// Two coordinates on the floor: right and ahead of its origin, in metres or metres a second.
public typealias Planar = SIMD2<Double>

extension SIMD2<Double> {
  /// The scalar product.
  func dot(_ other: Self) -> Double { (self * other).sum() }
  /// The length.
  var length: Double { dot(self).squareRoot() }
  /// The vector a quarter turn to the left.
  var left: Self { Self(-y, x) }
  /// Whether both coordinates are finite.
  var isFinite: Bool { x.isFinite && y.isFinite }
}

/// The floor that robots roll on.
///
/// Its origin is where the first robot begins; lengths are metres.
public struct Floor: Hashable, Sendable {
  /// A straight wall without thickness.
  public struct Wall: Hashable, Sendable {
    /// One end.
    public var start: Planar
    /// The other end.
    public var end: Planar
    /// Makes a wall between two places.
    public init(from start: Planar, to end: Planar) { (self.start, self.end) = (start, end) }
  }

  /// The walls.
  public var walls: [Wall]
  /// Friction between ball and floor as a fraction of the weight; 0.8 is rubber on wood, 0.1 is ice.
  public var grip: Double
  /// The part of gravity that points downhill, in metres a second squared; a free ball gathers 5/7 of it.
  public var slope: Planar
  /// How much of the speed a bounce gives back, 0...1.
  public var bounce: Double
  /// Where robots begin, in the order of the robots.
  ///
  /// Those without a place stand in a row to the right of the origin, and where walls leave no room there,
  /// around it.
  public var starts: [Planar]

  /// Makes a floor; without arguments, one that is level and goes on for ever.
  public init(
    walls: [Wall] = [], grip: Double = 0.8, slope: Planar = .zero, bounce: Double = 0.5,
    starts: [Planar] = []
  ) {
    (self.walls, self.grip, self.slope) = (walls, grip, slope)
    (self.bounce, self.starts) = (bounce, starts)
  }

  /// Makes a level floor with four walls around it, centred on the origin.
  public init(width: Double, depth: Double) {
    let (x, y) = (width / 2, depth / 2)
    let corners = [Planar(-x, -y), Planar(x, -y), Planar(x, y), Planar(-x, y)]
    self.init(walls: corners.indices.map { Wall(from: corners[$0], to: corners[($0 + 1) % 4]) })
  }

  /// Where robots begin: the places of ``starts`` and, after them, free ones in sight of the first.
  ///
  /// Beyond the robots for which there is room, the row to the right goes on through the walls.
  func starts(for count: Int) -> [Planar] {
    var places = Array(starts.prefix(count))
    func row(_ index: Int) -> Planar { Planar(Double(index) * 0.3, 0) }
    for index in 0..<max(count, 0) where places.count < count {
      if isFree(row(index), among: places) { places.append(row(index)) }
    }
    for (gap, rings) in [(0.3, 20), (0.085, 60)] {
      for ring in 1...rings where places.count < count {
        for x in -ring...ring {
          for y in -ring...ring where max(abs(x), abs(y)) == ring && places.count < count {
            let place = Planar(Double(x), Double(y)) * gap
            if isFree(place, among: places) { places.append(place) }
          }
        }
      }
    }
    while places.count < count { places.append(row(places.count)) }
    return places
  }

  /// Whether a ball that begins here touches nothing, and no wall stands between it and the first one.
  private func isFree(_ place: Planar, among others: [Planar]) -> Bool {
    let room = 0.01
    return others.allSatisfy { (place - $0).length > 2 * Body.radius + room }
      && walls.allSatisfy {
        (place - $0.nearest(to: place)).length > Body.radius + room
          && !$0.separates(others.first ?? .zero, place)
      }
  }
}

extension Floor.Wall {
  /// The point of the wall that is nearest to a place.
  func nearest(to place: Planar) -> Planar {
    let along = end - start
    let square = along.dot(along)
    guard square > 0 else { return start }
    let fraction = min(max((place - start).dot(along) / square, 0), 1)
    return start + along * fraction
  }

  /// Whether the straight way between two places goes through the wall.
  func separates(_ one: Planar, _ other: Planar) -> Bool {
    let (along, way) = (end - start, other - one)
    let (before, behind) = (along.left.dot(one - start), along.left.dot(other - start))
    return before * behind < 0 && way.left.dot(start - one) * way.left.dot(end - one) <= 0
  }
}
