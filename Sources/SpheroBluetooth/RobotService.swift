// The services and characteristics of Ollie, BB-8 and SPRK+, and the names by which they advertise.

/// A characteristic of a robot's Bluetooth LE services that a link requires.
///
/// The UUIDs are `22bb746f-XXXX-7554-2d6f-726568705327`, where `XXXX` is the raw value (attribute table of a BB-8,
/// mcgrews3/bb8-driver). The transmit power, 2BB2h, is omitted: programs that wrote more than one byte to it left Ollies
/// that were hardly reachable (orbotix/sphero.js#83).
public enum RobotCharacteristic: UInt16, Hashable, Sendable, CaseIterable {
  /// Commands to the robot; writable with and without a response.
  case commands = 0x2BA1
  /// Bytes from the robot, as notifications of any length.
  case responses = 0x2BA6
  /// Accepts the text that unlocks the radio service.
  case antiDOS = 0x2BBD
  /// Wakes the main processor: 1 wakes it with, 2 without its light.
  case wake = 0x2BBF

  /// The text form of the UUID, in lower case.
  public var uuid: String { RobotService.uuid(rawValue) }

  /// The characteristic of a UUID in wire order, the last byte of the text first; nil for another UUID.
  init?(wireBytes: some Collection<UInt8>) {
    let bytes = Array(wireBytes.reversed())
    guard bytes.count == 16, bytes[..<4] == RobotService.base[..<4], bytes[6...] == RobotService.base[6...]
    else { return nil }
    self.init(rawValue: UInt16(bytes[4]) << 8 | UInt16(bytes[5]))
  }
}

/// A service of a robot.
public enum RobotService: UInt16, Hashable, Sendable, CaseIterable {
  /// Commands and responses.
  case robot = 0x2BA0
  /// The radio: wake, sleep and power.
  case radio = 0x2BB0

  /// The text form of the UUID, in lower case.
  public var uuid: String { Self.uuid(rawValue) }

  /// The bytes of the UUIDs in the order of their text; the bytes 4 and 5, which differ, are 0.
  static let base: [UInt8] = [
    0x22, 0xBB, 0x74, 0x6F, 0, 0, 0x75, 0x54, 0x2D, 0x6F, 0x72, 0x65, 0x68, 0x70, 0x53, 0x27,
  ]

  /// The text form of the UUID whose bytes 4 and 5 are a number of four hexadecimal digits, in lower case.
  static func uuid(_ number: UInt16) -> String {
    "22bb746f-" + String(number, radix: 16) + "-7554-2d6f-726568705327"
  }
}

/// The kind of a robot by the name that it advertises.
///
/// Source: Sphero-Android-SDK and Sphero's Swift classes.
public enum AdvertisedRobot: Hashable, Sendable {
  /// A robot with the packets of API 1.50.
  case supported(model: String)
  /// A robot with the later protocol, which this package does not implement.
  case laterProtocol(model: String)

  /// The prefixes of names, with the kind of each.
  static let prefixes: [(prefix: String, kind: AdvertisedRobot)] = [
    ("2B-", .supported(model: "Ollie")), ("BB-", .supported(model: "BB-8")),
    ("SK-", .supported(model: "SPRK+")), ("1C-", .supported(model: "WeBall")),
    ("D2-", .laterProtocol(model: "R2-D2")), ("Q5-", .laterProtocol(model: "R2-Q5")),
    ("GB-", .laterProtocol(model: "BB-9E")), ("SM-", .laterProtocol(model: "Sphero Mini")),
    ("LM-", .laterProtocol(model: "Lightning McQueen")), ("SB-", .laterProtocol(model: "BOLT")),
  ]

  /// The beginnings of the names of supported robots.
  package static var supportedPrefixes: [String] {
    prefixes.compactMap { if case .supported = $0.kind { $0.prefix } else { nil } }
  }

  /// Recognizes an advertised name; nil for the name of another device.
  public init?(name: String) {
    guard let match = Self.prefixes.first(where: { name.utf8.starts(with: $0.prefix.utf8) }) else {
      return nil
    }
    self = match.kind
  }
}
