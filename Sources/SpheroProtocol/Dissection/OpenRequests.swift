// The commands of a recording that may still be answered.

/// Finds the command that a recorded response belongs to.
package struct OpenRequests: Sendable {
  /// How many later commands make an answer to an earlier one improbable.
  private static let limit = 64
  private var commands: [Sent] = []
  /// How many commands were noted.
  package private(set) var count = 0

  /// A command, when it was sent, and how many were noted with it.
  package struct Sent: Sendable {
    /// The command.
    package let packet: CommandPacket
    /// When it was sent, where that is known.
    package let time: Duration?
    /// Its number among all commands, from 1.
    package let number: Int
  }

  /// Starts with none.
  package init() {}

  /// Notes a command; one that asks for no answer is forgotten.
  package mutating func sent(_ packet: CommandPacket, at time: Duration? = nil) {
    count += 1
    guard packet.options.contains(.answer) else { return }
    if commands.count == Self.limit { commands.removeFirst() }
    commands.append(Sent(packet: packet, time: time, number: count))
  }

  /// Takes the command with a sequence number.
  ///
  /// Some programs use a number again before it is answered: the older command is answered first.
  package mutating func answered(_ sequence: UInt8) -> Sent? {
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
