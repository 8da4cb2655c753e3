// Long series in few points: no peak is lost.

/// The values of a series in pieces of equal counts, each with its lowest and its highest value and their times.
///
/// Memory is bounded: where there are too many pieces, two become one. As long as each sample is a piece of its own,
/// nothing is lost at all.
struct Envelope: Sendable {
  /// A value and when it was measured.
  struct Point: Hashable, Sendable {
    var time: Double
    var value: Double
  }

  /// The extremes of a piece.
  struct Piece: Hashable, Sendable {
    var lowest: Point
    var highest: Point

    mutating func take(_ other: Piece) {
      if other.lowest.value < lowest.value { lowest = other.lowest }
      if other.highest.value > highest.value { highest = other.highest }
    }

    /// The points to draw, in the order of time; one where both extremes are the same.
    var points: [Point] {
      if lowest == highest { return [lowest] }
      return lowest.time <= highest.time ? [lowest, highest] : [highest, lowest]
    }
  }

  /// The pieces, the oldest first; nil where there was no value.
  private(set) var pieces: [Piece?] = []
  private let capacity: Int
  /// How many samples a piece takes, and how many the last one has.
  private var pieceSize = 1
  private var filled = 0

  init(capacity: Int = 2_048) { self.capacity = max(2, capacity) }

  /// Takes the next value; nil or one that is not finite interrupts the line.
  mutating func append(_ value: Double?, at time: Double) {
    let piece = value.flatMap { value -> Piece? in
      guard value.isFinite else { return nil }
      let point = Point(time: time, value: value)
      return Piece(lowest: point, highest: point)
    }
    if filled > 0, filled < pieceSize, let last = pieces.last {
      pieces[pieces.count - 1] = Self.joined(last, piece)
      filled += 1
    } else {
      pieces.append(piece)
      filled = 1
    }
    if pieces.count > capacity { halve() }
  }

  /// Interrupts the line.
  mutating func interrupt() {
    pieces.append(nil)
    filled = pieceSize
    if pieces.count > capacity { halve() }
  }

  private mutating func halve() {
    var halved: [Piece?] = []
    for index in stride(from: 0, to: pieces.count, by: 2) {
      halved.append(index + 1 < pieces.count ? Self.joined(pieces[index], pieces[index + 1]) : pieces[index])
    }
    // The last piece goes on where it was alone.
    if pieces.count % 2 == 0 { filled = pieceSize * 2 }
    pieceSize *= 2
    pieces = halved
  }

  private static func joined(_ a: Piece?, _ b: Piece?) -> Piece? {
    guard var piece = a else { return b }
    if let b { piece.take(b) }
    return piece
  }

  /// The lines to draw: points in the order of time, without what was interrupted.
  var lines: [[Point]] {
    var lines: [[Point]] = []
    var line: [Point] = []
    for piece in pieces {
      if let piece {
        line += piece.points
      } else if !line.isEmpty {
        lines.append(line)
        line = []
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// The lowest and the highest of all values; nil without any.
  var extremes: Extremes? {
    var extremes: Extremes?
    for case let piece? in pieces {
      for value in [piece.lowest.value, piece.highest.value] {
        if extremes == nil { extremes = Extremes(value) } else { extremes?.take(value) }
      }
    }
    return extremes
  }
}
