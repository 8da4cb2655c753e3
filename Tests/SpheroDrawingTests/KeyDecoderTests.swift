// Keys and mouse events against xterm's documented sequences, split at any byte.

import Testing

@testable import SpheroDrawing

@Suite struct KeyDecoderTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let bytes: String
    let inputs: [TerminalInput]
    var testDescription: String { String(bytes.unicodeScalars.map { $0 == "\u{1B}" ? "␛" : Character($0) }) }
    init(_ bytes: String, _ key: TerminalInput.Key, isShifted: Bool = false) {
      (self.bytes, inputs) = (bytes, [.key(key, isShifted: isShifted)])
    }
    init(_ bytes: String, _ input: TerminalInput) { (self.bytes, inputs) = (bytes, [input]) }
    init(nothing bytes: String) { (self.bytes, inputs) = (bytes, []) }
  }

  static let rows = [
    Row("a", .character("a")), Row("Q", .character("Q")), Row("é", .character("é")),
    Row("→", .character("→")),
    Row("😀", .character("😀")), Row("\r", .enter), Row("\n", .enter), Row("\t", .tab),
    Row("\u{7F}", .backspace), Row("\u{08}", .backspace),
    Row("\u{1B}[A", .up), Row("\u{1B}[B", .down), Row("\u{1B}[C", .right), Row("\u{1B}[D", .left),
    Row("\u{1B}OA", .up), Row("\u{1B}OD", .left), Row("\u{1B}OM", .enter),
    Row("\u{1B}O2B", .down, isShifted: true),
    Row("\u{1B}[H", .home), Row("\u{1B}[F", .end),
    Row("\u{1B}[1~", .home), Row("\u{1B}[4~", .end), Row("\u{1B}[7~", .home), Row("\u{1B}[8~", .end),
    Row("\u{1B}[5~", .pageUp), Row("\u{1B}[6~", .pageDown), Row("\u{1B}[5;2~", .pageUp, isShifted: true),
    Row("\u{1B}[Z", .tab, isShifted: true), Row("\u{1B}[1;2A", .up, isShifted: true),
    // Keys with Control or Alt.
    Row(nothing: "\u{01}"), Row(nothing: "\u{1A}"), Row(nothing: "\u{00}"), Row(nothing: "\u{1C}"),
    Row(nothing: "\u{1B}a"), Row(nothing: "\u{1B}q"), Row(nothing: "\u{1B}é"), Row(nothing: "\u{1B}\u{01}"),
    Row(nothing: "\u{1B}O5C"), Row(nothing: "\u{1B}[1;5C"), Row(nothing: "\u{1B}[1;3D"),
    Row(nothing: "\u{1B}[1;6A"), Row(nothing: "\u{1B}[5;5~"),
    // Insert, Delete and the function keys.
    Row(nothing: "\u{1B}[2~"), Row(nothing: "\u{1B}[3~"), Row(nothing: "\u{1B}[3;5~"),
    Row(nothing: "\u{1B}OP"),
    Row(nothing: "\u{1B}OS"), Row(nothing: "\u{1B}O2Q"), Row(nothing: "\u{1B}[15~"),
    Row(nothing: "\u{1B}[24~"), Row(nothing: "\u{1B}[32;10;5M"),
    Row(nothing: "\u{1B}[1;6P"), Row(nothing: "\u{1B}[[A"), Row(nothing: "\u{1B}[[E"),
    Row("\u{1B}[<0;1;1M", .mouse(.press, column: 0, row: 0)),
    Row("\u{1B}[<0;300;1m", .mouse(.release, column: 299, row: 0)),
    // The release of any button.
    Row("\u{1B}[<2;2;3m", .mouse(.release, column: 1, row: 2)),
    Row("\u{1B}[<3;2;3m", .mouse(.release, column: 1, row: 2)),
    Row("\u{1B}[<32;5;6M", .mouse(.drag, column: 4, row: 5)),
    Row("\u{1B}[<64;5;6M", .mouse(.scrollUp, column: 4, row: 5)),
    Row("\u{1B}[<65;5;6M", .mouse(.scrollDown, column: 4, row: 5)),
    Row("\u{1B}[<20;5;6M", .mouse(.press, column: 4, row: 5)),
    // Another button, a movement without a button, and a wheel that turns sideways.
    Row(nothing: "\u{1B}[<2;80;24M"), Row(nothing: "\u{1B}[<33;5;6M"), Row(nothing: "\u{1B}[<35;5;6M"),
    Row(nothing: "\u{1B}[<66;5;6M"), Row(nothing: "\u{1B}[<64;5;6m"),
    Row(nothing: "\u{1B}[<0;0;5M"), Row(nothing: "\u{1B}[<0;5M"), Row(nothing: "\u{1B}[<;;M"),
    // The button "back" of a mouse with more than three buttons.
    Row(nothing: "\u{1B}[<128;5;6M"), Row(nothing: "\u{1B}[<128;5;6m"),
    Row(nothing: "\u{1B}[?1;2c"), Row(nothing: "\u{1B}[200~"), Row(nothing: "\u{1B}[M !!"),
    Row(nothing: "\u{1B}[99999999999999999999~"), Row(nothing: "\u{1B}Ox"), Row(nothing: "\u{1B}[[Z"),
  ]

  @Test(arguments: rows) func sequences(_ row: Row) {
    var decoder = KeyDecoder()
    // Another key after it shows that nothing is pending.
    let next = TerminalInput.key(.character("!"))
    #expect(decoder.feed(Array(row.bytes.utf8) + [0x21], at: .zero) == row.inputs + [next])
    #expect(decoder.nextDeadline == nil)
    // Byte by byte, each before the deadline.
    var inputs: [TerminalInput] = []
    for (index, byte) in (Array(row.bytes.utf8) + [0x21]).enumerated() {
      inputs += decoder.feed([byte], at: .milliseconds(49 * index))
    }
    #expect(inputs == row.inputs + [next])
  }

  @Test func escapeAloneIsDecidedByTheDeadline() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0x1B], at: .milliseconds(100)).isEmpty)
    #expect(decoder.nextDeadline == .milliseconds(150))
    #expect(decoder.advance(to: .milliseconds(149)).isEmpty)
    #expect(decoder.advance(to: .milliseconds(150)) == [.key(.escape)])
    #expect(decoder.nextDeadline == nil)
    // Later bytes are separate keys.
    _ = decoder.feed([0x1B], at: .zero)
    let late = decoder.feed(Array("[A".utf8), at: .seconds(1))
    #expect(late == [.key(.escape), .key(.character("[")), .key(.character("A"))])
    #expect(
      decoder.feed([0x1B, 0x1B], at: .seconds(2)) + decoder.advance(to: .seconds(3))
        == [.key(.escape), .key(.escape)])
    _ = decoder.feed(Array("\u{1B}[".utf8), at: .seconds(4))
    // Alt with `[`, which also begins sequences.
    #expect(decoder.advance(to: .seconds(5)).isEmpty && decoder.nextDeadline == nil)
    _ = decoder.feed(Array("\u{1B}[1;".utf8), at: .seconds(6))
    #expect(decoder.advance(to: .seconds(7)).isEmpty && decoder.nextDeadline == nil)
    // The first byte of a character of two bytes is not a character.
    _ = decoder.feed([0x1B, 0xC3], at: .seconds(8))
    #expect(decoder.advance(to: .seconds(9)).isEmpty && decoder.nextDeadline == nil)
  }

  @Test func memoryIsBounded() {
    var decoder = KeyDecoder()
    // An endless sequence is discarded, and later keys are decoded.
    _ = decoder.feed(Array("\u{1B}[".utf8) + Array(repeating: 0x30, count: 100_000), at: .zero)
    _ = decoder.advance(to: .seconds(1))
    #expect(decoder.feed([0x61], at: .seconds(2)) == [.key(.character("a"))])
    // Its rest up to the final byte is discarded, too, and another sequence ends it.
    let long = "\u{1B}[" + String(repeating: "1;", count: 50)
    let next = TerminalInput.key(.character("a"))
    #expect(decoder.feed(Array("\(long)Aa".utf8), at: .seconds(3)) == [next])
    #expect(decoder.feed(Array("\(long)\u{1B}[Aa".utf8), at: .seconds(4)) == [.key(.up), next])
    _ = decoder.feed(Array(long.utf8), at: .seconds(5))
    #expect(decoder.nextDeadline == .milliseconds(5_050))
    #expect(decoder.feed(Array("1a".utf8), at: .seconds(6)) == [.key(.character("1")), next])
    // Random bytes: no trap, and at most one input for each byte.
    var (state, count) = (UInt64(0x5EED), 0)
    var inputs = 0
    for round in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let byte = UInt8(truncatingIfNeeded: state >> 56)
      count += 1
      inputs += decoder.feed([byte.isMultiple(of: 5) ? 0x1B : byte], at: .milliseconds(round)).count
    }
    #expect(inputs <= count)
    // A control sequence that is interrupted by another one.
    _ = decoder.advance(to: .seconds(1_000))
    #expect(decoder.feed(Array("\u{1B}[1;\u{1B}[A".utf8), at: .seconds(2_000)) == [.key(.up)])
  }
}
