// Waits for a condition that another process or thread fulfils.

/// Waits until a condition is true; the default limit allows for a busy computer.
///
/// - Parameters:
///   - limit: The time-out.
///   - pause: The poll interval.
///   - isolation: The actor of the caller, on which `holds` runs.
///   - holds: The condition.
/// - Returns: Whether it became true before the time-out.
/// - Throws: The error of `holds`.
public func eventually(
  within limit: Duration = .seconds(60), every pause: Duration = .milliseconds(10),
  isolation: isolated (any Actor)? = #isolation, _ holds: () async throws -> Bool
) async rethrows -> Bool {
  let end = ContinuousClock.now + limit
  while true {
    if try await holds() { return true }
    guard ContinuousClock.now < end, (try? await Task.sleep(for: pause)) != nil else { return false }
  }
}
