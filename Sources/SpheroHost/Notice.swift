// What a program or a person may want to know beside answers, events and samples.

import SpheroProtocol

/// A remark of the session.
public struct Notice: Hashable, Sendable, CustomStringConvertible {
  /// What it is; later versions of the library may have more kinds, so a switch has a `default`.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The name, like `connecting`.
    public let description: String
    private init(_ name: String) { description = name }

    /// The line is open, but the robot has not answered for a while: ``Notice/duration``.
    public static let connecting = Kind("connecting")
    /// A robot answered for the first time on this line.
    public static let connected = Kind("connected")
    /// What is sent comes back as well: the line echoes.
    public static let echo = Kind("echo")
    /// The prompt of the user hack shell comes between the packets.
    public static let userHackMode = Kind("userHackMode")
    /// The robot refuses what its main application knows: it sits in its bootloader.
    public static let bootloader = Kind("bootloader")
    /// The robot streams for a program that is gone; it was told to stop.
    public static let staleStream = Kind("staleStream")
    /// Several frames share a packet, because 255 packets of fewer would not last over the link's round trip.
    public static let sharedPackets = Kind("sharedPackets")
    /// Samples come much faster or slower than they were asked for: ``Notice/rate``. Their times are wrong.
    public static let oddRate = Kind("oddRate")
    /// Samples stayed away, or a change of the stream cost some: ``Notice/gap``.
    public static let gap = Kind("gap")
    /// The stream has been silent for a while: ``Notice/duration``.
    public static let silence = Kind("silence")
    /// The robot does not answer the pings that keep it awake.
    public static let unresponsive = Kind("unresponsive")
    /// The robot is about to sleep for want of commands.
    public static let aboutToSleep = Kind("aboutToSleep")
    /// The host was suspended for a while, like a sleeping laptop: ``Notice/duration``.
    public static let suspended = Kind("suspended")
    /// The line was lost.
    public static let disconnected = Kind("disconnected")
    /// The line is back, after a while: ``Notice/duration``.
    public static let reconnected = Kind("reconnected")
    /// On leaving, the robot did not confirm some commands in time: ``Notice/commands``.
    public static let unconfirmed = Kind("unconfirmed")
  }

  /// What it is.
  public let kind: Kind
  /// One sentence for people, without a full stop.
  public let description: String
  /// What a kind carries beside its sentence: one value at most, since many remarks may wait for their reader.
  private let detail: Detail

  private enum Detail: Hashable {
    case none
    case duration(Duration)
    case frames(Int)
    case rate(Double)
    indirect case gap(StreamGap)
    case commands([String])
  }

  private init(_ kind: Kind, _ description: String, _ detail: Detail = .none) {
    (self.kind, self.description, self.detail) = (kind, description, detail)
  }

  private init(_ kind: Kind, _ description: String, _ duration: Duration) {
    self.init(kind, description, .duration(duration))
  }

  /// How long that lasted, where a kind has a duration.
  public var duration: Duration? {
    switch detail {
    case .duration(let duration): duration
    case .gap(let gap): gap.duration
    default: nil
    }
  }
  /// How many frames share a packet, for ``Kind/sharedPackets``.
  public var frames: Int? { if case .frames(let frames) = detail { frames } else { nil } }
  /// How many samples come in a second, for ``Kind/oddRate``.
  public var rate: Double? { if case .rate(let rate) = detail { rate } else { nil } }
  /// The piece of time without samples, for ``Kind/gap``.
  public var gap: StreamGap? { if case .gap(let gap) = detail { gap } else { nil } }
  /// The names of the commands, for ``Kind/unconfirmed``.
  public var commands: [String] { if case .commands(let commands) = detail { commands } else { [] } }
}

extension Notice {
  /// The line is open, but the robot has not answered for so long.
  public static func connecting(waited: Duration) -> Notice {
    Notice(
      .connecting,
      "the port is open, but the robot has not answered for \(waited.seconds); still waiting", waited)
  }
  /// A robot answered for the first time on this line.
  public static let connected = Notice(.connected, "the robot answers")
  /// What is sent comes back as well: the line echoes.
  public static let echo = Notice(.echo, "the line echoes what is sent to it; is it in raw mode?")
  /// The prompt of the user hack shell comes between the packets.
  public static let userHackMode = Notice(
    .userHackMode, "the robot is in user hack mode; its prompt comes between the packets")
  /// The robot refuses what its main application knows: it sits in its bootloader.
  public static let bootloader = Notice(
    .bootloader,
    "the robot seems to be in its bootloader; send Bootloader.LeaveBootloader, or restart the robot")
  /// The robot streams for a program that is gone; it was told to stop.
  public static let staleStream = Notice(
    .staleStream, "the robot was still streaming for a program that has ended; the stream was stopped")
  /// So many frames share a packet, because 255 packets of fewer would not last over the link's round trip.
  public static func sharedPackets(frames: Int) -> Notice {
    Notice(
      .sharedPackets, "\(frames) samples share a packet, so that the finite count lasts over this slow link",
      .frames(frames))
  }
  /// Samples come much faster or slower than they were asked for.
  ///
  /// - Parameters:
  ///   - rate: How many come in a second.
  ///   - wanted: How many were asked for.
  /// - Returns: The remark.
  public static func oddRate(_ rate: Double, wanted: Double) -> Notice {
    let (seen, asked) = (Decimal.text(rate, digits: 1), Decimal.text(wanted, digits: 1))
    return Notice(
      .oddRate,
      "\(seen) samples come per second instead of the requested \(asked); their times are wrong",
      .rate(rate))
  }
  /// Samples stayed away, or a change of the stream cost some.
  public static func gap(_ gap: StreamGap) -> Notice {
    Notice(.gap, gap.description, .gap(gap))
  }
  /// The stream has been silent for so long.
  public static func silence(_ duration: Duration) -> Notice {
    Notice(.silence, "no samples for \(duration.seconds)", duration)
  }
  /// The robot does not answer the pings that keep it awake.
  public static let unresponsive = Notice(.unresponsive, "the robot does not answer any more")
  /// The robot is about to sleep for want of commands.
  public static let aboutToSleep = Notice(.aboutToSleep, "the robot is about to sleep")
  /// The host itself stood still for so long, as a laptop does that sleeps.
  public static func suspended(_ duration: Duration) -> Notice {
    Notice(.suspended, "this computer was suspended for \(duration.seconds)", duration)
  }
  /// The line was lost.
  public static let disconnected = Notice(.disconnected, "the link was lost")
  /// The line is back, after so long.
  public static func reconnected(after duration: Duration) -> Notice {
    Notice(.reconnected, "the link is back after \(duration.seconds)", duration)
  }
  /// On leaving, the robot did not confirm these commands in time.
  public static func unconfirmed(_ commands: [String]) -> Notice {
    Notice(
      .unconfirmed, "the robot did not confirm \(commands.joined(separator: ", ")) on leaving",
      .commands(commands))
  }
}
