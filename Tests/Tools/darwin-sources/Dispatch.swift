// The names of Dispatch that Sources use; the wheel's headers need Objective-C for them.

/// Counts, and lets threads wait for one more.
public final class DispatchSemaphore: @unchecked Sendable {
  /// Makes a semaphore.
  public init(value: Int) {}
  /// Counts up.
  @discardableResult public func signal() -> Int { 0 }
  /// Waits until the count is above zero.
  public func wait() {}
  /// Waits until then, or until a time.
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
}
/// How waiting ended.
public enum DispatchTimeoutResult { case success, timedOut }
/// A time of the clock that stops while the machine sleeps.
public struct DispatchTime: Sendable {
  /// The present.
  public static func now() -> DispatchTime { DispatchTime() }
  /// A later time.
  public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
  /// A later time.
  public static func + (time: DispatchTime, seconds: Double) -> DispatchTime { time }
}
/// A length of time.
public enum DispatchTimeInterval: Sendable {
  case milliseconds(Int)
  case seconds(Int)
}
/// Runs closures.
public final class DispatchQueue: @unchecked Sendable {
  /// Makes a queue.
  public init(label: String) {}
  /// Runs a closure later.
  public func async(execute work: @escaping @Sendable () -> Void) {}
  /// Runs a closure later than a time.
  public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable () -> Void) {}
  /// Runs a closure and waits for it.
  public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }
}
