// The three kinds of packet that cross the wire, and who sends them.

/// Who sends a packet.
public enum Sender: String, Hashable, Sendable, CaseIterable {
  /// The program: it sends commands.
  case host
  /// The robot: it sends responses and events.
  case robot

  /// The side that gets what this one sends.
  public var opposite: Sender { self == .host ? .robot : .host }
}

/// The device and command bytes of a command: DID and CID.
public struct CommandID: Hashable, Sendable {
  /// The virtual device (DID): 00h core, 01h bootloader, 02h Sphero.
  public var device: UInt8
  /// The command within the device (CID).
  public var command: UInt8

  /// Names a command by its two bytes.
  public init(_ device: UInt8, _ command: UInt8) { (self.device, self.command) = (device, command) }

  /// The payload length where DLEN FFh is a marker for a longer, fixed one, or nil.
  ///
  /// Set SSB Modifier (02h 41h), Set Configuration Block (02h 43h) and Set SSB (02h 47h);
  /// no recording of them exists (Sphero API 1.50).
  public var longPayloadCount: Int? {
    guard device == 0x02 else { return nil }
    switch command {
    case 0x41: return 4 + 272
    case 0x43: return 0x400
    case 0x47: return 4 + 0x400
    default: return nil
    }
  }
}

extension CommandID: CustomStringConvertible {
  /// Both bytes in hexadecimal, like `02:30`.
  public var description: String { Hexadecimal.text([device, command], separator: ":") }
}

/// The ID byte of an asynchronous packet.
public struct EventID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The byte on the wire.
  public var rawValue: UInt8
  /// Names an event by its byte.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Names an event by its byte.
  @inlinable public init(_ rawValue: UInt8) { self.rawValue = rawValue }
  /// Compares the bytes; inlinable, since each packet of a stream is asked.
  @inlinable public static func == (a: EventID, b: EventID) -> Bool { a.rawValue == b.rawValue }
  /// The byte in hexadecimal.
  public var description: String { Hexadecimal.text([rawValue]) }
}

/// A request, from host to robot: SOP1, SOP2, DID, CID, SEQ, DLEN, payload, CHK.
public struct CommandPacket: Hashable, Sendable {
  /// SOP2: what the robot does besides executing the command.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The two lowest bits of SOP2.
    public var rawValue: UInt8
    /// Takes the two lowest bits of SOP2.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0x03 }
    /// Sends a response; without it, errors are silent too.
    public static let answer = Options(rawValue: 0x01)
    /// Restarts the inactivity timer, which sends the robot to sleep (firmware 1.26 and newer).
    public static let resetTimeout = Options(rawValue: 0x02)
    /// Answers and stays awake: FFh, which every firmware knows.
    public static let standard: Options = [.answer, .resetTimeout]
    /// The byte on the wire; the other six bits are always 1.
    public var sop2: UInt8 { 0xFC | rawValue }
  }

  /// DID and CID.
  public var id: CommandID
  /// SOP2.
  public var options: Options
  /// SEQ, echoed in the response.
  public var sequence: UInt8
  /// The bytes between DLEN and CHK.
  public var payload: [UInt8]

  /// Makes a packet from its parts.
  public init(id: CommandID, options: Options = .standard, sequence: UInt8, payload: [UInt8] = []) {
    (self.id, self.options, self.sequence, self.payload) = (id, options, sequence, payload)
  }
}

/// A reply, from robot to host: SOP1, SOP2 FFh, MRSP, SEQ, DLEN, payload, CHK.
///
/// It does not name its command: the host remembers what it sent under SEQ.
public struct ResponsePacket: Hashable, Sendable {
  /// MRSP: the robot's verdict.
  public var status: Status
  /// SEQ of the command.
  public var sequence: UInt8
  /// The bytes between DLEN and CHK; empty where the status is an error.
  public var payload: [UInt8]

  /// Makes a packet from its parts.
  public init(status: Status, sequence: UInt8, payload: [UInt8] = []) {
    (self.status, self.sequence, self.payload) = (status, sequence, payload)
  }
}

/// What the robot sends by itself: SOP1, SOP2 FEh, ID, LEN (two bytes), payload, CHK.
public struct EventPacket: Hashable, Sendable {
  /// What it tells.
  public var id: EventID
  /// The bytes between LEN and CHK.
  public var payload: [UInt8]

  /// Makes a packet from its parts.
  public init(id: EventID, payload: [UInt8] = []) { (self.id, self.payload) = (id, payload) }
}

/// What a packet says before its payload.
public enum PacketHeader: Hashable, Sendable {
  /// From the host: DID and CID, SOP2, SEQ.
  case command(CommandID, options: CommandPacket.Options, sequence: UInt8)
  /// From the robot, about a command: MRSP, SEQ.
  case response(Status, sequence: UInt8)
  /// From the robot, by itself.
  case event(EventID)
}

/// A packet of either direction.
public enum Packet: Hashable, Sendable {
  /// From the host.
  case command(CommandPacket)
  /// From the robot, to a command.
  case response(ResponsePacket)
  /// From the robot, by itself.
  case event(EventPacket)

  /// Joins a header and its payload.
  package init(_ header: PacketHeader, payload: [UInt8]) {
    self =
      switch header {
      case .command(let id, let options, let sequence):
        .command(CommandPacket(id: id, options: options, sequence: sequence, payload: payload))
      case .response(let status, let sequence):
        .response(ResponsePacket(status: status, sequence: sequence, payload: payload))
      case .event(let id): .event(EventPacket(id: id, payload: payload))
      }
  }

  /// Who sends such a packet.
  public var sender: Sender {
    if case .command = self { .host } else { .robot }
  }

  /// The bytes between the header and CHK.
  public var payload: [UInt8] {
    switch self {
    case .command(let packet): packet.payload
    case .response(let packet): packet.payload
    case .event(let packet): packet.payload
    }
  }
}

extension CommandPacket.Options: CustomStringConvertible {
  /// The options that are set: `answer+resetTimeout`, or `none`.
  public var description: String {
    let names: KeyValuePairs<Self, String> = [.answer: "answer", .resetTimeout: "resetTimeout"]
    let chosen = names.filter { contains($0.key) }.map { $0.value }
    return chosen.isEmpty ? "none" : chosen.joined(separator: "+")
  }
}

extension CommandPacket: CustomStringConvertible {
  /// Name, number and payload: `Motion.Roll seq 7: 80 00 5A 01`.
  public var description: String {
    (Catalogue.name(of: id) ?? "command \(id)") + " seq \(sequence)" + payload.tail
  }
}

extension ResponsePacket: CustomStringConvertible {
  /// Verdict, number and payload: `ok seq 7: 01 02`.
  public var description: String { "\(status) seq \(sequence)" + payload.tail }
}

extension EventPacket: CustomStringConvertible {
  /// Name and payload: `Core.PowerChange: 03`.
  public var description: String { (Catalogue.name(of: id) ?? "event \(id)") + payload.tail }
}

extension Packet: CustomStringConvertible {
  /// As the packet of its kind prints.
  public var description: String {
    switch self {
    case .command(let packet): packet.description
    case .response(let packet): packet.description
    case .event(let packet): packet.description
    }
  }
}

extension [UInt8] {
  /// The bytes after a colon; nothing where there are none.
  fileprivate var tail: String { isEmpty ? "" : ": " + Hexadecimal.text(self) }
}
