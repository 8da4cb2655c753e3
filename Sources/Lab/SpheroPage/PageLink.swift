// The page's link over Bluetooth LE: the operations of the link as bytes, and their results as words.

import SpheroBluetooth
import SpheroProtocol

/// The link between the page and a robot over Bluetooth LE; a script takes its operations, performs them by Web
/// Bluetooth, and reports each result as a command.
package struct PageLink: Sendable {
  private var link: BluetoothLink
  private var error: BluetoothError?

  /// The error code of a refused operation: Unlikely Error of the Attribute Protocol, as the script reports no code.
  private static let unknownCode: UInt8 = 0x0E

  package init(at now: Duration) { link = BluetoothLink(at: now) }

  /// Removes and returns the next operation: 0 discovers, 1 writes, 2 writes with a confirmation, 3 subscribes; the number
  /// of a characteristic and the value follow. Empty if there is none, or while the script performs one.
  package mutating func takeOperation(at now: Duration) -> [UInt8] {
    advance(to: now)
    switch link.takeOperation() {
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

  /// Processes a notification, and returns its bytes for the host; without bytes, only advances the time.
  package mutating func receive(_ bytes: [UInt8], at now: Duration) -> [UInt8] {
    advance(to: now)
    link.receive(bytes)
    return handleEvents()
  }

  /// Sends a packet of the host; does nothing until the robot has confirmed the previous one.
  package mutating func send(_ packet: [UInt8], at now: Duration) {
    link.send(packet, at: now)
  }

  /// When ``receive(_:at:)`` must be called at the latest; nil if no timeout is running.
  package var nextDeadline: Duration? { link.nextDeadline }

  private mutating func advance(to now: Duration) {
    link.advance(to: now)
    _ = handleEvents()
  }

  /// Handles the events of the link, and returns the received bytes.
  private mutating func handleEvents() -> [UInt8] {
    var received: [UInt8] = []
    for event in link.takeEvents() {
      switch event {
      case .connected, .sent: break
      case .received(let bytes): received += bytes
      case .failed(let reason): error = reason
      }
    }
    return received
  }

  /// Handles a report of the script on an operation or the connection.
  mutating func handle(_ word: String, _ words: inout CommandParser, at now: Duration) throws(PageError) {
    switch word {
    case "done": try words.end { link.completed(at: now) }
    case "refused": try words.end { link.fail(.refused(link.step, code: Self.unknownCode)) }
    case "mute": try words.end { link.fail(.missingConfiguration) }
    case "lost": try words.end { link.disconnect() }
    default:  // missing
      let number = UInt16(exactly: try words.lastNumber(in: 0...65_535)) ?? 0
      guard let characteristic = RobotCharacteristic(rawValue: number) else {
        throw PageError("a robot has no characteristic \(number)")
      }
      link.fail(.missingCharacteristic(characteristic))
    }
    _ = handleEvents()
  }

  /// The message and the advice of the error that ended the link; missing values if none did.
  var status: FieldValue {
    [
      "message": .text(error?.message), "advice": .text(error?.advice),
    ]
  }

  /// The data by which a script finds robots: the services, their characteristics, and the prefixes of names.
  static var profile: FieldValue {
    [
      "services": .list(RobotService.allCases.map { .text($0.uuid) }),
      "characteristics": .list(
        RobotCharacteristic.allCases.map { ["number": .count($0.rawValue), "uuid": .text($0.uuid)] }),
      "names": .list(AdvertisedRobot.supportedPrefixes.map { .text($0) }),
    ]
  }
}

extension Page {
  mutating func handleBluetooth(_ words: inout CommandParser, at now: Duration) throws(PageError) -> [UInt8] {
    let word = try words.next(
      of: ["profile", "open", "done", "refused", "missing", "mute", "lost", "status"])
    if word == "profile" { return try words.end { Self.json(PageLink.profile) } }
    if word == "open" {
      try words.end { link = PageLink(at: now) }
      return []
    }
    guard link != nil else { throw PageError("there is no link: say 'bluetooth open' first") }
    if word == "status" { return try words.end { Self.json(link?.status ?? .missing) } }
    try link?.handle(word, &words, at: now)
    return []
  }

  /// Passes a notification to the link, and its bytes to the host.
  package mutating func receiveNotification(_ bytes: [UInt8], at now: Duration) {
    guard let received = link?.receive(bytes, at: now), !received.isEmpty else { return }
    receive(received, at: now)
  }
}
