// Tests of the orbBasic interpreter: effects, times and errors.

import SpheroModel
import SpheroProtocol
import TestSupport
import Testing

/// An interpreter with a program in RAM, started at its first line.
private func start(_ program: String) -> OrbBasicInterpreter {
  var basic = OrbBasicInterpreter()
  #expect(basic.append(Array(program.utf8) + [0], to: .ram) == .ok)
  let line = UInt16(program.prefix { $0.isNumber }) ?? 0
  #expect(basic.execute(.ram, line: line, at: .zero) == .ok)
  return basic
}

/// Runs a program and returns its actions without times.
private func actions(
  _ program: String, until end: Duration = .seconds(10), readings: [SystemVariable: Int32] = [:]
) -> [String] {
  var basic = start(program)
  var recorder = ActionRecorder()
  recorder.readings = readings
  basic.run(until: end, &recorder)
  #expect(!basic.isRunning, "\(program)")
  return recorder.actions
}

/// The printed value of an expression, after lines that set variables.
private func value(_ expression: String, after lines: String = "", readings: [SystemVariable: Int32] = [:])
  -> [String]
{
  actions(lines + "500 print \(expression)\n", readings: readings)
}

@Suite(.ownThread) struct OrbBasicTests {
  /// Expressions and their values, by hand.
  static let expressions: [(String, String)] = [
    ("1+2*3", "7"), ("(1+2)*3", "9"), ("2*3+1", "7"), ("10-4-3", "3"), ("100/7", "14"), ("100/7*7", "98"),
    ("0-100/7", "-14"), ("100%7", "2"), ("(0-100)%7", "-2"), ("1{4", "16"), ("256}4", "16"),
    // Shifts bind as products do.
    ("1+1{4", "17"), ("(0-256)}4", "-16"), ("1{31", "-2147483648"), ("1{32", "0"), ("(0-1)}99", "-1"),
    ("12&10", "8"), ("12|3", "15"), ("1+6&3", "3"), ("6|1+8", "15"),
    ("2147483647+1", "-2147483648"), ("0-2147483647-2", "2147483647"), ("65536*65536", "0"),
    ("46341*46341", "-2147479015"), ("-9", "-9"), ("3--2", "5"), ("-2147483648/-1", "-2147483648"),
    ("-2147483648%-1", "0"), ("abs -2147483648", "-2147483648"), ("abs (0-5)", "5"), ("abs (0-1)", "1"),
    ("abs 3-5", "2"),
    ("sqrt 0", "0"), ("sqrt 15", "3"), ("sqrt 16", "4"), ("sqrt 2147483647", "46340"),
    // The argument of a function is the whole expression that follows.
    ("sqrt 9+16", "5"), ("(sqrt 9)+16", "19"), ("rnd 1", "1"), ("((((1))))", "1"), (" 1 + ( 2 ) ", "3"),
    ("2147483647", "2147483647"),
  ]

  @Test(arguments: expressions) func expression(_ text: String, _ expected: String) {
    #expect(value(text) == ["print \(expected)|"])
  }

  /// Programs that end with an error: the code of the fact sheet and its line.
  static let errors: [(program: String, line: Int, code: Int)] = [
    ("10 print 1+\n", 10, 1), ("10 print (1\n", 10, 1), ("10 goto A\n", 10, 1), ("10 A 5\n", 10, 1),
    ("10 speed = 5\n", 10, 1), ("10 print \"a\n", 10, 1), ("10 RGB 1,2\n", 10, 1),
    ("10 RGB 1,2,3,4\n", 10, 1),
    ("10 if 1 then end\n", 10, 1), ("10 if 1=1 then end\n", 10, 1), ("10 if 1=1 end\n", 10, 1),
    ("10 print hello\n", 10, 1), ("10 tron 1\n", 10, 1), ("10 for Z = 1 to 2\n", 10, 1),
    ("10 read ctrl\n", 10, 1), ("10 data A\n", 10, 1), ("10 print 1\n hello\n", 0, 1),
    ("10 if 1=1 then print 1 else\n20 if 1=2 then print 1 else\n", 20, 1),
    ("10 hello\n", 10, 2), ("10 Print 1\n", 10, 2), ("10 rgb 1,2,3\n", 10, 2), ("10 macstat\n", 10, 1),
    ("10 gosub 10\n", 10, 3), ("10 return\n", 10, 4), ("10 next A\n", 10, 5),
    ("10 for A=1 to 2\n20 for B=1 to 2\n30 for C=1 to 2\n40 for D=1 to 2\n50 for E=1 to 2\n", 50, 6),
    ("10 for A=1 to 2 step 0\n", 10, 7), ("10 for A=1 to 2 step 0-1\n", 10, 7), ("10 for A=2 to 1\n", 10, 7),
    ("10 print 1/0\n", 10, 8), ("10 print 1%0\n", 10, 8), ("10 goto 20\n", 10, 9), ("10 gosub 7\n", 10, 9),
    ("10 goto 70000\n", 10, 9), ("10 goto 3000000000\n", 10, 9), ("10 on 1 goto 5\n", 10, 9),
    ("10 Z = 1\n", 10, 0xA),
    ("10 Y = 26\n20 print Z\n", 20, 0xA), ("10 print (((((1)))))\n", 10, 0xB),
    ("10 print abs abs abs abs abs 1\n", 10, 0xB), ("10 RGB 1,2,256\n", 10, 0xC), ("10 LEDC 9\n", 10, 0xC),
    ("10 LEDC 0-1\n", 10, 0xC), ("10 backLED 256\n", 10, 0xC), ("10 goroll 360,1,1\n", 10, 0xC),
    ("10 goroll 1,256,1\n", 10, 0xC), ("10 goroll 1,1,3\n", 10, 0xC), ("10 heading 0-1\n", 10, 0xC),
    ("10 raw 5,1,1,1\n", 10, 0xC), ("10 locate 32768,0\n", 10, 0xC), ("10 basflg 16\n", 10, 0xC),
    ("10 delay 0-1\n", 10, 0xC), ("10 sleep 65536,0,0\n", 10, 0xC), ("10 macrun 256\n", 10, 0xC),
    ("10 timerA = 65536\n", 10, 0xC), ("10 ctrl = 2\n", 10, 0xC), ("10 print sqrt (0-1)\n", 10, 0xC),
    ("10 print rnd 0\n", 10, 0xC), ("10 print 2147483648\n", 10, 0xC), ("10 print 1{(0-1)\n", 10, 0xC),
    ("10 print $256\n", 10, 0xC), ("10 read A\n", 10, 0xE), ("10 data 1\n20 read A,B\n", 20, 0xE),
  ]

  static let sentences = [
    "", "Syntax", "Unknown statement", "Gosub too deep", "Return without gosub", "Next without for",
    "For too deep", "Bad step", "Divide by zero", "Bad line number", "Illegal index",
    "Expression too complex", "Bad numeric parameter", "Aborted", "Out of data",
  ]

  @Test(arguments: errors) func error(_ program: String, _ line: Int, _ code: Int) {
    let lines = actions(program).suffix(2)
    let word = { (value: Int) in Hexadecimal.text([UInt8(value >> 8), UInt8(value & 0xFF)]) }
    #expect(
      lines == ["event 0A \(word(line)) \(word(code))", "error Line \(line): \(Self.sentences[code])|"])
  }

  /// Statements and what they do.
  static let statements: [(program: String, expected: [String])] = [
    ("10 RGB 1,2+3,A\n", ["color 1 5 0"]),
    ("10 LEDC 4\n20 LEDC 1\n", ["color 255 128 0", "color 255 0 0"]),
    ("10 backLED 255\n", ["back 255"]),
    ("10 goroll 90,128,2\n20 goroll 0,0,0\n", ["roll 128 at 90 state 2", "roll 0 at 0 state 0"]),
    ("10 heading 359\n", ["heading 359"]),
    ("10 raw 1,255,4,0\n", ["motors 1 255 4 0"]),
    ("10 locate 0-5,32767\n", ["location -5 32767"]),
    ("10 ctrl = 0\n20 ctrl=1\n", ["stabilization 0", "stabilization 1"]),
    ("10 sleep 60,33,40\n20 print 1\n", ["sleep 60 s, then 33 40"]),
    ("10 sleep 0,0,0\n", ["sleep, then 0 0"]),
    ("10 macrun 33\n20 mackill\n", ["run macro 33", "kill macro"]),
    // Jumps go by the order of the text.
    ("10 goto 30\n20 print 2\n5 print 5\n30 print 3\n40 end\n50 print 5\n", ["print 3|"]),
    (
      "10 gosub 50\n20 print A\n30 end\n50 gosub 70\n60 return\n70 A = A+1\n80 return\n", ["print 1|"]
    ),
    (
      "10 for I = 1 to 3\n20 print I;\n30 next I\n40 print I\n",
      ["print 1", "print 2", "print 3", "print 3|"]
    ),
    ("10 for I=10 to 0 step 0-4\n20 print I;\n30 next I\n", ["print 10", "print 6", "print 2"]),
    ("10 for I=5 to 5\n20 print I\n30 next I\n", ["print 5|"]),
    (
      "10 for I=2147483646 to 2147483647\n20 print I\n30 next I\n",
      ["print 2147483646|", "print 2147483647|"]
    ),
    (
      "10 for I=1 to 2\n20 for J=1 to 2\n30 print I,J\n40 next J\n50 next I\n",
      ["print 1 1|", "print 1 2|", "print 2 1|", "print 2 2|"]
    ),
    // A loop that was left begins anew without a depth of its own.
    (
      "10 A = A+1\n20 for I=1 to 9\n30 if A<9 then goto 10\n40 next I\n50 print A,I\n", ["print 9 9|"]
    ),
    // The next of an outer loop closes the inner one.
    (
      "10 for A=1 to 2\n15 if A=2 then goto 60\n20 for B=1 to 2\n30 print B\n40 next A\n60 next B\n",
      ["print 1|", "event 0A 00 3C 00 05", "error Line 60: Next without for|"]
    ),
    ("10 goto 30\n30 print 1\n35 end\n30 print 2\n", ["print 1|"]),
    ("10 on 2 goto 20,30\n20 print 2\n30 print 3\n", ["print 3|"]),
    ("10 on 3 goto 20,30\n20 print 2\n", ["print 2|"]),
    ("10 on 0-1 goto 30\n20 print 2\n30 end\n", ["print 2|"]),
    ("10 on 1 gosub 40\n20 print 2\n30 end\n40 print 4\n50 return\n", ["print 4|", "print 2|"]),
    ("10 data 1,-2,3\n20 read A,B\n30 read C\n40 print A,B,C\n", ["print 1 -2 3|"]),
    ("10 data 7,8\n20 read A\n30 rstr\n40 read B\n50 data 9\n60 read C\n70 print A,B,C\n", ["print 7 7 9|"]),
    (
      "10 data 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26\n"
        + "20 for I=1 to 25\n30 read A\n40 next I\n50 print A\n", ["print 25|"]
    ),
    ("10 for Y=1 to 25\n20 Z=Y*Y\n30 next Y\n40 Y=7\n50 print z\n", ["print 49|"]),
    ("10 a = 3\n20 print A\n", ["print 3|"]),
    ("10 if 1<2 and 3>2 then print 1\n20 if 1!1 or 1=1 then print 2\n", ["print 1|", "print 2|"]),
    ("10 if 1=1 or 1=1 and 1=2 then print 1 else print 2\n", ["print 2|"]),
    ("10 if A=1 then print \"else\" else print \"then\"\n", ["print then|"]),
    ("10 if A=0 then print \"else\" else print \"then\"\n", ["print else|"]),
    ("10 if 1=2 then goto 99\n20 print 2\n", ["print 2|"]),
    ("10 if 1=1 then A = 4\n20 if A=4 then delay A\n30 print A\n", ["print 4|"]),
    ("10 print\n20 print \"a\";\n30 print ;\n40 ? \"b\",$65,1+1\n", ["print |", "print a", "print b A 2|"]),
    ("10 print \"it's\" ' a comment\n20 ' another\n30'\n", ["print it's|"]),
    ("10 print \"01234567890123456789012345678901\"\n", ["print 01234567890123456789012345678901|"]),
    ("10 print \"012345678901234567890123456789012\"\n20 print 2\n", ["print Print too long|", "print 2|"]),
    (
      "10 tron\n20 A=1\n30 print A\n40 troff\n50 A=2\n",
      ["print <20>", "print <30>", "print 1|", "print <40>"]
    ),
    ("10 print macstat\n", ["print 0|"]),
    // Lines without a statement, spaces, and what follows the end.
    ("10 print 1\r\n\n20   \n  30 print 3\n", ["print 1|", "print 3|"]),
    ("10 print 1\n20 end", ["print 1|"]),
  ]

  @Test(arguments: statements) func statement(_ program: String, _ expected: [String]) {
    #expect(actions(program) == expected)
  }

  @Test func statementsInsideIf() {
    // Every statement that the language lists as allowed there, and none of the others.
    let allowed = [
      "print 1", "data 1", "RGB 1,2,3", "LEDC 1", "read A", "rstr", "goto 30", "gosub 30", "on 1 goto 30",
      "return", "delay 1", "backLED 1", "tron", "troff", "goroll 1,1,1", "A = 1", "timerA = 1",
    ]
    let refused = [
      "if 1=1 then rstr", "for A=1 to 2", "next A", "input A", "end", "heading 1", "raw 0,0,0,0",
      "locate 1,1", "basflg 1", "reset", "random", "sleep 1,1,1", "macrun 1", "mackill",
    ]
    for (statement, isAllowed) in allowed.map({ ($0, true) }) + refused.map({ ($0, false) }) {
      let program =
        "1 data 1\n2 gosub 10\n3 end\n10 if 1=1 then \(statement)\n20 return\n30 end\n"
      let lines = actions(program)
      #expect(lines.contains { $0.hasPrefix("error") } != isAllowed, "\(statement): \(lines)")
    }
  }

  @Test func variablesOfTheSystem() {
    let names: [(String, SystemVariable)] = [
      ("speed", .speed), ("yaw", .yaw), ("pitch", .pitch), ("roll", .roll), ("accelX", .accelerationX),
      ("accelY", .accelerationY), ("accelZ", .accelerationZ), ("accelone", .accelerationMagnitude),
      ("gyroX", .rateX), ("gyroY", .rateY), ("gyroZ", .rateZ), ("Vbatt", .batteryVoltage),
      ("Sbatt", .batteryState), ("cmdroll", .rollCommand), ("spdval", .rollCommandSpeed),
      ("hdgval", .rollCommandHeading), ("cmdrgb", .colorCommand), ("redval", .colorCommandRed),
      ("grnval", .colorCommandGreen), ("bluval", .colorCommandBlue), ("isconn", .isConnected),
      ("dshake", .doubleShake), ("xpos", .locationX), ("ypos", .locationY), ("Qzero", .quaternion0),
      ("Qone", .quaternion1), ("Qtwo", .quaternion2), ("Qthree", .quaternion3), ("ctrl", .stabilization),
      ("macstat", .macroStatus),
    ]
    #expect(Set(names.map(\.1)) == Set(SystemVariable.allCases))
    for (index, (name, reading)) in names.enumerated() {
      #expect(value("\(name)", readings: [reading: Int32(index) - 99]) == ["print \(index - 99)|"])
    }
  }

  @Test func timers() {
    // timerA counts up from the start; timerB counts down and stays at 0; 0 begins anew; 65537 ms wrap to 1.
    let program = """
      10 timerB = 100
      20 delay 50
      30 print timerA,timerB,timerC
      40 delay 100
      50 print timerA,timerB
      60 timerA = 0
      70 delay 65535
      80 print timerA
      90 delay 1
      99 print timerA

      """
    // Each line takes 0.32 ms.
    #expect(
      actions(program, until: .seconds(100)) == [
        "print 50 50 50|", "print 151 0|", "print 65535|", "print 1|",
      ])
  }

  @Test func time() {
    var basic = start("10 print 1\n20 delay 1000\n30 print 2\n40 goto 30\n")
    var recorder = ActionRecorder()
    basic.run(until: .milliseconds(1_002), &recorder)
    #expect(
      recorder.lines == ["0 print 1|", "1000.640 print 2|", "1001.280 print 2|", "1001.920 print 2|"])
    // Over 3000 lines a second.
    basic = start("10 A=A+1\n20 if A<3100 then goto 10\n30 print A\n")
    recorder = ActionRecorder()
    basic.run(until: .seconds(3), &recorder)
    #expect(recorder.lines == ["1984 print 3100|"])
  }

  @Test func input() {
    var basic = start("10 input A\n20 print A\n30 input B,100,7\n40 print B\n50 input C,100,8\n60 print C\n")
    var recorder = ActionRecorder()
    basic.submit(5, at: .zero)
    basic.run(until: .seconds(5), &recorder)
    #expect(recorder.lines == [])
    #expect(basic.isRunning)
    #expect(basic.nextDeadline == nil)
    basic.submit(-42, at: .seconds(5))
    basic.run(until: .milliseconds(5_050), &recorder)
    #expect(recorder.lines == ["5000.320 print -42|"])
    basic.run(until: .milliseconds(5_150), &recorder)
    #expect(recorder.actions.last == "print 7|")
    basic.submit(6, at: .milliseconds(5_150))
    basic.run(until: .seconds(6), &recorder)
    #expect(recorder.lines.last == "5150.320 print 6|")
    #expect(!basic.isRunning)
  }

  @Test func fullQueueHoldsTheProgram() {
    var basic = start("10 print \"x\"\n20 goto 10\n")
    var recorder = ActionRecorder()
    recorder.room = 3
    basic.run(until: .seconds(5), &recorder)
    #expect(recorder.lines == ["0 print x|", "0.640 print x|", "1.280 print x|"])
    recorder.room = 2
    basic.run(until: .milliseconds(5_100), &recorder)
    // It asks every 10 ms from 1.92 ms on, and does not hurry afterwards: line 20 follows.
    #expect(recorder.lines.dropFirst(3) == ["5001.920 print x|", "5002.240 print x|"])
  }

  @Test func endlessProgramNeitherHangsNorFloods() {
    var basic = start("10 goto 10\n")
    var recorder = ActionRecorder()
    basic.advance(to: .seconds(1_000_000), actions: &recorder)
    // 4096 lines of 0.32 ms.
    #expect(basic.nextDeadline == .microseconds(4096 * 320))
  }

  @Test func abort() {
    var basic = start("10 delay 1000\n20 goto 10\n")
    var recorder = ActionRecorder()
    basic.run(until: .milliseconds(2_500), &recorder)
    #expect(basic.execute(.ram, line: 10, at: .milliseconds(2_500)) == .failedToExecute)
    basic.abort(at: .milliseconds(2_500))
    #expect(!basic.isRunning)
    #expect(recorder.lines == [])
    basic.run(until: .seconds(3), &recorder)
    #expect(recorder.lines == ["2500 event 0A 00 0A 00 0D", "2500 error Line 10: Aborted|"])
    basic.abort(at: .seconds(3))
    #expect(basic.nextDeadline == nil)
  }

  @Test func areas() {
    var basic = OrbBasicInterpreter()
    var recorder = ActionRecorder()
    let half = [UInt8](repeating: 0x27, count: 2048)
    #expect(basic.append(half, to: .ram) == .ok)
    #expect(basic.append(half + [0], to: .ram) == .failedToExecute)
    #expect(basic.append(half, to: .ram) == .ok)
    #expect(basic.append([0], to: .ram) == .failedToExecute)
    #expect(basic.append([UInt8](repeating: 0x27, count: 4096), to: .flash) == .ok)
    #expect(basic.append([0], to: .flash) == .failedToExecute)
    #expect(basic.erase(.ram) == .ok)
    #expect(basic.append(Array("10 print \"ra".utf8), to: .ram) == .ok)
    #expect(basic.append(Array("m\"\n20 delay 100\n\u{0}30 print 3\n".utf8), to: .ram) == .ok)
    #expect(basic.commitToFlash() == .ok)
    #expect(basic.erase(.ram) == .ok)
    #expect(basic.execute(.ram, line: 10, at: .zero) == .ok)
    #expect(basic.execute(.flash, line: 10, at: .zero) == .ok)
    basic.run(until: .milliseconds(50), &recorder)
    #expect(
      recorder.lines == ["0 event 0A 00 0A 00 09", "0 error Line 10: Bad line number|", "0 print ram|"])
    #expect(basic.commitToFlash() == .failedToExecute)
    #expect(basic.erase(.flash) == .failedToExecute)
    #expect(basic.append([0x20], to: .flash) == .failedToExecute)
    #expect(basic.erase(.ram) == .ok)
    basic.sleep()
    #expect(!basic.isRunning)
    #expect(basic.execute(.flash, line: 10, at: .seconds(1)) == .ok)
    basic.run(until: .seconds(2), &recorder)
    #expect(recorder.lines.last == "1000 print ram|")
  }

  @Test func flagsLastUntilTheEnd() {
    var basic = start("10 basflg 13\n20 delay 10\n30 basflg 0\n40 delay 10\n")
    var recorder = ActionRecorder()
    #expect(basic.flags == [])
    basic.run(until: .milliseconds(5), &recorder)
    #expect(basic.flags == [.exclusiveDrive, .keepsColor, .stopOnDisconnect])
    basic.run(until: .milliseconds(15), &recorder)
    #expect(basic.flags == [])
    basic = start("10 basflg 2\n")
    basic.advance(to: .zero, actions: &recorder)
    #expect(basic.flags == [.stealth])
    basic.run(until: .seconds(1), &recorder)
    #expect(basic.flags == [])
  }

  @Test func resetClearsAndBeginsAnew() {
    var basic = OrbBasicInterpreter()
    var recorder = ActionRecorder()
    let text = "10 print 10\n20 print A,timerA;\n30 A=5\n40 tron\n50 basflg 1\n60 delay 100\n70 reset\n"
    #expect(basic.append(Array(text.utf8), to: .ram) == .ok)
    #expect(basic.execute(.ram, line: 20, at: .zero) == .ok)
    basic.run(until: .milliseconds(150), &recorder)
    #expect(
      recorder.actions
        == ["print 0 0", "print <50>", "print <60>", "print <70>", "print 0 0", "print <50>", "print <60>"])
    #expect(basic.flags == .exclusiveDrive)
    basic.abort(at: .milliseconds(150))
  }

  @Test func randomNumbersStayInRange() {
    let program = "10 for I=1 to 300\n20 print rnd 3;\n30 next I\n"
    let lines = actions(program)
    #expect(Set(lines) == ["print 1", "print 2", "print 3"])
    #expect(lines == actions(program))
    // Seeded anew, they are others.
    #expect(lines != actions("5 delay 3\n6 random\n" + program))
    #expect(value("rnd 2147483647") != value("rnd 2147483647", after: "5 A = rnd 9\n"))
  }
}
