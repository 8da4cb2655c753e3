// The content of the picture of a recording: series by unit, attitudes, and the trail on the floor.

package import SpheroOrientation
package import SpheroProtocol

/// The samples of a recording in bounded memory; ``svg()`` and ``html()`` draw them.
///
/// Series keep their extremes, so that no peak is lost; the trail keeps its shape; attitudes are thinned evenly.
public struct Plot: Sendable {
  struct Series: Sendable {
    let name: String
    let column: Int
    var envelope = Envelope()
    /// The last value, to detect where an angle wraps.
    private var last: Double?

    init(name: String, column: Int) { (self.name, self.column) = (name, column) }

    /// Appends a value; an angle that wraps interrupts the line.
    mutating func append(_ value: Double?, at time: Double, isAngle: Bool) {
      if isAngle, let value, let last, abs(value - last) > 180 { envelope.interrupt() }
      last = value
      envelope.append(value, at: time)
    }
  }

  /// Series that share an axis.
  struct Panel: Sendable {
    let unit: String
    let stem: String?
    var series: [Series]
    /// Whether the panel is omitted without values.
    var isOptional = false

    var isOmitted: Bool { isOptional && series.allSatisfy { $0.envelope.range == nil } }

    mutating func interrupt() {
      for index in series.indices { series[index].envelope.interrupt() }
    }

    mutating func append(_ values: [Double?], at time: Double) {
      for index in series.indices {
        let column = series[index].column
        series[index].append(column < values.count ? values[column] : nil, at: time, isAngle: unit == "°")
      }
    }
  }

  public var title: String
  public private(set) var count = 0
  /// The number of times that time restarted; recordings in the same file are drawn one after the other.
  public private(set) var restarts = 0
  private(set) var panels: [Panel] = []
  private(set) var trail = Trail(capacity: 4_000)
  private(set) var attitudes: [(time: Double, attitude: Rotation)] = []
  private(set) var start: Double?
  /// The time of the latest sample in seconds; times that restart continue it.
  package private(set) var end = 0.0
  package let columns: [Column]
  private let timeColumn: Int
  private let convention: Convention
  private let reporting: Convention?
  /// The offset of times after restarts, and the latest interval between two samples.
  private var offset = 0.0
  private var step: Double?
  /// One of so many attitudes is kept.
  private var attitudeStride = 1
  private var attitudeCount = 0

  private static let seriesLimit = 4
  private static let attitudeLimit = 512
  /// The columns whose panel is omitted without values: a robot that computes its attitude reports no accuracy.
  private static let optionalColumns: Set<String> = ["heading_accuracy", "tilt_accuracy"]
  /// The names of components, which share a panel.
  private static let parts: Set<String> = ["x", "y", "z", "w", "left", "right"]

  /// Makes an empty plot; nil if there is no column `time`, which is in seconds.
  ///
  /// `convention` is the meaning of the columns of the wire, `reporting` that of the columns of the attitude;
  /// nil for body axes right, ahead, up.
  package init?(
    title: String, columns: [Column], convention: Convention = .sphero, reporting: Convention? = nil
  ) {
    guard let time = columns.firstIndex(where: { $0.name == "time" }) else { return nil }
    (self.title, self.columns, timeColumn) = (title, columns, time)
    (self.convention, self.reporting) = (convention, reporting)
    let names = Set(columns.map { $0.name })
    for (index, column) in columns.enumerated() where index != time && !column.isText {
      let tokens = column.name.split(separator: "_")
      let isPart = tokens.count > 1 && tokens.last.map { Self.parts.contains(String($0)) } == true
      // A value and its filtered form have a panel of their own.
      let base = tokens.last == "filtered" ? tokens.dropLast().joined(separator: "_") : column.name
      let family = isPart ? tokens.dropLast().joined(separator: " ") : Self.family(of: column.name)
      let stem = names.contains("\(base)_filtered") ? "\(base) filtered" : family
      let unit = "\(column.unit.symbol)"
      let series = Series(name: tokens.joined(separator: " "), column: index)
      if let last = panels.last, last.unit == unit, last.stem == stem, stem != nil,
        last.series.count < Self.seriesLimit
      {
        panels[panels.count - 1].series.append(series)
      } else {
        let isOptional = Self.optionalColumns.contains(column.name)
        panels.append(Panel(unit: unit, stem: stem, series: [series], isOptional: isOptional))
      }
    }
  }

  /// The common name of related columns that are not components of a vector.
  private static func family(of name: String) -> String? {
    switch name {
    case "pitch", "roll", "yaw": "angles"
    case "euler_pitch", "euler_roll", "euler_yaw": "euler"
    case "q0", "q1", "q2", "q3": "quaternion"
    default: nil
    }
  }

  /// Appends a sample with a value or nil for each column; a sample without a time is ignored.
  public mutating func append(_ values: [Double?]) {
    guard timeColumn < values.count, let seconds = values[timeColumn], seconds.isFinite, abs(seconds) < 1e12
    else { return }
    var now = seconds + offset
    if count > 0, now < end {
      restarts += 1
      let continued = end + (step ?? 0)
      offset += continued - now
      now = continued
      for index in panels.indices { panels[index].interrupt() }
    } else if count > 0 {
      let latest = now - end
      // A gap in time is a gap in the lines.
      if let step, latest > 5 * step + 0.5 {
        for index in panels.indices { panels[index].interrupt() }
      } else if latest > 0 {
        step = latest
      }
    }
    if start == nil { start = now }
    end = now
    count += 1
    for index in panels.indices { panels[index].append(values, at: now) }
    if let position = self.values(["odometer_x", "odometer_y"], of: values) {
      trail.append(Trail.Point(x: position[0], y: position[1], time: now))
    }
    if let attitude = attitude(of: values) { keep(attitude, at: now) }
  }

  /// The values of columns, by their names; nil if one is missing.
  package func values(_ names: [String], of sample: [Double?]) -> [Double]? {
    let found = names.compactMap { name in
      columns.firstIndex { $0.name == name }.flatMap { $0 < sample.count ? sample[$0] : nil }
    }
    return found.count == names.count ? found : nil
  }

  /// The attitude from the computed attitude, the quaternion or the angles, in that order of preference.
  package func attitude(of sample: [Double?]) -> Rotation? {
    if let parts = values(["attitude_w", "attitude_x", "attitude_y", "attitude_z"], of: sample) {
      let rotation = Rotation(w: parts[0], x: parts[1], y: parts[2], z: parts[3])
      return rotation.map { reporting?.attitude(of: $0) ?? $0 }
    }
    if let q = values(["q0", "q1", "q2", "q3"], of: sample),
      let attitude = convention.attitude(of: QuaternionWords(q[0], q[1], q[2], q[3]))
    {
      return attitude
    }
    guard let angles = values(["pitch", "roll", "yaw"], of: sample) else { return nil }
    return convention.attitude(
      of: PitchRollYaw(pitch: .degrees(angles[0]), roll: .degrees(angles[1]), yaw: .degrees(angles[2])))
  }

  private mutating func keep(_ attitude: Rotation, at time: Double) {
    defer { attitudeCount += 1 }
    guard attitudeCount.isMultiple(of: attitudeStride) else { return }
    attitudes.append((time, attitude))
    guard attitudes.count >= Self.attitudeLimit else { return }
    attitudes = attitudes.indices.filter { $0.isMultiple(of: 2) }.map { attitudes[$0] }
    attitudeStride *= 2
  }
}

/// A series as the extremes of groups of equal sample counts (min-max decimation); each group begins with one
/// sample, and when there are too many groups, pairs are merged.
struct Envelope: Sendable {
  struct Point: Hashable, Sendable {
    var time: Double
    var value: Double
  }

  struct Group: Hashable, Sendable {
    var lowest: Point
    var highest: Point
    /// Whether the line is interrupted before this group.
    var startsLine: Bool

    /// The points to draw in order of time; one if both extremes are equal.
    var points: [Point] {
      if lowest == highest { return [lowest] }
      return lowest.time <= highest.time ? [lowest, highest] : [highest, lowest]
    }

    mutating func merge(_ other: Group) {
      if other.lowest.value < lowest.value { lowest = other.lowest }
      if other.highest.value > highest.value { highest = other.highest }
    }
  }

  /// The groups, the oldest first.
  private(set) var groups: [Group] = []
  private let capacity: Int
  /// The number of samples of a complete group, and of the last one.
  private var groupSize = 1
  private var filled = 0
  /// The number of samples without a value since the last value.
  private var missing = 0
  private var isInterrupted = false
  /// Whether interruptions are so frequent that they only act between complete groups.
  private var isCrowded = false

  init(capacity: Int = 2_048) { self.capacity = max(2, capacity) }

  /// Appends a value; as many samples without a finite value as a group has interrupt the line.
  mutating func append(_ value: Double?, at time: Double) {
    guard let value, value.isFinite else {
      (missing, filled) = (missing + 1, filled + 1)
      if missing >= groupSize { interrupt() }
      return
    }
    let point = Point(time: time, value: value)
    let group = Group(lowest: point, highest: point, startsLine: isInterrupted)
    if !isInterrupted || isCrowded, filled < groupSize, let last = groups.indices.last {
      groups[last].merge(group)
      filled += 1
    } else {
      groups.append(group)
      filled = 1
    }
    (missing, isInterrupted) = (0, false)
    if groups.count > capacity { halve() }
  }

  mutating func interrupt() { isInterrupted = true }

  /// Merges pairs of groups; not across an interruption, unless interruptions are frequent.
  private mutating func halve() {
    if groups.count(where: { $0.startsLine }) > capacity / 4 { isCrowded = true }
    var halved: [Group] = []
    var rest = groups[...]
    while var group = rest.popFirst() {
      if let next = rest.first, isCrowded || !next.startsLine {
        group.merge(next)
        rest.removeFirst()
        if rest.isEmpty { filled += groupSize }
      }
      halved.append(group)
    }
    (groups, groupSize) = (halved, groupSize * 2)
  }

  /// The lines to draw, in order of time, split at interruptions.
  var lines: [[Point]] {
    var lines: [[Point]] = []
    for group in groups {
      if group.startsLine || lines.isEmpty { lines.append([]) }
      lines[lines.count - 1] += group.points
    }
    return lines
  }

  /// The range of all values; nil if there are none.
  var range: ClosedRange<Double>? {
    guard let lowest = groups.map({ $0.lowest.value }).min(),
      let highest = groups.map({ $0.highest.value }).max()
    else { return nil }
    return lowest...highest
  }
}

extension FieldValue {
  /// The value as a number; nil if it is not a number or unknown.
  package var number: Double? {
    switch self {
    case .integer(let count, let quantity): quantity.value(of: count)
    case .decimal(let number, _): number.isFinite ? number : nil
    case .number(let number): number.isFinite ? Double(number) : nil
    default: nil
    }
  }

  /// The ``number`` rounded to the decimals that printers write; ties to even.
  package var printedNumber: Double? {
    guard let number else { return nil }
    let digits: Int
    switch self {
    case .integer(_, let quantity): digits = quantity.digits
    case .decimal(_, let decimals): digits = min(max(decimals, 0), 9)
    default: return number
    }
    let power = (0..<digits).reduce(1.0) { power, _ in power * 10 }
    let product = number * power
    guard product.magnitude < 0x1p53 else { return number }
    var whole = product.rounded(.down)
    if product - whole == 0.5 {
      // The exact error of the rounded product decides whether the value is above or below the tie.
      let error = (-product).addingProduct(number, power)
      if error > 0 || error == 0 && Int64(whole) & 1 == 1 { whole += 1 }
    } else {
      whole = product.rounded()
    }
    return whole / power
  }
}
