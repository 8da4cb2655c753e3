// Requests, compared with literal bytes typed from sections c.0 to c.4 of the documents.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct WitnessCommandTests {
  @Test func core() throws { try Self.core() }
  @Test func motion() throws { try Self.motion() }
  @Test func sensingAndLights() throws { try Self.sensingAndLights() }
  @Test func settingsAndBlocks() throws { try Self.settingsAndBlocks() }
  @Test func programs() throws { try Self.programs() }

  static func core() throws {
    try Witness.check(request: Core.SetDeviceName.self, 0x00, 0x10, "53 70 68 21", "name=\"Sph!\"") {
      $0.name = "Sph!"
    }
    try Witness.check(request: Core.SetAutoReconnect.self, 0x00, 0x12, "01 14", "isOn=true seconds=20 s") {
      ($0.isOn, $0.seconds) = (true, 20)
    }
    try Witness.check(request: Core.SetPowerNotification.self, 0x00, 0x21, "00", "isOn=false") {
      $0.isOn = false
    }
    try Witness.check(
      request: Core.Sleep.self, 0x00, 0x22, "01 02 03 04 05", "wakeup=258 s macro=3 orbBasicLine=1029"
    ) { ($0.wakeup, $0.macro, $0.orbBasicLine) = (258, 3, 1029) }
    try Witness.check(
      request: Core.SetVoltageTripPoints.self, 0x00, 0x24, "02 C6 02 94", "low=7.10 V critical=6.60 V"
    ) { ($0.low, $0.critical) = (710, 660) }
    try Witness.check(request: Core.SetInactivityTimeout.self, 0x00, 0x25, "02 59", "seconds=601 s") {
      $0.seconds = 601
    }
    try Witness.check(request: Core.AssignTime.self, 0x00, 0x50, "01 02 03 04", "time=16909.060 s") {
      $0.time = 16_909_060
    }
    try Witness.check(request: Core.PollPacketTimes.self, 0x00, 0x51, "00 01 86 A0", "clientTx=100.000 s") {
      $0.clientTx = 100_000
    }
    try Witness.check(request: Bootloader.IsPageBlank.self, 0x01, 0x05, "10", "page=16") { $0.page = 16 }
    try Witness.check(request: Factory.ControlUARTTransmit.self, 0x00, 0x03, "00", "isOn=false") {
      $0.isOn = false
    }
    try Witness.check(request: Factory.SetChassisID.self, 0x02, 0x08, "12 34", "chassis=4660") {
      $0.chassis = 4660
    }
    let date = [UInt8](1...32)
    let digits =
      "01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17 18 19 1A 1B 1C 1D 1E 1F 20"
    try Witness.check(request: Factory.SetCreationDate.self, 0x02, 0x04, digits, "block=" + digits) {
      $0.block = date
    }
  }

  static func motion() throws {
    try Witness.check(request: Motion.SetHeading.self, 0x02, 0x01, "01 67", "heading=359°") {
      $0.heading = 359
    }
    try Witness.check(request: Motion.SetStabilization.self, 0x02, 0x02, "02", "mode=onWithoutReset") {
      $0.mode = .onWithoutReset
    }
    try Witness.check(request: Motion.SetRotationRate.self, 0x02, 0x03, "C8", "rate=156.800 °/s") {
      $0.rate = 200
    }
    try Witness.check(
      request: Motion.SelfLevel.self, 0x02, 0x09, "05 02 0B 1E",
      "options=start+sleep angleLimit=2° timeout=11 s trueTime=0.30 s"
    ) {
      $0.options = [.start, .sleep]
      ($0.angleLimit, $0.timeout, $0.trueTime) = (2, 11, 30)
    }
    try Witness.check(request: Motion.SetVectorDriveLimit.self, 0x02, 0x0A, "32", "speed=50") {
      $0.speed = 50
    }
    try Witness.check(
      request: Motion.Roll.self, 0x02, 0x30, "80 01 0E 02 01",
      "speed=128 heading=270° state=fastRotate reverse=1"
    ) { ($0.speed, $0.heading, $0.state, $0.reverse) = (128, 270, .fastRotate, 1) }
    try Witness.check(request: Motion.Boost.self, 0x02, 0x31, "0A 00 2D", "state=10 legacyHeading=45°") {
      ($0.state, $0.legacyHeading) = (10, 45)
    }
    try Witness.check(
      request: Motion.SetRawMotors.self, 0x02, 0x33, "01 40 02 80",
      "leftMode=forward leftPower=64 rightMode=reverse rightPower=128"
    ) {
      ($0.leftMode, $0.leftPower, $0.rightMode, $0.rightPower) = (.forward, 64, .reverse, 128)
    }
    try Witness.check(request: Motion.SetMotionTimeout.self, 0x02, 0x34, "07 D1", "time=2.001 s") {
      $0.time = 2001
    }
  }

  static func sensingAndLights() throws {
    try Witness.check(
      request: Sensing.SetDataStreaming.self, 0x02, 0x11, "00 14 00 03 00 07 00 01 C8 F0 00 00 02",
      "divisor=20 frames=3 mask=0x00070001 packetCount=200 mask2=0xF0000002"
    ) {
      ($0.divisor, $0.frames, $0.mask, $0.packetCount, $0.mask2) = (20, 3, 0x0007_0001, 200, 0xF000_0002)
    }
    try Witness.check(
      request: Sensing.ConfigureCollisionDetection.self, 0x02, 0x12, "03 11 22 33 44 55",
      "method=variant3 xThreshold=17 xSpeed=34 yThreshold=51 ySpeed=68 deadTime=0.85 s"
    ) {
      ($0.method, $0.xThreshold, $0.xSpeed) = (.variant3, 0x11, 0x22)
      ($0.yThreshold, $0.ySpeed, $0.deadTime) = (0x33, 0x44, 0x55)
    }
    try Witness.check(
      request: Sensing.ConfigureLocator.self, 0x02, 0x13, "01 00 64 FF 38 01 0E",
      "flags=correctYawTare x=100 cm y=-200 cm yawTare=270°"
    ) { ($0.flags, $0.x, $0.y, $0.yawTare) = (.correctYawTare, 100, -200, 270) }
    try Witness.check(request: Sensing.SetAccelerometerRange.self, 0x02, 0x14, "03", "range=g16") {
      $0.range = .g16
    }
    try Witness.check(
      request: Lights.SetRGBLED.self, 0x02, 0x20, "11 22 33 01", "red=17 green=34 blue=51 persist=true"
    ) { ($0.red, $0.green, $0.blue, $0.persist) = (0x11, 0x22, 0x33, true) }
    try Witness.check(request: Lights.SetBackLED.self, 0x02, 0x21, "7F", "brightness=127") {
      $0.brightness = 127
    }
  }

  static func settingsAndBlocks() throws {
    try Witness.check(
      request: Settings.SetPermanentOptions.self, 0x02, 0x35, "00 00 01 12",
      "flags=vectorDrive+motionTimeouts+gyroLimitEvents"
    ) { $0.flags = [.vectorDrive, .motionTimeouts, .gyroLimitEvents] }
    try Witness.check(
      request: Settings.SetTemporaryOptions.self, 0x02, 0x37, "00 00 00 01", "flags=stopOnDisconnect"
    ) { $0.flags = .stopOnDisconnect }
    try Witness.check(request: Settings.SetDeviceMode.self, 0x02, 0x42, "01", "mode=userHack") {
      $0.mode = .userHack
    }
    try Witness.check(request: Configuration.GetConfigurationBlock.self, 0x02, 0x40, "00", "block=factory") {
      $0.block = .factory
    }
    func block(_ first: String, _ count: Int, _ last: String) -> String {
      first + String(repeating: " 5A", count: count - 2) + " " + last
    }
    func image(_ first: UInt8, _ count: Int, _ last: UInt8) -> [UInt8] {
      [first] + Array(repeating: 0x5A, count: count - 2) + [last]
    }
    let large = block("01", 1024, "02")
    try Witness.check(
      request: Configuration.SetConfigurationBlock.self, 0x02, 0x43, large, "block=" + large
    ) { $0.block = image(1, 1024, 2) }
    try Witness.check(
      request: Soul.SetSSB.self, 0x02, 0x47, "0A 0B 0C 0D " + large, "password=168496141 block=" + large
    ) { ($0.password, $0.block) = (0x0A0B_0C0D, image(1, 1024, 2)) }
    let small = block("03", 272, "04")
    try Witness.check(
      request: Soul.SetSSBModifier.self, 0x02, 0x41, "0A 0B 0C 0D " + small,
      "password=168496141 block=" + small
    ) { ($0.password, $0.block) = (0x0A0B_0C0D, image(3, 272, 4)) }
    try Witness.check(request: Soul.RefillBank.self, 0x02, 0x48, "01", "bank=shield") { $0.bank = .shield }
    try Witness.check(request: Soul.BuyConsumable.self, 0x02, 0x49, "07 02", "consumable=7 quantity=2") {
      ($0.consumable, $0.quantity) = (7, 2)
    }
    try Witness.check(request: Soul.UseConsumable.self, 0x02, 0x4A, "05", "consumable=5") {
      $0.consumable = 5
    }
    try Witness.check(
      request: Soul.GrantCores.self, 0x02, 0x4B, "00 00 00 02 00 00 01 00 01",
      "password=2 quantity=256 flags=commit"
    ) { ($0.password, $0.quantity, $0.flags) = (2, 256, .commit) }
    try Witness.check(request: Soul.AddXP.self, 0x02, 0x4C, "00 00 00 03 1E", "password=3 quantity=30") {
      ($0.password, $0.quantity) = (3, 30)
    }
    try Witness.check(
      request: Soul.LevelUpAttribute.self, 0x02, 0x4D, "00 00 00 04 02", "password=4 attribute=brightness"
    ) { ($0.password, $0.attribute) = (4, .brightness) }
    try Witness.check(request: Soul.EnableSSBEvents.self, 0x02, 0x4F, "00", "isOn=false") { $0.isOn = false }
  }

  static func programs() throws {
    try Witness.check(request: Macros.RunMacro.self, 0x02, 0x50, "21", "macro=33") { $0.macro = 33 }
    try Witness.check(
      request: Macros.SaveTemporaryMacro.self, 0x02, 0x51, "FF 14 15 AA 00", "macro=FF 14 15 AA 00"
    ) {
      $0.macro = [0xFF, 0x14, 0x15, 0xAA, 0x00]
    }
    try Witness.check(request: Macros.SaveMacro.self, 0x02, 0x52, "40 14 15 BB 00", "macro=40 14 15 BB 00") {
      $0.macro = [0x40, 0x14, 0x15, 0xBB, 0x00]
    }
    try Witness.check(
      request: Macros.SetMacroParameter.self, 0x02, 0x57, "03 01 02",
      "parameter=systemSpeed2 value1=1 value2=2"
    ) { ($0.parameter, $0.value1, $0.value2) = (.systemSpeed2, 1, 2) }
    try Witness.check(request: Macros.AppendMacroChunk.self, 0x02, 0x58, "15 CC", "chunk=15 CC") {
      $0.chunk = [0x15, 0xCC]
    }
    try Witness.check(request: OrbBasic.EraseStorage.self, 0x02, 0x60, "01", "area=flash") {
      $0.area = .flash
    }
    try Witness.check(
      request: OrbBasic.AppendFragment.self, 0x02, 0x61, "01 31 20 65 6E 64 0A",
      "area=flash text=\"1 end\\n\""
    ) { ($0.area, $0.text) = (.flash, "1 end\n") }
    try Witness.check(request: OrbBasic.Execute.self, 0x02, 0x62, "01 01 2C", "area=flash line=300") {
      ($0.area, $0.line) = (.flash, 300)
    }
    try Witness.check(request: OrbBasic.SubmitInput.self, 0x02, 0x64, "FF FF FF 85", "value=-123") {
      $0.value = -123
    }
  }

  /// The IDs of the commands without a payload.
  @Test func commandsWithoutPayload() {
    let table: [(any Request.Type, UInt8, UInt8)] = [
      (Core.Ping.self, 0x00, 0x01), (Core.GetVersioning.self, 0x00, 0x02),
      (Core.GetBluetoothInfo.self, 0x00, 0x11),
      (Core.GetAutoReconnect.self, 0x00, 0x13), (Core.GetPowerState.self, 0x00, 0x20),
      (Core.GetVoltageTripPoints.self, 0x00, 0x23), (Core.GetChargerState.self, 0x00, 0x26),
      (Factory.GetFactoryConfigurationCRC.self, 0x00, 0x27), (Bootloader.JumpToBootloader.self, 0x00, 0x30),
      (Diagnostics.RunLevel1Diagnostics.self, 0x00, 0x40),
      (Diagnostics.RunLevel2Diagnostics.self, 0x00, 0x41),
      (Diagnostics.ClearCounters.self, 0x00, 0x42), (Bootloader.LeaveBootloader.self, 0x01, 0x04),
      (Factory.GetApplicationConfigurationBlock.self, 0x02, 0x05),
      (Factory.ReenableDemoMode.self, 0x02, 0x06),
      (Factory.GetChassisID.self, 0x02, 0x07), (Sensing.ReadLocator.self, 0x02, 0x15),
      (Sensing.GetTemperature.self, 0x02, 0x16), (Lights.GetRGBLED.self, 0x02, 0x22),
      (Settings.GetPermanentOptions.self, 0x02, 0x36), (Settings.GetTemporaryOptions.self, 0x02, 0x38),
      (Factory.GetSKU.self, 0x02, 0x3A), (Settings.GetDeviceMode.self, 0x02, 0x44),
      (Soul.GetSSB.self, 0x02, 0x46),
      (Soul.GetPasswordSeed.self, 0x02, 0x4E), (Macros.ReinitMacroExecutive.self, 0x02, 0x54),
      (Macros.AbortMacro.self, 0x02, 0x55), (Macros.GetMacroStatus.self, 0x02, 0x56),
      (OrbBasic.Abort.self, 0x02, 0x63),
      (OrbBasic.CommitToFlash.self, 0x02, 0x65), (OrbBasic.CommitToFlashAlias.self, 0x02, 0x70),
      (Sensing.ReadOdometer.self, 0x02, 0x75),
    ]
    for (type, device, command) in table {
      #expect(type.id.device == device && type.id.command == command, "\(type)")
      #expect((try? type.init().payload()) == [], "\(type)")
    }
    let empty = Catalogue.commands.filter { (try? $0.init().payload()) == [] }.map { $0.name }
    // The default name is empty, too.
    #expect(Set(empty) == Set(table.map { $0.0.name } + ["Core.SetDeviceName"]))
  }

  @Test func everyMessageHasLiteralBytes() throws {
    let log = Witness.Log()
    try Witness.$log.withValue(log) {
      try Self.core()
      try Self.motion()
      try Self.sensingAndLights()
      try Self.settingsAndBlocks()
      try Self.programs()
      try WitnessResponseTests.all()
      try WitnessEventTests.all()
    }
    var missing: [String] = []
    func check<M: Message>(_ type: M.Type) {
      if !M.table.isEmpty, !log.names.contains(M.reflectedName) { missing.append(M.reflectedName) }
    }
    func both<R: Request>(_ type: R.Type) {
      check(type)
      check(R.Response.self)
    }
    for type in Catalogue.commands { both(type) }
    for type in Catalogue.events { check(type) }
    #expect(missing.isEmpty)
  }
}
