// sphero program: checks without a robot, and programs that end or are aborted.

import Foundation
import TestSupport
import Testing

@testable import sphero

@Suite(.timeLimit(.minutes(5))) struct ProgramFileTests {
  private func withFile(_ text: String, _ body: (String) async throws -> Void) async throws {
    let path = freshPath()
    try Data(text.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }

  static let wrong: [(text: String, message: String)] = [
    ("rgb 255 0 0\nrol 80 90\n", "line 2, column 1: 'rol' is not a step; did you mean 'roll'?"),
    ("roll 80 400", "line 1, column 9: 'heading' is 400"), ("", "the macro is empty"),
    ("10 end\n20  prnt 3\n", "line 2, column 5: unknown statement"),
    ("10 end\nend\n", "line 2, column 1: line 2 of the text does not begin with a number"),
    ("# only a comment\n", "the macro is empty"),
    ("rgb 300 0 0\n", "must be 0...255\nCorrect the line.\n"),
    ("info\n", "\n'sphero run' performs a file of commands"),
    ("roll 90 --speed 60\n", "\n'sphero run' performs a file of commands"),
    ("10 end\n20 goto 99\n", "bad line number\nNo line of the program begins with this number.\n"),
    ("10 print \"x\n", "syntax\nClose the quotation mark.\n"),
    ("' a comment\n10 end\n", "line 1 of the text does not begin with a number"),
  ]

  @Test(arguments: wrong.indices) func mistakesAreReportedBeforeOpening(_ index: Int) async throws {
    let (text, message) = Self.wrong[index]
    try await withFile(text) { path in
      for words in [["program", path, "--check"], ["program", path, "--port", "/dev/no-such-robot"]] {
        let outcome = try await Run(words).end()
        #expect(outcome.code == 65 && outcome.output.isEmpty)
        #expect(outcome.error.contains("\(path): ") && outcome.error.contains(message), "\(outcome.error)")
        #expect(outcome.error.split(separator: "\n").count == 2)
      }
    }
  }

  /// The values are sent 200 ms apart, so that the program reaches the second `input`; a word is no value.
  @Test func linesOfStdinAreInputs() async throws {
    try await withFile("10 input A\n20 print A;\n30 delay 100\n40 input B\n50 print A - B\n") { path in
      let stdin = Pipe()
      // The beginning of a line that is too long is no value.
      let long = "1" + String(repeating: " ", count: 200) + "2"
      try stdin.fileHandleForWriting.write(contentsOf: Data("-7\nseven\n\(long)\n7".utf8))
      try stdin.fileHandleForWriting.close()
      let input = stdin.fileHandleForReading
      let outcome = try await Run(["program", path, "--port", "sim:", "--for", "10s"], input: input).end()
      #expect(outcome.code == 0 && outcome.output == "-7-14\n", "\(outcome.output)")
      #expect(outcome.error.contains("'seven' is no value for 'input': write a whole number"))
    }
  }

  /// Numbers that never end do not delay the time limit, whether or not the program takes them.
  @Test(arguments: ["10 input A\n20 goto 10\n", "10 delay 60000\n20 input A\n"])
  func inputsThatNeverEndDelayNoTimeLimit(_ text: String) async throws {
    try await withFile(text) { path in
      let words = ["program", path, "--port", "sim:", "--for", "3s"]
      let outcome = try await Run(words, input: output(ofEndless: "exec yes 7")).end()
      #expect(outcome.code == 75, "\(outcome.error)")
      #expect(outcome.error.contains("did not end in time, and was aborted"), "\(outcome.error)")
    }
  }

  @Test func anInputWithoutAValueIsRemarkedOn() async throws {
    try await withFile("10 input A\n") { path in
      let stdin = Pipe()
      try stdin.fileHandleForWriting.close()
      let input = stdin.fileHandleForReading
      let outcome = try await Run(["program", path, "--port", "sim:", "--for", "2s"], input: input).end()
      #expect(outcome.code == 75)
      #expect(outcome.error.contains("stdin has ended without a value"), "\(outcome.error)")
    }
  }

  /// In a run, stdin has the lines of the run: a stop must not become a value.
  @Test func linesOfARunAreNoInputs() async throws {
    try await withFile("10 input A\n") { path in
      let stdin = Pipe()
      let run = try Run(["run", "-", "--port", "sim:"], input: stdin.fileHandleForReading)
      let writer = stdin.fileHandleForWriting
      try writer.write(contentsOf: Data("program \(path) --for 1s\n".utf8))
      for _ in 0..<8 {
        try await Task.sleep(for: .milliseconds(50))
        try writer.write(contentsOf: Data("led red\n".utf8))
      }
      try writer.close()
      let outcome = try await run.end()
      #expect(outcome.lines.count == 9, "\(outcome.output)")
    }
  }

  /// A program without `input` leaves stdin to the shell.
  @Test func aProgramWithoutInputsReadsNoLines() async throws {
    try await withFile("10 print \"input\"\n") { path in
      let stdin = Pipe()
      try stdin.fileHandleForWriting.write(contentsOf: Data("seven\n".utf8))
      // The process closes the pipe's own descriptor.
      let input = FileHandle(
        fileDescriptor: dup(stdin.fileHandleForReading.fileDescriptor), closeOnDealloc: true)
      let outcome = try await Run(["program", path, "--port", "sim:"], input: stdin.fileHandleForReading)
        .end()
      #expect(outcome.code == 0 && outcome.output == "input\n" && outcome.error.isEmpty, "\(outcome.error)")
      try stdin.fileHandleForWriting.close()
      #expect(try input.readToEnd() == Data("seven\n".utf8))
    }
  }

  @Test func aStoredNumberIsNamed() async throws {
    let port = freshPath()
    let robot = try Run(["simulate", "--link", port])
    defer { robot.signal(SIGKILL) }
    #expect(try await robot.line() == port)
    try await withFile("wait 1\n") { path in
      let words = ["program", path, "--store", "40", "--port", port]
      #expect(try await Run(words).end().code == 0)
      let again = try await Run(words).end()
      #expect(again.code == 76 && again.error.contains("It has a macro with the number 40, or no room"))
    }
    robot.signal(SIGINT)
    _ = try await robot.end()
  }

  @Test func invalidUTF8IsReportedWithItsPlace() async throws {
    let path = freshPath()
    try Data(Array("rgb 1 2 3\nwait \u{E9}".utf8) + [0xFF, 0x0A]).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero("program", path, "--check")
    #expect(outcome.code == 65 && outcome.error.contains("line 2, column 7: this is not UTF-8"))
    let endless = try await sphero("program", "/dev/zero", "--check")
    #expect(endless.code == 65 && endless.error.contains("more than 1000000 bytes"))
    #expect(try await sphero("program", "/no/such.bas").code == 66)
  }

  @Test func validProgramsAreCountedWithoutARobot() async throws {
    try await withFile("rgb 255 0 0\nwait 5\n") { path in
      let outcome = try await sphero("program", path, "--check")
      // Head, 5 and 3 bytes, and the end.
      #expect(outcome.code == 0 && outcome.error == "sphero: \(path): 2 steps, 11 bytes\n")
    }
    try await withFile("10 end\n") { path in
      let outcome = try await sphero("program", path, "--check")
      #expect(outcome.code == 0 && outcome.error == "sphero: \(path): 1 line, 8 bytes\n")
    }
  }

  @Test func likelyMistakesHaveRemarks() async throws {
    for (text, remark) in [
      ("loopStart 3\nrgb 255 0 0", "the loop that step 1 begins has no 'loopEnd', and repeats nothing"),
      ("loopStart 3\nloopEnd\nwait 5\nloopStart 2", "the loop that step 4 begins has no 'loopEnd'"),
      ("loopStart 3\nwait 5\nloopEnd", nil), ("10 for A = 1 to 3", "numbered 10 has no 'next'"),
    ] {
      try await withFile(text + "\n") { path in
        let outcome = try await sphero("program", path, "--check")
        #expect(outcome.code == 0 && outcome.error.hasPrefix("sphero: \(path): "), "\(outcome.error)")
        #expect(outcome.error.split(separator: "\n").count == (remark == nil ? 1 : 2), "\(outcome.error)")
        if let remark { #expect(outcome.error.contains(remark), "\(outcome.error)") }
      }
    }
  }

  @Test func aSemicolonOmitsTheLineBreak() async throws {
    try await withFile("10 print \"a\";\n20 print 1\n30 print \"b\";\n") { path in
      let text = try await sphero("program", path, "--port", "sim:")
      #expect(text.output == "a1\nb\n", "\(text.output)")
      let records = try await sphero("program", path, "--port", "sim:", "--format", "csv")
      let rows = records.output.split(separator: "\n").map { $0.split(separator: ",").dropFirst() }
      let expected = [["text", "ends_line"], ["a", "false"], ["1", "true"], ["b", "false"]]
      #expect(rows.map { $0.map(String.init) } == expected, "\(records.output)")
    }
  }

  @Test func theCheckListsAllErrors() async throws {
    for (text, places) in [
      ("rgb 300 0 0\nrgb 1 2 3\nturn 5", ["line 1, column 5", "line 3, column 1"]),
      ("10 jump 10\n20 print 1\n30 goto 5", ["line 1, column 4", "line 3, column 9"]),
    ] {
      try await withFile(text + "\n") { path in
        let outcome = try await sphero("program", path, "--check")
        #expect(outcome.code == 65 && outcome.error.split(separator: "\n").count == 3, "\(outcome.error)")
        for place in places { #expect(outcome.error.contains("\(path): \(place): "), "\(outcome.error)") }
        let run = try await sphero("program", path, "--port", "/dev/no-such-robot")
        #expect(run.code == 65 && run.error.split(separator: "\n").count == 2, "\(run.error)")
      }
    }
  }

  @Test func theTextDeterminesTheLanguage() async throws {
    for (text, isOrbBasic) in [
      ("10 end\n", true), ("\n  # a comment\n\t10 end\n", true), ("\r\n10 end\r\n", true),
      ("rgb 1 2 3\n10 end", false),
      ("", false), ("# 10 end\n", false), ("macro flags=motor\nwait 5\n", false),
    ] { #expect(ProgramCommand.isOrbBasic(text) == isOrbBasic, "\(text)") }
    try await withFile("10 end\n") { path in
      let outcome = try await sphero("program", path, "--store", "40", "--port", "/dev/no-such-robot")
      #expect(outcome.code == 64 && outcome.error.contains("'--store' keeps macros, and this is orbBasic"))
    }
  }

  /// Text in BASIC without the numbers of its lines.
  @Test func aMissingLineNumberIsExplained() async throws {
    for text in ["for A = 1 to 3", "RGB 255, 0, 0", "goroll 0, 80, 1"] {
      let file = freshPath() + ".bas"
      try (text + "\n").write(toFile: file, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(atPath: file) }
      let outcome = try await sphero("program", file, "--check")
      #expect(
        outcome.code == 65 && outcome.error.contains("does not begin with a number, 1...65535, and a space"))
    }
    try await withFile("goroll 0, 80, 1\n") { path in
      let outcome = try await sphero("program", path, "--check")
      #expect(
        outcome.code == 65 && outcome.error.contains("orbBasic begins with a number, such as '10 goroll'"))
    }
  }

  @Test func mistakesOfBeginnersAreExplained() async throws {
    for (text, explanation) in [
      ("rgb 255, 0, 0", "Separate the values by spaces, not by commas."),
      ("roll 80 90 500", "For a longer time, add 'wait', or use 'rollLong'."),
      ("RGB(255,0,0)", "did you mean 'rgb'?"),
    ] {
      try await withFile(text + "\n") { path in
        let outcome = try await sphero("program", path, "--check")
        #expect(outcome.code == 65 && outcome.error.contains(explanation), "\(outcome.error)")
      }
    }
    for (text, advice) in [
      ("sphero led red", "Leave out 'sphero'"), ("macro flags=stopAtEnd", "'sphero program' runs macros"),
    ] {
      try await withFile(text + "\n") { path in
        let run = try await sphero("run", path, "--port", "sim:")
        #expect(run.code == 65 && run.error.contains(advice), "\(run.error)")
      }
    }
    let number = try await sphero("turn", "22.5", "--port", "sim:")
    #expect(number.code == 64 && number.error.contains("it can be a whole number, -36000...36000"))
    let table = try await sphero("record", "/tmp/table.csv", "--port", "sim:")
    #expect(table.code == 64 && table.error.contains("is the name of a table"))
    try await withFile("{\"kind\":\"sample\",\"time\":0.0}\n") { path in
      let plot = try await sphero("plot", path, "-o", "-")
      #expect(plot.code == 65 && plot.error.contains("This is JSON."), "\(plot.error)")
    }
    // The forms of 'hexdump' without options, and of 'od -t x1', whose offsets are octal.
    let row = "0000000 " + String(repeating: "00 ", count: 16)
    for dump in ["0000000 ffff 0200 0101 00fb\n0000007\n", row + "\n0000020 ff\n"] {
      try await withFile(dump) { path in
        let decode = try await sphero("decode", path)
        #expect(decode.code == 65 && decode.error.contains("or 'od -A x -t x1'"), "\(decode.error)")
      }
    }
    let nothing = try await sphero("stream", "--port", "sim:", "--for", "0s")
    #expect(nothing.code == 64 && nothing.error.contains("1ms or more"))
  }

  @Test func theExamplesAreRight() async throws {
    let folder = packageRoot.appending(path: "Fixtures/programs").path
    for words in [["program", "\(folder)/square.macro"], ["program", "\(folder)/countdown.bas"]] {
      let outcome = try await Run(words + ["--check"]).end()
      #expect(outcome.code == 0 && outcome.error.split(separator: "\n").count == 1, "\(outcome.error)")
    }
    let outcome = try await sphero("run", "\(folder)/hello.run", "--port", "sim:")
    // Eight lines are answered when they are done, and the stream when it ends.
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.lines.filter { $0.hasPrefix(#"{"kind":"answer""#) }.count == 9)
    #expect(outcome.lines.contains { $0.hasPrefix(#"{"kind":"sample","line":4,"#) })
  }

  @Test func markersAndPrintsArePrintedWhenReached() async throws {
    try await withFile("marker 3\nwait 200\nmarker 9") { path in
      let outcome = try await sphero("program", path, "--port", "sim:", "--format", "csv")
      #expect(outcome.code == 0, "\(outcome.error)")
      let rows = outcome.lines.map { $0.split(separator: ",").map(String.init) }
      #expect(rows.first == ["time_s", "marker", "macro", "step"])
      #expect(rows.dropFirst().map { Array($0.dropFirst()) } == [["3", "255", "1"], ["9", "255", "3"]])
    }
    try await withFile("10 print \"a\", 7\n20 print $27\n") { path in
      let text = try await sphero("program", path, "--port", "sim:")
      #expect(text.code == 0 && text.output == "a 7\n\\u{1b}\n", "\(text.output)\(text.error)")
      let json = try await sphero("program", path, "--port", "sim:", "--format", "json")
      #expect(json.lines.last?.hasSuffix(#","text":"\u001b","ends_line":true}"#) == true, "\(json.output)")
    }
  }

  @Test func theExitCodeStatesTheEnd() async throws {
    try await withFile("10 A = 1 / B\n") { path in
      let outcome = try await sphero("program", path, "--port", "sim:")
      #expect(outcome.code == 65 && outcome.error.contains("error in the line numbered 10: divide by zero"))
    }
    try await withFile("wait 60000\n") { path in
      let outcome = try await sphero("program", path, "--port", "sim:", "--for", "200ms")
      #expect(outcome.code == 75 && outcome.error.contains("did not end in time, and was aborted"))
    }
    // A macro that the robot stores.
    try await withFile("wait 1\n") { path in
      let outcome = try await sphero("program", path, "--store", "32", "--port", "sim:")
      #expect(outcome.code == 0, "\(outcome.error)")
    }
  }

  /// Ctrl-C: 02 55 or 02 63 after the start of the program, then a stop.
  @Test(arguments: [
    ("rollLong 100 90 60000\n", "FF FF 02 50", "FF FF 02 55"),
    ("10 goroll 90, 100, 1\n20 delay 60000\n", "FF FF 02 62", "FF FF 02 63"),
  ]) func controlCAborts(_ text: String, _ start: String, _ abort: String) async throws {
    try await withFile(text) { path in
      let capture = freshPath()
      defer { try? FileManager.default.removeItem(atPath: capture) }
      let run = try Run(["program", path, "--port", "sim:", "--capture", capture])
      func sent() throws -> [String] {
        try String(contentsOfFile: capture, encoding: .utf8).split(separator: "\n").map(String.init)
          .filter { $0.contains(" > ") }
      }
      while (try? sent().contains { $0.contains(start) }) != true {
        try await Task.sleep(for: .milliseconds(10))
      }
      run.signal(SIGINT)
      #expect(try await run.end().code == 130)
      let lines = try sent()
      let begun = try #require(lines.firstIndex { $0.contains(start) })
      let aborted = try #require(lines.lastIndex { $0.contains(abort) })
      let stopped = try #require(lines.lastIndex { $0.contains("FF FF 02 30") })
      #expect(begun < aborted && aborted < stopped, "\(lines)")
    }
  }
}
