// Programs inside the robot: the check of texts, their transfer and end, and everything that stops them.

import SpheroPage
import SpheroProtocol
import Testing

@Suite struct ProgramTests {
  private static let roll = "rollLong speed=60 heading=0 time=5000"

  @Test(arguments: [
    (
      "check macro rgb 255 0 0\nwait time=1000",
      // A head of 2 bytes, rgb 5, wait 3, end 1.
      #"{"errors":[],"summary":"2 steps, 11 bytes"}"#
    ),
    (
      "check macro rgb 255 0 0\n\nrgb 300 0 0",
      #"{"errors":[{"line":3,"column":5,"message":"'red' is 300, but must be 0...255","#
    ),
    (
      "check macro 10 print 1",
      #"{"errors":[{"line":1,"column":1,"message":"'10' is not a step","#
        + #""advice":"If this is orbBasic, select that language; a step of a macro has no number before it."}"#
    ),
    (
      "check macro rgb 1 2 3\n10 roll 60 0 0",
      #"{"errors":[{"line":2,"column":1,"message":"'10' is not a step","#
        + #""advice":"Leave the number out; if this is orbBasic, begin the first line with a number, too."}"#
    ),
    ("check macro ", #"{"errors":[{"line":null,"column":null,"message":"the macro is empty: write a step"#),
    (
      "check macro macro flags=unkillable\nrgb 1 2 3",
      #"{"errors":[{"line":null,"column":null,"message":"a macro with the flag 'unkillable'"#
    ),
    ("check basic 10 print 1\n20 end", #"{"errors":[],"summary":"2 lines, 19 bytes"}"#),
    (
      "check basic 10 print 1\n\nprint 2",
      #"{"errors":[{"line":3,"column":1,"message":"line 3 of the text does not begin with a number"#
    ),
    (
      "check basic 10 print 1\n20 jump 10",
      #"{"errors":[{"line":2,"column":4,"message":"unknown statement""#
    ),
  ])
  func textsAreChecked(_ command: String, _ answer: String) throws {
    var rig = PageRig()
    let text = try rig.execute(command)
    #expect(text.hasPrefix(answer), "\(text)")
  }

  @Test(arguments: [
    ("macro rgb 300 0 0\nrgb 1 2 3\nturn 5\nwait time=x", [1, 3, 4]),
    // Without a step, the errors of the lines are all that is wrong.
    ("macro nonsense", [1]),
    // A line without a number is one error, whatever follows.
    ("basic 10 jump 10\nprint 2\n30 print 1\n40 goto 5", [1, 2, 4]),
  ])
  func allErrorsAreListed(_ text: String, _ lines: [Int]) throws {
    var rig = PageRig()
    let answer = PageRig.members(of: try rig.execute("check \(text)"))
    #expect(answer.map { $0.0 } == ["errors", "summary"] && answer.last?.1 == "null")
    let errors = PageRig.elements(of: answer.first?.1 ?? "")
    #expect(errors.map { PageRig.members(of: $0).first?.1 } == lines.map { "\($0)" })
  }

  @Test func theNumberOfErrorsIsBounded() throws {
    var rig = PageRig()
    for (language, line) in [("macro", "nonsense\n"), ("basic", "10 nonsense\n")] {
      let answer = try rig.execute("check \(language) \(String(repeating: line, count: 300))")
      let errors = PageRig.elements(of: PageRig.members(of: answer).first?.1 ?? "")
      #expect((100...101).contains(errors.count), "\(language): \(errors.count)")
    }
  }

  @Test func aLongTextIsAnError() throws {
    var rig = PageRig()
    let text = try rig.execute("check basic " + String(repeating: "10 print 1\n", count: 500))
    #expect(text.contains("but a robot holds 4096"))
    let steps = try rig.execute("check macro " + String(repeating: "rgb 1 2 3\n", count: 500))
    #expect(steps.contains("500 steps, 2503 bytes, sent while it runs"), "\(steps)")
  }

  @Test func aMacroRunsToItsEnd() throws {
    var rig = try PageRig.connected()
    try rig.execute("run macro rgb 255 0 0\nmarker 7\nwait time=1000\nrgb 0 255 0")
    rig.run(for: .milliseconds(300))
    // Flags 14h: a marker at the end, and a stop if the link is lost.
    #expect(rig.payloads(0x02, 0x51).first?.prefix(2) == [255, 0x14])
    #expect(rig.payloads(0x02, 0x50) == [[255]])
    try rig.expectView(#""program":{"language":"macro","state":"running","#)
    #expect(try rig.execute("news").contains(#"{"kind":"marker","marker":7,"step":2}"#))
    rig.run(for: .seconds(1))
    try rig.expectView(#""program":null"#)
    #expect(try rig.execute("news").contains(#"{"kind":"program","state":"ended","#))
  }

  /// When a macro ends with the ball rolling, the page stops the ball, unless the user is driving it.
  @Test(arguments: [false, true]) func theBallStopsAtTheEndOfAProgram(isDriven: Bool) throws {
    var rig = try PageRig.connected()
    try rig.execute("run macro roll 60 90 0\nwait 1500")
    rig.run(for: .seconds(1))
    rig.forget()
    for _ in 0..<20 {
      // A joystick that is not moved again is released.
      if isDriven { try rig.execute("stick 0 1") }
      rig.run(for: .milliseconds(100))
    }
    try rig.expectView(#""program":null"#)
    let stops = rig.rolls.filter { $0[3] == 0 }
    #expect(stops.isEmpty == isDriven, "\(stops)")
    #expect(stops.allSatisfy { abs(Int($0[2]) - 90) <= 3 }, "\(stops)")
  }

  /// The ball and the trail have the colours that a program sets, and the wheel keeps the selected one.
  @Test func theColoursOfAProgramAreDrawn() throws {
    var rig = try PageRig.connected()
    try rig.execute("color #0000ff")
    try rig.execute(
      "run macro macro flags=stopAtEnd\nrgb 255 0 0\nrollLong 60 0 1500\nrgb 0 255 0\nrollLong 60 0 1500")
    rig.run(for: .seconds(1))
    try rig.expectView("\"text\":\"#0000ff\"")
    try rig.expectView("\"visible\":\"#ff0000\"")
    rig.run(for: .seconds(1.5))
    try rig.expectView("\"visible\":\"#00ff00\"")
    let path = try rig.execute("path")
    #expect(path.contains("\"#ff0000\"]") && path.contains("\"#00ff00\"]"), "\(path)")
    // Another robot is not drawn in the colours of this one.
    rig.isOpen = false
    try rig.execute("connect 1763800000000")
    try rig.expectView("\"visible\":\"#0000ff\"")
  }

  @Test func aLongMacroIsStreamed() throws {
    var rig = try PageRig.connected()
    let steps = (0..<400).map { "rgb \($0 % 256) 0 0\nwait time=10" }.joined(separator: "\n")
    try rig.execute("run macro \(steps)")
    rig.run(for: .seconds(10))
    #expect(rig.payloads(0x02, 0x52).count > 10)
    try rig.expectView(#""program":null"#)
    #expect(try rig.execute("news").contains(#"{"kind":"program","state":"ended","#))
  }

  @Test func aProgramInBasicPrintsAndEnds() throws {
    var rig = try PageRig.connected()
    try rig.execute("run basic 10 print \"hello\"\n20 delay 500\n30 end")
    rig.run(for: .milliseconds(400))
    #expect(try rig.execute("news").contains(#"{"kind":"print","text":"hello\n"}"#))
    rig.run(for: .seconds(2))
    try rig.expectView(#""program":null"#)
    #expect(try rig.execute("news").contains(#"{"kind":"program","state":"ended","#))
  }

  @Test func anErrorOfARunningProgramNamesItsRow() throws {
    var rig = try PageRig.connected()
    try rig.execute("run basic 10 A = 0\n\n20 B = 1 / A")
    rig.run(for: .seconds(1))
    let news = try rig.execute("news")
    #expect(
      news.contains(
        #""state":"failed","message":"the program ended with an error in the line numbered 20: divide by zero","advice":"Correct that line.","line":3"#
      ), "\(news)")
  }

  @Test(arguments: ["stop", "leave"]) func aMacroIsAbortedBeforeTheBallStops(_ command: String) throws {
    var rig = try PageRig.connected()
    try rig.execute("run macro \(Self.roll)")
    rig.run(for: .seconds(1))
    rig.forget()
    try rig.execute(command)
    rig.run(for: .seconds(1))
    let ids = rig.commands.map(\.id)
    let abort = try #require(ids.firstIndex(of: CommandID(0x02, 0x55)))
    // A stop after the abort, because a macro that still runs would move the ball again.
    #expect(ids[abort...].contains(CommandID(0x02, 0x30)))
    #expect(rig.rolls.last == [0, 0, 0, 0])
    try rig.expectView(#""program":null"#)
  }

  @Test func aProgramInBasicIsAborted() throws {
    var rig = try PageRig.connected()
    try rig.execute("run basic 10 goroll 0, 80, 1\n20 goto 10")
    rig.run(for: .seconds(1))
    try rig.expectView(#""state":"running""#)
    rig.forget()
    try rig.execute("stop")
    rig.run(for: .seconds(2))
    #expect(rig.payloads(0x02, 0x63).count == 1)
    try rig.expectView("\"speed\":0.0,\"x\"")
    #expect(try rig.execute("news").contains(#"{"kind":"program","state":"stopped","#))
  }

  /// As after a page that was closed while its program ran.
  @Test func aStopEndsAProgramThatThePageDidNotStart() throws {
    var rig = try PageRig.connected()
    // loopStart 200, roll 40 0 255, loopEnd.
    let lines = [
      "raw Macros.SaveTemporaryMacro macro=FF001EC805280000FF1F00", "raw Macros.RunMacro macro=255",
    ]
    for line in lines {
      try rig.execute(line)
      rig.run(for: .seconds(1))
    }
    try #expect(!rig.execute("view").contains("\"speed\":0.0,\"x\""))
    rig.forget()
    // A key that is held.
    for _ in 1...20 { try rig.execute("stop") }
    rig.run(for: .seconds(2))
    #expect(rig.payloads(0x02, 0x55).count == 1 && rig.payloads(0x02, 0x63).count == 1)
    try rig.expectView("\"speed\":0.0,\"x\"")
  }

  @Test func anUnansweredAbortDoesNotStopABallThatTheUserDrives() throws {
    var rig = try PageRig.connected()
    try rig.execute("stop")
    rig.losesAnswers = true
    for tenth in 0..<60 {
      if tenth == 40 { rig.losesAnswers = false }
      try rig.execute("stick 0 1")
      rig.run(for: .milliseconds(100))
    }
    let errors = try rig.news("error")
    #expect(errors.contains { $0.contains("Macros.AbortMacro") }, "\(errors)")
    let lastRoll = try #require(rig.rolls.last)
    #expect(lastRoll[0] > 0 && lastRoll[3] == 1, "\(rig.rolls)")
    try #expect(!rig.execute("view").contains("\"speed\":0.0,\"x\""))
  }

  /// Also if the link is lost before the answer to an earlier abort.
  @Test(arguments: [nil, "stop"]) func aLostLinkAbortsTheProgramOnTheNextLine(_ earlier: String?) throws {
    var rig = try PageRig.connected()
    try rig.execute("run macro \(Self.roll)\n\(Self.roll)")
    rig.run(for: .seconds(1))
    rig.isOpen = false
    if let earlier {
      try rig.execute(earlier)
      rig.run(for: .milliseconds(100))
    }
    try rig.execute("lost")
    try rig.expectView(#""program":null"#)
    rig.run(for: .seconds(1))
    rig.forget()
    rig.isOpen = true
    try rig.execute("back")
    rig.run(for: .seconds(3))
    #expect(rig.payloads(0x02, 0x55).count == 1)
    #expect(rig.rolls.last?.first == 0)
    try rig.expectView("\"speed\":0.0,\"x\"")
  }

  @Test func anotherProgramReplacesTheFirst() throws {
    var rig = try PageRig.connected()
    try rig.execute("run basic 10 goto 10")
    rig.run(for: .seconds(1))
    try rig.execute("run macro rgb 1 2 3")
    rig.run(for: .seconds(2))
    let news = try rig.execute("news")
    #expect(news.contains(#""state":"stopped","message":"replaced by another program""#))
    #expect(news.contains(#""state":"ended""#))
    try rig.expectView(#""program":null"#)
  }

  /// The output of a program delays the answer to the last query of its state, which another program must not receive.
  @Test(arguments: ["stop", nil]) func aLateAnswerDoesNotEndTheNextProgram(_ stop: String?) throws {
    var rig = try PageRig.connected()
    try rig.execute("run basic 10 print \"again\"\n20 goto 10")
    rig.run(for: .seconds(1))
    try rig.expectView(#""state":"running""#)
    let queries = rig.payloads(0x02, 0x62).count
    for _ in 0..<1_000 where rig.payloads(0x02, 0x62).count == queries { rig.run(for: .milliseconds(1)) }
    #expect(rig.payloads(0x02, 0x62).count == queries + 1)
    if let stop { try rig.execute(stop) }
    try rig.execute("news")
    try rig.execute("run basic 10 print \"other\"")
    rig.run(for: .seconds(3))
    let news = try rig.execute("news")
    #expect(news.contains(#""text":"other\n""#) && news.contains(#""state":"ended""#), "\(news.suffix(300))")
    #expect(!news.contains(#""state":"failed""#), "\(news.suffix(300))")
  }

  /// The packets of a program that prints without a pause do not delay the answers on a slow machine.
  @Test func theNextProgramRunsOnASlowMachine() throws {
    var rig = try PageRig.connected()
    try rig.execute("run basic 10 print \"again\"\n20 goto 10")
    rig.run(for: .seconds(5), step: .milliseconds(50))
    try rig.execute("stop")
    try rig.execute("news")
    try rig.execute("run basic 10 print \"other\"")
    rig.run(for: .seconds(3), step: .milliseconds(50))
    let news = try rig.execute("news")
    #expect(news.contains(#""text":"other\n""#) && news.contains(#""state":"ended""#), "\(news.suffix(300))")
    #expect(!news.contains(#""state":"failed""#), "\(news.suffix(300))")
  }

  @Test func withoutARobotNothingRuns() throws {
    var rig = PageRig()
    #expect(throws: PageError.self) { try rig.execute("run macro rgb 1 2 3") }
    var connected = try PageRig.connected()
    #expect(throws: PageError.self) { try connected.execute("run macro rgb 300") }
    #expect(throws: PageError.self) { try connected.execute("run lisp (+ 1 2)") }
    connected.run(for: .seconds(1))
    #expect(connected.payloads(0x02, 0x51).isEmpty)
  }

  /// The language and the text of each example in a list in JSON.
  private static func programs(in list: String) -> [(language: String, text: String)] {
    var programs: [(language: String, text: String)] = []
    for part in list.split(separator: "{") {
      guard let language = part.firstRange(of: "\"language\":\""),
        let text = part.firstRange(of: "\"text\":\""), let end = part.firstRange(of: "\"}")
      else { continue }
      let body = String(part[text.upperBound..<end.lowerBound])
      programs.append(
        (
          String(part[language.upperBound...].prefix { $0 != "\"" }),
          body.replacing("\\n", with: "\n").replacing("\\\"", with: "\"")
        ))
    }
    return programs
  }

  /// Each example runs to its end in the simulated robot.
  @Test func theExamplesRun() throws {
    var rig = try PageRig.connected()
    let list = try rig.execute("examples")
    let texts = Self.programs(in: list)
    #expect(texts.count >= 5)
    for (language, text) in texts {
      let check = try rig.execute("check \(language) \(text)")
      #expect(check.hasPrefix(#"{"errors":[],"#), "\(text): \(check)")
      try rig.execute("run \(language) \(text)")
      rig.run(for: .seconds(14))
      let news = try rig.execute("news")
      #expect(
        news.contains(#"{"kind":"program","state":"ended","#),
        "\(text): \(news.split(separator: "\n").filter { $0.contains("program") })")
    }
  }
}
