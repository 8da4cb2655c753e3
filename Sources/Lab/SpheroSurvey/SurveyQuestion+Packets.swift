// Questions about packets: records and option flags, the order of events, streaming requests, and the sample rate.

import SpheroProtocol

extension SurveyQuestion {
  static let recordQuestions = [
    SurveyQuestion(
      "version-record", "How long is the version record (00:02)?", ["8 bytes", "10 bytes"], assumed: nil,
      step: "records"
    ) { step throws(SurveyJudgement) in try length(of: Core.GetVersioning.id, [8, 10], in: step) },
    SurveyQuestion(
      "bluetooth-record", "How is the Bluetooth record (00:11) laid out?",
      ["name 16, address 12, colours", "name 16, address 16", "name 48, address 16"], assumed: nil,
      step: "records"
    ) { step throws(SurveyJudgement) in
      let bytes = try payload(of: Core.GetBluetoothInfo.id, in: step)
      let text = Hexadecimal.text(bytes)
      switch bytes.count {
      case 32:
        let (digits, tail) = (bytes[16..<28], bytes[28...])
        // Three letters after a zero, or only zeros.
        let hasColors =
          tail.first == 0 && tail.dropFirst().allSatisfy { $0 == 0 || "RGBYOPW".utf8.contains($0) }
        let isAddress = digits.allSatisfy { byte in
          (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
        }
        return .answer(isAddress && hasColors ? 0 : 1, text)
      case 64: return .answer(2, text)
      default: return .unexplained("\(bytes.count) bytes", text)
      }
    },
    SurveyQuestion(
      "power-record", "How long is the power record (00:20)?", ["8 bytes"], assumed: 0, step: "records"
    ) { step throws(SurveyJudgement) in try length(of: Core.GetPowerState.id, [8], in: step) },
    SurveyQuestion(
      "permanent-options", "Are permanent option flags set that API 1.50 does not name (bit 9 and up)?",
      ["none", "some"], assumed: nil, step: "records"
    ) { step throws(SurveyJudgement) in
      let bytes = try payload(of: Settings.GetPermanentOptions.id, in: step)
      let text = Hexadecimal.text(bytes)
      guard bytes.count == 4 else { return .unexplained("\(bytes.count) bytes", text) }
      let flags = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let unnamed = (UInt32(9)..<32).filter { flags >> $0 & 1 == 1 }
      return unnamed.isEmpty
        ? .answer(0, text) : .answer(1, "\(text): bits \(unnamed.map { "\($0)" }.joined(separator: ", "))")
    },
    SurveyQuestion(
      "temporary-options", "Does the robot know temporary option flags (02:38)?", ["answered", "refused"],
      assumed: nil, step: "records"
    ) { support(of: Settings.GetTemporaryOptions.id, in: $0) },
    SurveyQuestion(
      "read-locator", "Does the robot answer Read Locator (02:15)?", ["answered", "refused"], assumed: nil,
      step: "records"
    ) { support(of: Sensing.ReadLocator.id, in: $0) },
    SurveyQuestion(
      "event-order", "Which comes first: the response to a command, or the event that it causes?",
      ["the response", "the event"], assumed: nil, step: "event-gap"
    ) { step in
      var gaps: [Double] = []
      var eventsFirst = 0
      var (responseAt, eventAt): (Duration?, Duration?) = (nil, nil)
      var refusal: Status?
      for entry in step.entries {
        switch entry.item {
        case .sent: (responseAt, eventAt) = (nil, nil)
        case .answered(let response, let command):
          guard command.id == Diagnostics.RunLevel1Diagnostics.id else { continue }
          if response.status != .ok { refusal = response.status }
          responseAt = entry.time
          if let eventAt {
            eventsFirst += 1
            gaps.append((eventAt - entry.time) / .milliseconds(1))
          }
        case .event(let event):
          guard event.id == Diagnostics.Level1Diagnostics.id else { continue }
          eventAt = entry.time
          if let responseAt { gaps.append((entry.time - responseAt) / .milliseconds(1)) }
        }
      }
      guard let shortest = gaps.min(), let longest = gaps.max() else {
        return .undecided([0, 1], refusal.map { "refused with \($0)" } ?? "no event was received")
      }
      let evidence =
        "\(gaps.count) events, \(text(shortest, 1)) to \(text(longest, 1)) ms "
        + "after the response"
      guard eventsFirst == 0 || eventsFirst == gaps.count else {
        return .undecided([0, 1], "both orders were seen", evidence)
      }
      return .answer(eventsFirst == 0 ? 0 : 1, evidence)
    },
  ]

  private static func payload(
    of id: CommandID, in step: SurveyLog.StepLog
  ) throws(SurveyJudgement) -> [UInt8] {
    guard let response = step.response(to: id) else { throw .undecided([], "no response was received") }
    guard response.status == .ok else { throw .undecided([], "refused with \(response.status)") }
    return response.payload
  }

  private static func length(
    of id: CommandID, _ lengths: [Int], in step: SurveyLog.StepLog
  ) throws(SurveyJudgement) -> SurveyJudgement {
    let bytes = try payload(of: id, in: step)
    return .match(bytes.count, of: lengths, otherwise: "\(bytes.count) bytes", Hexadecimal.text(bytes))
  }

  private static func support(of id: CommandID, in step: SurveyLog.StepLog) -> SurveyJudgement {
    guard let response = step.response(to: id) else { return .undecided([0, 1], "no response was received") }
    return response.status == .ok
      ? .answer(0, "\(response.payload.count) bytes: \(Hexadecimal.text(response.payload))")
      : .answer(1, "\(response.status)")
  }

  static let streamQuestions = [
    SurveyQuestion(
      "count-restart",
      "What does the same streaming request (02:11), sent again, do to the count of packets?",
      ["the count restarts", "the old count continues", "the counts add up"], assumed: 0, step: "count"
    ) { step throws(SurveyJudgement) in
      let (first, second) = try repeatedRequest(in: step)
      let count = Int(first.request.packetCount)
      let before = first.packets.count + second.packetsBeforeResponse.count
      let after = second.packets.count
      let evidence = "\(before) packets of \(count) before the second request took effect, \(after) after it"
      // For a second request exactly in the middle of the first count, the expected numbers differ by three packets.
      guard (2...4).contains(before) else {
        return .undecided([0, 1, 2], "the second request did not come in the middle", evidence)
      }
      let matches = [count, count - before, 2 * count - before].enumerated().filter {
        abs($0.element - after) <= 1
      }
      if matches.count > 1 { return .undecided(matches.map(\.offset), "several answers fit", evidence) }
      guard let match = matches.first else { return .unexplained("\(after) packets followed", evidence) }
      return .answer(match.offset, evidence)
    },
    SurveyQuestion(
      "renewal-rhythm", "What does that request do to the timing of the frames?",
      ["it continues", "it restarts"], assumed: nil, step: "count"
    ) { step throws(SurveyJudgement) in
      let (first, second) = try repeatedRequest(in: step)
      guard let last = (second.packetsBeforeResponse.last ?? first.packets.last)?.time,
        let next = second.packets.first?.time,
        let answered = second.answeredAt
      else { return .undecided([0, 1], "too few packets were received") }
      let period = first.framePeriod
      let (sinceLast, sinceAnswer) = ((next - last) / .seconds(1), (next - answered) / .seconds(1))
      let evidence =
        "the next packet came \(text(sinceLast, 3)) s after the last one, "
        + "\(text(sinceAnswer, 3)) s after the response; the period is \(period) s"
      switch (abs(sinceLast - period) < period / 5, abs(sinceAnswer - period) < period / 5) {
      case (true, false): return .answer(0, evidence)
      case (false, true): return .answer(1, evidence)
      case (true, true): return .undecided([0, 1], "both fit", evidence)
      case (false, false): return .unexplained("neither fits", evidence)
      }
    },
    SurveyQuestion(
      "old-frames", "Do frames of the old layout come after the response to a change?",
      ["none were seen", "some come"], assumed: nil, step: "change"
    ) { step in
      let changes = changes(in: step)
      let delays = changes.flatMap { old, new in
        new.packets.filter { $0.bytes.count == length(of: old.request) && old.request != new.request }
          .map { ($0.time - (new.answeredAt ?? $0.time)) / .milliseconds(1) }
      }
      let latest = delays.max().map { ", up to \(text($0, 1)) ms after it" } ?? ""
      let evidence = "\(changes.count) changes, \(delays.count) old packets after the response" + latest
      guard changes.count >= 4 else { return .undecided([0, 1], "too few changes were confirmed", evidence) }
      return .answer(delays.isEmpty ? 0 : 1, evidence)
    },
    SurveyQuestion(
      "early-frames", "Do frames of the new layout come before that response?",
      ["none were seen", "some come"], assumed: nil, step: "change"
    ) { step in
      let changes = changes(in: step)
      let early = changes.reduce(0) { sum, change in
        sum + change.new.packetsBeforeResponse.count { $0.bytes.count == length(of: change.new.request) }
      }
      let evidence = "\(changes.count) changes, \(early) new packets before the response"
      guard changes.count >= 4 else { return .undecided([0, 1], "too few changes were confirmed", evidence) }
      return .answer(early == 0 ? 0 : 1, evidence)
    },
    SurveyQuestion(
      "mask-zero", "Does MASK 0 end streaming where MASK2 is not 0?",
      ["no, both must be 0", "yes, MASK 0 alone ends it"], assumed: 0, step: "mask-zero"
    ) { step in
      guard let stream = step.streams.first, let response = stream.response else {
        return .undecided([0, 1], "no response was received")
      }
      guard stream.isAccepted else { return .unexplained("it is refused with \(response.status)") }
      return .answer(stream.packets.isEmpty ? 1 : 0, "\(stream.packets.count) packets")
    },
    SurveyQuestion(
      "reserved-bits", "How many words do all 64 mask bits stream?",
      ["42: 32 and 10", "41: 29 and 12", "30: reserved bits take no word", "none, they are refused"],
      assumed: nil, otherwise: "reserved bits are never set", step: "reserved"
    ) { step in
      let groups = SurveyStep.groups.map { group -> String in
        let (words, refusal) = wordCount(of: SurveyStep.referenceField.union(group.mask), in: step)
        let (count, bits) = (SurveyStep.referenceField.wordCount, group.mask.rawValue.nonzeroBitCount)
        if let words { return "\(group.name): \(words - count) of \(bits)" }
        return "\(group.name): \(refusal.map { "\($0)" } ?? "no packets")"
      }
      let evidence = groups.joined(separator: ", ")
      let (words, refusal) = wordCount(of: SurveyStep.everything, in: step)
      if refusal != nil { return .answer(3, evidence) }
      guard let words else { return .undecided([0, 1, 2], "no packets were received", evidence) }
      return .match(words, of: [42, 41, 30], otherwise: "\(words) words", evidence)
    },
    SurveyQuestion(
      "speed-field", "Is there a 42nd value, bit 22 of MASK2?", ["it takes a word", "it takes none"],
      assumed: 0, step: "reserved"
    ) { step in
      let mask = SurveyStep.referenceField.union(SurveyStep.speedGroup.mask)
      let (words, refusal) = wordCount(of: mask, in: step)
      guard let words else {
        return .undecided([0, 1], refusal.map { "refused with \($0)" } ?? "no packets were received")
      }
      switch words - SurveyStep.referenceField.wordCount {
      case 1: return .answer(0, "\(words) words for 2 bits")
      case 0: return .answer(1, "\(words) word for 2 bits")
      default: return .unexplained("\(words) words for 2 bits")
      }
    },
    SurveyQuestion(
      "sample-rate", "What is divided by the divisor?", ["400 Hz", "420 Hz"], assumed: nil,
      otherwise: "nominally 400 Hz, measured in every stream", step: "rate"
    ) { step in
      let runs = step.streams.filter { !$0.isOff && $0.isAccepted }
      let measured = runs.compactMap { run in rate(of: run).map { (run, $0) } }
      let rates = measured.map(\.1)
      let evidence = measured.map { run, rate in
        "\(text(rate.hertz, 2)) Hz at divisor \(run.request.divisor) "
          + "(\(rate.count) of \(run.request.packetCount) packets, \(text(rate.span, 1)) s)"
      }.joined(separator: "; ")
      guard rates.count == runs.count, let slow = rates.first else {
        return .undecided([0, 1], "too few packets were received", evidence)
      }
      guard rates.allSatisfy({ abs($0.hertz / slow.hertz - 1) < 0.01 }) else {
        return .undecided([0, 1], "the two streams differ: packets may be lost", evidence)
      }
      return .nearest(
        slow.hertz, of: [400, 420], within: 0.015, seen: "\(text(slow.hertz, 1)) Hz", evidence
      )
    },
  ]

  /// The streams of a request and of its repetition, both accepted.
  private static func repeatedRequest(
    in step: SurveyLog.StepLog
  ) throws(SurveyJudgement) -> (first: SurveyStream, second: SurveyStream) {
    let streams = step.streams.filter { !$0.isOff }
    guard streams.count == 2, streams[0].request == streams[1].request else {
      throw .undecided([], "there was no second request")
    }
    guard streams.allSatisfy(\.isAccepted) else { throw .undecided([], "a request was not answered with ok") }
    return (streams[0], streams[1])
  }

  /// The accepted changes, each with the stream before and the stream after.
  private static func changes(in step: SurveyLog.StepLog) -> [(old: SurveyStream, new: SurveyStream)] {
    let streams = step.streams.filter { !$0.isOff }
    return zip(streams, streams.dropFirst()).filter { $0.isAccepted && $1.isAccepted }.map { ($0, $1) }
  }

  private static func length(of request: Sensing.SetDataStreaming) -> Int {
    request.sensorMask.wordCount * 2 * Int(request.frames)
  }

  /// The number of words in the last packet, since the first ones may belong to the previous request.
  private static func wordCount(
    of mask: SensorMask, in step: SurveyLog.StepLog
  ) -> (words: Int?, refusal: Status?) {
    guard let stream = step.streams.first(where: { $0.request.sensorMask == mask }) else { return (nil, nil) }
    guard stream.isAccepted else { return (nil, stream.response?.status) }
    return (stream.packets.last.map { $0.bytes.count / 2 }, nil)
  }

  /// The rate of the control loop from the arrival times of packets, by linear regression.
  private static func rate(of run: SurveyStream) -> (hertz: Double, count: Int, span: Double)? {
    let times = run.packets.map { $0.time / .seconds(1) }
    guard times.count >= 30, let first = times.first, let last = times.last else { return nil }
    let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
    let period = gaps.sorted()[gaps.count / 2]
    guard period > 0 else { return nil }
    // After a long gap, a short one means that a packet was late, and a whole one that packets were lost.
    var (index, indices) = (0.0, [0.0])
    for (number, gap) in gaps.enumerated() {
      let isLoss = gap > 1.6 * period && (number + 1 == gaps.count || gaps[number + 1] > 0.6 * period)
      index += isLoss ? (gap / period).rounded() : 1
      indices.append(index)
    }
    let count = Double(times.count)
    let (meanIndex, meanTime) = (indices.reduce(0, +) / count, times.reduce(0, +) / count)
    var (product, square) = (0.0, 0.0)
    for (index, time) in zip(indices, times) {
      product += (index - meanIndex) * (time - meanTime)
      square += (index - meanIndex) * (index - meanIndex)
    }
    guard product > 0 else { return nil }
    let hertz = Double(run.request.divisor) * Double(run.request.frames) * square / product
    return (hertz, times.count, last - first)
  }
}
