// The output queue of a robot: packets, each with its earliest time.

/// Bytes that a robot sends in one write.
public struct OutputPiece: Hashable, Sendable {
  /// One packet, or a greeting.
  public var bytes: [UInt8]
  /// The earliest time of the write, which follows that of the previous piece.
  public var notBefore: Duration
  /// The minimum time since the write of the previous piece, also for late pieces.
  public var gap = Duration.zero

  public init(bytes: [UInt8], notBefore: Duration, gap: Duration = .zero) {
    (self.bytes, self.notBefore, self.gap) = (bytes, notBefore, gap)
  }
}

struct Output: Hashable, Sendable {
  /// The gap before a response or an event, for clients that process one packet of each read.
  static let spacing = Duration.milliseconds(2)
  /// The maximum number of pending pieces, after which the older half is lost.
  private static let capacity = 4_096
  /// The time to write all pieces at which programs wait: 64 of them.
  private static let backlog = spacing * 64
  private var pieces: [OutputPiece] = []
  private var latest = Duration.zero
  /// When the last piece is written.
  private var end = Duration.zero
  /// How much later than scheduled the owner writes.
  var lateness = Duration.zero

  /// Whether a program may send an event at a time.
  func hasRoom(at now: Duration) -> Bool { end + lateness - now < Self.backlog }

  mutating func append(_ bytes: [UInt8], notBefore: Duration, gap: Duration = .zero) {
    latest = max(latest, notBefore)
    end = max(latest, end + gap)
    if pieces.count >= Self.capacity { pieces.removeFirst(Self.capacity / 2) }
    pieces.append(OutputPiece(bytes: bytes, notBefore: latest, gap: gap))
  }

  mutating func take() -> [OutputPiece] {
    defer { pieces = [] }
    return pieces
  }
}
