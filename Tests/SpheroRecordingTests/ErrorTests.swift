// The messages and the properties of all errors of captures and replays.

import SpheroProtocol
import SpheroRecording
import TestSupport
import Testing

@Suite struct ErrorTests {
  @Test func everyCaptureErrorHasItsSentence() throws {
    let rows: [(CaptureError, String)] = [
      (
        .unexpected("'x'", expected: "a time", line: 3, column: 7),
        "line 3, column 7: expected a time, saw 'x'"
      ),
      (
        .oddDigits("FFF", line: 3, column: 7),
        "line 3, column 7: 'FFF' has an odd number of hexadecimal digits"
      ),
      (
        .wrongOffset(0x20, expected: 0x1F, line: 3, column: 7),
        "line 3, column 7: the row begins at 20, but 1f is due"
      ),
      (
        .abbreviatedTooMuch(line: 3, column: 7),
        "line 3, column 7: the rows '*' stand for more than 16777216 bytes: dump all rows, with -v"
      ),
    ]
    for (error, text) in rows {
      #expect(error.line == 3 && error.column == 7 && error.description == text)
    }
    let long = CaptureError.lineTooLong(line: 2)
    let limit = CaptureReader.maximumLineLength
    #expect(long.line == 2 && long.column == limit + 1)
    #expect(long.description == "line 2, column \(limit + 1): the line is longer than \(limit) bytes")
    let cases = try caseNames(of: "CaptureError", in: "SpheroCapture/Capture.swift")
    #expect((rows.map { $0.0 } + [long]).map { caseName(of: $0) } == cases)
  }

  @Test func everyReplayErrorHasItsSentence() throws {
    let (ping, sleep) = (bytes("FF FF 00 01 07 01 F6"), bytes("FF FF 00 22 07 06 00 00 00 00 00 D0"))
    let unexpected = ReplayError.unexpected(seen: ping, expected: sleep)
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
    let rows: [(ReplayError, String)] = [
      (
        .incomplete(mark),
        "the recording is incomplete, so it cannot be replayed strictly: #: 0.500000 incomplete lines=3. "
          + "Replay it in the mode 'loose', or record it again."
      ),
      (
        .empty,
        "the recording holds nothing to replay. Record a conversation with a robot."
      ),
      (
        .tooLong(limit: 499),
        "the recording is longer than 499 bytes. Cut it into parts."
      ),
    ]
    for (error, text) in rows { #expect(error.description == text) }
    let cases = try caseNames(of: "ReplayError", in: "SpheroRecording/Replay/Replay.swift")
    #expect(([unexpected] + rows.map { $0.0 }).map { caseName(of: $0) } == cases)
  }
}
