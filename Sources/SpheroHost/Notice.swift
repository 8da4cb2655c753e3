// Notices about a conversation, and the gaps of a stream.

import SpheroProtocol

/// A report of the session about the robot or the link, other than answers, events and samples.
///
/// Each case has at most one payload value, because many notices may be buffered.
@nonexhaustive public enum Notice: Hashable, Sendable {
  /// The line is open, but the robot has not answered for this long.
  case connecting(waited: Duration)
  /// A robot answered for the first time on this line.
  case connected
  /// The line returns the bytes that are sent.
  case echo
  /// The prompt of the user hack shell appears between the packets.
  case userHackMode
  /// The robot refuses commands that its main application knows: it is in its bootloader.
  case bootloader
  /// The robot streams for a program that has ended; the session stopped that stream.
  case strayStream
  /// This many frames share a packet, because a count of 255 packets with fewer frames would end too soon for the round trip
  /// of the link.
  case sharedPackets(frames: Int)
  /// Samples arrive at a rate that differs much from the requested one, in hertz. Their times are wrong.
  case implausibleRate(Double, wanted: Double)
  /// Samples were lost, or a change of the stream dropped some.
  indirect case gap(StreamGap)
  /// The stream has been silent for this long.
  case silence(Duration)
  /// The robot does not answer the pings that keep it awake, or for 3 s the set-points of a drive.
  case unresponsive
  /// The robot is about to sleep because it receives no commands.
  case aboutToSleep
  /// The program did not run for this long: it was suspended by Ctrl-Z, or the computer slept.
  case suspended(Duration)
  /// The line was lost.
  case disconnected
  /// The line is back, after this long.
  case reconnected(after: Duration)
  /// The robot did not confirm these commands in time while the session closed.
  case unconfirmed([String])
}

extension Notice: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .connecting(let waited):
      "the port is open, but the robot has not answered for \(waited.secondsText); still waiting"
    case .connected: "the robot answers"
    case .echo: "the line echoes what is sent to it; is it in raw mode?"
    case .userHackMode: "the robot is in user hack mode; its prompt comes between the packets"
    case .bootloader:
      "the robot seems to be in its bootloader; send Bootloader.LeaveBootloader, or restart the robot"
    case .strayStream:
      "the robot was still streaming for a program that has ended; the stream was stopped"
    case .sharedPackets(let frames):
      "\(frames) samples share a packet, so that the finite count lasts over this slow link"
    case .implausibleRate(let rate, let wanted):
      "\(Decimal.text(rate, digits: 1)) samples come per second instead of the requested "
        + "\(Decimal.text(wanted, digits: 1)); their times are those of the requested rate"
    case .gap(let gap): gap.description
    case .silence(let duration): "no samples for \(duration.secondsText)"
    case .unresponsive: "the robot does not answer any more"
    case .aboutToSleep: "the robot is about to sleep"
    case .suspended(let duration): "the program was suspended for \(duration.secondsText)"
    case .disconnected: "the link was lost"
    case .reconnected(let duration): "the link is back after \(duration.secondsText)"
    case .unconfirmed(let commands):
      "the robot did not confirm \(commands.joined(separator: ", ")) on leaving"
    }
  }
}

/// An interval of a stream without samples.
public struct StreamGap: Hashable, Sendable {
  /// Why samples are missing.
  @nonexhaustive public enum Reason: Hashable, Sendable {
    /// The stream's fields or rate changed.
    case layout
    /// The link lost ``StreamGap/frames``.
    case lost
    /// The stream stopped and was restarted.
    case restart
    /// The line was lost and reopened.
    case reconnection
  }

  /// The cause of the gap.
  public let reason: Reason
  /// The length of the gap in reconstructed time.
  public let duration: Duration
  /// The number of lost frames; nil for other reasons.
  public let frames: Int?

  package init(reason: Reason, duration: Duration, frames: Int? = nil) {
    (self.reason, self.duration, self.frames) = (reason, duration, frames)
  }
}

extension StreamGap: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    let usesMilliseconds = duration < .milliseconds(100)
    let length =
      usesMilliseconds ? Decimal.text(duration.inSeconds * 1_000, digits: 1) + " ms" : duration.secondsText
    return switch reason {
    case .layout: "a gap of \(length) in the samples: the stream's layout changed"
    case .lost: "a gap of \(length) in the samples: \(frames ?? 0) \(frames == 1 ? "was" : "were") lost"
    case .restart: "a gap of \(length) in the samples: the stream stopped and was restarted"
    case .reconnection: "a gap of \(length) in the samples: the link was lost"
    }
  }
}

extension Duration {
  /// Seconds with two decimals and the unit, for sentences.
  var secondsText: String { Decimal.text(inSeconds, digits: 2) + " s" }
}
