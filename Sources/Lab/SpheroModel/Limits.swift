// The known differences between the simulated robot and a real one.

public import SpheroProtocol

/// A difference between the simulated robot and a real one, such as a missing feature.
public struct SimulationLimit: Hashable, Sendable {
  public var commands: [CommandID]
  /// The subject of a difference that affects no command, such as `battery`; otherwise empty.
  public var subject: String
  public var text: String
}

extension RobotModel {
  /// All known differences; ``refusal(of:by:)`` states the commands that a model refuses.
  public static let limits: [SimulationLimit] = [
    SimulationLimit([Core.SetDeviceName.id], "The name is stored, but not broadcast: there is no radio."),
    SimulationLimit([Core.SetAutoReconnect.id], "The setting is stored; the robot never opens a connection."),
    SimulationLimit([Factory.GetFactoryConfigurationCRC.id], "The CRC is constant: no document defines it."),
    SimulationLimit(
      [Bootloader.JumpToBootloader.id], "The bootloader answers only Ping, IsPageBlank and LeaveBootloader."),
    SimulationLimit([Bootloader.IsPageBlank.id], "The response is always the same: no page can be flashed."),
    SimulationLimit([Diagnostics.RunLevel1Diagnostics.id], "The text of the report is not that of a robot."),
    SimulationLimit(
      [Motion.SelfLevel.id], "A ball on the floor is level at once; a ball in a hand waits to be turned."),
    SimulationLimit(
      [Motion.SetVectorDriveLimit.id], "The limit is stored, but has no effect: no document states one."),
    SimulationLimit([Factory.SetCreationDate.id], "The date is stored until the simulator ends."),
    SimulationLimit([Factory.ReenableDemoMode.id], "The command has no effect, as since firmware 0.99."),
    SimulationLimit([Sensing.GetTemperature.id], "The motors warm the robot by an assumed amount."),
    SimulationLimit([Factory.GetSKU.id], "The response is always 300S."),
    SimulationLimit(
      [Settings.SetPermanentOptions.id],
      "The bits for self-level, demo mode and double tap are stored, but have no effect."),
    SimulationLimit([Settings.SetDeviceMode.id], "The mode is stored; user hack mode has no shell."),
    SimulationLimit(
      [SpheroProtocol.Configuration.SetConfigurationBlock.id], "The block can be read, but has no effect."),
    SimulationLimit([Soul.SetSSBModifier.id], "The block has no effect."),
    SimulationLimit([Soul.SetSSB.id], "The block is stored until the simulator ends."),
    SimulationLimit("system macros", "There are none."),
    SimulationLimit("flash", "The contents of flash last until the simulator ends."),
    SimulationLimit("Bluetooth", "There is no radio and no pairing; a connection is open at once."),
    SimulationLimit(
      "battery",
      "The voltage is linear in the charge, 6.4 V to 8.4 V (6.5 V to 7.8 V for BB-8 and SPRK+); "
        + "a robot that is awake drains the battery in six hours."
    ),
    SimulationLimit("magnetometer", "There is none: heading 0 is the direction of the nose at the start."),
    SimulationLimit("orbBasic", "All documented statements and variables run, 3125 lines a second."),
    SimulationLimit(
      "stream",
      "A stream ends with its client; with stream=continues it continues for the next one, as on a robot."
    ),
    SimulationLimit(
      "locator",
      "It measures every push; with locator=backward it misses forward pushes after a drive, as on an Ollie. "
        + "On an Ollie, x points ahead and y left."
    ),
    SimulationLimit("body", "The ball rolls, slips, bounces and leans; it does not jump, tip over or swim."),
  ]
}

extension SimulationLimit {
  fileprivate init(_ commands: [CommandID], _ text: String) {
    (self.commands, subject, self.text) = (commands, "", text)
  }
  fileprivate init(_ subject: String, _ text: String) {
    (commands, self.subject, self.text) = ([], subject, text)
  }
}
