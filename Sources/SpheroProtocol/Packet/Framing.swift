// The framing of packets: a window over a byte stream, where a packet begins and ends in it, and its checksum.

@usableFromInline struct Frame: Hashable, Sendable {
  /// The place of SOP1.
  @usableFromInline var start: Int
  /// The place of the first payload byte.
  @usableFromInline var payload: Int
  /// The place after CHK.
  @usableFromInline var end: Int

  @inlinable var content: Range<Int> { payload..<(end &- 1) }
  /// The bytes that add up to FFh, CHK included.
  var summed: Range<Int> { (start &+ 2)..<end }

  func moved(by distance: Int) -> Frame {
    Frame(start: start + distance, payload: payload + distance, end: end + distance)
  }
}

/// The result of examining the bytes from some place on as a packet.
enum Candidate {
  /// No packet begins here.
  case none
  /// More is known when there are bytes up to this place.
  case incomplete(until: Int)
  /// The header is valid and all bytes are present; the checksum has not been tested.
  case whole(Frame)
}

@usableFromInline struct Framing: Sendable {
  @usableFromInline let sender: Sender
  @usableFromInline let maximumEventLength: Int
  /// The payload lengths of events; an event that is missing, or has an empty set, may have any length.
  @usableFromInline var expectedPayloadCounts: [EventID: Set<Int>] = [:]
  /// Whether DLEN FFh stands for the longer payload of the commands that have one.
  @usableFromInline var acceptsLongPayloads = true

  @inline(__always) func candidate(in bytes: Span<UInt8>, at start: Int) -> Candidate {
    // A constant sender specializes the function.
    switch sender {
    case .host: candidate(of: .host, in: bytes, at: start)
    case .robot: candidate(of: .robot, in: bytes, at: start)
    }
  }

  /// Examines the header at `start`; sums of places cannot overflow, because the bytes are in memory.
  @inline(__always) private func candidate(
    of sender: Sender, in bytes: Span<UInt8>, at start: Int
  ) -> Candidate {
    let count = bytes.count &- start
    guard count > 0 else { return .incomplete(until: start &+ 1) }
    guard bytes[start] == 0xFF else { return .none }
    guard count > 1 else { return .incomplete(until: start &+ 2) }
    let sop2 = bytes[start &+ 1]
    guard sop2 >= Self.minimumSOP2(of: sender) else { return .none }
    guard count > 2 else { return .incomplete(until: start &+ 3) }
    // No DID or MRSP is F0h or more, so a run of FFh is rejected before its header is complete.
    if sender == .host || sop2 == 0xFF, bytes[start &+ 2] >= 0xF0 { return .none }
    let header = sender == .host ? 6 : 5
    guard count >= header else { return .incomplete(until: start &+ header) }
    guard
      let length = length(
        of: sender, sop2: sop2, bytes[start &+ 2], bytes[start &+ 3], bytes[start &+ (header - 1)],
        checksLengths: !expectedPayloadCounts.isEmpty),
      length > 0
    else { return .none }
    let end = start &+ header &+ length
    guard end <= bytes.count else { return .incomplete(until: end) }
    return .whole(Frame(start: start, payload: start &+ header, end: end))
  }

  /// Consecutive intact packets.
  @usableFromInline struct Run {
    /// The place of the last packet.
    @usableFromInline var last = 0
    /// The place after the last packet.
    @usableFromInline var end: Int
    @usableFromInline var count = 0
    /// The length of the packet with a wrong checksum that ended the run, or 0.
    @usableFromInline var wasted = 0

    @inlinable init(end: Int) { self.end = end }
  }

  /// Delivers consecutive intact packets of a robot within `places`.
  @inlinable @inline(__always) func run(
    in bytes: Span<UInt8>, at places: Range<Int>, _ body: (PacketHeader, Span<UInt8>) -> Void
  ) -> Run {
    var run = Run(end: places.lowerBound)
    let checksLengths = !expectedPayloadCounts.isEmpty
    // A span that begins with the packet needs one bounds check for all bytes of the header.
    var rest = bytes.extracting(places)
    while rest.count > 5, rest[0] == 0xFF {
      let (sop2, first, second) = (rest[1], rest[2], rest[3])
      guard
        let length = length(
          of: .robot, sop2: sop2, first, second, rest[4], checksLengths: checksLengths),
        length > 0
      else { break }
      let end = 5 &+ length
      guard end <= rest.count else { break }
      let content = rest.extracting(2..<end)
      guard content.byteSum == 0xFF else {
        run.wasted = end
        break
      }
      run.last = run.end
      run.end &+= end
      run.count &+= 1
      rest = rest.extracting(droppingFirst: end)
      body(header(of: .robot, sop2: sop2, first, second, 0), content.extracting(3..<(content.count &- 1)))
    }
    return run
  }

  /// The minimum SOP2: a host sets its upper six bits; a robot sends FFh for a response, FEh for an event.
  @inlinable @inline(__always) static func minimumSOP2(of sender: Sender) -> UInt8 {
    sender == .host ? 0xFC : 0xFE
  }

  /// The number of bytes after a header, including CHK, or nil if the header is invalid.
  ///
  /// `first` is DID, MRSP or the ID of an event; `second` is CID, SEQ or the upper byte of LEN;
  /// `last` is DLEN or the lower byte of LEN. `checksLengths` is whether the lengths of some events are known.
  @inlinable @inline(__always) func length(
    of sender: Sender, sop2: UInt8, _ first: UInt8, _ second: UInt8, _ last: UInt8, checksLengths: Bool
  ) -> Int? {
    guard sop2 >= Self.minimumSOP2(of: sender) else { return nil }
    var length = Int(last)
    if sender == .robot, sop2 == 0xFE {
      length |= Int(second) << 8
      guard length <= maximumEventLength else { return nil }
      if checksLengths, isExpected(first, length) == false { return nil }
      return length
    }
    // No MRSP or DID is F0h or more: this is a run of FFh, and the packet begins later.
    guard first < 0xF0 else { return nil }
    if sender == .robot {
      // The header of an expected event whose SOP2, which CHK does not cover, was damaged. No genuine
      // response is rejected: one with a payload has MRSP 00h, which is the ID of no event.
      if checksLengths, length > 1, isExpected(first, Int(second) << 8 | length) == true { return nil }
    } else if length == 0xFF, acceptsLongPayloads, let long = CommandID(first, second).longPayloadCount {
      length = long &+ 1
    }
    return length
  }

  /// Whether an event may have this LEN; nil if its lengths are unknown. An undocumented event is not long.
  ///
  /// The words FFFEh, 2710h (-2 and 10000, a quaternion at rest) inside a damaged sensor packet look like the header of
  /// a long undocumented event, which would delay the samples after it for a second.
  @usableFromInline func isExpected(_ id: UInt8, _ length: Int) -> Bool? {
    guard let counts = expectedPayloadCounts[EventID(id)], !counts.isEmpty else {
      let isDocumented = (0x01...0x14).contains(id)
      return isDocumented || length <= 256 ? nil : false
    }
    return counts.contains(length - 1)
  }

  @inlinable @inline(__always) func header(_ frame: Frame, in bytes: Span<UInt8>) -> PacketHeader {
    header(
      of: sender, sop2: bytes[frame.start &+ 1], bytes[frame.start &+ 2], bytes[frame.start &+ 3],
      bytes[frame.start &+ 4])
  }

  @inlinable @inline(__always) func header(
    of sender: Sender, sop2: UInt8, _ first: UInt8, _ second: UInt8, _ third: UInt8
  ) -> PacketHeader {
    switch (sender, sop2) {
    case (.host, _): .command(CommandID(first, second), options: .init(rawValue: sop2), sequence: third)
    case (.robot, 0xFE): .event(EventID(first))
    case (.robot, _): .response(Status(rawValue: first), sequence: second)
    }
  }
}

extension Span<UInt8> {
  /// The sum of all bytes, modulo 256. CHK is the inverted sum of the bytes between SOP2 and CHK, so that together they
  /// add up to FFh (Sphero API 1.50, "Packet structures").
  @inlinable @inline(__always) var byteSum: UInt8 {
    var rest = self
    var lanes = SIMD16<UInt8>()
    while rest.count >= 16 {
      for lane in 0..<16 { lanes[lane] &+= rest[lane] }
      rest = rest.extracting(droppingFirst: 16)
    }
    var half = lanes.lowHalf &+ lanes.highHalf
    if rest.count >= 8 {
      for lane in 0..<8 { half[lane] &+= rest[lane] }
      rest = rest.extracting(droppingFirst: 8)
    }
    var sum = half.wrappedSum()
    for index in rest.indices { sum &+= rest[index] }
    return sum
  }
}

/// A sliding window over a stream of bytes, addressed by offsets from the start of the stream.
@usableFromInline package struct ByteWindow: Sendable {
  /// The bytes in the window; the span of an `Array` needs macOS 26 or iOS 26.
  @usableFromInline package private(set) var bytes: ContiguousArray<UInt8> = []
  @usableFromInline package private(set) var base = 0
  @inlinable package var end: Int { base + bytes.count }

  package init() {}

  package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  package mutating func append(_ more: Span<UInt8>) {
    switch more.count {
    // The standard library would write to the storage that all empty arrays share, which is a data race.
    case 0: break
    // A single byte costs less than the preparation for many.
    case 1: append(more[0])
    default: bytes.append(addingCapacity: more.count) { $0.append(more) }
    }
  }

  /// Whether the removal of the first `count` bytes is worth its cost.
  @inline(__always) func isWorthRemoving(first count: Int) -> Bool { count > max(bytes.count / 2, 512) }

  mutating func removeFirst(_ count: Int) {
    bytes.removeFirst(count)
    // On 32-bit systems, a decoder may receive more bytes than an `Int` counts.
    base &+= count
  }

  /// Allows the bytes before `offset` to be removed, which happens when it is worth its cost.
  package mutating func forget(before offset: Int) {
    if isWorthRemoving(first: offset - base) { removeFirst(offset - base) }
  }

  @inlinable package subscript(range: Range<Int>) -> ArraySlice<UInt8> {
    bytes[(range.lowerBound - base)..<(range.upperBound - base)]
  }
}

extension Span<UInt8> {
  /// The number of bytes before the first one that equals `byte`; all if there is none.
  package func count(before byte: UInt8) -> Int {
    var place = 0
    while place < count, self[place] != byte { place &+= 1 }
    return place
  }
}

/// The running sum of the bytes of a window: the checksum of a packet costs two look-ups, even if false packets overlap.
@usableFromInline struct RunningSum: Sendable {
  /// The sums of the bytes from `first` up to each place, modulo 256.
  private var sums: [UInt8] = []
  /// The place of the first byte that is part of the sums.
  private var first = 0
  /// The number of bytes added up; at most the number of bytes received.
  private(set) var addedBytes = 0

  // The lower limit prevents an overflow; at it, no sum is of a byte in the window.
  mutating func removeFirst(_ count: Int) { first = max(first - count, -sums.count) }

  /// Whether the checksum of a packet is correct; no later packet starts below `floor`, which never decreases
  /// in the stream.
  mutating func isIntact(_ frame: Frame, in bytes: ContiguousArray<UInt8>, above floor: Int) -> Bool {
    if floor < first || floor > first + sums.count {
      // The fast path delivered the packets between, and added up no sums.
      sums.removeAll(keepingCapacity: true)
      first = floor
    } else if floor - first > sums.count / 2 {
      // Amortised, as in ``ByteWindow``; only the differences of sums matter.
      sums.removeFirst(floor - first)
      first = floor
    }
    var sum = sums.last ?? 0
    let end = first + sums.count
    addedBytes &+= max(0, frame.end - end)
    for place in end..<max(frame.end, end) {
      sum &+= bytes[place]
      sums.append(sum)
    }
    return sums[frame.end - 1 - first] &- sums[frame.start + 1 - first] == 0xFF
  }
}
