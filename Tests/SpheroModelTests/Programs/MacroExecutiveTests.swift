// Tests of the macro executive: effects, times and limits.

import SpheroModel
import SpheroProtocol
import TestSupport
import Testing

/// Runs a temporary macro and gives what it did.
private func trace(
  _ bytes: String, until end: Duration = .seconds(10), others: [String] = [],
  prepare: (inout MacroExecutive, inout ActionRecorder) -> Void = { _, _ in }
) -> [String] {
  var executive = MacroExecutive()
  var recorder = ActionRecorder()
  for other in others {
    #expect(executive.save(programBytes(other), at: .zero, isConnected: true) == .ok)
  }
  #expect(executive.saveTemporary(programBytes(bytes)) == .ok)
  prepare(&executive, &recorder)
  #expect(executive.run(255, at: .zero, isConnected: true) == .ok)
  executive.run(until: end, &recorder)
  return recorder.lines
}

@Suite(.ownThread) struct MacroExecutiveTests {
  /// Each opcode of the fact sheet, and what it does; then a colour shows how long it waits.
  static let opcodes: [(bytes: String, expected: [String])] = [
    ("03 00 0A", ["0 stabilization 0", "10 color 1 2 3"]),
    ("03 02 00", ["0 stabilization 2", "0 color 1 2 3"]),
    ("04 00 5A FF", ["0 heading 90", "255 color 1 2 3"]),
    ("05 80 01 67 05", ["0 roll 128 at 359 state 1", "5 color 1 2 3"]),
    ("01 01 02 06 00 B4 64", ["0 roll 100 at 180 state 1", "258 color 1 2 3"]),
    ("07 09 08 07 06", ["0 color 9 8 7", "6 color 1 2 3"]),
    ("02 00 07 08 09 08 07", ["0 color 9 8 7", "7 color 1 2 3"]),
    ("09 7F 04", ["0 back 127", "4 color 1 2 3"]),
    ("0A 01 64 02 32 03", ["0 motors 1 100 2 50", "3 color 1 2 3"]),
    ("0B 03 E8", ["1000 color 1 2 3"]),
    ("01 00 14 0F 00 46 11 00 0A", ["0 roll 70 at 10 state 1", "20 color 1 2 3"]),
    ("01 00 14 10 01 00 12 00 0A", ["0 roll 255 at 10 state 1", "20 color 1 2 3"]),
    ("13 C8", ["0 rate 200", "0 color 1 2 3"]),
    ("14 0A 14 1E 01 F4", ["0 fade 10 20 30 in 500", "0 color 1 2 3"]),
    ("15 2A", ["0 event 06 2A FF 00 01", "0 color 1 2 3"]),
    ("1A 02 D0 0F A0", ["0 rotate 720 in 4000", "0 color 1 2 3"]),
    ("1A FF A6 00 64", ["0 rotate -90 in 100", "0 color 1 2 3"]),
    ("1D 40 00 10 07 D0", ["0 roll 64 at 16 state 1", "2000 color 1 2 3"]),
    ("20 00 03 15 15 15", ["0 color 1 2 3"]),
    ("01 01 00 21 00 2D", ["0 rotate 45 in 256", "0 color 1 2 3"]),
    ("02 02 00 22 FF D3", ["0 rotate -45 in 512", "0 color 1 2 3"]),
    ("25 33 08", ["0 speed 51", "8 color 1 2 3"]),
    ("27 01 64 32 65 33 14", ["0 collisions 1 100 50 101 51 20", "0 color 1 2 3"]),
    ("1F", ["0 color 1 2 3"]),
    ("1E 00 0B 00 0A 1F", ["10 color 1 2 3"]),
    ("1E 03 0B 00 0A 1F", ["30 color 1 2 3"]),
    ("0E 00 00", ["0 sleep, then 0 0"]),
    ("0E FF FF", ["0 sleep as commanded, then 0 0"]),
    ("0E 13 88", ["0 sleep 5 s, then 0 0"]),
    ("1B", []), ("16", []), ("0C FE", []), ("0C 40", []), ("0D 40", []),
    // A comment that leaves the macro, a heading and a mode that do not exist.
    ("20 00 40 00", []), ("04 01 68 00", []), ("03 03 00", []),
  ]

  @Test(arguments: opcodes) func opcode(_ bytes: String, _ expected: [String]) {
    #expect(trace("FF 00 \(bytes) 07 01 02 03 00 00") == expected)
  }

  @Test func everyOpcodeIsRunSomewhere() {
    let flow: Set<UInt8> = [0x00, 0x0D, 0x19, 0x23, 0x24]
    let run = Self.opcodes.flatMap { programBytes($0.bytes) }
    for command in MacroCommand.all {
      #expect(run.contains(command.opcode) || flow.contains(command.opcode), "\(command)")
    }
  }

  @Test func parametersOfTheHost() {
    let lines = trace("FF 00 24 11 00 00 1F 21 00 01 22 00 02 12 00 05 00") { executive, _ in
      executive.setParameter(.init(parameter: .systemDelay1, value1: 1, value2: 4))
      executive.setParameter(.init(parameter: .systemDelay2, value1: 0, value2: 9))
      executive.setParameter(.init(parameter: .systemSpeed1, value1: 11))
      executive.setParameter(.init(parameter: .systemSpeed2, value1: 22))
      executive.setParameter(.init(parameter: .loopCount, value1: 2))
    }
    #expect(
      lines == [
        "0 roll 11 at 0 state 1", "260 roll 11 at 0 state 1", "520 rotate 1 in 260", "520 rotate 2 in 9",
        "520 roll 22 at 5 state 1",
      ])
  }

  @Test func loopsDoNotNest() {
    // The second start replaces the first; the second end has no start.
    #expect(
      trace("FF 00 1E 05 15 01 1E 02 15 02 1F 15 03 1F 15 04 00") == [
        "0 event 06 01 FF 00 02", "0 event 06 02 FF 00 04", "0 event 06 02 FF 00 04",
        "0 event 06 03 FF 00 06", "0 event 06 04 FF 00 08",
      ])
  }

  @Test func loopOfAnotherMacroIsNotEndedHere() {
    // 40h has an end without a start.
    #expect(
      trace("FF 00 1E 02 0D 40 15 01 1F 00", others: ["40 00 15 09 1F 15 0A 00"]) == [
        "0 event 06 09 40 00 01", "0 event 06 0A 40 00 03", "0 event 06 01 FF 00 03",
        "0 event 06 09 40 00 01", "0 event 06 0A 40 00 03", "0 event 06 01 FF 00 03",
      ])
  }

  @Test func gosubReturnsOnceDeep() {
    // 40h calls 41h, which is ignored; its flags (end marker) do not act.
    #expect(
      trace("FF 10 15 01 0D 40 15 02 00", others: ["40 10 15 09 0D 41 15 0A 00", "41 00 15 0B 00"]) == [
        "0 event 06 01 FF 00 01", "0 event 06 09 40 00 01", "0 event 06 0A 40 00 03",
        "0 event 06 02 FF 00 03", "0 event 06 00 FF 00 04",
      ])
  }

  @Test func gotoTakesTheFlagsOfItsTarget() {
    #expect(
      trace("FF 10 01 00 07 0C 40 15 01 00", others: ["40 01 11 00 03 15 05 00"]) == [
        "0 roll 0 at 3 state 1", "7 event 06 05 40 00 02", "7 stop",
      ])
    // Out of a gosub it still comes back.
    #expect(
      trace("FF 00 0D 40 15 01 00", others: ["40 00 0C 41 15 09 00", "41 00 15 0B 00"]) == [
        "0 event 06 0B 41 00 01", "0 event 06 01 FF 00 02",
      ])
  }

  @Test func endFlags() {
    #expect(trace("FF 11 0B 00 05 00") == ["5 stop", "5 event 06 00 FF 00 02"])
    #expect(trace("FF 91 55 0B 00 05 00") == ["5 stop", "5 event 06 00 FF 00 02"])
    // An abort is no end.
    #expect(trace("FF 11 0B 00 05 FE") == [])
  }

  @Test func onlyAlone() {
    var executive = MacroExecutive()
    var recorder = ActionRecorder()
    #expect(executive.saveTemporary(programBytes("FF 08 15 01 0B 00 64 15 02 00")) == .ok)
    #expect(executive.run(255, at: .zero, isConnected: true) == .failedToExecute)
    #expect(executive.run(255, at: .zero, isConnected: false) == .ok)
    executive.run(until: .milliseconds(50), &recorder)
    recorder.readings[.isConnected] = 1
    executive.run(until: .seconds(1), &recorder)
    #expect(recorder.lines == ["0 event 06 01 FF 00 01"])
    #expect(!executive.isRunning)
  }

  @Test func waitsUntilStopped() {
    var executive = MacroExecutive()
    var recorder = ActionRecorder()
    recorder.isStopped = false
    #expect(executive.saveTemporary(programBytes("FF 00 19 00 55 15 01 19 03 E8 15 02 00")) == .ok)
    #expect(executive.run(255, at: .zero, isConnected: true) == .ok)
    executive.run(until: .milliseconds(100), &recorder)
    recorder.isStopped = true
    executive.run(until: .seconds(1), &recorder)
    #expect(recorder.lines == ["85 event 06 01 FF 00 02", "105 event 06 02 FF 00 04"])
  }

  @Test func aCollisionEndsTheWaitForTheStop() {
    var executive = MacroExecutive()
    var recorder = ActionRecorder()
    recorder.isStopped = false
    #expect(executive.save(programBytes("40 00 15 09 00"), at: .zero, isConnected: true) == .ok)
    #expect(executive.saveTemporary(programBytes("FF 00 23 40 19 03 E8 15 01 00")) == .ok)
    #expect(executive.run(255, at: .zero, isConnected: true) == .ok)
    executive.run(until: .milliseconds(300), &recorder)
    executive.collide(at: .milliseconds(300))
    executive.run(until: .seconds(9), &recorder)
    #expect(recorder.lines.count == 1 && recorder.lines.first?.hasPrefix("300 event 06 09 40 ") == true)
  }

  @Test func branchesOnCollision() {
    var executive = MacroExecutive()
    var recorder = ActionRecorder()
    #expect(executive.save(programBytes("40 00 15 09 0B 00 0A 00"), at: .zero, isConnected: true) == .ok)
    #expect(
      executive.saveTemporary(
        programBytes("FF 00 0B 00 64 23 40 0B 03 E8 15 01 00")) == .ok)
    #expect(executive.run(255, at: .zero, isConnected: true) == .ok)
    executive.run(until: .milliseconds(50), &recorder)
    executive.collide(at: .milliseconds(50))
    executive.run(until: .milliseconds(300), &recorder)
    #expect(recorder.lines == [])
    executive.collide(at: .milliseconds(300))
    executive.run(until: .milliseconds(305), &recorder)
    executive.collide(at: .milliseconds(305))
    executive.run(until: .seconds(9), &recorder)
    #expect(recorder.lines == ["300 event 06 09 40 00 01", "305 event 06 09 40 00 01"])
    // 0 turns it off; an unknown target ends the macro.
    for (target, isRunning) in [("00", true), ("41", false)] {
      #expect(executive.saveTemporary(programBytes("FF 00 23 40 23 \(target) 0B 03 E8 00")) == .ok)
      #expect(executive.run(255, at: .seconds(10), isConnected: true) == .ok)
      executive.advance(to: .seconds(10), actions: &recorder)
      executive.collide(at: .seconds(10))
      #expect(executive.isRunning == isRunning)
      _ = executive.abort()
    }
  }

  @Test func streamTakesPieces() {
    var executive = MacroExecutive()
    var recorder = ActionRecorder()
    func feed(_ bytes: String) -> Status {
      executive.save(programBytes(bytes), at: recorder.now, isConnected: true)
    }
    // Ends and gosubs are ignored in a stream.
    #expect(feed("FE 10 15 01 00 0D 40 0B 00 64 1E 02 15 02") == .ok)
    executive.run(until: .milliseconds(500), &recorder)
    #expect(executive.status.macro == 254)
    #expect(executive.nextDeadline == nil)
    #expect(executive.run(255, at: recorder.now, isConnected: true) == .failedToExecute)
    #expect(feed("FE 10 15 03 1F 1B 00") == .ok)
    executive.run(until: .seconds(1), &recorder)
    #expect(
      recorder.lines == [
        "0 event 06 01 FE 00 01", "100 event 06 02 FE 00 05", "500 event 06 03 FE 00 06",
        "500 event 06 02 FE 00 05", "500 event 06 03 FE 00 06", "500 event 06 00 FE 00 08",
      ])
    #expect(!executive.isRunning)
    #expect(executive.run(254, at: recorder.now, isConnected: true) == .badParameter)
  }

  @Test func streamBufferIsOneKilobyte() {
    var executive = MacroExecutive()
    var recorder = ActionRecorder()
    // 84 waits of one second, 252 bytes, take 84 s to go.
    let piece = programBytes("FE 00" + String(repeating: " 0B 03 E8", count: 84))
    for expected in [Status.ok, .ok, .ok, .ok, .failedToExecute] {
      #expect(executive.save(piece, at: .zero, isConnected: true) == expected)
    }
    executive.run(until: .seconds(84), &recorder)
    #expect(executive.save(piece, at: .seconds(84), isConnected: true) == .ok)
    #expect(executive.save(piece, at: .seconds(84), isConnected: true) == .failedToExecute)
    executive.run(until: .seconds(10_000), &recorder)
    #expect(executive.status.command == 5 * 84)
  }

  @Test func statusAndAbort() {
    var executive = MacroExecutive()
    var recorder = ActionRecorder()
    #expect(executive.abort() == Macros.AbortMacro.Response())
    #expect(executive.saveTemporary(programBytes("FF 11 20 00 00 0B 00 64 15 01 00")) == .ok)
    #expect(executive.run(255, at: .zero, isConnected: true) == .ok)
    #expect(executive.flags == [.stopAtEnd, .markEnd])
    executive.run(until: .milliseconds(50), &recorder)
    #expect((executive.status.macro, executive.status.command) == (255, 2))
    let response = executive.abort()
    #expect((response.macro, response.command) == (255, 2))
    #expect((executive.status.macro, executive.status.command) == (0, 0))
    executive.run(until: .seconds(1), &recorder)
    #expect(recorder.lines == [])
  }

  @Test func systemMacroCannotBeEnded() {
    let forever = Macro(id: 5, flags: .unkillable) { Macro.Wait(time: 1_000) }
    var executive = MacroExecutive(system: [forever, Macro(id: 32) { Macro.Wait(time: 1) }])
    #expect(executive.run(32, at: .zero, isConnected: true) == .badParameter)
    #expect(executive.run(5, at: .zero, isConnected: true) == .ok)
    let response = executive.abort()
    #expect((response.macro, response.command) == (5, 0xFFFF))
    #expect(executive.isRunning)
    executive.reinitialize()
    #expect(!executive.isRunning)
    // A user's macro asks in vain.
    #expect(executive.save(programBytes("20 40 0B 03 E8 00"), at: .zero, isConnected: true) == .ok)
    #expect(executive.run(32, at: .zero, isConnected: true) == .ok)
    #expect(executive.abort().command == 1)
    #expect(!executive.isRunning)
  }

  @Test func storage() {
    var executive = MacroExecutive()
    func save(_ bytes: [UInt8]) -> Status { executive.save(bytes, at: .zero, isConnected: true) }
    func save(_ id: UInt8, _ count: Int) -> Status { save([id] + [UInt8](repeating: 0, count: count)) }
    for id in [0, 1, 31, 255] as [UInt8] { #expect(save([id, 0, 0]) == .badParameter) }
    for id in 32..<48 as Range<UInt8> { #expect(save([id, 0, 0]) == .ok) }
    #expect(save([33, 0, 0]) == .failedToExecute)
    #expect(save([48, 0, 0]) == .failedToExecute)
    executive.reinitialize()
    #expect(executive.run(33, at: .zero, isConnected: true) == .badParameter)
    // 8 macros of 254 bytes leave 16 of 2048.
    for id in 100..<108 as Range<UInt8> {
      #expect(save(id, 253) == .ok)
    }
    #expect(save(200, 16) == .failedToExecute)
    #expect(save(200, 15) == .ok)
    #expect(executive.run(0, at: .zero, isConnected: true) == .badParameter)
    #expect(executive.run(255, at: .zero, isConnected: true) == .badParameter)
    #expect(executive.run(200, at: .zero, isConnected: true) == .ok)
    #expect(executive.run(200, at: .zero, isConnected: true) == .failedToExecute)
  }

  @Test func sleepForgets() {
    var executive = MacroExecutive()
    #expect(executive.save(programBytes("20 00 0B 03 E8 00"), at: .zero, isConnected: true) == .ok)
    #expect(executive.saveTemporary(programBytes("FF 00 0B 03 E8 00")) == .ok)
    #expect(executive.run(255, at: .zero, isConnected: true) == .ok)
    executive.sleep()
    #expect(!executive.isRunning)
    for id in [32, 255] as [UInt8] {
      #expect(executive.run(id, at: .zero, isConnected: true) == .badParameter)
    }
  }

  @Test func chunksMakeTheTemporaryMacro() {
    var executive = MacroExecutive()
    var recorder = ActionRecorder()
    for _ in 0..<2 {
      #expect(executive.append([255, 0, 0x0B, 0]) == .ok)
      #expect(executive.append([5, 0x15, 7]) == .ok)
      #expect(executive.append([0]) == .ok)
      // Until an abort the buffer is not clean: what follows lies after the end.
      #expect(executive.append([255, 0, 0x15, 8, 0]) == .ok)
      #expect(executive.run(255, at: recorder.now, isConnected: true) == .ok)
      executive.run(until: recorder.now + .seconds(1), &recorder)
      _ = executive.abort()
    }
    #expect(recorder.lines == ["5 event 06 07 FF 00 02", "1005 event 06 07 FF 00 02"])
    let chunk = [UInt8](repeating: 0x1F, count: 254)
    for expected in [Status.ok, .ok, .ok, .ok, .failedToExecute] {
      #expect(executive.append(chunk) == expected)
    }
    #expect(executive.append([UInt8](repeating: 0, count: 8)) == .ok)
    #expect(executive.append([0]) == .failedToExecute)
    // Saved over or appended to, a macro that runs is ended.
    for isAppended in [false, true] {
      #expect(executive.saveTemporary(programBytes("FF 00 0B 03 E8 00")) == .ok)
      #expect(executive.run(255, at: recorder.now, isConnected: true) == .ok)
      #expect((isAppended ? executive.append([0]) : executive.saveTemporary([255, 0, 0])) == .ok)
      #expect(!executive.isRunning)
    }
  }

  @Test func endlessMacroNeitherHangsNorFloods() {
    var executive = MacroExecutive()
    var recorder = ActionRecorder()
    recorder.room = 300
    #expect(executive.saveTemporary(programBytes("FF 00 15 01 0C FF")) == .ok)
    #expect(executive.run(255, at: .zero, isConnected: true) == .ok)
    executive.run(until: .seconds(10), &recorder)
    #expect(recorder.lines.count == 300)
    // 10 markers in a millisecond.
    #expect(recorder.lines[9] == "0 event 06 01 FF 00 01")
    #expect(recorder.lines[10] == "1 event 06 01 FF 00 01")
    recorder.room = .max
    recorder.lines = []
    // Without pause, one call does no more than its bound.
    executive.advance(to: .seconds(100_000), actions: &recorder)
    #expect(recorder.lines.count <= MacroExecutive.maximumCommandsPerCall / 2)
    #expect(executive.nextDeadline.map { $0 < .seconds(100_000) } == true)
  }

  @Test func lateCallsKeepTheRhythm() {
    let bytes = programBytes("FF 10 1E 14 15 01 0B 00 07 1F 00")
    var lines: [[String]] = []
    for interval in [1, 3, 50, 1_000] {
      var executive = MacroExecutive()
      var recorder = ActionRecorder()
      #expect(executive.saveTemporary(bytes) == .ok)
      #expect(executive.run(255, at: .zero, isConnected: true) == .ok)
      for time in stride(from: 0, through: 1_000, by: interval) {
        executive.advance(to: .milliseconds(time), actions: &recorder)
      }
      lines.append(recorder.actions)
      #expect(!executive.isRunning)
    }
    #expect(lines.allSatisfy { $0 == lines[0] && $0.count == 21 })
  }
}
