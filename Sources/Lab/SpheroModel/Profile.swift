// The models of robots that the simulator offers.

public import SpheroProtocol

/// A model of robot with its firmware.
public struct Profile: Hashable, Sendable {
  /// The name in the options of the simulator, such as `sphero2`.
  public var name: String
  /// The version record; `Core.GetVersioning.Response.apiMajor` decides whether it has 8 or 10 bytes.
  public var version: Core.GetVersioning.Response
  /// The commands that are refused with `Status.unknownCommand`.
  public var unknownCommands: Set<CommandID>
  /// The Bluetooth address: 12 hexadecimal digits.
  public var address: String
  /// The identity colours as three letters of RGBYOPW; empty for Bluetooth LE robots.
  public var colors: String
  /// The voltages of an empty and of a full battery.
  ///
  /// No source states the range of the first robots.
  public var batteryVoltage: ClosedRange<Double> { traits.batteryVoltage ?? 6.4...8.4 }
  /// The properties of the model.
  public var traits: ModelTraits { version.model.traits }
  /// Whether the robot streams its quaternion; firmware before 1.20 streams zeros.
  public var hasQuaternion = true

  /// Whether only commands with the option `resetTimeout` restart the inactivity timeout.
  ///
  /// Before firmware 1.26, every command restarts it.
  var hasTimeoutOption: Bool { (version.mainAppVersion, version.mainAppRevision) >= (1, 26) }

  private init(
    _ name: String, model: Core.GetVersioning.Model, firmware: (UInt8, UInt8), hardware: UInt8,
    bootloader: UInt8,
    unknown: Set<CommandID>, address: String, colors: String
  ) {
    self.name = name
    version = Core.GetVersioning.Response()
    (version.model, version.hardware, version.bootloader) = (model, hardware, bootloader)
    (version.mainAppVersion, version.mainAppRevision) = firmware
    (unknownCommands, self.address, self.colors) = (unknown.union(Self.unknownToAll), address, colors)
  }

  /// The level 2 diagnostics, which no recorded robot supports.
  private static let unknownToAll: Set<CommandID> = [Diagnostics.RunLevel2Diagnostics.id]
  /// The commands that the first firmware does not support.
  private static let newer: Set<CommandID> = [
    Core.GetChargerState.id, Sensing.GetTemperature.id, Factory.GetSKU.id, Sensing.ReadOdometer.id,
    Settings.SetTemporaryOptions.id, Settings.GetTemporaryOptions.id, Sensing.ReadLocator.id,
  ]
  /// The application block, which firmware 3.33 removed.
  private static let dropped: Set<CommandID> = [Factory.GetApplicationConfigurationBlock.id]

  /// Sphero 1.0 with its first firmware: no quaternion, no newer commands.
  public static let sphero1: Profile = {
    var profile = Profile(
      "sphero1", model: .s1, firmware: (1, 18), hardware: 1, bootloader: 0x16,
      unknown: newer, address: "000666440B1E", colors: "RGB")
    profile.hasQuaternion = false
    return profile
  }()
  /// Sphero 2.0 with firmware 3.73.
  public static let sphero2 = Profile(
    "sphero2", model: .s3, firmware: (3, 73), hardware: 1, bootloader: 0x33, unknown: dropped,
    address: "6886E7001234", colors: "RGB")
  /// SPRK: a Sphero 2.0 in a clear shell.
  public static let sprk = Profile(
    "sprk", model: .s3, firmware: (3, 90), hardware: 3, bootloader: 0x33, unknown: dropped,
    address: "6886E7005678", colors: "YGR")
  /// Ollie over Bluetooth LE, or through a bridge.
  public static let ollie = Profile(
    "ollie", model: .ollie, firmware: (5, 34), hardware: 1, bootloader: 0x48, unknown: dropped,
    address: "EF80A84A1234", colors: "")

  /// BB-8 over Bluetooth LE; no document states its firmware and refusals, which are those of ``ollie``.
  public static let bb8 = ollie.changed("bb8", model: .bb8, address: "F36B1C5A1234")
  /// SPRK+ over Bluetooth LE; no document states its firmware and refusals, which are those of ``ollie``.
  public static let sprkPlus = ollie.changed("sprkplus", model: .sprkPlus, address: "E21A7D0C1234")

  /// Returns this profile with another name, model and address.
  private func changed(_ name: String, model: Core.GetVersioning.Model, address: String) -> Profile {
    var profile = self
    (profile.name, profile.version.model, profile.address) = (name, model, address)
    return profile
  }

  /// All models, the oldest first.
  public static let all = [sphero1, sphero2, sprk, ollie, bb8, sprkPlus]
}
