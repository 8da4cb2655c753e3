// Bars and traces of values in cells.

public import SpheroControls

extension Canvas {
  /// Draws a bar from the middle of a row: to the right for a positive value, to the left for a negative one.
  ///
  /// - Parameters:
  ///   - value: The value; nil or one that is not finite draws the empty track.
  ///   - limit: The value at the end of the row, above 0; larger ones fill the side.
  ///   - area: Where to draw; its first row counts.
  ///   - color: The colour of the bar.
  public mutating func bar(_ value: Double?, limit: Double, in area: Area, _ color: RGB?) {
    guard area.width > 0, area.height > 0 else { return }
    for column in 0..<area.width {
      self[area.column + column, area.row] = Cell("·", Style(Palette.faint))
    }
    let middle = area.width / 2
    guard let value, value.isFinite, limit > 0 else { return }
    let part = min(abs(value) / limit, 1)
    let style = Style(color)
    if value >= 0 {
      let eighths = Int((part * 8 * Double(area.width - middle)).rounded())
      for column in 0..<(eighths / 8) { self[area.column + middle + column, area.row] = Cell("█", style) }
      // From one eighth, U+258F, to seven, U+2589.
      if eighths % 8 > 0, let block = Unicode.Scalar(0x2590 - UInt32(eighths % 8)) {
        self[area.column + middle + eighths / 8, area.row] = Cell(block, style)
      }
      if eighths == 0 { self[area.column + middle, area.row] = Cell("▏", style) }
    } else {
      // Blocks that begin at the right come in halves.
      let halves = Int((part * 2 * Double(middle)).rounded())
      for column in 0..<(halves / 2) { self[area.column + middle - 1 - column, area.row] = Cell("█", style) }
      if halves % 2 > 0 { self[area.column + middle - 1 - halves / 2, area.row] = Cell("▐", style) }
      if halves == 0 { self[area.column + middle, area.row] = Cell("▏", style) }
    }
  }

  /// Draws the latest extremes of a value in braille, the newest at the right: no peak is left out.
  ///
  /// - Parameters:
  ///   - history: The extremes, the oldest first; nil where there was no value.
  ///   - limit: The value at the upper edge, above 0; its opposite is at the lower edge.
  ///   - area: Where to draw; each column of dots is a pair of extremes.
  ///   - color: The colour of the dots.
  public mutating func trace(_ history: [Extremes?], limit: Double, in area: Area, _ color: RGB?) {
    guard limit > 0, area.height > 0 else { return }
    let shown = history.suffix(area.dotWidth)
    let bottom = Double(area.dotHeight - 1)
    for (index, extremes) in shown.enumerated() {
      guard let extremes else { continue }
      let x = area.dotWidth - shown.count + index
      let top = Self.dotRow(extremes.highest, limit, bottom)
      for y in top...max(top, Self.dotRow(extremes.lowest, limit, bottom)) {
        dot(x: x, y: y, in: area, color)
      }
    }
  }

  private static func dotRow(_ value: Double, _ limit: Double, _ bottom: Double) -> Int {
    let part = min(max(value / limit, -1), 1)
    return part.isNaN ? 0 : Int((bottom * (1 - part) / 2).rounded())
  }
}

/// The lowest and the highest of some values.
public struct Extremes: Hashable, Sendable {
  /// The lowest value.
  public private(set) var lowest: Double
  /// The highest value.
  public private(set) var highest: Double

  /// Begins with a value.
  public init(_ value: Double) { (lowest, highest) = (value, value) }

  /// Takes another value.
  public mutating func take(_ value: Double) {
    lowest = min(lowest, value)
    highest = max(highest, value)
  }

  /// The larger of both without sign.
  public var magnitude: Double { max(abs(lowest), abs(highest)) }
}

/// The extremes of a value in pieces of time, the latest ones only.
public struct History: Hashable, Sendable {
  /// The extremes of each piece, the oldest first; nil where there was no value.
  public private(set) var extremes: [Extremes?] = []
  private let piece: Double
  private let capacity: Int
  private var newest: Double?

  /// Starts without values.
  ///
  /// - Parameters:
  ///   - piece: The seconds of a piece, above 0.
  ///   - capacity: How many pieces are kept.
  public init(piece: Double, capacity: Int = 512) {
    self.piece = piece > 0 ? piece : 1
    self.capacity = max(1, capacity)
  }

  /// Takes a value; one that is not finite, or older than the newest piece, counts for that piece or not at all.
  public mutating func append(_ value: Double, at time: Double) {
    guard value.isFinite, time.isFinite else { return }
    let number = (time / piece).rounded(.down)
    let step = number - (newest ?? number - 1)
    if step >= 1 {
      if step > Double(capacity) {
        extremes = []
      } else {
        for _ in 1..<Int(step) { extremes.append(nil) }
      }
      extremes.append(Extremes(value))
      newest = number
      if extremes.count > capacity { extremes.removeFirst(extremes.count - capacity) }
    } else if let last = extremes.last, var latest = last {
      latest.take(value)
      extremes[extremes.count - 1] = latest
    }
  }

  /// The largest magnitude of the latest pieces.
  public func magnitude(ofLatest count: Int) -> Double {
    extremes.suffix(max(0, count)).reduce(0) { max($0, $1?.magnitude ?? 0) }
  }
}
