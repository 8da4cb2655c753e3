// Responses, compared with literal bytes typed from sections c.0 to c.4 of the documents.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct WitnessResponseTests {
  @Test func layouts() throws { try Self.all() }

  static func all() throws {
    try core()
    try sphero()
    try soul()
  }

  private static func core() throws {
    try Witness.check(
      Core.GetVersioning.Response.self, "02 0A 03 04 49 33 21 15 01 32",
      "recordVersion=2 model=Ollie hardware=3 mainAppVersion=4 mainAppRevision=73 bootloader=51 orbBasic=33"
        + " macroExecutive=21 apiMajor=1 apiMinor=50"
    ) {
      ($0.recordVersion, $0.model, $0.hardware) = (2, .ollie, 3)
      ($0.mainAppVersion, $0.mainAppRevision, $0.bootloader) = (4, 73, 0x33)
      ($0.orbBasic, $0.macroExecutive, $0.apiMajor, $0.apiMinor) = (0x21, 0x15, 1, 50)
    }
    try Witness.check(
      Core.GetBluetoothInfo.Response.self,
      "42 42 2D 31 32 33 34 00 00 00 00 00 00 00 00 00 65 66 38 30 61 38 34 61 31 32 33 34 00 52 47 42",
      "name=\"BB-1234\" address=\"ef80a84a1234\" zero=0 colors=\"RGB\""
    ) {
      $0.name = WireText(bytes: [0x42, 0x42, 0x2D, 0x31, 0x32, 0x33, 0x34, 0, 0, 0, 0, 0, 0, 0, 0, 0])
      ($0.address, $0.zero, $0.colors) = ("ef80a84a1234", 0, "RGB")
    }
    try Witness.check(Core.GetAutoReconnect.Response.self, "01 07", "isOn=true seconds=7 s") {
      ($0.isOn, $0.seconds) = (true, 7)
    }
    try Witness.check(
      Core.GetPowerState.Response.self, "01 03 02 EF 00 25 04 4C",
      "recordVersion=1 state=low voltage=7.51 V charges=37 secondsSinceCharge=1100 s"
    ) {
      ($0.recordVersion, $0.state, $0.centivolts) = (1, .low, 751)
      ($0.charges, $0.secondsSinceCharge) = (37, 1100)
    }
    try Witness.check(Core.GetVoltageTripPoints.Response.self, "02 BC 02 8A", "low=7.00 V critical=6.50 V") {
      ($0.low, $0.critical) = (700, 650)
    }
    try Witness.check(Core.GetChargerState.Response.self, "01", "state=charging") { $0.state = .charging }
    try Witness.check(
      Core.PollPacketTimes.Response.self, "00 01 86 A0 00 00 13 94 00 00 13 95",
      "clientTx=100.000 s robotRx=5.012 s robotTx=5.013 s"
    ) { ($0.clientTx, $0.robotRx, $0.robotTx) = (100_000, 5012, 5013) }
    try Witness.check(Factory.GetFactoryConfigurationCRC.Response.self, "12 34 56 78", "crc=12 34 56 78") {
      $0.crc = [0x12, 0x34, 0x56, 0x78]
    }
    try Witness.check(Bootloader.IsPageBlank.Response.self, "FF", "blank=255") { $0.blank = 255 }
    let counters =
      "01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17 18 19 1A 1B 1C 1D 1E 1F 20"
    try Witness.check(
      Diagnostics.RunLevel2Diagnostics.Response.self,
      "00 01 02 00 00 00 03 00 00 00 04 00 00 00 05 00 00 00 06 00 00 00 07 00 00 00 08 00 00 00 09 00 00 00 0A 0B "
        + counters + " 00 0C 00 0D 00 0E 00 00 00 0F 00 00 00 10 00 11 00 00 00 12",
      "recordVersion=1 reserved1=2 rxGood=3 rxBadDid=4 rxBadDlen=5 rxBadCid=6 rxBadChk=7 rxOverrun=8 txMessages=9"
        + " txOverrun=10 lastBoot=11 bootCounters=\(counters) reserved2=12 charges=13 secondsSinceCharge=14 s"
        + " secondsOn=15 s distanceRolled=16 sensorFailures=17 gyroAdjusts=18"
    ) {
      ($0.recordVersion, $0.reserved1, $0.rxGood, $0.rxBadDid, $0.rxBadDlen) = (1, 2, 3, 4, 5)
      ($0.rxBadCid, $0.rxBadChk, $0.rxOverrun, $0.txMessages, $0.txOverrun) = (6, 7, 8, 9, 10)
      ($0.lastBoot, $0.bootCounters, $0.reserved2, $0.charges) = (11, Array(1...32), 12, 13)
      ($0.secondsSinceCharge, $0.secondsOn, $0.distanceRolled) = (14, 15, 16)
      ($0.sensorFailures, $0.gyroAdjusts) = (17, 18)
    }
  }

  private static func sphero() throws {
    let digits =
      "20 1F 1E 1D 1C 1B 1A 19 18 17 16 15 14 13 12 11 10 0F 0E 0D 0C 0B 0A 09 08 07 06 05 04 03 02 01"
    try Witness.check(Factory.GetApplicationConfigurationBlock.Response.self, digits, "block=" + digits) {
      $0.block = (1...32).reversed()
    }
    try Witness.check(Factory.GetChassisID.Response.self, "01 05", "chassis=261") { $0.chassis = 261 }
    try Witness.check(Factory.GetSKU.Response.self, "57 52 31 53", "text=\"WR1S\"") { $0.text = "WR1S" }
    try Witness.check(
      Sensing.ReadLocator.Response.self, "00 0A FF EC 00 1E FF D8 00 32",
      "x=10 cm y=-20 cm xVelocity=30 cm/s yVelocity=-40 cm/s speed=50 cm/s"
    ) { ($0.x, $0.y, $0.xVelocity, $0.yVelocity, $0.speed) = (10, -20, 30, -40, 50) }
    try Witness.check(Sensing.GetTemperature.Response.self, "19 07", "degrees=25 °C tenths=7") {
      ($0.degrees, $0.tenths) = (25, 7)
    }
    try Witness.check(Sensing.ReadOdometer.Response.self, "00 01 02 03", "centimetres=66051 cm") {
      $0.centimetres = 66_051
    }
    try Witness.check(Lights.GetRGBLED.Response.self, "A6 D2 EC", "red=166 green=210 blue=236") {
      ($0.red, $0.green, $0.blue) = (0xA6, 0xD2, 0xEC)
    }
    try Witness.check(
      Settings.GetPermanentOptions.Response.self, "00 00 00 12", "flags=vectorDrive+motionTimeouts"
    ) { $0.flags = [.vectorDrive, .motionTimeouts] }
    try Witness.check(Settings.GetTemporaryOptions.Response.self, "00 00 00 03", "flags=stopOnDisconnect+0x2")
    {
      $0.flags = .init(rawValue: 3)
    }
    try Witness.check(Settings.GetDeviceMode.Response.self, "01", "mode=userHack") { $0.mode = .userHack }
    try Witness.check(Macros.AbortMacro.Response.self, "20 01 02", "macro=32 command=258") {
      ($0.macro, $0.command) = (32, 258)
    }
    try Witness.check(Macros.GetMacroStatus.Response.self, "21 03 04", "macro=33 command=772") {
      ($0.macro, $0.command) = (33, 772)
    }
  }

  private static func soul() throws {
    try Witness.check(Soul.RefillBank.Response.self, "00 00 01 02", "cores=258") { $0.cores = 258 }
    try Witness.check(Soul.BuyConsumable.Response.self, "03 00 00 01 04", "quantity=3 cores=260") {
      ($0.quantity, $0.cores) = (3, 260)
    }
    try Witness.check(Soul.UseConsumable.Response.self, "05 02", "consumable=5 remaining=2") {
      ($0.consumable, $0.remaining) = (5, 2)
    }
    try Witness.check(Soul.GrantCores.Response.self, "00 01 00 00", "cores=65536") { $0.cores = 65_536 }
    try Witness.check(Soul.AddXP.Response.self, "4B", "percent=75") { $0.percent = 75 }
    try Witness.check(Soul.LevelUpAttribute.Response.self, "02 04 01 03", "attribute=2 level=4 points=259") {
      ($0.attribute, $0.level, $0.points) = (2, 4, 259)
    }
    try Witness.check(Soul.GetPasswordSeed.Response.self, "DE AD BE EF", "seed=3735928559") {
      $0.seed = 0xDEAD_BEEF
    }
  }
}
