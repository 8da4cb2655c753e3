// The text that names a port, and the addresses in it.

import SpheroSystem

/// The address of a robot, with one text form for all kinds of port.
///
/// | text | port |
/// |---|---|
/// | `/dev/rfcomm0`, `./link` or any other path | a serial device file |
/// | `68:86:E7:01:02:03`, also with `-`; `@2` after it is the channel | a robot by its Bluetooth address |
/// | `ble:BB-D911`, `ble:C1:6E:04:5E:D9:11` | an Ollie, BB-8 or SPRK+ by its name or its Bluetooth LE address (Linux) |
/// | `ble:/tmp/socket` | a local socket with packets of the Attribute Protocol, as of a Bluetooth emulator (Linux) |
/// | `tcp:127.0.0.1:4000`, `tcp:[::1]:4000`, `tcp:robot.local:4000` | a server like ser2net or socat |
/// | `tcp:[fe80::1%eth0]:4000` | a server at a link-local address, with the interface that leads to it |
/// | `sim:`, `sim:seed=7` | a simulated robot |
/// | `replay:FILE` | a recording |
@nonexhaustive public enum Port: Hashable, Sendable {
  /// The name of a kind of port, like `device`; the cases over Bluetooth LE have one kind, and those over TCP.
  @nonexhaustive public enum Kind: String, Hashable, Sendable, CustomStringConvertible {
    case device, bluetooth, lowEnergy, tcp, simulated, recording
    public var description: String { rawValue }
  }

  /// A serial device file.
  case device(path: String)
  /// A robot by its Bluetooth address and RFCOMM channel, 1...30.
  case bluetooth(BluetoothAddress, channel: UInt8)
  /// An Ollie, BB-8 or SPRK+ by its Bluetooth LE address.
  case lowEnergy(BluetoothAddress)
  /// An Ollie, BB-8 or SPRK+ by the name that it advertises, like `BB-D911`, which is looked up when the port is opened.
  ///
  /// ``init(parsing:)`` reads no name that is empty, has more than 248 characters, a colon, two hyphens or an ASCII
  /// control character, begins with `/` or `.`, or consists of hexadecimal digits, alone or in pairs.
  case namedLowEnergy(String)
  /// A local socket with packets of the Attribute Protocol.
  case attributeSocket(path: String)
  /// A TCP server that forwards bytes, like ser2net or socat.
  case tcp(InternetAddress, port: UInt16)
  /// A TCP server by the name of its host, which is looked up when the port is opened; it is not checked here.
  case namedTCP(String, port: UInt16)
  /// A simulated robot, with the text of its options, like `seed=7`.
  case simulated(options: String)
  /// A recording.
  case recording(path: String)

  /// The RFCOMM channel of the robots' serial port.
  public static let defaultChannel: UInt8 = 1

  /// Parses one of the texts that ``Port`` lists.
  ///
  /// - Throws: ``PortError``.
  public init(parsing text: String) throws(PortError) {
    guard let first = text.unicodeScalars.first else {
      throw PortError(text: text, at: text[...], .empty)
    }
    if let index = text.utf8.firstIndex(of: 0) {
      throw PortError(text: text, at: text[index...].prefix(1), .nul)
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts[parts.count - 1]
    switch parts.count == 2 ? parts[0] : "" {
    case _ where first == "/" || first == ".": self = .device(path: text)
    case "sim": self = .simulated(options: String(rest))
    case "replay" where rest.isEmpty: throw PortError(text: text, at: rest, .noFile)
    case "replay": self = .recording(path: String(rest))
    case "ble" where rest.isEmpty: throw PortError(text: text, at: rest, .noRobot)
    case "ble" where ["/", "."].contains(rest.first): self = .attributeSocket(path: String(rest))
    case "ble" where Self.isRobotName(rest): self = .namedLowEnergy(String(rest))
    case "ble": self = .lowEnergy(try Self.address(rest, in: text).address)
    case "tcp": self = try Self.server(rest, in: text)
    case _ where text.contains("/"): self = .device(path: text)
    // A name like BB-D911 begins like an address.
    case _ where Self.beginsLikeAddress(text) && Self.isRobotName(text[...]):
      throw PortError(text: text, at: text[...], .robotName)
    case _ where Self.beginsLikeAddress(text): self = try Self.robot(text)
    case let word where parts.count == 2:
      throw PortError(text: text, at: text[...word.endIndex], .unknownKind)
    default: self = .device(path: text)
    }
  }

  private static func beginsLikeAddress(_ text: String) -> Bool {
    let front = Array(text.prefix(3))
    return front.count == 3 && front[0].isDigit16 && front[1].isDigit16 && ":-".contains(front[2])
  }

  /// Whether a text can be the name of a robot: neither hexadecimal digits alone, nor pairs of them with hyphens, which
  /// are an address or its beginning.
  private static func isRobotName(_ text: Substring) -> Bool {
    (1...248).contains(text.count) && !text.contains(":") && text.filter { $0 == "-" }.count < 2
      && text.split(separator: "-").contains { $0.count != 2 || $0.contains { !$0.isDigit16 } }
      && text.contains { !$0.isDigit16 } && !"/.".contains(text[text.startIndex])
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }

  /// Parses `68:86:E7:01:02:03`, with `:` or `-`, and an optional `@` with a channel.
  private static func robot(_ text: String) throws(PortError) -> Port {
    let (address, rest) = try address(text[...], in: text, hasChannel: true)
    guard let mark = rest.first else { return .bluetooth(address, channel: defaultChannel) }
    guard mark == "@" else { throw PortError(text: text, at: rest, .addressEnd) }
    let number = rest.dropFirst()
    guard let channel = number.decimal, let channel = UInt8(exactly: channel), (1...30).contains(channel)
    else {
      throw PortError(text: text, at: number, .channel)
    }
    return .bluetooth(address, channel: channel)
  }

  /// Parses an address; without a channel, nothing may follow it.
  private static func address(
    _ part: Substring, in text: String, hasChannel: Bool = false
  ) throws(PortError) -> (address: BluetoothAddress, rest: Substring) {
    let separator = part.dropFirst(2).first
    var rest = part
    for place in 0..<17 {
      let isDigit = place % 3 < 2
      let seen = rest.prefix(1)
      guard let character = seen.first,
        isDigit ? character.isDigit16 : ":-".contains(character) && character == separator
      else { throw PortError(text: text, at: seen, isDigit ? .addressDigit : .addressSeparator) }
      rest = rest.dropFirst()
    }
    guard hasChannel || rest.isEmpty else { throw PortError(text: text, at: rest, .addressEnd) }
    let bytes = part.prefix(17).split { $0 == separator }.compactMap { UInt8($0, radix: 16) }
    guard let address = BluetoothAddress(bytes: bytes) else {
      throw PortError(text: text, at: text[...], .addressDigit)
    }
    return (address, rest)
  }

  /// Whether a text may be the name of a host: labels of letters, digits, hyphens and underscores (RFC 1123),
  /// 253 characters at most. The last label is not a number, as in malformed addresses.
  private static func isHostName(_ text: some StringProtocol) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    let isWellFormed = labels.allSatisfy { label in
      (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
        && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }
    return isWellFormed && text.utf8.count <= 253 && labels.last?.allSatisfy(\.isNumber) == false
  }

  /// Reads `127.0.0.1:4000`, `[::1]:4000` or `robot.local:4000`.
  private static func server(_ rest: Substring, in text: String) throws(PortError) -> Port {
    let host: Substring
    let suffix: Substring
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { throw PortError(text: text, at: rest, .bracket) }
      host = rest[..<end].dropFirst()
      suffix = rest[end...].dropFirst()
    } else {
      let colon = rest.lastIndex(of: ":") ?? rest.endIndex
      (host, suffix) = (rest[..<colon], rest[colon...])
    }
    guard !host.isEmpty else { throw PortError(text: text, at: host, .noHost) }
    let address = InternetAddress(String(host))
    if address != nil {
      guard host.contains(":") == (rest.first == "[") else {
        throw PortError(text: text, at: host, .bracket)
      }
    } else if rest.first == "[" || !isHostName(host) {
      throw PortError(text: text, at: host, host.allSatisfy { "0123456789.:".contains($0) } ? .host : .name)
    }
    let number = suffix.first == ":" ? suffix.dropFirst() : suffix
    guard suffix.first == ":", let port = number.decimal, let port = UInt16(exactly: port), port > 0 else {
      throw PortError(text: text, at: number, .portNumber)
    }
    return address.map { .tcp($0, port: port) } ?? .namedTCP(String(host), port: port)
  }
}

extension Port {
  /// The kind of the port.
  public var kind: Kind {
    switch self {
    case .device: .device
    case .bluetooth: .bluetooth
    case .lowEnergy, .namedLowEnergy, .attributeSocket: .lowEnergy
    case .tcp, .namedTCP: .tcp
    case .simulated: .simulated
    case .recording: .recording
    }
  }
}

extension Port: CustomStringConvertible {
  /// The text that ``init(parsing:)`` reads back as the same port, if it accepts its values.
  ///
  /// A relative path that would be parsed as another kind of port is prefixed with `./`.
  public var description: String {
    switch self {
    case .device(let path):
      (try? Port(parsing: path))?.kind == .device ? path : "./" + path
    case .bluetooth(let address, let channel):
      channel == Self.defaultChannel ? "\(address)" : "\(address)@\(channel)"
    case .lowEnergy(let address): "ble:\(address)"
    case .namedLowEnergy(let name): "ble:" + name
    case .attributeSocket(let path): "ble:" + path
    case .tcp(let address, let port):
      address.isVersion6 ? "tcp:[\(address)]:\(port)" : "tcp:\(address):\(port)"
    case .namedTCP(let name, let port): "tcp:\(name):\(port)"
    case .simulated(let options): "sim:" + options
    case .recording(let path): "replay:" + path
    }
  }
}

extension Substring {
  /// The number for a text of decimal digits alone; nil for any other text, and for numbers beyond 32 bits.
  fileprivate var decimal: Int32? {
    // Int32 alone would accept a sign.
    guard allSatisfy({ "0123456789".contains($0) }) else { return nil }
    return Int32(self)
  }
}

extension Character {
  fileprivate var isDigit16: Bool { isASCII && isHexDigit }
}

/// A Bluetooth device address.
public struct BluetoothAddress: Hashable, Sendable {
  /// The 6 bytes in the order of the text form.
  let bytes: [UInt8]

  /// Creates an address from 6 bytes, 68h 86h E7h 01h 02h 03h for `68:86:E7:01:02:03`; nil for another count.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 6 else { return nil }
    self.bytes = bytes
  }

  /// Whether this has the form of a random static address (Core Specification, volume 6, part B, 1.3.2.1).
  package var isLikelyRandom: Bool { bytes.first.map { $0 >> 6 == 3 } ?? false }

  /// The bytes in wire order: least significant first.
  package var wireBytes: [UInt8] { bytes.reversed() }
}

extension BluetoothAddress: CustomStringConvertible {
  /// Six groups like `68:86:E7:01:02:03`.
  public var description: String {
    bytes.map { byte in (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
      .joined(separator: ":")
  }
}

/// A numeric Internet address, IPv4 or IPv6.
public struct InternetAddress: Hashable, Sendable {
  /// 4 or 16 bytes in network byte order.
  package let bytes: [UInt8]
  /// The number of the network interface of a link-local IPv6 address; 0 for none.
  package let scope: UInt32

  /// Parses an address like `127.0.0.1` or `::1`, without brackets; nil for other texts, including names.
  ///
  /// After an IPv6 address, `%` and an interface may follow, as in `fe80::1%eth0` (RFC 4007, section 11).
  /// An IPv4-mapped address like `::ffff:127.0.0.1` is the IPv4 address (RFC 4291, section 2.5.5.2).
  public init?(_ text: String) {
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard let bytes = System.internetBytes(parts[0]) else { return nil }
    guard parts.count == 2 else {
      self.init(bytes: bytes)
      return
    }
    guard bytes.count == 16, let scope = System.interfaceNumber(String(parts[1])) else { return nil }
    self.init(bytes: bytes, scope: scope)
  }

  /// Creates an address from 4 or 16 bytes in network byte order.
  package init(bytes: [UInt8], scope: UInt32 = 0) {
    let isMapped = bytes.count == 16 && bytes.starts(with: Self.mappedPrefix)
    self.bytes = isMapped ? Array(bytes.dropFirst(Self.mappedPrefix.count)) : bytes
    self.scope = isMapped ? 0 : scope
  }

  private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

  /// Whether this is an IPv6 address.
  public var isVersion6: Bool { bytes.count == 16 }

  /// Whether this is a link-local IPv6 address (fe80::/10) without the interface that leads to it.
  package var lacksScope: Bool { isVersion6 && bytes[0] == 0xFE && bytes[1] >> 6 == 0b10 && scope == 0 }
}

extension InternetAddress: CustomStringConvertible {
  /// The usual text, without brackets.
  public var description: String {
    System.internetText(bytes) + (scope == 0 ? "" : "%" + System.interfaceName(scope))
  }
}
