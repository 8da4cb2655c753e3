// Cells, dots, bars and terminal output against characters and bytes written by hand.

import SpheroControls
import Testing

@testable import SpheroDrawing

private let red = RGB(red: 255, green: 0, blue: 0)

@Suite struct CanvasTests {
  @Test func textIsTruncatedAndSanitized() {
    var canvas = Canvas(width: 6, height: 2)
    #expect(canvas.write("ab", column: 1, row: 0) == 3)
    canvas.write("\u{1B}[2J\u{9B}\u{200B}", column: 0, row: 1)
    #expect(canvas.text(row: 0) == " ab")
    #expect(canvas.text(row: 1) == "?[2J??")
    // A combining character has no width, and a medium square takes two cells.
    canvas.write("\u{483}\u{489}\u{25FD}\u{482}\u{48A}\u{25FF}", column: 0, row: 1)
    #expect(canvas.text(row: 1) == "???\u{482}\u{48A}\u{25FF}")
    canvas.write("123456789", column: 4, row: 0)
    #expect(canvas.text(row: 0) == " ab 12")
    canvas.write("xyz", column: -2, row: 0)
    #expect(canvas.text(row: 0) == "zab 12")
    canvas.write("end", column: 3, row: 0)
    #expect(canvas.text(row: 0) == "zabend")
    canvas.write("nothing", column: 0, row: 5)
    #expect(canvas[9, 9] == .blank)
  }

  @Test(arguments: [Int.max, .min, 1, 1_000_000]) func anyLimitAndColumnAreAccepted(_ limit: Int) {
    var canvas = Canvas(width: 4, height: 1)
    for column in [Int.min + 1, -1, 0, 1, .max] {
      canvas.write("x", column: column, row: 0, limit: limit)
    }
    #expect(canvas.write("yz", column: 1, row: 0, limit: limit) == (limit > 1 ? 3 : limit > 0 ? 2 : 1))
  }

  @Test func sizesAreBounded() {
    #expect(Canvas(width: -1, height: 5).width == 0)
    let huge = Canvas(width: .max, height: .max)
    #expect(huge.width == 1_000 && huge.height == 1_000)
  }

  @Test func dotsAreBraille() {
    // Unicode numbers the dots of a character 1, 2, 3, 7 down the left, 4, 5, 6, 8 down the right.
    let bits: [UInt32] = [0x01, 0x02, 0x04, 0x40, 0x08, 0x10, 0x20, 0x80]
    for (number, bit) in bits.enumerated() {
      var canvas = Canvas(width: 1, height: 1)
      canvas.dot(x: number / 4, y: number % 4, in: canvas.area, red)
      #expect(canvas[0, 0].character.value == 0x2800 + bit)
      #expect(canvas[0, 0].style.foreground == red)
    }
    var canvas = Canvas(width: 2, height: 1)
    for (x, y) in [(-1, 0), (4, 0), (0, -1), (0, 4)] { canvas.dot(x: x, y: y, in: canvas.area, red) }
    #expect(canvas.text(row: 0) == "")
  }

  @Test func linesAreClipped() {
    var canvas = Canvas(width: 3, height: 1)
    canvas.line(from: Point(x: -1e9, y: 0), to: Point(x: 1e9, y: 0), in: canvas.area, nil)
    #expect(canvas.text(row: 0) == "⠉⠉⠉")
    canvas = Canvas(width: 2, height: 1)
    canvas.line(from: Point(x: 0, y: 0), to: Point(x: 3, y: 3), in: canvas.area, nil)
    #expect(canvas.text(row: 0) == "⠑⢄")
    // The rounding error of such a length is larger than the canvas.
    canvas.line(from: Point(x: -9.7727e36, y: 1), to: Point(x: 9.6929e36, y: 1), in: canvas.area, nil)
    for bad in [Double.nan, .infinity, 1e308] {
      canvas = Canvas(width: 2, height: 1)
      canvas.line(from: Point(x: -bad, y: bad), to: Point(x: bad, y: bad), in: canvas.area, nil)
      #expect(canvas.text(row: 0) == "")
    }
  }

  @Test(
    arguments: [
      (nil, "········"), (0, "····▏···"), (1, "····████"), (0.5, "····██··"), (0.25, "····█···"),
      (0.28125, "····█▏··"), (0.46875, "····█▉··"), (-0.5, "··██····"), (-0.375, "··▐█····"), (7, "····████"),
      (-7, "████····"), (.nan, "········"),
    ] as [(Double?, String)])
  func bars(_ value: Double?, _ picture: String) {
    var canvas = Canvas(width: 8, height: 1)
    canvas.bar(value, limit: 1, in: canvas.area, red)
    #expect(canvas.text(row: 0) == picture)
  }

  @Test func tracesKeepPeaks() {
    // Intervals of a second: 0, a peak up and down, no value, the minimum.
    var history = History(interval: 1)
    for (time, value) in [(0.1, 0.0), (1.0, 0.2), (1.3, 1.0), (1.6, -1.0), (1.9, 0.1), (3.5, -1.0)] {
      history.append(value, at: time)
    }
    #expect(history.ranges.map { $0?.upperBound } == [0, 1, nil, -1])
    #expect(history.ranges.map { $0?.lowerBound } == [0, -1, nil, -1])
    var canvas = Canvas(width: 3, height: 1)
    canvas.trace(history.ranges, limit: 1, in: canvas.area, nil)
    // Two of the six columns of dots are empty; 0 rounds to the third row; the second column is full.
    #expect(canvas.text(row: 0) == " ⢼⢀")
    #expect(history.magnitude(ofLatest: 1) == 1 && history.magnitude(ofLatest: 0) == 0)
  }

  @Test func historiesAreBounded() {
    var history = History(interval: 0.5, capacity: 4)
    for step in 0..<1_000 { history.append(Double(step), at: Double(step)) }
    #expect(history.ranges.count == 4)
    history.append(1, at: 1e18)
    #expect(history.ranges.map { $0?.upperBound } == [1])
    history.append(.nan, at: 1e18)
    history.append(2, at: .infinity)
    history.append(9, at: -1e18)
    #expect(history.ranges.map { $0?.upperBound } == [9])
  }
}

@Suite struct CanvasPrinterTests {
  @Test func onlyChangesAreWritten() {
    var printer = CanvasPrinter(colors: .trueColor)
    var canvas = Canvas(width: 4, height: 2)
    canvas.write("ab", column: 1, row: 1, Style(red, isBold: true))
    let first = String(decoding: printer.update(to: canvas), as: UTF8.self)
    #expect(first == "\u{1B}[0m\u{1B}[2J\u{1B}[2;2H\u{1B}[0;1;38;2;255;0;0mab\u{1B}[0m")
    #expect(printer.update(to: canvas).isEmpty)
    canvas.write("é", column: 0, row: 0)
    canvas.write("c", column: 2, row: 1, Style(on: red))
    let second = String(decoding: printer.update(to: canvas), as: UTF8.self)
    #expect(second == "\u{1B}[1;1Hé\u{1B}[2;3H\u{1B}[0;48;2;255;0;0mc\u{1B}[0m")
    // A short gap with the same style is written again; otherwise the cursor moves.
    canvas = Canvas(width: 12, height: 1)
    _ = printer.update(to: canvas)
    for column in [0, 3, 11] { canvas.write("x", column: column, row: 0) }
    #expect(String(decoding: printer.update(to: canvas), as: UTF8.self) == "\u{1B}[1;1Hx  x\u{1B}[1;12Hx")
    printer.invalidate()
    #expect(printer.update(to: canvas).starts(with: Array("\u{1B}[0m\u{1B}[2J".utf8)))
    // A new size redraws everything.
    #expect(printer.update(to: Canvas(width: 3, height: 2)) == Array("\u{1B}[0m\u{1B}[2J".utf8))
  }

  @Test(
    arguments: [
      (.none, "\u{1B}[0;1mx"), (.sixteen, "\u{1B}[0;1;91;104mx"), (.indexed, "\u{1B}[0;1;38;5;196;48;5;63mx"),
    ] as [(ColorDepth, String)])
  func poorTerminals(_ depth: ColorDepth, _ bytes: String) {
    var printer = CanvasPrinter(colors: depth)
    var canvas = Canvas(width: 1, height: 1)
    canvas[0, 0] = Cell("x", Style(red, on: RGB(red: 92, green: 92, blue: 255), isBold: true))
    let text = String(decoding: printer.update(to: canvas), as: UTF8.self)
    #expect(text == "\u{1B}[0m\u{1B}[2J\u{1B}[1;1H\(bytes)\u{1B}[0m")
  }

  @Test func terminalsWithoutUTF8() {
    // Braille: nothing, a dot above, below, a column, a rising and a falling line, a middle line, all dots.
    let pairs: [(Unicode.Scalar, Unicode.Scalar)] = [
      ("⠀", " "), ("⠁", "'"), ("⡀", "_"), ("⣀", "_"), ("⡇", "|"), ("⢸", "|"), ("⡠", "."), ("⡜", "/"),
      ("⢣", "\\"),
      ("⠒", "-"), ("⠤", "-"), ("⣿", "#"), ("⠉", "'"), ("⢅", "\\"), ("⡈", "/"), ("█", "#"), ("▀", "#"),
      ("▄", "#"),
      ("▏", "|"), ("▍", "|"), ("▐", "#"), ("·", "."), ("●", "o"), ("▶", ">"), ("◀", "<"), ("°", " "),
      ("x", "x"),
      ("~", "~"), ("ü", "?"),
    ]
    for (character, ascii) in pairs { #expect(character.ascii == ascii, "\(character)") }
    for value in 0x20...0x3000 as ClosedRange<UInt32> {
      guard let ascii = Unicode.Scalar(value)?.ascii else { continue }
      #expect((0x20...0x7E).contains(ascii.value))
    }
    var printer = CanvasPrinter(colors: .none, isASCII: true)
    var canvas = Canvas(width: 2, height: 1)
    canvas.write("●°", column: 0, row: 0)
    #expect(printer.update(to: canvas) == Array("\u{1B}[0m\u{1B}[2J\u{1B}[1;1Ho ".utf8))
    // A change between characters with the same replacement costs bytes, but is no error.
    canvas.write("○", column: 0, row: 0)
    #expect(printer.update(to: canvas) == Array("\u{1B}[1;1Ho".utf8))
  }

  @Test(arguments: [
    // From the table of xterm's 256 colours.
    (RGB(red: 0, green: 0, blue: 0), 16), (RGB(red: 255, green: 255, blue: 255), 231),
    (RGB(red: 95, green: 135, blue: 175), 67), (RGB(red: 128, green: 128, blue: 128), 244),
    (RGB(red: 8, green: 8, blue: 8), 232), (RGB(red: 238, green: 238, blue: 238), 255),
    (RGB(red: 215, green: 95, blue: 0), 166),
  ])
  func indices(_ color: RGB, _ index: Int) { #expect(color.xtermIndex == index) }

  @Test(
    arguments: [
      (nil, "xterm-256color", "truecolor", .trueColor), (nil, "xterm-256color", nil, .indexed),
      (nil, "linux", nil, .sixteen), ("1", "xterm-256color", "truecolor", .none),
      ("", "xterm", nil, .sixteen),
      (nil, "dumb", "truecolor", .none), (nil, nil, nil, .none), (nil, "xterm-direct", nil, .trueColor),
    ] as [(String?, String?, String?, ColorDepth)])
  func depths(_ noColor: String?, _ term: String?, _ colorTerm: String?, _ depth: ColorDepth) {
    #expect(ColorDepth(noColor: noColor, term: term, colorTerm: colorTerm) == depth)
  }
}

extension Canvas {
  /// The characters of a row without trailing blanks.
  func text(row: Int) -> String {
    var text = String.UnicodeScalarView()
    for column in 0..<width { text.append(self[column, row].character) }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
