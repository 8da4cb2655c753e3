// The output queue of a robot.

/// Bytes that a robot writes at once.
public struct OutputPiece: Hashable, Sendable {
  /// One packet, or a greeting.
  public var bytes: [UInt8]
  /// The earliest time of the write. Pieces are written in their order, so it is not before that of the previous piece.
  public var notBefore: Duration
  /// The minimum interval between the write of the previous piece and this one, even if this one is late.
  public var gap = Duration.zero

  public init(bytes: [UInt8], notBefore: Duration, gap: Duration = .zero) {
    (self.bytes, self.notBefore, self.gap) = (bytes, notBefore, gap)
  }
}

/// A queue of the bytes that a robot sends.
struct Output: Hashable, Sendable {
  /// The gap before a response or an event, since some clients process one packet in each read.
  static let spacing = Duration.milliseconds(2)
  /// The maximum number of pending pieces; a full queue discards its older half.
  private static let capacity = 4_096
  /// The time until all pieces are written beyond which programs send no events: that of 64 events.
  private static let maximumBacklog = spacing * 64
  private var pieces: [OutputPiece] = []
  /// The `notBefore` of the last piece.
  private var latest = Duration.zero
  /// The scheduled time of the write of the last piece.
  private var end = Duration.zero
  /// The delay of the last write after its scheduled time.
  var lateness = Duration.zero

  /// Whether a program may send an event at a time.
  func hasRoom(at now: Duration) -> Bool { end + lateness - now < Self.maximumBacklog }

  /// Appends a piece; its `notBefore` is at least that of the previous piece.
  mutating func append(_ bytes: [UInt8], notBefore: Duration, gap: Duration = .zero) {
    latest = max(latest, notBefore)
    end = max(latest, end + gap)
    if pieces.count >= Self.capacity { pieces.removeFirst(Self.capacity / 2) }
    pieces.append(OutputPiece(bytes: bytes, notBefore: latest, gap: gap))
  }

  /// Removes and returns all pieces.
  mutating func take() -> [OutputPiece] {
    defer { pieces = [] }
    return pieces
  }
}
