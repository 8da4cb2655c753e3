// A bounded queue of records that replaces what it drops by marks.

import SpheroProtocol

/// Records that wait for a slow writer.
///
/// When the queue is full, new records are dropped and counted, and a mark takes their position.
package struct CaptureQueue: Sendable {
  /// The memory of a record besides its bytes.
  private static let overhead = 64
  /// The reason in the marks of dropped records.
  package static let reason = "they were written down too slowly"

  private let capacity: Int
  private var records = Queue<CaptureRecord>()
  private var size = 0
  package private(set) var droppedCount = 0

  /// Makes an empty queue; `capacity` is in bytes.
  package init(capacity: Int) { self.capacity = capacity }

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
    if case .mark(var mark) = records.last, mark.reason == Self.reason {
      mark.lines = (mark.lines ?? 0) + 1
      records.replaceLast(with: .mark(mark))
    } else {
      let mark = CaptureMark(.incomplete, time: record.time, lines: 1, reason: Self.reason)
      records.append(.mark(mark))
      size += Self.cost(of: .mark(mark))
    }
  }

  /// Removes and returns the oldest record.
  package mutating func next() -> CaptureRecord? {
    guard let record = records.popFirst() else { return nil }
    size -= Self.cost(of: record)
    return record
  }

  private static func cost(of record: CaptureRecord) -> Int { overhead + (record.line?.bytes.count ?? 0) }
}

extension CaptureRecord {
  fileprivate var time: Duration? {
    switch self {
    case .line(let line): line.time
    case .header: nil
    case .mark(let mark): mark.time
    }
  }
}
