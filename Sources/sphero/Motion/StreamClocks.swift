// The times that a sample can have beside the robot's own, as they stand on the command line.

import SpheroProtocol
import SpheroSession

/// Which other times are printed, in their order.
struct StreamClocks: Argument {
  /// One of them.
  enum Clock: String, CaseIterable {
    /// When the sample was measured, since 1970.
    case wall
    /// When its packet came, since the first packet did.
    case arrival

    func value(of sample: TimedSample) -> FieldValue {
      switch self {
      case .wall: .seconds(sample.wallClock)
      case .arrival: .seconds(sample.arrival)
      }
    }
  }

  var clocks: [Clock]

  init() { clocks = [] }

  init?(argument: String) {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.allSatisfy({ Clock(rawValue: $0) != nil }) else { return nil }
    clocks = Clock.allCases.filter { names.contains($0.rawValue) }
  }

  var argumentText: String? { clocks.isEmpty ? nil : clocks.map(\.rawValue).joined(separator: ",") }
  static var placeholder: String { "list" }
  static var allowed: String? { words.joined(separator: ", ") }
  static var words: [String] { Clock.allCases.map(\.rawValue) }
  static var isList: Bool { true }
  static func fault(in word: String, of name: String) -> UsageError? {
    ListFault.first(
      in: word, of: name, "is no time", among: words,
      advice: "The times are \(words.joined(separator: " and ")).")
  }
}
