// Times, counts and states of the host's half at their exact bounds, computed by hand.

import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroHost

/// The sent commands of one kind with their times.
extension Play {
  fileprivate func sent(_ id: CommandID) -> [Duration] { sent.filter { $0.command.id == id }.map(\.at) }
}

@Suite struct WitnessHostTests {
  private let ping = CommandID(0x00, 0x01)
  private let roll = CommandID(0x02, 0x30)
  private let stream = CommandID(0x02, 0x11)

  /// An answer is due after 1 s; a call 2.5 s later means a suspended host, one 1.5 s later a slow host.
  @Test(arguments: [(2_500, false), (3_500, true)])
  func aDeadlineMissedByTwoSecondsMeansASuspendedHost(milliseconds: Int, stoodStill: Bool) throws {
    var play = Play.connected()
    play.robot.script = { _, _ in .lost }
    _ = try play.enqueue(Core.Ping(), timeout: .seconds(1))
    play.suspend(.milliseconds(milliseconds))
    play.conversation.advance(to: play.now)
    play.flush()
    #expect(play.notices.contains { caseName(of: $0) == "suspended" } == stoodStill)
  }

  @Test func aCommandPostponesTheKeepAlivePing() throws {
    var settings = Play.plain
    settings.keepAlive = .seconds(60)
    var play = Play.connected(settings)
    play.run(.seconds(30))
    _ = try play.enqueue(Lights.SetBackLED())
    let start = play.now
    play.clearRecords()
    play.run(.seconds(100))
    #expect(play.sent(ping).map { $0 - start } == [.seconds(60)])
  }

  /// The stop is confirmed while a newer set-point waits for the rate limit: the ball may move.
  @Test func aStopOlderThanTheDriveDoesNotConfirmRest() throws {
    var settings = Play.plain
    (settings.commandsPerSecond, settings.burst) = (1, 1)
    var play = Play.connected(settings)
    play.run(.seconds(2))
    try play.conversation.drive(speed: 80, heading: 90, at: play.now)
    play.run(.milliseconds(50))
    _ = try play.enqueue(Motion.Roll(speed: 0, heading: 90, state: .stop))
    try play.conversation.drive(speed: 80, heading: 45, at: play.now)
    play.run(.milliseconds(100))
    #expect(play.sent(roll).count == 2)
    #expect(play.conversation.heading == 45)
  }

  @Test func aPromptThatIsSplitAfterOtherBytesIsDetected() {
    var play = Play.connected()
    play.deliver(Array("hi u".utf8))
    #expect(!play.notices.contains { $0 == .userHackMode })
    play.deliver(Array("> ".utf8))
    #expect(play.notices.contains { $0 == .userHackMode })
  }

  /// The handshake has number 1; the 97 numbers after it are skipped.
  @Test func theNumbersAfterTheHandshakeAreSkipped() throws {
    var play = Play.connected()
    _ = try play.enqueue(Core.GetVersioning())
    #expect(play.sent.map(\.command.sequence) == [99])
  }

  @Test func eachLossOfTheLineIsTimedByItself() {
    var play = Play.connected()
    play.drop()
    play.run(.seconds(1))
    play.reconnect()
    play.run(.milliseconds(100))
    #expect(play.conversation.lostAt == nil)
    play.run(.seconds(10))
    play.clearRecords()
    play.drop()
    play.run(.seconds(2))
    play.reconnect()
    play.run(.milliseconds(100))
    // The ping and its answer take 5 ms each.
    #expect(play.notices.last == .reconnected(after: .milliseconds(2_010)))
  }

  @Test func aLineThatIsLostAgainBeforeItAnswersWasLostAtFirst() {
    var play = Play.connected()
    play.drop()
    play.run(.seconds(1))
    play.reconnect()
    play.drop()
    play.run(.seconds(1))
    play.reconnect()
    play.run(.milliseconds(100))
    #expect(play.notices.last == .reconnected(after: .milliseconds(2_010)))
  }

  @Test func theShutdownHasItsOwnTimeLimit() throws {
    var settings = Play.plain
    settings.shutdownTimeout = .seconds(3)
    var play = Play.connected(settings)
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(100))
    play.robot.script = { _, _ in .answerLost }
    let start = play.now
    play.leave()
    play.run(.seconds(5))
    let end = play.updates.first { if case .left = $0.item { true } else { false } }
    #expect(end.map { $0.at - start } == .seconds(3))
  }

  /// Answers take 10 ms, three of them 30 ms: less than the minimum timeout of a set-point, 250 ms.
  @Test func aLostSetPointIsRepeatedAfterAQuarterOfASecond() throws {
    var play = Play.connected()
    play.run(.seconds(1))
    play.clearRecords()
    play.robot.script = { command, _ in command.id == CommandID(0x02, 0x30) ? .lost : nil }
    try play.conversation.drive(speed: 80, heading: 90, at: play.now)
    play.run(.milliseconds(600))
    let times = play.sent(roll)
    #expect(times.map { $0 - (times.first ?? .zero) } == [.zero, .milliseconds(250), .milliseconds(500)])
  }

  @Test func aFullBufferHoldsTheLineBack() {
    var buffer = SampleBuffer(.wait(2), ageLimit: nil)
    let sample = TimedSample(time: .zero, arrival: .zero, sample: Sample(mask: []))
    buffer.push([sample], at: .zero)
    #expect(!buffer.appliesBackpressure)
    buffer.push([sample], at: .zero)
    #expect(buffer.appliesBackpressure)
  }

  @Test func aSetPointIsNotSentAtItsEnd() throws {
    var setPoint = SetPoint()
    let request = try EncodedRequest(Motion.Roll(speed: 80, heading: 90))
    setPoint.repeatConfirmed(request, until: .seconds(5), at: .seconds(3))
    #expect(setPoint.take(at: .seconds(4)) != nil && setPoint.due == .seconds(5))
    #expect(setPoint.take(at: .seconds(5)) == nil && setPoint.due == nil)
  }

  /// Three samples at intervals of a tenth of a second are ten per second.
  @Test func aTallyCountsPeriodsAndNotSamples() {
    var tally = StreamStatistics()
    // The samples of a robot that streams at half the requested rate arrive later and later.
    func add(_ time: Int, _ now: Int) {
      let sample = TimedSample(time: .milliseconds(time), arrival: .zero, sample: Sample(mask: []))
      tally.add(sample, at: .milliseconds(now))
    }
    add(0, 10_030)
    #expect(tally.rate == nil)
    add(100, 15_110)
    add(200, 20_200)
    #expect(tally.count == 3 && tally.span == .milliseconds(200) && tally.last == .milliseconds(20_200))
    #expect(tally.rate.map { ($0 * 1_000).rounded() } == 10_000)
  }

  /// The robot confirms the end of its stream and continues it, which is reported every 2 s.
  @Test func aStrayStreamIsReportedEveryTwoSeconds() {
    var play = Play.connected()
    var reported: [Duration] = []
    let start = play.now
    for _ in 0..<100 {
      let before = play.notices.count
      play.deliver(ScriptedRobot.event(0x03, [0, 1]))
      if play.notices.count > before { reported.append(play.now - start) }
      play.run(.milliseconds(50))
    }
    #expect(reported == [.zero, .seconds(2), .seconds(4)])
  }

  @Test func theLastConsumerSwitchesTheRobotOffAtOnce() throws {
    var play = Play.connected()
    let id = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.seconds(1))
    play.clearRecords()
    play.conversation.unsubscribe(id, at: play.now)
    play.run(.milliseconds(20))
    #expect(play.wire == [[0x02, 0x11] + [UInt8](repeating: 0, count: 13)])
  }

  /// A stream with unused fields is narrowed a second later; a consumer that subscribes meanwhile waits 10 ms.
  @Test func aNewConsumerDoesNotWaitForTheNarrowing() throws {
    var play = Play.connected()
    _ = try play.subscribe(StreamRequest(mask: .accel))
    let wide = try play.subscribe(StreamRequest(mask: [.gyro, .quat, .emf]))
    play.run(.milliseconds(1_000))
    play.conversation.unsubscribe(wide, at: play.now)
    let start = play.now
    play.clearRecords()
    _ = try play.subscribe(StreamRequest(mask: .imu))
    play.run(.milliseconds(100))
    let asked = try #require(play.sent(stream).first)
    #expect(asked - start == .milliseconds(10))
  }

  /// Two frames of 50 ms are lost in the middle of a count of 200, where the robot cannot have restarted.
  @Test func aLossInTheMiddleOfACountIsNoRestart() throws {
    var play = Play.connected()
    _ = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.milliseconds(3_060))
    let (from, to) = (play.now + .milliseconds(25), play.now + .milliseconds(125))
    play.losesSample = { $0 >= from && $0 < to }
    play.run(.seconds(1))
    let gaps = play.notices.compactMap(\.gap)
    #expect(gaps.map(\.reason) == [.lost] && gaps.map(\.frames) == [2])
  }

  /// Packets are due every 50 ms: the stall limit is three of them and 250 ms, 400 ms in all.
  @Test func aStallIsThreePeriodsAndAQuarterOfASecond() throws {
    var play = Play.connected()
    _ = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.seconds(1))
    play.robot.restart()
    play.losesCommands = true
    play.run(.milliseconds(300))
    #expect(play.conversation.statistics.stalls == 0)
    play.run(.milliseconds(150))
    #expect(play.conversation.statistics.stalls == 1)
  }

  /// Four words of two bytes, 500 times, are 4000 bytes.
  @Test func aPacketOfExactly4000BytesIsAllowed() {
    #expect(throws: Never.self) { try StreamRequest(mask: .quat, frames: 500).validate() }
    #expect(throws: SessionError.self) { try StreamRequest(mask: .quat, frames: 501).validate() }
  }
}
