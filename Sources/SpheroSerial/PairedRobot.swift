// Robots that the computer is paired with, as bluetoothctl lists them.

public import SpheroTransport

/// A robot that the computer is paired with.
public struct PairedRobot: Hashable, Sendable {
  /// Its Bluetooth address, which is a port on Linux.
  public var address: BluetoothAddress
  /// The name that it gives, at most 248 characters.
  public var name: String

  /// Names a robot.
  public init(address: BluetoothAddress, name: String) { (self.address, self.name) = (address, name) }

  /// The most devices that are looked at.
  private static let mostDevices = 1_000
  /// The first bytes of the addresses that Orbotix, the maker, has.
  private static let maker: [UInt8] = [0x68, 0x86, 0xE7]

  /// Finds the robots in what `bluetoothctl devices Paired` prints: lines like `Device 68:86:E7:01:02:03 Sphero-RGB`.
  ///
  /// Colours and a prompt in front of a line are skipped, and so is every other device.
  public static func robots(in listing: String) -> [PairedRobot] {
    let lines = listing.split(whereSeparator: \.isNewline).prefix(mostDevices)
    return lines.compactMap { robot(in: words(of: $0)) }
  }

  private static func robot(in words: [Substring]) -> PairedRobot? {
    guard let keyword = words.firstIndex(of: "Device"), keyword + 1 < words.count,
      let address = (try? Port(parsing: String(words[keyword + 1])))?.bluetoothAddress
    else { return nil }
    let name = String(words[(keyword + 2)...].joined(separator: " ").prefix(248))
    guard name.hasPrefix("Sphero") || address.wireBytes.reversed().starts(with: maker) else { return nil }
    return PairedRobot(address: address, name: name)
  }

  /// The words of a line without escape sequences (ECMA-48) and control characters.
  private static func words(of line: Substring) -> [Substring] {
    var text = ""
    var isInSequence = false
    for scalar in line.unicodeScalars {
      if isInSequence {
        // A sequence ends with a letter; its bracket is no end.
        isInSequence = !(("@"..."~").contains(scalar) && scalar != "[")
      } else if scalar == "\u{1B}" {
        isInSequence = true
      } else if scalar.value >= 0x20, !(0x7F...0x9F).contains(scalar.value) {
        text.unicodeScalars.append(scalar)
      }
    }
    return text.split(separator: " ")
  }
}
