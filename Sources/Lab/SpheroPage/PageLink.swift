// The page's link over Bluetooth LE: the operations of the link as bytes, and their results as words.

package import SpheroBluetooth
import SpheroProtocol

/// A script takes the operations of the link, performs them by Web Bluetooth, and reports each result as a command.
extension BluetoothLink {
  /// The error code of a refused operation: Unlikely Error of the Attribute Protocol, as the script reports no code.
  private static let unknownCode: UInt8 = 0x0E

  /// Removes and returns the next operation: 0 discovers, 1 writes, 2 writes with a confirmation, 3 subscribes; the number
  /// of a characteristic and the value follow. Empty if there is none, or while the script performs one.
  package mutating func takeOperation(at now: Duration) -> [UInt8] {
    advance(to: now)
    // Notifications are passed on when they arrive, and the script needs no other event.
    _ = takeEvents()
    switch takeOperation() {
    case .discover?: return [0]
    case .write(let bytes, let characteristic, let isConfirmed)?:
      return [isConfirmed ? 2 : 1] + Self.bytes(characteristic) + bytes
    case .subscribe(let characteristic)?: return [3] + Self.bytes(characteristic)
    case nil: return []
    }
  }

  private static func bytes(_ characteristic: RobotCharacteristic) -> [UInt8] {
    [UInt8(characteristic.rawValue >> 8), UInt8(truncatingIfNeeded: characteristic.rawValue)]
  }

  /// Handles a report of the script on an operation or the connection.
  mutating func handle(_ word: String, _ words: inout CommandParser, at now: Duration) throws(PageError) {
    switch word {
    case "done": try words.end { completed(at: now) }
    case "refused": try words.end { fail(.refused(step, code: Self.unknownCode)) }
    case "mute": try words.end { fail(.missingConfiguration) }
    case "lost": try words.end { disconnect() }
    default:  // missing
      let number = UInt16(exactly: try words.lastNumber(in: 0...65_535)) ?? 0
      guard let characteristic = RobotCharacteristic(rawValue: number) else {
        throw PageError("a robot has no characteristic \(number)")
      }
      fail(.missingCharacteristic(characteristic))
    }
  }
}

extension Page {
  mutating func handleBluetooth(_ words: inout CommandParser, at now: Duration) throws(PageError) -> [UInt8] {
    let word = try words.next(
      of: ["profile", "open", "done", "refused", "missing", "mute", "lost", "status"])
    if word == "profile" { return try words.end { Self.json(Self.bluetoothProfile) } }
    if word == "open" {
      try words.end { link = BluetoothLink(at: now) }
      return []
    }
    guard link != nil else { throw PageError("there is no link: say 'bluetooth open' first") }
    if word == "status" {
      let error = link?.error
      return try words.end {
        Self.json(["message": .text(error?.message), "advice": .text(error?.advice)])
      }
    }
    try link?.handle(word, &words, at: now)
    return []
  }

  /// The data by which a script finds robots: the services, their characteristics, and the prefixes of names.
  private static var bluetoothProfile: FieldValue {
    [
      "services": .list(RobotService.allCases.map { .text($0.uuid) }),
      "characteristics": .list(
        RobotCharacteristic.allCases.map { ["number": .count($0.rawValue), "uuid": .text($0.uuid)] }),
      "names": .list(AdvertisedRobot.supportedPrefixes.map { .text($0) }),
    ]
  }

  /// Passes a notification to the link, and its bytes to the host; without bytes, only advances the time of the link.
  package mutating func receiveNotification(_ bytes: [UInt8], at now: Duration) {
    link?.advance(to: now)
    link?.receive(bytes)
    for case .received(let received) in link?.takeEvents() ?? [] { receive(received, at: now) }
  }
}
