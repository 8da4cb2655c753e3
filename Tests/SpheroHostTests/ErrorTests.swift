// The sentences, the advice and the properties of every error and remark.

import SpheroHost
import SpheroProtocol
import TestSupport
import Testing

@Suite struct ErrorTests {
  private static let wake =
    "Shake it awake, keep it near, and disconnect other programs and phones."

  private static let session: [(SessionError, String)] = [
    (
      .refused(command: "Motion.Roll", status: .badParameter),
      "the robot refused Motion.Roll: bad parameter. Check the values: one is out of the range that its firmware takes."
    ),
    (
      .refused(command: "Sensing.SetDataStreaming", status: .badParameter),
      "the robot refused Sensing.SetDataStreaming: bad parameter. Check divisor, frames and mask; a replay has only the streams of its recording."
    ),
    (
      .timedOut(command: "Core.Ping", attempts: 3, hasEverAnswered: true),
      "the robot did not answer Core.Ping in time; it was sent 3 times. Move closer to the robot, or allow more time."
    ),
    (
      .timedOut(command: "Core.Ping", attempts: 1, hasEverAnswered: true),
      "the robot did not answer Core.Ping in time; it was sent once. Move closer to the robot, or allow more time."
    ),
    (
      .timedOut(command: "Core.Ping", hasEverAnswered: true),
      "the robot did not answer Core.Ping in time. Move closer to the robot, or allow more time."
    ),
    (
      .timedOut(command: "Core.Ping", attempts: 2, hasEverAnswered: false),
      "no robot answers (Core.Ping was sent 2 times). \(wake)"
    ),
    (
      .unconfirmed(command: "Macros.RunMacro"),
      "the robot did not answer Macros.RunMacro, so it is not known whether it was executed; it was sent once. "
        + "See what the robot did before you send it again."
    ),
    (
      .malformed(command: "Core.Ping", .excess(offset: 0, count: 3)),
      "the robot's answer to Core.Ping is malformed: 3 more bytes than the layout has, from byte 0. "
        + "Its firmware may be older or newer than the documents."
    ),
    (
      .superseded(command: "Motion.Roll"),
      "Motion.Roll was replaced by a newer command"
    ),
    (.leaving, "the session is closed; nothing more is sent. Connect again."),
    (
      .disconnected(command: "Core.Ping"),
      "the link was lost before the robot answered Core.Ping. Wake the robot and try again."
    ),
    (
      .hazardous(command: "Bootloader.JumpToBootloader", hazard: "the robot stops."),
      "Bootloader.JumpToBootloader can do harm: the robot stops. Accept the hazard to send it anyway."
    ),
    (
      .tooManyRequests,
      "too many requests wait to be sent. Await answers before you send more."
    ),
    (.notConnected(.silence), "no robot answers. \(wake)"),
    (
      .silentStream,
      "the robot accepted the stream, but sends no samples. "
        + "Move closer and wake it, or request fewer fields."
    ),
    (
      .mismatchedStream(payloadCount: 12, expected: 14),
      "the robot's sensor packets have 12 bytes of values instead of the requested 14. "
        + "Request fields that its firmware knows, of a recording the recorded ones, and end other programs that stream."
    ),
    (
      .invalidStream("the divisor must be 1...65535"), "the divisor must be 1...65535"
    ),
  ]

  @Test func everySessionErrorHasItsSentence() throws {
    for (error, text) in Self.session {
      #expect(error.description == text)
    }
    let cases = try caseNames(of: "SessionError", in: "SpheroHost/SessionError.swift")
    #expect(Set(Self.session.compactMap { caseName(of: $0.0) }) == Set(cases))
  }

  @Test func everyFindingHasItsSentence() throws {
    let port = "Check that the port is the robot's."
    let rows: [(Handshake.Finding, String, advice: String)] = [
      (.silence, "no robot answers", Self.wake),
      (.echo, "the port echoes what is sent to it, and no robot answers", port),
      (
        .noise(count: 9, first: [0x55, 0x0A]),
        "no robot answers; the port sent 9 bytes that make no packet, beginning with 55 0A", port
      ),
      (.noAnswer(packets: 1), "no robot answers a ping, though the port sent 1 packet", Self.wake),
      (.noAnswer(packets: 2), "no robot answers a ping, though the port sent 2 packets", Self.wake),
    ]
    for (finding, text, advice) in rows {
      #expect(finding.description == text && finding.advice == advice)
    }
    let cases = try caseNames(of: "Finding", in: "SpheroHost/Handshake.swift")
    #expect(Set(rows.compactMap { caseName(of: $0.0) }) == Set(cases))
  }
}
