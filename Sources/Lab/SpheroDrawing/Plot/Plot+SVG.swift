// The picture of a plot as SVG: panels over time, attitudes in a row, the trail on the floor.

import SpheroControls
import SpheroOrientation
import SpheroProtocol

extension Plot {
  /// Positions and sizes in units of the picture.
  private enum Layout {
    static let width = 960.0
    /// The left edge of all panels, and their width.
    static let left = 72.0
    static let span = 864.0
    /// The upper edge of the first panel.
    static let top = 88.0
    static let panelHeight = 120.0
    /// The distance between the upper edges of panels.
    static let panelPitch = 184.0
    /// The number of attitudes in a row, and the radius of each.
    static let balls = 8
    static let radius = 44.0
    static let ballPitch = 170.0
    static let floor = 480.0
    static let trailColors = 48
  }

  private func x(_ time: Double) -> Double {
    Layout.left + (offset(time, of: Layout.span) ?? Layout.span / 2)
  }

  /// The offset of a time on an axis of a length for the whole recording; nil if its duration is 0.
  private func offset(_ time: Double, of length: Double) -> Double? {
    let start = start ?? 0
    return end > start ? length * (time - start) / (end - start) : nil
  }

  /// A complete SVG document with light and dark colours.
  public func svg() -> String {
    var body = SVG()
    var top = Layout.top
    for panel in panels where !panel.isOmitted {
      draw(panel, at: top, in: &body)
      top += Layout.panelPitch
    }
    if !attitudes.isEmpty {
      drawAttitudes(at: top, in: &body)
      top += Layout.ballPitch
    }
    if trail.points.count > 1 {
      drawFloor(at: top, in: &body)
      top += Layout.floor + 48
    }
    let (width, height) = (SVG.number(Layout.width), SVG.number(top))
    var picture = SVG()
    picture.raw(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" height=\"\(height)\" role=\"img\">"
    )
    picture.raw("<title>\(SVG.escaped(title))</title>")
    picture.raw("<style>\(Self.style)</style>")
    picture.raw("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>")
    picture.label(title, x: Layout.left, y: 32, class: "title")
    picture.label(summary, x: Layout.left, y: 52, class: "note")
    picture.raw(body.text + "</svg>")
    return picture.text
  }

  /// An HTML page with the same picture.
  public func html() -> String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><title>\(SVG.escaped(title))</title>
    <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
    <style>body{margin:0;background:#fff}svg{display:block;margin:auto;max-width:100%;height:auto}
    @media (prefers-color-scheme:dark){body{background:#14171a}}</style></head><body>
    \(svg())</body></html>

    """
  }

  private var summary: String {
    var text = "\(count) sample\(count == 1 ? "" : "s") in \(Decimal.text(end - (start ?? 0), digits: 3)) s"
    if restarts > 0 { text += ", \(restarts + 1) recordings one after the other" }
    return text
  }

  // MARK: Panels

  private func draw(_ panel: Panel, at top: Double, in body: inout SVG) {
    let bottom = top + Layout.panelHeight
    let ranges = panel.series.compactMap { $0.envelope.range }
    let range = ranges.dropFirst().reduce(ranges.first) { range, other in
      range?.extended(to: other.lowerBound).extended(to: other.upperBound)
    }
    let scale = Scale(range?.lowerBound ?? 0, range?.upperBound ?? 0)
    func y(_ value: Double) -> Double { bottom - Layout.panelHeight * scale.fraction(of: value) }
    for tick in scale.ticks {
      body.line(
        from: Point(x: Layout.left, y: y(tick)), to: Point(x: Layout.left + Layout.span, y: y(tick)),
        class: "grid")
      body.label(Decimal.text(tick, digits: scale.digits), x: Layout.left - 8, y: y(tick) + 4, class: "end")
    }
    drawTimes(from: top, to: bottom, in: &body)
    var left = Layout.left
    for (index, series) in panel.series.enumerated() {
      body.line(
        from: Point(x: left, y: top - 14), to: Point(x: left + 18, y: top - 14), class: "s\(index) key")
      let text = series.name + (panel.unit.isEmpty ? "" : " (\(panel.unit.drop { $0 == " " }))")
      body.label(text, x: left + 24, y: top - 10)
      left += 48 + 7.5 * Double(text.unicodeScalars.count)
    }
    for (index, series) in panel.series.enumerated() {
      for line in series.envelope.lines {
        body.line(line.map { Point(x: x($0.time), y: y($0.value)) }, class: "s\(index)")
      }
    }
    if range == nil { body.label("no values", x: Layout.left + 8, y: top + 20, class: "note") }
  }

  private func drawTimes(from top: Double, to bottom: Double, in body: inout SVG) {
    let start = start ?? 0
    let times = Scale(exactly: start, end, ticks: 8)
    for tick in end > start ? times.ticks : [start] {
      body.line(from: Point(x: x(tick), y: top), to: Point(x: x(tick), y: bottom), class: "grid")
      body.label(Decimal.text(tick, digits: times.digits) + " s", x: x(tick), y: bottom + 18, class: "middle")
    }
  }

  // MARK: Attitudes

  private func drawAttitudes(at top: Double, in body: inout SVG) {
    body.label(
      "attitude seen from behind, nose filled, tail light blue; below: time; pitch, roll, yaw",
      x: Layout.left, y: top - 10)
    let start = start ?? 0
    for index in 0..<Layout.balls {
      let fraction = (Double(index) + 0.5) / Double(Layout.balls)
      let time = start + (end - start) * fraction
      guard let nearest = attitudes.min(by: { abs($0.time - time) < abs($1.time - time) }) else { continue }
      let center = Point(x: Layout.left + Layout.span * fraction, y: top + Layout.radius + 4)
      func scaled(_ point: Point) -> Point {
        Point(x: center.x + Layout.radius * point.x, y: center.y + Layout.radius * point.y)
      }
      let ball = AttitudeBall(nearest.attitude)
      body.circle(center, radius: Layout.radius, class: "ball")
      for (ring, points) in ball.lines {
        body.line(points.map(scaled), class: ring == .horizontal ? "s0" : "s1")
      }
      if ball.nose.isVisible { body.circle(scaled(ball.nose.point), radius: 4, class: "nose") }
      if ball.tail.isVisible { body.circle(scaled(ball.tail.point), radius: 4, class: "tail") }
      body.label(
        Decimal.text(nearest.time, digits: 1) + " s", x: center.x, y: top + 2 * Layout.radius + 22,
        class: "middle")
      let angles = nearest.attitude.pitchRollYaw
      let texts = [angles.pitch, angles.roll, angles.yaw].map { Decimal.text($0.degrees, digits: 0) + "°" }
      body.label(
        texts.joined(separator: " "), x: center.x, y: top + 2 * Layout.radius + 38, class: "middle note")
    }
  }

  // MARK: Floor

  private func drawFloor(at top: Double, in body: inout SVG) {
    let points = trail.line
    let side = Layout.floor - 40
    let (left, upper) = (Layout.left + 20, top + 20)
    let projection = TrailProjection(points, width: side, height: side)
    func projected(_ x: Double, _ y: Double) -> Point {
      let point = projection.point(x: x, y: y)
      return Point(x: left + point.x, y: upper + point.y)
    }
    body.label("path on the floor, ahead is up (cm); colour is time", x: Layout.left, y: top - 10)
    body.rectangle(x: Layout.left, y: top, width: Layout.floor, height: Layout.floor, class: "frame")
    drawGrid(projection, left: left, upper: upper, side: side, in: &body)
    let origin = projected(0, 0)
    body.line(
      from: Point(x: origin.x - 6, y: origin.y), to: Point(x: origin.x + 6, y: origin.y), class: "mark")
    body.line(
      from: Point(x: origin.x, y: origin.y - 6), to: Point(x: origin.x, y: origin.y + 6), class: "mark")
    func colorIndex(_ time: Double) -> Int {
      offset(time, of: Double(Layout.trailColors)).map { min(Layout.trailColors - 1, Int($0)) } ?? 0
    }
    var piece: [Point] = []
    var current = points.first.map { colorIndex($0.time) } ?? 0
    for next in points {
      // Adjacent pieces share a point, so that there is no gap between two colours.
      let point = projected(next.x, next.y)
      piece.append(point)
      let index = colorIndex(next.time)
      if index != current {
        body.line(piece, class: "path", style: "stroke:\(Self.trailColor(index))")
        (piece, current) = ([point], index)
      }
    }
    if piece.count > 1 { body.line(piece, class: "path", style: "stroke:\(Self.trailColor(current))") }
    if let last = points.last { body.circle(projected(last.x, last.y), radius: 5, class: "nose") }
    drawColorBar(at: top, in: &body)
  }

  private func drawGrid(
    _ projection: TrailProjection, left: Double, upper: Double, side: Double, in body: inout SVG
  ) {
    let half = side / projection.scale / 2
    let right = Scale(exactly: projection.center.x - half, projection.center.x + half, ticks: 6)
    for tick in right.ticks {
      let x = left + projection.point(x: tick, y: 0).x
      body.line(from: Point(x: x, y: upper - 20), to: Point(x: x, y: upper + side + 20), class: "grid")
      body.label(Decimal.text(tick, digits: right.digits), x: x, y: upper + side + 36, class: "middle")
    }
    let ahead = Scale(exactly: projection.center.y - half, projection.center.y + half, ticks: 6)
    for tick in ahead.ticks {
      let y = upper + projection.point(x: 0, y: tick).y
      body.line(from: Point(x: left - 20, y: y), to: Point(x: left + side + 20, y: y), class: "grid")
      body.label(Decimal.text(tick, digits: ahead.digits), x: Layout.left - 8, y: y + 4, class: "end")
    }
  }

  private func drawColorBar(at top: Double, in body: inout SVG) {
    let (x, height) = (Layout.left + Layout.floor + 32, Layout.floor)
    for index in 0..<Layout.trailColors {
      body.rectangle(
        x: x, y: top + height * (1 - Double(index + 1) / Double(Layout.trailColors)), width: 16,
        height: height / Double(Layout.trailColors) + 0.5, style: "fill:\(Self.trailColor(index))")
    }
    let times = Scale(exactly: start ?? 0, end, ticks: 6)
    for tick in times.ticks {
      guard let fraction = offset(tick, of: 1) else { return }
      body.label(
        Decimal.text(tick, digits: times.digits) + " s", x: x + 24, y: top + height * (1 - fraction) + 4)
    }
  }

  /// The colour of a time: from blue over magenta to orange, visible on light and dark backgrounds.
  private static func trailColor(_ index: Int) -> String {
    let part = Double(index) / Double(Layout.trailColors - 1)
    return HSB(hue: 215 + 175 * part, saturation: 0.85, brightness: 0.85).map { "\(RGB($0))" } ?? "#888888"
  }

  private static let style = """
    svg{--paper:#fff;--ink:#1b1f24;--note:#5b646e;--grid:#dfe3e8;--s0:#0072b2;--s1:#d55e00;--s2:#00805c;--s3:#b0558c}
    @media (prefers-color-scheme:dark){svg{--paper:#14171a;--ink:#e6e9ec;--note:#9aa4ae;--grid:#343b43;\
    --s0:#56b4e9;--s1:#f0904a;--s2:#2fc79a;--s3:#e08fc4}}
    .paper{fill:var(--paper)}text{font:12px system-ui,sans-serif;fill:var(--ink)}.title{font-size:18px;font-weight:600}
    .note{fill:var(--note)}.end{text-anchor:end}.middle{text-anchor:middle}
    polyline{fill:none;stroke-width:1.2;stroke-linejoin:round}.grid{stroke:var(--grid);stroke-width:1}
    .key{stroke-width:3}.mark{stroke:var(--note)}.path{stroke-width:2.5;stroke-linecap:round}
    .s0{stroke:var(--s0)}.s1{stroke:var(--s1)}.s2{stroke:var(--s2)}.s3{stroke:var(--s3)}
    .dot{fill:var(--ink)}.ball,.frame{fill:none;stroke:var(--note)}.nose{fill:var(--ink)}.tail{fill:#3070ff}
    """
}

/// A sequence of SVG elements as text; the parameter `class` names CSS classes.
private struct SVG {
  private(set) var text = ""

  /// A number with at most two decimals.
  static func number(_ value: Double) -> String {
    var text = Decimal.text(value.isFinite ? value : 0, digits: 2)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// Text with markup escaped, and control characters and noncharacters replaced.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default:
        let isForbidden =
          scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE
        escaped.unicodeScalars.append(isForbidden ? "?" : scalar)
      }
    }
    return escaped
  }

  mutating func raw(_ line: String) { text += line + "\n" }

  /// Adds a line through points; a single point becomes a dot.
  mutating func line(_ points: [Point], class name: String, style: String = "") {
    let style = style.isEmpty ? "" : " style=\"\(style)\""
    if points.count == 1, let point = points.first {
      raw(
        "<circle class=\"\(name) dot\"\(style) cx=\"\(Self.number(point.x))\" cy=\"\(Self.number(point.y))\" r=\"1.5\"/>"
      )
    } else if points.count > 1 {
      let points = points.map { "\(Self.number($0.x)),\(Self.number($0.y))" }.joined(separator: " ")
      raw("<polyline class=\"\(name)\"\(style) points=\"\(points)\"/>")
    }
  }

  mutating func line(from start: Point, to end: Point, class name: String) {
    line([start, end], class: name)
  }

  mutating func circle(_ center: Point, radius: Double, class name: String) {
    raw(
      "<circle class=\"\(name)\" cx=\"\(Self.number(center.x))\" cy=\"\(Self.number(center.y))\" r=\"\(Self.number(radius))\"/>"
    )
  }

  mutating func rectangle(
    x: Double, y: Double, width: Double, height: Double, class name: String = "", style: String = ""
  ) {
    let (x, y, width, height) = (Self.number(x), Self.number(y), Self.number(width), Self.number(height))
    let name = name.isEmpty ? "" : " class=\"\(name)\""
    let style = style.isEmpty ? "" : " style=\"\(style)\""
    raw("<rect\(name) x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\"\(style)/>")
  }

  /// Adds text; the classes `end` and `middle` align it.
  mutating func label(_ content: String, x: Double, y: Double, class name: String = "") {
    let name = name.isEmpty ? "" : " class=\"\(name)\""
    raw("<text\(name) x=\"\(Self.number(x))\" y=\"\(Self.number(y))\">\(Self.escaped(content))</text>")
  }
}
