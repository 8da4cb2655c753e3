// Steps of macros against literal bytes, typed from section c.4 of the documents.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.oneAtATime) struct WitnessMacroTests {
  /// Each step as it is made, its bytes, and its fields as people read them.
  static let table: [(step: MacroCommand, bytes: String, name: String, words: String)] = [
    (.end, "00", "end", ""),
    (.setSystemDelay1(258), "01 01 02", "setSystemDelay1", "time=258 ms"),
    (.setSystemDelay2(772), "02 03 04", "setSystemDelay2", "time=772 ms"),
    (
      .stabilization(mode: .onWithoutReset, delay: 9), "03 02 09", "stabilization",
      "mode=onWithoutReset delay=9 ms"
    ),
    (.setHeading(heading: 270, delay: 5), "04 01 0E 05", "setHeading", "heading=270° delay=5 ms"),
    (
      .roll(speed: 128, heading: 271, delay: 7), "05 80 01 0F 07", "roll", "speed=128 heading=271° delay=7 ms"
    ),
    (
      .rollSystemDelay1(heading: 272, speed: 129), "06 01 10 81", "rollSystemDelay1", "heading=272° speed=129"
    ),
    (
      .rgb(red: 0x11, green: 0x22, blue: 0x33, delay: 0x44), "07 11 22 33 44", "rgb",
      "red=17 green=34 blue=51 delay=68 ms"
    ),
    (
      .rgbSystemDelay2(red: 0x12, green: 0x23, blue: 0x34), "08 12 23 34", "rgbSystemDelay2",
      "red=18 green=35 blue=52"
    ),
    (.backLED(brightness: 200, delay: 3), "09 C8 03", "backLED", "brightness=200 delay=3 ms"),
    (
      .rawMotors(
        motors: Motion.SetRawMotors(leftMode: .forward, leftPower: 64, rightMode: .brake, rightPower: 65),
        delay: 66),
      "0A 01 40 03 41 42", "rawMotors",
      "leftMode=forward leftPower=64 rightMode=brake rightPower=65 delay=66 ms"
    ),
    (.wait(500), "0B 01 F4", "wait", "time=500 ms"),
    (.goto(33), "0C 21", "goto", "macro=33"),
    (.gosub(34), "0D 22", "gosub", "macro=34"),
    (.sleep(1029), "0E 04 05", "sleep", "time=1029"),
    (.setSystemSpeed1(130), "0F 00 82", "setSystemSpeed1", "speed=130"),
    (.setSystemSpeed2(131), "10 00 83", "setSystemSpeed2", "speed=131"),
    (.rollSystemSpeed1(273), "11 01 11", "rollSystemSpeed1", "heading=273°"),
    (.rollSystemSpeed2(274), "12 01 12", "rollSystemSpeed2", "heading=274°"),
    (.rotationRate(100), "13 64", "rotationRate", "rate=78.40°/s"),
    (
      .fade(red: 0x55, green: 0x66, blue: 0x77, time: 0x0102), "14 55 66 77 01 02", "fade",
      "red=85 green=102 blue=119 time=258 ms"
    ),
    (.marker(0xAA), "15 AA", "marker", "marker=170"),
    (.waitUntilStopped(1800), "19 07 08", "waitUntilStopped", "limit=1800 ms"),
    (.rotate(angle: -90, time: 2000), "1A FF A6 07 D0", "rotate", "angle=-90° time=2000 ms"),
    (.streamEnd, "1B", "streamEnd", ""),
    (
      .rollLong(speed: 132, heading: 275, time: 3000), "1D 84 01 13 0B B8", "rollLong",
      "speed=132 heading=275° time=3000 ms"
    ),
    (.loopStart(6), "1E 06", "loopStart", "count=6"),
    (.loopEnd, "1F", "loopEnd", ""),
    (.comment("hey"), "20 00 03 68 65 79", "comment", "count=3 text=\"hey\""),
    (.rotateSystemDelay1(-720), "21 FD 30", "rotateSystemDelay1", "angle=-720°"),
    (.rotateSystemDelay2(721), "22 02 D1", "rotateSystemDelay2", "angle=721°"),
    (.branchOnCollision(35), "23 23", "branchOnCollision", "macro=35"),
    (.loopStartSystem, "24", "loopStartSystem", ""),
    (.setSpeed(speed: 133, delay: 8), "25 85 08", "setSpeed", "speed=133 delay=8 ms"),
    (
      .configureCollision(
        Sensing.ConfigureCollisionDetection(
          method: .variant2, xThreshold: 0x21, xSpeed: 0x22, yThreshold: 0x23, ySpeed: 0x24, deadTime: 0x25)),
      "27 02 21 22 23 24 25", "configureCollision",
      "method=variant2 xThreshold=33 xSpeed=34 yThreshold=35 ySpeed=36 deadTime=0.37 s"
    ),
  ]

  @Test func steps() throws {
    for row in Self.table {
      let literal = bytes(row.bytes)
      #expect(try row.step.payload() == literal, "\(row.name)")
      let read = try MacroCommand(payload: literal)
      #expect(read == row.step, "\(row.name)")
      #expect(read.name == row.name && read.opcode == literal[0])
      #expect(read.fields.dropFirst().map(\.description).joined(separator: " ") == row.words)
      #expect(read.fields.first?.description == "opcode=" + row.name)
    }
    #expect(Set(Self.table.map(\.name)).count == 35)
  }

  /// A whole macro: ID, flags, a flag's own byte, three steps and 00.
  @Test func macro() throws {
    var macro = Macro(id: 64, flags: [.markEnd, .extended], commands: [.marker(1), .wait(300), .loopEnd])
    macro.extendedFlags = 5
    let literal = bytes("40 90 05 15 01 0B 01 2C 1F 00")
    #expect(try macro.payload() == literal)
    #expect(try Macro(parsing: literal) == macro)
    #expect(Macro.temporaryID == 255 && Macro.streamID == 254)
  }
}
