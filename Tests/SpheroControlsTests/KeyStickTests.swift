// The key stick with the repeat intervals of terminals, and the steps of the colour wheel.

import SpheroControls
import Testing

@Suite struct KeyStickTests {
  private func ms(_ count: Int) -> Duration { .milliseconds(count) }
  private let diagonal = 0.7071067811865476

  @Test func firstPressLasts700Milliseconds() {
    var stick = KeyStick()
    #expect(stick.deflection(at: ms(0)) == .center)
    stick.press(right: 0, ahead: 1, at: ms(1_000))
    #expect(stick.deflection(at: ms(1_699)) == Deflection(x: 0, y: 1))
    #expect(stick.deflection(at: ms(1_700)) == .center)
  }

  @Test func heldKeyEnds250MillisecondsAfterItsLastRepeat() {
    // The defaults of xset: a delay of 660 ms, then a repeat every 40 ms.
    var stick = KeyStick()
    for time in [0] + Array(stride(from: 660, through: 2_020, by: 40)) {
      stick.press(right: -1, ahead: 0, at: ms(time))
      #expect(stick.deflection(at: ms(time)) == Deflection(x: -1, y: 0))
      #expect(stick.deflection(at: ms(time + 39)) == Deflection(x: -1, y: 0))
    }
    #expect(stick.deflection(at: ms(2_269)) == Deflection(x: -1, y: 0))
    #expect(stick.deflection(at: ms(2_270)) == .center)
  }

  @Test func repeatDoesNotShortenAPress() {
    var stick = KeyStick()
    stick.press(right: 0, ahead: 1, at: ms(0))
    stick.press(right: 0, ahead: 1, at: ms(100))
    #expect(stick.deflection(at: ms(699)).y == 1 && stick.deflection(at: ms(700)).y == 0)
  }

  @Test func axesHaveIndependentTimeouts() {
    var stick = KeyStick()
    stick.press(right: 0, ahead: 1, at: ms(0))
    stick.press(right: 1, ahead: 0, at: ms(500))
    let both = stick.deflection(at: ms(600))
    #expect(abs(both.x - diagonal) < 1e-12 && abs(both.y - diagonal) < 1e-12 && both.magnitude == 1)
    #expect(stick.deflection(at: ms(800)) == Deflection(x: 1, y: 0))
    // The opposite key replaces the press on its axis.
    stick.press(right: -1, ahead: 0, at: ms(900))
    #expect(stick.deflection(at: ms(1_599)) == Deflection(x: -1, y: 0))
    #expect(stick.deflection(at: ms(1_600)) == .center)
  }

  @Test func releaseCentersAtOnce() {
    var stick = KeyStick()
    stick.press(right: 1, ahead: -1, at: ms(0))
    stick.release()
    #expect(stick.deflection(at: ms(1)) == .center)
  }
}

@Suite struct ColorWheelStepTests {
  @Test func stepsOfHueAndSaturation() {
    var wheel = ColorWheel(pad: .unit, color: RGB(red: 255, green: 0, blue: 0))
    wheel.turn(hueBy: 120)
    #expect(wheel.color == RGB(red: 0, green: 255, blue: 0))
    wheel.turn(hueBy: -180)
    #expect(wheel.color == RGB(red: 255, green: 0, blue: 255) && wheel.hsb.hue == 300)
    // 255 · (1 - 0.5) is rounded half up.
    wheel.setSaturation(0.5)
    #expect(wheel.color == RGB(red: 255, green: 128, blue: 255))
    wheel.setSaturation(-3)
    #expect(wheel.color == RGB(red: 255, green: 255, blue: 255) && wheel.hsb.hue == 300)
    for number in [Double.nan, .infinity] {
      wheel.turn(hueBy: number)
      wheel.setSaturation(number)
    }
    wheel.setSaturation(1)
    #expect(wheel.color == RGB(red: 255, green: 0, blue: 255))
  }

  @Test func unitPadIsTheUnitCircle() {
    #expect(Pad.unit.center == Point(x: 0, y: 0))
    #expect(Pad.unit.deflection(at: Point(x: 0.5, y: -0.5)) == Deflection(x: 0.5, y: 0.5))
  }
}
