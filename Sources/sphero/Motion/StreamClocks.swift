// The times that a sample can have beside the robot's own, as they stand on the command line.

import SpheroMotion
import SpheroSession

/// Which other times are printed, in their order.
struct StreamClocks: Argument {
  var clocks: [SampleTime]

  init() { clocks = [] }

  init?(argument: String) {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.allSatisfy({ SampleTime(rawValue: $0) != nil }) else { return nil }
    clocks = SampleTime.allCases.filter { names.contains($0.rawValue) }
  }

  var argumentText: String? { clocks.isEmpty ? nil : clocks.map(\.rawValue).joined(separator: ",") }
  static var placeholder: String { "list" }
  static var allowed: String? { words.joined(separator: ", ") }
  static var words: [String] { SampleTime.allCases.map(\.rawValue) }
  static var isList: Bool { true }
  static func fault(in word: String, of name: String) -> UsageError? {
    ListFault.first(
      in: word, of: name, "is not a time", among: words,
      advice: "The times are \(words.joined(separator: " and ")).")
  }
}

extension StreamClocks {
  /// The option that names them, for a live stream and a recorded one.
  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option(
      "times", nil, &self,
      "Also print when each sample was measured, in seconds since 1970, and when its packet came, "
        + "in seconds since the first one did.")
  }
}
