// Escape sequences for colours and bold text.

import SpheroProcess

struct Style: Sendable {
  /// Whether escape sequences are printed.
  var hasColor: Bool

  init(hasColor: Bool) { self.hasColor = hasColor }

  init(of stream: StandardStream) {
    hasColor = Self.hasColor(isTerminal: stream.isTerminal) { ProcessContext.environment($0) }
  }

  /// Whether escape sequences are printed: never with `NO_COLOR`, else always with a `CLICOLOR_FORCE` other than 0,
  /// else on a terminal that is not dumb. `environment` returns nil for an unset or empty variable.
  static func hasColor(isTerminal: Bool, _ environment: (String) -> String?) -> Bool {
    if environment("NO_COLOR") != nil { return false }
    if let force = environment("CLICOLOR_FORCE"), force != "0" { return true }
    return isTerminal && isCapable(environment)
  }

  /// Whether the terminal supports escape sequences.
  static var isCapable: Bool { isCapable { ProcessContext.environment($0) } }

  private static func isCapable(_ environment: (String) -> String?) -> Bool {
    environment("TERM") != nil && environment("TERM") != "dumb"
  }

  // ECMA-48, SGR 1, 31 and 48;2.
  func bold(_ text: String) -> String { hasColor ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  func red(_ text: String) -> String { hasColor ? "\u{1B}[31m\(text)\u{1B}[0m" : text }
  /// Four cells of a colour and two blank ones; empty without colours.
  func patch(red: UInt8, green: UInt8, blue: UInt8) -> String {
    hasColor ? "\u{1B}[48;2;\(red);\(green);\(blue)m    \u{1B}[0m  " : ""
  }
}
