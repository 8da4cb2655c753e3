// The wall clock of the system.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension System {
  /// The time since the beginning of 1970 by the wall clock, which may be set while the program runs.
  package static func wallClock() -> Duration {
    var time = timespec()
    // The clock exists on every system, so the call does not fail.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
