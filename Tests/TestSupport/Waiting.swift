// Waits for what another process or thread does in its own time.

/// Waits until something holds: a busy machine may take long, so the limit is far beyond what an idle one needs.
///
/// - Parameters:
///   - limit: When it is given up.
///   - pause: The time between two looks.
///   - isolation: The actor of the caller, on which `holds` runs.
///   - holds: Looks whether it holds.
/// - Returns: Whether it held in time.
/// - Throws: What `holds` throws.
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
