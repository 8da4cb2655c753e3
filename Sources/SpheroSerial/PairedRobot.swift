// Parser of the lists of robots that bluetoothctl prints.

public import SpheroBluetooth
public import SpheroTransport

/// A robot that the computer is paired with, or has seen in a scan.
public struct PairedRobot: Hashable, Sendable {
  /// The Bluetooth address, which names a port on Linux.
  public var address: BluetoothAddress
  /// The Bluetooth name, at most 248 characters.
  public var name: String

  /// The kind of a robot with Bluetooth LE, by its name; nil for the first Spheros.
  public var advertised: AdvertisedRobot? { AdvertisedRobot(name: name) }

  /// The port of the robot; nil for a robot with the later protocol.
  public var port: Port? {
    switch advertised {
    case nil: .bluetooth(address, channel: Port.defaultChannel)
    case .supported: .lowEnergy(address)
    case .laterProtocol: nil
    }
  }

  public init(address: BluetoothAddress, name: String) { (self.address, self.name) = (address, name) }

  private static let maximumLineCount = 1_000
  /// The first bytes of the addresses of Orbotix, the manufacturer.
  private static let manufacturerPrefix: [UInt8] = [0x68, 0x86, 0xE7]

  /// The robots in the output of `bluetoothctl devices`, with or without `Paired`: lines like `Device 68:86:E7:01:02:03 Sphero-RGB`.
  ///
  /// Colours, a prompt before a line, and other devices are skipped.
  public static func robots(in listing: String) -> [PairedRobot] {
    let lines = listing.split(whereSeparator: \.isNewline).prefix(maximumLineCount)
    return lines.compactMap { robot(in: words(of: $0)) }
  }

  private static func robot(in words: [Substring]) -> PairedRobot? {
    // A line with CHG reports a property of a device, and no name; one with DEL a device that is gone.
    guard let keyword = words.firstIndex(of: "Device"),
      words[..<keyword].allSatisfy({ $0 != "[CHG]" && $0 != "[DEL]" }), keyword + 1 < words.count,
      case .bluetooth(let address, _)? = try? Port(parsing: String(words[keyword + 1]))
    else { return nil }
    let name = String(words[(keyword + 2)...].joined(separator: " ").prefix(248))
    guard
      name.hasPrefix("Sphero") || address.wireBytes.reversed().starts(with: manufacturerPrefix)
        || AdvertisedRobot(name: name) != nil
    else { return nil }
    return PairedRobot(address: address, name: name)
  }

  /// The words of a line without escape sequences (ECMA-48) and control characters.
  private static func words(of line: Substring) -> [Substring] {
    var text = ""
    var isInSequence = false
    for scalar in line.unicodeScalars {
      if isInSequence {
        // A sequence ends with a character in this range, except its opening bracket.
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
