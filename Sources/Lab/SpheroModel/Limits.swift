// The differences of the simulated robot from a real one.

public import SpheroProtocol

/// A difference of the simulated robot from a real one, or a missing feature.
public struct SimulationLimit: Hashable, Sendable {
  /// The affected commands.
  public var commands: [CommandID]
  /// The subject of a limit without commands; otherwise empty.
  public var subject: String
  /// The difference from a robot, as sentences.
  public var text: String
}

extension RobotModel {
  /// All known differences, apart from the commands that a kind of robot refuses; see ``refusal(of:by:)``.
  public static let limits: [SimulationLimit] = [
    SimulationLimit([Core.SetDeviceName.id], "The name is kept; no radio announces it."),
    SimulationLimit([Core.SetAutoReconnect.id], "The setting is kept; the robot never calls a client."),
    SimulationLimit(
      [Factory.GetFactoryConfigurationCRC.id], "Always the same four bytes: the CRC is not documented."),
    SimulationLimit(
      [Bootloader.JumpToBootloader.id], "The bootloader answers Ping, IsPageBlank and LeaveBootloader alone."),
    SimulationLimit([Bootloader.IsPageBlank.id], "Always the same answer: nothing can be flashed."),
    SimulationLimit([Diagnostics.RunLevel1Diagnostics.id], "A report in words of its own."),
    SimulationLimit(
      [Motion.SelfLevel.id], "A ball on the floor is level at once; one that is held waits for the hand."),
    SimulationLimit(
      [Motion.SetVectorDriveLimit.id],
      "The limit is kept and limits nothing: the document does not say what it does."),
    SimulationLimit([Factory.SetCreationDate.id], "Kept until the end of the program."),
    SimulationLimit([Factory.ReenableDemoMode.id], "Answered without effect, as since firmware 0.99."),
    SimulationLimit([Sensing.GetTemperature.id], "The motors warm the robot; no document says how much."),
    SimulationLimit([Factory.GetSKU.id], "Always 300S."),
    SimulationLimit(
      [Settings.SetPermanentOptions.id],
      "The bits for self-level, demo mode and double tap are stored, but have no effect."),
    SimulationLimit(
      [Settings.SetDeviceMode.id], "The mode is kept; there is no shell behind user hack mode."),
    SimulationLimit(
      [SpheroProtocol.Configuration.SetConfigurationBlock.id],
      "The block is read back; what it says changes nothing."),
    SimulationLimit([Soul.SetSSBModifier.id], "The block is kept and modifies nothing."),
    SimulationLimit([Soul.SetSSB.id], "The block is kept until the end of the program."),
    SimulationLimit("system macros", "None exist."),
    SimulationLimit("flash", "What robots keep in flash lasts as long as the program that simulates them."),
    SimulationLimit("Bluetooth", "No radio, no pairing; the line is there at once."),
    SimulationLimit(
      "battery",
      "The voltage is linear in the charge, 6.4 V to 8.4 V (6.5 V to 7.8 V for BB-8 and SPRK+); "
        + "six hours awake empty it."
    ),
    SimulationLimit(
      "magnetometer", "Nothing measures north; heading 0 is where the nose points at the start."),
    SimulationLimit("orbBasic", "Every statement and variable of the document; 3125 lines a second."),
    SimulationLimit(
      "stream",
      "A stream ends with its client, and with stream=continues it goes on for the next one, as a robot's does."
    ),
    SimulationLimit(
      "locator",
      "It counts every push; with locator=backward it misses pushes ahead after a drive, as seen on an Ollie. "
        + "On an Ollie, x points ahead and y left."
    ),
    SimulationLimit("body", "A ball rolls, slips, bounces and leans; it does not jump, tip over or swim."),
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
