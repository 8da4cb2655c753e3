// Why a text is not a colour: where, and what would do.

/// Why a text is not a colour.
public struct ColorParsingError: Error, Hashable, Sendable {
  /// What is wrong; later versions of the library may have more codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, like `digitCount`.
    public let description: String
    private init(_ name: String) { description = name }

    /// The text has no `#` in front, and is not the name of a ``NamedColor``.
    public static let unknownName = Code("unknownName")
    /// There are neither 3 nor 6 digits after the `#`.
    public static let digitCount = Code("digitCount")
    /// A character after the `#` is not a hexadecimal digit.
    public static let notHexadecimal = Code("notHexadecimal")
    /// There are several words or numbers, but not three.
    public static let partCount = Code("partCount")
    /// One of three parts is not a number 0...255.
    public static let notAByte = Code("notAByte")
  }

  /// What is wrong.
  public let code: Code
  /// One sentence for people, without a full stop.
  public let message: String
  /// The next step.
  public let advice: String
  /// What was seen there: the name, the character or the number; nil where the count is wrong.
  public private(set) var seen: String?
  /// Where, in characters from the `#` at 0; nil where the whole text is wrong.
  public private(set) var offset: Int?
  /// How many digits or words there are; nil where the count is not the matter.
  public private(set) var count: Int?

  private init(_ code: Code, _ message: String, advice: String = "Write #rrggbb or #rgb.") {
    (self.code, self.message, self.advice) = (code, message, advice)
  }

  /// The text has no `#` in front, and is not the name of a ``NamedColor``.
  public static func unknownName(_ name: String) -> ColorParsingError {
    var error = ColorParsingError(
      .unknownName, "\"\(name)\" is not a colour name",
      advice: "Write a name such as \"red\", or #rrggbb.")
    error.seen = name
    return error
  }

  /// There are neither 3 nor 6 digits after the `#`, but so many.
  public static func digitCount(_ count: Int) -> ColorParsingError {
    var error = ColorParsingError(
      .digitCount, "a colour has 3 or 6 hexadecimal digits after the #, not \(count)")
    error.count = count
    return error
  }

  /// A character after the `#` is not a hexadecimal digit; the offset counts characters from the `#` at 0.
  public static func notHexadecimal(_ character: Character, offset: Int) -> ColorParsingError {
    var error = ColorParsingError(
      .notHexadecimal, "\"\(character)\" at offset \(offset) is not a hexadecimal digit")
    (error.seen, error.offset) = (String(character), offset)
    return error
  }

  /// There are several words or numbers, but not three.
  public static func partCount(_ count: Int) -> ColorParsingError {
    var error = ColorParsingError(
      .partCount, "a colour is one word or three numbers, not \(count) words",
      advice: "Write red, green and blue as numbers 0...255, a name, or #rrggbb.")
    error.count = count
    return error
  }

  /// One of three parts is not a number 0...255; the name is the part's.
  public static func notAByte(_ text: String, of name: String) -> ColorParsingError {
    var error = ColorParsingError(
      .notAByte, "\"\(text)\" is not a value for \(name)", advice: "Write a number 0...255.")
    error.seen = text
    return error
  }
}

extension ColorParsingError: CustomStringConvertible {
  /// What is wrong, and the next step.
  public var description: String { "\(message). \(advice)" }
}
