// Dots and lines in braille characters: each cell has two columns and four rows of dots.

public import SpheroControls

extension Area {
  /// How many columns of dots it has.
  public var dotWidth: Int { 2 * width }
  /// How many rows of dots it has.
  public var dotHeight: Int { 4 * height }
}

extension Canvas {
  /// The bits of a braille character, row by row.
  private static let dotBits: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
  /// Braille without dots.
  private static let noDots: UInt32 = 0x2800

  /// Sets a dot; other dots of its cell stay, and take its colour.
  ///
  /// - Parameters:
  ///   - x: The column of the dot, from the left of the area.
  ///   - y: The row of the dot, from the top of the area.
  ///   - area: Where it may be; dots outside are left out.
  ///   - color: The colour of the dots of the cell; nil is the terminal's own.
  public mutating func dot(x: Int, y: Int, in area: Area, _ color: RGB?) {
    guard x >= 0, x < area.dotWidth, y >= 0, y < area.dotHeight else { return }
    let (column, row) = (area.column + x / 2, area.row + y / 4)
    var cell = self[column, row]
    let former = cell.character.value & ~0xFF == Self.noDots ? cell.character.value : Self.noDots
    cell.character = Unicode.Scalar(former | Self.dotBits[y % 4 * 2 + x % 2]) ?? " "
    cell.style.foreground = color
    self[column, row] = cell
  }

  /// Draws a line of dots; what lies outside the area is cut off.
  ///
  /// - Parameters:
  ///   - start: Where it begins, in dots from the upper left corner of the area.
  ///   - end: Where it ends.
  ///   - area: Where it may be.
  ///   - color: The colour of the cells that it touches.
  public mutating func line(from start: Point, to end: Point, in area: Area, _ color: RGB?) {
    guard
      let (start, end) = Self.clipped(
        start, end, Double(area.dotWidth) - 0.501, Double(area.dotHeight) - 0.501)
    else { return }
    let (width, height) = (end.x - start.x, end.y - start.y)
    // Clipped, the line is as long as the area at most.
    let steps = max(1, Int(max(abs(width), abs(height)).rounded(.up)))
    for step in 0...steps {
      let part = Double(step) / Double(steps)
      let (x, y) = (start.x + part * width, start.y + part * height)
      dot(x: Int(x.rounded()), y: Int(y.rounded()), in: area, color)
    }
  }

  /// The part of a line between -0.499 and the limits, which round to dots (Liang and Barsky 1984); nil where there is none.
  private static func clipped(
    _ start: Point, _ end: Point, _ right: Double, _ bottom: Double
  ) -> (Point, Point)? {
    let (width, height) = (end.x - start.x, end.y - start.y)
    guard width.isFinite, height.isFinite, start.x.isFinite, start.y.isFinite else { return nil }
    var (first, last) = (0.0, 1.0)
    let edges = [
      (-width, start.x + 0.499), (width, right - start.x), (-height, start.y + 0.499),
      (height, bottom - start.y),
    ]
    for (way, room) in edges {
      if way == 0 {
        if room < 0 { return nil }
      } else if way < 0 {
        first = max(first, room / way)
      } else {
        last = min(last, room / way)
      }
    }
    guard first <= last else { return nil }
    return (
      Point(x: start.x + first * width, y: start.y + first * height),
      Point(x: start.x + last * width, y: start.y + last * height)
    )
  }
}
