// JSON as text, without Foundation.

/// Pieces of JSON (RFC 8259).
package enum JSON {
  /// A string with what must be escaped: quotation mark, backslash and control characters.
  package static func text(_ text: String) -> String {
    var escaped = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": escaped += "\\\""
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\t": escaped += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped + "\""
  }
}

/// The members of an object, in the order in which they are added.
package struct JSONObject {
  private var members: [String] = []

  /// Starts with no members.
  package init() {}

  /// Adds a member.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - value: Its value, as JSON.
  package mutating func add(_ name: String, _ value: String) { members.append(JSON.text(name) + ":" + value) }

  /// Whether it has no members.
  package var isEmpty: Bool { members.isEmpty }

  /// The object on one line.
  package var text: String { "{" + members.joined(separator: ",") + "}" }
}
