// Counters of a conversation.

public import SpheroProtocol

/// Counts of packets, bytes, retries and losses of a conversation.
public struct HostStatistics: Sendable {
  /// Packets, bytes that belong to none, and wrong checksums.
  public internal(set) var decoder = PacketDecoder.Statistics()
  /// The number of bytes from the line.
  public internal(set) var bytesReceived = 0
  /// The number of bytes to the line.
  public internal(set) var bytesSent = 0
  /// Commands sent, including retries and renewals.
  public internal(set) var commandsSent = 0
  /// Requests sent again because no answer arrived.
  public internal(set) var repetitions = 0
  /// Requests that renewed the count of a stream, including retries.
  public internal(set) var renewals = 0
  /// Silences of a stream that exceeded three packet periods and 250 ms.
  public internal(set) var stalls = 0
  /// Frames lost on the link.
  public internal(set) var lostFrames = 0
  /// Samples dropped because a consumer was too slow.
  public var droppedSamples = 0
  /// Answers that arrived too late, match no request, or do not decode as the answer of their request.
  public internal(set) var strayAnswers = 0
  /// The number of times that the line was lost and reopened.
  public internal(set) var reconnections = 0
  /// The total time of suspensions, see ``Notice/suspended(_:)``.
  public internal(set) var suspended = Duration.zero
  /// The times from a command to its response.
  public package(set) var roundTrip = RoundTrip()

  package init() {}
}

extension PacketDecoder.Statistics {
  /// Adds the counts of another decoder.
  mutating func add(_ other: PacketDecoder.Statistics) {
    packets += other.packets
    discarded += other.discarded
    badChecksums += other.badChecksums
    falsePackets += other.falsePackets
  }
}
