// Shutdown, arming, drives, keep-alive and lost lines.

import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroHost

/// By hand: 02 30, speed, heading in two bytes, state 0.
private let stopAt90: [UInt8] = [0x02, 0x30, 0, 0, 90, 0]
/// By hand: streaming off is 13 bytes of zero.
private let streamOff: [UInt8] = [0x02, 0x11] + [UInt8](repeating: 0, count: 13)

@Suite(.ownThread) struct ShutdownTests {
  @Test func theShutdownWithoutCleanupEndsAtOnce() throws {
    var play = Play.connected()
    play.leave()
    #expect(play.hasLeft && play.conversation.isOver && play.sent.isEmpty)
    #expect(play.conversation.nextDeadline == nil && !play.conversation.hasOutput)
  }

  @Test func aStopThatIsConfirmedBeforeTheHandshakeIsNotPending() throws {
    var play = Play.connected()
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(100))
    play.drop()
    play.reconnect()
    play.leave()
    play.run(.seconds(1))
    #expect(play.hasLeft && !play.conversation.isStopPending)
  }

  @Test func theShutdownEndsRequestsAndSendsTheStopFirst() throws {
    var settings = Play.plain
    (settings.commandsPerSecond, settings.burst) = (1, 1)
    var play = Play.connected(settings)
    play.run(.seconds(2))
    let id = try play.subscribe(StreamRequest(mask: .accel))
    let moving = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(100))
    let waiting = try play.enqueue(Motion.Roll(speed: 90, heading: 95))
    play.clearRecords()
    play.leave()
    #expect(play.error(of: waiting) == .leaving && play.streamEnd(of: id)?.error == nil)
    #expect(play.streamEnd(of: id) != nil)
    // No other request is sent.
    let late = try play.enqueue(Motion.Roll(speed: 99, heading: 5))
    #expect(play.error(of: late) == .leaving)
    #expect(throws: SessionError.leaving) { try play.conversation.drive(speed: 9, heading: 9, at: play.now) }
    #expect(throws: SessionError.leaving) {
      try play.conversation.subscribe(StreamRequest(mask: .imu), at: play.now)
    }
    #expect(throws: SessionError.leaving) {
      try play.conversation.post(EncodedRequest(Motion.Roll(speed: 9, heading: 9)), at: play.now)
    }
    play.run(.milliseconds(20))
    // The heading is that of the newest requested roll, 95.
    #expect(play.wire == [[0x02, 0x30, 0, 0, 95, 0], streamOff])
    // Both are sent at once, without the rate limit.
    #expect(Set(play.sent.map { $0.at }).count == 1)
    #expect(play.hasLeft && play.conversation.isOver)
    _ = moving
  }

  /// A busy computer may not run the program between the request to end and the end of the shutdown timeout.
  @Test(arguments: [false, true])
  func aLateHostStillSendsTheStop(timerIsFirst: Bool) throws {
    var play = Play.connected()
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(100))
    let limit = play.conversation.settings.shutdownTimeout
    play.conversation.shutDown(at: play.now)
    let late = play.now + limit + .milliseconds(300)
    if timerIsFirst { play.conversation.advance(to: late) }
    let output = play.conversation.takeOutput(at: late)
    #expect(output.map { Array($0[2...3] + $0[6...9]) } == stopAt90)
    // The extension is limited, and the robot has not answered.
    play.conversation.advance(to: late + limit)
    let isOver = play.conversation.isOver
    #expect(isOver)
  }

  @Test func aLineThatAcceptsNothingDoesNotExtendTheShutdown() throws {
    var play = Play.connected()
    let start = play.now
    _ = try play.conversation.enqueue(EncodedRequest(Motion.Roll(speed: 80, heading: 90)), at: start)
    #expect(play.conversation.takeOutput(at: start) != nil)
    play.conversation.shutDown(at: start)
    var isOver = play.conversation.isOver
    #expect(!isOver)
    play.conversation.advance(to: start + play.conversation.settings.shutdownTimeout)
    isOver = play.conversation.isOver
    #expect(isOver)
  }

  @Test func allCleanupCommandsAreSentTogetherInOrder() throws {
    var play = Play.connected()
    _ = try play.enqueue(Sensing.ConfigureCollisionDetection())
    _ = try play.enqueue(Core.SetPowerNotification(isOn: true))
    _ = try play.enqueue(
      Motion.SetRawMotors(leftMode: .forward, leftPower: 90, rightMode: .forward, rightPower: 90))
    play.run(.milliseconds(100))
    play.clearRecords()
    play.leave()
    // Stabilisation on again (02 02 01), stop, collisions off, notification off.
    #expect(
      play.wire.map { Array($0.prefix(3)) } == [[2, 2, 1], [2, 0x30, 0], [2, 0x12, 0], [0, 0x21, 0]])
    #expect(Set(play.sent.map { $0.at }).count == 1)
    play.run(.milliseconds(10))
    #expect(play.hasLeft)
  }

  /// A drive after a stop waits until an earlier set-point is answered; the answer to the stop does not concern it.
  @Test func aDriveThatWaitsBehindAStopIsStopped() throws {
    var play = Play.connected()
    play.robot.script = { command, _ in command.payload.last == 1 ? .lost : nil }
    try play.conversation.drive(speed: 80, heading: 10, at: play.now)
    play.run(.milliseconds(20))
    let count = play.conversation.motionRequestCount
    _ = try play.enqueue(Motion.Roll(speed: 0, heading: 10, state: .stop))
    #expect(play.conversation.motionRequestCount == count + 1)
    try play.conversation.drive(speed: 90, heading: 20, at: play.now)
    play.run(.milliseconds(100))
    #expect(play.wire.last == [2, 0x30, 0, 0, 10, 0], "the drive still waits")
    play.clearRecords()
    play.leave()
    #expect(play.wire == [[2, 0x30, 0, 0, 20, 0]])
  }

  /// The bytes of a motion, or a command of another package, after a stop: the answer to the stop must not confirm it.
  @Test func bytesOfAMotionBehindAStopAreStopped() throws {
    var play = Play.connected()
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 10))
    play.run(.milliseconds(50))
    _ = try play.enqueue(Motion.Roll(speed: 0, heading: 10, state: .stop))
    let motion = try EncodedRequest(Motion.Roll.id, name: "bytes", payload: [90, 0, 20, 1])
    _ = play.conversation.enqueue(motion, at: play.now)
    play.flush()
    play.run(.milliseconds(500))
    play.clearRecords()
    play.leave()
    #expect(play.wire == [[2, 0x30, 0, 0, 20, 0]])
  }

  @Test func aLineThatIsLostDuringTheShutdownIsReported() throws {
    var play = Play.connected()
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(50))
    play.robot.script = { _, _ in .lost }
    play.leave()
    play.run(.milliseconds(20))
    play.drop()
    #expect(play.hasLeft && play.notices.last == .unconfirmed(["Motion.Roll"]))
  }

  @Test(arguments: [Duration.zero, .seconds(-1)]) func withoutKeepAliveThereIsNoPing(_ keepAlive: Duration) {
    var settings = Play.plain
    settings.keepAlive = keepAlive
    var play = Play.connected(settings)
    play.clearRecords()
    play.run(.seconds(1))
    #expect(play.sent.isEmpty)
  }

  /// A command before the stop is lost: a program that still runs moves the ball again, and free motors do not brake.
  @Test(arguments: [CommandID(0x02, 0x02), OrbBasic.Abort.id, Macros.AbortMacro.id])
  func aStopIsRepeatedWithALostCommandBeforeIt(lost: CommandID) throws {
    var play = Play.connected()
    _ = try play.enqueue(
      Motion.SetRawMotors(leftMode: .forward, leftPower: 90, rightMode: .forward, rightPower: 90))
    play.run(.milliseconds(50))
    play.robot.script = { command, _ in command.id == lost ? .lost : nil }
    let isAbort = lost != CommandID(0x02, 0x02)
    if isAbort {
      _ = play.conversation.enqueue(try EncodedRequest(lost, name: "abort", payload: []), at: play.now)
      play.flush()
    }
    play.run(.milliseconds(20))
    play.leave()
    play.run(.milliseconds(50))
    #expect(
      !play.hasLeft && play.robot.received.last?.payload == [0, 0, 0, 0], "the robot has answered the stop")
    play.robot.script = { _, _ in nil }
    play.clearRecords()
    play.run(.milliseconds(200))
    let stop: [[UInt8]] = [[2, 2, 1], [2, 0x30, 0, 0, 0, 0]]
    #expect(play.wire == (isAbort ? [[lost.device, lost.command]] : []) + stop && play.hasLeft)
  }

  /// The program has switched the control system on again, but the command was lost.
  @Test func anUnconfirmedControlSystemIsSwitchedOn() throws {
    var play = Play.connected()
    _ = try play.enqueue(Motion.SetStabilization(mode: .off))
    play.run(.milliseconds(50))
    play.robot.script = { _, _ in .lost }
    _ = try play.enqueue(Motion.SetStabilization(mode: .on))
    play.run(.milliseconds(20))
    play.robot.script = { _, _ in nil }
    play.clearRecords()
    play.leave()
    play.run(.milliseconds(50))
    #expect(play.wire == [[2, 2, 2]] && play.hasLeft)
  }

  /// Self-levelling leaves the control system off, unless its options say otherwise.
  @Test(arguments: [true, false]) func theControlSystemIsSwitchedOnAfterLevelling(_ staysOn: Bool) throws {
    var play = Play.connected()
    _ = try play.enqueue(Motion.SelfLevel(options: staysOn ? [.start, .controlSystemOn] : [.start]))
    play.run(.milliseconds(50))
    play.clearRecords()
    play.leave()
    play.run(.milliseconds(50))
    #expect(play.wire == (staysOn ? [] : [[2, 2, 2]]) && play.hasLeft)
  }

  /// The waits are 0.25, 0.5, 1, 2 and 4 s; only the attempts that wait for the timeout of 5 s count.
  @Test func aLostStopIsRepeatedSoon() throws {
    var settings = Play.plain
    settings.timeout = .seconds(5)
    var play = Play.connected(settings)
    play.robot.script = { _, _ in .lost }
    let start = play.now
    let id = try play.enqueue(Motion.Roll.stop(on: 90))
    play.run(.seconds(30))
    let times = play.sent.map { ($0.at - start).inSeconds }
    #expect(zip(times, [0, 0.25, 0.75, 1.75, 3.75, 7.75, 12.75, 17.75]).allSatisfy { abs($0 - $1) < 0.01 })
    #expect(times.count == 8, "\(times)")
    #expect(play.error(of: id).map(caseName) == "timedOut")
  }

  /// Free motors do not obey a stop: the control system is switched on before it.
  @Test(arguments: [false, true]) func aStopEndsRawMotors(isPosted: Bool) throws {
    var play = Play.connected()
    let motors = Motion.SetRawMotors(
      leftMode: .forward, leftPower: 90, rightMode: .forward, rightPower: 90)
    if isPosted {
      _ = try play.conversation.post(try EncodedRequest(motors), at: play.now)
    } else {
      _ = try play.enqueue(motors)
    }
    play.run(.milliseconds(100))
    play.clearRecords()
    let stop = Motion.Roll(speed: 0, heading: 0, state: .stop)
    _ = try play.enqueue(stop)
    play.run(.milliseconds(100))
    #expect(play.wire == [[2, 2, 1], [2, 0x30, 0, 0, 0, 0]])
    // The robot has confirmed both, so neither the next stop nor the shutdown repeats them.
    play.clearRecords()
    _ = try play.enqueue(stop)
    play.run(.milliseconds(100))
    play.leave()
    play.run(.milliseconds(100))
    #expect(play.wire == [[2, 0x30, 0, 0, 0, 0]])
  }

  /// A stop or a motor command that is known only as bytes also ends the retries of a roll.
  @Test(
    arguments: [
      (Motion.Roll.id, [0, 0, 90, 0]), (Motion.SetRawMotors.id, [1, 90, 1, 90]),
    ] as [(CommandID, [UInt8])]) func bytesEndTheRetriesOfARoll(_ id: CommandID, _ payload: [UInt8]) throws
  {
    var play = Play.connected()
    play.robot.script = { command, earlier in earlier == 0 && command.id == Motion.Roll.id ? .answerLost : nil
    }
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(100))
    let request = try EncodedRequest(id, name: "bytes", payload: payload)
    _ = play.conversation.enqueue(request, at: play.now)
    play.run(.seconds(5))
    #expect(play.wire == [[2, 0x30, 80, 0, 90, 1], [id.device, id.command] + payload])
  }

  /// The robot answers a stop that its free motors do not obey: the stop is sent again once the control system is on.
  @Test(arguments: [false, true]) func aStopFollowsARepeatedCommandForTheControlSystem(
    rolls: Bool
  ) throws {
    var play = Play.connected()
    _ = try play.enqueue(
      Motion.SetRawMotors(leftMode: .forward, leftPower: 90, rightMode: .forward, rightPower: 90))
    play.run(.milliseconds(100))
    play.robot.script = { command, _ in command.id == CommandID(2, 2) ? .lost : nil }
    let stop = try play.enqueue(Motion.Roll.stop(on: 0))
    play.run(.milliseconds(100))
    #expect(play.end(of: stop) != nil && !play.conversation.stops.isEmpty)
    play.robot.script = { _, _ in nil }
    if rolls { _ = try play.enqueue(Motion.Roll(speed: 60, heading: 45)) }
    play.clearRecords()
    play.run(.seconds(2))
    // A newer motion is not stopped.
    let stops = rolls ? [] : [[2, 0x30, 0, 0, 0, 0] as [UInt8]]
    #expect(play.wire.filter { $0 != [2, 0x30, 60, 0, 45, 1] } == [[2, 2, 1]] + stops)
    play.clearRecords()
    play.leave()
    #expect(play.sent.isEmpty == !rolls)
  }

  /// An abort that is not answered is repeated after a cancellation, and on the next line.
  @Test(arguments: [false, true]) func anUnansweredAbortIsRepeated(isLineLost: Bool) throws {
    var play = Play.connected()
    play.robot.script = { command, _ in command.id == OrbBasic.Abort.id ? .lost : nil }
    let abort = try play.enqueue(OrbBasic.Abort())
    play.run(.milliseconds(100))
    if isLineLost { play.drop() } else { play.conversation.cancel(abort, at: play.now) }
    play.robot.script = { _, _ in nil }
    play.clearRecords()
    if isLineLost { play.reconnect() }
    play.run(.seconds(1))
    let sent = Array(play.wire.drop { $0 == [0, 1] })
    #expect(sent.first == [2, 0x63] && sent.count == (isLineLost ? 3 : 1), "\(sent)")
  }

  /// An abort without an answer is repeated until the robot answers; then the ball is stopped again, unless a newer motion
  /// moves it.
  @Test(arguments: [false, true]) func aLongUnansweredAbortIsRepeated(rolls: Bool) throws {
    var play = Play.connected()
    for request in EncodedProgram(try OrbBasicProgram("10 goroll 90, 60, 1")).requests {
      _ = play.conversation.enqueue(request, at: play.now)
    }
    play.flush()
    play.run(.milliseconds(100))
    play.robot.script = { command, _ in command.id == OrbBasic.Abort.id ? .lost : nil }
    _ = play.conversation.enqueue(
      try EncodedRequest(OrbBasic.Abort()), timeout: .milliseconds(100), at: play.now)
    _ = try play.enqueue(Motion.Roll.stop(on: 90))
    play.run(.seconds(20))
    if rolls { _ = try play.enqueue(Motion.Roll(speed: 60, heading: 45)) }
    play.run(.seconds(2))
    play.robot.script = { _, _ in nil }
    play.clearRecords()
    play.run(.seconds(10))
    let stop: [[UInt8]] = [[2, 2, 2], [2, 0x30, 0, 0, 90, 0]]
    #expect(play.wire == [[2, 0x63]] + (rolls ? [] : stop), "\(play.wire)")
  }

  /// A cancelled abort without an answer is not repeated after the start of a newer program, which it would end.
  @Test func anAbortDoesNotEndANewerProgram() throws {
    var play = Play.connected()
    play.robot.script = { command, _ in command.id == OrbBasic.Abort.id ? .lost : nil }
    let abort = try play.enqueue(OrbBasic.Abort())
    play.run(.milliseconds(100))
    play.conversation.cancel(abort, at: play.now)
    play.run(.milliseconds(100))
    play.clearRecords()
    _ = try play.enqueue(OrbBasic.Execute(area: .ram, line: 10))
    play.run(.seconds(9))
    #expect(play.wire.count == 1, "\(play.wire)")
  }

  /// A macro that a program in BASIC has started continues after the end of that program.
  @Test(arguments: ["end", "abort", "lost line"])
  func aMacroOfAProgramInBASICIsAborted(_ event: String) throws {
    var play = Play.connected()
    for request in EncodedProgram(try OrbBasicProgram("10 macrun 40")).requests {
      _ = play.conversation.enqueue(request, at: play.now)
    }
    play.flush()
    play.run(.milliseconds(100))
    play.clearRecords()
    if event == "end" { play.conversation.programEnded(.basic, at: play.now) }
    if event == "abort" { _ = try play.enqueue(OrbBasic.Abort()) }
    if event == "lost line" {
      play.drop()
      play.reconnect()
    }
    play.run(.milliseconds(200))
    let sent = Array(play.wire.drop { $0 == [0, 1] })
    switch event {
    case "end": #expect(sent.isEmpty)
    case "abort": #expect(sent == [[2, 0x63], [2, 0x55]])
    default: #expect(sent == [[2, 0x63], [2, 0x55], [2, 2, 2], [2, 0x30, 0, 0, 0, 0]])
    }
    play.clearRecords()
    play.leave()
    play.run(.milliseconds(200))
    let shutdown: [[UInt8]] = [[2, 0x55], [2, 2, 2], [2, 0x30, 0, 0, 0, 0]]
    #expect(play.wire == (event == "end" ? shutdown : []) && play.hasLeft)
  }

  /// The abort of BASIC leaves a macro of the session running, unless a program in BASIC may have started it.
  @Test func anAbortOfBASICLeavesAMacroOfTheSession() throws {
    var play = Play.connected()
    for request in try EncodedProgram(Macro(text: "roll speed=50 heading=0"), as: nil).requests {
      _ = play.conversation.enqueue(request, at: play.now)
    }
    play.flush()
    play.run(.milliseconds(100))
    play.clearRecords()
    _ = try play.enqueue(OrbBasic.Abort())
    play.run(.milliseconds(100))
    #expect(play.wire == [[2, 0x63]])
  }

  /// BASIC and a macro can run together, so a macro does not replace the unconfirmed abort of a program in BASIC.
  @Test func aMacroLeavesTheUnconfirmedAbortOfBASIC() throws {
    var play = Play.connected()
    for request in EncodedProgram(try OrbBasicProgram("10 goroll 0, 60, 1")).requests {
      _ = play.conversation.enqueue(request, at: play.now)
    }
    play.flush()
    play.run(.milliseconds(100))
    play.robot.script = { command, _ in command.id == OrbBasic.Abort.id ? .lost : nil }
    _ = try play.enqueue(OrbBasic.Abort())
    play.run(.seconds(8))
    for request in try EncodedProgram(Macro(text: "rgb 1 2 3"), as: nil).requests {
      _ = play.conversation.enqueue(request, at: play.now)
    }
    play.flush()
    play.run(.seconds(1))
    play.robot.script = { _, _ in nil }
    play.clearRecords()
    play.leave()
    play.run(.milliseconds(500))
    #expect(play.wire.contains([2, 0x63]), "\(play.wire)")
  }

  /// The abort of a macro of an earlier program in BASIC is not repeated after the start of the next one.
  @Test func theAbortOfAMacroDoesNotEndThatOfTheNextProgram() throws {
    var play = Play.connected()
    let program = EncodedProgram(try OrbBasicProgram("10 macrun 40")).requests
    for request in program { _ = play.conversation.enqueue(request, at: play.now) }
    play.flush()
    play.run(.milliseconds(100))
    play.robot.script = { command, _ in command.id == Macros.AbortMacro.id ? .lost : nil }
    for request in program { _ = play.conversation.enqueue(request, at: play.now) }
    play.flush()
    play.run(.seconds(5))
    let last = try #require(play.wire.lastIndex { $0.prefix(2) == [2, 0x62] })
    #expect(!play.wire[last...].contains([2, 0x55]), "\(play.wire)")
    #expect(play.wire.contains([2, 0x55]))
  }

  /// A program of the session that may move the ball is aborted by the shutdown and on the next line, until it has ended.
  @Test(
    arguments: [("goroll 0, 50, 1", false), ("goroll 0, 50, 1", true), ("print 1", true)],
    [false, true]
  ) func aRunningProgramIsAborted(_ program: (statement: String, isLineLost: Bool), hasEnded: Bool) throws {
    var play = Play.connected()
    for request in EncodedProgram(try OrbBasicProgram("10 \(program.statement)")).requests {
      _ = play.conversation.enqueue(request, at: play.now)
    }
    play.flush()
    play.run(.milliseconds(100))
    if hasEnded { play.conversation.programEnded(.basic, at: play.now) }
    play.clearRecords()
    if program.isLineLost {
      play.drop()
      play.reconnect()
      play.run(.milliseconds(200))
    } else {
      play.leave()
    }
    let mayMove = program.statement != "print 1" && !hasEnded
    let stop: [[UInt8]] = [[2, 0x63], [2, 2, 2], [2, 0x30, 0, 0, 0, 0]]
    #expect(Array(play.wire.drop { $0 == [0, 1] }) == (mayMove ? stop : []))
  }

  @Test func aShutdownRepeatsAnUnconfirmedStopOfRawMotors() throws {
    var play = Play.connected()
    _ = try play.enqueue(Motion.SetRawMotors())
    play.run(.milliseconds(100))
    play.robot.script = { command, _ in command.id == CommandID(2, 2) ? .lost : nil }
    _ = try play.enqueue(Motion.Roll(speed: 0, heading: 0, state: .stop))
    play.run(.milliseconds(100))
    play.robot.script = { _, _ in nil }
    play.clearRecords()
    play.leave()
    play.run(.milliseconds(100))
    #expect(play.wire == [[2, 2, 1], [2, 0x30, 0, 0, 0, 0]])
  }

  /// 00 22: wake-up after 0 s, macro 0, line 0.
  @Test func aRobotSleepsAfterItsStopIfThatIsASetting() throws {
    for sleeps in [false, true] {
      var settings = Play.plain
      settings.sleepsAtShutdown = sleeps
      var play = Play.connected(settings)
      _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
      play.run(.milliseconds(100))
      play.clearRecords()
      play.leave()
      play.run(.milliseconds(100))
      #expect(play.wire == [stopAt90] + (sleeps ? [[0x00, 0x22, 0, 0, 0, 0, 0]] : []))
      #expect(play.hasLeft)
    }
  }

  @Test func unconfirmedCleanupIsRepeatedForOneSecond() throws {
    var play = Play.connected()
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(100))
    play.clearRecords()
    play.robot.script = { _, _ in .answerLost }
    let start = play.now
    play.leave()
    play.run(.seconds(5))
    #expect(play.sent.count >= 5 && play.sent.count <= 12)
    #expect(play.wire.allSatisfy { $0 == stopAt90 })
    let end = try #require(play.updates.first { if case .left = $0.item { true } else { false } })
    #expect(end.at - start == .seconds(1))
    #expect(play.notices.last == .unconfirmed(["Motion.Roll"]))
    #expect(play.spins == 0)
  }

  @Test func aLostStopIsRepeatedUntilItIsConfirmed() throws {
    var play = Play.connected()
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(100))
    play.clearRecords()
    play.robot.script = { command, count in
      command.payload.last == 0 && count < 3 ? .answer(.badChecksum) : nil
    }
    play.leave()
    play.run(.seconds(2))
    #expect(play.wire == [stopAt90, stopAt90, stopAt90])
    #expect(play.hasLeft && !play.notices.contains { caseName(of: $0) == "unconfirmed" })
  }

  @Test func aStuckLineDoesNotFillTheQueue() throws {
    var play = Play.connected()
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(100))
    play.clearRecords()
    play.isOnline = false
    play.leave()
    play.run(.milliseconds(900))
    play.isOnline = true
    play.flush()
    #expect(play.wire == [stopAt90])
  }

  @Test func aConfirmedStopIsNotRepeatedByTheShutdown() throws {
    var play = Play.connected()
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    _ = try play.enqueue(Motion.Roll(speed: 0, heading: 90, state: .stop))
    play.run(.milliseconds(100))
    play.clearRecords()
    play.leave()
    #expect(play.sent.isEmpty && play.hasLeft)
  }

  @Test func keepRollingSendsNoStop() throws {
    var play = Play.connected()
    play.conversation.keepRolling()
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(100))
    play.clearRecords()
    play.leave()
    #expect(play.sent.isEmpty && play.hasLeft)
  }

  @Test func theShutdownDuringReconnectionStopsTheBall() throws {
    var play = Play.connected()
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(100))
    play.drop()
    play.robot.script = { command, _ in command.id == CommandID(0, 1) ? .lost : nil }
    play.reconnect()
    play.run(.milliseconds(100))
    play.clearRecords()
    play.leave()
    play.run(.seconds(2))
    #expect(play.wire == [stopAt90] && play.hasLeft)
  }
}

@Suite(.ownThread) struct MotionTests {
  private static var armed: HostSettings {
    var settings = Play.plain
    (settings.stopsOnDisconnect, settings.motionTimeout) = (true, .seconds(2))
    return settings
  }

  @Test func stopOnDisconnectIsArmedBeforeTheFirstMotionAndOnce() throws {
    var play = Play.connected(Self.armed)
    _ = try play.enqueue(Lights.SetBackLED(brightness: 1))
    play.run(.milliseconds(50))
    play.clearRecords()
    // Permanent options 00 00 00 10: bit 4, motion timeouts.
    play.robot.script = { command, _ in
      command.id == CommandID(2, 0x36) ? .answer(.ok, [0, 0, 0, 0x10]) : nil
    }
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(50))
    _ = try play.enqueue(Motion.Roll(speed: 85, heading: 90))
    play.run(.milliseconds(50))
    // 02:37 with bit 0, 02:36, the roll, 02:34 with 2000 ms (07 D0), and the other roll.
    #expect(
      play.wire == [
        [2, 0x37, 0, 0, 0, 1], [2, 0x36], [2, 0x30, 80, 0, 90, 1], [2, 0x34, 0x07, 0xD0],
        [2, 0x30, 85, 0, 90, 1],
      ])
  }

  @Test func noMotionTimeoutWithoutBit4() throws {
    var play = Play.connected(Self.armed)
    play.robot.script = { command, _ in
      command.id == CommandID(2, 0x36) ? .answer(.ok, [0, 0, 0, 0xEF]) : nil
    }
    try play.conversation.drive(speed: 80, heading: 90, at: play.now)
    play.run(.milliseconds(50))
    #expect(!play.wire.contains { $0.prefix(2) == [2, 0x34] })
    #expect(play.wire.contains([2, 0x37, 0, 0, 0, 1]))
    // Permanent options are never written.
    #expect(!play.wire.contains { $0.prefix(2) == [2, 0x35] })
  }

  /// The timeout in milliseconds of the commands 02:34.
  private static func timeouts(_ play: Play) -> [Int] {
    play.wire.filter { $0.prefix(2) == [2, 0x34] }.map { Int($0[2]) << 8 | Int($0[3]) }
  }

  /// A robot with motion timeouts (bit 4), of which the first `lost` commands are lost, with a running macro of the program.
  private static func running(lost: CommandID? = nil, _ count: Int = 0) throws -> Play {
    var play = Play.connected(armed)
    play.robot.script = { command, earlier in
      if command.id == lost, earlier < count { return .answerLost }
      return command.id == CommandID(2, 0x36) ? .answer(.ok, [0, 0, 0, 0x10]) : nil
    }
    for request in try EncodedProgram(Macro(text: "wait time=9000"), as: nil).requests {
      _ = play.conversation.enqueue(request, at: play.now)
    }
    play.flush()
    play.run(.milliseconds(50))
    return play
  }

  @Test func theTimeoutIsShortAgainAfterAMacro() throws {
    var play = try Self.running()
    #expect(Self.timeouts(play) == [65_535])
    play.conversation.programEnded(.macro, at: play.now)
    play.flush()
    play.run(.milliseconds(50))
    #expect(Self.timeouts(play) == [65_535, 2_000])
    // The shutdown has nothing to undo, nor has a second end.
    play.conversation.programEnded(.macro, at: play.now)
    play.leave()
    play.run(.seconds(1))
    #expect(Self.timeouts(play) == [65_535, 2_000] && play.hasLeft)
  }

  @Test(arguments: [false, true]) func aShutdownDuringAMacroShortensTheTimeout(keepsRolling: Bool) throws {
    var play = try Self.running()
    if keepsRolling { play.conversation.keepRolling() }
    play.leave()
    play.run(.seconds(1))
    #expect(Self.timeouts(play) == (keepsRolling ? [65_535] : [65_535, 2_000]) && play.hasLeft)
  }

  /// All attempts for the long timeout are lost: the next macro asks again.
  @Test(arguments: [CommandID(2, 0x36), CommandID(2, 0x34)])
  func aLostTimeoutIsSetAgain(_ lost: CommandID) throws {
    // Two attempts have a shorter timeout and do not count.
    var play = try Self.running(lost: lost, Self.armed.attempts + 2)
    play.run(.seconds(10))
    let count = Self.timeouts(play).count
    for request in try EncodedProgram(Macro(text: "wait time=9000"), as: nil).requests {
      _ = play.conversation.enqueue(request, at: play.now)
    }
    play.flush()
    play.run(.milliseconds(50))
    #expect(Self.timeouts(play).count == count + 1)
  }

  /// On a new line, the next motion sets the timeout, and a locator that an aim has set to its origin stays where it is.
  @Test func ownSettingsAreNotRestored() throws {
    var play = try Self.running()
    _ = try play.enqueue(Sensing.ConfigureLocator(x: 5, y: 6, yawTare: 7))
    play.run(.milliseconds(50))
    for isOrigin in [false, true] {
      if isOrigin {
        _ = try play.enqueue(Sensing.ConfigureLocator(x: 0, y: 0))
        play.run(.milliseconds(50))
      }
      play.drop()
      play.clearRecords()
      play.reconnect()
      play.run(.seconds(1))
      #expect(Self.timeouts(play).isEmpty)
      let locators = play.wire.filter { $0.prefix(2) == [2, 0x13] }
      #expect(locators == (isOrigin ? [] : [[2, 0x13, 1, 0, 5, 0, 6, 0, 7]]))
    }
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(50))
    #expect(Self.timeouts(play) == [2_000])
  }

  /// The answer to the long timeout is lost: its retry does not follow the short one.
  @Test func aLostTimeoutDoesNotFollowANewerOne() throws {
    var play = try Self.running(lost: CommandID(2, 0x34), 1)
    play.conversation.programEnded(.macro, at: play.now)
    play.flush()
    play.run(.seconds(10))
    #expect(Self.timeouts(play) == [65_535, 2_000])
  }

  /// All attempts for the stop on disconnect are lost: the next motion sets it again.
  @Test func aLostStopOnDisconnectIsSetAgain() throws {
    var play = Play.connected(Self.armed)
    play.robot.script = { command, earlier in
      command.id == CommandID(2, 0x37) && earlier < Self.armed.attempts ? .answerLost : nil
    }
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.seconds(10))
    for count in [Self.armed.attempts + 1, Self.armed.attempts + 1] {
      _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
      play.run(.milliseconds(50))
      #expect(play.wire.count { $0.prefix(2) == [2, 0x37] } == count)
    }
  }

  @Test func optionsOfTheProgramAreKept() throws {
    var play = Play.connected(Self.armed)
    _ = try play.enqueue(Settings.SetTemporaryOptions(flags: []))
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(50))
    #expect(play.wire.filter { $0.prefix(2) == [2, 0x37] } == [[2, 0x37, 0, 0, 0, 0]])
  }

  /// 02 36 asks whether the robot has motion timeouts; there is no stop on disconnect, 02 37.
  @Test func keepRollingPreventsTheStopOnDisconnect() throws {
    var play = Play.connected(Self.armed)
    play.conversation.keepRolling()
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(50))
    #expect(play.wire == [[2, 0x36], [2, 0x30, 80, 0, 90, 1]])
  }

  @Test func aDriveSendsTheNewestAndRefreshesIt() throws {
    var play = Play.connected()
    play.latency = .milliseconds(50)
    // A set-point every 10 ms for a second: one is in flight at a time, which permits about ten.
    let start = play.now
    for step in 0..<100 {
      try play.conversation.drive(speed: 80, heading: UInt16(step), at: play.now)
      play.flush()
      play.run(.milliseconds(10))
    }
    play.run(.milliseconds(200))
    #expect((8...13).contains(play.sent.count))
    #expect(play.sent.last?.command.payload == [80, 0, 99, 1])
    let last = try #require(play.sent.last?.at)
    play.run(.milliseconds(2_500))
    // Repeated every second, within the rate limit.
    #expect(play.sent.filter { $0.at > last }.count == 2)
    #expect(play.spins == 0)
    _ = start
  }

  @Test func aDriveBeyondTheRateLimitDoesNotSpin() throws {
    var settings = Play.plain
    (settings.commandsPerSecond, settings.burst) = (1, 1)
    var play = Play.connected(settings)
    play.run(.seconds(3))
    play.clearRecords()
    for step in 0..<20 {
      try play.conversation.drive(speed: 80, heading: UInt16(step), at: play.now)
      play.flush()
      play.run(.milliseconds(100))
    }
    #expect(play.spins == 0)
    #expect(play.sent.count == 2 || play.sent.count == 3)
  }

  @Test func theEndOfADriveIsAStopAndNothingAfterIt() throws {
    var play = Play.connected()
    try play.conversation.drive(speed: 80, heading: 90, at: play.now)
    play.flush()
    // The answers to the set-point and to the first two stops are lost.
    play.robot.script = { command, count in count < 3 ? .answerLost : nil }
    play.run(.milliseconds(2))
    try play.conversation.stopDriving(at: play.now)
    play.flush()
    play.run(.seconds(8))
    #expect(play.wire.first == [2, 0x30, 80, 0, 90, 1])
    #expect(play.wire.count == 4 && play.wire.dropFirst().allSatisfy { $0 == stopAt90 })
  }

  /// A ball at rest turns to the heading of a stop, so a second stop has the heading of the first.
  @Test func aStopAtRestKeepsTheHeading() throws {
    var play = Play.connected()
    try play.conversation.drive(speed: 80, heading: 90, at: play.now)
    play.run(.milliseconds(100))
    for _ in 0..<2 {
      try play.conversation.stopDriving(at: play.now)
      play.flush()
      play.run(.milliseconds(500))
      #expect(play.conversation.heading == 90 && play.conversation.stops.isEmpty)
    }
    #expect(play.wire == [[2, 0x30, 80, 0, 90, 1], stopAt90, stopAt90])
    // Heading 0 is the direction of the ball from then on.
    _ = try play.enqueue(Motion.SetHeading(heading: 0))
    play.run(.milliseconds(500))
    #expect(play.conversation.heading == 0)
  }

  @Test func aProgramsRollEndsADrive() throws {
    var play = Play.connected()
    try play.conversation.drive(speed: 80, heading: 90, at: play.now)
    play.run(.milliseconds(100))
    _ = try play.enqueue(Motion.Roll(speed: 10, heading: 20))
    play.run(.seconds(5))
    #expect(play.wire == [[2, 0x30, 80, 0, 90, 1], [2, 0x30, 10, 0, 20, 1]])
  }
}

@Suite(.ownThread) struct AwakeTests {
  @Test func aPingPerMinuteKeepsTheRobotAwake() throws {
    var settings = Play.plain
    settings.keepAlive = .seconds(60)
    var play = Play.connected(settings)
    play.run(.seconds(190))
    #expect(play.wire == [[0, 1], [0, 1], [0, 1]])
    #expect(play.spins == 0)
  }

  @Test func aPingWithoutAnswerIsReported() throws {
    var settings = Play.plain
    settings.keepAlive = .seconds(60)
    var play = Play.connected(settings)
    play.robot.script = { _, _ in .lost }
    play.run(.seconds(70))
    #expect(play.notices == [.unresponsive])
  }

  /// A joystick sends set-points to a robot that falls silent; one notice for each silence.
  @Test func setPointsWithoutAnswersAreReported() throws {
    var play = Play.connected()
    func drive(_ play: inout Play, seconds: Int) throws {
      for step in 0..<seconds * 10 {
        try play.conversation.drive(speed: 80, heading: UInt16(step), at: play.now)
        play.flush()
        play.run(.milliseconds(100))
      }
    }
    try drive(&play, seconds: 10)
    #expect(play.notices.isEmpty)
    for _ in 0..<2 {
      play.losesAnswers = true
      play.clearRecords()
      try drive(&play, seconds: 2)
      #expect(play.notices.isEmpty)
      try drive(&play, seconds: 20)
      #expect(play.notices == [.unresponsive])
      play.losesAnswers = false
      try drive(&play, seconds: 2)
    }
  }

  @Test(arguments: [Duration.seconds(60), .zero, nil])
  func theWarningBeforeSleepIsReportedAndAnswered(keepAlive: Duration?) throws {
    var settings = Play.plain
    settings.keepAlive = keepAlive
    var play = Play.connected(settings)
    play.deliver(ScriptedRobot.event(0x05, []))
    play.run(.milliseconds(20))
    #expect(play.notices == [.aboutToSleep])
    #expect(play.wire == (keepAlive == .seconds(60) ? [[0, 1]] : []))
  }

  @Test func aThousandWarningsOnAStuckLineQueueOnePing() throws {
    var settings = Play.plain
    settings.keepAlive = .seconds(60)
    var play = Play.connected(settings)
    play.isOnline = false
    for _ in 0..<1_000 { play.deliver(ScriptedRobot.event(0x05, [])) }
    play.isOnline = true
    play.flush()
    #expect(play.wire == [[0, 1]])
  }
}

@Suite(.ownThread) struct LineTests {
  /// A program that only stops the robot does not wait for an answer, which may be lost.
  @Test(arguments: [false, true]) func aStopNeedsNoHandshake(isSetting: Bool) throws {
    var settings = Play.plain
    settings.stopsWhileConnecting = isSetting
    var conversation = Conversation(settings, at: .zero)
    func sent(at time: Duration) -> [[UInt8]] {
      var decoder = PacketDecoder(from: .host)
      decoder.append(conversation.takeOutput(at: time) ?? [])
      var commands: [[UInt8]] = []
      while case .command(let command)? = decoder.next() {
        #expect(command.options.contains(.answer) == (command.id == Core.Ping.id))
        commands.append([command.id.device, command.id.command] + command.payload)
      }
      return commands
    }
    let aborts: [[UInt8]] = isSetting ? [[2, 0x55], [2, 0x63]] : []
    #expect(sent(at: .zero) == aborts + [[0, 1]])
    // On the previous heading 02 02 02; the heading of the stop is unknown.
    let stop: [[UInt8]] = isSetting ? [[2, 2, 2], [2, 0x30, 0, 0, 0, 0]] : []
    #expect(sent(at: .milliseconds(250)) == aborts + stop + [[0, 1]])
    // After an answer, the second ping that completes the handshake precedes a stop on the heading that is then known.
    conversation = Conversation(settings, at: .zero)
    #expect(sent(at: .zero) == aborts + [[0, 1]])
    conversation.receive([0xFF, 0xFE, 0x05, 0, 1, 0xF9], at: .milliseconds(10))
    conversation.receive(
      [0xFF, 0xFF, 0, settings.firstSequence, 1, 0xFE &- settings.firstSequence], at: .milliseconds(20))
    #expect(sent(at: .milliseconds(20)) == aborts + [[0, 1]])
  }

  @Test func motionIsNotRestoredAndSettingsAre() throws {
    var settings = Play.plain
    settings.stopsOnDisconnect = true
    var play = Play.connected(settings)
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    _ = try play.enqueue(Core.SetPowerNotification(isOn: true))
    _ = try play.enqueue(Lights.SetRGBLED(red: 1, green: 2, blue: 3))
    let id = try play.subscribe(StreamRequest(mask: .accel, divisor: 20))
    try play.conversation.drive(speed: 70, heading: 90, at: play.now)
    play.run(.milliseconds(500))
    let open = try play.enqueue(Core.GetVersioning())
    play.clearRecords()
    play.drop()
    #expect(play.error(of: open) == .disconnected(command: "Core.GetVersioning"))
    let refused = try play.enqueue(Core.Ping())
    #expect(play.error(of: refused) == .disconnected(command: "Core.Ping"))
    play.run(.seconds(3))
    #expect(play.sent.isEmpty)
    play.reconnect()
    play.run(.seconds(3))
    // The handshake, the stop, the settings, the stream; no roll, no set-point.
    #expect(play.wire.first == [0, 1])
    let rest = play.wire.drop { $0 == [0, 1] }
    #expect(Array(rest.prefix(3)) == [stopAt90, [2, 0x37, 0, 0, 0, 1], [0, 0x21, 1]])
    // Divisor 20, one frame, 200 packets; accel is 00 00 E0 00, plus a field that makes the length differ from the former one.
    let requests = rest.dropFirst(3)
    #expect(
      requests.allSatisfy { $0.prefix(6) == [2, 0x11, 0, 20, 0, 1] && $0[8] & 0xE0 == 0xE0 && $0[10] == 200 })
    #expect(rest.count >= 4)
    #expect(play.notices.contains(.disconnected))
    let pauses = play.notices.compactMap { if case .reconnected(let pause) = $0 { pause } else { nil } }
    let back = try #require(pauses.first)
    #expect(back >= .seconds(3) && back < .milliseconds(3_100))
    #expect(play.conversation.statistics.reconnections == 1)
    let gap = try #require(play.notices.compactMap(\.gap).first { $0.reason == .reconnection })
    #expect(abs(gap.duration.inSeconds - 3) < 0.2)
    #expect(!play.notices.contains(.strayStream))
    #expect(
      play.streamEnd(of: id) == nil
        && (play.samples(of: id).last?.at ?? .zero) > play.now - .milliseconds(100))
  }

  @Test func aRollRequestedDuringReconnectionIsStoppedByTheShutdown() throws {
    var play = Play.connected()
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(100))
    play.drop()
    play.clearRecords()
    play.reconnect()
    _ = try play.enqueue(Motion.Roll(speed: 60, heading: 45))
    play.run(.milliseconds(200))
    #expect(Array(play.wire.drop { $0 == [0, 1] }) == [stopAt90, [2, 0x30, 60, 0, 45, 1]])
    play.clearRecords()
    play.leave()
    #expect(play.wire == [[2, 0x30, 0, 0, 45, 0]])
  }

  /// The stop of a reopened line is lost: the shutdown, or another line, sends it again.
  @Test(arguments: [true, false]) func anUnconfirmedStopOfAReopenedLineStaysDue(leaves: Bool) throws {
    var play = Play.connected()
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(100))
    play.drop()
    play.robot.script = { command, _ in command.id == Motion.Roll.id ? .lost : nil }
    play.reconnect()
    play.run(.milliseconds(200))
    play.robot.script = { _, _ in nil }
    if !leaves { play.drop() }
    play.clearRecords()
    if leaves { play.leave() } else { play.reconnect() }
    play.run(.milliseconds(200))
    #expect(play.wire.contains(stopAt90), "\(play.wire)")
  }

  /// The control system is switched on before the motors start again, so its answer does not prove that it is on.
  @Test func rawMotorsThatAreRequestedDuringReconnectionAreStoppedByTheShutdown() throws {
    let motors = Motion.SetRawMotors(leftMode: .forward, leftPower: 90, rightMode: .forward, rightPower: 90)
    var play = Play.connected()
    _ = try play.enqueue(motors)
    play.run(.milliseconds(100))
    play.drop()
    play.reconnect()
    _ = try play.enqueue(motors)
    play.run(.milliseconds(300))
    play.clearRecords()
    play.leave()
    #expect(play.wire.prefix(2) == [[2, 2, 1], [2, 0x30, 0, 0, 0, 0]], "\(play.wire)")
  }

  @Test func aLineThatIsLostAgainBeforeItWasUsedKeepsStopsAndSettings() throws {
    var play = Play.connected()
    _ = try play.enqueue(
      Motion.SetRawMotors(leftMode: .forward, leftPower: 90, rightMode: .forward, rightPower: 90))
    play.run(.milliseconds(100))
    play.drop()
    play.reconnect()
    _ = try play.enqueue(Motion.Roll(speed: 60, heading: 45))
    play.drop()
    play.reconnect()
    play.clearRecords()
    play.run(.milliseconds(200))
    // The control system first, then the stop; the roll that was never sent is not sent.
    #expect(Array(play.wire.drop { $0 == [0, 1] }) == [[2, 2, 1], [2, 0x30, 0, 0, 0, 0]])
  }

  /// A drive on a reopened line on which no robot answers does not move the ball of the next line.
  @Test func aDriveOnALineWithoutAnAnswerIsNotRestored() throws {
    var play = Play.connected()
    play.drop()
    play.robot.script = { _, _ in .lost }
    play.reconnect()
    play.run(.seconds(1))
    try play.conversation.drive(speed: 70, heading: 90, at: play.now)
    play.run(.seconds(15))
    #expect(throws: SessionError.self) { try play.conversation.stopDriving(at: play.now) }
    play.robot.script = { _, _ in nil }
    play.clearRecords()
    play.reconnect()
    play.run(.seconds(3))
    #expect(play.wire.filter { $0.prefix(2) == [2, 0x30] }.allSatisfy { $0 == stopAt90 }, "\(play.wire)")
  }

  @Test func aRobotThatNeverConfirmedItsArmingIsArmedAgain() throws {
    var settings = Play.plain
    settings.stopsOnDisconnect = true
    var play = Play.connected(settings)
    play.robot.script = { command, _ in command.id == CommandID(2, 0x37) ? .lost : nil }
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(100))
    play.drop()
    play.robot.script = { _, _ in nil }
    play.reconnect()
    play.run(.milliseconds(100))
    play.clearRecords()
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(100))
    #expect(play.wire.first == [2, 0x37, 0, 0, 0, 1])
  }

  @Test func theShutdownOnALostLineEndsAtOnce() throws {
    var play = Play.connected()
    _ = try play.enqueue(Motion.Roll(speed: 80, heading: 90))
    play.run(.milliseconds(100))
    play.drop()
    play.leave()
    #expect(play.hasLeft && play.conversation.nextDeadline == nil)
  }

  @Test func abandoningFailsAllRequestsAndStreams() throws {
    var play = Play.connected()
    play.robot.script = { _, _ in .answerLost }
    let id = try play.enqueue(Core.Ping())
    let stream = try play.subscribe(StreamRequest(mask: .accel))
    play.conversation.abandon(.notConnected(.silence), at: play.now)
    play.flush()
    #expect(play.error(of: id) == .notConnected(.silence))
    #expect(play.streamEnd(of: stream)?.error == .notConnected(.silence))
    #expect(play.conversation.isOver && play.conversation.nextDeadline == nil)
  }
}

@Suite(.ownThread) struct ConnectingTests {
  @Test func onlyPingsAreSentUntilARobotAnswers() throws {
    var play = Play()
    play.robot.script = { _, _ in .lost }
    let id = try play.enqueue(Lights.SetBackLED(brightness: 1))
    play.run(.seconds(4))
    #expect(play.wire.count >= 5 && play.wire.allSatisfy { $0 == [0, 1] })
    #expect(play.notices.contains { caseName(of: $0) == "connecting" })
    play.robot.script = { _, _ in nil }
    play.run(.seconds(2))
    // Executed once.
    #expect(play.robot.received.filter { $0.id == CommandID(2, 0x21) }.count == 1)
    #expect(play.end(of: id) != nil && play.error(of: id) == nil)
    #expect(play.updates.filter { if case .connected = $0.item { true } else { false } }.count == 1)
    #expect(play.spins == 0)
  }

  @Test func connectingEndsAfterFifteenSecondsOfSilence() throws {
    var play = Play()
    play.robot.script = { _, _ in .lost }
    let start = play.now
    let id = try play.enqueue(Lights.SetBackLED(brightness: 1))
    play.run(.seconds(20))
    #expect(play.error(of: id) == .notConnected(.silence))
    let failed = play.updates.first {
      if case .failed(let error) = $0.item { error == .notConnected(.silence) } else { false }
    }
    #expect(failed.map { $0.at - start } == .seconds(15))
    #expect(play.conversation.isOver && play.wire.allSatisfy { $0 == [0, 1] })
  }

  @Test func thePromptOfTheUserHackShellIsReportedOnce() throws {
    for cut in [false, true] {
      var play = Play.connected()
      if cut {
        play.deliver(Array("\r\nu".utf8))
        play.deliver(Array("> ".utf8))
      } else {
        play.deliver(Array("\r\nu> ".utf8))
      }
      play.deliver(Array("\r\nu> ".utf8))
      #expect(play.notices == [.userHackMode], "cut: \(cut)")
    }
  }

  @Test func aBootloaderIsReportedOnce() throws {
    var play = Play.connected()
    // 09: unknown device, for device 02, which every main application knows.
    play.robot.script = { command, _ in command.id.device == 2 ? .answer(.unknownDevice) : nil }
    _ = try play.enqueue(Lights.SetBackLED(brightness: 1))
    _ = try play.enqueue(Lights.GetRGBLED())
    play.run(.milliseconds(100))
    #expect(play.notices == [.bootloader])
  }

  /// A bootloader lacks device 02; the status of a ping, of device 00, does not show it.
  @Test func aRefusedPingIsNoBootloader() throws {
    var play = Play()
    // 07: a parameter is invalid.
    play.robot.script = { command, _ in command.id == CommandID(0, 1) ? .answer(.badParameter) : nil }
    play.run(.seconds(1))
    #expect(play.notices == [.connected])
  }

  @Test func anEchoingLineWithARobotIsReported() throws {
    var play = Play()
    let output = play.conversation.takeOutput(at: play.now)
    let ping = try #require(output)
    play.deliver(ping)
    play.deliver(ScriptedRobot.response(ping[4]))
    play.run(.milliseconds(100))
    #expect(play.notices.contains(.echo))
  }

  @Test func aFalseHeaderDelaysAnswersByASecondAtMost() throws {
    var play = Play.connected()
    // An event that claims 4000 bytes.
    play.deliver([0xFF, 0xFE, 0x07, 0x0F, 0xA0])
    let id = try play.enqueue(Core.Ping(), timeout: .seconds(5))
    play.run(.milliseconds(1_100))
    #expect(play.end(of: id) != nil && play.error(of: id) == nil)
    #expect(play.spins == 0)
  }
}
