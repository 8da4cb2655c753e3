// The floor: its walls, grip, slope and starting places, and its text format.

public import SpheroOrientation

/// Two coordinates on the floor: right and ahead of its origin, in metres or m/s.
public typealias Planar = SIMD2<Double>

extension SIMD2<Double> {
  func dot(_ other: Self) -> Double { (self * other).sum() }
  package var length: Double { dot(self).squareRoot() }
  /// The vector rotated by 90 degrees to the left.
  var left: Self { Self(-y, x) }
  var isFinite: Bool { x.isFinite && y.isFinite }
}

/// The floor, with lengths in metres.
///
/// The simulation ignores walls and starting places beyond 1000 km, and clamps the other numbers:
/// `grip` to 0...1000, `slope` to ±1000 on each axis, and `bounce` to 0...1; NaN counts as zero.
public struct Floor: Hashable, Sendable {
  /// A straight wall without thickness.
  public struct Wall: Hashable, Sendable {
    /// The ends in metres.
    public var start: Planar
    public var end: Planar

    public init(from start: Planar, to end: Planar) { (self.start, self.end) = (start, end) }

    func nearest(to place: Planar) -> Planar {
      let along = end - start
      let square = along.dot(along)
      guard square > 0 else { return start }
      let fraction = ((place - start).dot(along) / square).bounded(by: 0...1)
      return start + along * fraction
    }

    /// Whether the wall intersects the line between two places.
    func separates(_ one: Planar, _ other: Planar) -> Bool {
      let (along, way) = (end - start, other - one)
      // If the products have opposite signs, the two places are on different sides of the wall's line.
      let (before, behind) = (along.left.dot(one - start), along.left.dot(other - start))
      return before * behind < 0 && way.left.dot(start - one) * way.left.dot(end - one) <= 0
    }
  }

  public var walls: [Wall]
  /// The coefficient of friction between ball and floor: about 0.8 for rubber on wood, 0.1 for ice.
  public var grip: Double
  /// The downhill component of gravity, in m/s²; a free ball accelerates with 5/7 of it.
  public var slope: Planar
  /// The coefficient of restitution of the walls, 0...1.
  public var bounce: Double
  /// The starting places, in the order of the robots; further robots start to the right of the origin or around it.
  public var starts: [Planar]

  /// Creates a floor; by default level and unbounded.
  public init(
    walls: [Wall] = [], grip: Double = 0.8, slope: Planar = .zero, bounce: Double = 0.5, starts: [Planar] = []
  ) {
    (self.walls, self.grip, self.slope, self.bounce, self.starts) = (walls, grip, slope, bounce, starts)
  }

  /// The floor of simulated robots whose options name no floor: a room of 2 by 2 metres.
  public static let room = Floor(width: 2, depth: 2)

  /// Creates a level floor with four walls, centred on the origin.
  public init(width: Double, depth: Double) {
    let (x, y) = (width / 2, depth / 2)
    let corners = [Planar(-x, -y), Planar(x, -y), Planar(x, y), Planar(-x, y)]
    self.init(walls: corners.indices.map { Wall(from: corners[$0], to: corners[($0 + 1) % 4]) })
  }

  var bounded: Floor {
    func isNear(_ place: Planar) -> Bool { abs(place.x) <= 1e6 && abs(place.y) <= 1e6 }
    return Floor(
      walls: walls.filter { isNear($0.start) && isNear($0.end) }, grip: grip.bounded(by: 0...1_000),
      slope: Planar(slope.x.bounded(by: -1_000...1_000), slope.y.bounded(by: -1_000...1_000)),
      bounce: bounce.bounded(by: 0...1), starts: starts.filter(isNear))
  }

  /// Returns `count` places: those of ``starts``, then free places that no wall separates from the first, then places
  /// in the row to the right of the origin, where robots may touch walls or each other.
  func starts(for count: Int) -> [Planar] {
    var places = Array(starts.prefix(count))
    func row(_ index: Int) -> Planar { Planar(Double(index) * 0.3, 0) }
    for index in 0..<count where places.count < count {
      if isFree(row(index), among: places) { places.append(row(index)) }
    }
    // Squares around the origin; 0.085 m is about the smallest gap that `isFree` allows.
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

  /// Whether a ball is 1 cm away from balls and walls, and no wall separates it from the first or the origin.
  private func isFree(_ place: Planar, among others: [Planar]) -> Bool {
    let room = 0.01
    return others.allSatisfy { (place - $0).length > 2 * Body.radius + room }
      && walls.allSatisfy {
        (place - $0.nearest(to: place)).length > Body.radius + room
          && !$0.separates(others.first ?? .zero, place)
      }
  }

  /// The form and the meaning of each kind of line.
  public static let help: KeyValuePairs<String, String> = [
    "room W D":
      "Four walls around the origin: width and depth in metres. Without a file of the floor: room 2 2.",
    "wall X Y X Y": "A wall from one place to another.",
    "start X Y":
      "Where a robot begins, inside the room; one line for each. Without one they stand 0.3 m apart where there is room.",
    "grip N":
      "Friction as a fraction of the weight: 0.8 is rubber on wood, as without the line; 0.1 is ice.",
    "slope X Y": "The part of gravity that points downhill, in m/s²; less than 9.8.",
    "bounce N": "How much of the speed a wall gives back, 0...1; 0.5 without the line.",
  ]

  /// Parses the text of a floor.
  ///
  /// Each line is a word and its numbers, as in ``help``: `room 4 3`, `slope 0 0.3`. `#` begins a comment.
  ///
  /// - Throws: `TextLineError` for the first line that is not valid.
  public init(parsing text: some StringProtocol) throws(TextLineError) {
    var floor = Floor()
    var lines: [(line: TextLine, numbers: [Double])] = []
    try TextLine.forEach(of: text, subject: "floor", atMost: 10_000) { line throws(TextLineError) in
      let numbers = line.words.dropFirst().compactMap { Double(decimal: $0, within: 1_000) }
      guard numbers.count == line.words.count - 1, floor.apply(line.words[0], numbers) else {
        throw line.error(.unknownLine, "write \(Self.help.map { $0.key }.joined(separator: ", "))")
      }
      lines.append((line, numbers))
    }
    let rooms = lines.filter { $0.line.words[0] == "room" }.map { $0.numbers }
    let starts = zip(lines.filter { $0.line.words[0] == "start" }, floor.starts)
    for (index, (start, place)) in starts.enumerated() {
      let other = starts.prefix(index).first { ($0.1 - place).length < 2 * Body.radius }
      if let (other, _) = other {
        throw start.line.error(.tooClose, "the ball overlaps that of line \(other.line.number)")
      }
      for room in rooms {
        let (x, y) = (room[0] / 2 - Body.radius, room[1] / 2 - Body.radius)
        guard abs(place.x) > x || abs(place.y) > y else { continue }
        throw start.line.error(
          .tooFar,
          "the ball is not inside the room of \(room[0].numeral) by \(room[1].numeral) m; "
            + "write X from \((-x).numeral) to \(x.numeral) and Y from \((-y).numeral) to \(y.numeral)")
      }
    }
    self = floor
  }

  /// Applies the numbers of a line; returns false if the keyword or a number is not valid.
  private mutating func apply(_ keyword: String, _ numbers: [Double]) -> Bool {
    switch (keyword, numbers.count) {
    case ("room", 2):
      // A room holds at least one ball.
      guard min(numbers[0], numbers[1]) > 2 * Body.radius else { return false }
      walls += Floor(width: numbers[0], depth: numbers[1]).walls
    case ("wall", 4):
      walls.append(Wall(from: Planar(numbers[0], numbers[1]), to: Planar(numbers[2], numbers[3])))
    case ("start", 2): starts.append(Planar(numbers[0], numbers[1]))
    case ("grip", 1):
      guard numbers[0] > 0 else { return false }
      grip = numbers[0]
    case ("slope", 2):
      slope = Planar(numbers[0], numbers[1])
      return slope.length < Body.gravity
    case ("bounce", 1):
      guard (0...1).contains(numbers[0]) else { return false }
      bounce = numbers[0]
    default: return false
    }
    return true
  }
}
