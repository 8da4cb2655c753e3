// One item of a dissected recording: a packet with its fields, or bytes that belong to no packet.

/// A packet with its name and fields, or a run of bytes that belong to no packet.
public struct Dissection: Hashable, Sendable {
  /// The kind of an item; the raw value is the name in JSON.
  @nonexhaustive public enum Kind: String, Sendable {
    /// A packet from the host.
    case command
    /// A packet that answers a command.
    case response
    /// A packet that the robot sends by itself.
    case event
    /// Bytes that belong to no packet.
    case discarded
  }

  /// The time of the last byte, or nil if the recording has no times.
  public var time: Duration?
  /// The side that sent the bytes.
  public var sender: Sender
  /// The packet, or nil for discarded bytes.
  public var packet: Packet?
  /// The name in the catalogue; a response has the name of its command. Nil if unknown.
  public var name: String?
  /// The command of a response; nil if unknown, and for other packets.
  public var answered: CommandID?
  /// The fields of the payload as sent; a payload with an unknown layout is one field of raw bytes.
  public var fields: [FieldDescription] = []
  /// The errors for which a ``Reader`` would refuse the payload.
  public var remarks: [WireError] = []
  /// The samples of a sensor packet that fits the current stream, as sent: `Core.GetVersioning.Model.traits` states the
  /// axes of a model. Otherwise empty.
  public var samples: [Sample] = []
  /// The offset of the first byte among the bytes of both directions.
  public var offset: Int
  /// All bytes; those of a packet are SOP1 to CHK.
  public var bytes: [UInt8]

  public var kind: Kind {
    switch packet {
    case .command: .command
    case .response: .response
    case .event: .event
    case nil: .discarded
    }
  }

  /// SEQ, or nil for events and discarded bytes.
  public var sequence: UInt8? {
    switch packet {
    case .command(let packet): packet.sequence
    case .response(let packet): packet.sequence
    case .event, nil: nil
    }
  }

  /// Creates an item without a name and fields.
  public init(_ packet: Packet?, bytes: [UInt8], from sender: Sender, at time: Duration? = nil, offset: Int) {
    (self.packet, self.bytes, self.sender, self.time, self.offset) = (packet, bytes, sender, time, offset)
  }
}
