// The text format of floors.

public import SpheroOrientation

extension Floor {
  /// The maximum number of lines of a text.
  private static let maximumLines = 10_000
  /// The maximum magnitude of a number, in the unit of its line.
  private static let maximumNumber = 1_000.0

  /// The form and the meaning of each kind of line.
  public static let help: [(form: String, text: String)] = [
    (
      "room W D",
      "Four walls around the origin: width and depth in metres. Without a file of the floor: room 2 2."
    ),
    ("wall X Y X Y", "A wall from one place to another."),
    (
      "start X Y",
      "Where a robot begins, inside the room; one line for each. Without one they stand 0.3 m apart where there is room."
    ),
    (
      "grip N",
      "Friction as a fraction of the weight: 0.8 is rubber on wood, as without the line; 0.1 is ice."
    ),
    ("slope X Y", "The part of gravity that points downhill, in m/s²; less than 9.8."),
    ("bounce N", "How much of the speed a wall gives back, 0...1; 0.5 without the line."),
  ]

  /// Parses the text of a floor.
  ///
  /// Each line is a word and its numbers, as in ``help``: `room 4 3`, `slope 0 0.3`. `#` begins a comment.
  ///
  /// - Throws: `TextLineError` for the first line that is not valid.
  public init(parsing text: some StringProtocol) throws(TextLineError) {
    var floor = Floor()
    var rooms: [(width: Double, depth: Double)] = []
    var starts: [(line: TextLine, place: Planar)] = []
    try TextLine.forEach(of: text, subject: "floor", atMost: Self.maximumLines) {
      line throws(TextLineError) in
      let numbers = line.words.dropFirst().compactMap { Double(decimal: $0, within: Self.maximumNumber) }
      guard numbers.count == line.words.count - 1, floor.apply(line.words[0], numbers) else {
        throw line.error(.unknownLine, "write \(Self.help.map { $0.form }.joined(separator: ", "))")
      }
      switch line.words[0] {
      case "room": rooms.append((numbers[0], numbers[1]))
      case "start": starts.append((line, Planar(numbers[0], numbers[1])))
      default: break
      }
    }
    for (index, start) in starts.enumerated() {
      func overlaps(_ place: Planar) -> Bool { (place - start.place).length < 2 * Body.radius }
      if let other = starts.prefix(index).first(where: { overlaps($0.place) }) {
        throw start.line.error(.tooClose, "the ball overlaps that of line \(other.line.number)")
      }
      // Every room has walls, so a start must be inside all rooms.
      guard let room = rooms.first(where: { !Self.contains(start.place, $0.width, $0.depth) }) else {
        continue
      }
      let (x, y) = (room.width / 2 - Body.radius, room.depth / 2 - Body.radius)
      throw start.line.error(
        .tooFar,
        "the ball is not inside the room of \(room.width.numeral) by \(room.depth.numeral) m; "
          + "write X from \((-x).numeral) to \(x.numeral) and Y from \((-y).numeral) to \(y.numeral)")
    }
    self = floor
  }

  /// Whether a ball at a place is inside a room around the origin.
  private static func contains(_ place: Planar, _ width: Double, _ depth: Double) -> Bool {
    abs(place.x) <= width / 2 - Body.radius && abs(place.y) <= depth / 2 - Body.radius
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
