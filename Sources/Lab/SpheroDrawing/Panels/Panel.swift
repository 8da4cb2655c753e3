// What screens that are operated by keys and mouse share: their inputs, their ends, the round control in cells.

import SpheroControls
import SpheroOrientation

/// Whether a panel goes on.
public enum PanelOutcome: Hashable, Sendable {
  /// It waits for more.
  case goesOn
  /// The person is content with what it shows.
  case confirmed
  /// The person leaves.
  case cancelled
}

/// A screen that is operated by keys and mouse: inputs and the time go in, a picture comes out.
public protocol Panel: Sendable {
  /// Takes the size of the screen, in cells.
  mutating func resize(width: Int, height: Int)
  /// Takes what a hand does.
  ///
  /// - Parameters:
  ///   - input: What it does; one that ``TerminalInput/isPlain``.
  ///   - now: The time, on any clock that does not run backwards.
  /// - Returns: Whether the panel goes on.
  mutating func take(_ input: TerminalInput, at now: Duration) -> PanelOutcome
  /// Lets go of all keys and of the mouse, as where the program is suspended.
  mutating func release()
  /// Draws the panel, or that the screen is too small for it.
  func draw(at now: Duration) -> Canvas
}

/// A round control in cells: the largest that fits, twice as many columns as rows, with a cell in its middle.
///
/// The middle of a cell is a point of the pad, and those at the edges lie on its rim.
struct PadFrame: Hashable, Sendable {
  /// The cells of the control.
  let area: Area
  /// The same as a pad; a cell is 1 wide and 1 high.
  let pad: Pad

  /// Fits a control into the middle of an area; nil where there are fewer than 5 rows or 9 columns.
  init?(in area: Area) {
    let fitting = min(area.height, (area.width + 1) / 2)
    let rows = fitting.isMultiple(of: 2) ? fitting - 1 : fitting
    let columns = 2 * rows - 1
    guard rows >= 5 else { return nil }
    self.area = Area(
      column: area.column + (area.width - columns) / 2, row: area.row + (area.height - rows) / 2,
      width: columns, height: rows)
    let (x, y) = (Double(self.area.column) + 0.5, Double(self.area.row) + 0.5)
    guard let pad = Pad(x: x, y: y, width: Double(columns - 1), height: Double(rows - 1)) else { return nil }
    self.pad = pad
  }

  /// The middle of a cell.
  static func point(column: Int, row: Int) -> Point { Point(x: Double(column) + 0.5, y: Double(row) + 0.5) }

  /// Whether a point is on the control, up to the outer edges of its cells, which lie half a cell beyond the rim.
  func contains(_ point: Point) -> Bool {
    let x = (point.x - pad.center.x) / (Double(area.width) / 2)
    let y = (point.y - pad.center.y) / (Double(area.height) / 2)
    return x * x + y * y <= 1
  }

  /// The cell of a point on the pad.
  static func cell(of point: Point) -> (column: Int, row: Int) {
    // Held to what a canvas can have, so that any number becomes a whole one.
    func whole(_ number: Double) -> Int { number > 0 ? Int(min(number, Double(Canvas.limit))) : 0 }
    return (whole(point.x), whole(point.y))
  }
}

extension Canvas {
  /// Draws the rim of a round control.
  mutating func rim(of frame: PadFrame, _ color: RGB?) {
    // A little within the rim, so that opposite places are rounded to opposite dots.
    for step in 0..<72 {
      line(
        from: dots(at: Double(step) * 5, 0.99, of: frame),
        to: dots(at: Double(step + 1) * 5, 0.99, of: frame), in: frame.area, color)
    }
  }

  /// Draws a line from the middle of a round control to a place on it.
  mutating func hand(at heading: Heading, magnitude: Double, of frame: PadFrame, _ color: RGB?) {
    line(
      from: dots(at: 0, 0, of: frame), to: dots(at: heading.degrees, magnitude, of: frame), in: frame.area,
      color)
  }

  /// Where a place on a round control is, in dots of its area.
  private func dots(at degrees: Double, _ magnitude: Double, of frame: PadFrame) -> Point {
    let place = frame.pad.point(
      at: Deflection(heading: Heading(degrees: degrees) ?? .ahead, magnitude: magnitude))
    // The middle of the first dot is a quarter of a cell from the left and an eighth from the top.
    return Point(
      x: 2 * (place.x - Double(frame.area.column)) - 0.5, y: 4 * (place.y - Double(frame.area.row)) - 0.5)
  }

  /// Writes parts of a head line with two blanks between them; what does not fit is left out.
  mutating func head(_ parts: [(text: String, style: Style)]) {
    var column = 0
    for (text, style) in parts where !text.isEmpty {
      let start = column == 0 ? 0 : column + 2
      guard start + text.unicodeScalars.count <= width else { continue }
      column = write(text, column: start, row: 0, style)
    }
  }

  /// Says that a screen is too small, and which one would do.
  mutating func tooSmall(leastWidth: Int, leastHeight: Int) {
    write("too small: needs \(leastWidth) columns, \(leastHeight) rows", column: 0, row: 0)
  }
}
