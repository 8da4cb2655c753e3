// Resynchronisation: looks inside a delivered packet when the bytes after it begin no packet.

/// A place inside a delivered packet where another packet may begin.
struct ResyncCandidate: Sendable {
  var start: Int
  /// The place that the window must reach for the next examination: the end of the header or, once known, of the packet.
  var due: Int

  /// The descending order, in which the candidate that is due first is the last one and can be removed cheaply.
  static func isBefore(_ one: ResyncCandidate, _ other: ResyncCandidate) -> Bool {
    (one.due, one.start) > (other.due, other.start)
  }
}

extension PacketDecoder {
  /// Starts to look inside the last packet, since the bytes after it begin none.
  mutating func beginResync() {
    let end = latest.upperBound
    var start = nextStart(from: latest.lowerBound + 1, before: end)
    guard start < end else {
      (resyncCandidates, latest) = ([], 0..<0)
      return
    }
    let inside = packets(between: start, and: end)
    // One packet inside may be a coincidence. If the head of another one follows it, the outer packet is false.
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
        // Packets that end inside have been examined above.
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

  /// Whether a packet may begin at `place`, judged by the bytes before `end` alone.
  private func mayBegin(at place: Int, before end: Int) -> Bool {
    // The bytes after `end` may not have arrived yet, and the result must not depend on that.
    if case .none = framing.candidate(in: window.bytes.span.extracting(..<end), at: place) { return false }
    return true
  }

  /// Searches the candidates for the packet that ends first, at `limit` or before; returns whether there is one.
  mutating func resync(upTo limit: Int) -> Bool {
    while let next = resyncCandidates.last, next.due <= limit {
      resyncCandidates.removeLast()
      switch candidate(at: next.start) {
      case .none: break
      case .incomplete(let due): insert(ResyncCandidate(start: next.start, due: due))
      case .whole(let frame):
        // If the candidate was due at the end of its header, others may end before this packet.
        if frame.end > next.due {
          insert(ResyncCandidate(start: next.start, due: frame.end))
        } else if isIntact(frame) {
          countLatestAsFalse()
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

  /// Inserts a candidate in order; called only for the few bytes within a header's length of the end of a packet.
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
