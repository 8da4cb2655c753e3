// Why a recording cannot be replayed, or no further.

import SpheroProtocol

/// Why a recording cannot be replayed, or no further.
public struct ReplayError: Error, Hashable, Sendable {
  /// What is wrong; later versions of the library may have more codes, so a switch has a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, like `unexpected`.
    public let description: String
    private init(_ name: String) { description = name }

    /// The host sent something else than was recorded.
    public static let unexpected = Code("unexpected")
    /// Lines are missing in the recording, so it cannot be replayed strictly; ``ReplayError/mark`` says where.
    public static let incomplete = Code("incomplete")
    /// The recording holds nothing that could be replayed.
    public static let empty = Code("empty")
    /// The file is too long: ``ReplayError/limit``.
    public static let tooLong = Code("tooLong")
  }

  /// What is wrong.
  public let code: Code
  /// One sentence for people, without a full stop.
  public let message: String
  /// The next step.
  public let advice: String
  /// What the host sent; empty where that is not the matter.
  public private(set) var seen: [UInt8] = []
  /// What was recorded instead; nil where the recording has no more commands, or that is not the matter.
  public private(set) var expected: [UInt8]?
  /// What is missing in the recording, and where.
  public private(set) var mark: CaptureMark?
  /// The most bytes that a file may have, where it has more.
  public private(set) var limit: Int?

  private init(_ code: Code, _ message: String, advice: String) {
    (self.code, self.message, self.advice) = (code, message, advice)
  }

  /// The host sent something else than was recorded; `expected` is nil where the recording has no more commands.
  public static func unexpected(seen: [UInt8], expected: [UInt8]?) -> ReplayError {
    var error = ReplayError(
      .unexpected,
      "the recording continues differently: expected "
        + (expected.map(sentence) ?? "no more commands") + ", saw " + sentence(seen),
      advice: "Send what was recorded, or replay it in the mode 'loose'.")
    (error.seen, error.expected) = (seen, expected)
    return error
  }

  /// Lines are missing in the recording, so it cannot be replayed strictly; the mark says where.
  public static func incomplete(_ mark: CaptureMark) -> ReplayError {
    var error = ReplayError(
      .incomplete, "the recording is incomplete, so it cannot be replayed strictly: \(mark)",
      advice: "Replay it in the mode 'loose', or record it again.")
    error.mark = mark
    return error
  }

  /// The recording holds nothing that could be replayed.
  public static let empty = ReplayError(
    .empty, "the recording holds nothing to replay", advice: "Record a conversation with a robot.")

  /// The file is longer than this many bytes.
  public static func tooLong(limit: Int) -> ReplayError {
    var error = ReplayError(
      .tooLong, "the recording is longer than \(limit) bytes", advice: "Cut it into parts.")
    error.limit = limit
    return error
  }

  /// The packets among the bytes, with their meaning.
  private static func sentence(_ bytes: [UInt8]) -> String {
    var dissector = Dissector()
    let items = dissector.append(bytes, from: .host) + dissector.finish()
    return items.map { "\($0.meaning) (\(Hexadecimal.text($0.bytes)))" }.joined(separator: ", ")
  }
}

extension ReplayError: CustomStringConvertible {
  /// What is wrong, and the next step.
  public var description: String { "\(message). \(advice)" }
}
