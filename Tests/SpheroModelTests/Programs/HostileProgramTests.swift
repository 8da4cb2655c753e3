// Tests of hostile programs: no trap, no endless call, bounded output, and deterministic behaviour.

import SpheroModel
import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct HostileProgramTests {
  static let seed: UInt64 = 0x5EED_0081

  /// Bytes that are mostly commands of macros.
  private func randomMacro(_ random: inout SeededGenerator, id: UInt8) -> [UInt8] {
    var bytes: [UInt8] = [id, UInt8.random(in: 0...255, using: &random) & 0x77]
    let ids: [UInt8] = [32, 33, 34, 254, 255]
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: bytes += (0..<5).map { _ in UInt8.random(in: 0...255, using: &random) }
      case 1: bytes += [0x15, UInt8.random(in: 1...255, using: &random)]
      case 2: bytes += [Bool.random(using: &random) ? 0x0C : 0x0D, ids.randomElement(using: &random) ?? 0]
      case 3: bytes += [0x1E, UInt8.random(in: 0...255, using: &random)]
      case 4: bytes += [0x1F]
      case 5: bytes += [0x23, ids.randomElement(using: &random) ?? 0]
      case 6: bytes += [0x0B, 0, UInt8.random(in: 0...255, using: &random)]
      default:
        let command = MacroCommand.all.randomElement(using: &random) ?? .end
        bytes += (try? command.payload()) ?? []
      }
    }
    if Bool.random(using: &random) { bytes.append(0) }
    return Array(bytes.prefix(254))
  }

  /// Sends a random command to the executive.
  private func disturb(_ executive: inout MacroExecutive, at now: Duration, _ random: inout SeededGenerator) {
    let id: UInt8 = [5, 32, 33, 34, 254, 254, 255].randomElement(using: &random) ?? 255
    switch Int.random(in: 0..<12, using: &random) {
    case 0...1: _ = executive.saveTemporary(randomMacro(&random, id: id))
    case 2...4: _ = executive.save(randomMacro(&random, id: id), at: now, isConnected: true)
    case 5: _ = executive.append(randomMacro(&random, id: id))
    case 6...7: _ = executive.run(id, at: now, isConnected: Bool.random(using: &random))
    case 8: executive.collide(at: now)
    case 9:
      var command = Macros.SetMacroParameter()
      command.parameter = .allCases.randomElement(using: &random) ?? .loopCount
      command.value2 = UInt8.random(in: 0...255, using: &random)
      executive.setParameter(command)
    case 10: _ = executive.abort()
    default: if Int.random(in: 0..<8, using: &random) == 0 { executive.reinitialize() }
    }
  }

  private func macroTrace(
    seed: UInt64, steps: Int
  ) -> (actions: [String], count: Int, executive: MacroExecutive) {
    var random = SeededGenerator(seed: seed)
    var executive = MacroExecutive()
    var recorder = ActionRecorder()
    var count = 0
    for step in 0..<steps {
      disturb(&executive, at: recorder.now, &random)
      recorder.isStopped = Bool.random(using: &random)
      let before = recorder.lines.count
      recorder.room = Int.random(in: 0...20, using: &random)
      let room = recorder.room
      recorder.now += .milliseconds(Int.random(in: 0...20, using: &random))
      executive.advance(to: recorder.now, actions: &recorder)
      let added = recorder.lines[before...]
      count += added.count
      let isBounded = added.count <= MacroExecutive.maximumCommandsPerCall
      let events = added.count { $0.contains(" event 06 ") }
      guard isBounded, events <= room else {
        Issue.record("seed \(seed), step \(step): \(added.count) actions, \(events) events")
        break
      }
      if recorder.lines.count > 5_000 { recorder.lines = Array(recorder.lines.suffix(1_000)) }
    }
    return (recorder.lines, count, executive)
  }

  @Test func anyMacros() {
    let first = macroTrace(seed: Self.seed, steps: 10_000)
    let second = macroTrace(seed: Self.seed, steps: 10_000)
    #expect(first.actions == second.actions, "seed \(Self.seed)")
    #expect(first.executive == second.executive, "seed \(Self.seed)")
    #expect(first.count > 1_000)
  }

  private static let words: [String] = [
    "print", "?", "if", "then", "else", "for", "to", "step", "next", "goto", "gosub", "return", "on", "data",
    "read", "rstr", "input", "delay", "end", "RGB", "LEDC", "backLED", "goroll", "heading", "raw", "locate",
    "basflg", "tron", "troff", "reset", "random", "sleep", "macrun", "mackill", "macstat", "rnd", "sqrt",
    "abs", "timerA", "ctrl", "yaw", "A", "B", "Y", "Z", "A", "and", "or", "=", "!", "<", ">", "(", ")", "+",
    "-", "*", "/", "%", "{", "}", "&", "|", ",", ";", "$", "'", "\"", "0", "1", "2", "10", "20", "30", "255",
    "2147483647", "99999999999999999999",
  ]
  private static let lines: [String] = [
    "A=A+1", "Y=rnd 25", "Z=A", "goto 10", "gosub 30", "return", "for A=1 to 9", "next A",
    "for B=9 to 1 step 0-2",
    "next B", "print A,Z,rnd 9", "tron", "delay rnd 20", "if A>5 then goto 20 else A=A*2",
    "on rnd 4 gosub 10,20,30",
    "data 1,2,3", "read B", "rstr", "input B,5,3", "print \"a long text of more than 32 bytes, it is\"",
    "RGB A&255,0,0", "print A/B", "timerA=A&255", "random", "A=A{1|1", "basflg 15", "reset",
    "goto 10", "goto 20", "goto 30", "LEDC A-1", "print (((((A)))))", "for C=2 to A step 0",
  ]

  private func randomProgram(_ random: inout SeededGenerator) -> [UInt8] {
    var text: [UInt8] = []
    for number in 1...Int.random(in: 1...12, using: &random) {
      text += Array("\(number * 10) ".utf8)
      switch Int.random(in: 0..<12, using: &random) {
      case 0: text += (0..<9).map { _ in UInt8.random(in: 0...255, using: &random) }
      case 1...3:
        let words = (0...Int.random(in: 0...8, using: &random)).map { _ in
          Self.words.randomElement(using: &random) ?? ""
        }
        text += Array(words.joined(separator: Bool.random(using: &random) ? " " : "").utf8)
      default: text += Array((Self.lines.randomElement(using: &random) ?? "").utf8)
      }
      if Int.random(in: 0..<20, using: &random) > 0 { text.append(10) }
    }
    return text
  }

  private func basicTrace(seed: UInt64, programs: Int, isPunctual: Bool) -> (lines: [String], steps: Int) {
    var random = SeededGenerator(seed: seed)
    var kept: [String] = []
    var steps = 0
    for program in 0..<programs {
      var basic = OrbBasicInterpreter(seed: seed)
      var recorder = ActionRecorder()
      let text = randomProgram(&random)
      _ = basic.append(text, to: .ram)
      _ = basic.execute(.ram, line: 10, at: .zero)
      let end = Duration.milliseconds(100)
      if isPunctual {
        while let due = basic.nextDeadline, due <= end {
          steps += 1
          basic.advance(to: due, actions: &recorder)
        }
      } else {
        basic.advance(to: end / 3, actions: &recorder)
        basic.advance(to: end, actions: &recorder)
      }
      // 313 lines in 100 ms, each with a trace and a print; then an error in two events.
      let isBounded = recorder.lines.count <= 2 * 313 + 2
      let isShort = recorder.lines.allSatisfy { $0.count <= 2 + 6 + 33 + 20 }
      guard isBounded, isShort else {
        Issue.record("seed \(seed), program \(program): \(recorder.lines.count) actions of \(text)")
        break
      }
      kept += recorder.actions.prefix(20) + recorder.actions.suffix(2)
    }
    return (kept, steps)
  }

  @Test func anyPrograms() {
    let first = basicTrace(seed: Self.seed, programs: 1_500, isPunctual: true)
    let second = basicTrace(seed: Self.seed, programs: 1_500, isPunctual: false)
    #expect(first.steps > 40_000)
    #expect(first.lines == second.lines, "seed \(Self.seed)")
    // Every kind of error but the depth of loops and the abort is met.
    for code in 1...14 where code != 6 && code != 13 {
      let found = first.lines.contains {
        $0.hasPrefix("event 0A") && $0.hasSuffix(Hexadecimal.text([UInt8(code)]))
      }
      #expect(found, "error \(code)")
    }
  }

  @Test func abortsWhileTheQueueIsFullAccumulateNoMessages() {
    var basic = OrbBasicInterpreter()
    var recorder = ActionRecorder()
    recorder.room = 0
    _ = basic.append(Array("10 goto 10\n".utf8), to: .ram)
    for _ in 0..<1_000 {
      #expect(basic.execute(.ram, line: 10, at: .zero) == .ok)
      basic.abort(at: .zero)
    }
    recorder.room = .max
    basic.run(until: .seconds(1), &recorder)
    // 16 messages of two events.
    #expect(recorder.lines.count == 32)
  }

  @Test func deepAndLongLines() {
    let long = String(repeating: "(", count: 4_000)
    let functions = String(repeating: "abs ", count: 1_000)
    let signs = "1" + String(repeating: "+1", count: 2_000)
    for text in ["10 print \(long)\n", "10 print \(functions)1\n", "10 A=\(signs)\n", "10 print - - - -1\n"] {
      var basic = OrbBasicInterpreter()
      var recorder = ActionRecorder()
      #expect(basic.append(Array(text.utf8), to: .ram) == .ok)
      #expect(basic.execute(.ram, line: 10, at: .zero) == .ok)
      basic.run(until: .seconds(1), &recorder)
      #expect(!basic.isRunning)
      #expect(recorder.lines.count <= 2)
    }
  }
}
