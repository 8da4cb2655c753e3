// Tests of the colours of programs: where a fade starts, and when a colour ends.

import TestSupport
import Testing

@testable import SpheroModel

@Suite(.ownThread) struct LightTests {
  /// The visible colour.
  private func color(_ talk: Talk) -> [UInt8] {
    let lights = talk.robot.lights
    return [lights.red, lights.green, lights.blue]
  }

  @Test func aFadeStartsFromTheEndOfTheLastOneAlsoInTheNextMacro() {
    var talk = Talk()
    // Red, a fade to green in 100 ms, and a delay of 200 ms.
    _ = talk.send(
      0x02, 0x51, [255, 0, 0x07, 255, 0, 0, 0, 0x14, 0, 255, 0, 0, 100, 0x0B, 0, 200, 0])
    _ = talk.send(0x02, 0x50, [255])
    _ = talk.wait(.milliseconds(50))
    #expect(color(talk) == [128, 128, 0])
    _ = talk.wait(.seconds(1))
    // A fade to blue in a second, and a delay of a second.
    _ = talk.send(0x02, 0x51, [255, 0, 0x14, 0, 0, 255, 0x03, 0xE8, 0x0B, 0x03, 0xE8, 0])
    _ = talk.send(0x02, 0x50, [255])
    _ = talk.wait(.milliseconds(500))
    #expect(color(talk) == [0, 128, 128])
  }

  @Test func theColorOfAMacroEndsWithTheClientThatStopsIt() {
    var talk = Talk()
    // Stop on disconnect; a macro that allows it shows red for 65 s.
    _ = talk.send(0x02, 0x37, [0, 0, 0, 1])
    _ = talk.send(0x02, 0x51, [255, 0x04, 0x07, 255, 0, 0, 0, 0x0B, 0xFD, 0xE8, 0])
    _ = talk.send(0x02, 0x50, [255])
    _ = talk.wait(.seconds(1))
    #expect(color(talk) == [255, 0, 0])
    talk.robot.disconnect(at: talk.now)
    #expect(color(talk) == [0, 0, 0])
  }

  /// The stored colour is shown from the connection until the first colour command (Sphero API 1.50, "Set RGB LED").
  @Test func theColorOfAClientEndsWithTheNextConnection() {
    var talk = Talk()
    _ = talk.send(0x02, 0x20, [1, 2, 3, 1])
    _ = talk.send(0x02, 0x20, [255, 0, 0, 0])
    talk.robot.disconnect(at: talk.now)
    talk.robot.connect(at: talk.now)
    #expect(color(talk) == [1, 2, 3])
  }
}
