// The colour picker on a screen: wheel, bar for the brightness, two swatches and three numbers.

public import SpheroControls
import SpheroProtocol

/// A colour picker on a terminal.
///
/// Left and right turn the hue by 5 degrees, with Shift by 30; up and down change the saturation, `+` and `-` or Page Up
/// and Page Down the brightness, by 5 %; p and c select the previous and the current colour; Tab moves to red, green and
/// blue, whose numbers can be typed, or changed by 1 with up and down. Enter keeps the colour; Escape or q restores the
/// old one.
public struct ColorPanel: Panel {
  /// The change of hue by a key in degrees, and that by a key with Shift.
  private static let (step, largeStep) = (5.0, 30.0)
  private static let fractionStep = 0.05
  private static let barWidth = 3
  /// The minimum width of a screen, in columns, that shows the long names of swatches and the hexadecimal colour.
  private static let wideRow = 60

  private static let numberNames = ["R", "G", "B"]

  private enum DragTarget {
    case wheel, bar
  }

  /// The title line, such as the port and the name of the robot.
  public var title = ""
  /// Whether the link is lost; the robot gets the colour after reconnection.
  public var isLinkLost = false
  /// The latest remark and its importance; nil for none.
  public var remark: (text: String, severity: Monitor.Severity)?
  /// The colours and their events.
  public private(set) var picker: ColorPicker
  /// The index of the component with the focus; nil if the wheel has the focus.
  private var focus: Int?
  /// The digits that the user has typed into the component with the focus; nil before the first digit, and after
  /// any other change of the component.
  private var entry: String?
  private var dragTarget: DragTarget?
  private var size = Area(width: 0, height: 0)

  /// Creates a picker that shows `current`, or `previous` if it is nil; `previous` is the colour to restore.
  public init(previous: RGB, current: RGB? = nil) {
    picker = ColorPicker(previous: previous, current: current)
  }

  /// The selected colour.
  public var color: RGB { picker.color }

  /// Removes and returns the events of the picker in order.
  public mutating func takeEvents() -> [ColorPicker.Event] { picker.takeEvents() }

  // MARK: Inputs

  public mutating func resize(width: Int, height: Int) {
    let new = Area(width: width, height: height)
    guard new != size else { return }
    (size, dragTarget) = (new, nil)
    if let pad = areas?.wheel.pad { picker.pad = pad }
  }

  public mutating func handle(_ input: TerminalInput, at now: Duration) -> PanelOutcome {
    switch input {
    case .key(let key, let isShifted):
      let step = isShifted ? Self.largeStep : Self.step
      switch key {
      case .escape, .character("q"), .character("Q"):
        picker.cancel()
        return .cancelled
      case .enter:
        picker.finish()
        return .confirmed
      case .tab: moveFocus(isBackward: isShifted)
      case .character("p"), .character("P"): select(.previous)
      case .character("c"), .character("C"): select(.current)
      case .character(let digit) where ("0"..."9").contains(digit): type(digit)
      case .backspace: erase()
      case .up where focus != nil: changeNumber(by: 1)
      case .down where focus != nil: changeNumber(by: -1)
      case .left: picker.wheel.turn(hueBy: -step)
      case .right: picker.wheel.turn(hueBy: step)
      case .up: picker.wheel.setSaturation(Self.step(picker.wheel.hsb.saturation, Self.fractionStep))
      case .down: picker.wheel.setSaturation(Self.step(picker.wheel.hsb.saturation, -Self.fractionStep))
      case .pageUp, .character("+"), .character("="): changeBrightness(by: Self.fractionStep)
      case .pageDown, .character("-"), .character("_"): changeBrightness(by: -Self.fractionStep)
      default: break
      }
    case .mouse(let action, let column, let row):
      switch action {
      case .press:
        dragTarget = target(column: column, row: row)
        pick(column: column, row: row)
        press(column: column, row: row)
      case .drag: pick(column: column, row: row)
      case .release: dragTarget = nil
      case .scrollUp: changeBrightness(by: Self.fractionStep)
      case .scrollDown: changeBrightness(by: -Self.fractionStep)
      }
    }
    // Wheel and bar also change the components, which discards the typed digits.
    if let focus, let digits = entry, numbers[focus] != UInt8(digits) ?? 0 { entry = nil }
    return .continues
  }

  private mutating func changeBrightness(by step: Double) {
    picker.wheel.setBrightness(Self.step(picker.wheel.hsb.brightness, step))
  }

  /// Adds a step in whole hundredths, so that rounding errors do not accumulate.
  private static func step(_ part: Double, _ step: Double) -> Double { ((part + step) * 100).rounded() / 100 }

  private func target(column: Int, row: Int) -> DragTarget? {
    guard let areas else { return nil }
    if areas.wheel.contains(PadFrame.point(column: column, row: row)) { return .wheel }
    return areas.bar.contains(column: column, row: row) ? .bar : nil
  }

  private mutating func pick(column: Int, row: Int) {
    guard let areas else { return }
    switch dragTarget {
    case .wheel: picker.wheel.pick(at: PadFrame.point(column: column, row: row))
    // The top row is full brightness, the bottom row 0.
    case .bar:
      picker.wheel.setBrightness(1 - Double(row - areas.bar.row) / Double(areas.bar.height - 1))
    case nil: break
    }
  }

  public mutating func release() { dragTarget = nil }

  // MARK: Swatches and numbers

  private mutating func select(_ swatch: ColorPicker.Swatch) {
    picker.select(swatch)
    entry = nil
  }

  private mutating func moveFocus(isBackward: Bool) {
    // Place 0 is the wheel; the components follow it, in a circle.
    let count = Self.numberNames.count
    let place = ((focus ?? -1) + 1 + (isBackward ? count : 1)) % (count + 1)
    focus = place == 0 ? nil : place - 1
    entry = nil
  }

  private mutating func type(_ digit: Unicode.Scalar) {
    let digits = (entry ?? "") + String(digit)
    guard let focus, let number = UInt8(digits) else { return }
    // Leading zeros have no meaning.
    entry = String(number)
    set(number, focus)
  }

  private mutating func erase() {
    guard let focus else { return }
    let digits = String((entry ?? String(numbers[focus])).dropLast())
    entry = digits
    set(UInt8(digits) ?? 0, focus)
  }

  private mutating func changeNumber(by step: Int) {
    guard let focus else { return }
    entry = nil
    set(UInt8(clamping: Int(numbers[focus]) + step), focus)
  }

  private var numbers: [UInt8] { [color.red, color.green, color.blue] }

  private mutating func set(_ number: UInt8, _ index: Int) {
    var numbers = numbers
    numbers[index] = number
    picker.wheel.show(RGB(red: numbers[0], green: numbers[1], blue: numbers[2]))
  }

  /// A text in the row with swatches and numbers, and its columns.
  private typealias Label = (text: String, columns: Range<Int>)

  private var labels: (swatches: [Label], numbers: [Label]) {
    let isWide = size.width >= Self.wideRow
    var end = 0
    func label(_ text: String, after space: Int) -> Label {
      let start = end + space
      end = start + text.unicodeScalars.count
      return (text, start..<end)
    }
    let names = isWide ? [" previous", " current"] : ["prev", "now"]
    let swatches = zip(ColorPicker.Swatch.allCases, names).map { swatch, name in
      let mark = picker.selection == swatch ? ">" : " "
      return label(mark + "██" + name, after: isWide && swatch == .current ? 2 : 0)
    }
    let numbers = zip(Self.numberNames, numbers).enumerated().map { index, component in
      let (name, number) = component
      let digits = index == focus ? entry ?? String(number) : String(number)
      let space = String(repeating: " ", count: 3 - digits.count + (isWide ? 1 : 0))
      // On a wide screen, the gap between the swatches and the first number is twice that between numbers.
      return label(name + space + digits, after: isWide ? (index == 0 ? 4 : 2) : 1)
    }
    return (swatches, numbers)
  }

  private mutating func press(column: Int, row: Int) {
    guard areas != nil, row == size.height - 2 else { return }
    let labels = labels
    for (swatch, label) in zip(ColorPicker.Swatch.allCases, labels.swatches)
    where label.columns.contains(column) { select(swatch) }
    for (index, label) in labels.numbers.enumerated() where label.columns.contains(column) {
      (focus, entry) = (index, nil)
    }
  }

  // MARK: Drawing

  /// The areas of wheel and bar; nil if the screen is too small.
  private var areas: (wheel: PadFrame, bar: Area)? {
    guard var space = size.content else { return nil }
    space.width -= Self.barWidth + 3
    guard let wheel = PadFrame(in: space) else { return nil }
    let bar = Area(
      column: wheel.area.column + wheel.area.width + 3, row: wheel.area.row, width: Self.barWidth,
      height: wheel.area.height)
    return (wheel, bar)
  }

  public func draw(at now: Duration) -> Canvas {
    guard let areas else { return size.tooSmall }
    let hsb = picker.wheel.hsb
    func percent(_ part: Double) -> String { "\(Decimal.text(100 * part, digits: 0)) %" }
    let parts = [
      title, "hue \(Decimal.text(hsb.hue, digits: 0))°", "saturation \(percent(hsb.saturation))",
      "brightness \(percent(hsb.brightness))",
    ]
    var canvas = Canvas(
      size, name: "sphero led", link: isLinkLost ? .lost : nil, header: parts.map { ($0, .plain) },
      message: remark,
      help: focus == nil
        ? "Enter: keep  Esc: undo  arrows + - or drag: pick  Tab: numbers  p c: swatches"
        : "Enter: keep  Esc: undo  digits, up, down: number  Tab: next  p c: swatches")
    drawWheel(on: &canvas, areas.wheel)
    drawBar(on: &canvas, areas.bar)
    drawRow(on: &canvas)
    return canvas
  }

  private func drawRow(on canvas: inout Canvas) {
    let (row, labels) = (size.height - 2, labels)
    for (swatch, label) in zip(ColorPicker.Swatch.allCases, labels.swatches) {
      let isSelected = picker.selection == swatch
      canvas.write(label.text, column: label.columns.lowerBound, row: row, isSelected ? .bold : .plain)
      let color = swatch == .previous ? picker.previous : picker.current
      canvas.write("██", column: label.columns.lowerBound + 1, row: row, Style(color))
    }
    var end = 0
    for (index, label) in labels.numbers.enumerated() {
      let focused = Style(.black, on: Palette.good, isBold: true)
      end = canvas.write(
        label.text, column: label.columns.lowerBound, row: row, index == focus ? focused : .bold)
    }
    if size.width >= Self.wideRow { canvas.write("\(color)", column: end + 2, row: row) }
  }

  private func color(at point: Point, _ frame: PadFrame) -> RGB? {
    guard frame.contains(point), let deflection = frame.pad.deflection(at: point) else { return nil }
    return HSB(hue: deflection.hue, saturation: deflection.magnitude, brightness: picker.wheel.hsb.brightness)
      .map { RGB($0) }
  }

  private func drawWheel(on canvas: inout Canvas, _ frame: PadFrame) {
    let area = frame.area
    for row in area.row..<area.row + area.height {
      for column in area.column..<area.column + area.width {
        let middle = PadFrame.point(column: column, row: row)
        // A cell shows two colours, one in each half; the halves are nearly square.
        let upper = color(at: Point(x: middle.x, y: middle.y - 0.25), frame)
        let lower = color(at: Point(x: middle.x, y: middle.y + 0.25), frame)
        if let upper {
          canvas[column, row] = Cell("▀", Style(upper, on: lower))
        } else if let lower {
          canvas[column, row] = Cell("▄", Style(lower))
        }
      }
    }
    canvas.symbol("o", onPad: picker.wheel.marker, Style(color.contrast, on: color, isBold: true))
  }

  private func drawBar(on canvas: inout Canvas, _ area: Area) {
    let hsb = picker.wheel.hsb
    let steps = Double(2 * area.height - 1)
    func shade(_ half: Int) -> RGB {
      let brightness = 1 - Double(half) / steps
      return HSB(hue: hsb.hue, saturation: hsb.saturation, brightness: brightness).map { RGB($0) } ?? color
    }
    for row in 0..<area.height {
      let cell = Cell("▀", Style(shade(2 * row), on: shade(2 * row + 1)))
      for column in 0..<area.width { canvas[area.column + column, area.row + row] = cell }
    }
    let marked = area.row + Int(((1 - hsb.brightness) * Double(area.height - 1)).rounded())
    canvas[area.column - 1, marked] = Cell("▶")
    canvas[area.column + area.width, marked] = Cell("◀")
  }
}

extension RGB {
  /// Black on a light colour, white on a dark one; the weights 3 : 6 : 1 approximate the perceived brightness.
  fileprivate var contrast: RGB {
    let light = 3 * Int(red) + 6 * Int(green) + Int(blue)
    return light > 10 * 128 ? .black : .white
  }
}
