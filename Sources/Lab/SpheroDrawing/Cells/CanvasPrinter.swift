// Turns canvases into terminal output, limited to the cells that have changed.

public import SpheroControls

public enum ColorDepth: Hashable, Sendable, CaseIterable {
  /// No colours; bold remains.
  case none
  /// The 16 colours of the palette.
  case sixteen
  /// The 256 colours of xterm.
  case indexed
  /// 24-bit colours.
  case trueColor

  /// Detects the depth from environment variables.
  ///
  /// - Parameters:
  ///   - noColor: NO_COLOR; any non-empty text disables colours.
  ///   - term: TERM.
  ///   - colorTerm: COLORTERM.
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
  private var shown: Canvas?

  public init(colors: ColorDepth) { self.colors = colors }

  /// Discards the known content of the terminal, so that the next update draws everything.
  public mutating func forget() { shown = nil }

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

  /// The largest number of unchanged cells that are written again.
  private static let shortGap = 4

  private func append(_ character: Unicode.Scalar, to bytes: inout [UInt8]) {
    bytes += String(Character(character)).utf8
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

extension RGB {
  /// The index of the nearest of the 16 default colours of xterm.
  public var paletteIndex: Int { nearest(Self.palette) }

  private static let palette: [RGB] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ].map { (color: UInt32) in
    RGB(
      red: UInt8(truncatingIfNeeded: color >> 16), green: UInt8(truncatingIfNeeded: color >> 8),
      blue: UInt8(truncatingIfNeeded: color))
  }

  /// The index of the nearest of xterm's colours 16...255: a cube with 6 levels in each direction, and 24 greys.
  public var xtermIndex: Int {
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
