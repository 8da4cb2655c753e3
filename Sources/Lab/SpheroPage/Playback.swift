// The samples of an opened recording by time, for the slider and the plot of the page.

import SpheroDrawing
import SpheroOrientation
import SpheroProtocol

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
  }

  /// The largest number of values that are kept, of all columns.
  static let capacity = 1 << 21
  private static let maximumMarkCount = 1_000
  /// The largest number of values of ``lanes(from:to:)``.
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
    var kept = 0
    for index in Swift.stride(from: 0, to: times.count, by: 2) {
      times[kept] = times[index]
      for column in 0..<width { values[kept * width + column] = values[index * width + column] }
      kept += 1
    }
    times.removeLast(times.count - kept)
    values.removeLast(values.count - kept * width)
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

  /// The rows of a period as little-endian 32-bit floats: the times since its start, and then each column.
  ///
  /// Of too many rows, only every nth one is included.
  func lanes(from start: Double, to end: Double) -> [UInt8] {
    // One row beyond each end of the period lets the plotted lines reach it.
    let first = max(0, firstIndex { $0 >= start } - 1)
    let last = min(times.count, firstIndex { $0 > end } + 1)
    guard first < last else { return [] }
    let step = max(1, ((last - first) * (width + 1) + Self.maximumLaneCount - 1) / Self.maximumLaneCount)
    let rows = Array(Swift.stride(from: first, to: last, by: step))
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
