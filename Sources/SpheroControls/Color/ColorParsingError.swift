// The errors of parsing a colour.

/// An invalid text of a colour.
@nonexhaustive public enum ColorParsingError: Error, Hashable, Sendable {
  /// The text has no leading `#` and is not the name of a ``NamedColor``.
  case unknownName(String)
  /// The number of digits after the `#` is not 3 or 6.
  case digitCount(Int)
  /// A character is not a hexadecimal digit; `offset` counts characters, with the `#` at 0.
  case notHexadecimal(Character, offset: Int)
  /// The number of words is not 1 or 3.
  case partCount(Int)
  /// The text of a component, `red`, `green` or `blue`, is not a number 0...255.
  case notAByte(String, of: String)
}

extension ColorParsingError: CustomStringConvertible {
  public var description: String { "\(message). \(advice)" }

  /// What is wrong: one sentence without a full stop.
  public var message: String {
    switch self {
    case .unknownName(let name): "\"\(name)\" is not a colour name"
    case .digitCount(let count): "a colour has 3 or 6 hexadecimal digits after the #, not \(count)"
    case .notHexadecimal(let character, let offset):
      "\"\(character)\" at offset \(offset) is not a hexadecimal digit"
    case .partCount(let count): "a colour is one word or three numbers, not \(count) words"
    case .notAByte(let text, let name): "\"\(text)\" is not a value for \(name)"
    }
  }

  /// The next step.
  public var advice: String {
    switch self {
    case .unknownName: "Write a name such as \"red\", or #rrggbb."
    case .digitCount, .notHexadecimal: "Write #rrggbb or #rgb."
    case .partCount: "Write red, green and blue as numbers 0...255, a name, or #rrggbb."
    case .notAByte: "Write a number 0...255."
    }
  }
}
