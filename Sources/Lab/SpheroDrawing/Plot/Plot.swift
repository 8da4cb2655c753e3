// What a picture of a recording shows: series by unit, attitudes, and the path on the floor.

package import SpheroOrientation
package import SpheroProtocol

/// The samples of a recording, in bounded memory; ``svg()`` and ``html()`` make a picture of them.
///
/// A series keeps its extremes, so that no peak is lost; the path keeps its shape; attitudes are thinned out evenly.
public struct Plot: Sendable {
  /// A line of a panel.
  struct Series: Sendable {
    let name: String
    let column: Int
    var envelope = Envelope()
    /// The last value, to see where an angle jumps by a whole turn.
    var last: Double?

    /// Takes the next value; an angle that passes half a turn is not a line across the panel.
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
  }

  /// The first line of the picture.
  public var title: String
  /// How many samples there are.
  public private(set) var count = 0
  /// How often the times began anew: recordings that follow each other are drawn one after the other.
  public private(set) var restarts = 0
  private(set) var panels: [Panel] = []
  private(set) var path = FloorPath(capacity: 4_000)
  private(set) var attitudes: [(time: Double, attitude: Rotation)] = []
  private(set) var start: Double?
  private(set) var end = 0.0
  private let columns: [Column]
  private let time: Int
  private let convention: Convention
  /// What is added to times, and the last step between two.
  private var offset = 0.0
  private var step: Double?
  /// Every so many attitudes one is kept.
  private var attitudeStride = 1
  private var attitudeCount = 0

  /// The lines that a panel has at most.
  static let seriesLimit = 4
  /// How many attitudes are kept.
  private static let attitudeLimit = 512
  /// Parts of vectors, which share a panel.
  private static let parts: Set<String> = ["x", "y", "z", "w", "left", "right"]

  /// Starts a plot; nil where no column is the time.
  ///
  /// - Parameters:
  ///   - title: The first line of the picture.
  ///   - columns: What each sample has, `time` in seconds among it.
  ///   - convention: What the words of a quaternion mean.
  package init?(title: String, columns: [Column], convention: Convention = .sphero) {
    guard let time = columns.firstIndex(where: { $0.name == "time" }) else { return nil }
    (self.title, self.columns, self.time, self.convention) = (title, columns, time, convention)
    for (index, column) in columns.enumerated() where index != time {
      let words = column.name.split(separator: "_")
      let isPart = words.count > 1 && words.last.map { Self.parts.contains(String($0)) } == true
      let stem = isPart ? words.dropLast().joined(separator: " ") : Self.family(of: column.name)
      let unit = "\(column.unit.symbol)"
      let series = Series(name: words.joined(separator: " "), column: index)
      if let last = panels.last, last.unit == unit, last.stem == stem, stem != nil,
        last.series.count < Self.seriesLimit
      {
        panels[panels.count - 1].series.append(series)
      } else {
        panels.append(Panel(unit: unit, stem: stem, series: [series]))
      }
    }
  }

  /// What columns without a part of a vector in their name have in common.
  private static func family(of name: String) -> String? {
    switch name {
    case "pitch", "roll", "yaw": "angles"
    case "euler_pitch", "euler_roll", "euler_yaw": "euler"
    case "q0", "q1", "q2", "q3": "quaternion"
    default: nil
    }
  }

  /// Takes a sample: a value for each column, nil where there is none; without a time it is left out.
  public mutating func append(_ values: [Double?]) {
    guard time < values.count, let seconds = values[time], seconds.isFinite, abs(seconds) < 1e12 else {
      return
    }
    var now = seconds + offset
    if count > 0, now < end {
      // Another recording begins.
      restarts += 1
      let behind = end + (step ?? 0)
      offset += behind - now
      now = behind
      interrupt()
    } else if count > 0 {
      let latest = now - end
      // A gap is not a line.
      if let step, latest > 5 * step + 0.5 { interrupt() } else if latest > 0 { step = latest }
    }
    if start == nil { start = now }
    end = now
    count += 1
    for panel in panels.indices {
      for series in panels[panel].series.indices {
        let column = panels[panel].series[series].column
        panels[panel].series[series].append(
          column < values.count ? values[column] : nil, at: now, isAngle: panels[panel].unit == "°")
      }
    }
    if let x = value("odometer_x", of: values), let y = value("odometer_y", of: values) {
      path.append(FloorPath.Place(x: x, y: y, time: now))
    }
    if let attitude = attitude(of: values) { keep(attitude, at: now) }
  }

  private mutating func interrupt() {
    for panel in panels.indices {
      for series in panels[panel].series.indices { panels[panel].series[series].envelope.interrupt() }
    }
  }

  private func value(_ name: String, of values: [Double?]) -> Double? {
    guard let index = columns.firstIndex(where: { $0.name == name }), index < values.count else { return nil }
    return values[index]
  }

  private func values(_ names: [String], of values: [Double?]) -> [Double]? {
    let found = names.compactMap { value($0, of: values) }
    return found.count == names.count ? found : nil
  }

  /// The attitude as it was worked out, else by the quaternion, else by the angles.
  private func attitude(of sample: [Double?]) -> Rotation? {
    if let parts = values(["attitude_w", "attitude_x", "attitude_y", "attitude_z"], of: sample) {
      return Rotation(w: parts[0], x: parts[1], y: parts[2], z: parts[3])
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
