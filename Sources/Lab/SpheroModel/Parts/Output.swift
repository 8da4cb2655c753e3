// What a robot says: pieces of bytes, each with the earliest time at which it may be written.

/// Bytes that a robot sends in one write.
public struct OutputPiece: Hashable, Sendable {
  /// One packet, or a greeting.
  public var bytes: [UInt8]
  /// When it may be written; not before the piece ahead of it.
  public var notBefore: Duration
  /// How long after the piece ahead was written, at least: what is late keeps this distance.
  public var gap = Duration.zero

  /// Makes a piece.
  public init(bytes: [UInt8], notBefore: Duration, gap: Duration = .zero) {
    (self.bytes, self.notBefore, self.gap) = (bytes, notBefore, gap)
  }
}

/// The queue of what a robot sends.
struct Output: Hashable, Sendable {
  /// How far a response or an event keeps from the packet ahead of it:
  /// clients that take one packet from each read never catch up where two come together.
  static let spacing = Duration.milliseconds(2)
  /// Beyond this the oldest is lost, as where nobody reads.
  private static let capacity = 4_096
  /// Events that may wait before a program has to.
  private static let roomForEvents = 64
  private var pieces: [OutputPiece] = []
  private var latest = Duration.zero

  var hasRoom: Bool { pieces.count < Self.roomForEvents }

  mutating func append(_ bytes: [UInt8], notBefore: Duration, gap: Duration = .zero) {
    latest = max(latest, notBefore)
    if pieces.count >= Self.capacity { pieces.removeFirst(Self.capacity / 2) }
    pieces.append(OutputPiece(bytes: bytes, notBefore: latest, gap: gap))
  }

  mutating func take() -> [OutputPiece] {
    defer { pieces = [] }
    return pieces
  }
}
