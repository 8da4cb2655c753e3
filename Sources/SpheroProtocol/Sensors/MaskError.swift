// Why a text is not a sensor mask.

/// An error in the text of a ``SensorMask``.
@nonexhaustive public enum MaskError: Error, Hashable, Sendable {
  /// The word is neither a group nor a field.
  case unknownName(String)
  /// These bits are reserved, MASK in the upper half: firmware versions treat them differently.
  case reservedBits(UInt64)
}

extension MaskError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String { "\(message). \(advice)" }

  /// What is wrong: one sentence without a full stop.
  public var message: String {
    switch self {
    case .unknownName(let word): "'\(word)' names no sensor field"
    case .reservedBits(let bits): "the bits \(SensorMask(rawValue: bits)) of the masks are reserved"
    }
  }

  /// The next step.
  public var advice: String {
    switch self {
    case .unknownName:
      "Write a group (\(SensorMask.groups.map { $0.key }.joined(separator: ", "))), a field like accel-x, "
        + "or masks like 0x00070000:0xF0000000."
    case .reservedBits: "Leave them out."
    }
  }
}
