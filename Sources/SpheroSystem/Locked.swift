// A value behind a mutex.

/// A value behind a mutex.
///
/// The closure must be short: no lock is held across a suspension.
/// It is public, though nobody else imports this module: the compiler does not inline `package` functions elsewhere.
public final class Locked<State>: @unchecked Sendable {
  @usableFromInline let mutex = Mutex()
  /// The mutex gives exclusive access.
  @exclusivity(unchecked) @usableFromInline var state: State

  /// Wraps a value.
  public init(_ state: sending State) { unsafe self.state = state }

  /// Gives exclusive access to the value.
  @inlinable public func withLock<Result, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    mutex.lock()
    defer { mutex.unlock() }
    return try unsafe body(&state)
  }
}
