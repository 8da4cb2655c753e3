// The colour picker: swatches, wheel and events, against colours written by hand.

import SpheroControls
import Testing

@Suite struct ColorPickerTests {
  private let red = RGB(red: 255, green: 0, blue: 0)
  private let green = RGB(red: 0, green: 255, blue: 0)
  private let black = RGB(red: 0, green: 0, blue: 0)

  @Test func itBeginsWithThePreviousColor() {
    var picker = ColorPicker(previous: red)
    #expect(picker.color == red && picker.current == red && picker.selection == .current)
    #expect(picker.takeEvents().isEmpty)
    #expect(ColorPicker(previous: red, current: green).color == green)
  }

  @Test func changesAreEventsOfWhichTheLastCounts() {
    var picker = ColorPicker(previous: red)
    picker.wheel.turn(hueBy: 60)
    picker.wheel.turn(hueBy: 60)
    #expect(picker.takeEvents() == [.changed(green)] && picker.takeEvents().isEmpty)
    picker.wheel.turn(hueBy: 0)
    picker.wheel.show(green)
    #expect(picker.takeEvents().isEmpty, "the colour is the same")
    picker.wheel.setBrightness(0)
    picker.finish()
    picker.wheel.setBrightness(1)
    #expect(picker.takeEvents() == [.changed(black), .finished(black), .changed(green)])
  }

  @Test func bothSwatchesCanBeSelected() {
    var picker = ColorPicker(previous: red, current: green)
    picker.select(.previous)
    #expect(picker.color == red && picker.current == green && picker.selection == .previous)
    picker.select(.current)
    #expect(picker.color == green && picker.takeEvents() == [.changed(green)])
    // A change of the selected previous colour is the current one.
    picker.select(.previous)
    picker.wheel.turn(hueBy: 60)
    #expect(picker.selection == .current && picker.previous == red)
    #expect(picker.current == RGB(red: 255, green: 255, blue: 0))
  }

  @Test func theHueOfABlackSwatchRemains() {
    var picker = ColorPicker(previous: red, current: green)
    picker.wheel.setBrightness(0)
    picker.select(.previous)
    picker.select(.current)
    picker.wheel.setBrightness(1)
    #expect(picker.color == green)
  }

  @Test func cancellingReturnsToThePreviousColor() {
    var picker = ColorPicker(previous: red)
    picker.wheel.show(green)
    _ = picker.takeEvents()
    picker.cancel()
    #expect(picker.takeEvents() == [.changed(red), .finished(red)] && picker.color == red)
  }

  @Test func anotherSelectionBeginsWithTheSelectedColor() {
    var picker = ColorPicker(previous: red)
    picker.wheel.show(green)
    picker.restart()
    #expect(picker.previous == green && picker.current == green && picker.color == green)
    #expect(picker.takeEvents() == [.changed(green)], "it is no event itself")
    picker.wheel.turn(hueBy: 120)
    picker.select(.previous)
    #expect(picker.color == green && picker.current == RGB(red: 0, green: 0, blue: 255))
    picker.restart()
    #expect(picker.selection == .current && picker.current == green)
  }

  @Test func thePadBelongsToBothWheels() throws {
    var picker = ColorPicker(previous: red, current: green)
    let pad = try #require(Pad(width: 200, height: 100))
    picker.pad = pad
    picker.select(.previous)
    #expect(picker.wheel.marker == Point(x: 200, y: 50))
    picker.select(.current)
    picker.wheel.pick(at: Point(x: 0, y: 50))
    #expect(picker.pad == pad && picker.color == RGB(red: 0, green: 255, blue: 255))
  }
}
