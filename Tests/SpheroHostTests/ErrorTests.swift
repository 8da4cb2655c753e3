// Every error and remark says in a sentence what is wrong, and the next step; in properties, what was seen.

import SpheroHost
import SpheroProtocol
import TestSupport
import Testing

@Suite struct ErrorTests {
  private static let wake =
    "Wake it with a double tap, keep it near, and disconnect other programs and phones."

  private static let session: [(SessionError, SessionError.Code, command: String?, String)] = [
    (
      .refused(command: "Motion.Roll", status: .badParameter), .refused, "Motion.Roll",
      "the robot refused Motion.Roll: bad parameter. Check the values: one is out of the range that its firmware takes."
    ),
    (
      .timedOut(command: "Core.Ping", attempts: 3, hasEverAnswered: true), .timedOut, "Core.Ping",
      "the robot did not answer Core.Ping in time; it was sent 3 times. Move closer to the robot, or allow more time."
    ),
    (
      .timedOut(command: "Core.Ping", attempts: 1, hasEverAnswered: true), .timedOut, "Core.Ping",
      "the robot did not answer Core.Ping in time; it was sent once. Move closer to the robot, or allow more time."
    ),
    (
      .timedOut(command: "Core.Ping", hasEverAnswered: true), .timedOut, "Core.Ping",
      "the robot did not answer Core.Ping in time. Move closer to the robot, or allow more time."
    ),
    (
      .timedOut(command: "Core.Ping", attempts: 2, hasEverAnswered: false), .timedOut, "Core.Ping",
      "no robot answers (Core.Ping was sent 2 times). \(wake)"
    ),
    (
      .unconfirmed(command: "Macros.RunMacro"), .unconfirmed, "Macros.RunMacro",
      "the robot did not answer Macros.RunMacro, so it is not known whether it was executed; it was sent once. "
        + "See what the robot did before you send it again."
    ),
    (
      .malformed(command: "Core.Ping", .excess(offset: 0, count: 3)), .malformed, "Core.Ping",
      "the robot's answer to Core.Ping is malformed: 3 more bytes than the layout has, from byte 0. "
        + "Its firmware may be older or newer than the documents."
    ),
    (
      .superseded(command: "Motion.Roll"), .superseded, "Motion.Roll",
      "Motion.Roll was replaced by a newer command"
    ),
    (.leaving, .leaving, nil, "the program is leaving; nothing more is sent. Connect again."),
    (
      .disconnected(command: "Core.Ping"), .disconnected, "Core.Ping",
      "the link was lost before the robot answered Core.Ping. Wake the robot and try again."
    ),
    (
      .hazardous(command: "Bootloader.JumpToBootloader", hazard: "the robot stops"), .hazardous,
      "Bootloader.JumpToBootloader",
      "Bootloader.JumpToBootloader can do harm: the robot stops. Accept the hazard to send it anyway."
    ),
    (
      .tooManyRequests, .tooManyRequests, nil,
      "too many requests wait to be sent. Await answers before you send more."
    ),
    (.notConnected(.silence), .notConnected, nil, "no robot answers. \(wake)"),
    (
      .silentStream, .silentStream, nil,
      "the robot accepted the stream, but sends no samples. "
        + "Move closer and wake it, or request fewer fields."
    ),
    (
      .misfitStream(payloadCount: 12, expected: 14), .misfitStream, nil,
      "the robot's sensor packets have 12 bytes of values instead of the requested 14. "
        + "Its firmware may not know all of the fields: request fewer, and end other programs that stream."
    ),
    (
      .invalidStream("the divisor must be 1...65535"), .invalidStream, nil, "the divisor must be 1...65535"
    ),
  ]

  @Test func everySessionErrorHasItsSentence() throws {
    for (error, code, command, text) in Self.session {
      #expect(error.code == code && error.command == command && error.description == text)
      // Nothing of one kind is set for another.
      #expect((error.status != nil) == (code == .refused) && (error.misfit != nil) == (code == .malformed))
      #expect((error.finding != nil) == (code == .notConnected))
      #expect((error.hasEverAnswered != nil) == (code == .timedOut))
    }
    let codes = try openNames(in: "SpheroHost/SessionError.swift").map(\.text)
    #expect(Set(Self.session.map { "\($0.0.code)" }) == Set(codes))
  }

  @Test func sessionErrorsTellWhatWasSeen() {
    #expect(SessionError.refused(command: "Core.Ping", status: .memoryBusy).status == .memoryBusy)
    let silence = SessionError.timedOut(command: "Core.Ping", attempts: 3, hasEverAnswered: false)
    #expect(silence.attempts == 3 && silence.hasEverAnswered == false)
    let misfit = WireError.excess(offset: 0, count: 3)
    #expect(SessionError.malformed(command: "Core.Ping", misfit).misfit == misfit)
    #expect(SessionError.notConnected(.deaf(packets: 4)).finding == .deaf(packets: 4))
  }

  @Test func everyFindingHasItsSentence() throws {
    let port = "Check that the port is the robot's."
    let rows: [(Handshake.Finding, Handshake.Finding.Kind, count: Int?, [UInt8], String, advice: String)] = [
      (.silence, .silence, nil, [], "no robot answers", Self.wake),
      (
        .echo, .echo, nil, [], "the port echoes what is sent to it, and no robot answers", port
      ),
      (
        .noise(count: 9, first: [0x55, 0x0A]), .noise, 9, [0x55, 0x0A],
        "no robot answers; the port sent 9 bytes that make no packet, beginning with 55 0A", port
      ),
      (
        .deaf(packets: 1), .deaf, 1, [], "no robot answers a ping, though the port sent 1 packet", Self.wake
      ),
      (
        .deaf(packets: 2), .deaf, 2, [], "no robot answers a ping, though the port sent 2 packets", Self.wake
      ),
    ]
    for (finding, kind, count, first, text, advice) in rows {
      #expect(finding.kind == kind && finding.count == count && finding.first == first)
      #expect(finding.description == text && finding.advice == advice)
    }
    let kinds = try openNames(of: "Kind", in: "SpheroHost/Handshake.swift").map(\.text)
    #expect(Set(rows.map { "\($0.1)" }) == Set(kinds))
  }
}
