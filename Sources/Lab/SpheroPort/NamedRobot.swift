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

  /// Throws `LinkError.bluetooth(_:reason:advice:isTransient:)` for the name of a robot with the later protocol.
  static func check(_ name: String) throws(LinkError) {
    if case .laterProtocol(let model) = AdvertisedRobot(name: name) {
      throw LinkError.bluetooth(
        "ble:" + name, reason: "\(model) has a later protocol, which is not supported",
        advice:
          "Use a robot whose name begins with one of \(AdvertisedRobot.supportedPrefixes.joined(separator: ", "))."
      )
    }
  }

  /// Returns the address of a robot, after a scan if bluetoothctl does not list it.
  ///
  /// - Throws: `LinkError.bluetooth(_:reason:advice:isTransient:)` for an unknown name; `CancellationError`.
  static func address(of name: String) async throws -> BluetoothAddress {
    if let robot = try await listed(name) { return robot.address }
    _ = try await HelperProgram.output(
      of: "bluetoothctl", ["--timeout", "\(scanTime)", "scan", "le"], within: .seconds(scanTime + 2),
      atMost: maximumListing)
    if let robot = try await listed(name) { return robot.address }
    throw LinkError.bluetooth(
      "ble:" + name, reason: "bluetoothctl finds no robot with this name",
      advice: "Wake the robot and keep it near; 'sphero devices' lists the names.", isTransient: true)
  }

  /// Finds a robot in the list of bluetoothctl; nil if it is not there.
  private static func listed(_ name: String) async throws -> PairedRobot? {
    let listing = try await HelperProgram.output(
      of: "bluetoothctl", ["devices"], within: listTimeout, atMost: maximumListing)
    guard let listing else {
      throw LinkError.bluetooth(
        "ble:" + name, reason: "bluetoothctl, which knows the names, did not answer",
        advice:
          "Install the package bluez and start its service, or write the address, as ble:C1:6E:04:5E:D9:11.")
    }
    let text = String(decoding: listing, as: UTF8.self)
    guard !text.contains("No default controller") else {
      throw LinkError.bluetooth(
        "ble:" + name, reason: "bluetoothctl finds no Bluetooth adapter",
        advice: "Run 'bluetoothctl power on', or use a computer with an adapter.")
    }
    return PairedRobot.robots(in: text).first { $0.name == name }
  }
}
