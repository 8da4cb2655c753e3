// Connecting: harmless pings until a robot answers, and what to say where none does.

import SpheroProtocol

/// The first exchange on a line: a ping, repeated until it is answered.
///
/// A ping changes nothing, so a robot that hears late executes nothing twice.
/// What an earlier program left on the line is discarded meanwhile.
public struct Handshake: Hashable, Sendable {
  /// What a line without an answering robot returned.
  @nonexhaustive public enum Finding: Hashable, Sendable {
    /// No byte.
    case silence
    /// The bytes that were sent.
    case echo
    /// `count` bytes that make no packet, of which `first` are the first 16.
    case noise(count: Int, first: [UInt8])
    /// Packets, but no answer to a ping.
    case deaf(packets: Int)
  }

  /// When the next ping is due.
  private(set) var due: Duration
  /// When connecting is given up.
  let deadline: Duration
  /// When waiting is worth a remark; nil once it was made.
  private(set) var remarkDue: Duration?
  private let start: Duration
  private var pause = Duration.milliseconds(250)
  private static let longestPause = Duration.seconds(1)
  private static let firstCount = 16

  private var sent: [UInt8] = []
  private var first: [UInt8] = []
  private var byteCount = 0
  private var packetCount = 0
  private var isEchoed = false
  private var isSecond = false
  private var tail: [UInt8] = []

  init(at now: Duration, timeout: Duration) {
    (start, due, deadline) = (now, now, now + timeout)
    remarkDue = now + .seconds(1)
  }

  /// Notes that a ping goes, as these bytes.
  mutating func sent(_ bytes: [UInt8], at now: Duration) {
    sent = bytes
    due = now + pause
    pause = min(pause * 2, Self.longestPause)
  }

  /// Notes bytes that came.
  mutating func received(_ bytes: [UInt8]) {
    byteCount = byteCount > Int.max - bytes.count ? Int.max : byteCount + bytes.count
    if first.count < Self.firstCount { first += bytes.prefix(Self.firstCount - first.count) }
    guard !sent.isEmpty, !isEchoed else { return }
    // The echo may be cut between two reads.
    let seen = tail + bytes
    isEchoed = seen.indices.contains { seen[$0...].starts(with: sent) }
    tail = Array(seen.suffix(sent.count - 1))
  }

  /// Notes a packet that came.
  mutating func receivedPacket() { packetCount += 1 }

  /// Whether an answer is not enough: something else came before it, so it may belong to a former program.
  ///
  /// A robot answers in order, so nothing of a former program comes after the answer to a second ping.
  ///
  /// - Parameter discarded: The bytes so far that belong to no packet.
  /// - Returns: Whether another ping has to go.
  func mustAskAgain(discarded: Int) -> Bool { !isSecond && (packetCount > 1 || discarded > 0) }

  /// Lets another ping go at once, whose answer is the last word.
  mutating func askAgain(at now: Duration) { (isSecond, due) = (true, now) }

  /// Takes the remark that is due: how long the robot has been waited for.
  mutating func takeRemark(at now: Duration) -> Duration? {
    guard let remarkDue, now >= remarkDue else { return nil }
    self.remarkDue = nil
    return now - start
  }

  /// Puts off all deadlines, since the host itself stood still.
  func shifted(by pause: Duration) -> Handshake {
    var moved = Handshake(at: start + pause, timeout: deadline - start)
    (moved.due, moved.remarkDue) = (due + pause, remarkDue.map { $0 + pause })
    (moved.pause, moved.sent, moved.first, moved.isSecond) = (self.pause, sent, first, isSecond)
    (moved.byteCount, moved.packetCount, moved.isEchoed, moved.tail) = (
      byteCount, packetCount, isEchoed, tail
    )
    return moved
  }

  /// Whether what was sent came back.
  var hasEcho: Bool { isEchoed }

  /// What to say where no robot answered.
  var finding: Finding {
    if isEchoed { return .echo }
    if packetCount > 0 { return .deaf(packets: packetCount) }
    return byteCount > 0 ? .noise(count: byteCount, first: first) : .silence
  }
}

extension Handshake.Finding: CustomStringConvertible {
  static let wake =
    "Wake it with a double tap, keep it near, and disconnect other programs and phones."

  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .silence: "no robot answers"
    case .echo: "the port echoes what is sent to it, and no robot answers"
    case .noise(let count, let first):
      "no robot answers; the port sent \(count) bytes that make no packet, beginning with \(Hexadecimal.text(first))"
    case .deaf(let packets):
      "no robot answers a ping, though the port sent \(packets) packet\(packets == 1 ? "" : "s")"
    }
  }

  /// The next step.
  public var advice: String {
    switch self {
    case .silence, .deaf: Self.wake
    case .echo, .noise: "Check that the port is the robot's."
    }
  }
}
