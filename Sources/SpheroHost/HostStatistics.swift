// Counts of what a conversation has seen.

public import SpheroProtocol

/// What a conversation has seen so far.
public struct HostStatistics: Sendable {
  /// What the decoder has seen: packets, bytes that belong to none, wrong checksums.
  public internal(set) var decoder = PacketDecoder.Statistics()
  /// Bytes received.
  public internal(set) var bytesReceived = 0
  /// Bytes sent.
  public internal(set) var bytesSent = 0
  /// Commands sent, repetitions and renewals included.
  public internal(set) var commandsSent = 0
  /// Requests sent again because their answer stayed away.
  public internal(set) var repetitions = 0
  /// Requests for a stream that renewed its count, repetitions included.
  public internal(set) var renewals = 0
  /// Silences of a stream that were longer than three packet periods and 250 ms.
  public internal(set) var stalls = 0
  /// Frames that were lost on their way.
  public internal(set) var lostFrames = 0
  /// Samples that were dropped because a consumer was too slow.
  public var droppedSamples = 0
  /// Answers that came too late, that nobody asked for, or that do not fit their request.
  public internal(set) var strayAnswers = 0
  /// Times that the line was lost and came back.
  public internal(set) var reconnections = 0
  /// How long answers took.
  public package(set) var roundTrip = RoundTrip()

  /// Starts with nothing.
  package init() {}
}

extension PacketDecoder.Statistics {
  /// Adds what another decoder has seen, on an earlier line.
  mutating func add(_ other: PacketDecoder.Statistics) {
    packets += other.packets
    discarded += other.discarded
    badChecksums += other.badChecksums
    refuted += other.refuted
  }
}
