// The diagnosis of a robot: what `sphero doctor` examines.

package import SpheroProtocol
import SpheroSystem
import SpheroTransport

/// The finding of one check of a robot.
public struct Diagnosis: Hashable, Sendable {
  /// The severity of a finding.
  public enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// It works.
    case good
    /// It works with limitations, or not for long.
    case doubtful
    /// It does not work.
    case bad
  }

  /// The subject of the check in one word, like `battery`.
  public var subject: String
  /// The severity of the finding.
  public var verdict: Verdict
  /// The finding, without a full stop.
  public var statement: String
  /// The next step in whole sentences; nil if none is needed.
  public var advice: String?

  public init(_ subject: String, _ verdict: Verdict, _ statement: String, advice: String? = nil) {
    (self.subject, self.verdict, self.statement, self.advice) = (subject, verdict, statement, advice)
  }
}

extension Diagnosis {
  /// `repeated` is the number of retries; the times are round trips.
  package static func answers(
    asked: Int, repeated: Int, unanswered: Int, median: Duration, longest: Duration
  ) -> Diagnosis {
    let answered = asked - unanswered
    let count = "\(answered) of \(asked) pings answered"
    guard answered > 0 else {
      return Diagnosis("answers", .bad, count, advice: "Move closer to the robot, and charge it.")
    }
    func milliseconds(_ time: Duration) -> String {
      let count = time / .milliseconds(1)
      return Decimal.text(count, digits: count < 9.95 ? 1 : 0) + " ms"
    }
    let times = "median \(milliseconds(median)), longest \(milliseconds(longest))"
    if unanswered > 0 || repeated > 0 {
      let again = repeated > 0 ? ", \(repeated) sent again" : ""
      return Diagnosis(
        "answers", .doubtful, "\(count)\(again); \(times)",
        advice: "Move closer, or away from other 2.4 GHz transmitters; programs should wait and retry.")
    }
    if median > .milliseconds(300) {
      return Diagnosis(
        "answers", .doubtful, "\(count), but slowly; \(times)",
        advice: "Ask for fewer samples a second, and close other programs that use Bluetooth.")
    }
    return Diagnosis("answers", .good, "\(count); \(times)")
  }

  package static func bytes(_ statistics: PacketDecoder.Statistics) -> Diagnosis {
    guard statistics.badChecksums > 0 || statistics.discarded > 0 else {
      return Diagnosis("bytes", .good, "\(statistics.packets) packets, none damaged")
    }
    return Diagnosis(
      "bytes", .doubtful,
      "\(statistics.packets) packets, \(statistics.badChecksums) wrong checksums, "
        + "\(statistics.discarded) bytes that belong to no packet",
      advice:
        "Some such bytes are normal after connecting. If their number grows, move closer, and make sure "
        + "that no other program reads the port.")
  }

  package static func firmware(_ version: Core.GetVersioning.Response) -> Diagnosis {
    let model = version.model.description
    let text = "\(model), firmware \(version.mainAppVersion).\(version.mainAppRevision)"
    guard !Core.GetVersioning.Model.names.contains(where: { $0.key == version.model }) else {
      return Diagnosis("firmware", .good, text)
    }
    return Diagnosis(
      "firmware", .doubtful, text,
      advice: "This model is not documented; its sensors may use another scale.")
  }

  /// The model determines the charge if the voltages of its battery are known.
  package static func battery(
    _ power: Core.GetPowerState.Response, of model: Core.GetVersioning.Model? = nil
  ) -> Diagnosis {
    let volts = "\(Decimal.text(power.voltage, digits: 2)) V"
    let charge = model?.traits.charge(at: power.voltage).map { ", \(Int(($0 * 100).rounded())) %" } ?? ""
    let text = "\(volts)\(charge), \(power.state)"
    return switch power.state {
    case .ok, .charging: Diagnosis("battery", .good, text)
    case .low:
      Diagnosis("battery", .doubtful, text, advice: "Charge it soon: it sleeps by itself when it is empty.")
    case .critical: Diagnosis("battery", .bad, text, advice: "Charge it now: it is about to sleep.")
    default: Diagnosis("battery", .doubtful, text, advice: "This state is not documented.")
    }
  }

  package static func mode(_ mode: Settings.DeviceMode) -> Diagnosis {
    if mode == .normal { return Diagnosis("mode", .good, "only packets use the line") }
    return Diagnosis(
      "mode", .doubtful, "the robot is in mode \(mode); a text shell may share the line with the packets",
      advice: "Leave it with 'sphero raw Settings.SetDeviceMode mode=normal' unless you use the shell.")
  }

  /// A temporary option stops the ball when the link drops; `isOld` is firmware before 1.46, which lacks it.
  package static func stopping(
    knowsTemporaryOptions: Bool, permanent: Settings.PermanentOptions?, isOld: Bool
  ) -> Diagnosis {
    let statement =
      switch (knowsTemporaryOptions, permanent?.contains(.motionTimeouts) == true) {
      case (true, true): "stops when the link drops, and when no commands arrive"
      case (true, false): "stops when the link drops; motion timeouts are off, the factory setting"
      case (false, true): "stops when no commands arrive, but not when the link drops"
      case (false, false): "nothing stops the ball when the link drops"
      }
    if knowsTemporaryOptions { return Diagnosis("stopping", .good, statement) }
    let (finding, advice) =
      isOld
      ? (statement, "Its firmware is older than 1.46; keep it where you can catch it.")
      : (
        "the robot does not report whether it stops when the link drops",
        "Keep it where you can catch it. A recording reports only what was asked for."
      )
    return Diagnosis("stopping", .doubtful, finding, advice: advice)
  }

  /// `macro` is 0 without one; output is the only sign of a program in BASIC.
  package static func program(macro: UInt8, prints: Bool) -> Diagnosis? {
    guard macro != 0 || prints else { return nil }
    return Diagnosis(
      "program", .doubtful, (macro != 0 ? "macro \(macro)" : "a program in BASIC") + " runs inside the robot",
      advice: "It may move the ball at any time; 'sphero stop' ends it.")
  }

  /// `speed` is in cm/s, of a ball that the session does not move; less than 5 counts as rest.
  package static func motion(speed: UInt16) -> Diagnosis? {
    guard speed >= 5 else { return nil }
    return Diagnosis(
      "motion", .doubtful, "the ball moves at \(speed) cm/s without a command of this session",
      advice:
        "Unless it is pushed, a program inside it or another client moves it; 'sphero stop' ends programs.")
  }

  /// Nil for a notice that does not concern the robot's health.
  package static func remark(_ notice: Notice) -> Diagnosis? {
    switch notice {
    case .strayStream:
      Diagnosis(
        "stream", .doubtful, notice.description,
        advice: "Nothing is left to do, unless another program streams from this robot: then end it.")
    case .bootloader: Diagnosis("program", .bad, notice.description)
    case .echo:
      Diagnosis("echo", .doubtful, notice.description, advice: "Make sure that the port is the robot's.")
    case .unresponsive:
      Diagnosis("answers", .bad, notice.description, advice: "Wake the robot, or move closer.")
    default: nil
    }
  }
}

extension Robot {
  /// Examines firmware, battery, mode, stop options, link, running programs and motion of the robot, and the received
  /// bytes; changes nothing.
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
    var model: Core.GetVersioning.Model?
    // An unknown version does not explain a missing option.
    var isOld = false
    try await examine("firmware", report) {
      guard let version = try await self.known(Core.GetVersioning()) else { return nil }
      model = version.model
      isOld = (version.mainAppVersion, version.mainAppRevision) < (1, 46)
      return .firmware(version)
    }
    try await examine("battery", report) {
      try await self.known(Core.GetPowerState()).map { .battery($0, of: model) }
    }
    try await examine("mode", report) {
      try await self.known(SpheroProtocol.Settings.GetDeviceMode()).map { .mode($0.mode) }
    }
    try await examine("stopping", report) {
      let temporary = try await self.known(SpheroProtocol.Settings.GetTemporaryOptions())
      let permanent = try await self.known(SpheroProtocol.Settings.GetPermanentOptions())
      return .stopping(
        knowsTemporaryOptions: temporary != nil, permanent: permanent?.flags, isOld: isOld)
    }
    let hasPrinted = Locked(false)
    let prints = events(of: OrbBasic.PrintMessage.self)
    async let _: Void = { for try await _ in prints { hasPrinted.withLock { $0 = true } } }()
    try await report(try await answers(to: max(1, pings)))
    // A robot without macros refuses the query, and an answer may be lost.
    let macro = (try? await send(Macros.GetMacroStatus()).macro) ?? 0
    if let diagnosis = Diagnosis.program(macro: macro, prints: hasPrinted.withLock { $0 }) {
      try await report(diagnosis)
    }
    try await examine("motion", report) {
      guard conversation.stops.isEmpty else { return nil }
      let diagnosis = try await self.motionDiagnosis()
      // The heading is unknown if a program or another session has moved the ball last.
      guard diagnosis != nil, conversation.heading != nil else { return diagnosis }
      // A ball that this session has stopped rolls out for up to a second.
      try await time.sleep(for: .seconds(2))
      return try await self.motionDiagnosis()
    }
    try await report(.bytes(statistics.decoder))
  }

  private func motionDiagnosis() async throws -> Diagnosis? {
    try await known(Sensing.ReadLocator()).flatMap { .motion(speed: $0.speed) }
  }

  /// Reports a diagnosis; without an answer, or if it is malformed, the report is doubtful and states the error.
  private func examine(
    _ subject: String, _ report: @Sendable (Diagnosis) async throws -> Void,
    _ diagnosis: () async throws -> Diagnosis?
  ) async throws {
    do {
      if let diagnosis = try await diagnosis() { try await report(diagnosis) }
    } catch let error as SessionError where error.isLinkError || error.isMalformed {
      try await report(Diagnosis(subject, .doubtful, error.message, advice: error.advice))
    }
  }

  private func answers(to pings: Int) async throws -> Diagnosis {
    let before = statistics.repetitions
    var times: [Duration] = []
    for _ in 0..<pings {
      do { times.append(try await ping()) } catch let error as SessionError
        where error.isLinkError
      {}
    }
    times.sort()
    return .answers(
      asked: pings, repeated: statistics.repetitions - before, unanswered: pings - times.count,
      median: times.isEmpty ? .zero : times[times.count / 2], longest: times.last ?? .zero)
  }

  /// Sends a command; returns nil if the robot refuses it, as firmware that does not know the command does.
  package func known<C: Command>(_ command: C) async throws -> C.Response? {
    do { return try await send(command) } catch SessionError.refused(_, let status)
      where !status.isLinkError
    {
      return nil
    }
  }
}
