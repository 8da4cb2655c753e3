// A value behind a mutex.

/// A value behind a mutex.
///
/// The closure must be short: no lock is held across a suspension.
package final class Locked<State>: @unchecked Sendable {
  private let mutex = Mutex()
  private var state: State

  /// Wraps a value.
  package init(_ state: sending State) { self.state = state }

  /// Gives exclusive access to the value.
  package func withLock<Result, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    mutex.lock()
    defer { mutex.unlock() }
    return try body(&state)
  }
}
