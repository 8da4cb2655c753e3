// One item of a dissected recording: a packet with its meaning, or bytes that belong to none.

/// A packet with its meaning, or a run of bytes that belong to no packet.
public struct Dissection: Hashable, Sendable {
  /// What an item is.
  ///
  /// Later versions of the library may distinguish more, so a switch has a `default`.
  public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name that programs read.
    public let rawValue: String
    /// Takes a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name that programs read.
    public var description: String { rawValue }

    /// A request of the host.
    public static let command = Kind(rawValue: "command")
    /// The robot's reply to one.
    public static let response = Kind(rawValue: "response")
    /// What the robot sends by itself.
    public static let event = Kind(rawValue: "event")
    /// Bytes that belong to no packet.
    public static let discarded = Kind(rawValue: "discarded")
  }

  /// When the last byte was seen, or nil where the recording has no times.
  public var time: Duration?
  /// Who sent it.
  public var sender: Sender
  /// The packet, or nil for discarded bytes.
  public var packet: Packet?
  /// The name in the catalogue; a response has that of its command. Nil where nobody knows.
  public var name: String?
  /// The command that a response answers; nil where it is not known, and for anything else.
  public var answered: CommandID?
  /// The fields of the payload as it was sent; a payload of an unknown layout is one field of raw bytes.
  public var fields: [FieldDescription] = []
  /// Where the payload does not fit its layout: what a robot would refuse, or a host would not understand.
  public var remarks: [WireError] = []
  /// The samples of a sensor packet that fits the stream in effect; else empty.
  public var samples: [Sample] = []
  /// Where the first byte lies among all bytes of the recording, both directions counted together.
  public var offset: Int
  /// All bytes, SOP1 to CHK.
  public var bytes: [UInt8]

  /// What it is.
  public var kind: Kind {
    switch packet {
    case .command: .command
    case .response: .response
    case .event: .event
    case nil: .discarded
    }
  }

  /// SEQ, or nil where there is none.
  public var sequence: UInt8? {
    switch packet {
    case .command(let packet): packet.sequence
    case .response(let packet): packet.sequence
    case .event, nil: nil
    }
  }

  /// Makes an item without a meaning.
  ///
  /// - Parameters:
  ///   - packet: The packet, or nil for discarded bytes.
  ///   - bytes: All bytes, SOP1 to CHK.
  ///   - sender: Who sent it.
  ///   - time: When the last byte was seen.
  ///   - offset: Where the first byte lies in the recording.
  public init(_ packet: Packet?, bytes: [UInt8], from sender: Sender, at time: Duration? = nil, offset: Int) {
    (self.packet, self.bytes, self.sender, self.time, self.offset) = (packet, bytes, sender, time, offset)
  }
}
