// The samples of one robot in an opened recording, and the state that the page shows for a time of playback.

import SpheroControls
import SpheroDrawing
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

struct Track: Sendable {
  /// The name in the column `robot`; nil without that column.
  let name: String?
  private(set) var plot: Plot
  private(set) var playback: Playback

  /// Creates an empty track; nil if the columns include no time.
  init?(name: String?, title: String, columns: [Column]) {
    guard let plot = Plot(title: title, columns: columns) else { return nil }
    (self.name, self.plot) = (name, plot)
    playback = Playback(columnCount: columns.count)
  }

  mutating func append(_ row: [Double?]) {
    let count = plot.count
    plot.append(row)
    guard plot.count > count else { return }
    playback.append(row, at: plot.end)
  }

  /// Records a collision at the latest sample; `direction` is that of the impact, clockwise from the nose, in degrees.
  mutating func appendMark(direction: Double?) {
    guard plot.count > 0 else { return }
    plot.appendMark("collision")
    let place = plot.trail.last
    playback.append(Playback.Mark(time: plot.end, x: place?.x, y: place?.y, direction: direction))
  }

  // MARK: Content

  /// The properties of the track that do not depend on the time of playback.
  func overview(robots: [String]) -> FieldValue {
    [
      "start": .decimal(playback.times.first, digits: 3), "end": .decimal(playback.times.last, digits: 3),
      "width": .count(plot.columns.count), "count": .count(plot.count), "stride": .count(playback.stride),
      "robot": .text(name), "robots": .list(robots.map { .text($0) }),
      "lanes": .list(SensorLane.lanes(of: plot.columns).map { $0.view }),
      "marks": .list(playback.marks.map { .list([.decimal($0.time, digits: 3)] + $0.fields) }),
      "path": .list(plot.trail.line.map { .list($0.fields + [.decimal($0.time, digits: 3)]) }),
    ]
  }

  /// The state of the robot at a time in seconds; missing if there is no sample.
  func view(at time: Double) -> FieldValue {
    guard let (moment, row) = playback.row(at: time) else { return .missing }
    let attitude = plot.attitude(of: row)
    let yaw = plot.values(["yaw"], of: row).flatMap { Heading(yaw: .degrees($0[0])) }
    let heading = yaw ?? attitude.map { Heading(attitude: $0) }
    let position = plot.values(["odometer_x", "odometer_y"], of: row).map { Position(x: $0[0], y: $0[1]) }
    // The columns are in mm/s, the result is in cm/s.
    let speed = plot.values(["velocity_x", "velocity_y"], of: row).map {
      ($0[0] * $0[0] + $0[1] * $0[1]).squareRoot() / 10
    }
    let values = zip(plot.columns, row).filter { !SensorLane.omittedColumns.contains($0.0.name) }
      .map { Field($0.name, .decimal($1, digits: 4)) }
    return [
      "time": .decimal(moment, digits: 3), "sample": .record(values), "attitude": Page.view(of: attitude),
      "motion": Page.view(heading: heading, speed: speed, position: position),
    ]
  }
}

/// The rows of a recording in bounded memory: at the limit, every second row is removed.
struct Playback: Sendable {
  /// A collision, and the position of the ball at that time.
  struct Mark: Hashable, Sendable {
    /// In seconds.
    let time: Double
    /// In centimetres to the right and ahead; nil if unknown.
    let x, y: Double?
    /// Clockwise from the nose, in degrees; nil if unknown.
    let direction: Double?

    /// The position and the direction, as the page reads them.
    var fields: [FieldValue] {
      [.decimal(x, digits: 1), .decimal(y, digits: 1), .decimal(direction, digits: 0)]
    }
  }

  /// The largest number of values that are kept, of all columns.
  static let capacity = 1 << 21
  private static let maximumMarkCount = 1_000
  /// The number of values from which ``lanes(from:to:)`` leaves out rows.
  private static let maximumLaneCount = 1 << 18

  private let width: Int
  private let rowLimit: Int
  /// The times of the rows in seconds, in ascending order.
  private(set) var times: [Double] = []
  /// The values row by row; NaN for missing ones.
  private var values: [Float] = []
  private(set) var marks: [Mark] = []
  /// One of this many rows is kept.
  private(set) var stride = 1
  private var rowCount = 0

  /// Creates an empty playback for at most `capacity` values, but at least 256 rows.
  init(columnCount: Int, capacity: Int = Self.capacity) {
    width = max(columnCount, 1)
    rowLimit = max(256, capacity / width)
  }

  /// Appends a row of ``width`` values; ignores one that is earlier than the last kept row.
  mutating func append(_ row: [Double?], at time: Double) {
    defer { rowCount += 1 }
    guard rowCount.isMultiple(of: stride), time >= times.last ?? -.infinity else { return }
    times.append(time)
    for column in 0..<width {
      values.append(column < row.count ? row[column].map { Float($0) } ?? .nan : .nan)
    }
    if times.count >= rowLimit { halve() }
  }

  mutating func append(_ mark: Mark) {
    if marks.count < Self.maximumMarkCount { marks.append(mark) }
  }

  private mutating func halve() {
    let kept = Swift.stride(from: 0, to: times.count, by: 2)
    values = kept.flatMap { values[($0 * width)..<(($0 + 1) * width)] }
    times = kept.map { times[$0] }
    stride *= 2
  }

  /// The last row at or before a time; the first row if all are later, and nil without rows.
  func row(at time: Double) -> (time: Double, values: [Double?])? {
    guard !times.isEmpty else { return nil }
    let index = max(0, firstIndex { $0 > time } - 1)
    let row = values[(index * width)..<((index + 1) * width)]
    return (times[index], row.map { $0.isNaN ? nil : Double($0) })
  }

  /// The index of the first time that satisfies a condition that all later ones satisfy, too.
  private func firstIndex(where condition: (Double) -> Bool) -> Int {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if condition(times[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The rows of a period as little-endian 32-bit floats: the times since its start, and then each column. Of too many
  /// rows, only every nth one and the last are included.
  func lanes(from start: Double, to end: Double) -> [UInt8] {
    // One row beyond each end of the period lets the plotted lines reach it.
    let first = max(0, firstIndex { $0 >= start } - 1)
    let last = min(times.count, firstIndex { $0 > end } + 1)
    guard first < last else { return [] }
    let step = max(1, ((last - first) * (width + 1) + Self.maximumLaneCount - 1) / Self.maximumLaneCount)
    let rows = Array(Swift.stride(from: first, to: last - 1, by: step)) + [last - 1]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rows.count * (width + 1) * 4)
    func append(_ value: Float) {
      for shift in Swift.stride(from: 0, to: 32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(shift)))
      }
    }
    // Times since the start of the period, because a Float has only seven digits.
    for row in rows { append(Float(times[row] - start)) }
    for column in 0..<width { for row in rows { append(values[row * width + column]) } }
    return bytes
  }
}
