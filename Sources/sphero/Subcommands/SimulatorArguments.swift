// The options of simulated robots.

import SpheroProtocol
import SpheroSimulator

/// The options of simulated robots: individual ones, and all in one text as after `sim:`.
struct SimulatorArguments: Sendable {
  private var values: [String: String] = [:]
  private var faults: CommaList?
  private var options: CommaList?

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    for (name, form, text) in SimulatorOptions.settings {
      let help = form == "TIME" ? "\(text) (\(Duration.writtenForms))" : text
      try line.option(name, nil, &values[name], as: form == "FILE" ? .file : .form(form.lowercased()), help)
    }
    try line.option(
      "fault", nil, &faults, as: .words(SimulatorOptions.faultNames.map { "\($0)=" }),
      "What goes wrong on each line, like drop=1%,close=10s:3s: \(SimulatorOptions.faultNames.joined(separator: ", "))."
    )
    try line.option(
      "options", "o", &options, "All of these options in one string, as after 'sim:': model=ollie,drop=1%.")
  }

  /// Combines the options; the text of `--options` has priority.
  func parsed() throws(UsageError) -> SimulatorOptions {
    var parsed = SimulatorOptions()
    for (name, form, _) in SimulatorOptions.settings {
      guard let value = values[name] else { continue }
      guard parsed.set(name, to: value) else {
        throw UsageError("'\(value)' is not a value for --\(name); \(Self.advice(for: form))")
      }
    }
    do throws(SimulatorOptionError) {
      try parsed.applyFaults(faults?.text ?? "")
      try parsed.apply(options?.text ?? "")
    } catch { throw UsageError(error.description) }
    return parsed
  }

  /// The advice for an invalid value.
  private static func advice(for form: String) -> String {
    switch form {
    case "TIME": "it can be \(Duration.writtenForms)"
    case "PERCENT": "write a part like 30% or 0.3"
    case "N": "write a whole number"
    default: "it can be \(form)"
    }
  }
}
