// The stream of a robot and its consumers: layouts, losses, silence, refusal, the stream of a former program.

import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroHost

/// The number of a sample's frame, 0...1023; nil if a word does not belong to its field.
private func number(_ sample: Sample) -> Int? {
  var numbers: Set<Int> = []
  for field in sample.mask.fields {
    guard let word = sample.word(field).map({ UInt16(bitPattern: $0) }), word >> 10 == UInt16(field.rawValue)
    else { return nil }
    numbers.insert(Int(word & 1_023))
  }
  return numbers.count == 1 ? numbers.first : nil
}

extension Play {
  /// The frames of a consumer.
  fileprivate func numbers(_ id: SubscriptionID) -> [Int?] {
    samples(of: id).map { number($0.sample.sample) }
  }

  fileprivate var gaps: [StreamGap] {
    notices.compactMap(\.gap)
  }

  /// The requests for a stream that were sent.
  fileprivate var streamRequests: [(at: Duration, request: Sensing.SetDataStreaming)] {
    sent.compactMap { entry in
      guard entry.command.id == CommandID(2, 0x11),
        let request = try? Sensing.SetDataStreaming(request: entry.command.payload)
      else { return nil }
      return (entry.at, request)
    }
  }

  /// The longest time between two deliveries to a consumer.
  fileprivate func longestSilence(_ id: SubscriptionID) -> Duration {
    let times = samples(of: id).map { $0.at }
    return zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .zero
  }
}

@Suite(.ownThread) struct StreamingTests {
  @Test func oneConsumerReceivesItsRequestedFields() throws {
    var play = Play.connected()
    let id = try play.subscribe(StreamRequest(mask: .accel, divisor: 20, packets: 100))
    play.run(.seconds(2))
    // Divisor 20, one frame, accel is bits 47...45, 100 packets.
    #expect(play.wire.first == [2, 0x11, 0, 20, 0, 1, 0, 0, 0xE0, 0, 100, 0, 0, 0, 0])
    let numbers = play.numbers(id)
    #expect(numbers == (1...numbers.count).map { $0 } && (38...40).contains(numbers.count))
    #expect(play.samples(of: id).first?.sample.time == .zero)
    #expect(play.updates.filter { if case .streamStarted(id) = $0.item { true } else { false } }.count == 1)
  }

  /// Any word that a faulty robot sends as its yaw is a heading: minus the yaw, 0...359.
  @Test func theHeadingIsMeasuredFromAnyYaw() throws {
    var play = Play.connected()
    #expect(play.conversation.heading == nil)
    _ = try play.subscribe(StreamRequest(mask: SensorMask(.yaw), divisor: 20))
    play.run(.seconds(1))
    #expect(play.conversation.heading != nil)
    let packet = try #require(play.conversation.streaming.newest)
    for (word, heading) in [
      (0, 0), (90, 270), (-90, 90), (-179, 179), (180, 180), (360, 0), (400, 320), (32_767, 353),
      (-32_768, 8),
    ]
      as [(Int16, UInt16)]
    {
      let bits = UInt16(bitPattern: word)
      play.conversation.streaming.newest = StreamFollower.Packet(
        payload: [UInt8(bits >> 8), UInt8(bits & 0xFF)], frames: 1, arrival: packet.arrival,
        place: packet.place)
      #expect(play.conversation.heading == heading, "\(word)")
    }
  }

  /// The arrival of a sample counts from the first packet of its consumer, independent of earlier consumers.
  @Test func arrivalCountsFromTheFirstPacketOfEachConsumer() throws {
    var play = Play.connected()
    let first = try play.subscribe(StreamRequest(mask: .accel, divisor: 20))
    play.run(.milliseconds(1_230))
    let second = try play.subscribe(StreamRequest(mask: .gyro, divisor: 40))
    play.run(.seconds(2))
    for id in [first, second] {
      let samples = play.samples(of: id)
      let start = try #require(samples.first).at
      #expect(samples.count > 15)
      #expect(samples.map { $0.sample.arrival } == samples.map { $0.at - start })
      // Packets take 5 ms: a sample is measured before its arrival.
      let offsets = samples.map { $0.at - $0.sample.hostTime }
      #expect(offsets.allSatisfy { $0 >= .zero && $0 < .milliseconds(60) }, "\(offsets)")
    }
  }

  @Test func endingSwitchesTheRobotOff() throws {
    var play = Play.connected()
    let id = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.seconds(1))
    play.conversation.unsubscribe(id, at: play.now)
    play.clearRecords()
    play.flush()
    play.run(.seconds(5))
    #expect(play.wire == [[2, 0x11] + [UInt8](repeating: 0, count: 13)])
    #expect(play.notices.isEmpty)
    // The shutdown has nothing to undo.
    play.clearRecords()
    play.leave()
    #expect(play.sent.isEmpty && play.hasLeft)
  }

  @Test func ofALaterStreamTheTimeBeforeIsNoGap() throws {
    var play = Play.connected()
    let first = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.seconds(1))
    play.conversation.unsubscribe(first, at: play.now)
    play.flush()
    play.run(.seconds(10))
    let second = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.seconds(1))
    #expect(play.gaps.isEmpty && play.samples(of: second).count > 15)
    #expect(play.samples(of: second).first?.sample.time == .zero)
  }

  @Test func renewalsHaveNoGapAndIgnoreTheRateLimit() throws {
    var settings = Play.plain
    (settings.commandsPerSecond, settings.burst) = (1, 1)
    var play = Play.connected(settings)
    // 120 packets at 400 Hz last 0.3 s.
    let id = try play.subscribe(StreamRequest(mask: .accel, divisor: 1, packets: 120))
    play.run(.seconds(15))
    #expect(play.longestSilence(id) <= .milliseconds(5))
    let times = play.streamRequests.map { $0.at }
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 <= .milliseconds(150) })
    #expect(play.conversation.statistics.renewals == times.count - 1 && times.count > 100)
    #expect(play.conversation.statistics.stalls == 0 && play.spins == 0)
  }

  @Test func twoConsumersShareTheUnionEachWithItsOwn() throws {
    var play = Play.connected()
    let accel = try play.subscribe(StreamRequest(mask: .accel, divisor: 20))
    play.run(.seconds(1))
    play.clearRecords()
    let gyro = try play.subscribe(StreamRequest(mask: .gyro, divisor: 4))
    play.run(.seconds(3))
    // accel and gyro are bits 47...42: 00 00 FC 00; packets at 100 Hz.
    #expect(play.wire.first == [2, 0x11, 0, 4, 0, 1, 0, 0, 0xFC, 0, 200, 0, 0, 0, 0])
    let (slow, fast) = (play.samples(of: accel), play.samples(of: gyro))
    #expect(fast.count > 280 && abs(slow.count - fast.count / 5) < 4)
    #expect(slow.allSatisfy { $0.sample.sample.mask == .accel && number($0.sample.sample) != nil })
    #expect(fast.allSatisfy { $0.sample.sample.mask == .gyro && number($0.sample.sample) != nil })
    // Every fifth frame, 50 ms apart; the gap of the change is short and reported.
    let spacings = zip(slow.dropFirst(3), slow.dropFirst(4)).map { $1.sample.time - $0.sample.time }
    #expect(spacings.allSatisfy { abs(($0 - .milliseconds(50)).inSeconds) < 0.003 })
    #expect(play.longestSilence(accel) <= .milliseconds(150))
    #expect(play.streamEnd(of: accel) == nil)
  }

  @Test func aRateThatDoesNotDivideIsTheNextFasterOne() throws {
    var play = Play.connected()
    _ = try play.subscribe(StreamRequest(mask: .accel, divisor: 8))
    // 20/8 is 2.5: every second frame, 40 ms apart.
    let odd = try play.subscribe(StreamRequest(mask: .accel, divisor: 20))
    play.run(.seconds(2))
    let samples = play.samples(of: odd)
    #expect(
      zip(samples, samples.dropFirst()).allSatisfy {
        abs(($1.sample.time - $0.sample.time).inSeconds - 0.04) < 0.003
      })
    #expect(samples.count > 40)
  }

  @Test func endingOneLeavesTheOtherAlone() throws {
    var play = Play.connected()
    let kept = try play.subscribe(StreamRequest(mask: .accel, divisor: 4))
    let ended = try play.subscribe(StreamRequest(mask: .gyro, divisor: 4))
    play.run(.seconds(2))
    play.clearRecords()
    play.conversation.unsubscribe(ended, at: play.now)
    play.run(.seconds(4))
    #expect(play.streamEnd(of: ended)?.error == nil && play.streamEnd(of: ended) != nil)
    #expect(play.longestSilence(kept) <= .milliseconds(150))
    #expect(play.numbers(kept).allSatisfy { $0 != nil })
    // The narrower layout follows: 00 00 E0 00.
    #expect(play.streamRequests.last?.request.mask == 0x0000_E000)
  }

  @Test func changesInOneMomentAreOneRequest() throws {
    var play = Play.connected()
    _ = try play.subscribe(StreamRequest(mask: .accel, divisor: 4))
    play.run(.seconds(1))
    play.clearRecords()
    let ids = try [SensorMask.gyro, .imu, .quat, .locator].map { mask in
      let id = try play.subscribe(StreamRequest(mask: mask, divisor: 4))
      play.run(.milliseconds(2))
      return id
    }
    play.run(.milliseconds(300))
    #expect(Set(play.streamRequests.map { $0.request }).count == 1)
    for id in ids { #expect(play.samples(of: id).count > 20 && play.numbers(id).allSatisfy { $0 != nil }) }
  }

  @Test func noPacketIsDecodedByAnotherLayout() throws {
    // Layouts of the same length follow each other, on a slow line full of late packets.
    var play = Play.connected()
    play.latency = .milliseconds(120)
    var ids: [SubscriptionID] = []
    for mask in [SensorMask.accel, .gyro, .accelRaw, .gyroRaw, .accel, .gyro] {
      let id = try play.subscribe(StreamRequest(mask: mask, divisor: 2))
      ids.append(id)
      play.run(.milliseconds(400))
      play.conversation.unsubscribe(id, at: play.now)
      play.flush()
    }
    for id in ids { #expect(play.numbers(id).allSatisfy { $0 != nil }) }
    #expect(ids.filter { play.samples(of: $0).count > 10 }.count == 6)
  }

  @Test func packetsConfirmAChangeWhoseAnswerIsLost() throws {
    var play = Play.connected()
    let first = try play.subscribe(StreamRequest(mask: .accel, divisor: 4))
    play.run(.seconds(1))
    play.robot.script = { command, _ in command.id == CommandID(2, 0x11) ? .answerLost : nil }
    let second = try play.subscribe(StreamRequest(mask: .quat, divisor: 4))
    play.run(.seconds(2))
    #expect(play.samples(of: second).count > 150 && play.numbers(second).allSatisfy { $0 != nil })
    #expect(play.longestSilence(first) <= .milliseconds(150))
  }

  @Test func aRefusalEndsTheNewConsumersAndKeepsTheRunningOnes() throws {
    var play = Play.connected()
    play.robot.script = { command, _ in
      // Firmware without a second mask: it refuses the quaternion, whose bits are in MASK2.
      command.id == CommandID(2, 0x11) && command.payload.suffix(4) != [0, 0, 0, 0]
        ? .answer(.badParameter) : nil
    }
    let refused = try play.subscribe(StreamRequest(mask: .quat))
    play.run(.seconds(1))
    let error = SessionError.refused(command: "Sensing.SetDataStreaming", status: .badParameter)
    #expect(play.streamEnd(of: refused)?.error == error)
    let running = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.seconds(1))
    let other = try play.subscribe(StreamRequest(mask: .quat))
    play.run(.seconds(2))
    #expect(play.streamEnd(of: other)?.error == error && play.streamEnd(of: running) == nil)
    #expect(play.longestSilence(running) <= .milliseconds(150))
  }

  @Test func noAnswerAndNoPacketIsASilence() throws {
    var play = Play.connected()
    play.robot.script = { command, _ in command.id == CommandID(2, 0x11) ? .lost : nil }
    let start = play.now
    let id = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.seconds(10))
    let reported = play.updates.filter { entry in
      if case .notice(let notice) = entry.item { caseName(of: notice) == "silence" } else { false }
    }
    #expect(reported.map { $0.at - start } == [.seconds(2)], "reported once")
    // Requests are repeated meanwhile, at a limited rate.
    #expect((5...30).contains(play.streamRequests.count))
    play.robot.script = { _, _ in nil }
    play.run(.milliseconds(1_200))
    #expect(play.streamEnd(of: id) == nil && !play.samples(of: id).isEmpty, "it resumes by itself")
  }

  @Test(arguments: [Status.badChecksum, .fragment, .messageTimeout])
  func aRequestThatWasNotReceivedIsNoRefusal(status: Status) throws {
    var play = Play.connected()
    play.robot.script = { command, count in
      command.id == CommandID(2, 0x11) && count % 3 != 2 ? .answer(status) : nil
    }
    let id = try play.subscribe(StreamRequest(mask: .accel, divisor: 1, packets: 200))
    play.run(.seconds(10))
    #expect(play.streamEnd(of: id) == nil && play.samples(of: id).count > 3_500)
    #expect(play.longestSilence(id) < .milliseconds(60))
  }

  @Test func silenceIsReportedOnceAndNeverAnError() throws {
    var play = Play.connected()
    let id = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.seconds(1))
    play.clearRecords()
    let last = play.now
    play.losesSample = { _ in true }
    play.run(.seconds(10))
    let reported = try #require(
      play.updates.first {
        if case .notice(let notice) = $0.item { caseName(of: notice) == "silence" } else { false }
      })
    #expect(reported.at - last <= .milliseconds(2_010))
    play.run(.seconds(3_600))
    #expect(play.streamEnd(of: id) == nil && play.notices.count { caseName(of: $0) == "silence" } == 1)
    #expect(play.conversation.statistics.stalls == 1 && play.spins == 0)
    play.losesSample = { _ in false }
    play.run(.seconds(1))
    #expect(play.samples(of: id).count > 10)
    let gap = try #require(play.gaps.first)
    #expect(play.gaps.count == 1 && abs(gap.duration.inSeconds - 3_610) < 1, "\(play.gaps)")
  }

  /// A packet of a former program in transit, of the same length as those of the new stream, is not one of its samples.
  @Test func aFormerPacketBeforeTheAnswerIsDropped() throws {
    var play = Play.connected()
    let id = try play.subscribe(StreamRequest(mask: .accel))
    // The request is in transit for 5 ms.
    play.run(.milliseconds(2))
    play.deliver(ScriptedRobot.event(0x03, [0, 7, 0, 8, 0, 9]))
    play.run(.seconds(1))
    let samples = play.samples(of: id)
    #expect(samples.count >= 18 && samples.allSatisfy { $0.sample.sample.rawWords != [7, 8, 9] })
  }

  /// Without any answer, packets prove that the robot accepted the request, except the first ones.
  @Test func packetsConfirmAnUnansweredRequest() throws {
    var play = Play.connected()
    play.robot.script = { command, _ in command.id == CommandID(2, 0x11) ? .answerLost : nil }
    let id = try play.subscribe(StreamRequest(mask: .accel, divisor: 4))
    play.run(.milliseconds(200))
    #expect(play.samples(of: id).isEmpty)
    play.run(.seconds(2))
    #expect(play.samples(of: id).count >= 180)
  }

  /// Implausible rates are reported once; plausible ones are measured.
  @Test(arguments: [(1.2, true), (20, true), (0.5, true), (1.1, false), (0.9, false)])
  func anImplausibleRateIsReported(rate: Double, isOdd: Bool) throws {
    var play = Play.connected()
    play.robot.rate = rate
    _ = try play.subscribe(StreamRequest(mask: .accel, divisor: 20))
    play.run(.seconds(8))
    let rates = play.notices.compactMap { if case .implausibleRate(let rate, _) = $0 { rate } else { nil } }
    #expect(rates.count == (isOdd ? 1 : 0), "\(rates)")
    if let seen = rates.first { #expect(abs(seen / (20 * rate) - 1) < 0.02) }
  }

  /// Its packets have two words instead of the requested three.
  @Test func packetsOfAnotherLengthAreReported() throws {
    var play = Play.connected()
    play.robot.streams = false
    let id = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.milliseconds(100))
    for _ in 0..<100 {
      play.deliver(ScriptedRobot.event(0x03, [0, 1, 0, 2]))
      play.run(.milliseconds(50))
    }
    #expect(play.streamEnd(of: id)?.error == .mismatchedStream(payloadCount: 4, expected: 6))
  }

  @Test func aRobotThatAcceptsAndSendsNothingIsSilent() throws {
    var play = Play.connected()
    play.robot.streams = false
    let start = play.now
    let id = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.seconds(10))
    #expect(play.streamEnd(of: id)?.error == .silentStream)
    #expect((play.streamEnd(of: id)?.at ?? .zero) - start <= .seconds(4))
  }

  /// Drops the line after a second and reopens it a quarter of a second later, for a duration.
  private func flap(_ play: inout Play, for duration: Duration) {
    let end = play.now + duration
    while play.now < end {
      play.drop()
      play.run(.milliseconds(250))
      play.reconnect()
      play.run(.seconds(1))
    }
    play.drop()
  }

  @Test func repeatedlyLostLinesWithoutASampleEndTheStream() throws {
    var play = Play.connected()
    play.robot.streams = false
    let id = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.seconds(1))
    let lost = play.now
    flap(&play, for: .seconds(90))
    let end = try #require(play.streamEnd(of: id))
    // A minute after the first loss: 48 lines of 1.25 s.
    #expect(end.error == .silentStream && end.at - lost == .seconds(60))
    // A new consumer has a minute of its own.
    play.reconnect()
    play.clearRecords()
    let again = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.seconds(1))
    flap(&play, for: .seconds(55))
    #expect(play.streamEnd(of: again) == nil)
    flap(&play, for: .seconds(10))
    #expect(play.streamEnd(of: again)?.error == .silentStream)
  }

  @Test func aSampleBetweenLostLinesIsEnough() throws {
    var play = Play.connected()
    let id = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.seconds(1))
    flap(&play, for: .seconds(150))
    #expect(play.streamEnd(of: id) == nil)
    #expect(play.samples(of: id).contains { play.now - $0.at < .seconds(2) })
    for _ in 0..<3 {
      // Most of a minute without samples, then a line with some.
      play.losesSample = { _ in true }
      flap(&play, for: .seconds(50))
      play.losesSample = { _ in false }
      flap(&play, for: .seconds(5))
    }
    #expect(play.streamEnd(of: id) == nil)
  }

  /// A sample every 20 s: lines may be lost for the silence limit of one line, 2 minutes.
  @Test func aSlowStreamHasALongerSilenceLimitOverLostLines() throws {
    var play = Play.connected()
    play.robot.streams = false
    let id = try play.subscribe(StreamRequest(mask: .accel, divisor: 8_000))
    play.run(.seconds(1))
    flap(&play, for: .seconds(115))
    #expect(play.streamEnd(of: id) == nil)
    flap(&play, for: .seconds(10))
    #expect(play.streamEnd(of: id)?.error == .silentStream)
  }

  @Test func aSlowStreamMayBeSilentForThreePeriods() throws {
    var play = Play.connected()
    // Every 4 s.
    let id = try play.subscribe(StreamRequest(mask: .accel, divisor: 1_600))
    play.run(.seconds(41))
    #expect(play.samples(of: id).count == 10 && play.notices.isEmpty)
    let last = play.samples(of: id).last?.at ?? .zero
    play.losesSample = { _ in true }
    play.run(.seconds(30))
    let reported = try #require(
      play.updates.first {
        if case .notice(let notice) = $0.item { caseName(of: notice) == "silence" } else { false }
      })
    #expect(reported.at - last == .seconds(12))
    #expect(play.streamEnd(of: id) == nil)
    play.losesSample = { _ in false }
    play.run(.seconds(5))
    #expect(play.samples(of: id).count == 11, "the next one is in time")
  }

  @Test(arguments: [1, 3, 50], [1, 20]) func lossesAreCountedAndReported(lost: Int, divisor: Int) throws {
    var play = Play.connected()
    let id = try play.subscribe(StreamRequest(mask: .accel, divisor: UInt16(divisor)))
    // Not at a renewal, where one lost frame may be a restarted period.
    play.run(.milliseconds(3_060))
    let period = Duration.microseconds(2_500) * divisor
    // Between two samples, which makes the number of lost ones exact.
    let (from, to) = (play.now + period / 2, play.now + period / 2 + period * lost)
    play.losesSample = { $0 >= from && $0 < to }
    play.run(period * lost + .seconds(2))
    #expect(play.conversation.statistics.lostFrames == lost)
    let gap = try #require(play.gaps.first)
    #expect(
      play.gaps.count == 1 && abs(gap.duration.inSeconds - (period * lost).inSeconds) < period.inSeconds * 0.6
    )
    // After a stall, the robot may have restarted its stream.
    #expect((gap.reason == .lost && gap.frames == lost) || gap.reason == .restart)
    let samples = play.samples(of: id)
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.sample.time < $1.sample.time })
  }

  /// A robot that drops its stream receives a request during the stall; the samples after it belong after the gap,
  /// also on a line with delays, where one late packet is no evidence of a loss.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func aDroppedStreamContinuesAfterItsGap(seed: UInt64) throws
  {
    var (play, generator) = (Play.connected(), SeededGenerator(seed: seed))
    // 50 Hz.
    let id = try play.subscribe(StreamRequest(mask: .accel, divisor: 8))
    for tick in 0..<120 {
      if tick == 60 { play.robot.restart() }
      // The last packet before the gap is late or not.
      let isLate = tick == 59 && seed.isMultiple(of: 2)
      play.latency = .milliseconds(isLate ? 40 : Int.random(in: 2...18, using: &generator))
      play.run(.milliseconds(25))
    }
    let samples = play.samples(of: id).map(\.sample)
    #expect(play.gaps.count == 1 && play.gaps.first?.reason == .restart, "\(play.gaps)")
    #expect(samples.count > 100 && samples.allSatisfy { abs(($0.time - $0.arrival).inSeconds) < 0.045 })
  }

  /// A robot that restarts its period at each renewal shifts its samples and loses none.
  @Test(arguments: [20, 30, 37, 60, 100] as [UInt8], [1, 5, 8])
  func aRestartedPeriodIsNoLoss(packets: UInt8, latency: Int) throws {
    var play = Play.connected()
    play.robot.restartsPeriod = true
    play.latency = .milliseconds(latency)
    // 100 Hz.
    let id = try play.subscribe(StreamRequest(mask: .accel, divisor: 4, packets: packets))
    play.run(.seconds(20))
    #expect(play.conversation.statistics.lostFrames == 0)
    #expect(play.gaps.isEmpty, "\(play.gaps)")
    let samples = play.samples(of: id)
    let numbers = samples.compactMap { number($0.sample.sample) }
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { ($0 + 1) % 1_024 == $1 }, "none is missing")
    // The times advance with the arrivals.
    let last = try #require(samples.last?.sample)
    #expect(abs(last.time.inSeconds - last.arrival.inSeconds) < 0.1, "\(last.time) \(last.arrival)")
  }

  @Test func shortGapsArePrintedInMilliseconds() {
    #expect(
      StreamGap(reason: .lost, duration: .microseconds(2_500), frames: 1).description
        == "a gap of 2.5 ms in the samples: 1 was lost")
    #expect(
      StreamGap(reason: .lost, duration: .milliseconds(10), frames: 1).description
        == "a gap of 10.0 ms in the samples: 1 was lost")
  }

  @Test func aSuspendedHostSeesAGapInTheTimeline() throws {
    var play = Play.connected()
    let id = try play.subscribe(StreamRequest(mask: .accel, divisor: 20))
    play.run(.seconds(3))
    play.clearRecords()
    play.suspend(.seconds(600))
    // The robot's count ran out meanwhile, and the bytes in transit are lost.
    while play.robot.takeDuePacket(at: play.now) != nil {}
    play.run(.seconds(5))
    #expect(play.notices.contains { caseName(of: $0) == "suspended" })
    let gap = try #require(play.gaps.first)
    #expect(play.gaps.count == 1 && abs(gap.duration.inSeconds - 600) < 1.5)
    #expect(play.streamEnd(of: id) == nil && play.samples(of: id).count > 60)
    let samples = play.samples(of: id)
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.sample.time < $1.sample.time })
  }

  @Test func aFormerProgramsStreamIsEndedAndReportedOnce() throws {
    var play = Play()
    play.deliver(ScriptedRobot.event(3, [0, 1, 0, 2]))
    play.run(.milliseconds(100))
    #expect(play.notices == [.strayStream, .connected])
    #expect(play.wire.filter { $0.first == 2 } == [[2, 0x11] + [UInt8](repeating: 0, count: 13)])
  }

  @Test func aProgramMayStreamByItsOwnCommands() throws {
    var settings = Play.plain
    settings.stopsStrayStreams = false
    var play = Play.connected(settings)
    // 20 packets a second of accelerometer z.
    let request = try EncodedRequest(
      CommandID(0x02, 0x11), name: "stream", payload: [0, 20, 0, 1, 0, 0, 0x20, 0, 200, 0, 0, 0, 0])
    _ = play.conversation.enqueue(request, at: play.now)
    play.flush()
    play.run(.seconds(3))
    #expect(play.notices.isEmpty)
    #expect(play.wire.filter { $0.prefix(2) == [2, 0x11] }.count == 1)
    // Leaving ends it.
    play.clearRecords()
    play.leave()
    #expect(play.wire == [[2, 0x11] + [UInt8](repeating: 0, count: 13)])
  }

  @Test func aFormerProgramsStreamIsNotTheSessionsOwn() throws {
    // It streams the gyroscope, three words, as accel would be; the request to stream waits for the handshake.
    var play = Play()
    let stale = ScriptedRobot.event(3, [0x70, 1, 0x70, 2, 0x70, 3])
    let id = try play.subscribe(StreamRequest(mask: .accel))
    for _ in 0..<8 {
      play.deliver(stale)
      play.run(.milliseconds(3))
    }
    for _ in 0..<4 { play.deliver(stale) }
    play.run(.seconds(1))
    #expect(play.samples(of: id).count > 10 && play.numbers(id).allSatisfy { $0 != nil })
  }

  @Test func latePacketsAfterTheEndAreNotAFormerPrograms() throws {
    var play = Play.connected()
    play.latency = .milliseconds(400)
    let id = try play.subscribe(StreamRequest(mask: .accel, divisor: 4))
    play.run(.seconds(4))
    play.conversation.unsubscribe(id, at: play.now)
    play.flush()
    play.run(.seconds(4))
    #expect(!play.notices.contains(.strayStream))
  }

  @Test func aSlowLinkSharesPackets() throws {
    var play = Play()
    play.latency = .milliseconds(600)
    play.run(.seconds(5))
    let id = try play.subscribe(StreamRequest(mask: .accel, divisor: 1, packets: 200))
    play.run(.seconds(30))
    // 255 packets of 2.5 ms last 0.64 s, less than five round trips of 1.2 s: ten frames share a packet.
    #expect(play.notices.contains(.sharedPackets(frames: 10)))
    let samples = play.samples(of: id)
    let times = samples.filter { $0.at > play.now - .seconds(20) }.map { $0.at }
    #expect((zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .zero) < .milliseconds(60))
    #expect(samples.count > 9_000)
  }

  @Test func impossibleStreamsAreRefusedAtOnce() throws {
    var play = Play.connected()
    #expect(throws: SessionError.self) {
      try play.conversation.subscribe(StreamRequest(mask: []), at: play.now)
    }
    play.run(.seconds(1))
    #expect(play.sent.isEmpty)
  }

  @Test(arguments: [0.95, 1.05]) func theRateIsKnown(rate: Double) throws {
    var play = Play.connected()
    play.robot.rate = rate
    let id = try play.subscribe(StreamRequest(mask: .accel, divisor: 4))
    play.run(.seconds(8))
    let measured = play.conversation.streaming.follower.timeline.rate
    #expect(measured.isMeasured && abs(0.0025 / measured.period / rate - 1) < 0.002)
    #expect(play.gaps.isEmpty && play.conversation.statistics.lostFrames == 0)
    #expect(play.longestSilence(id) < .milliseconds(30))
  }
}
