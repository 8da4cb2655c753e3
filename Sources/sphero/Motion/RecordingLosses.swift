// What a file of recordings lacks, as remarks of `sphero decode`.

import SpheroProtocol
import SpheroRecording

/// The losses of all recordings of a file.
struct RecordingLosses {
  /// The bytes that belong to no packet.
  private(set) var discarded = 0
  private var badChecksums = 0
  /// Whether a mark says that lines are missing.
  private var isIncomplete = false
  /// The time of the latest line of the present recording.
  private var latest: Duration?
  /// The number of lines whose time is earlier than that of the line before, and the first such pair.
  private var decreases = 0
  private var firstDecrease: (from: Duration, to: Duration)?

  /// Records the time of a line.
  mutating func add(_ time: Duration?) {
    guard let time else { return }
    if let latest, time < latest {
      decreases += 1
      firstDecrease = firstDecrease ?? (latest, time)
    }
    latest = time
  }

  mutating func add(_ statistics: PacketDecoder.Statistics) {
    discarded += statistics.discarded
    badChecksums += statistics.badChecksums
  }

  mutating func add(_ annotation: CaptureRecord) {
    switch annotation {
    case .header: latest = nil
    case .mark(let mark) where mark.kind == .incomplete: isIncomplete = true
    case .mark, .line: break
    }
  }

  /// A remark on each kind of loss; empty if nothing is lost.
  var sentences: [String] {
    var sentences: [String] = []
    if isIncomplete {
      sentences.append("the capture is incomplete: its marks 'incomplete' count the missing lines")
    }
    if let firstDecrease {
      let places = decreases == 1 ? "" : " at \(decreases) places, first"
      sentences.append(
        "the times of the lines decrease\(places) from \(firstDecrease.from.text(digits: 6)) s "
          + "to \(firstDecrease.to.text(digits: 6)) s: lines are damaged, in a wrong order, or of another recording"
      )
    }
    if discarded > 0 {
      sentences.append(
        "\(discarded) byte\(discarded == 1 ? " belongs" : "s belong") to no packet, "
          + "with \(badChecksums) false or damaged packet\(badChecksums == 1 ? "" : "s") in them")
    }
    return sentences
  }
}
