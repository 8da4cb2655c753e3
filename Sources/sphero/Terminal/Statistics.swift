// The statistics of a session as fields, text and JSON.

import SpheroProtocol
import SpheroSession

extension HostStatistics {
  var fields: [Field] {
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
    return counts.map { Field($0.0, .count($0.1)) }
      // Without an answer, the times are missing.
      + times.map { Field($0.0, .seconds, .seconds(roundTrip.count == 0 ? nil : $0.1)) }
  }

  /// The text for `--verbose`.
  var line: String {
    let parts = fields.map { field in
      let words = field.name.split(separator: "_").joined(separator: " ")
      let value = field.value == .missing ? "unknown" : field.value.plain + "\(field.unit.symbol)"
      return "\(words) \(value)"
    }
    return "statistics: " + parts.joined(separator: ", ")
  }

  /// The JSON object for `--statistics`, with the port of one of several robots and with additional fields.
  func json(of robot: String? = nil, _ figures: [Field] = []) -> String {
    let subject = robot.map { [Field("robot", .text($0))] } ?? []
    return Sheet.text(subject + fields + figures, kind: "statistics", .json)
  }
}
