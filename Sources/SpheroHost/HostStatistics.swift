// Counters of a conversation.

public import SpheroProtocol

/// Counts of packets, bytes, retries and losses of a conversation.
public struct HostStatistics: Sendable {
  /// The counts of packets, of bytes that belong to no packet, and of wrong checksums.
  public internal(set) var decoder = PacketDecoder.Statistics()
  /// The number of bytes received from the line.
  public internal(set) var bytesReceived = 0
  /// The number of bytes sent to the line.
  public internal(set) var bytesSent = 0
  /// The number of commands sent, including retries and renewals.
  public internal(set) var commandsSent = 0
  /// The number of retries: requests sent again because no answer arrived.
  public internal(set) var repetitions = 0
  /// The number of requests that renewed the count of a stream, including retries.
  public internal(set) var renewals = 0
  /// The number of silences of a stream that exceeded three packet periods and 250 ms.
  public internal(set) var stalls = 0
  /// The number of frames lost on the link.
  public internal(set) var lostFrames = 0
  /// The number of samples dropped because a consumer was too slow.
  public package(set) var droppedSamples = 0
  /// The number of answers that arrived too late, match no request, or do not decode as the answer of their request.
  public internal(set) var strayAnswers = 0
  /// The number of times that the line was lost and reopened.
  public internal(set) var reconnections = 0
  /// The total duration of suspensions; see ``Notice/suspended(_:)``.
  public internal(set) var suspended = Duration.zero
  /// The times from a command to its response.
  public package(set) var roundTrip = RoundTrip()

  package init() {}
}

extension PacketDecoder.Statistics {
  mutating func add(_ other: PacketDecoder.Statistics) {
    packets += other.packets
    discarded += other.discarded
    badChecksums += other.badChecksums
    falsePackets += other.falsePackets
  }
}
