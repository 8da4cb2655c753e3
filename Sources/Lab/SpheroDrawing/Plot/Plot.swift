// The content of the picture of a recording: series by unit, attitudes, the trail on the floor, and events.

package import SpheroOrientation
package import SpheroProtocol

/// The part of a recording that its picture shows.
package struct PlotSelection: Hashable, Sendable {
  /// The names of columns, of vectors such as `accel`, of groups of fields such as `quat` and `motion`,
  /// ``attitude`` and ``path``; empty for all except the times of other clocks.
  package var names: [String] = []
  /// The first time in seconds on the axis of the picture; nil for the first sample.
  package var start: Double?
  /// The length of time in seconds; nil for the rest of the recording.
  package var duration: Double?
  /// Whether angles continue beyond ±180° instead of jumping to the opposite sign.
  package var unwrapsAngles = false

  package static let attitude = "attitude"
  package static let path = "path"

  package init() {}

  /// Whether a column is selected, by its name, its vector or its group: `accel` and `all` select `accel_x`.
  func shows(_ column: Column) -> Bool {
    names.isEmpty
      ? !["wall", "arrival"].contains(column.name) : names.contains { Self.name($0, selects: column) }
  }

  func shows(picture name: String) -> Bool { names.isEmpty || names.contains(name) }

  /// The first name that selects nothing of a table; nil if there is none.
  package func unknownName(in columns: [Column]) -> String? {
    let pictures = pictures(of: columns)
    return names.first { name in
      !pictures.contains(name) && !columns.contains { Self.name(name, selects: $0) }
    }
  }

  package func pictures(of columns: [Column]) -> [String] {
    let places = Plot.Places(columns)
    return (places.hasAttitude ? [Self.attitude] : []) + (places.position != nil ? [Self.path] : [])
  }

  private static func name(_ name: String, selects column: Column) -> Bool {
    guard column.name != "time", !column.isText else { return false }
    let members = [String(name.map { $0 == "-" ? "_" : $0 })] + (members(ofGroup: name) ?? [])
    return members.contains {
      // Raw values are no part of the vector in units.
      column.name == $0
        || $0 != attitude && column.name.hasPrefix($0 + "_") && !column.name.hasPrefix($0 + "_raw_")
    }
  }

  /// The columns and vectors of a group of `--mask`; nil for another name.
  package static func members(ofGroup name: String) -> [String]? {
    if name == "motion" {
      return ["attitude_w", "attitude_x", "attitude_y", "attitude_z", "gravity", "user_acceleration"]
        + ["rotation_rate", "heading_accuracy", "tilt_accuracy"]
    }
    return SensorMask.groups.first { $0.key == name }?.value.fields.map { $0.name }
  }
}

/// The samples of a recording in bounded memory, for a `PlotPicture`.
///
/// Series keep their extremes, so that no peak is lost; the trail keeps its shape; attitudes are thinned evenly.
public struct Plot: Sendable {
  struct Series: Sendable {
    let name: String
    let column: Int
    var extremes = MinMaxDecimator()
    private var last: Double?
    private var turns = 0.0

    init(name: String, column: Int) { (self.name, self.column) = (name, column) }

    /// Appends an angle in degrees; where it wraps, the line continues beyond ±180° or is interrupted.
    mutating func append(angle: Double?, at time: Double, unwraps: Bool) {
      guard let angle else { return extremes.append(nil, at: time) }
      if let last, abs(angle - last) > 180 {
        if unwraps { turns += angle < last ? 1 : -1 } else { extremes.interrupt() }
      }
      last = angle
      extremes.append(angle + 360 * turns, at: time)
    }

    /// Interrupts the line, if `restarts` for the samples of another recording.
    mutating func interrupt(restarts: Bool) {
      if restarts { (last, turns) = (nil, 0) }
      extremes.interrupt()
    }
  }

  /// Series that share an axis.
  struct Panel: Sendable {
    let unit: String
    /// The common name of the series; nil for a series that shares its panel with no other.
    let stem: String?
    var series: [Series]
    /// Whether the panel is omitted without values.
    var isOptional = false

    var hasValues: Bool { series.contains { $0.extremes.range != nil } }

    mutating func append(_ values: [Double?], at time: Double, unwraps: Bool) {
      let isAngle = unit == "°"
      for index in series.indices {
        let column = series[index].column
        let value = column < values.count ? values[column] : nil
        if isAngle {
          series[index].append(angle: value, at: time, unwraps: unwraps)
        } else {
          series[index].extremes.append(value, at: time)
        }
      }
    }
  }

  struct Mark: Hashable, Sendable {
    /// In seconds.
    let time: Double
    let label: String
    let position: Trail.Point?
  }

  /// The title above the picture.
  public var title: String
  /// The number of samples in the picture.
  public private(set) var count = 0
  /// The number of times that time restarted; recordings in the same file are drawn one after the other.
  public private(set) var restarts = 0
  private(set) var panels: [Panel] = []
  package private(set) var trail = Trail(capacity: 4_000)
  private(set) var attitudes: [(time: Double, attitude: Rotation)] = []
  private(set) var marks: [Mark] = []
  /// The time of the first sample in the picture, in seconds.
  private(set) var start: Double?
  /// The time of the latest sample in the picture in seconds; times that restart continue it.
  package private(set) var end = 0.0
  /// The time of the latest sample of the recording; nil before the first sample.
  package private(set) var latest: Double?
  package var hasValues: Bool {
    !attitudes.isEmpty || !trail.points.isEmpty || panels.contains { $0.hasValues }
  }
  package let columns: [Column]
  package let selection: PlotSelection
  private let timeColumn: Int
  private let convention: Convention
  private let reporting: Convention?
  /// The time of the first sample of the recording, in seconds.
  private var origin = 0.0
  /// The offset of the picture's times from those of the present recording, in seconds.
  private var offset = 0.0
  /// The latest interval between two samples, in seconds.
  private var step: Double?
  /// The latest interval that is not a gap, in seconds.
  private var usualStep: Double?
  /// The attitude of one sample of this many is kept.
  private var attitudeStride = 1
  /// The number of samples before the next one whose attitude is kept.
  private var samplesToAttitude = 0
  private let places: Places

  /// The maximum number of series in a panel, which is the number of inks of `Ink.series`.
  private static let seriesLimit = 4
  private static let attitudeLimit = 512
  private static let markLimit = 1_000
  /// The columns whose panel is omitted without values: a robot that computes its attitude reports no accuracy.
  private static let optionalColumns: Set<String> = ["heading_accuracy", "tilt_accuracy"]
  /// The names of components, which share a panel.
  private static let parts: Set<String> = ["x", "y", "z", "w", "left", "right"]

  /// The indices of the columns of a quantity; nil if one is missing.
  struct Places: Sendable {
    let position: [Int]?
    let attitude: [Int]?
    let quaternion: [Int]?
    let angles: [Int]?

    var hasAttitude: Bool { attitude != nil || quaternion != nil || angles != nil }

    init(_ columns: [Column]) {
      func indices(_ names: [String]) -> [Int]? { Plot.indices(of: names, in: columns) }
      position = indices(["odometer_x", "odometer_y"])
      attitude = indices(["attitude_w", "attitude_x", "attitude_y", "attitude_z"])
      quaternion = indices(["q0", "q1", "q2", "q3"])
      angles = indices(["pitch", "roll", "yaw"])
    }
  }

  /// Makes an empty plot; nil without a column `time`. `convention` is the meaning of the robot's quaternion and
  /// angles, `reporting` that of the computed attitude; nil for body axes right, ahead, up.
  package init?(
    title: String, columns: [Column], convention: Convention = .sphero, reporting: Convention? = nil,
    selection: PlotSelection = PlotSelection()
  ) {
    guard let time = columns.firstIndex(where: { $0.name == "time" }) else { return nil }
    (self.title, self.columns, timeColumn, self.selection) = (title, columns, time, selection)
    (self.convention, self.reporting, places) = (convention, reporting, Places(columns))
    let names = Set(columns.map { $0.name })
    for (index, column) in columns.enumerated()
    where index != time && !column.isText && selection.shows(column) {
      let tokens = column.name.split(separator: "_")
      let isPart = tokens.count > 1 && tokens.last.map { Self.parts.contains(String($0)) } == true
      // A value and its filtered form share a panel, which has no other series.
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

  /// Whether the selected time has ended, so that the picture shows no later sample.
  package var isOver: Bool {
    guard let duration = selection.duration, let latest else { return false }
    return latest >= (selection.start ?? origin) + duration
  }

  private func isSelected(_ time: Double) -> Bool {
    let first = selection.start ?? origin
    return time >= first && (selection.duration.map { time < first + $0 } ?? true)
  }

  /// Appends a sample with a value or nil for each column; a sample without a time is ignored.
  public mutating func append(_ values: [Double?]) {
    guard timeColumn < values.count, let seconds = values[timeColumn],
      abs(seconds) < Double(TimeLimit.seconds)
    else { return }
    var now = seconds + offset
    if let latest, now < latest {
      restarts += 1
      let continued = latest + (usualStep ?? 0)
      offset += continued - now
      now = continued
      interrupt(restarts: true)
    } else if let latest {
      let interval = now - latest
      // A gap in time is a gap in the lines; a second interval of its length is a lower rate.
      if let step, interval > 5 * step + 0.5 {
        interrupt(restarts: false)
      } else if interval > 0 {
        usualStep = interval
      }
      if interval > 0 { step = interval }
    } else {
      origin = now
    }
    latest = now
    guard isSelected(now) else { return }
    if start == nil { start = now }
    end = now
    count += 1
    for index in panels.indices {
      panels[index].append(values, at: now, unwraps: selection.unwrapsAngles)
    }
    if selection.shows(picture: PlotSelection.path), let position = Self.values(places.position, of: values) {
      trail.append(Trail.Point(x: position[0], y: position[1], time: now))
    }
    if samplesToAttitude > 0 {
      samplesToAttitude -= 1
    } else if selection.shows(picture: PlotSelection.attitude), let attitude = attitude(of: values) {
      keep(attitude, at: now)
    }
  }

  private mutating func interrupt(restarts: Bool) {
    for panel in panels.indices {
      for series in panels[panel].series.indices {
        panels[panel].series[series].interrupt(restarts: restarts)
      }
    }
  }

  /// Appends an event; its time is on the scale of the samples of the present recording, by default the latest one.
  package mutating func appendMark(_ label: String, at time: Double? = nil) {
    guard let latest, marks.count < Self.markLimit else { return }
    let now = time.map { $0 + offset } ?? latest
    guard isSelected(now) else { return }
    marks.append(Mark(time: now, label: label, position: trail.last))
  }

  package mutating func append(_ event: EventPacket, at time: Double?) {
    appendMark(Self.label(of: event), at: time)
  }

  private static func label(of event: EventPacket) -> String {
    if let power = Core.PowerNotification(packet: event) { return "battery \(power.state.name)" }
    guard let name = Catalogue.name(of: event.id)?.split(separator: ".").last else {
      return "event \(event.id)"
    }
    var label = ""
    for character in name {
      // A capital begins a word.
      if character >= "A", character <= "Z" { label += label.isEmpty ? "" : " " }
      label += character.lowercased()
    }
    return label
  }

  private static func values(_ indices: [Int]?, of sample: [Double?]) -> [Double]? {
    guard let indices else { return nil }
    let values = indices.compactMap { $0 < sample.count ? sample[$0] : nil }
    return values.count == indices.count ? values : nil
  }

  package func values(_ names: [String], of sample: [Double?]) -> [Double]? {
    Self.values(Self.indices(of: names, in: columns), of: sample)
  }

  private static func indices(of names: [String], in columns: [Column]) -> [Int]? {
    let indices = names.compactMap { name in columns.firstIndex { $0.name == name } }
    return indices.count == names.count ? indices : nil
  }

  /// The attitude from the computed attitude, the quaternion or the angles, in that order of preference.
  package func attitude(of sample: [Double?]) -> Rotation? {
    if let parts = Self.values(places.attitude, of: sample) {
      let rotation = Rotation(w: parts[0], x: parts[1], y: parts[2], z: parts[3])
      return rotation.map { reporting?.attitude(of: $0) ?? $0 }
    }
    if let q = Self.values(places.quaternion, of: sample),
      let attitude = convention.attitude(of: QuaternionWords(q[0], q[1], q[2], q[3]))
    {
      return attitude
    }
    guard let angles = Self.values(places.angles, of: sample) else { return nil }
    return convention.attitude(
      of: PitchRollYaw(pitch: .degrees(angles[0]), roll: .degrees(angles[1]), yaw: .degrees(angles[2])))
  }

  /// Appends an attitude; when there are too many, removes every second one.
  private mutating func keep(_ attitude: Rotation, at time: Double) {
    attitudes.append((time, attitude))
    // Thinning removes this attitude, so the next one follows after the stride before the thinning.
    samplesToAttitude = attitudeStride - 1
    if attitudes.count >= Self.attitudeLimit {
      attitudes = attitudes.indices.filter { $0.isMultiple(of: 2) }.map { attitudes[$0] }
      attitudeStride *= 2
    }
  }
}
