// JSON as text, without Foundation.

/// Pieces of JSON (RFC 8259).
public enum JSON {
  /// A string with what must be escaped: quotation mark, backslash and control characters.
  public static func text(_ text: String) -> String {
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
public struct JSONObject {
  private var members: [String] = []

  /// Starts with no members.
  public init() {}

  /// Adds a member.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - value: Its value, as JSON.
  public mutating func add(_ name: String, _ value: String) { members.append(JSON.text(name) + ":" + value) }

  /// The object on one line.
  public var text: String { "{" + members.joined(separator: ",") + "}" }
}
