// A grid of character cells with styles, and its output on a terminal, limited to the cells that have changed.

public import SpheroControls

/// The style of the character in a cell; nil colours are the default colours of the terminal.
public struct Style: Hashable, Sendable {
  /// The colour of the character; nil for the terminal's own.
  public var foreground: RGB?
  /// The colour behind the character; nil for the terminal's own.
  public var background: RGB?
  /// Whether the character is bold.
  public var isBold: Bool

  public init(_ foreground: RGB? = nil, on background: RGB? = nil, isBold: Bool = false) {
    (self.foreground, self.background, self.isBold) = (foreground, background, isBold)
  }

  /// The terminal's own colours, not bold.
  public static let plain = Style()
  /// The terminal's own colours, bold.
  public static let bold = Style(isBold: true)
}

/// A character with its style: one position of a terminal.
public struct Cell: Hashable, Sendable {
  /// A character that must be one cell wide; only ``Canvas/write(_:column:row:_:limit:)`` checks it.
  public var character: Unicode.Scalar
  /// The colours and weight of the character.
  public var style: Style

  public init(_ character: Unicode.Scalar, _ style: Style = .plain) {
    (self.character, self.style) = (character, style)
  }

  /// A space in the plain style.
  public static let blank = Cell(" ")
}

/// A rectangle of cells; columns count to the right and rows downward, both from 0.
struct Area: Hashable, Sendable {
  var column, row, width, height: Int

  /// Makes a rectangle; sizes are clamped to 0...``Canvas/limit``.
  init(column: Int = 0, row: Int = 0, width: Int, height: Int) {
    (self.column, self.row) = (column, row)
    (self.width, self.height) = (Canvas.clamped(width), Canvas.clamped(height))
  }

  /// Removes up to `count` rows from the top and returns them.
  mutating func takeRows(_ count: Int) -> Area {
    let taken = Area(column: column, row: row, width: width, height: min(count, height))
    row += taken.height
    height -= taken.height
    return taken
  }

  /// Removes up to `count` columns from the left and returns them.
  mutating func takeColumns(_ count: Int) -> Area {
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

  /// The number of columns.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The cells in row-major order.
  private var cells: [Cell]

  /// Makes a blank canvas; sizes are clamped to 0...``limit``.
  public init(width: Int, height: Int) {
    (self.width, self.height) = (Self.clamped(width), Self.clamped(height))
    cells = Array(repeating: .blank, count: self.width * self.height)
  }

  static func clamped(_ size: Int) -> Int { min(max(0, size), limit) }

  var area: Area { Area(width: width, height: height) }

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
    guard column < width else { return column }
    var next = column
    let end = min(width, limit.map { column + Self.clamped($0) } ?? width)
    for scalar in text.unicodeScalars {
      guard next < end else { break }
      self[next, row] = Cell(Self.isNarrow(scalar) ? scalar : "?", style)
      next += 1
    }
    return next
  }

  mutating func write(_ text: String, in area: Area, _ style: Style = .plain) {
    write(text, column: area.column, row: area.row, style, limit: area.width)
  }

  /// Whether terminals show a character in exactly one cell: letters, symbols, arrows, blocks and braille.
  private static func isNarrow(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF, 0x370...0x482, 0x48A...0x52F, 0x2010...0x2027,
      0x2030...0x205E, 0x2190...0x22FF, 0x2500...0x25FC, 0x25FF, 0x2800...0x28FF:
      true
    default: false
    }
  }
}

/// The colours of drawings, visible on black and on white, since the background of a terminal is unknown.
enum Palette {
  static let faint = RGB(hex: 0x808080)
  static let alarm = RGB(hex: 0xE04030)
  static let warning = RGB(hex: 0xD08C00)
  static let good = RGB(hex: 0x009E60)
  static let tailLight = RGB(hex: 0x3070FF)
  /// The components of a vector and other parallel series.
  static let series = [0x0087D7, 0xD56800, 0x009E73, 0xBE5AA0].map { RGB(hex: $0) }
}

/// The colours that a terminal supports.
public enum ColorDepth: Hashable, Sendable, CaseIterable {
  /// No colours; bold remains.
  case none
  /// The 16 colours of the palette.
  case sixteen
  /// The 256 colours of xterm.
  case indexed
  /// 24-bit colours.
  case trueColor

  /// Detects the depth from the environment variables NO_COLOR, TERM and COLORTERM.
  ///
  /// Any non-empty NO_COLOR disables colours.
  public init(noColor: String?, term: String?, colorTerm: String?) {
    let term = term ?? ""
    if noColor?.isEmpty == false || term.isEmpty || term == "dumb" {
      self = .none
    } else if colorTerm == "truecolor" || colorTerm == "24bit" || term.hasSuffix("-direct") {
      self = .trueColor
    } else {
      self = term.hasSuffix("-256color") ? .indexed : .sixteen
    }
  }
}

/// Encodes successive canvases for a terminal as ECMA-48 control sequences and UTF-8.
///
/// After each update the cursor position is arbitrary and the style is the default.
public struct CanvasPrinter: Sendable {
  private let colors: ColorDepth
  private let isASCII: Bool
  private var shown: Canvas?

  /// Makes a printer for a terminal; if `isASCII`, similar characters of ASCII replace braille, blocks and other symbols.
  public init(colors: ColorDepth, isASCII: Bool = false) { (self.colors, self.isASCII) = (colors, isASCII) }

  /// Discards the known content of the terminal, so that the next update draws everything.
  public mutating func invalidate() { shown = nil }

  /// The bytes that turn the content of the terminal into a canvas; empty if nothing has changed.
  public mutating func update(to canvas: Canvas) -> [UInt8] {
    var bytes: [UInt8] = []
    var former = Canvas(width: canvas.width, height: canvas.height)
    if let shown, shown.width == canvas.width, shown.height == canvas.height {
      former = shown
    } else {
      bytes += "\u{1B}[0m\u{1B}[2J".utf8
    }
    var style = Style.plain
    var cursor: (column: Int, row: Int)?
    for row in 0..<canvas.height {
      for column in 0..<canvas.width where canvas[column, row] != former[column, row] {
        if let cursor, cursor.row == row, (1...Self.shortGap).contains(column - cursor.column),
          (cursor.column..<column).allSatisfy({ canvas[$0, row].style == style })
        {
          // A few unchanged characters take fewer bytes than a cursor movement.
          for gap in cursor.column..<column { append(canvas[gap, row].character, to: &bytes) }
        } else if cursor?.row != row || cursor?.column != column {
          bytes += "\u{1B}[\(row + 1);\(column + 1)H".utf8
        }
        let cell = canvas[column, row]
        if cell.style != style { append(cell.style, to: &bytes) }
        style = cell.style
        append(cell.character, to: &bytes)
        cursor = (column + 1, row)
      }
    }
    if style != .plain { bytes += "\u{1B}[0m".utf8 }
    shown = canvas
    return bytes
  }

  private static let shortGap = 4

  private func append(_ character: Unicode.Scalar, to bytes: inout [UInt8]) {
    bytes += String(Character(isASCII ? character.ascii : character)).utf8
  }

  private func append(_ style: Style, to bytes: inout [UInt8]) {
    bytes += "\u{1B}[0\(style.isBold ? ";1" : "")".utf8
    for (color, offset) in [(style.foreground, 0), (style.background, 10)] {
      guard let color else { continue }
      switch colors {
      case .none: break
      case .sixteen:
        let index = color.paletteIndex
        // The codes of the bright colours are 60 larger than those of the normal ones.
        bytes += ";\((index < 8 ? 30 : 82) + index + offset)".utf8
      case .indexed: bytes += ";\(38 + offset);5;\(color.xtermIndex)".utf8
      case .trueColor: bytes += ";\(38 + offset);2;\(color.red);\(color.green);\(color.blue)".utf8
      }
    }
    bytes.append(UInt8(ascii: "m"))
  }
}

extension Unicode.Scalar {
  /// The printable ASCII character that resembles a character of a canvas; `?` for a character without one.
  var ascii: Unicode.Scalar {
    switch self {
    case " "..."~": self
    // Braille patterns: the low byte has a bit for each dot.
    case "\u{2800}"..."\u{28FF}": Self.ascii(dots: UInt8(truncatingIfNeeded: value))
    case "▀"..."▌", "▐"..."▟": "#"
    case "▍"..."▏", "│", "┃", "║": "|"
    case "─", "━", "═", "\u{2010}"..."\u{2015}", "−": "-"
    // All other box-drawing characters.
    case "┄"..."╿": "+"
    case "·", "•", "…": "."
    case "○", "●": "o"
    case "▲": "^"
    case "▶", "►", "→": ">"
    case "▼": "v"
    case "◀", "◄", "←": "<"
    // A degree sign follows a number, which is legible without it.
    case "\u{A0}", "°": " "
    case "‘", "’": "'"
    case "“", "”": "\""
    default: "?"
    }
  }

  /// A character similar to a braille pattern, whose rows are the bits 0x09, 0x12, 0x24 and 0xC0.
  private static func ascii(dots: UInt8) -> Unicode.Scalar {
    let (left, right) = (dots & 0x47, dots & 0xB8)
    let (top, bottom) = (dots & 0x1B, dots & 0xE4)
    if dots == 0 { return " " }
    if dots.nonzeroBitCount >= 6 { return "#" }
    if bottom == 0 { return dots & 0x12 == 0 ? "'" : "-" }
    if top == 0 { return dots & 0xC0 == 0 ? "-" : dots & 0x24 == 0 ? "_" : "." }
    if left == 0 || right == 0 { return "|" }
    let rises = left & bottom != 0 && right & top != 0
    let falls = left & top != 0 && right & bottom != 0
    if rises == falls { return dots & 0xC9 == 0 ? "-" : "+" }
    return rises ? "/" : "\\"
  }
}

extension RGB {
  /// A similar colour that is visible on black and on white: grey for a dark one, light grey for a nearly white one.
  var visible: RGB {
    guard max(red, green, blue) >= 64 else { return Palette.faint }
    return min(red, green, blue) > 224 ? .silver : self
  }

  /// The index of the nearest of the 16 default colours of xterm.
  var paletteIndex: Int { nearest(Self.palette) }

  private static let palette: [RGB] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ].map { RGB(hex: $0) }

  /// The index of the nearest of xterm's colours 16...255: a cube with 6 levels in each direction, and 24 greys.
  var xtermIndex: Int {
    let levels = [red, green, blue].map { Self.level($0) }
    let values: [UInt8] = levels.map { $0 == 0 ? 0 : UInt8(55 + 40 * $0) }
    let grey = min(max((Int(red) + Int(green) + Int(blue)) / 3 - 3, 0) / 10, 23)
    let greyValue = UInt8(8 + 10 * grey)
    let colors = [
      RGB(red: values[0], green: values[1], blue: values[2]),
      RGB(red: greyValue, green: greyValue, blue: greyValue),
    ]
    return nearest(colors) == 0 ? 16 + 36 * levels[0] + 6 * levels[1] + levels[2] : 232 + grey
  }

  /// The nearest level of the cube: 0, 95, and from there steps of 40.
  private static func level(_ part: UInt8) -> Int {
    if part < 48 { return 0 }
    return part < 115 ? 1 : (Int(part) - 35) / 40
  }

  private func nearest(_ colors: [RGB]) -> Int {
    func distance(_ color: RGB) -> Int {
      let (red, green, blue) = (
        Int(red) - Int(color.red), Int(green) - Int(color.green), Int(blue) - Int(color.blue)
      )
      return red * red + green * green + blue * blue
    }
    return colors.indices.min { distance(colors[$0]) < distance(colors[$1]) } ?? 0
  }
}
