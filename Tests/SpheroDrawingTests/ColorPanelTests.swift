// The colour picker on a screen, against positions and colours computed by hand.

import SpheroControls
import SpheroDrawing
import Testing

/// At 80 by 24 the wheel has 19 rows and 37 columns from column 18 and row 2; its centre is the cell 36, 11.
/// The bar has the columns 58...60.
@Suite struct ColorPanelTests {
  private func panel(_ color: RGB) -> ColorPanel {
    var panel = ColorPanel(previous: color)
    panel.resize(width: 80, height: 24)
    return panel
  }
  private let red = RGB(red: 255, green: 0, blue: 0)

  @Test func keysChangeEachPart() {
    var panel = panel(red)
    func press(_ key: TerminalInput.Key, _ isShifted: Bool = false, times: Int = 1) {
      for _ in 0..<times { _ = panel.handle(.key(key, isShifted: isShifted), at: ms(0)) }
    }
    press(.right, true, times: 4)
    #expect(panel.color == RGB(red: 0, green: 255, blue: 0))
    press(.left, times: 12)
    #expect(panel.color == RGB(red: 255, green: 255, blue: 0))
    // With a fifth less saturation, the smallest component is a fifth of 255.
    press(.down, times: 4)
    #expect(panel.color == RGB(red: 255, green: 255, blue: 51))
    press(.up, times: 9)
    // Half of the brightness is 127.5, rounded up.
    press(.pageDown, times: 5)
    press(.character("-"), times: 5)
    #expect(panel.color == RGB(red: 128, green: 128, blue: 0))
    press(.character("+"))
    press(.pageUp, times: 30)
    #expect(panel.color == RGB(red: 255, green: 255, blue: 0))
    _ = panel.handle(.scroll(isUp: false), at: ms(0))
    // 0.95 of 255 is 242.25.
    #expect(panel.color == RGB(red: 242, green: 242, blue: 0))
  }

  @Test func theMousePicksOnWheelAndBar() {
    var panel = panel(red)
    // Pure colours at the rim: cyan at the left.
    _ = panel.handle(.press(column: 18, row: 11), at: ms(0))
    #expect(panel.color == RGB(red: 0, green: 255, blue: 255))
    // A drag outside the wheel is clamped to the rim.
    _ = panel.handle(.drag(column: 79, row: 11), at: ms(0))
    #expect(panel.color == red)
    _ = panel.handle(.drag(column: 36, row: 11), at: ms(0))
    #expect(panel.color == RGB(red: 255, green: 255, blue: 255))
    _ = panel.handle(.release, at: ms(0))
    _ = panel.handle(.drag(column: 18, row: 11), at: ms(0))
    #expect(panel.color == RGB(red: 255, green: 255, blue: 255))
    // The middle of the bar is half of the brightness; the wheel does not change.
    _ = panel.handle(.press(column: 59, row: 11), at: ms(0))
    #expect(panel.color == RGB(red: 128, green: 128, blue: 128))
    _ = panel.handle(.drag(column: 18, row: 2), at: ms(0))
    #expect(panel.color == RGB(red: 255, green: 255, blue: 255))
    _ = panel.handle(.drag(column: 18, row: 99), at: ms(0))
    #expect(panel.color == RGB(red: 0, green: 0, blue: 0))
  }

  @Test func keysConfirmOrCancel() {
    var panel = panel(red)
    #expect(panel.handle(.key(.enter), at: ms(0)) == .confirmed)
    #expect(panel.handle(.key(.escape), at: ms(0)) == .cancelled)
    #expect(panel.handle(.key(.character("q")), at: ms(0)) == .cancelled)
    #expect(panel.handle(.key(.character("x")), at: ms(0)) == .continues && panel.color == red)
  }

  @Test func theWheelIsDrawn() {
    let canvas = panel(red).draw(at: ms(0))
    // Red at the right with the marker, cyan at the left, white in the centre.
    #expect(canvas[54, 11].character == "o" && canvas[54, 11].style.background == red)
    let cyan = canvas[18, 11].style.foreground
    #expect(cyan.map { $0.red < 16 && $0.green > 239 && $0.blue > 239 } == true, "\(canvas[18, 11])")
    let white = canvas[36, 11].style.foreground
    #expect(white.map { min($0.red, $0.green, $0.blue) > 240 } == true)
    // The bar is red at the top and black at the bottom, with its marks at full brightness.
    #expect(canvas[58, 2].style.foreground == red)
    #expect(canvas[60, 20].style.background == RGB(red: 0, green: 0, blue: 0))
    #expect(canvas[57, 2].character == "▶" && canvas[61, 2].character == "◀")
    #expect(canvas.text(row: 0) == "sphero led  hue 0°  saturation 100 %  brightness 100 %")
    #expect(canvas.text(row: 22) == " ██ previous  >██ current    R 255  G   0  B   0  #ff0000")
  }

  private let orange = RGB(red: 255, green: 128, blue: 0)

  @Test func swatchesAreSelectedByKeyAndMouse() {
    var panel = ColorPanel(previous: red, current: orange)
    panel.resize(width: 80, height: 24)
    #expect(
      panel.draw(at: ms(0)).text(row: 22) == " ██ previous  >██ current    R 255  G 128  B   0  #ff8000")
    _ = panel.handle(.key(.character("p")), at: ms(0))
    #expect(panel.color == red && panel.takeEvents() == [.changed(red)])
    #expect(
      panel.draw(at: ms(0)).text(row: 22) == ">██ previous   ██ current    R 255  G   0  B   0  #ff0000")
    _ = panel.handle(.key(.character("C")), at: ms(0))
    #expect(panel.color == orange && panel.takeEvents() == [.changed(orange)])
    // The swatches have the columns 0...11 and 14...24.
    for (column, color) in [(0, red), (14, orange), (11, red), (24, orange), (12, orange), (25, orange)] {
      _ = panel.handle(.press(column: column, row: 22), at: ms(0))
      #expect(panel.color == color, "column \(column)")
    }
    let canvas = panel.draw(at: ms(0))
    #expect(canvas[1, 22].style.foreground == red && canvas[15, 22].style.foreground == orange)
  }

  @Test func numbersAreTyped() {
    var panel = panel(red)
    func press(_ keys: TerminalInput.Key...) { for key in keys { _ = panel.handle(.key(key), at: ms(0)) } }
    press(.character("7"))
    #expect(panel.color == red, "the wheel has the focus")
    // The first digit replaces the number; a digit that would exceed 255 is ignored.
    press(.tab, .character("1"), .character("2"), .character("9"), .character("0"))
    #expect(panel.color == RGB(red: 129, green: 0, blue: 0))
    press(.backspace, .tab, .character("0"), .character("9"))
    #expect(panel.color == RGB(red: 12, green: 9, blue: 0))
    press(.tab, .up, .up, .down)
    #expect(panel.color == RGB(red: 12, green: 9, blue: 1))
    press(.down, .down)
    #expect(panel.color == RGB(red: 12, green: 9, blue: 0))
    // An erased number is 0 and has no digits.
    press(.character("5"), .backspace)
    #expect(panel.color == RGB(red: 12, green: 9, blue: 0))
    #expect(panel.draw(at: ms(0)).text(row: 22).hasSuffix("R  12  G   9  B      #0c0900"))
    press(.backspace)
    // The wheel has the focus again, so that up changes the saturation: from 1, which is the maximum.
    press(.tab, .character("1"), .up)
    #expect(panel.color == RGB(red: 12, green: 9, blue: 0))
    _ = panel.handle(.key(.tab, isShifted: true), at: ms(0))
    press(.character("2"))
    #expect(panel.color == RGB(red: 12, green: 9, blue: 2))
    // R has the columns 28...32, G 35...39, B 42...46.
    _ = panel.handle(.press(column: 39, row: 22), at: ms(0))
    press(.character("3"))
    #expect(panel.color == RGB(red: 12, green: 3, blue: 2))
    // Numbers of a smaller screen have shorter names.
    panel.resize(width: 40, height: 14)
    #expect(panel.draw(at: ms(0)).text(row: 12) == " ██prev>██now R 12 G  3 B  2")
  }

  @Test func aDigitDoesNotContinueANumberThatTheWheelHasChanged() {
    var panel = panel(red)
    for key in [.tab, .tab, .character("7"), .right, .character("3")] as [TerminalInput.Key] {
      _ = panel.handle(.key(key), at: ms(0))
    }
    #expect(panel.color == RGB(red: 255, green: 3, blue: 0))
  }

  @Test func theEndIsAnEvent() {
    var panel = ColorPanel(previous: red, current: orange)
    panel.resize(width: 80, height: 24)
    #expect(panel.handle(.key(.enter), at: ms(0)) == .confirmed)
    #expect(panel.takeEvents() == [.finished(orange)])
    #expect(panel.handle(.key(.escape), at: ms(0)) == .cancelled)
    #expect(panel.takeEvents() == [.changed(red), .finished(red)] && panel.color == red)
  }
}
