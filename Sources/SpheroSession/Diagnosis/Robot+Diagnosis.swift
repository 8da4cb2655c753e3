// The examination of a robot by queries that change nothing.

package import SpheroProtocol

extension Robot {
  /// Examines firmware, battery, mode, stop options and link of the robot; changes nothing.
  ///
  /// Queries that the firmware does not know are skipped.
  ///
  /// - Parameters:
  ///   - pings: The number of round trips to measure.
  ///   - report: Receives each diagnosis.
  /// - Throws: As ``send(_:timeout:)`` if the link is lost; the errors of `report`.
  public func diagnose(
    pings: Int = 20, report: @Sendable (Diagnosis) async throws -> Void
  ) async throws {
    try await examine("firmware", report) { .firmware(try await self.send(Core.GetVersioning())) }
    try await examine("battery", report) { try await self.known(Core.GetPowerState()).map(Diagnosis.battery) }
    try await examine("mode", report) {
      try await self.known(SpheroProtocol.Settings.GetDeviceMode()).map { .mode($0.mode) }
    }
    try await examine("stopping", report) {
      let temporary = try await self.known(SpheroProtocol.Settings.GetTemporaryOptions())
      let permanent = try await self.known(SpheroProtocol.Settings.GetPermanentOptions())
      return .stopping(knowsTemporaryOptions: temporary != nil, permanent: permanent?.flags)
    }
    try await report(try await answers(to: max(1, pings)))
    try await report(.bytes(statistics.decoder))
  }

  /// Reports a diagnosis; lost answers are a diagnosis as well.
  private func examine(
    _ subject: String, _ report: @Sendable (Diagnosis) async throws -> Void,
    _ diagnosis: () async throws -> Diagnosis?
  ) async throws {
    do {
      if let diagnosis = try await diagnosis() { try await report(diagnosis) }
    } catch let error as SessionError where error.isOfLink {
      try await report(Diagnosis(subject, .doubtful, error.message, advice: error.advice))
    }
  }

  private func answers(to pings: Int) async throws -> Diagnosis {
    let before = statistics.repetitions
    var times: [Duration] = []
    for _ in 0..<pings {
      do { times.append(try await ping()) } catch let error as SessionError
        where error.isOfLink
      {}
    }
    times.sort()
    return .answers(
      asked: pings, repeated: statistics.repetitions - before, unanswered: pings - times.count,
      median: times.isEmpty ? .zero : times[times.count / 2], longest: times.last ?? .zero)
  }

  /// Sends a command; returns nil if the firmware does not know it.
  package func known<C: Command>(_ command: C) async throws -> C.Response? {
    do { return try await send(command) } catch SessionError.refused(_, let status)
      where !status.isOfLink
    {
      return nil
    }
  }
}
