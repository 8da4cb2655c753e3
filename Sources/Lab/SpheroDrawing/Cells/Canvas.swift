// A grid of character cells with styles: the picture of a terminal, independent of any terminal.

public import SpheroControls

/// The style of the character in a cell; nil colours are the default colours of the terminal.
public struct Style: Hashable, Sendable {
  public var foreground: RGB?
  public var background: RGB?
  public var isBold: Bool

  public init(_ foreground: RGB? = nil, on background: RGB? = nil, isBold: Bool = false) {
    (self.foreground, self.background, self.isBold) = (foreground, background, isBold)
  }

  public static let plain = Style()
  public static let bold = Style(isBold: true)
}

public struct Cell: Hashable, Sendable {
  /// A character one cell wide, which ``Canvas/write(_:column:row:_:limit:)`` ensures.
  public var character: Unicode.Scalar
  public var style: Style

  public init(_ character: Unicode.Scalar, _ style: Style = .plain) {
    (self.character, self.style) = (character, style)
  }

  public static let blank = Cell(" ")
}

/// A rectangle of cells; columns count to the right and rows downward, both from 0.
public struct Area: Hashable, Sendable {
  public var column: Int
  public var row: Int
  public var width: Int
  public var height: Int

  /// Makes a rectangle; negative sizes become 0.
  public init(column: Int = 0, row: Int = 0, width: Int, height: Int) {
    (self.column, self.row, self.width, self.height) = (column, row, max(0, width), max(0, height))
  }

  /// Removes up to `count` rows from the top and returns them.
  public mutating func takeRows(_ count: Int) -> Area {
    let taken = Area(column: column, row: row, width: width, height: min(count, height))
    row += taken.height
    height -= taken.height
    return taken
  }

  /// Removes up to `count` columns from the left and returns them.
  public mutating func takeColumns(_ count: Int) -> Area {
    let taken = Area(column: column, row: row, width: min(count, width), height: height)
    column += taken.width
    width -= taken.width
    return taken
  }

  func contains(column: Int, row: Int) -> Bool {
    (self.column..<self.column + width).contains(column) && (self.row..<self.row + height).contains(row)
  }
}

/// A grid of cells.
public struct Canvas: Hashable, Sendable {
  /// The largest width and height.
  public static let limit = 1_000

  public let width: Int
  public let height: Int
  /// The cells in row-major order.
  private var cells: [Cell]

  /// Makes a blank canvas; sizes are clamped to 0...``limit``.
  public init(width: Int, height: Int) {
    self.width = min(max(0, width), Self.limit)
    self.height = min(max(0, height), Self.limit)
    cells = Array(repeating: .blank, count: self.width * self.height)
  }

  public var area: Area { Area(width: width, height: height) }

  /// A cell; outside the canvas, reads return a blank and writes have no effect.
  public subscript(column: Int, row: Int) -> Cell {
    get { area.contains(column: column, row: row) ? cells[row * width + column] : .blank }
    set { if area.contains(column: column, row: row) { cells[row * width + column] = newValue } }
  }

  /// Writes text from a cell to the right, truncated at the end of the row.
  ///
  /// Characters that are not one cell wide, such as control characters, become question marks:
  /// text from a robot is safe. `limit` is the largest number of cells; nil stands for the rest of the row.
  /// Returns the column after the text.
  @discardableResult public mutating func write(
    _ text: String, column: Int, row: Int, _ style: Style = .plain, limit: Int? = nil
  ) -> Int {
    var next = column
    let end = min(width, limit.map { column + max(0, $0) } ?? width)
    for scalar in text.unicodeScalars {
      guard next < end else { break }
      self[next, row] = Cell(Self.isNarrow(scalar) ? scalar : "?", style)
      next += 1
    }
    return next
  }

  /// Writes right-aligned text that ends before a column.
  public mutating func write(_ text: String, endingBefore column: Int, row: Int, _ style: Style = .plain) {
    write(text, column: column - text.unicodeScalars.count, row: row, style)
  }

  /// Whether terminals show a character in exactly one cell: letters, symbols, arrows, blocks and braille.
  private static func isNarrow(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF, 0x370...0x52F, 0x2010...0x2027, 0x2030...0x205E,
      0x2190...0x22FF, 0x2500...0x25FF, 0x2800...0x28FF:
      true
    default: false
    }
  }
}

/// The colours of drawings, visible on black and on white, since the background of a terminal is unknown.
enum Palette {
  /// Auxiliary lines.
  static let faint = RGB(red: 128, green: 128, blue: 128)
  static let alarm = RGB(red: 224, green: 64, blue: 48)
  static let warning = RGB(red: 208, green: 140, blue: 0)
  static let good = RGB(red: 0, green: 158, blue: 96)
  /// The tail light of the robot.
  static let tail = RGB(red: 48, green: 112, blue: 255)
  /// The components of a vector and other parallel series.
  static let series = [
    RGB(red: 0, green: 135, blue: 215), RGB(red: 213, green: 104, blue: 0),
    RGB(red: 0, green: 158, blue: 115), RGB(red: 190, green: 90, blue: 160),
  ]
}

extension RGB {
  /// This colour as it is visible on black and on white; a light that is off is grey.
  var visible: RGB {
    guard max(red, green, blue) >= 64 else { return Palette.faint }
    return min(red, green, blue) > 224 ? RGB(red: 192, green: 192, blue: 192) : self
  }
}
