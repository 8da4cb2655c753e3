// sphero run: commands over one connection, from a file or from another program.

import SpheroCapture
import SpheroProcess
import SpheroRecording
import SpheroSystem

struct RunCommand: Subcommand {
  static let name = "run"
  static let abstract = "Performs lines of commands; answers in JSON."
  static let group = SubcommandGroup.program
  static let otherNames = ["script", "batch", "repl", "exec"]
  static let examples = [
    "sphero run square.run", "sphero run square.run --strict", "echo 'led red' | sphero run -",
  ]

  var connection = Connection()
  var file = ""
  var isStrict = false
  var acceptsHazard = false

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.argument(
      "file", &file, as: .file,
      """
      Lines as on the command line, without 'sphero': \(RunLine.subcommands.map { $0.name }.joined(separator: ", ")). \
      - is stdin, where each line is performed as it comes.
      """)
    try line.flag("strict", nil, &isStrict, "End at the first line that fails.")
    try line.flag(
      LineContext.hazardFlag, nil, &acceptsHazard,
      "Let 'raw' also send what can change the robot for good.")
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    let session = RunSession()
    var context = LineContext(connection: connection, acceptsHazard: acceptsHazard)
    context.connection.session = session
    // Parses all lines of a file before the port is opened.
    let script = file == "-" ? nil : try await script(context)
    let loop = ScriptRunner(session, isStrict: isStrict)
    func keep(_ captures: [CaptureWriter]) { session.captures.withLock { $0 = captures } }
    let tally = try await connection.withRobot(reopens: true, onCaptures: keep) { robot in
      session.begin(robot)
      let outcome = await result {
        try await loop.run { [context] loop in
          if let script {
            for line in script { try await loop.add(line) }
          } else {
            try await Self.follow(loop, context)
          }
        }
      }
      await session.stopEarly()
      return try outcome.get()
    }
    if let stop = tally.stopLine {
      let lines = tally.discarded == 1 ? "1 line was" : "\(tally.discarded) lines were"
      await terminal.note(
        "\(lines) discarded: 'stop' in line \(stop) of stdin precedes all waiting motions; in a file it keeps its place",
        connection)
    }
    guard let (line, failure) = tally.firstFailure else { return }
    let count = tally.failures == 1 ? "" : "\(tally.failures) lines failed; the first was "
    throw Failure(
      failure.code, "\(count)line \(line.number), '\(line.words)': \(failure.message)", advice: failure.advice
    )
  }

  private func script(_ context: LineContext) async throws -> [RunLine] {
    let text = try await TextFile(
      file, atMost: 4_000_000, advice: "Send the lines to 'sphero run -', one by one.")
    var splitter = LineSplitter(limit: RunLine.maximumCount)
    splitter.append(text.bytes)
    splitter.finish()
    return try AnyIterator { splitter.next() }.enumerated().compactMap { index, words in
      let line = RunLine(words, number: index + 1, context)
      guard let line, case .failure(let failure) = line.action else { return line }
      throw Failure(
        .badData, "\(text.name): line \(line.number), '\(line.words)': \(failure.message)",
        advice: failure.advice)
    }
  }

  private static func follow(_ loop: ScriptRunner, _ context: LineContext) async throws {
    var number = 0
    let advice = "Check what is connected to stdin."
    let input = try InputStream.opened("-", advice: advice)
    try await input.forEachLine(longest: RunLine.maximumCount, advice: advice) { line in
      number += 1
      if let line = RunLine(line, number: number, context) { try await loop.addLive(line) }
    }
  }
}
