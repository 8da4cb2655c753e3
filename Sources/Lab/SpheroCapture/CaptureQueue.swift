// What waits to be written down: bounded, and honest about what did not fit.

import SpheroProtocol

/// Records that wait for a slow reader.
///
/// Where no more fit, lines are dropped and counted, and in their place a mark says so;
/// what was there before them stays.
package struct CaptureQueue: Sendable {
  /// What a record costs besides its bytes.
  private static let overhead = 64

  private let capacity: Int
  private var records = Queue<CaptureRecord>()
  private var size = 0
  /// The records that were dropped.
  package private(set) var droppedCount = 0

  /// Makes an empty queue.
  ///
  /// - Parameter capacity: The memory that records may take, in bytes.
  package init(capacity: Int) { self.capacity = capacity }

  /// How many records wait.
  package var count: Int { records.count }

  /// Appends a record, or counts it as dropped.
  package mutating func append(_ record: CaptureRecord) {
    let cost = Self.cost(of: record)
    guard size + cost > capacity else {
      records.append(record)
      size += cost
      return
    }
    droppedCount += 1
    // The queue is never empty here unless one record alone is too large.
    if case .mark(var mark) = records.last, mark.reason == Self.reason {
      mark.lines = (mark.lines ?? 0) + 1
      records.replaceLast(with: .mark(mark))
    } else {
      let mark = CaptureMark(.incomplete, time: record.time, lines: 1, reason: Self.reason)
      records.append(.mark(mark))
      size += Self.cost(of: .mark(mark))
    }
  }

  /// Takes the record that has waited longest.
  package mutating func next() -> CaptureRecord? {
    guard let record = records.popFirst() else { return nil }
    size -= Self.cost(of: record)
    return record
  }

  /// Why records were dropped.
  package static let reason = "they were written down too slowly"

  private static func cost(of record: CaptureRecord) -> Int { overhead + (record.line?.bytes.count ?? 0) }
}

extension CaptureRecord {
  /// When it happened, or nil for a header and where nobody noted it.
  var time: Duration? {
    switch self {
    case .line(let line): line.time
    case .header: nil
    case .mark(let mark): mark.time
    }
  }
}
