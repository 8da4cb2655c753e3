// What a capture consists of: lines with bytes, a header, and marks where something is missing.

public import SpheroProtocol

/// An item of a capture.
///
/// These are all: what happens to a line is a mark, and a mark's kind is open.
public enum CaptureRecord: Hashable, Sendable {
  /// Bytes of one direction.
  case line(CaptureLine)
  /// What is known of the recording as a whole; another header begins another recording.
  case header(CaptureHeader)
  /// Something that happened to the recording or to the line.
  case mark(CaptureMark)

  /// The bytes of one direction, or nil for a header or a mark.
  public var line: CaptureLine? { if case .line(let line) = self { line } else { nil } }
}

extension CaptureRecord: CustomStringConvertible {
  /// The item as a line of text, without a line break.
  public var description: String {
    switch self {
    case .line(let line): line.description
    case .header(let header): header.description
    case .mark(let mark): mark.description
    }
  }
}

/// What is known of a recording as a whole.
///
/// As text it is a comment to programs that do not know it:
/// `#: capture start=2026-11-21T13:36:46.250000Z program="sphero" version="0.1.0" port="/dev/rfcomm0"`.
public struct CaptureHeader: Hashable, Sendable {
  /// When the recording began by the wall clock; the times of the lines count from here.
  public var start: WallTime?
  /// The name of the program that recorded.
  public var program: String?
  /// The version of that program.
  public var version: String?
  /// The port that the line belongs to.
  public var port: String?
  /// The stream that was on when the recording began, or nil where there was none or nobody knows.
  public var stream: StreamFormat?

  /// Makes a header from its parts.
  public init(
    start: WallTime? = nil, program: String? = nil, version: String? = nil, port: String? = nil,
    stream: StreamFormat? = nil
  ) {
    (self.start, self.program, self.version, self.port) = (start, program, version, port)
    self.stream = stream
  }
}

/// Something that happened to a recording or to its line.
///
/// As text it is a comment to programs that do not know it: `#: 12.031000 incomplete lines=37 reason="..."`.
public struct CaptureMark: Hashable, Sendable {
  /// What happened.
  ///
  /// Later versions of the library may have more kinds, so a switch has a `default`.
  public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The word in the text.
    public let rawValue: String
    /// Takes a word.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The word in the text.
    public var description: String { rawValue }

    /// The line brought nothing for a while, or went away.
    public static let gap = Kind(rawValue: "gap")
    /// The line went away, and another one to the same robot begins here.
    public static let reconnection = Kind(rawValue: "reconnection")
    /// Lines are missing here, since they could not be written down.
    public static let incomplete = Kind(rawValue: "incomplete")
    /// The line may not have taken the bytes that were sent last.
    public static let unsent = Kind(rawValue: "unsent")
    /// A program begins or ends a step of what it does, as a survey does.
    public static let step = Kind(rawValue: "step")
    /// Those that this version reads; other words are comments to it.
    public static let known: [Kind] = [.gap, .reconnection, .incomplete, .unsent, .step]
  }

  /// Time since the recording began, or nil where it was not noted.
  public var time: Duration?
  /// What happened.
  public var kind: Kind
  /// How long it lasted, or nil where that is not known.
  public var duration: Duration?
  /// How many lines are missing, or nil where that is not known.
  public var lines: Int?
  /// Why, in words for people.
  public var reason: String?
  /// The name of a step.
  public var name: String?
  /// How a step ended, or nil where it begins.
  public var outcome: String?

  /// Makes a mark from its parts.
  public init(
    _ kind: Kind, time: Duration? = nil, duration: Duration? = nil, lines: Int? = nil, reason: String? = nil,
    name: String? = nil, outcome: String? = nil
  ) {
    (self.kind, self.time, self.duration) = (kind, time, duration)
    (self.lines, self.reason) = (lines, reason)
    (self.name, self.outcome) = (name, outcome)
  }
}
