// The parser of the page's commands.

import SpheroControls
import SpheroOrientation

/// A parser of a command: words that are separated by spaces.
struct CommandParser {
  /// The first word; empty if the line has none.
  let first: String
  private var words: ArraySlice<Substring>

  init(_ line: String) {
    let parts = line.split(separator: " ")
    first = parts.first.map { String($0) } ?? ""
    words = parts.dropFirst()
  }

  var isAtEnd: Bool { words.isEmpty }

  /// Removes and returns the next word; without one, the error states what is expected.
  mutating func next(_ expected: String) throws(PageError) -> String {
    guard let word = words.popFirst() else { throw PageError("'\(first)' wants more: \(expected)") }
    return String(word)
  }

  /// Removes and returns the next word, which is one of several.
  mutating func next(of words: [String]) throws(PageError) -> String {
    let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    let word = try next(list)
    guard words.contains(word) else { throw PageError("'\(first)' is followed by \(list)") }
    return word
  }

  /// Removes the next word if it is the given one, and returns whether it was.
  mutating func skip(_ word: Substring) -> Bool {
    guard words.first == word else { return false }
    words.removeFirst()
    return true
  }

  mutating func rest() -> String { takeAll().joined(separator: " ") }

  mutating func takeAll() -> [String] {
    defer { words = [] }
    return words.map { String($0) }
  }

  /// Removes and returns the next word as a number within bounds.
  mutating func number(in bounds: ClosedRange<Double>) throws(PageError) -> Double {
    let word = try next("a number")
    guard let number = Double(word), bounds.contains(number) else {
      throw PageError("'\(word)' is not a number in \(bounds.lowerBound)...\(bounds.upperBound)")
    }
    return number
  }

  /// Removes and returns the only remaining word as a number within bounds.
  mutating func lastNumber(in bounds: ClosedRange<Double>) throws(PageError) -> Double {
    let number = try number(in: bounds)
    return try end { number }
  }

  /// Removes the next two words, a position with x to the right and y upward, and returns it as a point on a screen.
  mutating func point() throws(PageError) -> Point {
    let (x, y) = (try number(in: -1e6...1e6), try number(in: -1e6...1e6))
    // The y axis of a `Point` points downward.
    return Point(x: x, y: -y)
  }

  /// Removes the three remaining words, the attitude of a phone: `beta` and `gamma` of a `DeviceOrientationEvent`,
  /// rotations about its x axis and then about its y axis, and the angle of `screen.orientation`, all in degrees.
  ///
  /// Returns gravity in g on the axes of the phone (right, top, out of the screen), and the edge away from the user.
  mutating func orientation() throws(PageError) -> (gravity: Vector3, farEdge: TiltDrive.Edge) {
    let (beta, gamma) = (try number(in: -180...180), try number(in: -90...90))
    let screen = try lastNumber(in: 0...270)
    guard let quarters = Int(exactly: screen / 90) else {
      throw PageError("the angle of a screen is 0, 90, 180 or 270, not \(screen)")
    }
    let radians = Double.pi / 180
    let aboutX = Rotation(rotationVector: Vector3(beta * radians, 0, 0)) ?? .identity
    let aboutY = Rotation(rotationVector: Vector3(0, gamma * radians, 0)) ?? .identity
    return ((aboutX * aboutY).inverse.act(on: Vector3(0, 0, -1)), TiltDrive.Edge.allCases[quarters])
  }

  /// Calls `body` and returns its result if no words remain; otherwise throws.
  func end<Result>(_ body: () -> Result) throws(PageError) -> Result {
    guard let word = words.first else { return body() }
    throw PageError("'\(word)' is unexpected after '\(first)'")
  }
}
