// Examines a robot: everything that can be asked without changing it.

package import SpheroProtocol

extension Robot {
  /// Looks at all that people ask about a robot that does not do what it should; changes nothing.
  ///
  /// A question that the robot's firmware does not know is left out.
  ///
  /// - Parameters:
  ///   - pings: How many answers to measure.
  ///   - report: Gets each diagnosis as it is made.
  /// - Throws: As ``send(_:timeout:)``, where the link is lost; what `report` throws.
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

  /// Reports what a question brings; that its answers are lost is a diagnosis too.
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

  /// The answer, or nil where the robot's firmware does not know the question.
  package func known<C: Command>(_ command: C) async throws -> C.Response? {
    do { return try await send(command) } catch SessionError.refused(_, let status)
      where !status.isOfLink
    {
      return nil
    }
  }
}
