// Every remark has its sentence, and what it tells is in properties.

import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroHost

@Suite struct RemarkTests {
  private static let gap = StreamGap(reason: .lost, duration: .milliseconds(1_250), frames: 25)

  private static let notices: [(Notice, Notice.Kind, Duration?, String)] = [
    (
      .connecting(waited: .seconds(1)), .connecting, .seconds(1),
      "the port is open, but the robot has not answered for 1.00 s; still waiting"
    ),
    (.connected, .connected, nil, "the robot answers"),
    (.echo, .echo, nil, "the line echoes what is sent to it; is it in raw mode?"),
    (
      .userHackMode, .userHackMode, nil,
      "the robot is in user hack mode; its prompt comes between the packets"
    ),
    (
      .bootloader, .bootloader, nil,
      "the robot seems to be in its bootloader; send Bootloader.LeaveBootloader, or restart the robot"
    ),
    (
      .staleStream, .staleStream, nil,
      "the robot was still streaming for a program that has ended; the stream was stopped"
    ),
    (
      .sharedPackets(frames: 10), .sharedPackets, nil,
      "10 samples share a packet, so that the finite count lasts over this slow link"
    ),
    (
      .oddRate(480, wanted: 400), .oddRate, nil,
      "480.0 samples come per second instead of the requested 400.0; their times are wrong"
    ),
    (.gap(gap), .gap, .milliseconds(1_250), "a gap of 1.25 s in the samples: 25 were lost"),
    (.silence(.seconds(2)), .silence, .seconds(2), "no samples for 2.00 s"),
    (.unresponsive, .unresponsive, nil, "the robot does not answer any more"),
    (.aboutToSleep, .aboutToSleep, nil, "the robot is about to sleep"),
    (.suspended(.seconds(600)), .suspended, .seconds(600), "this computer was suspended for 600.00 s"),
    (.disconnected, .disconnected, nil, "the link was lost"),
    (
      .reconnected(after: .milliseconds(3_040)), .reconnected, .milliseconds(3_040),
      "the link is back after 3.04 s"
    ),
    (
      .unconfirmed(["Motion.Roll", "Lights.SetBackLED"]), .unconfirmed, nil,
      "the robot did not confirm Motion.Roll, Lights.SetBackLED on leaving"
    ),
  ]

  @Test func everyNoticeHasItsSentence() throws {
    for (notice, kind, duration, text) in Self.notices {
      #expect(notice.kind == kind && notice.duration == duration && notice.description == text)
      #expect((notice.gap != nil) == (kind == .gap) && (notice.frames != nil) == (kind == .sharedPackets))
      #expect((notice.rate != nil) == (kind == .oddRate))
      #expect(notice.commands.isEmpty == (kind != .unconfirmed))
    }
    let kinds = try openNames(of: "Kind", in: "SpheroHost/Notice.swift").map(\.text)
    #expect(Self.notices.map { "\($0.1)" } == kinds)
    #expect(Notice.sharedPackets(frames: 10).frames == 10 && Notice.gap(Self.gap).gap == Self.gap)
    #expect(Notice.unconfirmed(["Core.Ping"]).commands == ["Core.Ping"])
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
    #expect(
      try openNames(of: "Reason", in: "SpheroHost/StreamGap.swift").map(\.text) == rows.map { "\($0.0)" })
  }
}
