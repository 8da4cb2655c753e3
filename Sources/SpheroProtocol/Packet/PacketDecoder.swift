// Bytes in any pieces become packets; what is no packet is counted and skipped.

/// Finds the packets in a stream of bytes.
///
/// Feed it with ``append(_:)`` in whatever pieces the line delivers, then take packets with ``next()``
/// until it returns nil; the packets never depend on how the bytes were cut.
/// SOP bytes also occur inside payloads, so only the checksum proves a packet:
/// a candidate that fails is tried again from its second byte,
/// and a packet hidden inside a broken one is not lost.
///
/// Eight bits prove little: now and then a broken packet passes that has swallowed the head of the next one.
/// It always does where FFh was lost inside it, since the next SOP1 then takes the place of CHK.
/// So where the bytes behind a delivered packet begin no packet, its inside is looked at again,
/// beside the ordinary search, for a packet that ends behind it.
///
/// Memory is bounded by the longest packet and the longest piece appended.
/// The decoder has no clock. Where bytes stay away while ``pendingCount`` is not zero
/// (a second is plenty on RFCOMM), call ``giveUpOnIncomplete()``:
/// a false header must not hold good packets back.
public struct PacketDecoder: Sendable {
  /// What has been seen so far; a count that `Int` cannot hold begins anew at its least value.
  public struct Statistics: Hashable, Sendable {
    /// Packets delivered.
    public var packets = 0
    /// Bytes that belong to no packet.
    public var discarded = 0
    /// Candidates of full length whose checksum was wrong.
    public var badChecksums = 0
    /// Packets delivered that were false: a later one begins inside them.
    public var refuted = 0

    /// Starts with nothing.
    public init() {}
  }

  /// What has been seen so far.
  public private(set) var statistics = Statistics()

  /// The payload lengths that events are known to have; an ID that is missing may have any.
  ///
  /// A header that claims another length is not taken for one, so it holds nothing back;
  /// neither is a response that has the header of such an event but for SOP2, which no checksum covers.
  /// Packets of another length are lost: name the old and the new one while a stream changes.
  public var expectedPayloadCounts: [EventID: Set<Int>] = [:] {
    didSet {
      framing.expectedLengths = expectedPayloadCounts.flatMap { id, counts in
        counts.map { (id.rawValue, $0 + 1) }
      }
    }
  }

  /// The commands of full length whose checksum was wrong, and where the last of them ends.
  private var rejected: [CommandPacket] = []
  private var rejectedEnd = 0
  /// Beyond this the newest are forgotten.
  private static let mostRejected = 16

  private var framing: Framing
  private var window = ByteWindow()
  /// Where Int has 32 bits, offsets would end after days of streaming, so beyond this they are counted anew.
  private let farthest: Int
  /// Where the search stands.
  private var head = 0
  /// Where the packet delivered last lies, while the bytes behind it may still speak against it; else empty.
  private var latest = 0..<0
  private var isRefuted = false
  /// Places inside `latest` at which another packet may begin, and how far bytes must reach to say more.
  private var suspects: [Int] = []
  private var suspectsDue = 0
  /// Packets found but not yet delivered.
  private var recovered: [Frame] = []

  /// Makes a decoder for one direction.
  ///
  /// - Parameters:
  ///   - sender: Whose bytes will come: the robot's for a host, the host's for a robot.
  ///   - longestEvent: The longest LEN of an event, checksum included; 1509 has been recorded.
  public init(from sender: Sender, longestEvent: Int = 4096) {
    self.init(from: sender, longestEvent: longestEvent, farthest: .max / 2)
  }

  /// Makes a decoder that counts its offsets anew beyond `farthest`.
  package init(from sender: Sender, longestEvent: Int = 4096, farthest: Int) {
    framing = Framing(sender: sender, longestEvent: longestEvent)
    self.farthest = farthest
  }

  /// Whose bytes these are.
  public var sender: Sender { framing.sender }
  /// The longest LEN that an event may claim.
  public var longestEvent: Int { framing.longestEvent }
  /// The bytes that wait for the rest of their packet.
  public var pendingCount: Int { window.end - head }

  /// Takes the next bytes of the stream.
  public mutating func append(_ bytes: some Sequence<UInt8>) {
    window.forget(before: min(recovered.first?.start ?? head, latest.isEmpty ? head : latest.lowerBound))
    if window.base > farthest { countFromHere() }
    window.append(bytes)
  }

  /// Makes all offsets small again.
  private mutating func countFromHere() {
    let distance = window.countFromHere()
    head -= distance
    latest = latest.isEmpty ? 0..<0 : (latest.lowerBound - distance)..<(latest.upperBound - distance)
    suspects = suspects.map { $0 - distance }
    suspectsDue -= distance
    rejectedEnd = max(0, rejectedEnd - distance)
    recovered = recovered.map { $0.moved(by: -distance) }
  }

  /// The next whole packet, or nil until more bytes come.
  public mutating func next() -> Packet? {
    guard let frame = nextFrame() else { return nil }
    return packet(frame)
  }

  /// The next whole packet and the offset of its first byte in the stream, for streams up to half of `Int.max`.
  package mutating func nextWithOffset() -> (packet: Packet, offset: Int)? {
    guard let frame = nextFrame() else { return nil }
    return (packet(frame), frame.start)
  }

  @inline(__always) private func packet(_ frame: Frame) -> Packet {
    framing.packet(frame.moved(by: -window.base), in: window.bytes.span)
  }

  /// Takes the commands that came since the last call with a wrong checksum, for a robot to refuse.
  ///
  /// Of candidates that lie in one another only the first counts; any of their bytes may be wrong.
  public mutating func takeRejected() -> [CommandPacket] {
    defer { rejected = [] }
    return rejected
  }

  private mutating func reject(_ frame: Frame) {
    guard sender == .host, frame.start + window.base >= rejectedEnd, rejected.count < Self.mostRejected,
      case .command(let command) = framing.packet(frame, in: window.bytes.span)
    else { return }
    rejectedEnd = frame.end + window.base
    rejected.append(command)
  }

  /// Drops the first byte of an incomplete packet, so that what lies behind it is looked at.
  ///
  /// Call ``next()`` afterwards; does nothing where no bytes wait.
  public mutating func giveUpOnIncomplete() {
    if head < window.end { discardByte() }
  }

  /// Whether the bytes that wait for a longer payload begin with a whole packet of 254 payload bytes.
  ///
  /// DLEN FFh has two meanings (``CommandID/longPayloadCount``); where the line falls silent after the shorter one,
  /// it was meant: take it with ``nextOrdinary()``.
  public var holdsOrdinary: Bool {
    var ordinary = framing
    ordinary.takesLongPayloads = false
    guard case .whole(let frame) = ordinary.candidate(in: window.bytes.span, at: head - window.base) else {
      return false
    }
    return ordinary.isIntact(frame, in: window.bytes.span)
  }

  /// Takes the packet that ``holdsOrdinary`` speaks of, or nil where there is none.
  public mutating func nextOrdinary() -> Packet? {
    guard holdsOrdinary else { return nil }
    framing.takesLongPayloads = false
    defer { framing.takesLongPayloads = true }
    return next()
  }

  /// The place of the next packet, in offsets of the stream; its bytes are kept until the next append.
  mutating func nextFrame() -> Frame? {
    while recovered.isEmpty {
      let candidate = framing.candidate(in: window.bytes.span, at: head - window.base)
      if !suspects.isEmpty {
        // Whatever ends first is judged first, so that cuts do not matter.
        let limit =
          switch candidate {
          case .none: head
          case .incomplete: window.end
          case .whole(let frame): frame.end + window.base
          }
        if recover(upTo: limit) { break }
      }
      switch candidate {
      case .incomplete: return nil
      case .none: discardByte()
      case .whole(let frame):
        guard framing.isIntact(frame, in: window.bytes.span) else {
          statistics.badChecksums &+= 1
          reject(frame)
          discardByte()
          continue
        }
        statistics.packets &+= 1
        let frame = frame.moved(by: window.base)
        settle(on: frame)
        return frame
      }
    }
    statistics.packets &+= 1
    return recovered.removeFirst()
  }

  private mutating func settle(on frame: Frame) {
    head = frame.end
    latest = frame.start..<frame.end
    isRefuted = false
    if !suspects.isEmpty { suspects = [] }
  }

  private mutating func discardByte() {
    if head == latest.upperBound, !latest.isEmpty { doubtLatest() }
    head += 1
    statistics.discarded &+= 1
  }
}

// MARK: - A second look at the last packet

extension PacketDecoder {
  /// Begins to look inside the last packet, since the bytes behind it begin none.
  private mutating func doubtLatest() {
    var start = latest.lowerBound + 1
    let end = latest.upperBound
    let inside = packets(between: start, and: end)
    // One packet inside may be an accident; one with the head of another behind it is none.
    if let last = inside.last, inside.contains(where: { $0.end < end && mayBegin(at: $0.end, by: end) }) {
      refute()
      recovered = inside
      start = last.end
    }
    suspects = (start..<end).filter { window.bytes[$0 - window.base] == 0xFF }
    suspectsDue = end
    latest = suspects.isEmpty ? 0..<0 : start..<end
  }

  private mutating func refute() {
    if !isRefuted { statistics.refuted &+= 1 }
    isRefuted = true
  }

  /// Whether the bytes from `place` to `end` look like the head of a packet.
  private func mayBegin(at place: Int, by end: Int) -> Bool {
    // Bytes behind `end` may or may not have come, and must not matter.
    let bytes = window.bytes.span.extracting(..<(end - window.base))
    if case .none = framing.candidate(in: bytes, at: place - window.base) { return false }
    return true
  }

  /// Looks for the packet that begins inside the last one and ends first, behind it, within `limit`.
  ///
  /// - Returns: Whether `recovered` has packets now.
  private mutating func recover(upTo limit: Int) -> Bool {
    guard suspectsDue <= limit else { return false }
    var found: Frame?
    var waiting: [Int] = []
    suspectsDue = .max
    for start in suspects {
      switch framing.candidate(in: window.bytes.span, at: start - window.base) {
      case .none: break
      case .incomplete(let until):
        suspectsDue = min(suspectsDue, until + window.base)
        waiting.append(start)
      case .whole(let frame):
        let end = frame.end + window.base
        if end > limit {
          suspectsDue = min(suspectsDue, end)
          waiting.append(start)
        } else if end >= head, end < found?.end ?? .max,
          framing.isIntact(frame, in: window.bytes.span)
        {
          found = frame.moved(by: window.base)
        }
      }
    }
    suspects = waiting
    guard let found else {
      if suspects.isEmpty { latest = 0..<0 }
      return false
    }
    refute()
    statistics.discarded &-= head - latest.upperBound
    recovered = packets(between: latest.lowerBound, and: found.start) + [found]
    settle(on: found)
    return true
  }

  /// The packets that a false one had swallowed whole.
  private func packets(between start: Int, and end: Int) -> [Frame] {
    var frames: [Frame] = []
    var place = start
    while place < end {
      if case .whole(let frame) = framing.candidate(in: window.bytes.span, at: place - window.base),
        frame.end + window.base <= end, framing.isIntact(frame, in: window.bytes.span)
      {
        frames.append(frame.moved(by: window.base))
        place = frame.end + window.base
      } else {
        place += 1
      }
    }
    return frames
  }
}
