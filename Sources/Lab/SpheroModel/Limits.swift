// The differences of the simulated robot from a real one.

public import SpheroProtocol

/// A difference of the simulated robot from a real one, or a missing feature.
public struct Limit: Hashable, Sendable {
  /// The affected commands.
  public var commands: [CommandID]
  /// The subject of a limit without commands; otherwise empty.
  public var subject: String
  public var text: String
}

extension RobotModel {
  /// All known differences, apart from the commands that a kind of robot refuses; see ``refusal(of:by:)``.
  public static let limits: [Limit] = [
    Limit([Core.SetDeviceName.id], "The name is kept; no radio announces it."),
    Limit([Core.SetAutoReconnect.id], "The setting is kept; the robot never calls a client."),
    Limit([Factory.GetFactoryConfigurationCRC.id], "Always the same four bytes: the CRC is not documented."),
    Limit(
      [Bootloader.JumpToBootloader.id], "The bootloader answers Ping, IsPageBlank and LeaveBootloader alone."),
    Limit([Bootloader.IsPageBlank.id], "Always the same answer: nothing can be flashed."),
    Limit([Diagnostics.RunLevel1Diagnostics.id], "A report in words of its own."),
    Limit(
      [Motion.SelfLevel.id], "A ball on the floor is level at once; one that is held waits for the hand."),
    Limit(
      [Motion.SetVectorDriveLimit.id],
      "The limit is kept and limits nothing: the document does not say what it does."),
    Limit([Factory.SetCreationDate.id], "Kept until the end of the program."),
    Limit([Factory.ReenableDemoMode.id], "Answered without effect, as since firmware 0.99."),
    Limit([Sensing.GetTemperature.id], "The motors warm the robot; no document says how much."),
    Limit([Factory.GetSKU.id], "Always 300S."),
    Limit(
      [Settings.SetPermanentOptions.id],
      "The bits for self-level, demo mode and double tap are stored, but have no effect."),
    Limit([Settings.SetDeviceMode.id], "The mode is kept; there is no shell behind user hack mode."),
    Limit(
      [SpheroProtocol.Configuration.SetConfigurationBlock.id],
      "The block is read back; what it says changes nothing."),
    Limit([Soul.SetSSBModifier.id], "The block is kept and modifies nothing."),
    Limit([Soul.SetSSB.id], "The block is kept until the end of the program."),
    Limit("system macros", "None exist."),
    Limit("flash", "What robots keep in flash lasts as long as the program that simulates them."),
    Limit("Bluetooth", "No radio, no pairing; the line is there at once."),
    Limit("battery", "The voltage falls in a straight line from 8.4 V to 6.4 V; six hours awake empty it."),
    Limit("magnetometer", "Nothing measures north; heading 0 is where the nose points at the start."),
    Limit("orbBasic", "Every statement and variable of the document; 3125 lines a second."),
    Limit("body", "A ball rolls, slips, bounces and leans; it does not jump, tip over or swim."),
  ]
}

extension Limit {
  fileprivate init(_ commands: [CommandID], _ text: String) {
    (self.commands, subject, self.text) = (commands, "", text)
  }
  fileprivate init(_ subject: String, _ text: String) {
    (commands, self.subject, self.text) = ([], subject, text)
  }
}
