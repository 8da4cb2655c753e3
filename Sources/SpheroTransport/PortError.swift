// Why a text names no port: where, what stands there, and what to do.

/// Why a text names no port.
public struct PortError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// There is no text.
    case empty
    /// The text contains a NUL, at which the system would end it.
    case nul
    /// The word in front of the first colon is no kind of port.
    case unknownKind
    /// A hexadecimal digit of a Bluetooth address is expected.
    case addressDigit
    /// A separator of a Bluetooth address is expected: colons or hyphens, not both.
    case addressSeparator
    /// A Bluetooth address is followed by something that is no channel.
    case addressEnd
    /// The channel is not in 1...30.
    case channel
    /// A server has no address.
    case noHost
    /// A server is given by its name.
    case name
    /// A server's address is malformed.
    case host
    /// An IPv6 address does not stand in brackets, or another address does.
    case bracket
    /// A server's port is not in 1...65535.
    case portNumber
    /// A recording has no file.
    case noFile
    /// The simulator has no such option; with those it has.
    case simulatorOption(known: [String])
  }

  /// The whole text.
  public var text: String
  /// Where the fault is, in characters from 1.
  public var column: Int
  /// What stands there; empty at the end of the text.
  public var seen: String
  /// What is wrong.
  public var reason: Reason

  /// Points at a part of a text.
  package init(text: String, at part: Substring, _ reason: Reason) {
    self.text = text
    column = text.distance(from: text.startIndex, to: part.startIndex) + 1
    seen = String(part)
    self.reason = reason
  }

  /// The next step.
  public var advice: String {
    switch reason {
    case .empty, .unknownKind:
      "Name a device file like /dev/rfcomm0, an address like 68:86:E7:01:02:03, tcp:HOST:PORT, sim: or replay:FILE."
    case .nul: "Leave the NUL character out."
    case .addressDigit, .addressSeparator, .addressEnd, .channel:
      "Write an address like 68:86:E7:01:02:03, or 68:86:E7:01:02:03@2 for channel 2; a file of that name is ./FILE."
    case .noHost, .name, .host:
      "Write a numeric address like tcp:192.168.1.7:4000; 'getent ahosts NAME' finds that of a name."
    case .bracket: "Write tcp:[::1]:4000 for IPv6 and tcp:127.0.0.1:4000 for IPv4."
    case .portNumber: "Write a port from 1 to 65535 behind the address, like tcp:127.0.0.1:4000."
    case .noFile: "Write the file behind it, like replay:drive.capture."
    case .simulatorOption(let known):
      known.isEmpty ? "Write sim: alone." : "Choose among: \(known.joined(separator: ", "))."
    }
  }
}

extension PortError: CustomStringConvertible {
  /// One sentence for people: the port, the column, what stands there, what is wrong.
  public var description: String {
    if reason == .empty { return "the port is empty" }
    let place = "port '\(text)', column \(column): \(seen.isEmpty ? "the end" : "'\(seen)'")"
    return switch reason {
    case .empty: place
    case .nul: "the port has a NUL character in column \(column)"
    case .unknownKind: "\(place) is no kind of port"
    case .addressDigit: "\(place) where a hexadecimal digit of a Bluetooth address is expected"
    case .addressSeparator: "\(place) where the separator of a Bluetooth address is expected"
    case .addressEnd: "\(place) behind a Bluetooth address, where only @CHANNEL can be"
    case .channel: "\(place) is no channel from 1 to 30"
    case .noHost: "\(place) where an address is expected"
    case .name: "\(place) is no numeric address, and names are not looked up"
    case .host: "\(place) is no Internet address"
    case .bracket: "\(place), but IPv6 addresses stand in brackets and others do not"
    case .portNumber: "\(place) is no port from 1 to 65535"
    case .noFile: "\(place) where a file is expected"
    case .simulatorOption: "\(place) is no option of the simulator"
    }
  }
}
