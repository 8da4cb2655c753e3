// Commands for several robots at once: one connection for each port, and one failure for all of them.

import SpheroProcess
import SpheroTransport

extension Connection {
  /// Runs `body` with a connection for each robot, all at once.
  ///
  /// With several robots, the failure of one is printed with its port and does not end the others.
  /// A closed stdout and a cancellation end all of them.
  ///
  /// Throws the error of a single robot; for several, a ``Failure`` with the highest exit code.
  func forEachRobot(
    _ terminal: Terminal, _ body: @escaping @Sendable (Connection) async throws -> Void
  ) async throws {
    let connections = each
    guard connections.count > 1 else { return try await body(self) }
    // Malformed ports are found before the first one is opened.
    for connection in connections { _ = try connection.resolvedPort() }
    var failures: [(port: String, code: ExitCode)] = []
    try await withThrowingTaskGroup(of: (port: String, code: ExitCode)?.self) { group in
      for connection in connections {
        group.addTask {
          do {
            try await body(connection)
            return nil
          } catch let error where error is CancellationError || error is OutputError {
            throw error
          } catch {
            try Task.checkCancellation()
            let failure = Failure(error)
            let advice = failure.advice.map { ". \($0)" } ?? ""
            // The message of a port that cannot be opened begins with the port.
            let isNamed = connection.port.map { failure.message.hasPrefix($0) } ?? false
            await terminal.note((isNamed ? "" : connection.label) + failure.message + advice, isQuiet: false)
            return (connection.port ?? "", failure.code)
          }
        }
      }
      for try await case let failure? in group { failures.append(failure) }
    }
    guard let worst = failures.max(by: { $0.code.rawValue < $1.code.rawValue }) else { return }
    // In the order of the command line, not in that of the failures.
    let ports = ports.filter { port in failures.contains { $0.port == port } }
    throw Failure(
      worst.code,
      "\(failures.count) of \(connections.count) robots failed: \(ports.joined(separator: ", "))",
      advice: "See the errors above.")
  }
}
