// A series with bounded memory that keeps its extremes, and the rounding of values for plots.

import SpheroProtocol

/// A series that is reduced to the minimum and the maximum of each group of consecutive samples; the size of the
/// groups doubles when there are more than the capacity.
struct MinMaxDecimator: Sendable {
  struct Point: Hashable, Sendable {
    var time: Double
    var value: Double
  }

  struct Group: Hashable, Sendable {
    var lowest: Point
    var highest: Point
    var startsLine: Bool

    var points: [Point] {
      if lowest == highest { return [lowest] }
      return lowest.time <= highest.time ? [lowest, highest] : [highest, lowest]
    }

    mutating func merge(_ other: Group) {
      if other.lowest.value < lowest.value { lowest = other.lowest }
      if other.highest.value > highest.value { highest = other.highest }
    }
  }

  private(set) var groups: [Group] = []
  private let capacity: Int
  private var groupSize = 1
  /// The number of samples in the last group, including those without a value.
  private var filled = 0
  /// The number of samples without a value since the last value.
  private var missing = 0
  private var isInterrupted = false
  /// Whether more than a quarter of the groups began a line: then only a complete group can end a line, so that the
  /// other groups can be merged.
  private var isCrowded = false

  init(capacity: Int = 2_048) { self.capacity = max(2, capacity) }

  /// Appends a value; a run of at least `groupSize` samples without a finite value interrupts the line.
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

  /// Merges pairs of groups, but not across an interruption unless interruptions are frequent.
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

  var lines: [[Point]] {
    var lines: [[Point]] = []
    for group in groups {
      if group.startsLine || lines.isEmpty { lines.append([]) }
      lines[lines.count - 1] += group.points
    }
    return lines
  }

  var range: ClosedRange<Double>? {
    guard var range = groups.first.map({ $0.lowest.value...$0.highest.value }) else { return nil }
    for group in groups { range = range.extended(to: group.lowest.value).extended(to: group.highest.value) }
    return range
  }
}

extension FieldValue {
  /// The ``number`` rounded to the decimal places with which it is printed; nil if it is not a number.
  package var printedNumber: Double? {
    guard let number else { return nil }
    switch self {
    case .integer(_, let quantity): return Decimal.rounded(number, digits: quantity.digits)
    case .decimal(_, let digits): return Decimal.rounded(number, digits: digits)
    default: return number
    }
  }
}
