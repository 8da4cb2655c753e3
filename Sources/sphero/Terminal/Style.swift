// How wide a page is, and whether it has colours.

import SpheroProcess

/// Colours and bold letters, or none.
struct Style: Sendable {
  /// Whether escape sequences are printed.
  var hasColor: Bool

  /// No escape sequences.
  static let plain = Style(hasColor: false)

  init(hasColor: Bool) { self.hasColor = hasColor }

  /// What fits a stream.
  init(of stream: StandardStream) {
    hasColor = Self.hasColor(isTerminal: stream.isTerminal) { ProcessContext.environment($0) }
  }

  /// Decides whether escape sequences are printed: the one place.
  ///
  /// - Parameters:
  ///   - isTerminal: Whether a terminal shows them.
  ///   - environment: The value of a variable; nil where it is not set or empty.
  /// - Returns: Never with `NO_COLOR`, else always with `CLICOLOR_FORCE` other than 0, else on a terminal that is not dumb.
  static func hasColor(isTerminal: Bool, _ environment: (String) -> String?) -> Bool {
    if environment("NO_COLOR") != nil { return false }
    if let force = environment("CLICOLOR_FORCE"), force != "0" { return true }
    return isTerminal && isCapable(environment)
  }

  /// Whether the terminal knows escape sequences.
  static var isCapable: Bool { isCapable { ProcessContext.environment($0) } }

  private static func isCapable(_ environment: (String) -> String?) -> Bool {
    environment("TERM") != nil && environment("TERM") != "dumb"
  }

  /// Bold letters (ECMA-48, SGR 1).
  func bold(_ text: String) -> String { hasColor ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  /// Red letters, for what went wrong (SGR 31).
  func red(_ text: String) -> String { hasColor ? "\u{1B}[31m\(text)\u{1B}[0m" : text }
  /// A patch of a colour (SGR 48;2); nothing without colours.
  func patch(red: UInt8, green: UInt8, blue: UInt8) -> String {
    hasColor ? "\u{1B}[48;2;\(red);\(green);\(blue)m    \u{1B}[0m  " : ""
  }
}

/// How wide a page is.
enum Width {
  /// The columns for a page on a stream.
  static func columns(of stream: StandardStream) -> Int {
    columns(stated: ProcessContext.environment("COLUMNS"), window: stream.columns)
  }

  /// What is stated, else the window, else 80; not so narrow that labels do not fit, nor so wide that lines are hard to read.
  static func columns(stated: String?, window: Int?) -> Int {
    let stated = stated.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    let window = window.flatMap { $0 > 0 ? $0 : nil }
    return min(max(stated ?? window ?? 80, 40), 120)
  }
}
