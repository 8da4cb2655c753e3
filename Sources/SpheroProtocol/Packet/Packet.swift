// Packets of both directions, their encoding, and the status of a response.

/// The sender of a packet.
public enum Sender: String, Hashable, Sendable, CaseIterable {
  /// The program: it sends commands.
  case host
  /// The robot: it sends responses and events.
  case robot

  /// The receiver.
  public var opposite: Sender { self == .host ? .robot : .host }
  /// The direction as an arrow: `>` from the host to the robot, `<` from the robot to the host.
  public var mark: String { self == .host ? ">" : "<" }
}

/// The device and command bytes of a command: DID and CID.
public struct CommandID: Hashable, Sendable, CustomStringConvertible {
  /// The virtual device (DID): 00h core, 01h bootloader, 02h Sphero.
  public var device: UInt8
  /// The command within the device (CID).
  public var command: UInt8

  /// Creates an ID from DID and CID.
  public init(_ device: UInt8, _ command: UInt8) { (self.device, self.command) = (device, command) }

  /// The fixed payload length, in bytes, of a command for which DLEN FFh is a marker; nil for other commands.
  /// Of Set SSB Modifier, Set Configuration Block and Set SSB, no recording exists (Sphero API 1.50).
  public var longPayloadCount: Int? {
    guard device == 0x02 else { return nil }
    switch command {
    case 0x41: return 4 + 272
    case 0x43: return 0x400
    case 0x47: return 4 + 0x400
    default: return nil
    }
  }

  /// Both bytes in hexadecimal: `02:30`.
  public var description: String { Hexadecimal.text([device, command], separator: ":") }
}

/// The ID byte of an asynchronous packet.
public struct EventID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Creates an ID from the third byte of an event.
  @inlinable public init(_ rawValue: UInt8) { self.rawValue = rawValue }
  // Inlinable, since it is called for each packet of a stream.
  @inlinable public static func == (a: EventID, b: EventID) -> Bool { a.rawValue == b.rawValue }
  public var description: String { Hexadecimal.text([rawValue]) }
}

/// A request, from host to robot: SOP1, SOP2, DID, CID, SEQ, DLEN, payload, CHK.
public struct CommandPacket: Hashable, Sendable, CustomStringConvertible {
  /// The options in SOP2.
  public struct Options: WireFlags {
    /// The two lowest bits of SOP2.
    public var rawValue: UInt8
    /// Keeps the two lowest bits of SOP2.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0x03 }
    /// Sends a response; without it, errors are silent too.
    public static let answer = Options(rawValue: 0x01)
    /// Restarts the inactivity timer, which sends the robot to sleep (firmware 1.26 and newer).
    public static let resetTimeout = Options(rawValue: 0x02)
    /// Sends a response and restarts the timer: FFh, which every firmware supports.
    public static let standard: Options = [.answer, .resetTimeout]
    /// The byte on the wire; the other six bits are always 1.
    public var sop2: UInt8 { 0xFC | rawValue }
    public static let bits: [(flag: Self, name: String)] = [
      (.answer, "answer"), (.resetTimeout, "resetTimeout"),
    ]
  }

  /// DID and CID.
  public var id: CommandID
  /// The option bits in the second byte (SOP2).
  public var options: Options
  /// SEQ, which the response repeats.
  public var sequence: UInt8
  /// The bytes between DLEN and CHK.
  public var payload: [UInt8]

  public init(id: CommandID, options: Options = .standard, sequence: UInt8, payload: [UInt8] = []) {
    (self.id, self.options, self.sequence, self.payload) = (id, options, sequence, payload)
  }

  /// Name, number and payload: `Motion.Roll seq 7: 80 00 5A 01`.
  public var description: String {
    (Catalogue.name(of: id) ?? "command \(id)") + " seq \(sequence)" + payload.tail
  }
}

/// A reply, from robot to host: SOP1, SOP2 FFh, MRSP, SEQ, DLEN, payload, CHK; SEQ identifies the command.
public struct ResponsePacket: Hashable, Sendable, CustomStringConvertible {
  /// MRSP: the robot's verdict.
  public var status: Status
  /// SEQ of the command.
  public var sequence: UInt8
  /// The bytes between DLEN and CHK; empty where the status is an error.
  public var payload: [UInt8]

  public init(status: Status, sequence: UInt8, payload: [UInt8] = []) {
    (self.status, self.sequence, self.payload) = (status, sequence, payload)
  }

  /// Status, number and payload: `ok seq 7: 01 02`.
  public var description: String { "\(status) seq \(sequence)" + payload.tail }
}

/// An asynchronous message, from robot to host: SOP1, SOP2 FEh, ID, LEN (two bytes), payload, CHK.
public struct EventPacket: Hashable, Sendable, CustomStringConvertible {
  /// The ID of the event, the third byte.
  public var id: EventID
  /// The bytes between LEN and CHK.
  public var payload: [UInt8]

  public init(id: EventID, payload: [UInt8] = []) { (self.id, self.payload) = (id, payload) }

  /// Name and payload: `Core.PowerNotification: 03`.
  public var description: String { (Catalogue.name(of: id) ?? "event \(id)") + payload.tail }
}

/// The contents of a packet before its payload, without the length.
public enum PacketHeader: Hashable, Sendable {
  /// DID and CID, SOP2, SEQ.
  case command(CommandID, options: CommandPacket.Options, sequence: UInt8)
  /// MRSP, SEQ.
  case response(Status, sequence: UInt8)
  case event(EventID)
}

/// A packet of either direction.
public enum Packet: Hashable, Sendable, CustomStringConvertible {
  case command(CommandPacket)
  case response(ResponsePacket)
  case event(EventPacket)

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

  /// The encoded packet, from SOP1 to CHK; throws if the payload does not fit its length field.
  public func encoded() throws(WireError) -> [UInt8] {
    switch self {
    case .command(let packet):
      // For the commands with a longer payload, DLEN FFh is not a length.
      let long = packet.id.longPayloadCount
      let limit = long == nil ? Self.longestPayload : Self.longestPayload - 1
      let isLong = long == packet.payload.count
      let length = try isLong ? UInt8.max : UInt8(checkedLength(limit: limit))
      let (id, options) = (packet.id, packet.options)
      return sealed([0xFF, options.sop2, id.device, id.command, packet.sequence, length])
    case .response(let packet):
      let length = UInt8(try checkedLength(limit: Self.longestPayload))
      return sealed([0xFF, 0xFF, packet.status.rawValue, packet.sequence, length])
    case .event(let packet):
      let length = try checkedLength(limit: 0xFFFE)
      return sealed([0xFF, 0xFE, packet.id.rawValue, UInt8(length >> 8), UInt8(length & 0xFF)])
    }
  }

  /// The maximum payload length of an ordinary command or response.
  private static let longestPayload = 254

  /// DLEN or LEN: the length of the payload and CHK.
  private func checkedLength(limit: Int) throws(WireError) -> Int {
    guard payload.count <= limit else {
      throw .wrongCount(field: "payload", count: payload.count, allowed: 0...limit)
    }
    return payload.count + 1
  }

  /// Joins header and payload, and appends CHK: the inverted sum of all bytes after SOP2.
  private func sealed(_ header: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(header.count + payload.count + 1)
    bytes += header
    bytes += payload
    bytes.append(~bytes.dropFirst(2).reduce(0, &+))
    return bytes
  }

  /// The sender of this kind of packet.
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

  public var description: String {
    switch self {
    case .command(let packet): packet.description
    case .response(let packet): packet.description
    case .event(let packet): packet.description
    }
  }
}

extension [UInt8] {
  fileprivate var tail: String { isEmpty ? "" : ": " + Hexadecimal.text(self) }
}

/// The robot's verdict on a command (Sphero API 1.50, "Message Response Codes"); a code of later firmware is kept.
public struct Status: WireCode {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Executed.
  public static let ok = Status(rawValue: 0x00)
  /// Unspecific error.
  public static let general = Status(rawValue: 0x01)
  /// The checksum of the command was wrong.
  public static let badChecksum = Status(rawValue: 0x02)
  /// A fragment of a command was received.
  public static let fragment = Status(rawValue: 0x03)
  /// Unknown CID.
  public static let unknownCommand = Status(rawValue: 0x04)
  /// The command is unsupported at present.
  public static let unsupported = Status(rawValue: 0x05)
  /// The message has the wrong format.
  public static let badMessageFormat = Status(rawValue: 0x06)
  /// A parameter is out of its range.
  public static let badParameter = Status(rawValue: 0x07)
  /// The execution failed: the robot is busy, its storage is full, or it has too few cores.
  public static let failedToExecute = Status(rawValue: 0x08)
  /// Unknown DID.
  public static let unknownDevice = Status(rawValue: 0x09)
  /// The memory needed is in use.
  public static let memoryBusy = Status(rawValue: 0x0A)
  /// The password is wrong.
  public static let badPassword = Status(rawValue: 0x0B)
  /// The battery is too low for reflashing.
  public static let voltageTooLow = Status(rawValue: 0x31)
  /// Illegal flash page.
  public static let illegalPage = Status(rawValue: 0x32)
  /// A flash page did not program correctly.
  public static let flashFail = Status(rawValue: 0x33)
  /// The main application failed its check.
  public static let mainAppCorrupt = Status(rawValue: 0x34)
  /// The message state machine timed out.
  public static let messageTimeout = Status(rawValue: 0x35)

  public static let names: KeyValuePairs<Status, String> = [
    .ok: "ok", .general: "general error", .badChecksum: "bad checksum", .fragment: "fragment",
    .unknownCommand: "unknown command", .unsupported: "unsupported",
    .badMessageFormat: "bad message format", .badParameter: "bad parameter",
    .failedToExecute: "failed to execute", .unknownDevice: "unknown device",
    .memoryBusy: "memory busy", .badPassword: "bad password", .voltageTooLow: "voltage too low",
    .illegalPage: "illegal page", .flashFail: "flash failed",
    .mainAppCorrupt: "main application corrupt", .messageTimeout: "message timed out",
  ]

  /// Whether the command was damaged or lost on the link.
  package var isLinkError: Bool { [.badChecksum, .fragment, .messageTimeout].contains(self) }

  /// The next step for a person, in one or two sentences.
  public var advice: String {
    switch self {
    case .badChecksum, .fragment, .messageTimeout: "The link corrupts packets: move closer, and try again."
    case .unknownCommand, .unknownDevice: "Its firmware or model does not know this command."
    case .unsupported: "It cannot do that now: stop what it is doing, and try again."
    case .badMessageFormat: "Check the fields: its firmware may expect fewer or more."
    case .badParameter: "Check the values: one is out of the range that its firmware takes."
    case .failedToExecute: "It is busy or full: end its macros and programs, and try again."
    case .memoryBusy: "It uses that memory: wait or end its programs, and try again."
    case .badPassword: "Give the right password."
    case .voltageTooLow: "Charge it, then try again."
    case .illegalPage: "Name another page of its flash."
    case .flashFail: "Try again. If the error persists, its flash may be worn out."
    case .mainAppCorrupt: "Its firmware is damaged: only loading it again helps."
    case .general: "Try again. If the error persists, restart the robot."
    default: "Its firmware may be newer than the documents."
    }
  }

  /// The meaning of the code, or its number in hexadecimal.
  public var name: String { knownName ?? "status \(Hexadecimal.text([rawValue]))h" }
}
