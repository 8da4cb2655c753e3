// What to stream, as it stands on the command line: the fields of the wire, and motion that is made of them.

import SpheroProtocol
import SpheroSession

/// The fields to print.
struct StreamFields: Argument {
  /// The fields of the wire.
  var mask: SensorMask
  /// Whether the motion that is made of others is printed too.
  var hasMotion = false

  /// What has to be streamed for them.
  var streamedMask: SensorMask { hasMotion ? mask.union(.motion) : mask }

  init(_ mask: SensorMask) { self.mask = mask }

  init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    let names = words.filter { $0.lowercased().filter { $0 != " " } != Self.motion }
    hasMotion = names.count < words.count
    if names.isEmpty {
      mask = []
    } else if let mask = SensorMask(argument: names.joined(separator: ",")) {
      self.mask = mask
    } else {
      return nil
    }
  }

  var argumentText: String? {
    [mask.argumentText, hasMotion ? Self.motion : nil].compactMap { $0 }.filter { !$0.isEmpty }
      .joined(separator: ",")
  }
  static var placeholder: String { SensorMask.placeholder }
  static var allowed: String? { SensorMask.allowed.map { "\(motion), \($0)" } }

  private static let motion = "motion"
}
