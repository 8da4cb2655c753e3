// The commands of a recording that may still be answered.

/// Finds the command that a recorded response belongs to.
package struct OpenRequests: Sendable {
  /// How many later commands make an answer to an earlier one improbable.
  private static let limit = 64
  private var commands: [(packet: CommandPacket, time: Duration?)] = []

  /// Starts with none.
  package init() {}

  /// Notes a command; one that asks for no answer is forgotten.
  package mutating func sent(_ packet: CommandPacket, at time: Duration? = nil) {
    guard packet.options.contains(.answer) else { return }
    if commands.count == Self.limit { commands.removeFirst() }
    commands.append((packet, time))
  }

  /// Takes the command with a number, and when it was sent.
  ///
  /// Some programs use a number again before it is answered: the older command is answered first.
  package mutating func answered(_ sequence: UInt8) -> (packet: CommandPacket, time: Duration?)? {
    commands.firstIndex { $0.packet.sequence == sequence }.map { commands.remove(at: $0) }
  }
}

extension Sensing.SetDataStreaming {
  /// Reads the request of a recorded command; nil for another command, or a malformed one.
  package init?(recorded packet: CommandPacket) {
    guard packet.id == Self.id, let request = try? Self(payload: packet.payload) else { return nil }
    self = request
  }
}
