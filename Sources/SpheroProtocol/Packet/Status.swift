// The status code of a response: MRSP.

/// The robot's verdict on a command (MRSP); a code of later firmware is kept.
///
/// Sphero API 1.50, "Message Response Codes".
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
  public static let badParameter = Status(rawValue: 0x07)
  /// Could not execute: busy, storage full, not enough cores.
  public static let failedToExecute = Status(rawValue: 0x08)
  /// Unknown DID.
  public static let unknownDevice = Status(rawValue: 0x09)
  /// The memory needed is in use.
  public static let memoryBusy = Status(rawValue: 0x0A)
  public static let badPassword = Status(rawValue: 0x0B)
  /// The battery is too low for reflashing.
  public static let voltageTooLow = Status(rawValue: 0x31)
  /// Illegal flash page.
  public static let illegalPage = Status(rawValue: 0x32)
  /// A flash page did not program correctly.
  public static let flashFail = Status(rawValue: 0x33)
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
