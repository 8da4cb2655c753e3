// Steps of macros, compared with literal bytes typed from section c.4 of the documents.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct WitnessMacroTests {
  /// Each step, its bytes and its description.
  static let table: [(step: any MacroStep, bytes: String, name: String, text: String)] = [
    (Macro.End(), "00", "end", ""),
    (Macro.SetSystemDelay1(time: 258), "01 01 02", "setSystemDelay1", "time=0.258 s"),
    (Macro.SetSystemDelay2(time: 772), "02 03 04", "setSystemDelay2", "time=0.772 s"),
    (
      Macro.Stabilization(mode: .onWithoutReset, delay: 9), "03 02 09", "stabilization",
      "mode=onWithoutReset delay=0.009 s"
    ),
    (
      Macro.SetHeading(heading: 270, delay: 5), "04 01 0E 05", "setHeading",
      "heading=270° delay=0.005 s"
    ),
    (
      Macro.Roll(speed: 128, heading: 271, delay: 7), "05 80 01 0F 07", "roll",
      "speed=128 heading=271° delay=0.007 s"
    ),
    (
      Macro.RollSystemDelay1(heading: 272, speed: 129), "06 01 10 81", "rollSystemDelay1",
      "heading=272° speed=129"
    ),
    (
      Macro.RGB(red: 0x11, green: 0x22, blue: 0x33, delay: 0x44), "07 11 22 33 44", "rgb",
      "red=17 green=34 blue=51 delay=0.068 s"
    ),
    (
      Macro.RGBSystemDelay2(red: 0x12, green: 0x23, blue: 0x34), "08 12 23 34", "rgbSystemDelay2",
      "red=18 green=35 blue=52"
    ),
    (Macro.BackLED(brightness: 200, delay: 3), "09 C8 03", "backLED", "brightness=200 delay=0.003 s"),
    (
      Macro.RawMotors(
        motors: Motion.SetRawMotors(
          leftMode: .forward, leftPower: 64, rightMode: .brake, rightPower: 65),
        delay: 66),
      "0A 01 40 03 41 42", "rawMotors",
      "leftMode=forward leftPower=64 rightMode=brake rightPower=65 delay=0.066 s"
    ),
    (Macro.Wait(time: 500), "0B 01 F4", "wait", "time=0.500 s"),
    (Macro.Goto(macro: 33), "0C 21", "goto", "macro=33"),
    (Macro.Gosub(macro: 34), "0D 22", "gosub", "macro=34"),
    (Macro.Sleep(time: 1029), "0E 04 05", "sleep", "time=1029"),
    (Macro.SetSystemSpeed1(speed: 130), "0F 00 82", "setSystemSpeed1", "speed=130"),
    (Macro.SetSystemSpeed2(speed: 131), "10 00 83", "setSystemSpeed2", "speed=131"),
    (Macro.RollSystemSpeed1(heading: 273), "11 01 11", "rollSystemSpeed1", "heading=273°"),
    (Macro.RollSystemSpeed2(heading: 274), "12 01 12", "rollSystemSpeed2", "heading=274°"),
    (Macro.RotationRate(rate: 100), "13 64", "rotationRate", "rate=78.400 °/s"),
    (
      Macro.Fade(red: 0x55, green: 0x66, blue: 0x77, time: 0x0102), "14 55 66 77 01 02", "fade",
      "red=85 green=102 blue=119 time=0.258 s"
    ),
    (Macro.Marker(marker: 0xAA), "15 AA", "marker", "marker=170"),
    (Macro.WaitUntilStopped(limit: 1800), "19 07 08", "waitUntilStopped", "limit=1.800 s"),
    (Macro.Rotate(angle: -90, time: 2000), "1A FF A6 07 D0", "rotate", "angle=-90° time=2.000 s"),
    (Macro.StreamEnd(), "1B", "streamEnd", ""),
    (
      Macro.RollLong(speed: 132, heading: 275, time: 3000), "1D 84 01 13 0B B8", "rollLong",
      "speed=132 heading=275° time=3.000 s"
    ),
    (Macro.LoopStart(count: 6), "1E 06", "loopStart", "count=6"),
    (Macro.LoopEnd(), "1F", "loopEnd", ""),
    (Macro.Comment(text: "hey"), "20 00 03 68 65 79", "comment", "count=3 text=\"hey\""),
    (Macro.RotateSystemDelay1(angle: -720), "21 FD 30", "rotateSystemDelay1", "angle=-720°"),
    (Macro.RotateSystemDelay2(angle: 721), "22 02 D1", "rotateSystemDelay2", "angle=721°"),
    (Macro.BranchOnCollision(macro: 35), "23 23", "branchOnCollision", "macro=35"),
    (Macro.LoopStartSystem(), "24", "loopStartSystem", ""),
    (Macro.SetSpeed(speed: 133, delay: 8), "25 85 08", "setSpeed", "speed=133 delay=0.008 s"),
    (
      Macro.ConfigureCollision(
        detection: Sensing.ConfigureCollisionDetection(
          method: .variant2, xThreshold: 0x21, xSpeed: 0x22, yThreshold: 0x23, ySpeed: 0x24,
          deadTime: 0x25)),
      "27 02 21 22 23 24 25", "configureCollision",
      "method=variant2 xThreshold=33 xSpeed=34 yThreshold=35 ySpeed=36 deadTime=0.37 s"
    ),
  ]

  private func isDecoded<S: MacroStep>(_ step: S, from command: MacroCommand) -> Bool {
    command.step() == step
  }

  @Test func steps() throws {
    for row in Self.table {
      let literal = bytes(row.bytes)
      let step = MacroCommand(row.step)
      #expect(try step.payload() == literal, "\(row.name)")
      #expect(step.operands == Array(literal.dropFirst()), "\(row.name)")
      let read = try MacroCommand(payload: literal)
      #expect(read == step, "\(row.name)")
      let isSame = isDecoded(row.step, from: read)
      #expect(isSame, "\(row.name)")
      #expect(read.name == row.name && read.opcode == literal[0])
      #expect(read.fields.dropFirst().map(\.description).joined(separator: " ") == row.text)
      #expect(read.fields.first?.description == "opcode=" + row.name)
    }
    #expect(Set(Self.table.map(\.name)) == Set(MacroCommand.all.map(\.name)), "every step has a row")
  }

  /// A whole macro: ID, flags, extended flags, three steps and 00.
  @Test func macro() throws {
    var macro = Macro(id: 64, flags: [.markEnd, .extended]) {
      Macro.Marker(marker: 1)
      Macro.Wait(time: 300)
      Macro.LoopEnd()
    }
    macro.extendedFlags = 5
    let literal = bytes("40 90 05 15 01 0B 01 2C 1F 00")
    #expect(try macro.payload() == literal)
    #expect(try Macro(parsing: literal) == macro)
    #expect(Macro.temporaryID == 255 && Macro.streamID == 254)
  }
}
