// Requests of a conversation: coalescing, retries, rate limit, cancellation and cleanup.

import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroHost

/// Roll by hand: 02 30, speed, heading in two bytes, state.
private func roll(_ speed: UInt8, _ heading: UInt8, stop: Bool = false) -> [UInt8] {
  [0x02, 0x30, speed, 0, heading, stop ? 0 : 1]
}

@Suite(.ownThread) struct LaneTests {
  @Test func aNewerColourReplacesOneThatWaits() throws {
    var settings = Play.plain
    (settings.commandsPerSecond, settings.burst) = (10, 1)
    var play = Play.connected(settings)
    let ids = try (1...3).map { try play.enqueue(Lights.SetRGBLED(red: $0, green: 0, blue: 0)) }
    let tail = try play.enqueue(Lights.SetBackLED(brightness: 9))
    play.run(.seconds(1))
    #expect(play.wire == [[2, 0x20, 1, 0, 0, 0], [2, 0x20, 3, 0, 0, 0], [2, 0x21, 9]])
    #expect(play.error(of: ids[1]) == .superseded(command: "Lights.SetRGBLED"))
    #expect(play.error(of: ids[0]) == nil && play.end(of: ids[0]) != nil)
    #expect(play.error(of: tail) == nil && play.end(of: tail) != nil)
  }

  @Test func aRollIsNeverRepeatedAfterAStop() throws {
    var play = Play.connected()
    play.robot.script = { command, count in command.payload.last == 1 ? .answerLost : nil }
    let first = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(500))
    let stop = try play.enqueue(Motion.Roll(speed: 0, heading: 90, state: .stop))
    play.run(.seconds(10))
    #expect(play.wire == [roll(80, 90), roll(0, 90, stop: true)])
    #expect(play.error(of: first) == .superseded(command: "Motion.Roll"))
    #expect(play.error(of: stop) == nil && play.end(of: stop) != nil)
  }

  /// Self-levelling is sent once: where it is lost, only the repeated stop ends the roll.
  @Test func selfLevellingDoesNotReplaceAStop() throws {
    var play = Play.connected()
    // The second roll command is the stop.
    play.robot.script = { command, count in
      command.id == CommandID(2, 9)
        ? .lost : command.id == CommandID(2, 0x30) && count == 1 ? .answerLost : nil
    }
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(100))
    let stop = try play.enqueue(Motion.Roll(speed: 0, heading: 90, state: .stop))
    play.run(.milliseconds(100))
    _ = try play.enqueue(Motion.SelfLevel())
    play.run(.seconds(10))
    #expect(
      play.wire == [roll(80, 90), roll(0, 90, stop: true), [2, 9, 0x0B, 0, 0, 0], roll(0, 90, stop: true)])
    #expect(try play.end(of: stop)?.get().status == .ok)
  }

  @Test func selfLevellingReplacesARollThatWaits() throws {
    var settings = Play.plain
    (settings.commandsPerSecond, settings.burst) = (10, 1)
    var play = Play.connected(settings)
    _ = try play.enqueue(Core.Ping())
    let roll = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    _ = try play.enqueue(Motion.SelfLevel())
    play.run(.seconds(1))
    #expect(play.wire == [[0, 1], [2, 9, 0x0B, 0, 0, 0]])
    #expect(play.error(of: roll) == .superseded(command: "Motion.Roll"))
  }

  @Test func aRetriedRollIsSupersededByAnUnansweredStop() throws {
    var play = Play.connected()
    play.robot.script = { _, _ in .answerLost }
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(1_500))
    #expect(play.wire == [roll(80, 90), roll(80, 90)])
    _ = try play.conversation.post(
      try EncodedRequest(Motion.Roll(speed: 0, heading: 90, state: .stop)), at: play.now)
    play.run(.seconds(10))
    #expect(play.wire.last == roll(0, 90, stop: true))
  }

  @Test func aSettingIsNeverRepeatedAfterANewerOne() throws {
    var play = Play.connected()
    play.robot.script = { command, _ in
      command.payload == [0, 0, 0, 1] || command.payload == [1] ? .lost : nil
    }
    let first = try play.enqueue(Settings.SetTemporaryOptions(flags: .stopOnDisconnect))
    let off = try play.enqueue(Motion.SetStabilization(mode: .on))
    play.run(.milliseconds(500))
    let second = try play.enqueue(Settings.SetTemporaryOptions(flags: []))
    let on = try play.enqueue(Motion.SetStabilization(mode: .off))
    play.run(.seconds(10))
    #expect(play.wire == [[2, 0x37, 0, 0, 0, 1], [2, 2, 1], [2, 0x37, 0, 0, 0, 0], [2, 2, 0]])
    #expect(play.error(of: first) == .superseded(command: "Settings.SetTemporaryOptions"))
    #expect(play.error(of: off) == .superseded(command: "Motion.SetStabilization"))
    for id in [second, on] { #expect(play.error(of: id) == nil && play.end(of: id) != nil) }
  }

  @Test func theStopOnDisconnectOfTheSessionNeverFollowsNewerOptions() throws {
    var settings = Play.plain
    settings.stopsOnDisconnect = true
    var play = Play.connected(settings)
    play.robot.script = { command, _ in command.payload == [0, 0, 0, 1] ? .lost : nil }
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(200))
    _ = try play.enqueue(Settings.SetTemporaryOptions(flags: []))
    play.run(.seconds(10))
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.seconds(10))
    #expect(play.wire.filter { $0[1] == 0x37 } == [[2, 0x37, 0, 0, 0, 1], [2, 0x37, 0, 0, 0, 0]])
  }

  @Test func aStopPrecedesQueuedRequestsAndSupersedesAQueuedMacro() throws {
    var settings = Play.plain
    (settings.commandsPerSecond, settings.burst) = (10, 1)
    var play = Play.connected(settings)
    let ping = try play.enqueue(Core.Ping())
    let version = try play.enqueue(Core.GetVersioning())
    let macro = try play.enqueue(Macros.RunMacro(macro: 7))
    _ = try play.enqueue(Motion.Roll(speed: 0, heading: 0, state: .stop))
    play.run(.seconds(1))
    #expect(play.wire.map { Array($0.prefix(2)) } == [[0, 1], [2, 0x30], [0, 2]])
    #expect(play.error(of: macro) == .superseded(command: "Macros.RunMacro"))
    #expect(play.end(of: ping) != nil)
    _ = version
  }
}

@Suite(.ownThread) struct RequestTests {
  @Test func anAnswerEndsItsRequest() throws {
    var play = Play.connected()
    play.robot.script = { command, _ in command.id == CommandID(2, 0x22) ? .answer(.ok, [1, 2, 3]) : nil }
    let id = try play.enqueue(Lights.GetRGBLED())
    play.run(.milliseconds(9))
    #expect(play.end(of: id) == nil)
    play.run(.milliseconds(1))
    #expect(try play.end(of: id)?.get().payload == [1, 2, 3])
  }

  @Test func nonRepeatableRequestsAreNeverSentTwice() throws {
    let requests: [EncodedRequest] = [
      try EncodedRequest(Macros.AppendMacroChunk(chunk: [0xFF, 0])),
      try EncodedRequest(Motion.SetHeading(heading: 0)),
      try EncodedRequest(Macros.RunMacro(macro: 1)), try EncodedRequest(Core.Sleep()),
      try EncodedRequest(CommandID(2, 0x4A), name: "by hand", payload: [0, 0, 1]),
    ]
    for request in requests {
      for reaction in [
        Reaction.answerLost, .lost, .answer(.badChecksum), .answer(.fragment), .answer(.messageTimeout),
      ] {
        var play = Play.connected()
        play.robot.script = { _, _ in reaction }
        let id = play.conversation.enqueue(request, at: play.now)
        play.run(.seconds(10))
        #expect(play.sent.count == 1, "\(request.name) \(reaction)")
        if case .answer(let status, _) = reaction {
          #expect(try play.end(of: id)?.get().status == status)
        } else {
          #expect(play.error(of: id) == .unconfirmed(command: request.name))
        }
      }
    }
  }

  @Test func repeatableRequestsAreSentThreeTimesAtTheTimeout() throws {
    var play = Play.connected()
    play.robot.script = { _, _ in .answerLost }
    let start = play.now
    let id = try play.enqueue(Lights.SetBackLED(brightness: 5))
    play.run(.seconds(10))
    #expect(play.sent.map { $0.at - start } == [.zero, .seconds(1), .seconds(2)])
    // A sequence number is not used twice.
    #expect(Set(play.sent.map { $0.command.sequence }).count == 3)
    #expect(
      play.error(of: id)?.message
        == "the robot did not answer Lights.SetBackLED in time; it was sent 3 times; "
        + "no byte arrived meanwhile, and the last intact packet, an answer, 3.09 s ago")
    #expect(
      play.updates.first { if case .completed = $0.item { true } else { false } }?.at == start + .seconds(3))
    #expect(play.conversation.statistics.repetitions == 2)
  }

  /// Neither a stop nor another query ends the retries of a query.
  @Test func aQueryKeepsItsRetries() throws {
    var play = Play.connected()
    play.robot.script = { command, count in
      command.id == CommandID(0, 2) && count < 2 ? .answerLost : command.id == CommandID(0, 1) ? .lost : nil
    }
    let query = try play.enqueue(Core.GetVersioning())
    play.run(.milliseconds(100))
    _ = try play.enqueue(Motion.Roll(speed: 0, heading: 0, state: .stop))
    _ = try play.enqueue(Core.Ping())
    play.run(.seconds(10))
    #expect(play.wire.filter { $0 == [0, 2] }.count == 3 && play.wire.filter { $0 == [0, 1] }.count == 3)
    #expect(try play.end(of: query)?.get().payload.first == 1)
  }

  @Test(arguments: [Status.badChecksum, .fragment, .messageTimeout])
  func aCommandThatWasNotReceivedIsSentAgain(status: Status) throws {
    var play = Play.connected()
    play.robot.script = { _, count in count == 0 ? .answer(status) : nil }
    let id = try play.enqueue(Lights.SetBackLED(brightness: 5))
    play.run(.milliseconds(50))
    #expect(play.sent.count == 2)
    #expect(try play.end(of: id)?.get().status == .ok)
  }

  /// The link damages each attempt, which the robot reports in its answers.
  @Test(arguments: [Status.badChecksum, .fragment, .messageTimeout])
  func aCommandThatIsNeverReceivedIsRefused(status: Status) throws {
    var play = Play.connected()
    play.robot.script = { _, _ in .answer(status) }
    let id = try play.enqueue(Lights.SetBackLED(brightness: 5))
    play.run(.seconds(5))
    #expect(play.sent.count == 3)
    #expect(try play.end(of: id)?.get().status == status)
    play.robot.script = { command, _ in command.id == CommandID(2, 0x11) ? .answer(status) : nil }
    let stream = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.seconds(5))
    #expect(
      play.streamEnd(of: stream)?.error == .refused(command: "Sensing.SetDataStreaming", status: status))
  }

  @Test func aRefusalIsAnAnswer() throws {
    var play = Play.connected()
    play.robot.script = { _, _ in .answer(.badParameter) }
    let id = try play.enqueue(Lights.SetBackLED(brightness: 5))
    play.run(.seconds(5))
    #expect(play.sent.count == 1)
    #expect(try play.end(of: id)?.get().status == .badParameter)
  }

  @Test func theTimeoutOfARequestAppliesToEachAttempt() throws {
    var play = Play.connected()
    play.robot.script = { _, _ in .answerLost }
    let start = play.now
    _ = try play.enqueue(Core.Ping(), timeout: .milliseconds(200))
    play.run(.seconds(1))
    #expect(play.sent.map { $0.at - start } == [.zero, .milliseconds(200), .milliseconds(400)])
  }

  @Test func aMismatchedAnswerIsStray() throws {
    var play = Play.connected()
    // Three bytes are no answer to a ping, whose answer is empty.
    play.robot.script = { _, count in .answer(.ok, [1, 2, 3]) }
    let id = try play.enqueue(Core.Ping())
    play.run(.seconds(4))
    #expect(play.conversation.statistics.strayAnswers == 3)
    let error = play.error(of: id)
    #expect(error == .malformed(command: "Core.Ping", .excess(offset: 0, count: 3)))
  }

  @Test func cancellingFreesThePlaceAndIgnoresTheLateAnswer() throws {
    var settings = Play.plain
    settings.maximumInFlight = 1
    var play = Play.connected(settings)
    play.robot.script = { command, _ in command.id == CommandID(0, 1) ? .answerLost : nil }
    let first = try play.enqueue(Core.Ping())
    let waiting = try play.enqueue(Lights.SetBackLED(brightness: 1))
    let last = try play.enqueue(Lights.SetRGBLED(red: 1, green: 1, blue: 1))
    play.run(.milliseconds(100))
    #expect(play.wire == [[0, 1]])
    play.conversation.cancel(waiting, at: play.now)
    play.conversation.cancel(first, at: play.now)
    play.flush()
    #expect(play.wire == [[0, 1], [2, 0x20, 1, 1, 1, 0]])
    play.deliver(ScriptedRobot.response(play.sent[0].command.sequence))
    play.run(.seconds(5))
    #expect(play.conversation.statistics.strayAnswers == 1)
    #expect(play.end(of: first) == nil && play.end(of: waiting) == nil && play.end(of: last) != nil)
  }

  @Test func requestsInFlightAreLimited() throws {
    var settings = Play.plain
    settings.maximumInFlight = 2
    var play = Play.connected(settings)
    play.latency = .milliseconds(500)
    let start = play.now
    for _ in 0..<5 { _ = try play.enqueue(Core.Ping(), timeout: .seconds(9)) }
    play.run(.seconds(4))
    #expect(play.sent.map { $0.at - start } == [.zero, .zero, .seconds(1), .seconds(1), .seconds(2)])
  }

  @Test func twelveInASecondAndBurstsOfTwelve() throws {
    var play = Play.connected()
    play.latency = .zero
    play.run(.seconds(2))
    play.clearRecords()
    let start = play.now
    for _ in 0..<36 { _ = try play.enqueue(Core.Ping()) }
    play.run(.seconds(5))
    let times = play.sent.map { ($0.at - start).inSeconds }
    #expect(times.count == 36)
    #expect(times.filter { $0 < 0.001 }.count == 12)
    #expect(times.filter { $0 < 1.001 }.count == 24)
    #expect(abs((times.last ?? 0) - 2) < 0.001)
    #expect(play.spins == 0)
  }

  @Test func aFullQueueRefusesRequests() throws {
    var settings = Play.plain
    (settings.maximumWaiting, settings.commandsPerSecond, settings.burst) = (3, 10, 1)
    var play = Play.connected(settings)
    let ids = try (0..<6).map { _ in try play.enqueue(Core.Ping()) }
    let stop = try play.enqueue(Motion.Roll(speed: 0, heading: 0, state: .stop))
    play.run(.seconds(2))
    #expect(ids.map { play.error(of: $0) } == [nil, nil, nil, nil, .tooManyRequests, .tooManyRequests])
    #expect(ids.allSatisfy { play.end(of: $0) != nil } && play.end(of: stop) != nil)
  }

  @Test func aRobotThatBecameSilentDiffersFromNoRobot() throws {
    var play = Play.connected()
    play.robot.script = { _, _ in .lost }
    let id = try play.enqueue(Core.Ping())
    play.run(.seconds(4))
    guard case .timedOut("Core.Ping", 3, true, let received) = play.error(of: id) else {
      Issue.record("\(String(describing: play.error(of: id)))")
      return
    }
    #expect(received?.bytes == 0 && received?.lastPacket?.kind == .response)
  }

  /// Bytes that form no packet count, and do not change the last intact packet.
  @Test func aTimeOutStatesWhatArrivedInstead() throws {
    var play = Play.connected()
    play.robot.script = { _, _ in .lost }
    let id = try play.enqueue(Core.Ping())
    play.run(.seconds(1))
    // A power notification, event 01 with the state 02, and its checksum: FF - (01 + 00 + 02 + 02) = FA.
    play.conversation.receive([0xFF, 0xFE, 0x01, 0x00, 0x02, 0x02, 0xFA], at: play.now)
    play.run(.seconds(1))
    play.conversation.receive([0x75, 0x3E, 0x20], at: play.now)
    play.run(.seconds(2))
    #expect(
      play.error(of: id)?.message
        == "the robot did not answer Core.Ping in time; it was sent 3 times; "
        + "10 bytes arrived meanwhile, and the last intact packet, an event, 2.00 s ago")
  }

  @Test func aSuspendedHostFailsNoRequest() throws {
    var play = Play.connected()
    play.robot.script = { command, _ in command.id == CommandID(2, 0x21) ? .answerLost : nil }
    let id = try play.enqueue(Lights.SetBackLED(brightness: 5))
    play.run(.milliseconds(100))
    let sequence = try #require(play.sent.first?.command.sequence)
    play.suspend(.seconds(3_600))
    play.conversation.advance(to: play.now)
    play.deliver(ScriptedRobot.response(sequence))
    #expect(try play.end(of: id)?.get().status == .ok)
    #expect(play.sent.count == 1)
    // The hour of suspension does not count as a round trip.
    #expect(play.conversation.statistics.roundTrip.percentile99 < .seconds(3))
    #expect(
      play.notices.contains { if case .suspended(let time) = $0 { time > .seconds(3_590) } else { false } })
  }

  /// A host that is suspended while it leaves repeats its stop afterwards.
  @Test func aSuspendedShutdownContinues() throws {
    var play = Play.connected()
    try play.conversation.drive(speed: 90, heading: 0, at: play.now)
    play.run(.milliseconds(100))
    play.robot.script = { _, _ in .answerLost }
    play.conversation.shutDown(at: play.now)
    play.run(.milliseconds(50))
    play.robot.script = { _, _ in nil }
    play.suspend(.seconds(60))
    let sentBefore = play.sent.count
    play.run(.seconds(1))
    let repeated = play.sent[sentBefore...].map(\.command)
    #expect(repeated.contains { $0.id == Motion.Roll.id && $0.payload == [0, 0, 0, 0] }, "\(repeated)")
    #expect(!play.notices.contains { caseName(of: $0) == "unconfirmed" }, "\(play.notices)")
    #expect(play.conversation.isOver)
  }

  /// A program that is cancelled while its stop waits for the line still stops the ball, unless a newer roll replaces it.
  @Test(arguments: [false, true]) func aCancelledStopIsSent(_ isReplaced: Bool) throws {
    var play = Play.connected()
    _ = try play.enqueue(Motion.Roll(speed: 90, heading: 7))
    play.run(.milliseconds(100))
    play.robot.script = { _, _ in .answerLost }
    let sent = try play.enqueue(Motion.Roll(speed: 0, heading: 7, state: .stop))
    if isReplaced { _ = try play.enqueue(Motion.Roll(speed: 60, heading: 8)) }
    let waiting = play.conversation.enqueue(
      try EncodedRequest(Motion.Roll(speed: 0, heading: 9, state: .stop)), at: play.now)
    if isReplaced {
      _ = play.conversation.enqueue(try EncodedRequest(Motion.Roll(speed: 50, heading: 9)), at: play.now)
    }
    play.conversation.cancel(waiting, at: play.now)
    play.conversation.cancel(sent, at: play.now)
    play.clearRecords()
    play.robot.script = { _, _ in nil }
    play.run(.seconds(3))
    let rolls = play.sent.map(\.command).filter { $0.id == Motion.Roll.id }.map(\.payload)
    #expect(rolls == (isReplaced ? [[50, 0, 9, 1]] : [[0, 0, 9, 0]]))
  }

  /// A ball that the motion timeout has stopped during a suspension does not start again.
  @Test func aSuspensionEndsADrive() throws {
    var play = Play.connected()
    try play.conversation.drive(speed: 90, heading: 7, at: play.now)
    play.run(.seconds(3))
    play.suspend(.seconds(60))
    let sentBefore = play.sent.count
    play.run(.seconds(5))
    let rolls = play.sent[sentBefore...].map(\.command).filter { $0.id == Motion.Roll.id }
    #expect(rolls.map(\.payload) == [[0, 0, 7, 0]])
    try play.conversation.drive(speed: 60, heading: 7, at: play.now)
    play.run(.milliseconds(100))
    #expect(play.sent.last?.command.payload == [60, 0, 7, 1])
  }

  @Test func aSilenceIsReportedOnceAlsoAfterASuspension() throws {
    var play = Play.connected()
    try play.conversation.drive(speed: 90, heading: 0, at: play.now)
    play.run(.milliseconds(100))
    play.robot.script = { _, _ in .answerLost }
    play.run(.seconds(5))
    play.suspend(.seconds(10))
    play.run(.seconds(5))
    #expect(play.notices.count { caseName(of: $0) == "unresponsive" } == 1, "\(play.notices)")
  }

  @Test func postedCommandsRequestNoAnswer() throws {
    var play = Play.connected()
    _ = try play.conversation.post(try EncodedRequest(Lights.SetBackLED(brightness: 3)), at: play.now)
    play.run(.seconds(3))
    #expect(play.sent.count == 1)
    // SOP2 FEh: restarts the inactivity timer, no answer.
    #expect(play.sent.first?.command.options.sop2 == 0xFE && play.sent.first?.command.sequence == 0)
  }

  @Test func statisticsCountPacketsAndBytes() throws {
    var play = Play(Play.plain)
    play.run(.milliseconds(100))
    _ = try play.enqueue(Core.Ping())
    play.run(.milliseconds(100))
    play.deliver([0x00, 0x01] + ScriptedRobot.response(200))
    let statistics = play.conversation.statistics
    // Two pings of seven bytes; three answers of six, two bytes of noise.
    #expect(statistics.commandsSent == 2 && statistics.bytesSent == 14)
    #expect(
      statistics.bytesReceived == 20 && statistics.decoder.packets == 3 && statistics.decoder.discarded == 2)
    #expect(statistics.strayAnswers == 1)
    #expect(statistics.roundTrip.median == .milliseconds(10) && statistics.roundTrip.count == 2)
  }
}
