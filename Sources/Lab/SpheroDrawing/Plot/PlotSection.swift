// The parts of the picture of one robot: events, panels over time, attitudes in a row, the trail on the floor.

import SpheroControls
import SpheroOrientation
import SpheroProtocol

extension PlotPicture {
  struct Section {
    private let picture: PlotPicture
    private let plot: Plot
    private let heights: Heights
    private var measures: Measures { picture.measures }
    private var top: Double
    private(set) var body = SVG()
    /// The events between the first and the last time of the picture, in order of time.
    private let marks: [Plot.Mark]

    /// The number of colours that represent times; each is one step of the colour bar.
    private static let trailColors = 48

    init(of picture: PlotPicture, _ plot: Plot, _ heights: Heights, top: Double) {
      (self.picture, self.plot, self.heights, self.top) = (picture, plot, heights, top)
      marks = plot.marks.filter { $0.time >= picture.start && $0.time <= picture.end }
        .sorted { $0.time < $1.time }
    }

    /// Draws all parts, and returns the lower edge of the last one.
    mutating func draw(hasName: Bool) -> Double {
      if hasName {
        top += measures.lineHeight
        body.label(plot.title, x: measures.left, y: top - 4, .start, .text, " font-weight=\"bold\"")
      }
      let panels = plot.shownPanels
      if !panels.isEmpty { drawMarkLabels() }
      for (index, panel) in panels.enumerated() { draw(panel, isLast: index == panels.count - 1) }
      if !plot.attitudes.isEmpty { drawAttitudes() }
      if plot.showsFloor { drawFloor() }
      return top
    }

    /// A label of an axis, with a minus sign as in print.
    private static func label(_ value: Double, digits: Int) -> String {
      let text = Decimal.text(value, digits: digits)
      return text.hasPrefix("-") ? "\u{2212}" + text.dropFirst() : text
    }

    // MARK: Events

    /// Draws the labels of events in up to three rows above the panels; those that do not fit are left out.
    private mutating func drawMarkLabels() {
      let right = measures.left + measures.panelWidth
      var ends: [Double] = []
      for mark in marks {
        let width = measures.width(of: mark.label) + measures.fontSize
        let x = min(picture.x(mark.time), right - width + measures.fontSize)
        let row = ends.firstIndex { $0 <= x } ?? ends.count
        guard row < 3 else { continue }
        if row == ends.count { ends.append(x) }
        ends[row] = x + width
        body.label(
          mark.label, x: x, y: top + Double(row + 1) * measures.lineHeight - 3, .start, .note)
      }
      top += Double(ends.count) * measures.lineHeight
    }

    // MARK: Panels

    private mutating func draw(_ panel: Plot.Panel, isLast: Bool) {
      drawLegend(of: panel)
      let (upper, bottom) = (top, top + heights.panel)
      let ticks = max(1, min(4, Int(heights.panel / (2.2 * measures.fontSize))))
      let scale = panel.scale(ticks: ticks)
      func y(_ value: Double) -> Double { bottom - heights.panel * scale.fraction(of: value) }
      for tick in scale.ticks {
        let right = measures.left + measures.panelWidth
        body.line(y: y(tick), from: measures.left, to: right, .grid, measures.gridStyle)
        body.label(
          Self.label(tick, digits: scale.digits), x: measures.left - measures.fontSize * 2 / 3,
          y: y(tick) + measures.baselineOffset, .end)
      }
      let hasTimes = isLast || !measures.isNarrow
      drawTimes(from: upper, to: bottom, hasLabels: hasTimes)
      for time in Set(marks.map { $0.time }).sorted() {
        body.line(x: picture.x(time), from: upper, to: bottom, .mark, "stroke-dasharray=\"3 2\"")
      }
      for (index, series) in panel.series.enumerated() {
        for line in series.extremes.lines {
          body.line(line.map { Point(x: picture.x($0.time), y: y($0.value)) }, Ink.series[index])
        }
      }
      if panel.range == nil {
        body.label("no values", x: measures.left + 8, y: upper + measures.lineHeight + 4, .start, .note)
      }
      top = bottom + (hasTimes ? measures.timeLabelHeight : 0) + measures.gap
    }

    private mutating func drawLegend(of panel: Plot.Panel) {
      let unit = panel.unit.drop { $0 == " " }
      let (key, space) = (1.5 * measures.fontSize, measures.fontSize / 2)
      var (x, row) = (measures.left, 0)
      let style = "stroke-width=\"\(SVG.number(2.2 * measures.lineWidth))\""
      for (index, series) in panel.series.enumerated() {
        let text = series.name + (unit.isEmpty ? "" : " (\(unit))")
        let width = key + space + measures.width(of: text) + 2 * space
        if x > measures.left, x + width > measures.left + measures.panelWidth {
          (x, row) = (measures.left, row + 1)
        }
        let y = top + measures.legendHeight + measures.lineHeight * Double(row) - 5 - measures.baselineOffset
        body.line(y: y, from: x, to: x + key, Ink.series[index], style)
        body.label(text, x: x + key + space, y: y + measures.baselineOffset)
        x += width + space
      }
      top += measures.legendHeight + measures.lineHeight * Double(row)
    }

    private mutating func drawTimes(from upper: Double, to bottom: Double, hasLabels: Bool) {
      let count = max(2, Int(measures.panelWidth / (measures.isNarrow ? 54 : 108)))
      let times = Scale(exactly: picture.start, picture.end, ticks: count)
      for tick in picture.end > picture.start ? times.ticks : [picture.start] {
        let x = picture.x(tick)
        body.line(x: x, from: upper, to: bottom, .grid, measures.gridStyle)
        guard hasLabels else { continue }
        let text = Self.label(tick, digits: times.digits) + " s"
        // The last label ends at the edge of the picture.
        let limit = picture.size.width - 1 - measures.width(of: text) / 2
        body.label(text, x: min(x, limit), y: bottom + 1.5 * measures.fontSize, .middle)
      }
    }

    // MARK: Attitudes

    private mutating func drawAttitudes() {
      let title =
        measures.isNarrow
        ? "attitude from behind, tail light blue; pitch, roll, yaw"
        : "attitude seen from behind, nose filled, tail light blue; below: time; pitch, roll, yaw"
      body.label(title, x: measures.left, y: top + measures.legendHeight - 5)
      top += measures.legendHeight
      let (radius, count) = (measures.attitudeRadius, measures.attitudeCount)
      for index in 0..<count {
        let fraction = (Double(index) + 0.5) / Double(count)
        let time = picture.start + (picture.end - picture.start) * fraction
        guard let nearest = plot.attitudes.min(by: { abs($0.time - time) < abs($1.time - time) }) else {
          continue
        }
        let center = Point(x: measures.left + measures.panelWidth * fraction, y: top + radius + 4)
        func scaled(_ point: Point) -> Point {
          Point(x: center.x + radius * point.x, y: center.y + radius * point.y)
        }
        let ball = AttitudeBall(nearest.attitude)
        body.circle(center, radius: radius, .frame)
        for (ring, points) in ball.lines { body.line(points.map(scaled), ring == .horizontal ? .s0 : .s1) }
        if ball.nose.isVisible { body.circle(scaled(ball.nose.point), radius: radius / 11, .nose) }
        if ball.tail.isVisible { body.circle(scaled(ball.tail.point), radius: radius / 11, .tail) }
        let under = top + 2 * radius + 6
        body.label(
          Self.label(nearest.time, digits: 1) + " s", x: center.x, y: under + measures.lineHeight, .middle)
        let angles = nearest.attitude.pitchRollYaw
        let texts = [angles.pitch, angles.roll, angles.yaw].map { Self.label($0.degrees, digits: 0) + "°" }
        body.label(
          texts.joined(separator: " "), x: center.x, y: under + 2 * measures.lineHeight, .middle, .note)
      }
      top += 2 * radius + 2 * measures.lineHeight + 6 + measures.gap + 6
    }

    // MARK: Floor

    private mutating func drawFloor() {
      body.label(
        "path on the floor, ahead is up (cm); colour is time", x: measures.left,
        y: top + measures.legendHeight - 5)
      top += measures.legendHeight
      let points = plot.trail.line
      let (size, margin) = (heights.floor, measures.isNarrow ? 10.0 : 20)
      let side = max(1, size - 2 * margin)
      let (left, upper) = (measures.left + margin, top + margin)
      let projection = TrailProjection(points, width: side, height: side)
      func projected(_ x: Double, _ y: Double) -> Point {
        let point = projection.point(x: x, y: y)
        return Point(x: left + point.x, y: upper + point.y)
      }
      drawGrid(projection, at: projected, side: side, margin: margin)
      body.rectangle(x: measures.left, y: top, width: size, height: size, Ink.frame.attributes)
      let origin = projected(0, 0)
      body.line(y: origin.y, from: origin.x - 6, to: origin.x + 6, .frame)
      body.line(x: origin.x, from: origin.y - 6, to: origin.y + 6, .frame)
      drawTrail(points, at: projected)
      var drawn: Set<Trail.Point> = []
      for place in marks.compactMap({ $0.position }) where drawn.insert(place).inserted {
        let point = projected(place.x, place.y)
        for slope in [-3.5, 3.5] {
          let left = Point(x: point.x - 3.5, y: point.y - slope)
          body.line([left, Point(x: point.x + 3.5, y: point.y + slope)], .mark)
        }
      }
      if let last = points.last {
        body.circle(projected(last.x, last.y), radius: measures.fontSize / 2.4, .nose)
      }
      drawColorBar()
      top += size + measures.timeLabelHeight
    }

    private mutating func drawTrail(_ points: [Trail.Point], at projected: (Double, Double) -> Point) {
      let style = "stroke-width=\"\(SVG.number(2 * measures.lineWidth))\" stroke-linecap=\"round\""
      var piece: [Point] = []
      var current = 0
      func draw() {
        guard piece.count > 1 else { return }
        body.line(piece, attributes: "stroke=\"\(Self.trailColor(current))\" \(style)")
      }
      for next in points {
        // Each segment has the colour of its end. Adjacent pieces share a point, so no gap separates them.
        let fraction = picture.fraction(of: next.time) ?? 0
        let index = min(Self.trailColors - 1, Int(fraction * Double(Self.trailColors)))
        if index != current {
          draw()
          (piece, current) = (Array(piece.suffix(1)), index)
        }
        piece.append(projected(next.x, next.y))
      }
      draw()
    }

    private mutating func drawGrid(
      _ projection: TrailProjection, at projected: (Double, Double) -> Point, side: Double, margin: Double
    ) {
      let half = side / projection.scale / 2
      let ticks = max(2, min(6, Int(side / (5 * measures.fontSize))))
      let (left, upper) = (measures.left, top)
      let (right, lower) = (left + side + 2 * margin, upper + side + 2 * margin)
      let across = Scale(exactly: projection.center.x - half, projection.center.x + half, ticks: ticks)
      for tick in across.ticks {
        let x = projected(tick, 0).x
        body.line(x: x, from: upper, to: lower, .grid, measures.gridStyle)
        body.label(
          Self.label(tick, digits: across.digits), x: x, y: lower + 4 / 3 * measures.fontSize, .middle)
      }
      let ahead = Scale(exactly: projection.center.y - half, projection.center.y + half, ticks: ticks)
      for tick in ahead.ticks {
        let y = projected(0, tick).y
        body.line(y: y, from: left, to: right, .grid, measures.gridStyle)
        body.label(
          Self.label(tick, digits: ahead.digits), x: left - measures.fontSize * 2 / 3,
          y: y + measures.baselineOffset,
          .end)
      }
    }

    private mutating func drawColorBar() {
      let space = measures.isNarrow ? 10.0 : 32
      let (x, width) = (measures.left + heights.floor + space, measures.isNarrow ? 8.0 : 16)
      let step = heights.floor / Double(Self.trailColors)
      for index in 0..<Self.trailColors {
        body.rectangle(
          x: x, y: top + heights.floor - step * Double(index + 1), width: width, height: step + 0.5,
          "fill=\"\(Self.trailColor(index))\"")
      }
      let count = max(2, min(6, Int(heights.floor / (3 * measures.fontSize))))
      let times = Scale(exactly: picture.start, picture.end, ticks: count)
      for tick in times.ticks {
        guard let fraction = picture.fraction(of: tick) else { return }
        body.label(
          Self.label(tick, digits: times.digits) + " s", x: x + width + measures.fontSize * 2 / 3,
          y: top + heights.floor * (1 - fraction) + measures.baselineOffset)
      }
    }

    private static func trailColor(_ index: Int) -> RGB {
      TimeColors.color(Double(index) / Double(trailColors - 1))
    }
  }
}
