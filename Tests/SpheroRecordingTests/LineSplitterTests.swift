// Lines of bounded length.

import SpheroCapture
import Testing

@Suite struct LineSplitterTests {
  private func lines(_ pieces: [String], longest: Int = 8) -> [LineSplitter.Line] {
    var splitter = LineSplitter(limit: longest)
    var lines: [LineSplitter.Line] = []
    for piece in pieces {
      splitter.append(piece.utf8)
      while let line = splitter.next() { lines.append(line) }
    }
    splitter.finish()
    while let line = splitter.next() { lines.append(line) }
    return lines
  }

  @Test(
    arguments: [
      ([], []), ([""], []), (["a\nb\n"], ["a", "b"]), (["a", "b\n", "\n"], ["ab", ""]),
      (["a\r\nb\r", "\nc"], ["a", "b", "c"]), (["12345678\n"], ["12345678"]), (["a\0b\n"], ["a\0b"]),
      (["12345678\r\n"], ["12345678"]),
    ] as [([String], [String])])
  func areTakenApart(_ pieces: [String], _ wanted: [String]) {
    #expect(lines(pieces) == wanted.map { .text(Array($0.utf8)[...]) })
  }

  @Test func whatIsTooLongIsToldOnce() {
    let kept = LineSplitter.Line.tooLong(Array("12345678".utf8)[...])
    #expect(lines(["123456789\nab\n"]) == [kept, .text([0x61, 0x62])])
    #expect(lines(["123456789"]) == [kept])
    #expect(lines(["1234", "56789", "0", "\n", "a"]) == [kept, .text([0x61])])
    #expect(
      lines([String(repeating: "12345678", count: 100_000), "\nok\n"]) == [kept, .text([0x6F, 0x6B])])
  }
}
