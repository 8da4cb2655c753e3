// The sentences and the properties of every remark.

import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroHost

@Suite struct NoticeTests {
  private static let gap = StreamGap(reason: .lost, duration: .milliseconds(1_250), frames: 25)

  private static let notices: [(Notice, String)] = [
    (
      .connecting(waited: .seconds(1)),
      "the port is open, but the robot has not answered for 1.00 s; still waiting"
    ),
    (.connected, "the robot answers"),
    (.echo, "the line echoes what is sent to it; is it in raw mode?"),
    (
      .userHackMode,
      "the robot is in user hack mode; its prompt comes between the packets"
    ),
    (
      .bootloader,
      "the robot seems to be in its bootloader; send Bootloader.LeaveBootloader, or restart the robot"
    ),
    (
      .strayStream,
      "the robot was still streaming for a program that has ended; the stream was stopped"
    ),
    (
      .sharedPackets(frames: 10),
      "10 samples share a packet, so that the finite count lasts over this slow link"
    ),
    (
      .implausibleRate(480, wanted: 400),
      "480.0 samples come per second instead of the requested 400.0; their times are those of the requested rate"
    ),
    (.gap(gap), "a gap of 1.25 s in the samples: 25 were lost"),
    (.silence(.seconds(2)), "no samples for 2.00 s"),
    (.unresponsive, "the robot does not answer any more"),
    (.aboutToSleep, "the robot is about to sleep"),
    (.suspended(.seconds(600)), "the program was suspended for 600.00 s"),
    (.disconnected, "the link was lost"),
    (
      .reconnected(after: .milliseconds(3_040)),
      "the link is back after 3.04 s"
    ),
    (
      .unconfirmed(["Motion.Roll", "Lights.SetBackLED"]),
      "the robot did not confirm Motion.Roll, Lights.SetBackLED on leaving"
    ),
  ]

  @Test func everyNoticeHasItsSentence() throws {
    for (notice, text) in Self.notices { #expect(notice.description == text) }
    let cases = try caseNames(of: "Notice", in: "SpheroHost/Notice.swift")
    #expect(Self.notices.map { caseName(of: $0.0) } == cases)
  }

  @Test func everyGapHasItsSentence() throws {
    let rows: [(StreamGap.Reason, String)] = [
      (.layout, "a gap of 0.50 s in the samples: the stream's layout changed"),
      (.lost, "a gap of 0.50 s in the samples: 25 were lost"),
      (.restart, "a gap of 0.50 s in the samples: the stream stopped and was restarted"),
      (.reconnection, "a gap of 0.50 s in the samples: the link was lost"),
    ]
    for (reason, text) in rows {
      let gap = StreamGap(reason: reason, duration: .milliseconds(500), frames: reason == .lost ? 25 : nil)
      #expect(gap.description == text && gap.reason == reason)
    }
    let cases = try caseNames(of: "Reason", in: "SpheroHost/Notice.swift")
    #expect(rows.map { caseName(of: $0.0) } == cases)
  }
}
