// The robots that the simulator can simulate.

public import SpheroProtocol

/// A model of robot with a version of its firmware.
public struct Profile: Hashable, Sendable {
  /// The name in the options of the simulator, such as `sphero2`.
  public var name: String
  /// The response to `Core.GetVersioning`; it has 10 bytes with an `apiMajor`, and 8 bytes without.
  public var version: Core.GetVersioning.Response
  /// The commands that the robot refuses with `Status.unknownCommand`, besides the level 2 diagnostics.
  public var unknownCommands: Set<CommandID>
  /// The Bluetooth address: 12 hexadecimal digits without separators.
  public var address: String
  /// The identity colours, as in `Core.GetBluetoothInfo.Response.colors`; empty for Bluetooth LE robots.
  public var colors: String
  /// The voltages of an empty and of a full battery; an assumption for the first robots.
  public var batteryVoltage: ClosedRange<Double> { traits.batteryVoltage ?? 6.4...8.4 }
  public var traits: ModelTraits { version.model.traits }
  /// Whether the robot streams its quaternion; firmware before 1.20 streams zeros.
  public var hasQuaternion: Bool { (version.mainAppVersion, version.mainAppRevision) >= (1, 20) }

  /// Whether only commands with the option `resetTimeout` restart the inactivity timeout; before 1.26, all of them do.
  var hasTimeoutOption: Bool { (version.mainAppVersion, version.mainAppRevision) >= (1, 26) }

  private init(
    _ name: String, model: Core.GetVersioning.Model, firmware: (UInt8, UInt8), hardware: UInt8,
    bootloader: UInt8, unknown: Set<CommandID>, address: String, colors: String
  ) {
    (self.name, version) = (name, Core.GetVersioning.Response())
    (version.model, version.hardware, version.bootloader) = (model, hardware, bootloader)
    (version.mainAppVersion, version.mainAppRevision) = firmware
    (unknownCommands, self.address, self.colors) = (unknown, address, colors)
  }

  /// The commands that firmware after 1.18 has added.
  private static let addedCommands: Set<CommandID> = [
    Core.GetChargerState.id, Sensing.GetTemperature.id, Factory.GetSKU.id, Sensing.ReadOdometer.id,
    Settings.SetTemporaryOptions.id, Settings.GetTemporaryOptions.id, Sensing.ReadLocator.id,
  ]
  /// The command that firmware 3.33 has removed.
  private static let removedCommands: Set<CommandID> = [Factory.GetApplicationConfigurationBlock.id]

  /// Sphero 1.0 with firmware 1.18, which has no quaternion and lacks later commands.
  public static let sphero1 = Profile(
    "sphero1", model: .s1, firmware: (1, 18), hardware: 1, bootloader: 0x16, unknown: addedCommands,
    address: "000666440B1E", colors: "RGB")
  /// Sphero 2.0 with firmware 3.73.
  public static let sphero2 = Profile(
    "sphero2", model: .s3, firmware: (3, 73), hardware: 1, bootloader: 0x33, unknown: removedCommands,
    address: "6886E7001234", colors: "RGB")
  /// SPRK: a Sphero 2.0 in a clear shell.
  public static let sprk = Profile(
    "sprk", model: .s3, firmware: (3, 90), hardware: 3, bootloader: 0x33, unknown: removedCommands,
    address: "6886E7005678", colors: "YGR")
  /// Ollie, a Bluetooth LE robot, with firmware 5.34.
  public static let ollie = Profile(
    "ollie", model: .ollie, firmware: (5, 34), hardware: 1, bootloader: 0x48, unknown: removedCommands,
    address: "EF80A84A1234", colors: "")

  /// BB-8, a Bluetooth LE robot; firmware and refusals are those of ``ollie``, since no document states them.
  public static let bb8 = ollie.variant("bb8", model: .bb8, address: "F36B1C5A1234")
  /// SPRK+, a Bluetooth LE robot; firmware and refusals are those of ``ollie``, since no document states them.
  public static let sprkPlus = ollie.variant("sprkplus", model: .sprkPlus, address: "E21A7D0C1234")

  private func variant(_ name: String, model: Core.GetVersioning.Model, address: String) -> Profile {
    var profile = self
    (profile.name, profile.version.model, profile.address) = (name, model, address)
    return profile
  }

  /// All profiles, the oldest model first.
  public static let all = [sphero1, sphero2, sprk, ollie, bb8, sprkPlus]
}
