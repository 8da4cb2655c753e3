// Example 7 of Docs/FirstProgram.md; `SPHERO_RECORD=1 swift test` copies it from there.

import Dispatch
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Runs a body in a task that Ctrl-C cancels.
func untilControlC(_ body: @escaping @Sendable () async throws -> Void) async throws {
  let task = Task { try await body() }
  signal(SIGINT, SIG_IGN)
  let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
  // Without @Sendable, the handler belongs to the main actor in a target whose default isolation that is.
  source.setEventHandler { @Sendable in task.cancel() }
  source.resume()
  defer { source.cancel() }
  try await task.value
}
