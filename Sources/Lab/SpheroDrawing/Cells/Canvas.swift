// A grid of character cells: what a terminal shows, without a terminal.

public import SpheroControls

/// How the character of a cell looks.
public struct Style: Hashable, Sendable {
  /// The colour of the character; nil is the terminal's own.
  public var foreground: RGB?
  /// The colour behind it; nil is the terminal's own.
  public var background: RGB?
  /// Whether it is bold.
  public var isBold: Bool

  /// Makes a style from its parts.
  public init(_ foreground: RGB? = nil, on background: RGB? = nil, isBold: Bool = false) {
    (self.foreground, self.background, self.isBold) = (foreground, background, isBold)
  }

  /// The terminal's own colours.
  public static let plain = Style()
  /// Bold in the terminal's own colours.
  public static let bold = Style(isBold: true)
}

/// One character and how it looks.
public struct Cell: Hashable, Sendable {
  /// A character that takes one cell; ``Canvas/write(_:column:row:_:limit:)`` makes sure of that.
  public var character: Unicode.Scalar
  /// How it looks.
  public var style: Style

  /// Makes a cell.
  public init(_ character: Unicode.Scalar, _ style: Style = .plain) {
    (self.character, self.style) = (character, style)
  }

  /// Nothing to see.
  public static let blank = Cell(" ")
}

/// A rectangle of cells: columns grow to the right, rows downward, both from 0.
public struct Area: Hashable, Sendable {
  /// The column at the left.
  public var column: Int
  /// The row at the top.
  public var row: Int
  /// How many columns there are, never negative.
  public var width: Int
  /// How many rows there are, never negative.
  public var height: Int

  /// Makes a rectangle; negative sizes count as 0.
  public init(column: Int = 0, row: Int = 0, width: Int, height: Int) {
    (self.column, self.row, self.width, self.height) = (column, row, max(0, width), max(0, height))
  }

  /// Cuts rows off the top; what is missing is left out.
  public mutating func takeRows(_ count: Int) -> Area {
    let count = min(max(0, count), height)
    let taken = Area(column: column, row: row, width: width, height: count)
    row += count
    height -= count
    return taken
  }

  /// Cuts columns off the left; what is missing is left out.
  public mutating func takeColumns(_ count: Int) -> Area {
    let count = min(max(0, count), width)
    let taken = Area(column: column, row: row, width: count, height: height)
    column += count
    width -= count
    return taken
  }
}

/// A grid of cells.
public struct Canvas: Hashable, Sendable {
  /// The most columns and rows that a canvas has.
  public static let limit = 1_000

  /// How many columns there are.
  public let width: Int
  /// How many rows there are.
  public let height: Int
  /// The cells, row by row.
  private var cells: [Cell]

  /// Makes a blank canvas; sizes are held to 0...``limit``.
  public init(width: Int, height: Int) {
    self.width = min(max(0, width), Self.limit)
    self.height = min(max(0, height), Self.limit)
    cells = Array(repeating: .blank, count: self.width * self.height)
  }

  /// All of it.
  public var area: Area { Area(width: width, height: height) }

  /// A cell; outside there are blanks, and nothing can be set.
  public subscript(column: Int, row: Int) -> Cell {
    get { place(column, row).map { cells[$0] } ?? .blank }
    set { if let place = place(column, row) { cells[place] = newValue } }
  }

  private func place(_ column: Int, _ row: Int) -> Int? {
    guard column >= 0, column < width, row >= 0, row < height else { return nil }
    return row * width + column
  }

  /// Writes text from a cell to the right; what does not fit is cut off.
  ///
  /// What a terminal would not show in one cell, like control characters, becomes a question mark.
  ///
  /// - Parameters:
  ///   - text: The text, which may come from a robot.
  ///   - column: Where it begins.
  ///   - row: Where it stands.
  ///   - style: How it looks.
  ///   - limit: The most cells it may take; nil for the rest of the row.
  /// - Returns: The column after the text.
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

  /// Writes text so that it ends in front of a column.
  public mutating func write(_ text: String, endingBefore column: Int, row: Int, _ style: Style = .plain) {
    write(text, column: column - text.unicodeScalars.count, row: row, style)
  }

  /// Whether a terminal shows a character in exactly one cell: letters, signs, arrows, blocks and braille.
  private static func isNarrow(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF, 0x370...0x52F, 0x2010...0x2027, 0x2030...0x205E,
      0x2190...0x22FF, 0x2500...0x25FF, 0x2800...0x28FF:
      true
    default: false
    }
  }

  /// The characters of a row, without the blanks at its end.
  public func text(row: Int) -> String {
    var text = String.UnicodeScalarView()
    for column in 0..<width { text.append(self[column, row].character) }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
