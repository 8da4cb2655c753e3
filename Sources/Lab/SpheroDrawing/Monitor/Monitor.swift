// The monitor of a robot: values with bars and traces, attitude, trail, link and events.

public import SpheroControls
package import SpheroModel
public import SpheroOrientation
package import SpheroProtocol

/// The state of a monitor in bounded memory; a panel that does not operate the robot.
public struct Monitor: Sendable {
  struct Row: Sendable {
    let name: String
    var unit: String
    let minimumLimit: Double
    var value: Double?
    var text = ""
    var history: History

    mutating func set(_ number: Double?, at time: Double) {
      value = number
      if let number { history.append(number, at: time) }
    }
  }

  /// The state of the connection.
  public enum Link: Hashable, Sendable {
    /// Samples arrive.
    case live
    /// The link is open, but no samples arrive.
    case silent
    /// The link is closed, and the session tries to open it again.
    case lost

    var label: (text: String, style: Style) {
      switch self {
      case .live: ("live", Style(Palette.good, isBold: true))
      case .silent: ("no samples", Style(Palette.warning, isBold: true))
      case .lost: ("link lost, reconnecting", Style(Palette.alarm, isBold: true))
      }
    }
  }

  /// The severity of an event.
  public enum Severity: String, Hashable, Sendable {
    /// Requires no action.
    case note
    /// May require an action soon.
    case warning
    /// Requires an action now.
    case alarm

    var style: Style {
      switch self {
      case .note: .plain
      case .warning: Style(Palette.warning)
      case .alarm: Style(Palette.alarm, isBold: true)
      }
    }
  }

  /// The name of the robot or its port.
  public var title = ""
  /// The state of the connection, which the status line shows.
  public var link = Link.live
  /// The colour of the ball; nil if unknown.
  public var color: RGB?
  /// The state of the battery and its severity; nil while it is unknown.
  public var battery: (text: String, severity: Severity)?
  /// The number of samples that the link has lost.
  public var lostSamples = 0
  /// The number of times that the line was opened again.
  public var reconnections = 0
  /// The rotation from body to reference coordinates; nil if unknown.
  public private(set) var attitude: Rotation?
  /// The path over the floor, from the locator.
  public package(set) var trail = Trail()
  /// Whether the motion view is shown instead of fields, attitude and path; the key `m` toggles it.
  public var showsMotion = false
  /// Whether the motion view shows angles in radians instead of degrees; the key `r` toggles it.
  public var isInRadians = false
  /// Whether keys move the robot, as a hand does; for simulated robots.
  public var hasHand = false
  /// The pose of the robot in the hand; nil while it is on the floor.
  var held: Pose?
  var handActions: [HandScript.Action] = []
  private(set) var motion: MotionGroups
  private var rows: [Row]
  private(set) var events: [(time: Double, text: String, severity: Severity)] = []
  private var time = 0.0
  /// The arrival times of the latest samples in seconds, on the clock of ``draw(at:)``.
  private var arrivals: [Double] = []
  private let nominalRate: Double
  private var size = Area(width: 0, height: 0)

  private static let eventLimit = 100
  /// The time in seconds over which the rate is measured: at least three samples.
  private var rateWindow: Double { max(2, 3 / nominalRate) }
  /// The maximum number of stored arrivals: more than arrive at 400 Hz in 2 s.
  private static let maximumArrivals = 2_048

  /// Makes a monitor of columns whose samples should arrive at a rate in hertz.
  package init(columns: [Column], rate: Double) {
    nominalRate = rate
    let interval = max(0.1, rate > 0 ? 1 / rate : 1)
    motion = MotionGroups(interval: interval)
    rows = columns.map { column in
      Row(
        name: column.name.split(separator: "_").joined(separator: " "), unit: "\(column.unit.symbol)",
        minimumLimit: Self.minimumLimit(column.unit), history: History(interval: interval))
    }
  }

  /// The smallest limit of a bar, so that the noise of a ball at rest does not fill it.
  package static func minimumLimit(_ unit: Quantity.Unit) -> Double {
    switch unit {
    case .g: 2
    case .degrees: 180
    case .degreesPerSecond: 100
    case .centimetres: 50
    case .millimetresPerSecond: 200
    default: 1
    }
  }

  /// Adds a sample with a value for each column.
  ///
  /// `time` is the time of the sample, `arrival` that of its arrival on the clock of ``draw(at:)``, both in seconds.
  /// `attitude` rotates body to reference coordinates; `position` is in centimetres to the right and ahead;
  /// the motion view shows `motion`.
  package mutating func append(
    _ values: [FieldValue], at time: Double, arrival: Double, attitude: Rotation?,
    position: (x: Double, y: Double)?, motion reading: MotionReading? = nil
  ) {
    self.time = time
    if let reading { motion.append(reading, at: time) }
    self.attitude = attitude
    for (index, value) in values.enumerated() where index < rows.count {
      rows[index].set(value.number, at: time)
      rows[index].text = value.plain
    }
    if let position { trail.append(Trail.Point(x: position.x, y: position.y, time: time, color: color)) }
    arrivals.append(arrival)
    let first = arrivals.firstIndex { $0 >= arrival - rateWindow } ?? 0
    arrivals.removeFirst(max(first, arrivals.count - Self.maximumArrivals))
    link = .live
  }

  /// The sample rate in hertz, measured by the latest arrivals; nil with one arrival or all at the same time.
  package func rate(at now: Double) -> Double? {
    let recent = arrivals.drop { $0 < now - rateWindow }
    guard let first = recent.first, let last = recent.last else { return arrivals.isEmpty ? nil : 0 }
    // A silence longer than two nominal periods counts, so that the rate decreases when no more samples arrive.
    let span = max(last - first, now - first - 2 / nominalRate)
    // Several samples of one packet may arrive at the same time.
    return recent.count > 1 && span > 0 ? Double(recent.count - 1) / span : nil
  }

  /// Appends a message to the list of the latest messages.
  public mutating func record(_ text: String, _ severity: Severity = .note) {
    events.append((time, text, severity))
    if events.count > Self.eventLimit { events.removeFirst(events.count - Self.eventLimit) }
  }
}

extension Monitor: Panel {
  public mutating func resize(width: Int, height: Int) { size = Area(width: width, height: height) }

  /// Ends at the key `q`; `m` toggles the motion view, `r` its unit of angles; with ``hasHand``, others move the robot.
  public mutating func handle(_ input: TerminalInput, at now: Duration) -> PanelOutcome {
    guard case .key(let key, _) = input, !hasHand || !handleHand(key) else { return .continues }
    switch key {
    case .character("q"), .character("Q"): return .cancelled
    case .character("m"), .character("M"): showsMotion.toggle()
    case .character("r"), .character("R"): isInRadians.toggle()
    default: break
    }
    return .continues
  }

  public mutating func release() {}

  // MARK: - Drawing

  /// Draws the state; `now` is on the clock of the arrivals.
  public func draw(at now: Duration) -> Canvas {
    let (width, height) = (size.width, size.height)
    var canvas = Canvas(width: width, height: height)
    guard width >= 24, height >= 6 else {
      canvas.write("too small", column: 0, row: 0)
      return canvas
    }
    var rest = canvas.area
    _ = rest.takeRows(1)
    drawHeader(on: &canvas, now: now / .seconds(1))
    rest.height -= 1
    canvas.write(help, column: 0, row: height - 1, Style(Palette.faint))
    let eventRows = min(max(1, rest.height / 5), 6)
    var main = rest.takeRows(rest.height - eventRows)
    drawEvents(on: &canvas, rest)
    if showsMotion {
      drawMotion(on: &canvas, main)
      return canvas
    }
    if width >= 60, main.height >= 6 {
      let fields = main.takeColumns(main.width - min(main.width * 2 / 5, 60))
      drawViews(on: &canvas, main)
      main = fields
    }
    drawRows(rows, on: &canvas, main)
    return canvas
  }

  /// The keys and their effects, at most 80 columns wide.
  private var help: String {
    let hand = hasHand ? "  " + Self.handHelp : ""
    if showsMotion { return "q quits  m: fields  r: \(isInRadians ? "deg" : "rad")" + hand }
    return (motion.isEmpty ? "q quits" : "q quits  m: motion") + hand
  }

  private func drawHeader(on canvas: inout Canvas, now: Double) {
    let rate = link == .lost ? nil : rate(at: now)
    var parts: [(text: String, style: Style)] = [
      ("sphero monitor", .bold), link.label, (title, .plain),
      ("\(rate.map { Decimal.text($0, digits: 1) } ?? "-")/s", .plain),
      ("\(lostSamples) lost", lostSamples > 0 ? Style(Palette.warning) : .plain),
    ]
    if reconnections > 0 { parts.append(("\(reconnections) reconnected", Style(Palette.warning))) }
    if let battery { parts.append((battery.text, battery.severity.style)) }
    parts.append(("\(Decimal.text(time, digits: 1)) s", .plain))
    if let color { parts.append(("● \(color)", Style(color.visible))) }
    canvas.header(parts, required: 2)
  }

  func drawRows(_ rows: [Row], on canvas: inout Canvas, _ area: Area) {
    guard area.height > 0 else { return }
    let nameWidth = min(rows.map { $0.name.count }.max() ?? 0, max(6, area.width / 3))
    let valueWidth = min(rows.map { 9 + $0.unit.unicodeScalars.count }.max() ?? 9, max(8, area.width / 3))
    let shown = rows.count <= area.height ? rows.count : max(0, area.height - 1)
    let left = max(0, area.width - nameWidth - valueWidth - 4)
    let barWidth = left >= 12 ? left / 2 : left
    for (index, row) in rows.prefix(shown).enumerated() {
      let y = area.row + index
      let color = Palette.series[index % Palette.series.count]
      canvas.write(Self.shortened(row.name, to: nameWidth), column: area.column, row: y, limit: nameWidth)
      let value = row.value == nil ? "-" : row.text + row.unit
      let end = area.column + nameWidth + 1 + valueWidth
      canvas.write(
        value, column: end - value.unicodeScalars.count, row: y, link == .live ? .bold : .plain)
      // Rows with the same unit share their scale, so that they can be compared.
      let limit = rows.filter { $0.unit == row.unit }.reduce(row.minimumLimit) { limit, other in
        max(limit, Scale.step(atLeast: other.history.magnitude(ofLatest: 2 * area.width)).step)
      }
      let start = area.column + nameWidth + valueWidth + 2
      canvas.bar(row.value, limit: limit, in: Area(column: start, row: y, width: barWidth, height: 1), color)
      canvas.trace(
        row.history.ranges, limit: limit,
        in: Area(column: start + barWidth + 1, row: y, width: left - barWidth, height: 1), color)
    }
    if shown < rows.count {
      canvas.write(
        "\(rows.count - shown) more fields; make the terminal taller", column: area.column,
        row: area.row + shown, Style(Palette.faint), limit: area.width)
    }
  }

  /// Shortens a name of more than `width` characters in the middle, if its last word, the axis, fits in `width`.
  private static func shortened(_ name: String, to width: Int) -> String {
    guard name.count > width, let axis = name.lastIndex(of: " ").map({ name[$0...] }), axis.count < width
    else { return name }
    return name.prefix(width - axis.count - 1) + "…" + axis
  }

  private func drawViews(on canvas: inout Canvas, _ area: Area) {
    var rest = area
    _ = rest.takeColumns(1)
    var ball = rest.takeRows(rest.height / 2)
    canvas.write(attitudeText, in: ball.takeRows(1))
    canvas.ball(attitude, in: ball, color?.visible)
    canvas.labelledFloor(trail, position: trail.last.map { ($0.x, $0.y) }, in: rest)
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
      canvas.write(event.text, column: max(column + 1, 9), row: area.row + index, event.severity.style)
    }
  }
}

// MARK: - The hand

extension Monitor {
  /// Turns an angle of a robot in the hand by steps of 15 degrees, and wraps it to -180...180.
  private static func turned(_ angle: Double, by steps: Double) -> Double {
    let turned = angle + steps * 15
    return turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned
  }

  static let handHelp = "arrows ,.: hold  space: put down  k: knock  s: shake"

  /// Handles a key that moves the robot; returns false for other keys.
  mutating func handleHand(_ key: TerminalInput.Key) -> Bool {
    var pose = held ?? Pose()
    var action: HandScript.Action?
    switch key {
    case .up: pose.pitch = Self.turned(pose.pitch, by: -1)
    case .down: pose.pitch = Self.turned(pose.pitch, by: 1)
    case .left: pose.roll = Self.turned(pose.roll, by: -1)
    case .right: pose.roll = Self.turned(pose.roll, by: 1)
    case .character(","): pose.yaw = Self.turned(pose.yaw, by: 1)
    case .character("."): pose.yaw = Self.turned(pose.yaw, by: -1)
    case .character(" "):
      held = nil
      action = .putDown
    case .character("s"), .character("S"): action = .shake(.seconds(1))
    case .character("k"), .character("K"): action = .knock(Planar(0, 1))
    default: return false
    }
    if let action {
      append(action)
    } else {
      held = pose
      append(.hold(pose))
    }
    return true
  }

  /// Appends an action; it replaces the last one if both have the same kind, so a held key adds only one; of more than 16
  /// pending actions, the oldest is dropped.
  private mutating func append(_ action: HandScript.Action) {
    switch (handActions.last, action) {
    case (.hold, .hold), (.putDown, .putDown), (.shake, .shake), (.knock, .knock): handActions.removeLast()
    default: if handActions.count >= 16 { handActions.removeFirst() }
    }
    handActions.append(action)
  }

  /// Removes and returns the actions of the hand, the oldest first.
  package mutating func takeHandActions() -> [HandScript.Action] {
    defer { handActions = [] }
    return handActions
  }
}

extension Core.GetPowerState.Response {
  package var summary: (text: String, severity: Monitor.Severity) {
    let volts = FieldValue.integer(Int64(centivolts), .centivolts)
    return ("\(volts) \(state.description)", state.severity)
  }
}

extension Core.PowerState {
  package var severity: Monitor.Severity {
    switch self {
    case .low: .warning
    case .critical: .alarm
    default: .note
    }
  }
}
