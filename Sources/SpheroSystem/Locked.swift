// A value that a mutex protects.

/// A value that a mutex protects.
///
/// The closure must be short: no lock is held across a suspension.
/// The class is public only because the compiler does not inline `package` functions into other modules.
public final class Locked<State>: @unchecked Sendable {
  @usableFromInline let mutex = Mutex()
  /// The mutex ensures exclusive access.
  @exclusivity(unchecked) @usableFromInline var state: State

  public init(_ state: sending State) { unsafe self.state = state }

  /// Calls a closure with exclusive access to the value.
  @inlinable public func withLock<Result, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    mutex.lock()
    defer { mutex.unlock() }
    return try unsafe body(&state)
  }
}
