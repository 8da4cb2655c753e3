// The picture of a monitor: a head, bars and traces at the left, attitude and path at the right, events below.

import SpheroControls
import SpheroOrientation
import SpheroProtocol

extension Monitor {
  /// The smallest picture; a smaller terminal is told so.
  public static let leastWidth = 24
  /// The smallest picture has so many rows.
  public static let leastHeight = 6

  /// Draws the state.
  ///
  /// - Parameters:
  ///   - width: How many columns the terminal has.
  ///   - height: How many rows.
  ///   - now: The time on the clock of the arrivals, for the rate.
  /// - Returns: The picture; a remark where the terminal is too small.
  func draw(width: Int, height: Int, now: Double) -> Canvas {
    var canvas = Canvas(width: width, height: height)
    guard width >= Self.leastWidth, height >= Self.leastHeight else {
      canvas.write("too small", column: 0, row: 0)
      return canvas
    }
    var rest = canvas.area
    drawHead(on: &canvas, rest.takeRows(1), now: now)
    let foot = Area(row: height - 1, width: width, height: 1)
    rest.height -= 1
    canvas.write("q quits", column: 0, row: foot.row, Style(Palette.faint))
    let eventRows = min(max(1, rest.height / 5), 6)
    var main = rest.takeRows(rest.height - eventRows)
    drawEvents(on: &canvas, rest)
    if width >= 60, main.height >= 6 {
      let fields = main.takeColumns(main.width - min(main.width * 2 / 5, 60))
      drawViews(on: &canvas, main)
      main = fields
    }
    drawRows(on: &canvas, main)
    return canvas
  }

  private func drawHead(on canvas: inout Canvas, _ area: Area, now: Double) {
    let (text, color) =
      switch link {
      case .live: ("live", Palette.good)
      case .silent: ("no samples", Palette.warning)
      case .lost: ("link lost, reconnecting", Palette.alarm)
      }
    var column = canvas.write("sphero monitor", column: 0, row: area.row, .bold)
    column = canvas.write(text, column: column + 2, row: area.row, Style(color, isBold: true))
    var parts: [(String, Style)] = [(title, .plain)]
    let measured = link == .lost ? nil : rate(at: now)
    parts.append(("\(measured.map { Decimal.text($0, digits: 1) } ?? "-")/s", .plain))
    parts.append(("\(lostSamples) lost", lostSamples > 0 ? Style(Palette.warning) : .plain))
    if reconnections > 0 { parts.append(("\(reconnections) reconnected", Style(Palette.warning))) }
    if let battery { parts.append((battery.text, battery.weight.style)) }
    parts.append(("\(Decimal.text(time, digits: 1)) s", .plain))
    if let color = self.color { parts.append(("● \(color)", Style(color.visible))) }
    for (text, style) in parts where !text.isEmpty {
      guard column + 2 + text.unicodeScalars.count <= area.width else { continue }
      column = canvas.write(text, column: column + 2, row: area.row, style)
    }
  }

  private func drawRows(on canvas: inout Canvas, _ area: Area) {
    guard area.height > 0 else { return }
    let nameWidth = min(rows.map { $0.name.count }.max() ?? 0, max(6, area.width / 3))
    let valueWidth = min(rows.map { 9 + $0.unit.unicodeScalars.count }.max() ?? 9, max(8, area.width / 3))
    let shown = rows.count <= area.height ? rows.count : max(0, area.height - 1)
    let left = max(0, area.width - nameWidth - valueWidth - 4)
    let barWidth = left >= 12 ? left / 2 : left
    for (index, row) in rows.prefix(shown).enumerated() {
      let y = area.row + index
      let color = Palette.series[index % Palette.series.count]
      canvas.write(row.name, column: area.column, row: y, limit: nameWidth)
      let value = row.value == nil ? "-" : row.text + row.unit
      canvas.write(
        value, endingBefore: area.column + nameWidth + 1 + valueWidth, row: y, link == .live ? .bold : .plain)
      // All rows of a unit share their scale, so that they can be compared.
      let limit = rows.filter { $0.unit == row.unit }.reduce(row.leastLimit) { limit, other in
        max(limit, Scale.roundLimit(other.history.magnitude(ofLatest: 2 * area.width)))
      }
      let start = area.column + nameWidth + valueWidth + 2
      canvas.bar(
        row.value, limit: limit, in: Area(column: start, row: y, width: barWidth, height: 1), color)
      canvas.trace(
        row.history.extremes, limit: limit,
        in: Area(column: start + barWidth + 1, row: y, width: left - barWidth, height: 1), color)
    }
    if shown < rows.count {
      canvas.write(
        "\(rows.count - shown) more fields; make the terminal taller", column: area.column,
        row: area.row + shown, Style(Palette.faint), limit: area.width)
    }
  }

  private func drawViews(on canvas: inout Canvas, _ area: Area) {
    var rest = area
    _ = rest.takeColumns(1)
    var ball = rest.takeRows(rest.height / 2)
    let label = ball.takeRows(1)
    canvas.write(attitudeText, column: label.column, row: label.row, limit: label.width)
    canvas.ball(attitude, in: ball, color?.visible)
    let floorLabel = rest.takeRows(1)
    let extent = canvas.floor(path, in: rest)
    var text = "floor"
    if let last = path.last {
      text += " \(Decimal.text(last.x, digits: 0)), \(Decimal.text(last.y, digits: 0)) cm"
    }
    if let extent { text += ", \(Decimal.text(extent, digits: 0)) cm wide" }
    canvas.write(text, column: floorLabel.column, row: floorLabel.row, limit: floorLabel.width)
  }

  private var attitudeText: String {
    guard let angles = attitude?.pitchRollYaw else { return "attitude unknown" }
    let parts = [("pitch", angles.pitch), ("roll", angles.roll), ("yaw", angles.yaw)]
    return parts.map { "\($0) \(Decimal.text($1.degrees, digits: 0))°" }.joined(separator: " ")
  }

  private func drawEvents(on canvas: inout Canvas, _ area: Area) {
    for (index, event) in events.suffix(area.height).enumerated() {
      let time = "\(Decimal.text(event.time, digits: 1)) s"
      let column = canvas.write(time, column: 0, row: area.row + index, Style(Palette.faint))
      canvas.write(event.text, column: max(column + 1, 9), row: area.row + index, event.weight.style)
    }
  }
}

extension Monitor.Weight {
  var style: Style {
    switch self {
    case .note: .plain
    case .warning: Style(Palette.warning)
    case .alarm: Style(Palette.alarm, isBold: true)
    }
  }
}
