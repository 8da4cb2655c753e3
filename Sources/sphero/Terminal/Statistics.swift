// What a session has counted, for people and for programs.

import SpheroProtocol
import SpheroSession

extension HostStatistics {
  /// The figures with their names.
  private var cells: [Cell] {
    let counts = [
      ("packets", decoder.packets), ("bytes_received", bytesReceived), ("bytes_sent", bytesSent),
      ("commands", commandsSent), ("repetitions", repetitions), ("checksum_failures", decoder.badChecksums),
      ("discarded_bytes", decoder.discarded), ("lost_frames", lostFrames), ("stalls", stalls),
      ("renewals", renewals), ("reconnections", reconnections), ("dropped_samples", droppedSamples),
      ("stray_answers", strayAnswers),
    ]
    let times = [
      ("round_trip_min", roundTrip.minimum), ("round_trip_median", roundTrip.median),
      ("round_trip_p99", roundTrip.percentile99),
    ]
    return counts.map { Cell(name: $0.0, value: .integer($0.1)) }
      + times.map { name, time in
        // Without an answer there is no time.
        Cell(
          name: name, unit: "ms",
          value: roundTrip.count == 0 ? .missing : .number(time / .milliseconds(1), digits: 3))
      }
  }

  /// One line for people.
  var line: String {
    let parts = cells.map { cell in
      let words = cell.name.split(separator: "_").joined(separator: " ")
      let value = Records.plain(cell.value)
      return value.isEmpty
        ? "\(words) unknown" : "\(words) \(value)" + (cell.unit.isEmpty ? "" : " \(cell.unit)")
    }
    return "statistics: " + parts.joined(separator: ", ")
  }

  /// One JSON object.
  var json: String { Sheet.lines(cells, .json).joined() }
}
