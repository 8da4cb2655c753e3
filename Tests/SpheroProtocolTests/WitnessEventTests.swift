// Events, compared with literal bytes typed from section (d) of the documents.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct WitnessEventTests {
  @Test func layouts() throws { try Self.all() }

  static func all() throws {
    try Witness.check(event: Core.PowerNotification.self, 0x01, "04", "state=critical") {
      $0.state = .critical
    }
    try Witness.check(event: Diagnostics.Level1Diagnostics.self, 0x02, "5B 41 5D 0A 00", "text=\"[A]\\n\"") {
      $0.text = "[A]\n\0"
    }
    try Witness.check(event: Sensing.SensorData.self, 0x03, "FF FB 00 01 00 B4", "frames=FF FB 00 01 00 B4") {
      $0.frames = [0xFF, 0xFB, 0x00, 0x01, 0x00, 0xB4]
    }
    try Witness.check(event: Configuration.ConfigurationBlock.self, 0x04, "D3 00 BC 02", "block=D3 00 BC 02")
    {
      $0.block = [0xD3, 0x00, 0xBC, 0x02]
    }
    try Witness.check(event: Core.PreSleepWarning.self, 0x05, "09", "data=09") { $0.data = [9] }
    try Witness.check(event: Macros.Marker.self, 0x06, "AA FF 01 02", "marker=170 macro=255 command=258") {
      ($0.marker, $0.macro, $0.command) = (0xAA, 0xFF, 258)
    }
    // As recorded from a BB-8, except for X and Z.
    try Witness.check(
      event: Sensing.Collision.self, 0x07, "00 6A FC 3E 00 05 02 00 16 00 22 40 00 01 93 C8",
      "x=106 y=-962 z=5 axis=y xMagnitude=22 yMagnitude=34 speed=64 timestamp=103.368 s"
    ) {
      ($0.x, $0.y, $0.z, $0.axis) = (106, -962, 5, .y)
      ($0.xMagnitude, $0.yMagnitude, $0.speed, $0.timestamp) = (22, 34, 64, 103_368)
    }
    try Witness.check(event: OrbBasic.PrintMessage.self, 0x08, "68 69 0A", "text=\"hi\\n\"") {
      $0.text = "hi\n"
    }
    try Witness.check(event: OrbBasic.ErrorText.self, 0x09, "4C 31 0A", "text=\"L1\\n\"") { $0.text = "L1\n" }
    try Witness.check(event: OrbBasic.ErrorMessage.self, 0x0A, "01 2C 00 0D", "line=300 error=aborted") {
      ($0.line, $0.error) = (300, .aborted)
    }
    try Witness.check(event: Motion.SelfLevelResult.self, 0x0B, "05", "result=no charger") {
      $0.result = .noCharger
    }
    try Witness.check(event: Sensing.GyroLimit.self, 0x0C, "21", "axes=xPositive+zNegative") {
      $0.axes = [.xPositive, .zNegative]
    }
    try Witness.check(event: Soul.SoulBlock.self, 0x0D, "01 02 03", "block=01 02 03") {
      $0.block = [1, 2, 3]
    }
    try Witness.check(event: Soul.LevelUp.self, 0x0E, "01 02 03 04", "level=258 points=772") {
      ($0.level, $0.points) = (258, 772)
    }
    try Witness.check(event: Soul.ShieldDamage.self, 0x0F, "11", "remaining=17") { $0.remaining = 17 }
    try Witness.check(event: Soul.XPUpdate.self, 0x10, "22", "progress=34") { $0.progress = 34 }
    try Witness.check(event: Soul.BoostUpdate.self, 0x11, "33", "remaining=51") { $0.remaining = 51 }
    try Witness.check(event: Core.DidSleep.self, 0x14, "01", "data=01") { $0.data = [1] }
  }
}
