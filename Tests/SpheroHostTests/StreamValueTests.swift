// The small values of streaming: layout, renewal, buffer, request.

import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroHost

@Suite(.ownThread) struct StreamLayoutTests {
  @Test func noRequestsMakeNoLayout() { #expect(StreamRequest(joining: [], roundTrip: .zero) == nil) }

  @Test func allFieldsAtTheFastestRate() throws {
    let layout = try #require(
      StreamRequest(
        joining: [
          StreamRequest(mask: .accel, divisor: 20, frames: 1, packets: 100),
          StreamRequest(mask: .imu, divisor: 4, frames: 10, packets: 50),
        ], roundTrip: .zero))
    #expect(layout.mask == [.accel, .imu] && layout.divisor == 4)
    // Packets are due at least every 20/400 s, which five frames of 4/400 s share.
    #expect(layout.frames == 5 && layout.packets == 100)
    #expect(
      layout.payloadCount == 60 && layout.packetPeriod == .milliseconds(50) && layout.span == .seconds(5))
    #expect(layout.command.mask == 0x0007_E000 && layout.command.mask2 == 0)
  }

  @Test func fiveRoundTripsPassWhileACountLasts() throws {
    let request = StreamRequest(mask: .accel, divisor: 1, packets: 200)
    let fast = try #require(StreamRequest(joining: [request], roundTrip: .milliseconds(100)))
    #expect(fast.frames == 1 && fast.packets == 200)
    // 200 packets at 400 Hz last less than 0.55 s; 220 last 0.55 s.
    let slower = try #require(StreamRequest(joining: [request], roundTrip: .milliseconds(110)))
    #expect(slower.frames == 1 && slower.packets == 220)
    // A count of one packet would be renewed every millisecond.
    let least = try #require(
      StreamRequest(joining: [StreamRequest(mask: .accel, divisor: 1, packets: 1)], roundTrip: .zero))
    #expect(least.frames == 1 && least.packets == 120)
    // The count does not run out between renewals at 30 % of it, of which one is late.
    let few = try #require(
      StreamRequest(joining: [StreamRequest(mask: .accel, divisor: 80, packets: 1)], roundTrip: .zero))
    #expect(few.frames == 1 && few.packets == 10)
    // 6 s of 2.5 ms and 255 packets: 9.4, so ten frames share a packet.
    let slow = try #require(StreamRequest(joining: [request], roundTrip: .milliseconds(1_200)))
    #expect(slow.frames == 10 && slow.packets == 255 && slow.span >= .seconds(6))
  }

  @Test func noPacketIsLongerThan4000Bytes() throws {
    let slowest = try #require(
      StreamRequest(joining: [StreamRequest(mask: .all, divisor: 1)], roundTrip: .seconds(1_000)))
    #expect(slowest.payloadCount <= 4_000 && slowest.payloadCount > 3_900)
  }

  @Test func lengthsAreDistinctAfterAnyFormerLayouts() throws {
    let first = try #require(StreamRequest(joining: [StreamRequest(mask: .accel)], roundTrip: .zero))
    #expect(first.distinct { _ in false } == first && first.distinct { $0.payloadCount == 8 } == first)
    var lengths: [Int] = []
    for _ in 0..<6 {
      let other = first.distinct { lengths.contains($0.payloadCount) }
      #expect(!lengths.contains(other.payloadCount), "\(lengths)")
      #expect(other.mask.isSuperset(of: .accel) && other.divisor == 20)
      lengths.append(other.payloadCount)
    }
  }

  @Test func aFullMaskTakesMoreFrames() throws {
    let full = try #require(StreamRequest(joining: [StreamRequest(mask: .all)], roundTrip: .zero))
    let other = full.distinct { $0.payloadCount == full.payloadCount }
    #expect(other.mask == .all && other.frames == 2)
  }

  @Test func coversItsFieldsAtItsRate() throws {
    let wide = try #require(
      StreamRequest(joining: [StreamRequest(mask: [.accel, .gyro], divisor: 4)], roundTrip: .zero))
    func covers(_ request: StreamRequest) -> Bool {
      StreamRequest(joining: [request], roundTrip: .zero).map { wide.covers($0) } ?? false
    }
    #expect(
      covers(StreamRequest(mask: .gyro, divisor: 4)) && covers(StreamRequest(mask: .accel, divisor: 400)))
    #expect(!covers(StreamRequest(mask: .imu, divisor: 4)) && !covers(StreamRequest(mask: .gyro, divisor: 3)))
  }
}

@Suite(.ownThread) struct StreamRequestTests {
  @Test func ratesBecomeDivisors() {
    let divisors = [400, 200, 20, 133, 1_000, 0.001, 0, -5, .nan, .infinity].map {
      StreamRequest(mask: .accel, hertz: $0).divisor
    }
    #expect(divisors == [1, 2, 20, 3, 1, 65_535, 0, 0, 0, 1])
  }

  @Test func impossibleRequestsAreRefused() {
    let bad = [
      StreamRequest(mask: []), StreamRequest(mask: SensorMask(rawValue: 1)),
      StreamRequest(mask: .accel, divisor: 0), StreamRequest(mask: .accel, hertz: .nan),
      StreamRequest(mask: .accel, frames: 0), StreamRequest(mask: .accel, packets: 0),
      // 667 frames of 6 bytes are 4002.
      StreamRequest(mask: .accel, frames: 667), StreamRequest(mask: .all, divisor: 65_535, frames: 65_535),
    ]
    for request in bad { #expect(throws: SessionError.self) { try request.validate() } }
    #expect(throws: Never.self) { try StreamRequest(mask: .accel, divisor: 65_535, frames: 666).validate() }
  }
}

@Suite(.ownThread) struct RenewalTests {
  /// When the next request is due, in ms.
  ///
  /// - Parameters:
  ///   - renewal: The renewal.
  ///   - roundTrip: In ms.
  ///   - silentSince: The last sign of the stream, in ms; nil while samples arrive.
  ///   - lastResponse: When the robot last sent anything but samples, in ms.
  /// - Returns: The time in ms.
  private func due(
    _ renewal: Renewal, _ roundTrip: Int = 10, silentSince: Int? = nil, lastResponse: Int? = nil
  ) -> Int {
    let due = renewal.due(
      roundTrip: .milliseconds(roundTrip), silentSince: silentSince.map { .milliseconds($0) },
      lastResponse: lastResponse.map { .milliseconds($0) })
    return Int((due.inSeconds * 1_000).rounded())
  }

  /// A count of a second that was begun and confirmed at 10 s.
  private func running() -> Renewal {
    var renewal = Renewal(span: .seconds(1))
    renewal.sent(at: .seconds(10))
    renewal.confirmed(.seconds(10))
    return renewal
  }

  @Test func theFirstIsDueAtOnce() { #expect(due(Renewal(span: .seconds(1))) == 0) }

  @Test func renewalsAreDueAtAThirdOfACount() {
    // A tenth of the count is kept for a robot whose clock is fast.
    #expect(due(running()) == 10_300 && due(running(), 5_000) == 10_300)
  }

  @Test func anUnansweredRequestIsRepeatedWithinBounds() {
    var renewal = running()
    renewal.sent(at: .milliseconds(10_450))
    // 50 ms; two round trips; a quarter of the count.
    #expect(due(renewal, 10) == 10_500 && due(renewal, 100) == 10_650 && due(renewal, 500) == 10_700)
    // Retries continue until an answer arrives.
    renewal.sent(at: .milliseconds(10_500))
    #expect(due(renewal, 10) == 10_550)
  }

  @Test func aSlowRobotIsNotFlooded() {
    var renewal = running()
    for number in 0..<9 { renewal.sent(at: .seconds(11) + .milliseconds(50) * number) }
    #expect(due(renewal) == 11_400 + 250)
  }

  @Test func aLateAnswerToAnyOfThemCounts() {
    var renewal = running()
    for time in [10_450, 10_500, 10_550] { renewal.sent(at: .milliseconds(time)) }
    renewal.confirmed(.milliseconds(10_450))
    #expect(renewal.unconfirmed == 0 && due(renewal) == 10_750)
    // The answer to a later request postpones the next one; an answer out of order does not advance it.
    renewal.confirmed(.milliseconds(10_550))
    renewal.confirmed(.milliseconds(10_500))
    #expect(due(renewal) == 10_850)
  }

  @Test func anAnswerFromBeforeTheRenewalDoesNotEndIt() {
    var renewal = running()
    renewal.sent(at: .milliseconds(10_450))
    renewal.confirmed(.seconds(10))
    #expect(renewal.unconfirmed == 1)
  }

  @Test func aStallMakesTheRequestDueEarlier() {
    var long = Renewal(span: .seconds(10))
    long.sent(at: .seconds(10))
    long.confirmed(.seconds(10))
    #expect(
      due(long) == 13_000 && due(long, silentSince: 10_000) == 10_250
        && due(long, 400, silentSince: 10_000) == 10_800)
  }

  @Test func theLongerTheSilenceTheRarerTheRequests() {
    // A quarter of a count of an hour would be too long a pause.
    var renewal = Renewal(span: .seconds(3_600))
    for number in 0..<9 { renewal.sent(at: .seconds(10) + .milliseconds(50) * number) }
    #expect(due(renewal, silentSince: 10_000) == 10_400 + 250)
    renewal.sent(at: .seconds(12))
    #expect(due(renewal, silentSince: 10_000) == 12_500)
    renewal.sent(at: .seconds(60))
    #expect(due(renewal, silentSince: 10_000) == 61_000, "never more than a second")
    // Anything that the robot sends after the request shortens the pause.
    #expect(due(renewal, silentSince: 10_000, lastResponse: 60_001) == 60_250)
    #expect(due(renewal, silentSince: 10_000, lastResponse: 59_999) == 61_000)
  }

  @Test func theCountRunsOutALittleEarly() {
    #expect(Renewal(span: .seconds(1)).mayHaveRunOut(by: .zero))
    #expect(!running().mayHaveRunOut(by: .milliseconds(10_800)) && running().mayHaveRunOut(by: .seconds(11)))
  }
}

@Suite(.ownThread) struct SampleBufferTests {
  private func sample(_ number: Int) -> TimedSample {
    TimedSample(
      time: .milliseconds(number), arrival: .zero,
      sample: Sample(mask: .accelOne, words: [Int16(truncatingIfNeeded: number)]))
  }

  private func numbers(_ buffer: inout SampleBuffer, at now: Duration = .zero) -> [Duration] {
    var times: [Duration] = []
    while let next = buffer.pop(at: now) { times.append(next.time) }
    return times
  }

  @Test func theNewestStay() {
    var buffer = SampleBuffer(.newest(3), ageLimit: nil)
    buffer.push((1...5).map(sample), at: .zero)
    #expect(buffer.count == 3 && buffer.dropped == 2 && !buffer.appliesBackpressure)
    #expect(numbers(&buffer) == [.milliseconds(3), .milliseconds(4), .milliseconds(5)])
  }

  @Test func theWaitPolicyDropsNothingAndHoldsTheLineBack() {
    var buffer = SampleBuffer(.wait(3), ageLimit: nil)
    buffer.push((1...2).map(sample), at: .zero)
    #expect(!buffer.appliesBackpressure)
    buffer.push((3...5).map(sample), at: .zero)
    #expect(buffer.appliesBackpressure && buffer.count == 5)
    buffer.close()
    #expect(!buffer.appliesBackpressure)
    buffer.push([sample(6)], at: .zero)
    #expect(numbers(&buffer).count == 5 && buffer.dropped == 0)
  }

  @Test func samplesBeyondTheAgeLimitAreDropped() {
    var buffer = SampleBuffer(.wait(100), ageLimit: .seconds(1))
    for number in 0..<5 { buffer.push([sample(number)], at: .seconds(number)) }
    // At 4.0 s, the samples of 0, 1 and 2 s are too old; an age of a second is permitted.
    #expect(numbers(&buffer, at: .seconds(4)) == [.milliseconds(3), .milliseconds(4)])
    #expect(buffer.dropped == 3)
  }

  @Test func aSlowConsumerReceivesRecentSamplesOnly() {
    var buffer = SampleBuffer(.newest(400), ageLimit: .seconds(2))
    var oldest = Duration.zero
    for tick in 0..<40_000 {
      let now = Duration.microseconds(2_500) * tick
      buffer.push([sample(0)], at: now)
      if tick % 400 == 399, let taken = buffer.pop(at: now) { oldest = max(oldest, taken.time) }
    }
    #expect(buffer.count <= 400 && buffer.dropped + buffer.count + 100 == 40_000)
  }

  @Test func aCapacityOfZeroCountsAsOne() {
    var buffer = SampleBuffer(.newest(0), ageLimit: nil)
    buffer.push((1...4).map(sample), at: .zero)
    #expect(numbers(&buffer) == [.milliseconds(4)])
  }
}

@Suite struct RateTests {
  /// 400 Hz divided by a whole number: 400, 200, 133.33, 100, 80 and so on.
  @Test(
    arguments: [
      (400, 1), (500, 1), (301, 1), (300, 1), (270, 2), (200, 2), (150, 3), (167, 2), (163, 3), (20, 20),
      (30, 13),
      (0.001, 65_535), (.infinity, 1), (0, 0), (-1, 0), (.nan, 0),
    ] as [(Double, UInt16)])
  func theNearestRateIsSelected(hertz: Double, divisor: UInt16) {
    #expect(StreamRequest(mask: .imu, hertz: hertz).divisor == divisor)
  }
}
