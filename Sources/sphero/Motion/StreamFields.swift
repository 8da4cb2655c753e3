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
  static var words: [String] { SensorMask.words + [motion] }
  static var isList: Bool { true }

  static func fault(in word: String, of name: String) -> UsageError? {
    let advice = "'sphero help masks' lists groups and fields."
    for part in word.split(separator: ",", omittingEmptySubsequences: false) where part != motion {
      do throws(MaskError) { _ = try SensorMask(parsing: part) } catch {
        guard case .unknownName(let part) = error else {
          return UsageError("\(name): \(error.message)", advice: advice)
        }
        return ListFault.error(
          part, in: word, of: name, "is not a sensor field", among: words, advice: advice)
      }
    }
    return nil
  }
  static var allowed: String? { SensorMask.allowed.map { "\(motion), \($0)" } }

  private static let motion = "motion"
}
