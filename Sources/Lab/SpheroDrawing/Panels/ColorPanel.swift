// The colour wheel on a screen, with its brightness: keys and mouse in; the colour, and the picture, out.

public import SpheroControls
import SpheroProtocol

/// A colour wheel and a bar of brightness that pick a colour on a terminal.
public struct ColorPanel: Panel {
  /// By how many degrees a key turns the hue, and one with Shift.
  public static let (step, largeStep) = (5.0, 30.0)
  /// By how much a key changes saturation or brightness.
  public static let partStep = 0.05
  /// The smallest screen.
  public static let (leastWidth, leastHeight) = (36, 12)
  /// The columns of the bar.
  private static let barWidth = 3

  /// What the mouse holds.
  private enum Grip {
    case wheel, bar
  }

  /// What the robot is called, or where it is.
  public var title = ""
  /// Whether the line is lost: the robot gets the colour when it is back.
  public var isLinkLost = false
  /// A remark for the person.
  public var remark: (text: String, weight: Monitor.Weight)?
  private var wheel: ColorWheel
  private var grip: Grip?
  private var size = (width: 0, height: 0)

  /// Creates a wheel that shows a colour.
  public init(_ color: RGB) {
    // Any pad will do until there is a screen.
    wheel = ColorWheel(pad: .unit, color: color)
  }

  /// The colour picked.
  public var color: RGB { wheel.color }

  // MARK: Inputs

  /// Takes the size of the screen; what the mouse held is somewhere else by then.
  public mutating func resize(width: Int, height: Int) {
    guard (width, height) != size else { return }
    (size, grip) = ((width, height), nil)
    if let pad = areas?.wheel.pad { wheel.pad = pad }
  }

  /// Takes what a hand does.
  public mutating func take(_ input: TerminalInput, at now: Duration) -> PanelOutcome {
    switch input {
    case .key(let press):
      let step = press.modifiers.contains(.shift) ? Self.largeStep : Self.step
      switch press.key {
      case .escape, .character("q"), .character("Q"): return .cancelled
      case .enter: return .confirmed
      case .left: wheel.turn(hueBy: -step)
      case .right: wheel.turn(hueBy: step)
      case .up: wheel.setSaturation(Self.step(wheel.hsb.saturation, Self.partStep))
      case .down: wheel.setSaturation(Self.step(wheel.hsb.saturation, -Self.partStep))
      case .pageUp, .character("+"), .character("="): changeBrightness(by: Self.partStep)
      case .pageDown, .character("-"), .character("_"): changeBrightness(by: -Self.partStep)
      default: break
      }
    case .mouse(let event):
      switch event.action {
      case .press:
        grip = grip(event.column, event.row)
        pick(event.column, event.row)
      case .drag: pick(event.column, event.row)
      case .release: grip = nil
      case .scrollUp: changeBrightness(by: Self.partStep)
      case .scrollDown: changeBrightness(by: -Self.partStep)
      case .move: break
      }
    }
    return .goesOn
  }

  private mutating func changeBrightness(by step: Double) {
    wheel.setBrightness(Self.step(wheel.hsb.brightness, step))
  }

  /// A part and a step, in whole hundredths: many steps add up to what they say.
  private static func step(_ part: Double, _ step: Double) -> Double { ((part + step) * 100).rounded() / 100 }

  private func grip(_ column: Int, _ row: Int) -> Grip? {
    guard let areas else { return nil }
    if areas.wheel.contains(PadFrame.point(column: column, row: row)) { return .wheel }
    let bar = areas.bar
    let isOnBar =
      (bar.column..<bar.column + bar.width).contains(column) && (bar.row..<bar.row + bar.height).contains(row)
    return isOnBar ? .bar : nil
  }

  private mutating func pick(_ column: Int, _ row: Int) {
    guard let areas else { return }
    switch grip {
    case .wheel: wheel.pick(at: PadFrame.point(column: column, row: row))
    // The uppermost row is full brightness, the lowest one none.
    case .bar: wheel.setBrightness(1 - Double(row - areas.bar.row) / Double(areas.bar.height - 1))
    case nil: break
    }
  }

  /// Lets go of all that is held.
  public mutating func release() { grip = nil }

  // MARK: The picture

  /// Where wheel and bar are; nil where the screen is too small.
  private var areas: (wheel: PadFrame, bar: Area)? {
    guard size.width >= Self.leastWidth, size.height >= Self.leastHeight else { return nil }
    let space = Area(row: 2, width: size.width - Self.barWidth - 3, height: size.height - 4)
    guard let wheel = PadFrame(in: space) else { return nil }
    let bar = Area(
      column: wheel.area.column + wheel.area.width + 3, row: wheel.area.row, width: Self.barWidth,
      height: wheel.area.height)
    return (wheel, bar)
  }

  /// Draws the panel, or that the screen is too small for it.
  public func draw(at now: Duration) -> Canvas {
    var canvas = Canvas(width: size.width, height: size.height)
    guard let areas else {
      canvas.tooSmall(leastWidth: Self.leastWidth, leastHeight: Self.leastHeight)
      return canvas
    }
    var parts: [(text: String, style: Style)] = [("sphero led", .bold)]
    if isLinkLost { parts.append(("link lost, reconnecting", Style(Palette.alarm, isBold: true))) }
    parts.append((title, .plain))
    canvas.head(parts)
    if let remark { canvas.write(remark.text, column: 0, row: 1, remark.weight.style) }
    drawWheel(on: &canvas, areas.wheel)
    drawBar(on: &canvas, areas.bar)
    let hsb = wheel.hsb
    func percent(_ part: Double) -> String { "\(Decimal.text(100 * part, digits: 0)) %" }
    let row = size.height - 2
    let column = canvas.write("██ ", column: 0, row: row, Style(color))
    canvas.write(
      "\(color)  hue \(Decimal.text(hsb.hue, digits: 0))°  saturation \(percent(hsb.saturation))"
        + "  brightness \(percent(hsb.brightness))", column: column, row: row, .bold)
    canvas.write(
      "Enter: keep  Esc: undo  arrows: hue, saturation  + -: brightness  or drag",
      column: 0,
      row: row + 1, Style(Palette.faint))
    return canvas
  }

  /// The colour of a point of the wheel; nil off the wheel.
  private func color(at point: Point, _ frame: PadFrame) -> RGB? {
    guard frame.contains(point), let place = frame.pad.deflection(at: point) else { return nil }
    return HSB(hue: place.hue, saturation: place.magnitude, brightness: wheel.hsb.brightness).map { RGB($0) }
  }

  private func drawWheel(on canvas: inout Canvas, _ frame: PadFrame) {
    let area = frame.area
    for row in area.row..<area.row + area.height {
      for column in area.column..<area.column + area.width {
        let middle = PadFrame.point(column: column, row: row)
        // Two halves a cell are nearly square.
        let upper = color(at: Point(x: middle.x, y: middle.y - 0.25), frame)
        let lower = color(at: Point(x: middle.x, y: middle.y + 0.25), frame)
        if let upper {
          canvas[column, row] = Cell("▀", Style(upper, on: lower))
        } else if let lower {
          canvas[column, row] = Cell("▄", Style(lower))
        }
      }
    }
    let cell = PadFrame.cell(of: wheel.marker)
    canvas[cell.column, cell.row] = Cell("o", Style(color.contrast, on: color, isBold: true))
  }

  private func drawBar(on canvas: inout Canvas, _ area: Area) {
    let hsb = wheel.hsb
    let steps = Double(2 * area.height - 1)
    func shade(_ half: Int) -> RGB {
      let brightness = 1 - Double(half) / steps
      return HSB(hue: hsb.hue, saturation: hsb.saturation, brightness: brightness).map { RGB($0) } ?? color
    }
    let marked = Int(((1 - hsb.brightness) * Double(area.height - 1)).rounded())
    for row in 0..<area.height {
      for column in 0..<area.width {
        canvas[area.column + column, area.row + row] = Cell(
          "▀", Style(shade(2 * row), on: shade(2 * row + 1)))
      }
      if row == marked {
        canvas[area.column - 1, area.row + row] = Cell("▶")
        canvas[area.column + area.width, area.row + row] = Cell("◀")
      }
    }
  }
}

extension RGB {
  /// Black or white, whichever can be told from this colour; the eye sees green best.
  fileprivate var contrast: RGB {
    let light = 3 * Int(red) + 6 * Int(green) + Int(blue)
    return light > 10 * 128 ? RGB(red: 0, green: 0, blue: 0) : RGB(red: 255, green: 255, blue: 255)
  }
}
