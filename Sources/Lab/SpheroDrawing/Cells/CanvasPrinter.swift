// Turns canvases into the bytes that a terminal shows, and writes only what has changed.

public import SpheroControls

/// How many colours a terminal has.
public enum ColorDepth: Hashable, Sendable, CaseIterable {
  /// None: characters only, bold ones among them.
  case none
  /// The 16 of the terminal's palette.
  case sixteen
  /// The 256 of xterm.
  case indexed
  /// Red, green and blue in bytes.
  case trueColor

  /// Finds out what a terminal has, from the environment.
  ///
  /// - Parameters:
  ///   - noColor: NO_COLOR: any text that is not empty turns colours off.
  ///   - term: TERM.
  ///   - colorTerm: COLORTERM.
  public init(noColor: String?, term: String?, colorTerm: String?) {
    let term = term ?? ""
    if let noColor, !noColor.isEmpty {
      self = .none
    } else if term.isEmpty || term == "dumb" {
      self = .none
    } else if colorTerm == "truecolor" || colorTerm == "24bit" || term.hasSuffix("-direct") {
      self = .trueColor
    } else {
      self = term.hasSuffix("-256color") ? .indexed : .sixteen
    }
  }
}

/// Writes canvases to a terminal, one after the other.
///
/// Each ``update(to:)`` returns the bytes that turn what the terminal shows into the new canvas:
/// ECMA-48 control sequences and UTF-8, nothing where nothing has changed.
/// The cursor ends anywhere, with the terminal's own colours.
public struct CanvasPrinter: Sendable {
  private let colors: ColorDepth
  private var shown: Canvas?

  /// Begins with a terminal of which nothing is known.
  public init(colors: ColorDepth) { self.colors = colors }

  /// Says that something else may be on the terminal: the next update writes everything.
  public mutating func forget() { shown = nil }

  /// The bytes that show a canvas.
  public mutating func update(to canvas: Canvas) -> [UInt8] {
    var bytes: [UInt8] = []
    var former = Canvas(width: canvas.width, height: canvas.height)
    if let shown, shown.width == canvas.width, shown.height == canvas.height {
      former = shown
    } else {
      bytes += "\u{1B}[0m\u{1B}[2J".utf8
    }
    var pen = Style.plain
    /// Where the next character would go.
    var place: (column: Int, row: Int)?
    for row in 0..<canvas.height {
      for column in 0..<canvas.width where canvas[column, row] != former[column, row] {
        if let place, place.row == row, (1...Self.shortGap).contains(column - place.column),
          (place.column..<column).allSatisfy({ canvas[$0, row].style == pen })
        {
          // What is there already takes fewer bytes than a jump over it.
          for gap in place.column..<column { append(canvas[gap, row].character, to: &bytes) }
        } else if place?.row != row || place?.column != column {
          bytes += "\u{1B}[\(row + 1);\(column + 1)H".utf8
        }
        let cell = canvas[column, row]
        if cell.style != pen { append(cell.style, to: &bytes) }
        pen = cell.style
        append(cell.character, to: &bytes)
        place = (column + 1, row)
      }
    }
    if pen != .plain { bytes += "\u{1B}[0m".utf8 }
    shown = canvas
    return bytes
  }

  /// The most cells that are written again rather than jumped over.
  private static let shortGap = 4

  private func append(_ character: Unicode.Scalar, to bytes: inout [UInt8]) {
    bytes += String(Character(character)).utf8
  }

  private func append(_ style: Style, to bytes: inout [UInt8]) {
    bytes += "\u{1B}[0".utf8
    if style.isBold { bytes += ";1".utf8 }
    if let color = style.foreground { append(color, isBackground: false, to: &bytes) }
    if let color = style.background { append(color, isBackground: true, to: &bytes) }
    bytes.append(UInt8(ascii: "m"))
  }

  private func append(_ color: RGB, isBackground: Bool, to bytes: inout [UInt8]) {
    switch colors {
    case .none: break
    case .sixteen:
      let index = color.paletteIndex
      // Eight normal colours, and eight bright ones 60 further on.
      let base = (index < 8 ? 30 + index : 82 + index) + (isBackground ? 10 : 0)
      bytes += ";\(base)".utf8
    case .indexed: bytes += ";\(isBackground ? 48 : 38);5;\(color.xtermIndex)".utf8
    case .trueColor:
      bytes += ";\(isBackground ? 48 : 38);2;\(color.red);\(color.green);\(color.blue)".utf8
    }
  }
}

extension RGB {
  /// The nearest of the 16 colours of a terminal, as xterm has them.
  public var paletteIndex: Int { nearest(Self.palette) }

  private static let palette: [RGB] = [
    RGB(red: 0, green: 0, blue: 0), RGB(red: 205, green: 0, blue: 0), RGB(red: 0, green: 205, blue: 0),
    RGB(red: 205, green: 205, blue: 0), RGB(red: 0, green: 0, blue: 238), RGB(red: 205, green: 0, blue: 205),
    RGB(red: 0, green: 205, blue: 205), RGB(red: 229, green: 229, blue: 229),
    RGB(red: 127, green: 127, blue: 127), RGB(red: 255, green: 0, blue: 0), RGB(red: 0, green: 255, blue: 0),
    RGB(red: 255, green: 255, blue: 0), RGB(red: 92, green: 92, blue: 255),
    RGB(red: 255, green: 0, blue: 255), RGB(red: 0, green: 255, blue: 255),
    RGB(red: 255, green: 255, blue: 255),
  ]

  /// The nearest of the colours 16...255 of xterm: a cube of 6 levels each, and 24 greys.
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

  /// The place of the nearest colour, by the distance of the parts; of equal ones the first.
  private func nearest(_ colors: [RGB]) -> Int {
    var (place, least) = (0, Int.max)
    for (index, color) in colors.enumerated() {
      let differences = [
        Int(red) - Int(color.red), Int(green) - Int(color.green), Int(blue) - Int(color.blue),
      ]
      let distance = differences.reduce(0) { $0 + $1 * $1 }
      if distance < least { (place, least) = (index, distance) }
    }
    return place
  }
}
