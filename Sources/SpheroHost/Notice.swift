// What a program or a person may want to know beside answers, events and samples.

import SpheroProtocol

/// A remark of the session.
public enum Notice: Hashable, Sendable {
  /// The line is open, but the robot has not answered for so long.
  case connecting(waited: Duration)
  /// A robot answered for the first time on this line.
  case connected
  /// What is sent comes back as well: the line echoes.
  case echo
  /// The prompt of the user hack shell comes between the packets.
  case userHackMode
  /// The robot refuses what its main application knows: it sits in its bootloader.
  case bootloader
  /// The robot streams for a program that is gone; it was told to stop.
  case staleStream
  /// So many frames share a packet, because 255 packets of fewer would not last over the link's round trip.
  case sharedPackets(frames: Int)
  /// Samples stayed away, or a change of the stream cost some.
  case gap(StreamGap)
  /// The stream has been silent for so long.
  case silence(Duration)
  /// The robot does not answer the pings that keep it awake.
  case unresponsive
  /// The robot is about to sleep for want of commands.
  case aboutToSleep
  /// The host itself stood still for so long, as a laptop does that sleeps.
  case suspended(Duration)
  /// The line was lost.
  case disconnected
  /// The line is back, after so long.
  case reconnected(after: Duration)
  /// On leaving, the robot did not confirm these commands in time.
  case unconfirmed([String])
}

/// A piece of a stream's time without samples.
public struct StreamGap: Hashable, Sendable {
  /// Why samples are missing.
  public enum Reason: Hashable, Sendable {
    /// The stream's fields or rate changed.
    case layout
    /// So many frames were lost on their way.
    case lost(frames: Int)
    /// The stream had stopped and was begun again.
    case restart
    /// The line was lost and came back.
    case reconnection
  }
  /// Why samples are missing.
  public let reason: Reason
  /// How long the gap is, by reconstructed time.
  public let duration: Duration
}

extension Notice: CustomStringConvertible {
  /// One sentence for people.
  public var description: String {
    switch self {
    case .connecting(let waited):
      "the port is open; still waiting for the robot, which has not answered for \(waited.seconds)"
    case .connected: "the robot answers"
    case .echo: "the line sends back what it is sent; is it raw?"
    case .userHackMode: "the robot is in user hack mode; its prompt comes between the packets"
    case .bootloader:
      "the robot seems to sit in its bootloader; Bootloader.LeaveBootloader or a restart brings it back"
    case .staleStream: "the robot still streamed for a program that is gone; it was told to stop"
    case .sharedPackets(let frames):
      "\(frames) samples share a packet, so that the finite count lasts over this slow link"
    case .gap(let gap): gap.description
    case .silence(let duration): "no samples for \(duration.seconds)"
    case .unresponsive: "the robot does not answer any more"
    case .aboutToSleep: "the robot is about to sleep"
    case .suspended(let duration): "this machine stood still for \(duration.seconds)"
    case .disconnected: "the link was lost"
    case .reconnected(let duration): "the link is back after \(duration.seconds)"
    case .unconfirmed(let names): "the robot did not confirm \(names.joined(separator: ", ")) on leaving"
    }
  }
}

extension StreamGap: CustomStringConvertible {
  /// One sentence for people.
  public var description: String {
    let length = duration.seconds
    return switch reason {
    case .layout: "a gap of \(length) in the samples: the stream's layout changed"
    case .lost(let frames): "a gap of \(length) in the samples: \(frames) were lost"
    case .restart: "a gap of \(length) in the samples: the stream had stopped and was begun again"
    case .reconnection: "a gap of \(length) in the samples: the link was lost"
    }
  }
}

extension Duration {
  /// Seconds with two decimals, for sentences.
  var seconds: String { Decimal.text(inSeconds, digits: 2) + " s" }

  /// Seconds as a number.
  var inSeconds: Double {
    let (whole, fraction) = components
    return Double(whole) + Double(fraction) * 1e-18
  }
}
