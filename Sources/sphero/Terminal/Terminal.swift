// The output of a command: results on stdout, remarks on stderr.

import SpheroProcess
import SpheroProtocol

/// The output of a command, or of a line of `sphero run`.
struct Terminal: Sendable {
  static let output = BufferedOutput(.output, on: Program.time)

  /// The line of a run that prints; nil outside of runs.
  var line: LineOutput?

  /// Prints a result, and a line break.
  func print(_ line: String) async throws { try await print(Array((line + "\n").utf8)) }

  /// Prints whole lines of results.
  nonisolated(nonsending) func print(_ lines: [UInt8]) async throws {
    guard let line else { return try await Self.output.write(lines) }
    try await line.print(lines)
  }

  /// Prints a remark on a robot.
  func note(_ line: String, _ connection: Connection) async {
    await note(connection.label + line, isQuiet: connection.isQuiet)
  }

  /// Prints a remark; on the screen of a panel, prints it after the panel ends.
  func note(_ line: String, isQuiet: Bool) async {
    if let answer = self.line { return answer.add(remark: line) }
    guard !isQuiet else { return }
    if TerminalScreen.hold("sphero: \(line)\n") { return }
    // Keeps the order of results and remarks if both are redirected to one file.
    try? Self.output.flush()
    // A closed stderr does not end the command.
    let text = "sphero: \(FieldValue.text(line).printable)\n"
    try? await StandardStream.error.write(Progress.takeBack() + text)
  }
}
