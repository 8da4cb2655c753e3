// The pending requests of a recording.

/// Matches recorded responses with their commands.
package struct OutstandingRequests: Sendable {
  /// After this number of later commands, a response is improbable.
  private static let limit = 64
  private var commands: [Sent] = []
  /// The number of recorded commands, with those that request no answer.
  package private(set) var count = 0

  package struct Sent: Sendable {
    package let packet: CommandPacket
    /// The time of sending, if known.
    package let time: Duration?
    /// The number of the command among all commands, from 1.
    package let number: Int
  }

  package init() {}

  package mutating func sent(_ packet: CommandPacket, at time: Duration? = nil) {
    count += 1
    guard packet.options.contains(.answer) else { return }
    if commands.count == Self.limit { commands.removeFirst() }
    commands.append(Sent(packet: packet, time: time, number: count))
  }

  /// Removes and returns the oldest command with a sequence number.
  ///
  /// Some programs reuse a number before the response arrives; the first response belongs to the older command.
  package mutating func answered(_ sequence: UInt8) -> Sent? {
    commands.firstIndex { $0.packet.sequence == sequence }.map { commands.remove(at: $0) }
  }
}

extension Sensing.SetDataStreaming {
  /// Decodes a recorded command; nil for another command, or a malformed one.
  package init?(recorded packet: CommandPacket) {
    guard packet.id == Self.id, let request = try? Self(payload: packet.payload) else { return nil }
    self = request
  }
}
