// Why a text names no sensor fields: the word or the bits, and what would do.

/// Why a text names no sensor fields.
public struct MaskError: Error, Hashable, Sendable {
  /// What is wrong; later versions of the library may have more codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, like `unknownName`.
    public let description: String
    private init(_ name: String) { description = name }

    /// The word is neither a group nor a field.
    public static let unknownName = Code("unknownName")
    /// The bits are reserved: firmware differs in what it does with them.
    public static let reservedBits = Code("reservedBits")
  }

  /// What is wrong.
  public let code: Code
  /// One sentence for people, without a full stop.
  public let message: String
  /// The next step.
  public let advice: String
  /// The word that means nothing; nil where bits are wrong.
  public private(set) var word: String?
  /// The reserved bits, MASK in the upper half; nil where a word is wrong.
  public private(set) var bits: UInt64?

  private init(_ code: Code, _ message: String, advice: String) {
    (self.code, self.message, self.advice) = (code, message, advice)
  }

  /// The word is neither a group nor a field.
  public static func unknownName(_ word: String) -> MaskError {
    let groups = SensorMask.groups.map { $0.key }.joined(separator: ", ")
    var error = MaskError(
      .unknownName, "'\(word)' names no sensor field",
      advice: "Write a group (\(groups)), a field like accel-x, or masks like 0x00070000:0xF0000000.")
    error.word = word
    return error
  }

  /// These bits are reserved: firmware differs in what it does with them.
  public static func reservedBits(_ bits: UInt64) -> MaskError {
    var error = MaskError(
      .reservedBits, "the bits \(SensorMask(rawValue: bits)) of the masks are reserved",
      advice: "Leave them out.")
    error.bits = bits
    return error
  }
}

extension MaskError: CustomStringConvertible {
  /// What is wrong, and the next step.
  public var description: String { "\(message). \(advice)" }
}
