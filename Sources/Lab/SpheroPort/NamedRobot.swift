// Finds a robot with Bluetooth LE by its name, in the list of bluetoothctl.

import SpheroBluetooth
import SpheroProcess
import SpheroSerial
import SpheroTransport

/// A robot that is known by the name that it advertises, like `BB-D911`.
enum NamedRobot {
  private static let listTimeout = Duration.seconds(2)
  /// How long a scan takes in seconds, if the robot is not in the list.
  private static let scanTime = 5
  /// The maximum size of a list in bytes.
  private static let maximumListing = 1 << 16

  private static func failure(
    _ name: String, _ reason: String, _ advice: String, isTransient: Bool = false
  ) -> LinkError {
    .bluetooth("ble:" + name, reason: reason, advice: advice, isTransient: isTransient)
  }

  /// Throws an error for the name of a robot with the later protocol.
  static func check(_ name: String) throws(LinkError) {
    if case .laterProtocol(let model) = AdvertisedRobot(name: name) {
      let prefixes = AdvertisedRobot.supportedPrefixes.joined(separator: ", ")
      throw failure(
        name, "\(model) has a later protocol, which is not supported",
        "Use a robot whose name begins with one of \(prefixes).")
    }
  }

  /// Returns the address of a robot, after a scan if bluetoothctl does not list it; throws for an unknown name.
  static func address(of name: String) async throws -> BluetoothAddress {
    if let robot = try await listed(name) { return robot.address }
    _ = try await HelperProgram.output(
      of: "bluetoothctl", ["--timeout", "\(scanTime)", "scan", "le"], within: .seconds(scanTime + 2),
      atMost: maximumListing)
    if let robot = try await listed(name) { return robot.address }
    throw failure(
      name, "bluetoothctl finds no robot with this name",
      "Wake the robot and keep it near; 'sphero devices' lists the names.", isTransient: true)
  }

  private static func listed(_ name: String) async throws -> PairedRobot? {
    let listing = try await HelperProgram.output(
      of: "bluetoothctl", ["devices"], within: listTimeout, atMost: maximumListing)
    guard let listing else {
      throw failure(
        name, "bluetoothctl, which knows the names, did not answer",
        "Install the package bluez and start its service, or write the address, as ble:C1:6E:04:5E:D9:11.")
    }
    let text = String(decoding: listing, as: UTF8.self)
    guard !text.contains("No default controller") else {
      throw failure(
        name, "bluetoothctl finds no Bluetooth adapter",
        "Run 'bluetoothctl power on', or use a computer with an adapter.")
    }
    return PairedRobot.robots(in: text).first { $0.name == name }
  }
}
