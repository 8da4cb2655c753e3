// sphero doctor: diagnoses problems from the device file to the battery.

import SpheroPort
import SpheroProcess
import SpheroProtocol
import SpheroSerial
import SpheroSession
import SpheroSimulator
import SpheroSystem
import SpheroTransport

struct Doctor: Subcommand {
  static let name = "doctor"
  static let abstract = "Finds out why a robot does not answer."
  static let group = SubcommandGroup.start
  static let examples = [
    "sphero doctor", "sphero doctor --port /dev/rfcomm0", "sphero doctor --port sim: --format json",
  ]

  static let sections: KeyValuePairs<String, HelpTable> = [
    "verdicts": [
      "good": "It works.",
      "doubtful": "It works with limitations, or not for long.",
      "bad": "It does not work; the next line says what to do.",
      "exit code": "0 if a robot answers, whatever the verdicts on it are.",
    ]
  ]

  var connection = Connection()
  var pings = 20
  var format = Format.text

  static let columns = ["subject", "verdict", "statement", "advice"].map { Column($0) }

  static func values(_ diagnosis: Diagnosis) -> [FieldValue] {
    [
      .text(diagnosis.subject), .text(diagnosis.verdict.rawValue), .text(diagnosis.statement),
      .text(diagnosis.advice),
    ]
  }

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.option("pings", nil, &pings, as: .count, "How many answers to measure, 12 in a second.")
    try line.option("format", "f", &format, "How to print.")
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    let records = Locked(RecordPrinter(format, kind: "diagnosis", columns: Self.columns))
    /// Prints a diagnosis; in text, without the advice of a bad one if `isFollowed`: the failure that follows has it.
    @Sendable func print(_ diagnosis: Diagnosis, isFollowed: Bool = false) async throws {
      guard format == .text else {
        return try await terminal.print(records.withLock { $0.text(Self.values(diagnosis)) })
      }
      let mark = diagnosis.verdict.rawValue.padded(to: 10) + diagnosis.subject.padded(to: 11)
      var text = mark + diagnosis.statement
      if diagnosis.verdict != .bad || !isFollowed, let advice = diagnosis.advice {
        text += "\n" + String(repeating: " ", count: mark.count) + advice
      }
      try await terminal.print(text)
    }
    let remarks = Locked<[Diagnosis]>([])
    var subject = "port"
    do {
      let port = try connection.resolvedPort()
      if case .simulated(let options) = port { _ = try SimulatorOptions(port: options) }
      try await print(Diagnosis("port", .good, port.description + origin(of: connection)))
      subject = port.kind == .device ? "device" : "link"
      if case .device(let path) = port {
        try await print(Self.diagnosis(of: try SerialDevice.inspect(path)), isFollowed: true)
      }
      let collect: @Sendable (Notice) -> Bool = { notice in
        guard let diagnosis = Diagnosis.remark(notice) else { return false }
        remarks.withLock { $0.append(diagnosis) }
        return true
      }
      func opened(_ opener: PortOpener) { subject = "link" }
      try await connection.withRobot(handles: collect, onOpen: opened) { robot in
        try await print(Diagnosis("link", .good, "the port opens, and a robot answers"))
        subject = "robot"
        try await robot.diagnose(pings: pings) { try await print($0) }
        for diagnosis in remarks.withLock({ $0 }) { try await print(diagnosis) }
      }
    } catch  where !(error is CancellationError || error is OutputError) {
      var failure = Failure(error)
      try await print(Diagnosis(subject, .bad, failure.message, advice: failure.advice))
      // The printed diagnosis contains the advice, so that a saved one is complete; stderr does not repeat it.
      if format == .text { failure.advice = nil }
      throw failure
    }
  }

  private func origin(of connection: Connection) -> String {
    if connection.port != nil { return "" }
    return ProcessContext.environment("SPHERO_PORT") != nil
      ? ", from $SPHERO_PORT" : ", the only device file of a robot"
  }

  private static func diagnosis(of file: (mayOpen: Bool, holder: PortHolder?)) -> Diagnosis {
    if let holder = file.holder {
      return Diagnosis("device", .doubtful, "\(holder) has it open", advice: "End that program first.")
    }
    return file.mayOpen
      ? Diagnosis("device", .good, "a device file that you may open, and that no program holds")
      : Diagnosis("device", .bad, "you may not open it", advice: Advice.permission)
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
