// Captures in every format are read, written back, and rejected with the location of the error.

import SpheroProtocol
import SpheroRecording
import TestSupport
import Testing

@Suite struct CaptureTests {
  static let ping: [UInt8] = [0xFF, 0xFF, 0x00, 0x02, 0x01, 0x01, 0xFB]

  private func lines(_ text: String, from sender: Sender = .robot) throws -> [CaptureLine] {
    try CaptureReader.lines(in: Array(text.utf8), from: sender)
  }

  @Test(
    arguments: [
      "#: capture start=2026-11-26T00:00:00Z\n", "\u{FEFF}#: capture\n#: capture \n",
      "# a comment\r\n\r\n0.05 > 00\r\n",
      "> 00\n",
    ], ["\0", "\u{1}", "\u{7F}"])
  func aDamagedByteDoesNotMakeACaptureRaw(beginning: String, damage: String) throws {
    var reader = CaptureReader()
    reader.append(Array("\(beginning)0.1 < FF \(damage)F\n0.2 < FF FE\n".utf8))
    reader.finish()
    var (lines, errors) = ([[UInt8]](), 0)
    while true {
      do throws(CaptureError) {
        guard let record = try reader.next() else { break }
        if case .line(let line) = record, line.sender == .robot { lines.append(line.bytes) }
      } catch { errors += 1 }
    }
    #expect(lines == [[0xFF, 0xFE]] && errors == 1)
  }

  @Test(
    arguments: [
      ([0x1F, 0x8B, 0x08, 0x00], "zcat"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xzcat"),
      ([0x28, 0xB5, 0x2F, 0xFD, 0x04], "zstdcat"), (Array("BZh91AY".utf8), "bzcat"),
      ([0x50, 0x4B, 0x03, 0x04, 0x14], "unzip -p"),
      ([0xFF, 0xFE] + "0.031 < FF".utf8.flatMap { [$0, 0] }, "iconv -f UTF-16 -t UTF-8"),
      ([0xFE, 0xFF] + "0.031 < FF".utf8.flatMap { [0, $0] }, "iconv -f UTF-16 -t UTF-8"),
    ] as [([UInt8], String)])
  func compressedRecordingsAreReportedInPieces(_ beginning: [UInt8], _ tool: String) throws {
    var reader = CaptureReader()
    reader.append(beginning.prefix(1))
    #expect(try reader.next() == nil)
    reader.append(beginning.dropFirst() + [0xFF, 0xFF, 0x00])
    do throws(CaptureError) {
      _ = try reader.next()
      Issue.record("no error")
    } catch { #expect(error.description.contains("'\(tool) FILE'")) }
    reader.append([0x0A, 0xFF])
    reader.finish()
    #expect(try reader.next() == nil)
  }

  @Test(arguments: 1...17) func textInUTF16IsDetectedInPieces(length: Int) throws {
    let bytes: [UInt8] = [0xFF, 0xFE] + "0.031 < FF FF".utf8.flatMap { [$0, 0] }
    var reader = CaptureReader()
    reader.append(bytes[..<length])
    #expect(try reader.next() == nil)
    reader.append(bytes[length...])
    #expect(throws: CaptureError.self) { try reader.next() }
    // The beginning of an event is not delayed longer than it may be text.
    var live = CaptureReader()
    live.append([0xFF, 0xFE, 0x03, 0x00])
    #expect(try live.next()?.line?.bytes == [0xFF, 0xFE, 0x03, 0x00])
    // The end of the input decides.
    var short = CaptureReader()
    short.append(bytes[..<length])
    short.finish()
    #expect(try short.next()?.line?.bytes == Array(bytes[..<length]))
  }

  @Test func lineIsWrittenAndReadBack() throws {
    let line = CaptureLine(time: .milliseconds(31), from: .robot, bytes: Self.ping)
    #expect(line.description == "0.031000 < FF FF 00 02 01 01 FB")
    #expect(try CaptureLine(parsing: line.description) == line)
    let timeless = CaptureLine(from: .host, bytes: Self.ping)
    #expect(timeless.description == "> FF FF 00 02 01 01 FB")
    #expect(try CaptureLine(parsing: timeless.description) == timeless)
  }

  @Test func randomLinesAreReadBack() throws {
    let seed: UInt64 = 0x5EED_0010
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let time = Duration.microseconds(Int64.random(in: 0...3_000_000_000_000_000, using: &random))
      let line = CaptureLine(
        time: Bool.random(using: &random) ? time : nil, from: Bool.random(using: &random) ? .host : .robot,
        bytes: (0..<Int.random(in: 0...40, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        })
      #expect(try CaptureLine(parsing: line.description) == line, "seed \(seed)")
    }
  }

  @Test func linesOfEveryLengthAreSplit() throws {
    for first in 0...20 {
      for second in 0...20 {
        let text = [first, second].map { "> " + String(repeating: "0B", count: $0) + "\t" }.joined(
          separator: "\n")
        #expect(try lines(text).map(\.bytes.count) == [first, second])
      }
    }
  }

  @Test func timesAreExact() throws {
    #expect(
      try CaptureLine(parsing: "1.000000000000000001 > 00").time
        == Duration(
          secondsComponent: 1, attosecondsComponent: 1))
    // Further decimals are truncated.
    #expect(
      try CaptureLine(parsing: "1.0000000000000000019 > 00").time
        == Duration(secondsComponent: 1, attosecondsComponent: 1))
    #expect(
      try CaptureLine(parsing: "7.9999999999999999999999999999999999999999 > 00").time
        == Duration(secondsComponent: 7, attosecondsComponent: 999_999_999_999_999_999))
    #expect(try CaptureLine(parsing: "12 > 00").time == .seconds(12))
    #expect(try CaptureLine(parsing: "12. > 00").time == .seconds(12))
    #expect(
      CaptureLine(time: .nanoseconds(1_999_999_600), from: .host, bytes: []).description == "2.000000 > ")
  }

  @Test(arguments: [
    "FF FF 00 02 01 01 FB", "ffff00020101fb", "FFFF 0002 0101 FB", "0xFF,0xFF,0x00,0x02,0x01,0x1,0xFB",
    "0xFF, 0xFF, 0x00, 0x02, 0x01, 0x01, 0xFB,", #"\xff\xff\x00\x02\x01\x01\xfb"#, "ff:ff:00:02:01:01:fb",
    "# ping\n\nFF FF 00 02 01 01 FB # and after it\r\n", "FF FF 00 02\n01 01 FB",
    "00000000: ffff 0002 0101 fb                        .......",
    "00000010: ffff0002 0101fb   ..<....", "00000000: ff ff 00 02 01\n00000005: 01 fb\n",
    "00000000  ff ff 00 02 01 01 fb                              |.......|\n00000007\n",
    "00000000  ff ff 00 02  01 01 fb |>|", "ff000010  ff ff 00 02 01 01 fb  |.......|",
    "000000 ff ff 00 02\n000004 01 01 fb\n000007\n", "00000000 ff ff 00 02 01 01 fb\n",
    "0000000    ff  ff  00  02\n0000004    01  01  fb\n0000007\n",
    "(1.234) sphero FFFF00020101FB", "  (1.2) sphero FFFF00\n\t(1.3) sphero 02 01 01 FB",
    "(1.2) sphero FFFF00\n(1.3) sphero 02 01 01 FB",
    "< FF FF 00 02 01 01 FB", "0.5 < FF FF 00\n  0.6 < 02 01 01 FB",
  ]) func everyFormat(_ text: String) throws {
    let lines = try lines(text)
    #expect(lines.flatMap(\.bytes) == Self.ping)
    #expect(lines.allSatisfy { $0.sender == .robot })
    let cut = try read(Array(text.utf8), size: 1)
    #expect(cut == lines)
  }

  /// A word of zeros before groups of bytes is no offset.
  @Test func groupedBytesMayBeginWithZeros() throws {
    let bytes = try lines("00000000 ffff0002 0101fb\n000000 ffff00\n").flatMap(\.bytes)
    #expect(bytes == [0, 0, 0, 0] + Self.ping + [0, 0, 0, 0xFF, 0xFF, 0])
  }

  /// The rest of a line of bytes looks like hexadecimal text.
  @Test(arguments: ["FE 03 00\n", "E 03 00 07\n", "3 < FF\n", ""])
  func aCaptureMayBeCutAtItsStart(_ beginning: String) throws {
    var reader = CaptureReader()
    reader.append(Array("\(beginning)0.5 < FF FF 00 02 01 01 FB\n0.6 > FF FF 00 01 01 01 FC\n".utf8))
    reader.finish()
    var lines: [CaptureLine] = []
    while true {
      do throws(CaptureError) {
        guard let item = try reader.next() else { break }
        lines += [item.line].compactMap { $0 }
      } catch {}
    }
    let rest = lines.suffix(2)
    #expect(rest.map(\.time) == [.milliseconds(500), .milliseconds(600)])
    #expect(rest.map(\.sender) == [.robot, .host] && rest.first?.bytes == Self.ping)
  }

  /// Windows programs write a byte order mark, also in the second of two concatenated files.
  @Test func eachFileMayBeginWithAByteOrderMark() throws {
    #expect(try lines("\u{FEFF}FF FF 00\n\u{FEFF}02 01 01 FB\n").flatMap(\.bytes) == Self.ping)
  }

  private func read(_ bytes: [UInt8], size: Int) throws -> [CaptureLine] {
    var reader = CaptureReader()
    var lines: [CaptureLine] = []
    for piece in cut(bytes, into: size) {
      reader.append(piece)
      while let record = try reader.next() { lines += [record.line].compactMap { $0 } }
    }
    reader.finish()
    while let record = try reader.next() { lines += [record.line].compactMap { $0 } }
    return lines
  }

  /// The ping in the notations of Python, Node, .NET and decimal lists, and after a byte order mark.
  @Test(arguments: [
    #"b'\xff\xff\x00\x02\x01\x01\xfb'"#, #"b"\xff\xff\x00\x02\x01\x01\xfb""#,
    #"bytearray(b'\xff\xff\x00\x02\x01\x01\xfb')"#, "<Buffer ff ff 00 02 01 01 fb>",
    "<Buffer ff ff 00>\r\n<Buffer 02 01 01 fb>\r\n", "255, 255, 0, 2, 1, 1, 251", "[255,255,0,2,1,1,251]",
    "[255]\n[255]\n[0]\n[2, 1, 1, 251]",
    "[0xFF, 0xFF, 0x00, 0x02, 0x01, 0x01, 0xFB]",
    "255,255,0,\n2, 1, 1, 251\n", "FF-FF-00-02-01-01-FB", "\u{FEFF}FF FF 00 02 01 01 FB",
    "\u{FEFF}b'\\xff\\xff\\x00\\x02\\x01\\x01\\xfb'", "\u{FEFF}# ping\nFF FF 00 02 01 01 FB",
    "\u{FEFF}0.5 < FF FF 00 02 01 01 FB",
  ]) func notationsOfOtherLanguages(_ text: String) throws {
    #expect(try lines(text).flatMap(\.bytes) == Self.ping)
    #expect(try read(Array(text.utf8), size: 1).flatMap(\.bytes) == Self.ping)
  }

  @Test(
    arguments: [
      (#"b'AZ az\n\r\t\\\'"#, nil),
      (#"b'<A>\n\r\t\\\'\"'"#, [0x3C, 0x41, 0x3E, 0x0A, 0x0D, 0x09, 0x5C, 0x27, 0x22]),
      ("b''", []), (#"b'\x4'"#, nil), (#"b'\q'"#, nil), ("b'a' + b'b'", nil), ("b'a\"", nil), ("b'é'", nil),
      ("b", nil),
      ("<Buffer ff ff ... 7 more bytes>", nil), ("<Buffer fff>", nil), ("<Buffer >", nil),
      ("<Buffer ff", nil),
      ("255, 256", nil), ("255, -1", nil), ("255,, 1", nil), ("[255, 1", nil), ("255, x1", nil),
      ("[300]", nil), ("FF-F", nil),
      ("FF-FF-", nil), ("1000, 1", nil),
      // After a decimal line all lines are decimal, although 10, 20 is also hexadecimal.
      ("255, 255\n10, 20\n", [255, 255, 10, 20]), ("10, 20\n", [0x10, 0x20]), ("255, 255\nFF FF\n", nil),
      ("255, 255\n10 < FF\n", nil), ("[10]\n10, 20\n", [10, 10, 20]), ("[255\n", nil), ("[]\n", nil),
      ("255, 255\nb'A'\n10, 20\n", [255, 255, 0x41, 10, 20]), ("255, 255\n12\n300\n", nil),
      ("255, 255\n12\n5\n123\n", [255, 255, 12, 5, 123]),
    ] as [(String, [UInt8]?)])
  func edgeCasesOfOtherNotations(_ text: String, _ bytes: [UInt8]?) throws {
    guard let bytes else {
      #expect(throws: CaptureError.self) { try lines(text) }
      return
    }
    #expect(try lines(text).flatMap(\.bytes) == bytes)
  }

  /// Any character at any offset, with blanks and with tabs between the pairs: the code paths differ,
  /// but the bytes must not.
  @Test(arguments: 0..<12) func anyCharacterAtAnyOffset(_ offset: Int) throws {
    for byte in UInt8.min...UInt8.max where byte != 0x0A && byte != 0x0D {
      var text = Array("0a F1 9b 7C ".utf8)
      text[offset] = byte
      func bytes(_ text: [UInt8]) -> [UInt8]? {
        var reader = CaptureReader(.capture)
        reader.append(Array("1.0 < ".utf8) + text + Array("\n".utf8))
        reader.finish()
        return (try? reader.next())?.line?.bytes
      }
      let list = text.enumerated().map { $0 % 3 == 2 && $0 != offset ? UInt8(ascii: "\t") : $1 }
      let (seen, same) = (bytes(text), bytes(list))
      #expect(seen == same, "byte \(byte) at \(offset)")
    }
    #expect(try lines("1.0 < 0a F1 9b 7C\n").map(\.bytes) == [[0x0A, 0xF1, 0x9B, 0x7C]])
  }

  @Test func damagedTextIsNotDecimal() {
    for text in ["FF FF 0", "12 345", "FF FF GG", "255 255 0"] {
      #expect(throws: CaptureError.self, "\(text)") { try lines(text) }
    }
  }

  @Test func directionsAndTimes() throws {
    let lines = try lines("# a talk\n0.000 > FF FE\n\n 0.031 < FF\n", from: .host)
    #expect(
      lines == [
        CaptureLine(time: .zero, from: .host, bytes: [0xFF, 0xFE]),
        CaptureLine(time: .milliseconds(31), from: .robot, bytes: [0xFF]),
      ])
    #expect(try self.lines("(1.5) sphero FF", from: .host).first?.sender == .host)
    #expect(try self.lines("(1.5) sphero FF").first?.time == .milliseconds(1500))
  }

  @Test func squeezedRowsAreExpanded() throws {
    let row = "00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|"
    let bytes = try lines("00000000  \(row)\n*\n00000040  ff fe                      |..|\n00000042\n")
      .flatMap(\.bytes)
    #expect(bytes == Array(repeating: 0, count: 0x40) + [0xFF, 0xFE])
  }

  /// `od -A x -t x1 -j 16` begins at an offset that is not 0.
  @Test func aDumpMayBeginAtAnyOffset() throws {
    for offset in ["000010", "0000010", "00000010"] {
      let bytes = try lines("\(offset) ff fe 01\n\(offset.dropLast())3\n").flatMap(\.bytes)
      #expect(bytes == [0xFF, 0xFE, 0x01])
    }
    // The beginning of a packet is no offset.
    #expect(try lines("FFFF00 52 01 AC").map(\.bytes) == [[0xFF, 0xFF, 0x00, 0x52, 0x01, 0xAC]])
  }

  /// A few characters may stand for any number of bytes, so their sum is limited like the length of a line.
  @Test func squeezedRowsAreLimited() throws {
    let row = String(repeating: "ff", count: 1 << 18)
    let start = "00000000: \(row)\n*\n00a00000: \(row)\n*\n"
    let bytes = try lines(start + "01080000: ff\n").reduce(0) { $0 + $1.bytes.count }
    #expect(bytes == 2 << 18 + 1 << 24 + 1)
    let error = try #require(throws: CaptureError.self) { try lines(start + "010c0000: ff\n") }
    #expect(error == .abbreviatedTooMuch(line: 5, column: 1))
  }

  @Test(arguments: CaptureFormat.allCases) func rawBytesAreDetected(_ format: CaptureFormat) throws {
    var reader = CaptureReader(format == .raw ? nil : .raw, from: .host)
    reader.append([0x75, 0x3E, 0x0D, 0x0A] + Self.ping)
    let line = try reader.next()?.line
    #expect(line == CaptureLine(from: .host, bytes: [0x75, 0x3E, 0x0D, 0x0A] + Self.ping))
    #expect(reader.format == .raw)
  }

  @Test(arguments: [
    ("FF F", 1, 4, "'F' has an odd number of hexadecimal digits"),
    ("# x\n> FF\n< FF GG", 3, 6, "expected hexadecimal bytes, saw 'GG'"),
    ("> FF\n0.1 FF", 2, 5, "expected '>' or '<', saw 'FF'"),
    ("> FF\nhello", 2, 1, "expected a time, '>' or '<', saw 'hello'"),
    ("9999999999999 > FF", 1, 1, "expected a time, saw a larger number"),
    ("(x) sphero FF", 1, 2, "expected a time, saw 'x)'"),
    ("(1.0 sphero FF", 1, 5, "expected ')', saw a blank"),
    ("(1.0)", 1, 6, "expected the name of a port, saw the end of the line"),
    ("00000000: ff\n00000002: ff", 2, 1, "the row begins at 2, but 1 is due"),
    ("00000000: ff\n*\n7fffffffffffff: ff", 3, 1, "expected an offset, saw a larger number"),
    (
      "00000000: ff\n*\n7fffffffffff: ff", 3, 1,
      "the rows '*' stand for more than 16777216 bytes: dump all rows, with -v"
    ),
    ("hello", 1, 1, "expected hexadecimal bytes, saw 'hello'"),
  ]) func errorsStateTheirLocation(_ text: String, line: Int, column: Int, message: String) throws {
    let error = try #require(throws: CaptureError.self) { try lines(text) }
    #expect(error.description == "line \(line), column \(column): \(message)")
  }

  @Test func anErrorCostsOneLine() throws {
    var reader = CaptureReader()
    reader.append("> FF\nx\n> FE\n".utf8)
    let first = try reader.next()?.line
    #expect(first?.bytes == [0xFF])
    #expect(throws: CaptureError.self) { try reader.next() }
    let second = try reader.next()?.line
    #expect(second?.bytes == [0xFE])
    var dump = CaptureReader()
    dump.append("00000000: 0102\n00000002: zz\n00000004: 0506\n".utf8)
    let row = try dump.next()?.line
    #expect(row?.bytes == [1, 2])
    #expect(throws: CaptureError.self) { try dump.next() }
    let last = try dump.next()?.line
    #expect(last?.bytes == [5, 6])
  }

  @Test func endlessLinesAreRejected() throws {
    var reader = CaptureReader(.hexadecimal)
    let piece = Array(repeating: UInt8(ascii: "F"), count: 1 << 20)
    var errors = 0
    for _ in 0..<20 {
      reader.append(piece)
      do { _ = try reader.next() } catch { errors += 1 }
    }
    #expect(errors == 1)
    reader.append("\nFF\n".utf8)
    let line = try reader.next()?.line
    #expect(line?.bytes == [0xFF])
  }

  @Test func noiseNeverTraps() {
    let seed: UInt64 = 0x5EED_0011
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("0123456789abcdefFx\\#:|<>(). \t\n\r*,;\u{E9}sphero".utf8)
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        alphabet.randomElement(using: &random) ?? 0
      }
      for format in [nil] + CaptureFormat.allCases.map(Optional.some) {
        let lines = try? CaptureReader.lines(in: text, format: format)
        #expect(lines?.reduce(0) { $0 + $1.bytes.count } ?? 0 <= 1 << 25, "seed \(seed)")
      }
    }
  }
}
