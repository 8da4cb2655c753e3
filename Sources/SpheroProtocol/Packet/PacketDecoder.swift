// Bytes in any pieces become packets; what is not a packet is counted and skipped.

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
/// So where the bytes after a delivered packet begin no packet, its inside is looked at again,
/// beside the ordinary search, for a packet that ends after it.
///
/// Whatever comes, also bytes that somebody made for the purpose:
/// memory is bounded by the longest packet and the longest piece appended;
/// no byte is looked at as the start of a packet more than twelve times, but for once at each call of ``next()``,
/// and a look costs the same however long the packet would be, but for the logarithm of its length where the byte
/// lies in a packet that is looked at again; no more bytes are added up than three times those that came;
/// and no byte is part of more than ``mostDeliveries`` packets delivered.
///
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
  public internal(set) var statistics = Statistics()

  /// The payload lengths that events are known to have; an ID that is missing, or has none, may have any.
  ///
  /// A header that claims another length is not taken for one, so it holds nothing back;
  /// neither is a response with a payload that has the header of such an event but for SOP2, which no checksum covers.
  /// Packets of another length are lost: name the old and the new one while a stream changes.
  public var expectedPayloadCounts: [EventID: Set<Int>] = [:] {
    didSet {
      framing.expectedPayloadCounts = expectedPayloadCounts.filter { !$0.value.isEmpty }
      nothingBefore = 0
    }
  }

  /// The commands of full length whose checksum was wrong, and where the last of them ends.
  private var rejected: [CommandPacket] = []
  private var rejectedEnd = 0
  /// Beyond this the newest are forgotten.
  private static let mostRejected = 16

  /// How many packets delivered a byte may be part of.
  ///
  /// A false packet has one that begins inside it and ends after it, and that one may be false in turn; a third is believed.
  public static let mostDeliveries = 3

  @usableFromInline private(set) var framing: Framing
  @usableFromInline private(set) var window = SummedWindow()
  /// Where Int has 32 bits, offsets would end after days of streaming, so beyond this they are counted anew.
  private let farthest: Int
  /// Where the search stands.
  @usableFromInline private(set) var head = 0
  /// Where the packet delivered last lies, while the bytes after it may still speak against it; else empty.
  var latest = 0..<0
  var isRefuted = false
  /// How many packets delivered before it overlap `latest`, each the next one.
  private var overlaps = 0
  /// Places inside `latest` at which another packet may begin, the one that is due first at the end.
  var suspects: [Suspect] = []
  /// Packets found but not yet delivered, the next one at the end.
  var recovered: [Frame] = []
  /// No packet ends before this offset; fewer bytes need not be looked at.
  @usableFromInline private(set) var nothingBefore = 0
  /// How many bytes may be added up at once: each packet that is right at the first look allows twice its length.
  ///
  /// Where that is used up, there is a running sum, which costs one addition for each byte that comes.
  private var credit = 0
  /// What `credit` grows to; with 0, there is always a running sum.
  private let mostCredit: Int
  /// How many places have been looked at for a packet's head, again and again counted.
  package private(set) var examined = 0
  /// How many bytes have been added up.
  package var summed: Int { summedAtOnce &+ window.summed }
  private var summedAtOnce = 0

  /// Makes a decoder for one direction.
  ///
  /// - Parameters:
  ///   - sender: Whose bytes will come: the robot's for a host, the host's for a robot.
  ///   - longestEvent: The longest LEN of an event, checksum included; 1509 has been recorded.
  public init(from sender: Sender, longestEvent: Int = 4096) {
    self.init(from: sender, longestEvent: longestEvent, farthest: .max / 2)
  }

  /// Makes a decoder that counts its offsets anew beyond `farthest`.
  package init(from sender: Sender, longestEvent: Int = 4096, farthest: Int, mostCredit: Int = 1 << 16) {
    framing = Framing(sender: sender, longestEvent: longestEvent)
    (self.farthest, self.mostCredit) = (farthest, mostCredit)
  }

  /// Whose bytes these are.
  public var sender: Sender { framing.sender }
  /// The longest LEN that an event may claim.
  public var longestEvent: Int { framing.longestEvent }
  /// The bytes that wait for the rest of their packet.
  @inlinable public var pendingCount: Int { window.end - head }

  /// Takes the next bytes of the stream.
  @inlinable public mutating func append(_ bytes: some Sequence<UInt8>) { append(Array(bytes)) }

  /// Takes the next bytes of the stream.
  @inlinable public mutating func append(_ bytes: [UInt8]) {
    // The slice of a single byte takes longer than the byte; inlined, neither is counted as a reference.
    if bytes.count == 1 { append(bytes[0]) } else { append(bytes[...]) }
  }

  /// Takes the next byte of the stream.
  @usableFromInline mutating func append(_ byte: UInt8) {
    forget()
    window.append(byte)
  }

  /// Takes the next bytes of the stream.
  public mutating func append(_ bytes: RawSpan) {
    forget()
    window.append(bytes)
  }

  /// Takes the next bytes of the stream.
  public mutating func append(_ bytes: ArraySlice<UInt8>) { append(bytes.span) }

  /// Takes the next bytes of the stream.
  public mutating func append(_ bytes: Span<UInt8>) {
    forget()
    window.append(bytes)
  }

  /// Lets the bytes go that nobody will ask for.
  @inline(__always) private mutating func forget() {
    var floor = latest.isEmpty ? head : latest.lowerBound
    if let next = recovered.last { floor = min(floor, next.start) }
    guard window.mayForget(before: floor) else { return }
    window.forget(before: floor)
    if window.base > farthest { countFromHere() }
  }

  /// Makes all offsets small again.
  private mutating func countFromHere() {
    let distance = window.countFromHere()
    head -= distance
    nothingBefore = 0
    latest = latest.isEmpty ? 0..<0 : (latest.lowerBound - distance)..<(latest.upperBound - distance)
    suspects = suspects.map { Suspect(start: $0.start - distance, due: $0.due - distance) }
    rejectedEnd = max(0, rejectedEnd - distance)
    recovered = recovered.map { $0.moved(by: -distance) }
  }

  /// Takes all whole packets, each with its payload where it lies.
  ///
  /// This is the fastest way to decode: nothing is copied. What is taken, and in which order, is as with ``next()``.
  ///
  /// - Parameter body: Gets the header of each packet, and the bytes between it and CHK.
  @inlinable public mutating func forEachPacket(_ body: (PacketHeader, Span<UInt8>) -> Void) {
    // Where bytes come one by one there seldom is a packet, and the loop needs many registers.
    if mayHavePackets { takePackets(body) }
  }

  /// Takes all whole packets, where there may be any.
  @inlinable mutating func takePackets(_ body: (PacketHeader, Span<UInt8>) -> Void) {
    while mayHavePackets {
      let goesOn = takeUndoubted { _, header, payload in
        body(header, payload)
        return true
      }
      if goesOn { continue }
      guard let frame = search() else { return }
      let (header, place) = parts(of: frame)
      body(header, window.kept.bytes.span.extracting(place))
    }
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
    let (header, place) = parts(of: frame)
    return Packet(header, payload: Array(window.kept.bytes[place]))
  }

  /// The header of a packet that was found, and where its payload lies among the bytes that are kept.
  @inlinable @inline(__always) func parts(of frame: Frame) -> (PacketHeader, payload: Range<Int>) {
    let place = frame.moved(by: -window.base)
    return (framing.header(place, in: window.kept.bytes.span), place.payload..<(place.end &- 1))
  }

  /// Takes the commands that came since the last call with a wrong checksum, for a robot to refuse.
  ///
  /// Of candidates that lie in one another only the first counts; any of their bytes may be wrong.
  public mutating func takeRejected() -> [CommandPacket] {
    defer { rejected = [] }
    return rejected
  }

  private mutating func reject(_ frame: Frame) {
    guard sender == .host, frame.start >= rejectedEnd, rejected.count < Self.mostRejected,
      case .command(let command) = packet(frame)
    else { return }
    rejectedEnd = frame.end
    rejected.append(command)
  }

  /// Drops the first byte of an incomplete packet, so that what lies after it is looked at.
  ///
  /// Call ``next()`` afterwards; does nothing where no bytes wait.
  public mutating func giveUpOnIncomplete() {
    if head < window.end { discardByte() }
    nothingBefore = 0
  }

  /// Whether the bytes that wait for a longer payload begin with a whole packet of 254 payload bytes.
  ///
  /// DLEN FFh has two meanings (``CommandID/longPayloadCount``); where the line falls silent after the shorter one,
  /// it was meant: take it with ``nextOrdinary()``.
  public var holdsOrdinary: Bool {
    var ordinary = framing
    ordinary.takesLongPayloads = false
    let candidate = ordinary.candidate(in: window.kept.bytes.span, at: head - window.base)
    guard case .whole(let frame) = candidate else { return false }
    return window.kept.bytes.span.extracting((frame.start + 2)..<frame.end).byteSum == 0xFF
  }

  /// Takes the packet that ``holdsOrdinary`` speaks of, or nil where there is none.
  public mutating func nextOrdinary() -> Packet? {
    guard holdsOrdinary else { return nil }
    framing.takesLongPayloads = false
    nothingBefore = 0
    defer { framing.takesLongPayloads = true }
    return next()
  }

  /// The place of the next packet, in offsets of the stream; its bytes are kept until the next append.
  mutating func nextFrame() -> Frame? {
    while mayHavePackets {
      var undoubted: Frame?
      let base = window.base
      let goesOn = takeUndoubted { frame, _, _ in
        undoubted = frame.moved(by: base)
        return false
      }
      if let undoubted { return undoubted }
      guard goesOn else { return search() }
    }
    return nil
  }

  /// Whether there are bytes that have not been looked at; where not, there is no packet.
  @inlinable package var mayHavePackets: Bool { window.end >= nothingBefore }

  /// Looks at one place after the other, and again at what is in doubt.
  @usableFromInline mutating func search() -> Frame? {
    while recovered.isEmpty {
      let candidate = candidate(at: head)
      if !suspects.isEmpty {
        // Whatever ends first is judged first, so that cuts do not matter.
        let limit =
          switch candidate {
          case .none: head
          case .incomplete: window.end
          case .whole(let frame): frame.end
          }
        if recover(upTo: limit) { break }
      }
      switch candidate {
      case .incomplete(let due):
        if suspects.isEmpty { nothingBefore = due }
        return nil
      case .none: discardUpToStart()
      case .whole(let frame):
        guard isIntact(frame) else {
          reject(frame)
          discardWrongPacket()
          continue
        }
        statistics.packets &+= 1
        credit = min(credit + 2 * (frame.end - frame.start), mostCredit)
        settle(on: frame, overlaps: 0)
        return frame
      }
    }
    statistics.packets &+= 1
    return recovered.popLast()
  }

  /// Takes packets of a robot that follow each other, as long as nothing is odd; a host sends few.
  ///
  /// - Parameter body: Gets each packet; returns whether to go on.
  /// - Returns: Whether to look again: there was one, or one with a wrong checksum.
  @inlinable @inline(__always) mutating func takeUndoubted(
    _ body: (Frame, PacketHeader, Span<UInt8>) -> Bool
  ) -> Bool {
    let places = undoubtedPlaces
    return note(
      framing.undoubted(in: window.kept.bytes.span, at: places, body), from: places.lowerBound)
  }

  /// Where packets may be taken without a second look.
  ///
  /// No more bytes than may be added up in vain, so that no packet needs a look at the credit.
  @usableFromInline var undoubtedPlaces: Range<Int> {
    let start = head &- window.base
    guard sender == .robot, recovered.isEmpty, suspects.isEmpty else { return start..<start }
    return start..<min(start + credit, window.kept.bytes.count)
  }

  /// Notes what was found without a second look.
  ///
  /// - Returns: Whether there was a packet, right or wrong.
  @usableFromInline mutating func note(_ run: Framing.Run, from start: Int) -> Bool {
    let found = run.end &- start
    credit = min(credit &+ found &- run.wasted, mostCredit)
    summedAtOnce &+= found &+ run.wasted
    if run.count > 0 {
      examined &+= run.count
      statistics.packets &+= run.count
      let base = window.base
      settle(on: Frame(start: run.last + base, payload: run.end + base, end: run.end + base), overlaps: 0)
      // Most reads end with a packet, and nothing is in doubt here.
      if head == window.end { nothingBefore = head &+ 1 }
    }
    if run.wasted > 0 {
      examined &+= 1
      discardWrongPacket()
    }
    return run.count > 0 || run.wasted > 0
  }

  /// Whether the checksum of a packet agrees.
  mutating func isIntact(_ frame: Frame) -> Bool {
    let count = frame.end - frame.start
    guard count <= credit else {
      return window.isIntact(frame, above: latest.isEmpty ? head : latest.lowerBound)
    }
    credit -= count
    summedAtOnce &+= count
    let place = frame.moved(by: -window.base)
    return window.kept.bytes.span.extracting((place.start + 2)..<place.end).byteSum == 0xFF
  }

  /// The next place at which SOP1 stands, or `end`.
  mutating func nextStart(from place: Int, before end: Int) -> Int {
    let base = window.base
    let count = window.kept.bytes.span.extracting((place - base)..<(end - base)).count(before: 0xFF)
    examined &+= count
    return place + count
  }

  /// What the bytes from an offset on may be, in offsets of the stream.
  @inline(__always) mutating func candidate(at place: Int) -> Candidate {
    examined &+= 1
    return framing.candidate(in: window.kept.bytes.span, at: place - window.base).moved(by: window.base)
  }

  /// Goes on after a packet; the next bytes may speak against it, unless too many packets overlap already.
  private mutating func settle(on frame: Frame, overlaps count: Int) {
    head = frame.end
    overlaps = count
    latest = count + 1 < Self.mostDeliveries ? frame.start..<frame.end : 0..<0
    isRefuted = false
    if !suspects.isEmpty { suspects = [] }
  }

  /// Goes on after a packet that begins inside the last one.
  mutating func replaceLatest(by frame: Frame) { settle(on: frame, overlaps: overlaps + 1) }

  /// Discards the SOP1 of a packet whose checksum is wrong, and what cannot begin one behind it.
  private mutating func discardWrongPacket() {
    statistics.badChecksums &+= 1
    discardUpToStart()
  }

  /// Discards a byte and, where no packet before it is in doubt, what cannot begin a packet after it.
  private mutating func discardUpToStart() {
    discardByte()
    guard recovered.isEmpty, suspects.isEmpty else { return }
    let start = nextStart(from: head, before: window.end)
    statistics.discarded &+= start - head
    head = start
  }

  private mutating func discardByte() {
    if head == latest.upperBound, !latest.isEmpty { doubtLatest() }
    head += 1
    statistics.discarded &+= 1
  }
}
