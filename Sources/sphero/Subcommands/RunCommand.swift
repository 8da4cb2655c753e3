// sphero run: many commands over one connection, from a file or as other programs send them.

import SpheroProcess
import SpheroProtocol
import SpheroTransport

struct RunCommand: Subcommand {
  static let name = "run"
  static let abstract = "Performs commands over one connection, a line each, and answers them in JSON."
  static let group = VerbGroup.program
  static let otherNames = ["script", "batch", "repl", "exec"]
  static let examples = [
    "sphero run square.run", "sphero run square.run --strict", "echo 'led red' | sphero run -",
  ]

  var connection = Connection()
  var file = ""
  var isStrict = false
  var acceptsHazard = false

  /// What a file may have, in bytes.
  private static let mostBytes = 4_000_000

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.argument(
      "file", &file, as: .file,
      """
      Lines as on the command line, without 'sphero': \(RunLine.verbs.map { $0.name }.joined(separator: ", ")). \
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
    // All lines of a file are read before anything is opened.
    let script = file == "-" ? nil : try await script(context)
    let loop = RunLoop(session, isStrict: isStrict)
    let tally = try await connection.withRobot(reopens: true) { robot in
      session.begin(robot)
      do {
        let tally = try await loop.run { [context] loop in
          if let script {
            for line in script { try await loop.add(line) }
          } else {
            try await Self.follow(loop, context)
          }
        }
        await session.finish()
        return tally
      } catch {
        await session.finish()
        throw error
      }
    }
    guard let (line, failure) = tally.first else { return }
    let count = tally.failures == 1 ? "" : "\(tally.failures) lines failed; the first was "
    throw Failure(
      failure.code, "\(count)line \(line.number), '\(line.words)': \(failure.message)", advice: failure.advice
    )
  }

  /// Reads all lines of the file.
  private func script(_ context: LineContext) async throws -> [RunLine] {
    let text = try await TextFile(
      file, atMost: Self.mostBytes, advice: "Send the lines to 'sphero run -', one by one.")
    var splitter = LineSplitter(longest: RunLine.longest)
    let lines = splitter.append(text.bytes) + [splitter.finish()].compactMap { $0 }
    return try lines.enumerated().compactMap { index, line in
      let line = RunLine(line, number: index + 1, context)
      guard let line, case .failure(let failure) = line.action else { return line }
      throw Failure(
        .badData, "\(text.name): line \(line.number), '\(line.words)': \(failure.message)",
        advice: failure.advice)
    }
  }

  /// Takes lines from the standard input as they come.
  private static func follow(_ loop: RunLoop, _ context: LineContext) async throws {
    var splitter = LineSplitter(longest: RunLine.longest)
    var number = 0
    func take(_ line: LineSplitter.Line) async throws {
      number += 1
      if let line = RunLine(line, number: number, context) { try await loop.addLive(line) }
    }
    do {
      let input = try InputFile("-")
      while let bytes = try await input.read() {
        for line in splitter.append(bytes) { try await take(line) }
      }
    } catch let error as LinkError {
      throw Failure(.noInput, error.message, advice: "Check what is connected to stdin.")
    }
    if let line = splitter.finish() { try await take(line) }
  }
}
