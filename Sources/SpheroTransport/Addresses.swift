// Bluetooth and Internet addresses.

import SpheroSystem

/// A Bluetooth device address.
public struct BluetoothAddress: Hashable, Sendable {
  /// The 6 bytes in the order of the text form.
  let bytes: [UInt8]

  /// Creates an address from 6 bytes in the order of the text form; nil for another count.
  ///
  /// - Parameter bytes: 68h 86h E7h 01h 02h 03h for `68:86:E7:01:02:03`.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 6 else { return nil }
    self.bytes = bytes
  }

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

  /// Parses an address like `127.0.0.1` or `::1`, without brackets; nil for other texts, including names.
  public init?(_ text: String) {
    guard let bytes = System.internetBytes(text) else { return nil }
    self.bytes = bytes
  }

  /// Whether this is an IPv6 address.
  public var isVersion6: Bool { bytes.count == 16 }
}

extension InternetAddress: CustomStringConvertible {
  /// The usual text, without brackets.
  public var description: String { System.internetText(bytes) }
}
