// The summary of a recording: remarks, losses, and the failure of a recording without samples.

import SpheroCapture
import SpheroProtocol
import SpheroRecording
import SpheroSession

extension RecordedSamplePrinter {
  /// The packets and samples that the table does not contain.
  struct Totals {
    var losses = RecordingLosses()
    var lostFrames = 0
    var unknownFormatPackets = 0
    /// The size of the samples in the first sensor packet of unknown format, in bytes; nil without one.
    var unknownFormatSize: Int?
    /// The sensor packets on a new line before the first request for a stream.
    var earlyPackets = 0
  }

  var totals: Totals {
    var totals = earlier
    for sender in Sender.allCases { totals.losses.add(samples.statistics(of: sender)) }
    totals.lostFrames += samples.lostFrames
    totals.unknownFormatPackets += samples.unknownFormatPackets
    totals.unknownFormatSize = totals.unknownFormatSize ?? samples.unknownFormatSize
    totals.earlyPackets += samples.earlyPackets
    return totals
  }

  var remarks: [String] {
    let totals = totals
    var remarks: [String] = []
    if latestMask == nil, failure == nil { remarks.append("the recording has no samples") }
    if totals.lostFrames > 0 {
      remarks.append(
        "\(totals.lostFrames) sample\(totals.lostFrames == 1 ? " is" : "s are") missing: lost on the way")
    }
    if totals.earlyPackets > 0 {
      let (packets, are) = totals.earlyPackets == 1 ? ("packet", "is") : ("packets", "are")
      remarks.append(
        "\(totals.earlyPackets) sensor \(packets) \(are) left out: on a new line, before the stream was asked for again"
      )
    }
    return remarks
  }

  var losses: [String] {
    let (sentences, packets) = (totals.losses.sentences, totals.unknownFormatPackets)
    guard packets > 0, latestMask != nil else { return sentences }
    let unread = "\(packets) sensor packet\(packets == 1 ? " has" : "s have")"
    let why =
      samples.format == nil
      ? "no known layout"
      : "another length than the requested stream, or come before its request; '--mask' names the fields of the latter"
    return sentences + ["\(unread) \(why)"]
  }

  /// The failure to decode a recording that has sensor data and no sample.
  var failure: Failure? {
    guard latestMask == nil else { return nil }
    let totals = totals
    if let size = totals.unknownFormatSize {
      let packets = totals.unknownFormatPackets
      if let mask = verb.fields?.streamedMask { return mismatch(of: mask, packets, size / 2) }
      return Failure(
        .badData,
        "no samples: \(packets) sensor packet\(packets == 1 ? " has" : "s have") no known layout; "
          + "the first has \(size) bytes, which are \(size / 2) values",
        advice:
          "Name the streamed fields with '--mask', or the recorded masks as 0xMASK:0xMASK2; without a mask of this length, only 'sphero decode -v' shows the bytes."
      )
    }
    guard totals.losses.discarded > 0, verb.fields != nil else { return nil }
    return Failure(
      .badData, "no samples: the bytes contain no whole sensor packet",
      advice: "'sphero decode -v' shows the bytes; '--input' names the form of the recording.")
  }

  /// The failure of a recording whose `packets` sensor packets do not have the length of frames of `mask`.
  ///
  /// `values` is the number of values in the first of them.
  private func mismatch(of mask: SensorMask, _ packets: Int, _ values: Int) -> Failure {
    let expected = mask.wordCount * (verb.frames ?? 1)
    let (frames, rest) = values.quotientAndRemainder(dividingBy: max(mask.wordCount, 1))
    let hint =
      frames > 0 && rest == 0 ? ", or the samples in each packet with '--frames \(frames)'" : ""
    return Failure(
      .badData,
      "no samples: \(packets) sensor packet\(packets == 1 ? " has" : "s have") other lengths than the "
        + "\(expected) values of '\(mask)'; the first has \(values) values",
      advice:
        "Name the streamed fields with '--mask'\(hint); 'sphero decode -v' shows the bytes of the packets.")
  }
}
