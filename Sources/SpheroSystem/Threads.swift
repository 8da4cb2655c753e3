// Values that a mutex protects, and threads.

import SpheroLibc

/// A value that a POSIX mutex protects, which ThreadSanitizer understands on every system.
///
/// The closures that use it must be short: no lock is held across a suspension.
/// The class is public only because the compiler does not inline `package` functions into other modules.
@safe public final class Locked<State>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  /// The mutex ensures exclusive access.
  @exclusivity(unchecked) @usableFromInline var state: State

  public init(_ state: sending State) {
    unsafe mutex = .allocate(capacity: 1)
    // A mutex must not move; the address is stable until `deinit`.
    unsafe pthread_mutex_init(mutex, nil)
    unsafe self.state = state
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  @usableFromInline func lock() { unsafe pthread_mutex_lock(mutex) }
  @usableFromInline func unlock() { unsafe pthread_mutex_unlock(mutex) }

  /// Calls a closure with exclusive access to the value.
  @inlinable public func withLock<Result, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    lock()
    defer { unlock() }
    return try unsafe body(&state)
  }
}

/// A thread that runs until its body returns; its creator must join or detach it.
@safe package final class Thread: @unchecked Sendable {
  #if canImport(Darwin)
    private var handle: pthread_t?
  #else
    private var handle = pthread_t()
  #endif

  /// Starts a thread; throws if the system cannot create it.
  package init(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    // The thread consumes this reference.
    let box = unsafe Unmanaged.passRetained(Box(body))
    let failure = unsafe pthread_create(&handle, nil, { unsafe Box.run($0) }, box.toOpaque())
    guard failure == 0 else {
      unsafe box.release()
      throw SystemError(code: failure)
    }
  }

  private final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      if let context = unsafe context { unsafe Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
      return nil
    }
  }

  #if canImport(Darwin)
    /// Lets the thread end by itself.
    package func detach() { if let handle = unsafe handle { _ = unsafe pthread_detach(handle) } }

    package func join() { if let handle = unsafe handle { _ = unsafe pthread_join(handle, nil) } }
  #else
    /// Lets the thread end by itself.
    package func detach() { _ = pthread_detach(handle) }

    package func join() { _ = pthread_join(handle, nil) }
  #endif
}
