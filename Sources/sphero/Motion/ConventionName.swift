// A convention by its name, as it stands on the command line.

import SpheroOrientation

/// What the robot means by its words and axes.
struct ConventionName: Argument {
  /// The convention of that name.
  let convention: Convention
  private let name: String

  init?(argument: String) {
    guard let found = Convention.named.first(where: { $0.name == argument }) else { return nil }
    (name, convention) = (argument, found.convention)
  }

  var argumentText: String? { name }
  static var placeholder: String { "name" }
  static var allowed: String? { words.joined(separator: ", ") }
  static var words: [String] { Convention.named.map(\.name) }
}
