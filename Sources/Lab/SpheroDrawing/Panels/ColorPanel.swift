// The colour wheel on a screen, with a bar for its brightness.

public import SpheroControls
import SpheroProtocol

/// A colour picker on a terminal.
public struct ColorPanel: Panel {
  /// The change of hue by a key in degrees, and that by a key with Shift.
  private static let (step, largeStep) = (5.0, 30.0)
  /// The change of saturation or brightness by a key.
  private static let fractionStep = 0.05
  private static let barWidth = 3

  private enum DragTarget {
    case wheel
    case bar
  }

  public var title = ""
  /// Whether the link is lost; the robot gets the colour after reconnection.
  public var isLinkLost = false
  public var remark: (text: String, weight: Monitor.Severity)?
  private var wheel: ColorWheel
  private var dragTarget: DragTarget?
  private var size = ScreenSize()

  /// Creates a picker that shows a colour.
  public init(_ color: RGB) { wheel = ColorWheel(pad: .unit, color: color) }

  public var color: RGB { wheel.color }

  // MARK: Inputs

  public mutating func resize(width: Int, height: Int) {
    let new = ScreenSize(width: width, height: height)
    guard new != size else { return }
    (size, dragTarget) = (new, nil)
    if let pad = areas?.wheel.pad { wheel.pad = pad }
  }

  public mutating func handle(_ input: TerminalInput, at now: Duration) -> PanelOutcome {
    switch input {
    case .key(let press):
      let step = press.modifiers.contains(.shift) ? Self.largeStep : Self.step
      switch press.key {
      case .escape, .character("q"), .character("Q"): return .cancelled
      case .enter: return .confirmed
      case .left: wheel.turn(hueBy: -step)
      case .right: wheel.turn(hueBy: step)
      case .up: wheel.setSaturation(Self.step(wheel.hsb.saturation, Self.fractionStep))
      case .down: wheel.setSaturation(Self.step(wheel.hsb.saturation, -Self.fractionStep))
      case .pageUp, .character("+"), .character("="): changeBrightness(by: Self.fractionStep)
      case .pageDown, .character("-"), .character("_"): changeBrightness(by: -Self.fractionStep)
      default: break
      }
    case .mouse(let event):
      switch event.action {
      case .press:
        dragTarget = target(of: event)
        pick(event)
      case .drag: pick(event)
      case .release: dragTarget = nil
      case .scrollUp: changeBrightness(by: Self.fractionStep)
      case .scrollDown: changeBrightness(by: -Self.fractionStep)
      case .move: break
      }
    }
    return .continues
  }

  private mutating func changeBrightness(by step: Double) {
    wheel.setBrightness(Self.step(wheel.hsb.brightness, step))
  }

  /// Adds a step in whole hundredths, so that rounding errors do not accumulate.
  private static func step(_ part: Double, _ step: Double) -> Double { ((part + step) * 100).rounded() / 100 }

  private func target(of event: MouseEvent) -> DragTarget? {
    guard let areas else { return nil }
    if areas.wheel.contains(PadFrame.point(column: event.column, row: event.row)) { return .wheel }
    return areas.bar.contains(column: event.column, row: event.row) ? .bar : nil
  }

  private mutating func pick(_ event: MouseEvent) {
    guard let areas else { return }
    switch dragTarget {
    case .wheel: wheel.pick(at: PadFrame.point(column: event.column, row: event.row))
    // The top row is full brightness, the bottom row 0.
    case .bar: wheel.setBrightness(1 - Double(event.row - areas.bar.row) / Double(areas.bar.height - 1))
    case nil: break
    }
  }

  public mutating func release() { dragTarget = nil }

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
    var canvas = Canvas(
      size, name: "sphero led", link: isLinkLost ? .lost : nil, header: [(title, .plain)], message: remark,
      help: "Enter: keep  Esc: undo  arrows: hue, saturation  + -: brightness  or drag")
    drawWheel(on: &canvas, areas.wheel)
    drawBar(on: &canvas, areas.bar)
    let hsb = wheel.hsb
    func percent(_ part: Double) -> String { "\(Decimal.text(100 * part, digits: 0)) %" }
    let row = size.height - 2
    let column = canvas.write("██ ", column: 0, row: row, Style(color))
    canvas.write(
      "\(color)  hue \(Decimal.text(hsb.hue, digits: 0))°  saturation \(percent(hsb.saturation))"
        + "  brightness \(percent(hsb.brightness))", column: column, row: row, .bold)
    return canvas
  }

  /// The colour of a point of the wheel; nil outside the wheel.
  private func color(at point: Point, _ frame: PadFrame) -> RGB? {
    guard frame.contains(point), let deflection = frame.pad.deflection(at: point) else { return nil }
    return HSB(hue: deflection.hue, saturation: deflection.magnitude, brightness: wheel.hsb.brightness)
      .map { RGB($0) }
  }

  private func drawWheel(on canvas: inout Canvas, _ frame: PadFrame) {
    let area = frame.area
    for row in area.row..<area.row + area.height {
      for column in area.column..<area.column + area.width {
        let middle = PadFrame.point(column: column, row: row)
        // The halves of a cell are nearly square.
        let upper = color(at: Point(x: middle.x, y: middle.y - 0.25), frame)
        let lower = color(at: Point(x: middle.x, y: middle.y + 0.25), frame)
        if let upper {
          canvas[column, row] = Cell("▀", Style(upper, on: lower))
        } else if let lower {
          canvas[column, row] = Cell("▄", Style(lower))
        }
      }
    }
    canvas.symbol("o", onPad: wheel.marker, Style(color.contrast, on: color, isBold: true))
  }

  private func drawBar(on canvas: inout Canvas, _ area: Area) {
    let hsb = wheel.hsb
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
  /// Black or white, whichever has more contrast; green contributes most to the perceived brightness.
  fileprivate var contrast: RGB {
    let light = 3 * Int(red) + 6 * Int(green) + Int(blue)
    return light > 10 * 128 ? RGB(red: 0, green: 0, blue: 0) : RGB(red: 255, green: 255, blue: 255)
  }
}
