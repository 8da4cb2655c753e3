// The error of a text that is not a port: position, reason and advice.

/// The error of a text that is not a port.
public struct PortError: Error, Hashable, Sendable {
  /// The reason.
  @nonexhaustive public enum Code: Hashable, Sendable {
    /// The text is empty.
    case empty
    /// The text contains a NUL, which ends a C string.
    case nul
    /// The word before the first colon is not a kind of port.
    case unknownKind
    /// A hexadecimal digit of a Bluetooth address is expected.
    case addressDigit
    /// A separator of a Bluetooth address is expected: colons or hyphens, not both.
    case addressSeparator
    /// A Bluetooth address is followed by something that is not a channel.
    case addressEnd
    /// The channel is not in 1...30.
    case channel
    /// A server has no address.
    case noHost
    /// The address of a server is a name rather than a number.
    case name
    /// A server's address is malformed.
    case host
    /// An IPv6 address is not in brackets, or another address is.
    case bracket
    /// A server's port is not in 1...65535.
    case portNumber
    /// A recording has no file.
    case noFile
    /// The simulator has no such option.
    case simulatorOption
  }

  public let code: Code
  /// The whole text.
  public let text: String
  /// The position of the error, in characters from 1.
  public let column: Int
  /// The text at the position; empty at the end.
  public let seen: String
  /// One sentence without a full stop: the port, the column, the text there, and the reason.
  public let message: String
  /// The next step.
  public let advice: String

  /// Points at a part of a text.
  ///
  /// - Parameters:
  ///   - text: The whole text.
  ///   - part: The part of it that is wrong.
  ///   - code: What is wrong.
  ///   - known: The options that the simulator has.
  package init(text: String, at part: Substring, _ code: Code, known: [String] = []) {
    self.text = text
    self.code = code
    column = text.distance(from: text.startIndex, to: part.startIndex) + 1
    seen = String(part)
    let place = "port '\(text)', column \(column): \(seen.isEmpty ? "the end" : "'\(seen)'")"
    (message, advice) = Self.words(code, place, column, known)
  }

  /// What is wrong with what stands at a place, and the next step.
  private static func words(
    _ code: Code, _ place: String, _ column: Int, _ known: [String]
  ) -> (message: String, advice: String) {
    let kinds =
      "Name a device file like /dev/rfcomm0, an address like 68:86:E7:01:02:03, tcp:HOST:PORT, sim: or replay:FILE."
    let address =
      "Write an address like 68:86:E7:01:02:03, or 68:86:E7:01:02:03@2 for channel 2; a file of that name is ./FILE."
    let server =
      "Write a numeric address like tcp:192.168.1.7:4000; 'getent ahosts NAME' finds that of a name."
    return switch code {
    case .empty: ("the port is empty", kinds)
    case .nul: ("the port has a NUL character in column \(column)", "Leave the NUL character out.")
    case .addressDigit: ("\(place) where a hexadecimal digit of a Bluetooth address is expected", address)
    case .addressSeparator: ("\(place) where the separator of a Bluetooth address is expected", address)
    case .addressEnd: ("\(place) after a Bluetooth address, where only @CHANNEL can be", address)
    case .channel: ("\(place) is not a channel from 1 to 30", address)
    case .noHost: ("\(place) where an address is expected", server)
    case .name: ("\(place) is not a numeric address, and names are not looked up", server)
    case .host: ("\(place) is not an Internet address", server)
    case .bracket:
      (
        "\(place), but IPv6 addresses stand in brackets and others do not",
        "Write tcp:[::1]:4000 for IPv6 and tcp:127.0.0.1:4000 for IPv4."
      )
    case .portNumber:
      (
        "\(place) is not a port from 1 to 65535",
        "Write a port from 1 to 65535 after the address, like tcp:127.0.0.1:4000."
      )
    case .noFile:
      ("\(place) where a file is expected", "Write the file after it, like replay:drive.capture.")
    case .simulatorOption:
      (
        "\(place) is not an option of the simulator",
        known.isEmpty ? "Write sim: alone." : "Choose among: \(known.joined(separator: ", "))."
      )
    case .unknownKind: ("\(place) is not a kind of port", kinds)
    }
  }
}

extension PortError: CustomStringConvertible {
  /// What is wrong, and the next step.
  public var description: String { "\(message). \(advice)" }
}
