// Resynchronisation: looks inside a delivered packet when the bytes after it begin no packet.

/// A packet that may begin inside a delivered packet.
struct ResyncCandidate: Sendable {
  var start: Int
  /// The index up to which bytes must have arrived before the candidate is checked again: the end of its header or, if the
  /// header is known, of its packet.
  var due: Int

  /// Whether `one` precedes `other` in descending order of ``due``: the candidate that is due first is the last element,
  /// so that its removal costs constant time.
  static func isBefore(_ one: ResyncCandidate, _ other: ResyncCandidate) -> Bool {
    (one.due, one.start) > (other.due, other.start)
  }
}

extension PacketDecoder {
  /// Searches ``latest`` for other packets, because no packet begins after it.
  mutating func beginResync() {
    let end = latest.upperBound
    var start = nextStart(from: latest.lowerBound + 1, before: end)
    guard start < end else {
      (resyncCandidates, latest) = ([], 0..<0)
      return
    }
    let inside = packets(between: start, and: end)
    // A single intact packet inside may be a coincidence. If the header of another one follows it, the outer packet is
    // false.
    if let last = inside.last, inside.contains(where: { $0.end < end && mayBegin(at: $0.end, before: end) }) {
      countLatestAsFalse()
      recovered = inside.reversed()
      start = last.end
    }
    resyncCandidates = []
    var place = nextStart(from: start, before: end)
    while place < end {
      switch candidate(at: place) {
      case .none: break
      case .incomplete(let due): resyncCandidates.append(ResyncCandidate(start: place, due: due))
      case .whole(let frame):
        // The search above has found the packets that end inside.
        if frame.end > end { resyncCandidates.append(ResyncCandidate(start: place, due: frame.end)) }
      }
      place = nextStart(from: place + 1, before: end)
    }
    resyncCandidates.sort(by: ResyncCandidate.isBefore)
    latest = resyncCandidates.isEmpty ? 0..<0 : start..<end
  }

  private mutating func countLatestAsFalse() {
    if !isLatestFalse { statistics.falsePackets &+= 1 }
    isLatestFalse = true
  }

  /// Whether a packet may begin at `place`, judged only by the bytes before `end`.
  private func mayBegin(at place: Int, before end: Int) -> Bool {
    // The result must not depend on whether the bytes after `end` have arrived.
    if case .none = framing.candidate(in: window.bytes.span.extracting(..<end), at: place) { return false }
    return true
  }

  /// Delivers the candidate that ends first, if it ends at `limit` or before; returns whether there is one.
  mutating func resync(upTo limit: Int) -> Bool {
    while let next = resyncCandidates.last, next.due <= limit {
      resyncCandidates.removeLast()
      switch candidate(at: next.start) {
      case .none: break
      case .incomplete(let due): insert(ResyncCandidate(start: next.start, due: due))
      case .whole(let frame):
        // A candidate that was due at the end of its header waits for its packet, because others may end earlier.
        if frame.end > next.due {
          insert(ResyncCandidate(start: next.start, due: frame.end))
        } else if isIntact(frame) {
          countLatestAsFalse()
          // The bytes after the false packet were counted as discarded, but are part of this one.
          statistics.discarded &-= head - latest.upperBound
          recovered = [frame] + packets(between: latest.lowerBound, and: frame.start).reversed()
          advance(past: frame.start..<frame.end, overlaps: overlaps + 1)
          return true
        }
      }
    }
    if resyncCandidates.isEmpty { latest = 0..<0 }
    return false
  }

  /// Inserts a candidate in order, in linear time: only candidates whose header was incomplete are inserted, and a header is
  /// short.
  private mutating func insert(_ candidate: ResyncCandidate) {
    let index = resyncCandidates.firstIndex { !ResyncCandidate.isBefore($0, candidate) }
    resyncCandidates.insert(candidate, at: index ?? resyncCandidates.endIndex)
  }

  /// The intact packets that lie completely between two places, in order and without overlaps.
  private mutating func packets(between start: Int, and end: Int) -> [Frame] {
    var frames: [Frame] = []
    var place = nextStart(from: start, before: end)
    while place < end {
      if case .whole(let frame) = candidate(at: place), frame.end <= end, isIntact(frame) {
        frames.append(frame)
        place = nextStart(from: frame.end, before: end)
      } else {
        place = nextStart(from: place + 1, before: end)
      }
    }
    return frames
  }
}
