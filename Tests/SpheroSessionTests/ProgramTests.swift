// Programs inside the simulated robot: their output, their end, and the cleanup after an abort.

import SpheroHost
import SpheroModel
import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroSystem
import SpheroTransport
import TestSupport
import Testing

@Suite(.ownThread) struct ProgramTests {
  /// The commands that crossed the line, as DID and CID.
  /// The commands in order, without the streams that measure the heading of a stop.
  private func ids(_ game: Game) async -> [String] {
    await game.tap.commands.map { Hexadecimal.text([$0.id.device, $0.id.command]) }.filter { $0 != "02 11" }
  }

  @Test func aMacroReportsItsMarkersAndItsEnd() async throws {
    let game = Game()
    let markers = Locked<[UInt8]>([])
    let macro = try Macro(text: "marker 3\nwait 2000\nmarker 9\nwait 1000")
    let time = try await game.play { robot in
      let start = game.time.now
      try await robot.run(macro) { marker in markers.withLock { $0.append(marker.marker) } }
      return game.time.now - start
    }
    #expect(markers.withLock { $0 } == [3, 9])
    // The two waits; the end is reported by an event, not found by polling.
    #expect(time >= .seconds(3) && time < .milliseconds(3_200), "\(time)")
    // Abort, save as the temporary one, run, and some questions; nothing is aborted after its end.
    let sent = await ids(game).filter { $0 != "02 56" }
    #expect(sent == ["02 55", "02 51", "02 50"], "\(sent)")
    // ID 255, the flags for a marker at the end and for a stop on disconnect.
    let saved = await game.tap.commands.first { $0.id == Macros.SaveTemporaryMacro.id }?.payload
    #expect(saved == [255, 0x14, 0x15, 3, 0x0B, 0x07, 0xD0, 0x15, 9, 0x0B, 0x03, 0xE8, 0])
  }

  /// A program that leaves the ball rolling is followed by a stop when the session closes; others are not.
  @Test(arguments: [
    ("roll 80 90\nwait 300", true), ("roll 80 90\nwait 300\nroll 0 90", true), ("rgb 1 2 3", false),
  ])
  func theBallStopsAfterAProgram(_ text: String, mayRoll: Bool) async throws {
    let game = Game()
    try await game.play { try await $0.run(try Macro(text: text)) }
    let rolls = await game.tap.commands.filter { $0.id == Motion.Roll.id }.map(\.payload)
    #expect(rolls.isEmpty == !mayRoll && rolls.allSatisfy { $0.first == 0 }, "\(rolls)")
    #expect(try await game.speedLater < 0.01)
  }

  /// The robot reports the abort while the stop of a suspension still measures the heading.
  @Test func aSuspendedBasicProgramIsStopped() async throws {
    let game = Game()
    let program = try OrbBasicProgram("10 goroll 0,80,1\n20 delay 100\n30 goto 20")
    try await game.play { robot in
      let run = Task(executorPreference: game.time) { try await robot.run(program) }
      try await game.time.sleep(for: .milliseconds(1_200))
      _ = Task(executorPreference: game.time) { await robot.stopMotion() }
      await #expect(throws: ProgramRunError.suspended) { try await run.value }
    }
    #expect(await game.tap.commands.contains { $0.id == Motion.Roll.id })
    #expect(try await game.speedLater < 0.01)
  }

  @Test func aSlowReaderReceivesAllOutput() async throws {
    let (game, count) = (Game(), Locked(0))
    let program = try OrbBasicProgram("10 for I = 1 to 5\n20 print I\n30 next I")
    try await game.play { robot in
      // The reader needs longer than the program.
      try await robot.run(program, timeLimit: .seconds(1)) { _ in
        try await game.time.sleep(for: .milliseconds(400))
        count.withLock { $0 += 1 }
      }
    }
    #expect(count.withLock { $0 } == 5)
  }

  /// A motion or a stop after the program replaces the stop at the end.
  @Test func aStopAfterAProgramIsNotRepeated() async throws {
    let game = Game()
    try await game.play { robot in
      try await robot.run(try Macro(text: "roll 80 90\nwait 300"))
      try await robot.stop()
      try await game.time.sleep(for: .seconds(3))
    }
    #expect(await game.tap.commands.count { $0.id == Motion.Roll.id } == 1)
  }

  @Test(arguments: ["goroll 90, 80, 1", "goroll90,80,1"])
  func aProgramInBASICLeavesNoRollingBall(_ statement: String) async throws {
    #expect(EncodedProgram(try OrbBasicProgram("10 macrun 5")).mayRoll)
    let game = Game()
    try await game.play { try await $0.run(try OrbBasicProgram("10 \(statement)\n20 delay 300\n")) }
    #expect(await game.tap.commands.last { $0.id == Motion.Roll.id }?.payload.first == 0)
  }

  /// A macro that a program in BASIC starts runs on after its end, until the session closes.
  @Test(arguments: [false, true])
  func aMacroOfAProgramInBASICEndsWithTheSession(isCancelled: Bool) async throws {
    let game = Game()
    var macro = try Macro(text: "loopStart 255\nrollLong 200 90 1000\nloopEnd")
    macro.id = 40
    try await game.play { [macro] robot in
      for request in try macro.requests(as: .user).dropLast() { _ = try await robot.send(request) }
      let program = try OrbBasicProgram("10 macrun 40" + (isCancelled ? "\n20 goto 20" : ""))
      let run = game.time.start { try? await robot.run(program) }
      try await game.time.sleep(for: .seconds(3))
      #expect(await game.robot.speed > 0.1)
      run.cancel()
      await run.value
    }
    #expect(try await game.speedLater < 0.01)
  }

  @Test func aLongOneIsAStream() async throws {
    let game = Game()
    let count = Locked(0)
    // 3.5 KB, 140 s.
    let text = (1...140).map { "comment \"somebody says something\"\nmarker \($0)\nwait 1000" }
    let macro = try Macro(text: text.joined(separator: "\n"))
    let time = try await game.play { robot in
      let start = game.time.now
      try await robot.run(macro) { _ in count.withLock { $0 += 1 } }
      return game.time.now - start
    }
    #expect(count.withLock { $0 } == 140)
    #expect(time >= .seconds(140) && time < .seconds(143), "\(time)")
  }

  @Test func aMacroThatIsCancelledIsAbortedAndTheBallStopped() async throws {
    let game = Game()
    let macro = try Macro(text: "loopStart 255\nrollLong 200 90 1000\nloopEnd")
    try await game.play { robot in
      let run = game.time.start { try? await robot.run(macro) { _ in } }
      try await game.time.sleep(for: .seconds(3))
      run.cancel()
      await run.value
      #expect(try await robot.send(Macros.GetMacroStatus()).macro == 0)
    }
    let sent = await ids(game).filter { $0 != "02 56" }
    #expect(sent[5] == "02 30")
    #expect(Array(sent.prefix(5)) == ["02 55", "02 51", "02 50", "02 55", "02 02"], "\(sent)")
    #expect(try await game.speedLater < 0.01)
  }

  @Test func aProgramReportsItsOutputAndItsEnd() async throws {
    let game = Game()
    let text = Locked("")
    let program = try OrbBasicProgram("10 for A = 1 to 3\n20 print A;\n30 delay 1000\n40 next A\n50 print")
    let time = try await game.play { robot in
      let start = game.time.now
      try await robot.run(program) { message in text.withLock { $0 += message.text.description } }
      return game.time.now - start
    }
    #expect(text.withLock { $0 } == "123\n")
    // Its end is found by polling twice per second.
    #expect(time >= .seconds(3) && time < .seconds(4), "\(time)")
  }

  @Test func anErrorOfTheProgramEndsIt() async throws {
    let game = Game()
    let program = try OrbBasicProgram("10 print 7\n20 A = 1 / B")
    _ = try await game.play { robot in
      await #expect(throws: ProgramRunError.stopped(line: 20, .divideByZero)) {
        try await robot.run(program) { _ in }
      }
    }
  }

  @Test func theTimeLimitAbortsIt() async throws {
    let game = Game()
    let program = try OrbBasicProgram("10 goroll 90, 200, 1\n20 goto 20")
    _ = try await game.play { robot in
      await #expect(throws: ProgramRunError.timeLimitExceeded) {
        try await robot.run(program, timeLimit: .seconds(4)) { _ in }
      }
    }
    let sent = await ids(game)
    // Abort and stop; between them and the start are the polls.
    #expect(sent.suffix(3) == ["02 63", "02 02", "02 30"], "\(sent)")
    #expect(try await game.speedLater < 0.01)
  }

  /// The answer to the first value is lost; a value is sent once.
  @Test func aLostValueForInputDoesNotDiscardTheLaterOnes() async throws {
    let game = Game()
    let text = Locked("")
    let fault = Fault(.drop, of: .responses, to: OrbBasic.SubmitInput.id, at: 0..<1)
    let program = try OrbBasicProgram("10 input A\n20 input B\n30 print A + B")
    let inputs = AsyncStream { continuation in
      for value in [3, 4] as [Int32] { continuation.yield(value) }
      continuation.finish()
    }
    try await game.play(faults: [fault]) { robot in
      try await robot.run(program, timeLimit: .seconds(20), inputs: inputs) { message in
        text.withLock { $0 += message.text.description }
      }
    }
    #expect(text.withLock { $0 } == "7\n")
  }

  @Test(arguments: [true, false]) func aClosedSessionIsNoEndOfItsProgram(isMacro: Bool) async throws {
    let game = Game()
    try await game.play { robot in
      let program = game.time.start {
        await #expect(throws: SessionError.leaving) {
          if isMacro {
            try await robot.run(Macro(text: "wait 9000"))
          } else {
            try await robot.run(OrbBasicProgram("10 delay 9000"))
          }
        }
      }
      try await game.time.sleep(for: .milliseconds(1_200))
      await robot.close()
      await program.value
    }
  }

  /// A robot that falls silent while its program runs, on a line that stays open.
  @Test(arguments: [true, false]) func silenceEndsTheWait(isMacro: Bool) async throws {
    let game = Game()
    let faults = [Fault(.drop, of: .fromRobot)].map { fault in
      var fault = fault
      fault.indices = 12..<100_000
      return fault
    }
    let time = try await game.play(faults: faults) { robot in
      let start = game.time.now
      await #expect(throws: SessionError.self) {
        if isMacro {
          try await robot.run(try Macro(text: "wait 60000\nwait 60000"))
        } else {
          try await robot.run(OrbBasicProgram("10 delay 60000\n20 goto 10"))
        }
      }
      return game.time.now - start
    }
    #expect(time > .seconds(5) && time < .seconds(25), "\(time)")
  }

  @Test(arguments: [true, false]) func anAbortedProgramIsNoSuccess(isMacro: Bool) async throws {
    let game = Game()
    try await game.play { robot in
      for isReplaced in [false, true] {
        let macro = try Macro(text: "wait 20000")
        let first = game.time.start {
          await #expect(throws: ProgramRunError.aborted) {
            if isMacro {
              try await robot.run(macro)
            } else {
              try await robot.run(OrbBasicProgram("10 delay 20000"))
            }
          }
        }
        try await game.time.sleep(for: .seconds(1))
        let start = game.time.now
        if !isReplaced {
          try await robot.abortPrograms()
        } else if isMacro {
          try await robot.run(try Macro(text: "wait 2000"))
        } else {
          try await robot.run(OrbBasicProgram("10 delay 2000"))
        }
        await first.value
        // The second program is not aborted by the end of the first one.
        #expect(!isReplaced || game.time.now - start >= .seconds(2))
      }
    }
  }

  /// A program that prints without a pause fills the line with its output, which is not that of the next program.
  @Test func theOutputOfTheLastProgramIsDiscarded() async throws {
    let game = Game { $0.latency = .milliseconds(40) }
    let text = Locked("")
    try await game.play { robot in
      for request in try OrbBasicProgram("10 print \"hello\"\n20 goto 10").requests() {
        _ = try await robot.send(request)
      }
      try await game.time.sleep(for: .seconds(2))
      try await robot.run(OrbBasicProgram("10 delay 300\n20 print \"new\"")) { message in
        text.withLock { $0 += message.text.description }
      }
    }
    #expect(text.withLock { $0 } == "new\n")
  }

  /// The answer to the abort waits behind the output; the stop does not wait for it.
  @Test func aProgramThatPrintsIsStoppedAtOnce() async throws {
    let game = Game()
    let program = try OrbBasicProgram("10 goroll 0, 80, 1\n20 print \"hello\"\n30 goto 10")
    try await game.play { robot in
      let run = game.time.start { try? await robot.run(program) }
      try await game.time.sleep(for: .seconds(2))
      run.cancel()
      await run.value
    }
    let sent = await ids(game)
    // The abort, the stop, and nothing else between them.
    let abort = try #require(sent.lastIndex(of: "02 63"))
    #expect(sent[(abort + 1)...].prefix(2) == ["02 02", "02 30"])
    #expect(try await game.speedLater < 0.01)
  }

  @Test func aCancellationDoesNotWaitForASilentRobot() async throws {
    let game = Game()
    var fault = Fault(.drop, of: .fromRobot)
    fault.indices = 12..<100_000
    let begin = Locked<Duration>(.zero)
    try await game.play(faults: [fault]) { robot in
      let run = game.time.start { try? await robot.run(try Macro(text: "wait 60000")) }
      try await game.time.sleep(for: .seconds(4))
      begin.withLock { $0 = game.time.now }
      run.cancel()
      await run.value
    }
    // It includes 0.3 s for the heading of the stop.
    #expect(game.time.now - begin.withLock { $0 } < .milliseconds(1_700))
  }

  /// The programs of a session that was killed, one of which reserves the motors for itself.
  @Test(arguments: ["macro", "rawMotors", "basic", "exclusive"]) func aProgramOfAnotherSessionIsAborted(
    _ kind: String
  ) async throws {
    let game = Game()
    try await game.play { robot in
      if ["macro", "rawMotors"].contains(kind) {
        // Its motors run on after the abort, and without the control system.
        let motors = "rawMotors 1 60 1 60 0\nwait 60000"
        let macro = try Macro(text: kind == "macro" ? "loopStart 200\nroll 40 0 255\nloopEnd" : motors)
        for request in try macro.requests(as: .temporary) { _ = try await robot.send(request) }
      } else {
        let first = kind == "exclusive" ? "10 basflg 1\n" : ""
        let program = try OrbBasicProgram(first + "20 goroll 0, 40, 1\n30 delay 100\n40 goto 20")
        for request in program.requests() { _ = try await robot.send(request) }
      }
      try await game.time.sleep(for: .seconds(2))
      try await robot.abortPrograms()
    }
    let sent = await ids(game)
    // No command waits for the answer to another one; the last stop follows the aborts.
    #expect(Array(sent.suffix(5)) == ["02 55", "02 63", "02 02", "02 30", "02 30"], "\(sent)")
    #expect(try await game.speedLater < 0.01)
  }

  /// A link of 80 ms that loses one packet in 20, both ways.
  @Test(arguments: [1, 2, 3] as [UInt64]) func aLossyLinkLosesNoEnd(_ seed: UInt64) async throws {
    let game = Game { $0.latency = .milliseconds(80) }
    let faults = [Fault(.drop, chance: 0.05, of: .all)]
    let program = try OrbBasicProgram("10 delay 3000\n20 print 1")
    let macro = try Macro(text: "wait 3000\nmarker 1")
    let times = try await game.play(faults: faults, seed: seed) { robot in
      let start = game.time.now
      try await robot.run(program) { _ in }
      let middle = game.time.now
      try await robot.run(macro) { _ in }
      return [middle - start, game.time.now - middle]
    }
    #expect(times.allSatisfy { $0 >= .seconds(3) && $0 < .seconds(12) }, "\(times)")
  }

  /// A program that stops the ball when the link drops may move it for longer than the motion timeout of 2 s.
  @Test(arguments: [
    ("macro", true), ("stream", true), ("10 basflg 8\n20 goroll 0, 60, 1\n30 delay 9000", true),
    ("10 goroll 0, 60, 1\n20 delay 9000", false),
    ("10 basflg 8\n20 basflg 0\n30 goroll 0, 60, 1\n40 delay 9000", false),
    ("10 basflg8\n20 goroll0,60,1\n30 delay 9000", true),
    ("10 ' basflg 8\n20 goroll 0, 60, 1 ' basflg 8\n30 print \"basflg 8\"\n40 delay 9000", false),
  ]) func aProgramMovesTheBallForLong(_ kind: String, _ isLong: Bool) async throws {
    let game = Game()
    try await game.play(settings: Robot.Settings()) { robot in
      let program = Task(executorPreference: game.time) {
        if kind.hasPrefix("1") {
          try await robot.run(OrbBasicProgram(kind), timeLimit: .seconds(6))
        } else {
          try await robot.run(
            Macro(text: "rollLong speed=60 heading=0 time=9000"), as: kind == "stream" ? .stream : nil,
            timeLimit: .seconds(6))
        }
      }
      try await game.time.sleep(for: .seconds(5))
      let speed = await game.robot.speed
      #expect(isLong ? speed > 0.2 : speed < 0.02, "\(speed)")
      await #expect(throws: ProgramRunError.timeLimitExceeded) { try await program.value }
      // Afterwards, the timeout of a single command is 2 s again.
      try await robot.roll(.ahead, speed: 0.3)
      try await game.time.sleep(for: .seconds(1.5))
      #expect(await game.robot.speed > 0.2)
      try await game.time.sleep(for: .seconds(1.5))
      #expect(await game.robot.speed < 0.2)
    }
  }

  /// A ball that a macro leaves rolling stops by the motion timeout of a single command.
  @Test func aBallThatAMacroLeavesRollingStops() async throws {
    let game = Game()
    try await game.play(settings: Robot.Settings()) { robot in
      try await robot.run(Macro(text: "rollLong speed=60 heading=0 time=3000"))
      try await game.time.sleep(for: .seconds(4))
      #expect(await game.robot.speed < 0.02)
    }
    let times = try await game.tap.commands.filter { $0.id == Motion.SetMotionTimeout.id }
      .map { try Motion.SetMotionTimeout(request: $0.payload).time }
    #expect(times == [65_535, 2_000])
  }

  /// A motion that ended during a program does not keep the end of that program from stopping the ball.
  @Test func aProgramIsStoppedAfterAMotionBesideIt() async throws {
    let game = Game()
    try await game.play { robot in
      let program = Task(executorPreference: game.time) {
        try await robot.run(
          OrbBasicProgram("10 goroll 0, 60, 1\n20 delay 500\n30 goto 10"), timeLimit: .seconds(6))
      }
      try await game.time.sleep(for: .seconds(2))
      try await robot.roll(.ahead, speed: 0.2, for: .seconds(1))
      await #expect(throws: ProgramRunError.timeLimitExceeded) { try await program.value }
      try await game.time.sleep(for: .seconds(1.5))
      #expect(await game.robot.speed < 0.02)
    }
  }

  /// The end of a program that another one has replaced leaves that one running.
  @Test(arguments: [true, false]) func theTimeLimitOfAReplacedProgramAbortsNothing(isMacro: Bool) async throws
  {
    let game = Game()
    try await game.play { robot in
      func run(_ limit: Duration) async throws {
        if isMacro {
          try await robot.run(Macro(text: "wait time=3000"), timeLimit: limit)
        } else {
          try await robot.run(OrbBasicProgram("10 delay 3000"), timeLimit: limit)
        }
      }
      let older = Task(executorPreference: game.time) { try await run(.milliseconds(1_300)) }
      try await game.time.sleep(for: .milliseconds(1_150))
      let begun = game.time.now
      try await run(.seconds(9))
      #expect(game.time.now - begun > .seconds(2.9))
      await #expect(throws: ProgramRunError.self) { try await older.value }
    }
  }

  /// A macro that replaces a program in BASIC ends it, and the other way round.
  @Test(arguments: [true, false]) func aProgramOfTheOtherLanguageIsReplaced(isMacro: Bool) async throws {
    let game = Game()
    let macro = try Macro(text: "rgb 0 0 255\nwait time=4000\nrgb 0 255 0\nwait time=60000")
    let program = try OrbBasicProgram("10 RGB 255, 0, 0\n20 delay 4000\n30 RGB 0, 255, 0\n40 delay 60000")
    try await game.play { robot in
      let older = Task(executorPreference: game.time) {
        if isMacro { try await robot.run(program) } else { try await robot.run(macro) }
      }
      try await game.time.sleep(for: .seconds(1))
      if isMacro {
        try await robot.run(Macro(text: "wait time=1000"))
      } else {
        try await robot.run(OrbBasicProgram("10 delay 1000"))
      }
      await #expect(throws: ProgramRunError.aborted) { try await older.value }
      try await game.time.sleep(for: .seconds(4))
      #expect(await game.robot.lights.green == 0)
    }
  }

  /// The stop of a cancelled program waits for the heading, and does not stop a motion that begins meanwhile.
  @Test func theStopOfACancelledProgramSparesANewerMotion() async throws {
    let game = Game { $0.latency = .milliseconds(60) }
    try await game.play { robot in
      let program = Task(executorPreference: game.time) {
        try await robot.run(Macro(text: "rollLong speed=80 heading=0 time=9000"))
      }
      try await game.time.sleep(for: .seconds(2))
      program.cancel()
      try await game.time.sleep(for: .milliseconds(50))
      try await robot.drive(Heading(degrees: 90), speed: 0.3)
      _ = try? await program.value
      try await game.time.sleep(for: .seconds(3))
      #expect(await game.robot.speed > 0.3)
    }
  }

  /// Before a suspension, a stop of raw motors does not wait for the answer to the command that precedes it.
  @Test func aSuspensionStopsRawMotorsWithoutAnswers() async throws {
    let game = Game()
    let faults = [Fault(.drop, of: .responses, to: Motion.SetStabilization.id)]
    try await game.play(faults: faults) { robot in
      try await robot.send(
        Motion.SetRawMotors(leftMode: .forward, leftPower: 90, rightMode: .forward, rightPower: 90))
      let suspension = Task(executorPreference: game.time) { await robot.stopMotion() }
      try await game.time.sleep(for: .milliseconds(500))
      suspension.cancel()
      #expect(await game.tap.commands.last?.id == Motion.Roll.id)
    }
  }

  /// A process that is suspended cannot repeat a lost stop later.
  @Test(arguments: [1, 1_000]) func aSuspensionRepeatsALostStop(losses: Int) async throws {
    let game = Game()
    let faults = [Fault(.drop, of: .commands, to: Motion.Roll.id, at: 1..<(1 + losses))]
    try await game.play(faults: faults) { robot in
      try await robot.roll(.ahead, speed: 0.3)
      let suspension = Task(executorPreference: game.time) { await robot.stopMotion() }
      try await game.time.sleep(for: .milliseconds(500))
      suspension.cancel()
      #expect(await suspension.value == (losses == 1))
    }
  }

  /// A lost abort is repeated, and the stop after it, before the session leaves.
  @Test(arguments: [false, true]) func aLostAbortIsRepeated(isCancelled: Bool) async throws {
    let game = Game()
    let basic = try OrbBasicProgram("10 goroll 0,80,1\n20 delay 300\n30 goto 10\n")
    // The first abort precedes the program.
    try await game.play(faults: [Fault(.drop, of: .commands, to: OrbBasic.Abort.id, at: 1..<3)]) { robot in
      let program = Task(executorPreference: game.time) {
        try await robot.run(basic, timeLimit: isCancelled ? nil : .seconds(2))
      }
      try await game.time.sleep(for: .seconds(isCancelled ? 2 : 3))
      program.cancel()
      _ = await program.result
    }
    #expect(try await game.speedLater == 0)
  }

  /// A robot that receives nothing for some seconds still gets the abort after the time limit, and the stop.
  @Test(arguments: [OrbBasic.Abort.id, Motion.Roll.id]) func aTimeLimitStopsADeafRobot(_ id: CommandID)
    async throws
  {
    // Its motion timeout does not stop the ball.
    let game = Game { $0.model.permanentOptions = .vectorDrive }
    let basic = try OrbBasicProgram("5 basflg 8\n10 goroll 0,80,1\n20 delay 300\n30 goto 10\n")
    // The first abort precedes the program.
    let lost = id == OrbBasic.Abort.id ? 1..<12 : 0..<5
    try await game.play(faults: [Fault(.drop, of: .commands, to: id, at: lost)]) { robot in
      await #expect(throws: ProgramRunError.timeLimitExceeded) {
        try await robot.run(basic, timeLimit: .seconds(2))
      }
      #expect(await game.robot.speed > 0.1)
      try await game.time.sleep(for: .seconds(12))
      #expect(await game.robot.speed == 0)
    }
  }

  /// Before a suspension, the abort of a program does not wait for the answer to a stop.
  @Test func aSuspensionAbortsAProgramWithoutAnswers() async throws {
    let game = Game()
    try await game.play(faults: [Fault(.drop, of: .responses, to: Motion.Roll.id)]) { robot in
      _ = try? await robot.roll(.ahead, speed: 0.1)
      let program = Task(executorPreference: game.time) {
        try await robot.run(Macro(text: "rollLong speed=80 heading=0 time=9000"))
      }
      // Between two polls for the end of the program.
      try await game.time.sleep(for: .milliseconds(1_200))
      let suspension = Task(executorPreference: game.time) { await robot.stopMotion() }
      try await game.time.sleep(for: .milliseconds(100))
      let commands = await game.tap.commands.map(\.id)
      let abort = try #require(commands.lastIndex(of: Macros.AbortMacro.id))
      let start = try #require(commands.lastIndex(of: Macros.RunMacro.id))
      #expect(abort > start)
      try await game.time.sleep(for: .milliseconds(400))
      suspension.cancel()
      #expect(await game.tap.commands.last?.id == Motion.Roll.id)
      program.cancel()
    }
  }
}
