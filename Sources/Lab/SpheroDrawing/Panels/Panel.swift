// The parts that panels share: inputs, outcomes, their frame on the screen, and the round control in cells.

import SpheroControls
import SpheroOrientation
import SpheroProtocol

/// The request of a panel to its owner after an input.
public enum PanelOutcome: Hashable, Sendable {
  /// The panel continues.
  case continues
  /// The person accepts the selection.
  case confirmed
  /// The person leaves without a selection.
  case cancelled
}

/// A screen that is operated by keys and mouse, as a value without input and output.
public protocol Panel: Sendable {
  /// Sets the size of the screen in cells.
  mutating func resize(width: Int, height: Int)
  /// Handles a key or a mouse event at a time of a monotonic clock.
  mutating func handle(_ input: TerminalInput, at now: Duration) -> PanelOutcome
  /// Releases all keys and the mouse, for example before the program is suspended.
  mutating func release()
  /// Draws the panel, or a message if the screen is too small.
  func draw(at now: Duration) -> Canvas
}

/// The screen of a panel that operates the robot.
extension Area {
  private static let minimumScreen = Area(width: 36, height: 12)

  /// The area between the two rows at the top and the two at the bottom; nil if the screen is too small.
  var content: Area? {
    guard width >= Self.minimumScreen.width, height >= Self.minimumScreen.height else { return nil }
    return Area(row: 2, width: width, height: height - 4)
  }

  var tooSmall: Canvas {
    var canvas = Canvas(width: width, height: height)
    let minimum = Self.minimumScreen
    // Two rows, so that a narrow screen shows both numbers.
    canvas.write("too small: needs", column: 0, row: 0)
    canvas.write("\(minimum.width) columns, \(minimum.height) rows", column: 0, row: 1)
    return canvas
  }
}

/// The largest round control that fits into an area; the centres of its outer cells are on the rim.
struct PadFrame: Hashable, Sendable {
  let area: Area
  let pad: Pad

  /// Fits a control into the centre of an area; nil if there are fewer than 5 rows or 9 columns.
  init?(in area: Area) {
    let fitting = min(area.height, (area.width + 1) / 2)
    let rows = fitting.isMultiple(of: 2) ? fitting - 1 : fitting
    let columns = 2 * rows - 1
    guard rows >= 5 else { return nil }
    self.area = Area(
      column: area.column + (area.width - columns) / 2, row: area.row + (area.height - rows) / 2,
      width: columns, height: rows)
    let corner = Self.point(column: self.area.column, row: self.area.row)
    guard
      let pad = Pad(x: corner.x, y: corner.y, width: Double(columns - 1), height: Double(rows - 1))
    else { return nil }
    self.pad = pad
  }

  static func point(column: Int, row: Int) -> Point { Point(x: Double(column) + 0.5, y: Double(row) + 0.5) }

  /// Whether a point is within the outer edges of the cells, which are half a cell outside the rim.
  func contains(_ point: Point) -> Bool {
    let x = (point.x - pad.center.x) / (Double(area.width) / 2)
    let y = (point.y - pad.center.y) / (Double(area.height) / 2)
    return x * x + y * y <= 1
  }
}

extension Canvas {
  mutating func rim(of frame: PadFrame, _ color: RGB?) {
    // Slightly inside the rim, so that opposite points round to opposite dots.
    lines((0...72).map { dots(at: Double($0) * 5, 0.99, of: frame) }, in: frame.area, color)
  }

  mutating func hand(at heading: Heading, magnitude: Double, of frame: PadFrame, _ color: RGB?) {
    line(
      from: dots(at: 0, 0, of: frame), to: dots(at: heading.degrees, magnitude, of: frame), in: frame.area,
      color)
  }

  private func dots(at degrees: Double, _ magnitude: Double, of frame: PadFrame) -> Point {
    let point = frame.pad.point(
      at: Deflection(heading: Heading(degrees: degrees) ?? .ahead, magnitude: magnitude))
    // The centre of the first dot is a quarter of a cell from the left and an eighth from the top.
    return Point(
      x: 2 * (point.x - Double(frame.area.column)) - 0.5, y: 4 * (point.y - Double(frame.area.row)) - 0.5)
  }

  mutating func symbol(_ symbol: Unicode.Scalar, onPad point: Point, _ style: Style) {
    // Clamped to the limits of a canvas, so that any number can be converted.
    func whole(_ number: Double) -> Int { number > 0 ? Int(min(number, Double(Self.limit))) : 0 }
    self[whole(point.x), whole(point.y)] = Cell(symbol, style)
  }

  /// Draws the rows around a panel: two at the top and two at the bottom; `link` is shown if it is not nil.
  init(
    _ size: Area, name: String, link: Monitor.Link?, header parts: [(text: String, style: Style)],
    message: (text: String, severity: Monitor.Severity)?, status: String = "", help: String
  ) {
    self.init(width: size.width, height: size.height)
    header([(name, .bold), link?.label ?? ("", .plain)] + parts)
    if let message { write(message.text, column: 0, row: 1, message.severity.style) }
    write(status, column: 0, row: size.height - 2, .bold)
    write(help, column: 0, row: size.height - 1, Style(Palette.faint))
  }

  /// Writes parts of a header; of the parts that do not fit, the first `required` ones are truncated, others are omitted.
  mutating func header(_ parts: [(text: String, style: Style)], required: Int = 0) {
    var column = 0
    for (index, part) in parts.enumerated() where !part.text.isEmpty {
      let start = column == 0 ? 0 : column + 2
      guard index < required || start + part.text.unicodeScalars.count <= width else { continue }
      column = write(part.text, column: start, row: 0, part.style)
    }
  }

  /// Draws a trail, and above it a row of text with the position of the ball in centimetres.
  mutating func labelledFloor(_ trail: Trail, position: (x: Double, y: Double)?, in area: Area) {
    var rest = area
    let label = rest.takeRows(1)
    let extent = floor(trail, in: rest)
    var text = "floor"
    if let position {
      text += " \(Decimal.text(position.x, digits: 0)), \(Decimal.text(position.y, digits: 0)) cm"
    }
    if let extent { text += ", \(Decimal.text(extent, digits: 0)) cm wide" }
    write(text, in: label)
  }
}
