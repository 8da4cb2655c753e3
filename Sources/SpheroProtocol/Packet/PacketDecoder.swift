// The packet decoder: finds the packets in a byte stream, and discards all other bytes.

/// Finds the packets in a stream of bytes.
///
/// Pass the bytes to `append(_:)` as the line delivers them, then call ``next()`` until it returns nil.
/// The packets do not depend on how the bytes were cut.
/// SOP bytes also occur inside payloads, so only the checksum proves a packet: after a candidate with a wrong one,
/// the search continues at its second byte, and a packet inside a damaged one is not lost.
///
/// An eight-bit checksum proves little: a damaged packet that includes the header of the next one is sometimes delivered
/// as a false packet, and always if a byte FFh inside it was lost, because the next SOP1 is then in the place of CHK.
/// Therefore, if no packet follows a delivered packet, the decoder also looks inside it for a packet that ends after it.
///
/// The following limits hold for any input:
///
/// * Memory is bounded by the longest packet and the longest piece appended.
/// * Each byte is examined as the start of a packet at most twelve times, plus once in each call of ``next()``.
///   The cost does not depend on the length of the packet; inside a delivered packet, it grows with its logarithm.
/// * Checksums add up at most three times as many bytes as were received.
/// * No byte is part of more than ``maximumDeliveries`` delivered packets.
///
/// The decoder has no clock. If no bytes arrive while ``pendingCount`` is not zero (a second is sufficient on RFCOMM),
/// call ``discardIncomplete()``, so that a false header does not delay the packets after it.
public struct PacketDecoder: Sendable {
  /// The counts since the decoder was created; they wrap around on overflow.
  public struct Statistics: Hashable, Sendable {
    /// Packets delivered.
    public var packets = 0
    /// Bytes that belong to no packet.
    public var discarded = 0
    /// Candidates of full length whose checksum was wrong.
    public var badChecksums = 0
    /// False packets that were delivered: a later packet begins inside them.
    public var falsePackets = 0

    public init() {}
  }

  public internal(set) var statistics = Statistics()

  /// The payload lengths of events, in bytes; an event that is missing, or has an empty set, may have any length.
  ///
  /// Headers with another length are rejected, so that they do not delay the packets after them. Unless the dictionary is
  /// empty, those of undocumented events with a LEN of more than 256 are rejected, too, and those of responses with a
  /// payload that only SOP2, which no checksum covers, distinguishes from an event of an expected length.
  /// Packets of other lengths are lost: include both the old and the new length while a stream changes.
  public var expectedPayloadCounts: [EventID: Set<Int>] {
    get { framing.expectedPayloadCounts }
    set {
      framing.expectedPayloadCounts = newValue
      earliestEnd = 0
    }
  }

  /// The number of delivered packets that a byte may be part of: a false packet overlaps the packet that begins inside it,
  /// which may be false in turn; the third one is accepted.
  public static let maximumDeliveries = 3

  // All places below are indices of the bytes in `window`.
  @usableFromInline private(set) var framing: Framing
  @usableFromInline private(set) var window = ByteWindow()
  @usableFromInline private(set) var head = 0
  /// No packet ends before this place, so a window that ends before it is not searched.
  @usableFromInline private(set) var earliestEnd = 0

  /// The packet delivered last, as long as the bytes after it may prove it false; otherwise empty.
  var latest = 0..<0
  /// Whether `latest` has been counted as a false packet.
  var isLatestFalse = false
  /// The length of the chain of packets that were delivered before `latest`, each overlapping the next one.
  var overlaps = 0
  /// Places inside `latest` where another packet may begin, in descending order of their `due`.
  var resyncCandidates: [ResyncCandidate] = []
  var recovered: [Frame] = []

  private var rejected: [CommandPacket] = []
  /// The place after the last rejected command.
  private var rejectedEnd = 0

  /// The number of bytes that checksums may add up directly; then, a running sum adds up each byte once.
  ///
  /// Each packet that the ordinary search finds adds twice its length, of which its own checksum uses half.
  private var checksumBudget = 0
  private let maximumBudget: Int
  private var runningSum = RunningSum()
  private var directlyAdded = 0
  package var summed: Int { directlyAdded &+ runningSum.addedBytes }
  /// The number of places examined as the start of a packet, with repetitions.
  package private(set) var examined = 0

  /// - Parameters:
  ///   - sender: The sender of the bytes: the robot for a host, the host for a robot.
  ///   - maximumEventLength: The maximum LEN of an event, including CHK; the largest recorded one is 1509.
  public init(from sender: Sender, maximumEventLength: Int = 4096) {
    self.init(from: sender, maximumEventLength: maximumEventLength, maximumBudget: 1 << 16)
  }

  /// Creates a decoder that always uses the running sum if `maximumBudget` is 0.
  package init(from sender: Sender, maximumEventLength: Int, maximumBudget: Int) {
    framing = Framing(sender: sender, maximumEventLength: maximumEventLength)
    self.maximumBudget = maximumBudget
  }

  public var sender: Sender { framing.sender }
  /// The maximum LEN of an event, including CHK.
  public var maximumEventLength: Int { framing.maximumEventLength }
  /// The number of bytes that wait for the rest of their packet.
  @inlinable public var pendingCount: Int { window.bytes.count - head }

  /// Appends the next bytes of the stream; packets may be cut at any position.
  @inlinable public mutating func append(_ bytes: some Sequence<UInt8>) { append(Array(bytes)) }

  @inlinable public mutating func append(_ bytes: [UInt8]) {
    // For a single byte, a slice costs more than the byte. Inlining avoids reference counting.
    if bytes.count == 1 { append(bytes[0]) } else { append(bytes[...]) }
  }

  @usableFromInline mutating func append(_ byte: UInt8) {
    removeConsumed()
    window.append(byte)
  }

  public mutating func append(_ bytes: ArraySlice<UInt8>) { append(bytes.span) }

  public mutating func append(_ bytes: Span<UInt8>) {
    removeConsumed()
    window.append(bytes)
  }

  @inline(__always) private mutating func removeConsumed() {
    var floor = latest.isEmpty ? head : latest.lowerBound
    if let next = recovered.last { floor = min(floor, next.start) }
    if window.isWorthRemoving(first: floor) { removeFirst(floor) }
  }

  private mutating func removeFirst(_ count: Int) {
    window.removeFirst(count)
    runningSum.removeFirst(count)
    head -= count
    earliestEnd = max(0, earliestEnd - count)
    rejectedEnd = max(0, rejectedEnd - count)
    if !latest.isEmpty { latest = (latest.lowerBound - count)..<(latest.upperBound - count) }
    resyncCandidates = resyncCandidates.map { ResyncCandidate(start: $0.start - count, due: $0.due - count) }
    recovered = recovered.map { $0.moved(by: -count) }
  }

  /// Delivers all complete packets in the order of ``next()`` without copying their payloads: the fastest way to decode.
  ///
  /// - Parameter body: Receives the header of each packet, and the bytes between the header and CHK.
  @inlinable public mutating func forEachPacket(_ body: (PacketHeader, Span<UInt8>) -> Void) {
    // The loop needs many registers, so it is a separate function: if bytes arrive one by one, few calls reach it.
    if mayContainPacket { deliverPackets(body) }
  }

  @inlinable mutating func deliverPackets(_ body: (PacketHeader, Span<UInt8>) -> Void) {
    while mayContainPacket {
      // Consecutive intact packets of a robot; ``search()`` finds all others.
      if record(framing.run(in: window.bytes.span, at: fastPathPlaces, body)) { continue }
      guard let frame = search() else { return }
      body(framing.header(frame, in: window.bytes.span), window.bytes.span.extracting(frame.content))
    }
  }

  /// The next complete packet, or nil until more bytes arrive.
  public mutating func next() -> Packet? { nextFrame().map { packet($0) } }

  /// The next complete packet, the offset of its first byte in the stream, for streams up to `Int.max` bytes, and the number
  /// of received bytes after it.
  package mutating func nextWithOffset() -> (packet: Packet, offset: Int, followingCount: Int)? {
    nextFrame().map { (packet($0), window.base &+ $0.start, window.bytes.count - $0.end) }
  }

  /// The number of bytes in the memory of the decoder: pending ones, and those where a packet may still be recovered.
  package var bufferedCount: Int { window.bytes.count }

  @inline(__always) private func packet(_ frame: Frame) -> Packet {
    Packet(framing.header(frame, in: window.bytes.span), payload: Array(window.bytes[frame.content]))
  }

  /// Removes and returns the commands with a wrong checksum since the last call, which a robot refuses. At most 16 are kept,
  /// and only the first of overlapping ones. Any of their bytes may be wrong.
  public mutating func takeRejectedCommands() -> [CommandPacket] {
    defer { rejected = [] }
    return rejected
  }

  private mutating func reject(_ frame: Frame) {
    guard sender == .host, frame.start >= rejectedEnd, rejected.count < 16,
      case .command(let command) = packet(frame)
    else { return }
    rejectedEnd = frame.end
    rejected.append(command)
  }

  /// Discards the first byte of an incomplete packet, so that the search continues after it.
  ///
  /// If ``hasShortPacket`` is true, it makes this packet the next one instead. Call ``next()`` until it returns nil,
  /// before and afterwards. Does nothing if no bytes are pending.
  public mutating func discardIncomplete() {
    if let frame = shortFrame {
      advance(past: frame.start..<frame.end)
      recovered.insert(frame, at: 0)
    } else if pendingCount > 0 {
      discardByte()
    }
    earliestEnd = 0
  }

  /// Whether the bytes of an incomplete packet with a ``CommandID/longPayloadCount`` begin with a complete packet of 254
  /// payload bytes. If no bytes follow it, call ``discardIncomplete()``, after which ``next()`` returns it.
  public var hasShortPacket: Bool { shortFrame != nil }

  private var shortFrame: Frame? {
    var ordinary = framing
    ordinary.acceptsLongPayloads = false
    guard case .whole(let frame) = ordinary.candidate(in: window.bytes.span, at: head),
      window.bytes.span.extracting(frame.summed).byteSum == 0xFF
    else { return nil }
    return frame
  }

  /// The next packet; its bytes remain in the window until the next append.
  private mutating func nextFrame() -> Frame? { mayContainPacket ? search() : nil }

  /// Whether the window may contain a packet: false if it has been searched.
  @inlinable package var mayContainPacket: Bool { window.bytes.count >= earliestEnd }

  /// The places that the fast path decodes; the checksum budget limits them, so its loop need not check it.
  @usableFromInline var fastPathPlaces: Range<Int> {
    guard sender == .robot, recovered.isEmpty, resyncCandidates.isEmpty else { return head..<head }
    return head..<min(head + checksumBudget, window.bytes.count)
  }

  /// Continues after a run; returns whether it delivered or discarded a packet.
  @usableFromInline mutating func record(_ run: Framing.Run) -> Bool {
    let found = run.end &- head
    checksumBudget = min(checksumBudget &+ found &- run.wasted, maximumBudget)
    directlyAdded &+= found &+ run.wasted
    if run.count > 0 {
      examined &+= run.count
      statistics.packets &+= run.count
      advance(past: run.last..<run.end)
      // Most reads end with a packet.
      if pendingCount == 0 { earliestEnd = head &+ 1 }
    }
    if run.wasted > 0 {
      examined &+= 1
      discardWrongPacket()
    }
    return run.count > 0 || run.wasted > 0
  }

  /// Finds the next packet from ``head`` on, and resynchronises where necessary.
  @usableFromInline mutating func search() -> Frame? {
    while recovered.isEmpty {
      let candidate = candidate(at: head)
      if !resyncCandidates.isEmpty {
        // The packet that ends first has precedence, so that the result does not depend on how the bytes were cut.
        let limit =
          switch candidate {
          case .none: head
          case .incomplete: window.bytes.count
          case .whole(let frame): frame.end
          }
        if resync(upTo: limit) { break }
      }
      switch candidate {
      case .incomplete(let due):
        if resyncCandidates.isEmpty { earliestEnd = due }
        return nil
      case .none: discardToNextStart()
      case .whole(let frame):
        guard isIntact(frame) else {
          reject(frame)
          discardWrongPacket()
          continue
        }
        statistics.packets &+= 1
        checksumBudget = min(checksumBudget + 2 * (frame.end - frame.start), maximumBudget)
        advance(past: frame.start..<frame.end)
        return frame
      }
    }
    statistics.packets &+= 1
    return recovered.popLast()
  }

  mutating func isIntact(_ frame: Frame) -> Bool {
    let count = frame.end - frame.start
    guard count <= checksumBudget else {
      let floor = latest.isEmpty ? head : latest.lowerBound
      return runningSum.isIntact(frame, in: window.bytes, above: floor)
    }
    checksumBudget -= count
    directlyAdded &+= count
    return window.bytes.span.extracting(frame.summed).byteSum == 0xFF
  }

  mutating func nextStart(from place: Int, before end: Int) -> Int {
    let count = window.bytes.span.extracting(place..<end).count(before: 0xFF)
    examined &+= count
    return place + count
  }

  @inline(__always) mutating func candidate(at place: Int) -> Candidate {
    examined &+= 1
    return framing.candidate(in: window.bytes.span, at: place)
  }

  /// Continues after a delivered packet, and keeps it as ``latest`` unless ``maximumDeliveries`` packets overlap.
  mutating func advance(past packet: Range<Int>, overlaps: Int = 0) {
    head = packet.upperBound
    self.overlaps = overlaps
    latest = overlaps + 1 < Self.maximumDeliveries ? packet : 0..<0
    isLatestFalse = false
    if !resyncCandidates.isEmpty { resyncCandidates = [] }
  }

  private mutating func discardWrongPacket() {
    statistics.badChecksums &+= 1
    discardToNextStart()
  }

  /// Discards a byte and, unless the packet before it may be false, the bytes after it that begin no packet.
  private mutating func discardToNextStart() {
    discardByte()
    guard recovered.isEmpty, resyncCandidates.isEmpty else { return }
    let start = nextStart(from: head, before: window.bytes.count)
    statistics.discarded &+= start - head
    head = start
  }

  private mutating func discardByte() {
    if head == latest.upperBound, !latest.isEmpty { beginResync() }
    head += 1
    statistics.discarded &+= 1
  }
}
