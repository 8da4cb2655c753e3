// Every error says in a sentence what is wrong, and in properties where and what was seen.

import SpheroProtocol
import SpheroRecording
import TestSupport
import Testing

@Suite struct ErrorTests {
  @Test func everyCaptureErrorHasItsSentence() throws {
    let rows: [(CaptureError, CaptureError.Code, seen: String?, expected: String?, String)] = [
      (
        .unexpected("'x'", expected: "a time", line: 3, column: 7), .unexpected, "'x'", "a time",
        "line 3, column 7: expected a time, saw 'x'"
      ),
      (
        .oddDigits("FFF", line: 3, column: 7), .oddDigits, "FFF", nil,
        "line 3, column 7: 'FFF' has an odd number of hexadecimal digits"
      ),
      (
        .wrongOffset(0x20, expected: 0x1F, line: 3, column: 7), .wrongOffset, "20", "1f",
        "line 3, column 7: the row begins at 20, but 1f is due"
      ),
    ]
    for (error, code, seen, expected, text) in rows {
      #expect(error.code == code && error.line == 3 && error.column == 7 && error.description == text)
      #expect(error.seen == seen && error.expected == expected)
    }
    let long = CaptureError.lineTooLong(line: 2)
    let limit = CaptureReader.longestLine
    #expect(long.code == .lineTooLong && long.line == 2 && long.column == limit + 1 && long.seen == nil)
    #expect(long.description == "line 2, column \(limit + 1): the line is longer than \(limit) bytes")
    let codes = try openNames(in: "SpheroCapture/CaptureError.swift").map(\.text)
    #expect(rows.map { "\($0.1)" } + ["lineTooLong"] == codes)
  }

  @Test func everyReplayErrorHasItsSentence() throws {
    let (ping, sleep) = (bytes("FF FF 00 01 07 01 F6"), bytes("FF FF 00 22 07 06 00 00 00 00 00 D0"))
    let unexpected = ReplayError.unexpected(seen: ping, expected: sleep)
    #expect(unexpected.code == .unexpected && unexpected.seen == ping && unexpected.expected == sleep)
    #expect(
      unexpected.message.hasPrefix(
        "the recording continues differently: expected Core.Sleep seq 7 ")
        && unexpected.message.hasSuffix(", saw Core.Ping seq 7 (FF FF 00 01 07 01 F6)"), "\(unexpected)")
    #expect(unexpected.advice == "Send what was recorded, or replay it in the mode 'loose'.")
    let end = ReplayError.unexpected(seen: ping, expected: nil)
    #expect(
      end.message
        == "the recording continues differently: expected no more commands, saw Core.Ping seq 7 (FF FF 00 01 07 01 F6)"
    )
    let mark = CaptureMark(.incomplete, time: .milliseconds(500), lines: 3)
    let rows: [(ReplayError, ReplayError.Code, mark: CaptureMark?, limit: Int?, String)] = [
      (
        .incomplete(mark), .incomplete, mark, nil,
        "the recording is incomplete, so it cannot be replayed strictly: #: 0.500000 incomplete lines=3. "
          + "Replay it in the mode 'loose', or record it again."
      ),
      (
        .empty, .empty, nil, nil,
        "the recording holds nothing to replay. Record a conversation with a robot."
      ),
      (
        .tooLong(limit: 499), .tooLong, nil, 499,
        "the recording is longer than 499 bytes. Cut it into parts."
      ),
    ]
    for (error, code, mark, limit, text) in rows {
      #expect(error.code == code && error.mark == mark && error.limit == limit && error.description == text)
      #expect(error.seen.isEmpty && error.expected == nil)
    }
    let codes = try openNames(in: "SpheroRecording/Replay/ReplayError.swift").map(\.text)
    #expect(["unexpected"] + rows.map { "\($0.1)" } == codes)
  }
}
