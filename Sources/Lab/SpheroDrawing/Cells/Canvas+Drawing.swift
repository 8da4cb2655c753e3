// Dots and lines in braille characters, bars, and traces of values.

import SpheroControls

/// Braille characters divide a cell into two columns and four rows of dots.
extension Area {
  var dotWidth: Int { 2 * width }
  var dotHeight: Int { 4 * height }
}

extension Canvas {
  /// The bits of the dots of a braille character in row-major order.
  private static let dotBits: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
  private static let emptyBraille: UInt32 = 0x2800

  /// Sets a dot, in dots from the upper left corner of the area; other dots of the cell stay and get its colour.
  mutating func dot(x: Int, y: Int, in area: Area, _ color: RGB?) {
    guard x >= 0, x < area.dotWidth, y >= 0, y < area.dotHeight else { return }
    let (column, row) = (area.column + x / 2, area.row + y / 4)
    var cell = self[column, row]
    let isBraille = cell.character.value & ~0xFF == Self.emptyBraille
    let bits = isBraille ? cell.character.value : Self.emptyBraille
    cell.character = Unicode.Scalar(bits | Self.dotBits[y % 4 * 2 + x % 2]) ?? " "
    cell.style.foreground = color
    self[column, row] = cell
  }

  /// Draws a line, in dots from the upper left corner of the area, clipped to the area.
  mutating func line(from start: Point, to end: Point, in area: Area, _ color: RGB?) {
    guard
      let (start, end) = Self.clipped(
        start, end, Double(area.dotWidth) - 0.501, Double(area.dotHeight) - 0.501)
    else { return }
    let (width, height) = (end.x - start.x, end.y - start.y)
    // The clipped line is at most as long as the area.
    let steps = max(1, Int(max(abs(width), abs(height)).rounded(.up)))
    for step in 0...steps {
      let part = Double(step) / Double(steps)
      let (x, y) = (start.x + part * width, start.y + part * height)
      dot(x: Int(x.rounded()), y: Int(y.rounded()), in: area, color)
    }
  }

  mutating func lines(_ points: [Point], in area: Area, _ color: RGB?) {
    for (start, end) in zip(points, points.dropFirst()) { line(from: start, to: end, in: area, color) }
  }

  /// Writes a symbol over the dot at a point, unless the point is outside the area.
  mutating func symbol(_ symbol: Unicode.Scalar, at point: Point, in area: Area, _ style: Style) {
    let (x, y) = (point.x.rounded(), point.y.rounded())
    guard x >= 0, x < Double(area.dotWidth), y >= 0, y < Double(area.dotHeight) else { return }
    self[area.column + Int(x) / 2, area.row + Int(y) / 4] = Cell(symbol, style)
  }

  /// The part of a line within -0.499...`right` and -0.499...`bottom` (Liang and Barsky, 1984); nil without one.
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
    for (direction, distance) in edges {
      if direction == 0 {
        if distance < 0 { return nil }
      } else if direction < 0 {
        first = max(first, distance / direction)
      } else {
        last = min(last, distance / direction)
      }
    }
    guard first <= last else { return nil }
    // Rounding errors of a long line can exceed the limits.
    func point(_ part: Double) -> Point {
      Point(
        x: min(max(start.x + part * width, -0.499), right),
        y: min(max(start.y + part * height, -0.499), bottom))
    }
    return (point(first), point(last))
  }

  // MARK: - Bars and traces

  /// Draws a bar in the first row of an area, from its middle to the right if positive, else to the left; `limit`,
  /// which is above 0, reaches the edge.
  mutating func bar(_ value: Double?, limit: Double, in area: Area, _ color: RGB?) {
    guard area.width > 0, area.height > 0 else { return }
    for column in 0..<area.width {
      self[area.column + column, area.row] = Cell("·", Style(Palette.faint))
    }
    let middle = area.width / 2
    guard let value, value.isFinite, limit > 0 else { return }
    // Unicode has blocks of eighths that begin at the left, and a half block that begins at the right.
    let (isPositive, steps) = (value >= 0, value >= 0 ? 8 : 2)
    let width = Double(isPositive ? area.width - middle : middle)
    let count = Int((min(abs(value) / limit, 1) * Double(steps) * width).rounded())
    func set(_ index: Int, _ character: Unicode.Scalar) {
      let column = area.column + middle + (isPositive ? index : -1 - index)
      self[column, area.row] = Cell(character, Style(color))
    }
    for index in 0..<(count / steps) { set(index, "█") }
    if count % steps > 0 {
      // One eighth is U+258F, seven are U+2589.
      set(count / steps, isPositive ? Unicode.Scalar(0x2590 - UInt32(count % steps)) ?? " " : "▐")
    }
    if count == 0 { self[area.column + middle, area.row] = Cell("▏", Style(color)) }
  }

  /// Draws the latest ranges of a value, one in each column of dots; the upper edge is `limit`, the lower one `-limit`.
  mutating func trace(
    _ ranges: [ClosedRange<Double>?], limit: Double, in area: Area, _ color: RGB?
  ) {
    guard limit > 0, area.height > 0 else { return }
    let shown = ranges.suffix(area.dotWidth)
    let bottom = Double(area.dotHeight - 1)
    func dotRow(_ value: Double) -> Int {
      let part = min(max(value / limit, -1), 1)
      return part.isNaN ? 0 : Int((bottom * (1 - part) / 2).rounded())
    }
    for (index, range) in shown.enumerated() {
      guard let range else { continue }
      let top = dotRow(range.upperBound)
      for y in top...max(top, dotRow(range.lowerBound)) {
        dot(x: area.dotWidth - shown.count + index, y: y, in: area, color)
      }
    }
  }
}

extension ClosedRange<Double> {
  func extended(to value: Double) -> Self { Swift.min(lowerBound, value)...Swift.max(upperBound, value) }
}

/// The ranges of a value in the latest time intervals of equal length, which keep each peak.
struct History: Hashable, Sendable {
  /// The range of each interval, the oldest first; nil if there was no value.
  private(set) var ranges: [ClosedRange<Double>?] = []
  /// In seconds, above 0.
  let interval: Double
  let capacity: Int
  private var newest: Double?

  init(interval: Double, capacity: Int = 512) { (self.interval, self.capacity) = (interval, capacity) }

  /// Adds a value at a time in seconds; an earlier time counts as the newest interval.
  mutating func append(_ value: Double, at time: Double) {
    guard value.isFinite, time.isFinite else { return }
    let number = (time / interval).rounded(.down)
    let step = number - (newest ?? number - 1)
    if step >= 1 {
      if step > Double(capacity) {
        ranges = []
      } else {
        ranges += Array(repeating: nil, count: Int(step) - 1)
      }
      ranges.append(value...value)
      newest = number
      ranges.removeFirst(max(0, ranges.count - capacity))
    } else if let latest = ranges.last {
      ranges[ranges.count - 1] = latest?.extended(to: value)
    }
  }

  /// The largest absolute value of the latest values; 0 without values.
  func magnitude(ofLatest count: Int) -> Double {
    ranges.suffix(count).compactMap { $0.map { max(abs($0.lowerBound), abs($0.upperBound)) } }.max() ?? 0
  }
}
