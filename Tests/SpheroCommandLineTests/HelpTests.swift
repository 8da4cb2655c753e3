// The help pages: short and full, as wide as the terminal, and the topics.

import Foundation
import SpheroOrientation
import SpheroProtocol
import TestSupport
import Testing

@testable import sphero

@Suite(.timeLimit(.minutes(5))) struct HelpTests {
  private static let verbs = [
    "simulate", "devices", "doctor", "drive", "led", "stream", "info", "monitor", "record", "decode", "plot",
    "roll",
    "turn", "go", "stop", "aim", "sleep", "run", "program",
  ]
  private static let rareVerbs = ["ping", "collisions", "balance", "raw", "survey", "heading", "help"]

  @Test func pagesAreResults() async throws {
    let full = try await sphero("help", "all")
    #expect(full.code == 0 && full.error.isEmpty && full.output.contains("\nEXIT CODES\n"))
    #expect(try await sphero("--help").output == full.output)
    let short = try await sphero("help")
    #expect(short.code == 0 && short.error.isEmpty && !short.output.contains("EXIT CODES"))
    #expect(try await sphero().output == short.output)
    #expect(try await sphero("-h").output == short.output)
    for (page, verbs) in [(full.output, Self.verbs + Self.rareVerbs), (short.output, Self.verbs)] {
      let places = verbs.map { page.firstRange(of: "\n  \($0) ")?.lowerBound }
      #expect(
        places.allSatisfy { $0 != nil } && places.compactMap { $0 } == places.compactMap { $0 }.sorted())
    }
    for verb in Self.rareVerbs { #expect(!short.output.contains("\n  \(verb) ")) }
  }

  @Test func theShortPageFitsAScreen() {
    let lines = Help.overview(.short).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 40)
    for type in Program.subcommands {
      let line = "  \(type.name)".padding(toLength: 14, withPad: " ", startingAt: 0) + type.abstract
      #expect(line.count <= 60, "\(line)")
      #expect(lines.contains { $0 == line } == (type.group != .more), "\(line)")
    }
    #expect(Program.subcommands.count == 26)
  }

  @Test(arguments: ["stream", "roll", "help"]) func pageOfAVerb(_ verb: String) async throws {
    let page = try await sphero("help", verb)
    #expect(page.code == 0 && page.output.contains("USAGE\n  sphero \(verb)"))
    #expect(try await sphero(verb, "--help").output == page.output)
    #expect(try await sphero(verb, "--help", "--nonsense").output == page.output)
    let short = try await sphero(verb, "-h").output
    #expect(short.contains("USAGE\n  sphero \(verb)") && !short.contains("EXAMPLES"))
    #expect(short.hasSuffix("'sphero \(verb) --help' has details and examples.\n"))
  }

  @Test func theShortOptionIsForTheShortPage() async throws {
    let page = try await sphero("-h", "stream")
    #expect(page.code == 0 && page.error.isEmpty)
    #expect(try await sphero("stream", "-h").output == page.output)
    for words in [["-h", "nonsense"], ["-h", "stream", "roll"]] {
      let outcome = try await Run(words).end()
      #expect(outcome.code == 64 && outcome.output.isEmpty)
      #expect(outcome.error.contains("'\(words[words.count - 1])'"), "\(outcome.error)")
    }
  }

  @Test func pageOfStopAsAWhole() {
    #expect(
      Help.page(Stop.self) == """
        Stops the robot; ends a sphero that holds it.

        USAGE
          sphero stop [options]

        OPTIONS
          -p, --port <port>       Where the robot is: a device file, its Bluetooth
                                  address like 68:86:E7:01:02:03, ble:NAME,
                                  tcp:HOST:PORT, replay:FILE, or 'sim:' for a simulated
                                  one; several times for several robots.
              --timeout <time>    How long to wait for each answer; the first answer
                                  may take 15 times that, up to 15 s or the given time,
                                  whichever is longer. (seconds, or like 500ms, 2min,
                                  1h; 10ms or more; default: 1s)
              --wait <time>       How long to wait for a port that is busy or missing,
                                  or that refuses; not for one that opens and is lost,
                                  nor for replay: and sim:. Without it, about 3 s for a
                                  busy one. (seconds, or like 500ms, 2min, 1h)
              --capture <file>    Keep every byte, with its time and direction, in this
                                  file; of further robots in file-2 and so on; an
                                  existing file is not overwritten.
              --sleep             Put the robot to sleep when the command ends, also by
                                  Ctrl-C; a shake wakes it.
          -q, --quiet             Print no remarks on stderr.
          -v, --verbose           Print each packet on stderr, and at the end what the
                                  session has counted.
              --statistics        Print what the session has counted as a JSON object
                                  on stderr.

        PROGRAMS
          in the robot            A macro and an orbBasic program are aborted,
                                  whichever sphero started them.

        ANOTHER SPHERO
          same computer           It is ended first, if it runs as the same user.
          other computer          It keeps the robot: end it with Ctrl-C, which stops
                                  the ball.

        EXAMPLES
          sphero stop
          sphero stop --port /dev/rfcomm0 --port /dev/rfcomm1

        """)
  }

  @Test func shortPageOfRollAsAWhole() {
    #expect(
      Help.page(Roll.self, .short, Layout(width: 60)) == """
        Rolls on a heading for a while, then stops.

        USAGE
          sphero roll <heading> [options]

        ARGUMENTS
          <heading>               Degrees clockwise from the aim.

        OPTIONS
          -s, --speed <n>         255 is full speed, about 2 m/s.
          -t, --for <time>        How long to roll.
          -k, --keep              Keep rolling until 'sphero stop'.
          -p, --port <port>       Where the robot is.
              --timeout <time>    How long to wait for each answer.
              --wait <time>       How long to wait for a port that
                                  is busy or missing, or that
                                  refuses.
              --capture <file>    Keep every byte, with its time
                                  and direction, in this file.
              --sleep             Put the robot to sleep when the
                                  command ends, also by Ctrl-C.
          -q, --quiet             Print no remarks on stderr.
          -v, --verbose           Print each packet on stderr, and
                                  at the end what the session has
                                  counted.
              --statistics        Print what the session has
                                  counted as a JSON object on
                                  stderr.

        'sphero roll --help' has details and examples.

        """)
  }

  @Test(arguments: [40, 57, 80, 120]) func noLineIsWider(_ width: Int) {
    let layout = Layout(width: width)
    for type in Program.subcommands {
      for detail in [HelpDetail.short, .full] {
        let page = Help.page(type, detail, layout)
        // Examples are whole, and so are labels and words that do not fit.
        let text = page.firstRange(of: "\nEXAMPLES").map { String(page[..<$0.lowerBound]) } ?? page
        for line in text.split(separator: "\n") where line.count >= width {
          #expect(line.drop { $0 == " " }.split(separator: " ").count == 1 || line.hasPrefix("  "), "\(line)")
          #expect(width < 57 || line.drop { $0 == " " }.split(separator: " ").count <= 2, "\(line)")
        }
      }
    }
  }

  @Test(
    arguments: [
      (nil, nil, 80), (nil, 100, 100), ("72", 100, 72), ("0", 100, 100), ("x", nil, 80), ("-5", nil, 80),
      ("10", nil, 40), (nil, 7, 40), (nil, 400, 120), ("99999999999999999999", 90, 90), ("", 60, 60),
    ] as [(String?, Int?, Int)])
  func width(_ stated: String?, _ window: Int?, _ columns: Int) {
    #expect(Layout.width(stated: stated, window: window) == columns)
  }

  @Test func theVariableDecidesTheWidth() async throws {
    let narrow = try await sphero("help", "stop", environment: ["COLUMNS": "60"]).output
    #expect(narrow.split(separator: "\n").allSatisfy { $0.count < 60 })
    #expect(narrow == Help.page(Stop.self, .full, Layout(width: 60)))
  }

  @Test(
    arguments: [
      (true, ["TERM": "xterm"], true), (false, ["TERM": "xterm"], false), (true, [:], false),
      (true, ["TERM": "dumb"], false), (true, ["TERM": "xterm", "NO_COLOR": "1"], false),
      (false, ["CLICOLOR_FORCE": "1"], true), (false, ["CLICOLOR_FORCE": "0"], false),
      (true, ["TERM": "dumb", "CLICOLOR_FORCE": "1"], true),
      (true, ["TERM": "xterm", "CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
    ] as [(Bool, [String: String], Bool)])
  func color(_ isTerminal: Bool, _ variables: [String: String], _ hasColor: Bool) {
    #expect(Style.hasColor(isTerminal: isTerminal) { variables[$0] } == hasColor)
  }

  @Test(
    arguments: [
      ([:], true), (["LANG": "C.UTF-8"], true), (["LANG": "de_DE.utf8"], true), (["LANG": "C"], false),
      (["LC_CTYPE": "en_US.ISO-8859-1", "LANG": "C.UTF-8"], false),
      (["LC_ALL": "C.UTF-8", "LC_CTYPE": "C", "LANG": "C"], true),
      (["LC_ALL": "POSIX", "LANG": "C.UTF-8"], false),
    ] as [([String: String], Bool)])
  func locale(_ variables: [String: String], _ hasUTF8: Bool) {
    #expect(Style.hasUTF8 { variables[$0] } == hasUTF8)
  }

  @Test func colorIsPrintedOnRequest() async throws {
    #expect(!(try await sphero("help", "colours")).output.contains("\u{1B}"))
    let forced = try await sphero("help", "colours", environment: ["CLICOLOR_FORCE": "1", "NO_COLOR": ""])
      .output
    #expect(forced.contains("\u{1B}[1mNAMES\u{1B}[0m") && forced.contains("\u{1B}[48;2;255;165;0m"))
    let error = try await sphero("strem", environment: ["CLICOLOR_FORCE": "1", "NO_COLOR": ""]).error
    #expect(error.hasPrefix("\u{1B}[31msphero: \u{1B}[0munknown command"))
  }

  @Test(
    arguments: [
      (
        "masks",
        [
          "  imu           pitch, roll, yaw\n", "  accel-x         steps of 0.00024414062 g\n",
          "  yaw             whole °\n",
        ]
      ),
      (
        "colours",
        ["  green         #00ff00  0,255,0\n", "  off           #000000  0,0,0\n", "  sphero led ff8800\n"]
      ),
      ("colour", ["  green         #00ff00  0,255,0\n"]),
      ("colors", ["  orange        #ffa500  255,165,0\n"]),
      (
        "commands",
        ["  Motion.Roll                         02 30 speed heading state reverse\n", "JumpToBootloader!"]
      ),
      ("environment", ["  SPHERO_PORT ", "  NO_COLOR ", "  COLUMNS "]),
      ("ports", ["  sim: ", "  68:86:E7:01:02:03 ", "  tcp:127.0.0.1:4000 ", "  replay:FILE "]),
      ("Motion.Roll", ["Motion.Roll is command 02 30.\n", "  heading                 u16, °, 0...359\n"]),
      ("core.settrip", []),
    ] as [(String, [String])])
  func topics(_ name: String, _ lines: [String]) async throws {
    let page = try await sphero("help", name)
    guard !lines.isEmpty else {
      #expect(page.code == 64 && page.output.isEmpty)
      return
    }
    #expect(page.code == 0 && page.error.isEmpty)
    for line in lines { #expect(page.output.contains(line), "\(line)") }
  }

  @Test func versionStatesTheBuild() async throws {
    let version = try await sphero("--version")
    #expect(version.code == 0 && version.error.isEmpty)
    #expect(version.lines.first == "sphero 0.2.0" && version.lines.count == 2)
    #expect(
      version.output.contains(
        #/\nSwift 6\.[0-9]+(?: or newer)?, (?:debug|release), dynamic, .+ (?:x86_64|arm64)\n$/#),
      "\(version.output)")
    #expect(try await sphero("-V").output == version.output)
  }

  @Test(arguments: [
    ("How long to roll.", "How long to roll."), ("Keep rolling; do not stop.", "Keep rolling."),
    ("Where the robot is: a device file.", "Where the robot is."),
    ("0...255 is all. More.", "0...255 is all."),
    ("Without an end", "Without an end."), ("Like 10.5s:3s, or less: so.", "Like 10.5s:3s, or less."),
  ])
  func brief(_ help: String, _ brief: String) { #expect(Help.brief(help) == brief) }

  @Test(arguments: [
    ("strem", "stream", 1), ("tsream", "stream", 1), ("sttream", "stream", 1), ("strean", "stream", 1),
    ("ab", "ba", 1),
    ("", "abc", 3), ("led", "roll", 4), ("ca", "abc", 3),
  ])
  func slips(_ first: String, _ second: String, _ count: Int) {
    #expect(Suggestion.distance(first, second) == count)
    #expect(Suggestion.distance(second, first) == count)
  }

  /// Two edits are too many for a short word; a name that begins the word is the last choice.
  @Test(arguments: [
    ("kill", nil), ("rill", "roll"), ("rolling", "roll"), ("collison", "collisions"), ("sim", "simulate"),
    ("rolls", "roll"), ("s", nil),
  ])
  func nearestNames(_ word: String, _ name: String?) {
    #expect(Suggestion.nearest(to: word, among: ["roll", "collisions", "simulate", "sleep"]) == name)
  }

  @Test func joinedLettersAndTurnedHeadings() throws {
    let ping = try Synopsis.bind(Ping.self, ["-qvn3", "-i", "2s", "-f=csv"])
    #expect(ping.connection.isQuiet && ping.connection.isVerbose && ping.count == 3)
    #expect(ping.interval == .seconds(2) && ping.format == .csv)
    for (word, degrees) in [
      ("-90", 270), ("360", 0), ("720", 0), ("-1", 359), ("450", 90), ("0", 0), ("-360", 0),
    ] as [(String, Double)] {
      #expect(try Synopsis.bind(Roll.self, [word]).heading.degrees == degrees, "\(word)")
      #expect(
        try Synopsis.bind(Aim.self, ["--heading", word]).heading?.degrees == degrees, "\(word)")
    }
    let twice = try Synopsis.bind(Stream.self, ["-m", "accel", "--mask=yaw"])
    #expect(twice.fields.mask == [.accel, .init(.yaw)])
    // A value that begins with a hyphen can be attached.
    #expect(try Synopsis.bind(Ping.self, ["--capture=-v"]).connection.captureFile == "-v")
  }
}
