// A second look inside a packet that was delivered, where the bytes after it begin none.

/// A place inside a doubtful packet at which another may begin.
struct Suspect: Sendable {
  var start: Int
  /// How far bytes must reach to say more of it: the end of its header or, once that is known, of the packet.
  var due: Int

  /// The order in which they lie: that which is due first at the end, so that taking it away is cheap.
  static func isBefore(_ one: Suspect, _ other: Suspect) -> Bool {
    (one.due, one.start) > (other.due, other.start)
  }
}

extension PacketDecoder {
  /// Begins to look inside the last packet, since the bytes after it begin none.
  mutating func doubtLatest() {
    let end = latest.upperBound
    var start = nextStart(from: latest.lowerBound + 1, before: end)
    guard start < end else {
      (suspects, latest) = ([], 0..<0)
      return
    }
    let inside = packets(between: start, and: end)
    // One packet inside may be an accident; one with the head of another after it is none.
    if let last = inside.last, inside.contains(where: { $0.end < end && mayBegin(at: $0.end, by: end) }) {
      refute()
      recovered = inside.reversed()
      start = last.end
    }
    suspects = []
    var place = nextStart(from: start, before: end)
    while place < end {
      switch candidate(at: place) {
      case .none: break
      case .incomplete(let due): suspects.append(Suspect(start: place, due: due))
      case .whole(let frame):
        // What ends inside has been looked at.
        if frame.end > end { suspects.append(Suspect(start: place, due: frame.end)) }
      }
      place = nextStart(from: place + 1, before: end)
    }
    suspects.sort(by: Suspect.isBefore)
    latest = suspects.isEmpty ? 0..<0 : start..<end
  }

  private mutating func refute() {
    if !isRefuted { statistics.refuted &+= 1 }
    isRefuted = true
  }

  /// Whether the bytes from `place` to `end` look like the head of a packet.
  private func mayBegin(at place: Int, by end: Int) -> Bool {
    // Bytes after `end` may or may not have come, and must not matter.
    let bytes = window.kept.bytes.span.extracting(..<(end - window.base))
    if case .none = framing.candidate(in: bytes, at: place - window.base) { return false }
    return true
  }

  /// Looks for the packet that begins inside the last one and ends first, after it, within `limit`.
  ///
  /// - Returns: Whether `recovered` has packets now.
  mutating func recover(upTo limit: Int) -> Bool {
    while let suspect = suspects.last, suspect.due <= limit {
      suspects.removeLast()
      switch candidate(at: suspect.start) {
      case .none: break
      case .incomplete(let due): insert(Suspect(start: suspect.start, due: due))
      case .whole(let frame):
        // Only its header was waited for: others may end before it does.
        if frame.end > suspect.due {
          insert(Suspect(start: suspect.start, due: frame.end))
        } else if isIntact(frame) {
          refute()
          statistics.discarded &-= head - latest.upperBound
          recovered = [frame] + packets(between: latest.lowerBound, and: frame.start).reversed()
          replaceLatest(by: frame)
          return true
        }
      }
    }
    if suspects.isEmpty { latest = 0..<0 }
    return false
  }

  /// No more than the bytes of a header lie so near the end of a packet that this is called for them.
  private mutating func insert(_ suspect: Suspect) {
    suspects.insert(suspect, at: suspects.firstIndex { !Suspect.isBefore($0, suspect) } ?? suspects.endIndex)
  }

  /// The packets that a false one had swallowed whole.
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
