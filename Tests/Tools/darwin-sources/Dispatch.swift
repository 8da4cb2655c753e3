// Stub of the Dispatch declarations that Sources use, because Apple's headers require Objective-C for them.

/// A counting semaphore.
public final class DispatchSemaphore: @unchecked Sendable {
  /// Creates a semaphore.
  public init(value: Int) {}
  /// Increments the count.
  @discardableResult public func signal() -> Int { 0 }
  /// Waits until the count is positive, and decrements it.
  public func wait() {}
  /// Waits with a timeout.
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
}
/// The result of waiting with a timeout.
public enum DispatchTimeoutResult { case success, timedOut }
/// A time of the clock that stops during system sleep.
public struct DispatchTime: Sendable {
  /// The current time.
  public static func now() -> DispatchTime { DispatchTime() }
  /// A later time.
  public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
  /// A later time.
  public static func + (time: DispatchTime, seconds: Double) -> DispatchTime { time }
}
/// A duration.
public enum DispatchTimeInterval: Sendable {
  case milliseconds(Int)
  case seconds(Int)
}
/// A serial queue of closures.
public final class DispatchQueue: @unchecked Sendable {
  /// Creates a queue.
  public init(label: String) {}
  /// Enqueues a closure.
  public func async(execute work: @escaping @Sendable () -> Void) {}
  /// Enqueues a closure at a deadline.
  public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable () -> Void) {}
  /// Runs a closure on the queue and waits for its result.
  public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }
}
