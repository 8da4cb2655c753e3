// The handshake: pings until a robot answers, and the diagnosis of a line on which none does.

import SpheroProtocol

/// The first exchange on a line: a ping, which changes nothing, repeated until a robot answers.
public struct Handshake: Hashable, Sendable {
  /// What a line without an answering robot returned.
  @nonexhaustive public enum Finding: Hashable, Sendable {
    /// No byte.
    case silence
    /// The bytes that were sent.
    case echo
    /// `count` bytes that form no packet; `first` are the first 16 of them.
    case noise(count: Int, first: [UInt8])
    /// Packets, but no answer to a ping.
    case noAnswer(packets: Int)
  }

  private(set) var due: Duration
  private(set) var deadline: Duration
  /// When the wait is reported; nil after the report.
  private(set) var noticeDue: Duration?
  private(set) var hasEcho = false
  /// Whether a packet of a stream arrived, which a former program or an earlier line requested.
  var hasSeenStream = false
  private var start: Duration
  /// The delay of the next ping, which doubles with each ping.
  private var pingDelay = Duration.milliseconds(250)
  private static let maximumPingDelay = Duration.seconds(1)
  /// The number of received bytes that ``Finding/noise(count:first:)`` reports.
  private static let firstCount = 16

  private var ping: [UInt8] = []
  /// Whether the newest ping has no answer yet.
  private(set) var isUnanswered = false
  /// The first received bytes, at most ``firstCount``.
  private var first: [UInt8] = []
  private var byteCount = 0
  private var packetCount = 0
  private var hasAskedAgain = false
  /// The last received bytes, which may be the beginning of an echo.
  private var tail: [UInt8] = []

  init(at now: Duration, timeout: Duration) {
    (start, due, deadline) = (now, now, now + timeout)
    noticeDue = now + .seconds(1)
  }

  mutating func sent(_ bytes: [UInt8], at now: Duration) {
    (ping, isUnanswered) = (bytes, true)
    due = now + pingDelay
    pingDelay = min(pingDelay * 2, Self.maximumPingDelay)
  }

  mutating func received(_ bytes: [UInt8]) {
    byteCount = byteCount > Int.max - bytes.count ? Int.max : byteCount + bytes.count
    if first.count < Self.firstCount { first += bytes.prefix(Self.firstCount - first.count) }
    guard !ping.isEmpty, !hasEcho else { return }
    // The echo may be split between two reads.
    let seen = tail + bytes
    hasEcho = seen.indices.contains { seen[$0...].starts(with: ping) }
    tail = Array(seen.suffix(ping.count - 1))
  }

  mutating func receivedPacket() { packetCount += 1 }

  /// Whether the answer may belong to a former program, because packets or `discarded` bytes preceded it.
  ///
  /// A robot answers in order: the answer to a second ping follows everything that a former program caused.
  func mustAskAgain(discarded: Int) -> Bool { !hasAskedAgain && (packetCount > 1 || discarded > 0) }

  /// Makes a second ping due, whose answer completes the handshake.
  mutating func askAgain(at now: Duration) { (hasAskedAgain, isUnanswered, due) = (true, false, now) }

  /// Returns the time waited so far, once, when the report of it is due.
  mutating func takeNotice(at now: Duration) -> Duration? {
    guard let noticeDue, now >= noticeDue else { return nil }
    self.noticeDue = nil
    return now - start
  }

  mutating func shift(by pause: Duration) {
    start += pause
    due += pause
    deadline += pause
    noticeDue = noticeDue.map { $0 + pause }
  }

  var finding: Finding {
    if hasEcho { return .echo }
    if packetCount > 0 { return .noAnswer(packets: packetCount) }
    return byteCount > 0 ? .noise(count: byteCount, first: first) : .silence
  }
}

extension Handshake.Finding: CustomStringConvertible {
  static let wake =
    "Shake it awake, keep it near, and disconnect other programs and phones."

  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .silence: "no robot answers"
    case .echo: "the port echoes what is sent to it, and no robot answers"
    case .noise(let count, let first):
      "no robot answers; the port sent \(count) byte\(count == 1 ? " that makes" : "s that make") no packet, beginning with \(Hexadecimal.text(first))"
    case .noAnswer(let packets):
      "no robot answers a ping, though the port sent \(packets) packet\(packets == 1 ? "" : "s")"
    }
  }

  /// The next step.
  public var advice: String {
    switch self {
    case .silence, .noAnswer: Self.wake
    case .echo, .noise: "Check that the port is the robot's."
    }
  }
}
