// The picture of a plot as SVG: panels over time, attitudes in a row, the path on the floor.

import SpheroControls
import SpheroOrientation
import SpheroProtocol

extension Plot {
  /// Where things are in the picture, in its units.
  enum Layout {
    /// How wide the picture is.
    static let width = 960.0
    /// The left edge of all panels, and how wide they are.
    static let left = 72.0
    static let span = 864.0
    /// The upper edge of the first panel.
    static let top = 88.0
    /// How high a panel is, and how far the next one lies below its upper edge.
    static let panelHeight = 120.0
    static let panelPitch = 184.0
    /// The attitudes in a row, and the radius of each.
    static let balls = 8
    static let radius = 44.0
    static let ballPitch = 170.0
    /// The sides of the floor.
    static let floor = 480.0
    /// The pieces of one colour on the way over the floor.
    static let pathColors = 48
  }

  /// The place of a time from left to right.
  private func x(_ time: Double) -> Double {
    let start = self.start ?? 0
    return Layout.left + (end > start ? Layout.span * (time - start) / (end - start) : Layout.span / 2)
  }

  /// A whole document of SVG, readable by itself, in light and dark.
  public func svg() -> String {
    var body = SVGText()
    var top = Layout.top
    for panel in panels {
      draw(panel, at: top, in: &body)
      top += Layout.panelPitch
    }
    if !attitudes.isEmpty {
      drawAttitudes(at: top, in: &body)
      top += Layout.ballPitch
    }
    if path.places.count > 1 {
      drawFloor(at: top, in: &body)
      top += Layout.floor + 48
    }
    let (width, height) = (SVGText.number(Layout.width), SVGText.number(top))
    var picture = SVGText()
    picture.raw(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" height=\"\(height)\" role=\"img\">"
    )
    picture.raw("<title>\(SVGText.escaped(title))</title>")
    picture.raw("<style>\(Self.style)</style>")
    picture.raw("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>")
    picture.label(title, x: Layout.left, y: 32, class: "title")
    picture.label(summary, x: Layout.left, y: 52, class: "note")
    picture.raw(body.text + "</svg>")
    return picture.text
  }

  /// A page of HTML that shows the same.
  public func html() -> String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><title>\(SVGText.escaped(title))</title>
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

  private func draw(_ panel: Panel, at top: Double, in body: inout SVGText) {
    let bottom = top + Layout.panelHeight
    var extremes: Extremes?
    for case let range? in panel.series.map({ $0.envelope.extremes }) {
      if extremes == nil {
        extremes = range
      } else {
        extremes?.take(range.lowest)
        extremes?.take(range.highest)
      }
    }
    let scale = Scale(extremes?.lowest ?? 0, extremes?.highest ?? 0)
    func y(_ value: Double) -> Double { bottom - Layout.panelHeight * scale.part(value) }
    let right = Layout.left + Layout.span
    for tick in scale.ticks {
      body.line([Point(x: Layout.left, y: y(tick)), Point(x: right, y: y(tick))], class: "grid")
      body.label(
        Decimal.text(tick, digits: scale.digits), x: Layout.left - 8, y: y(tick) + 4, class: "end")
    }
    drawTimes(from: top, to: bottom, in: &body)
    // The legend: a piece of the line, the name, the unit.
    var place = Layout.left
    for (index, series) in panel.series.enumerated() {
      body.line([Point(x: place, y: top - 14), Point(x: place + 18, y: top - 14)], class: "s\(index) key")
      let text = series.name + (panel.unit.isEmpty ? "" : " (\(panel.unit.drop { $0 == " " }))")
      body.label(text, x: place + 24, y: top - 10)
      place += 48 + 7.5 * Double(text.unicodeScalars.count)
    }
    for (index, series) in panel.series.enumerated() {
      for line in series.envelope.lines {
        body.line(line.map { Point(x: x($0.time), y: y($0.value)) }, class: "s\(index)")
      }
    }
    if extremes == nil { body.label("no values", x: Layout.left + 8, y: top + 20, class: "note") }
  }

  private func drawTimes(from top: Double, to bottom: Double, in body: inout SVGText) {
    let start = self.start ?? 0
    let times = Scale(exactly: start, end, ticks: 8)
    for tick in end > start ? times.ticks : [start] {
      body.line([Point(x: x(tick), y: top), Point(x: x(tick), y: bottom)], class: "grid")
      body.label(
        Decimal.text(tick, digits: times.digits) + " s", x: x(tick), y: bottom + 18, class: "middle")
    }
  }

  // MARK: Attitudes

  private func drawAttitudes(at top: Double, in body: inout SVGText) {
    body.label(
      "attitude seen from behind, nose filled, tail light blue; below: time; pitch, roll, yaw",
      x: Layout.left,
      y: top - 10)
    let start = self.start ?? 0
    for index in 0..<Layout.balls {
      let time = start + (end - start) * (Double(index) + 0.5) / Double(Layout.balls)
      guard let nearest = attitudes.min(by: { abs($0.time - time) < abs($1.time - time) }) else { continue }
      let center = Point(
        x: Layout.left + Layout.span * (Double(index) + 0.5) / Double(Layout.balls),
        y: top + Layout.radius + 4)
      func place(_ point: Point) -> Point {
        Point(x: center.x + Layout.radius * point.x, y: center.y + Layout.radius * point.y)
      }
      let ball = AttitudeBall(nearest.attitude)
      body.circle(center, radius: Layout.radius, class: "ball")
      for (ring, points) in ball.lines {
        body.line(points.map(place), class: ring == .deck ? "s0" : "s1")
      }
      if ball.nose.isVisible { body.circle(place(ball.nose.point), radius: 4, class: "nose") }
      if ball.tail.isVisible { body.circle(place(ball.tail.point), radius: 4, class: "tail") }
      body.label(
        Decimal.text(nearest.time, digits: 1) + " s", x: center.x, y: top + 2 * Layout.radius + 22,
        class: "middle")
      let angles = nearest.attitude.pitchRollYaw
      let words = [angles.pitch, angles.roll, angles.yaw].map { Decimal.text($0.degrees, digits: 0) + "°" }
      body.label(
        words.joined(separator: " "), x: center.x, y: top + 2 * Layout.radius + 38, class: "middle note")
    }
  }

  // MARK: Floor

  private func drawFloor(at top: Double, in body: inout SVGText) {
    let places = path.line
    let side = Layout.floor - 40
    let (left, upper) = (Layout.left + 20, top + 20)
    let view = FloorView(places, width: side, height: side)
    func place(_ x: Double, _ y: Double) -> Point {
      let point = view.point(x: x, y: y)
      return Point(x: left + point.x, y: upper + point.y)
    }
    body.label("path on the floor, ahead is up (cm); colour is time", x: Layout.left, y: top - 10)
    body.raw(
      "<rect class=\"frame\" x=\"\(SVGText.number(Layout.left))\" y=\"\(SVGText.number(top))\" width=\"\(SVGText.number(Layout.floor))\" height=\"\(SVGText.number(Layout.floor))\"/>"
    )
    drawGrid(view, left: left, upper: upper, side: side, in: &body)
    let origin = place(0, 0)
    body.line(
      [Point(x: origin.x - 6, y: origin.y), Point(x: origin.x + 6, y: origin.y)], class: "mark")
    body.line(
      [Point(x: origin.x, y: origin.y - 6), Point(x: origin.x, y: origin.y + 6)], class: "mark")
    let start = self.start ?? 0
    func color(_ time: Double) -> Int {
      guard end > start else { return 0 }
      return min(Layout.pathColors - 1, Int(Double(Layout.pathColors) * (time - start) / (end - start)))
    }
    var piece: [Point] = []
    var shown = places.first.map { color($0.time) } ?? 0
    for next in places {
      // Pieces share a point, so that no gap is left between two colours.
      piece.append(place(next.x, next.y))
      let present = color(next.time)
      if present != shown {
        body.line(piece, class: "path", style: "stroke:\(Self.pathColor(present))")
        piece = [place(next.x, next.y)]
        shown = present
      }
    }
    if piece.count > 1 { body.line(piece, class: "path", style: "stroke:\(Self.pathColor(shown))") }
    if let last = places.last { body.circle(place(last.x, last.y), radius: 5, class: "nose") }
    drawColorBar(at: top, in: &body)
  }

  private func drawGrid(
    _ view: FloorView, left: Double, upper: Double, side: Double, in body: inout SVGText
  ) {
    let half = side / view.scale / 2
    let right = Scale(exactly: view.center.x - half, view.center.x + half, ticks: 6)
    for tick in right.ticks {
      let x = left + view.point(x: tick, y: 0).x
      body.line([Point(x: x, y: upper - 20), Point(x: x, y: upper + side + 20)], class: "grid")
      body.label(
        Decimal.text(tick, digits: right.digits), x: x, y: upper + side + 36, class: "middle")
    }
    let ahead = Scale(exactly: view.center.y - half, view.center.y + half, ticks: 6)
    for tick in ahead.ticks {
      let y = upper + view.point(x: 0, y: tick).y
      body.line([Point(x: left - 20, y: y), Point(x: left + side + 20, y: y)], class: "grid")
      body.label(Decimal.text(tick, digits: ahead.digits), x: Layout.left - 8, y: y + 4, class: "end")
    }
  }

  private func drawColorBar(at top: Double, in body: inout SVGText) {
    let (x, height) = (Layout.left + Layout.floor + 32, Layout.floor)
    for index in 0..<Layout.pathColors {
      let y = top + height * (1 - Double(index + 1) / Double(Layout.pathColors))
      body.raw(
        "<rect x=\"\(SVGText.number(x))\" y=\"\(SVGText.number(y))\" width=\"16\" height=\"\(SVGText.number(height / Double(Layout.pathColors) + 0.5))\" style=\"fill:\(Self.pathColor(index))\"/>"
      )
    }
    let start = self.start ?? 0
    let times = Scale(exactly: start, end, ticks: 6)
    for tick in end > start ? times.ticks : [] {
      let y = top + height * (1 - (tick - start) / (end - start))
      body.label(Decimal.text(tick, digits: times.digits) + " s", x: x + 24, y: y + 4)
    }
  }

  /// The colour of a piece of time: from blue over magenta to orange, neither too light nor too dark for either paper.
  static func pathColor(_ index: Int) -> String {
    let part = Double(index) / Double(Layout.pathColors - 1)
    return HSB(hue: 215 + 175 * part, saturation: 0.85, brightness: 0.85).map { "\(RGB($0))" } ?? "#888888"
  }

  /// Light by itself, dark where the reader's system is.
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
