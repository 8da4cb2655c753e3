// Where a packet begins and ends, by its header, and whether its checksum agrees.

/// The place of a packet among bytes.
@usableFromInline struct Frame: Hashable, Sendable {
  /// Where SOP1 is.
  @usableFromInline var start: Int
  /// Where the payload begins.
  @usableFromInline var payload: Int
  /// Where the next packet begins: after CHK.
  @usableFromInline var end: Int

  /// Names the places.
  @inlinable init(start: Int, payload: Int, end: Int) {
    (self.start, self.payload, self.end) = (start, payload, end)
  }

  /// The same place, counted from elsewhere.
  @inlinable func moved(by distance: Int) -> Frame {
    Frame(start: start &+ distance, payload: payload &+ distance, end: end &+ distance)
  }
}

/// What the bytes from some place on may be.
enum Candidate {
  /// No packet begins here.
  case none
  /// Nothing new can be said before there are bytes up to this place.
  case incomplete(until: Int)
  /// The header makes sense and all bytes are there; the checksum has not been looked at.
  case whole(Frame)

  /// The same, counted from elsewhere.
  @inline(__always) func moved(by distance: Int) -> Candidate {
    switch self {
    case .none: .none
    case .incomplete(let until): .incomplete(until: until &+ distance)
    case .whole(let frame): .whole(frame.moved(by: distance))
    }
  }
}

/// The rules by which the packets of one direction are found.
@usableFromInline struct Framing: Sendable {
  /// Whose bytes these are.
  @usableFromInline let sender: Sender
  /// The longest LEN that an event may claim.
  @usableFromInline let longestEvent: Int
  /// The payload lengths that events are known to have; nowhere empty.
  @usableFromInline var expectedPayloadCounts: [EventID: Set<Int>] = [:]
  /// Whether DLEN FFh stands for the longer payload of the commands that have one.
  @usableFromInline var takesLongPayloads = true

  /// Judges the bytes from `start` by their header.
  @inline(__always) func candidate(in bytes: Span<UInt8>, at start: Int) -> Candidate {
    switch sender {
    case .host: candidate(of: .host, in: bytes, at: start)
    case .robot: candidate(of: .robot, in: bytes, at: start)
    }
  }

  /// Judges the bytes from `start` by their header, for a sender that the compiler knows.
  ///
  /// Places lie among bytes in memory, so their sums cannot overflow.
  @inline(__always) private func candidate(
    of sender: Sender, in bytes: Span<UInt8>, at start: Int
  ) -> Candidate {
    let count = bytes.count &- start
    guard count > 0 else { return .incomplete(until: start &+ 1) }
    guard bytes[start] == 0xFF else { return .none }
    guard count > 1 else { return .incomplete(until: start &+ 2) }
    let sop2 = bytes[start &+ 1]
    guard sop2 >= Self.leastSOP2(of: sender) else { return .none }
    guard count > 2 else { return .incomplete(until: start &+ 3) }
    // Neither is a run of FFh, which shows before the header is whole.
    if sender == .host || sop2 == 0xFF, bytes[start &+ 2] >= 0xF0 { return .none }
    let header = sender == .host ? 6 : 5
    guard count >= header else { return .incomplete(until: start &+ header) }
    guard
      let length = length(
        of: sender, sop2: sop2, bytes[start &+ 2], bytes[start &+ 3], bytes[start &+ (header - 1)],
        knowsLengths: !expectedPayloadCounts.isEmpty)
    else { return .none }
    guard length > 0 else { return .none }
    let end = start &+ header &+ length
    guard end <= bytes.count else { return .incomplete(until: end) }
    return .whole(Frame(start: start, payload: start &+ header, end: end))
  }

  /// Packets that follow each other.
  @usableFromInline struct Run {
    /// Where the last one begins.
    @usableFromInline var last = 0
    /// After the last one.
    @usableFromInline var end: Int
    @usableFromInline var count = 0
    /// How many bytes of something else were added up.
    @usableFromInline var wasted = 0

    /// Begins at a place.
    @inlinable init(end: Int) { self.end = end }
  }

  /// Finds packets of a robot that follow each other, as long as nothing is odd, with everything in local variables.
  ///
  /// - Parameters:
  ///   - bytes: Where they are.
  ///   - places: Where to look: the first packet begins with the first of them, and the last one ends among them.
  ///   - body: Gets the place of each packet, its header, and the bytes between that and CHK; returns whether to go on.
  /// - Returns: What was found.
  @inlinable @inline(__always) func undoubted(
    in bytes: Span<UInt8>, at places: Range<Int>, _ body: (Frame, PacketHeader, Span<UInt8>) -> Bool
  ) -> Run {
    var run = Run(end: places.lowerBound)
    let knowsLengths = !expectedPayloadCounts.isEmpty
    // A span that begins with the packet needs one check of its length for all bytes of the header.
    var rest = bytes.extracting(places)
    while rest.count > 5, rest[0] == 0xFF {
      let (sop2, first, second) = (rest[1], rest[2], rest[3])
      guard
        let length = length(of: .robot, sop2: sop2, first, second, rest[4], knowsLengths: knowsLengths),
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
      guard
        body(
          Frame(start: run.last, payload: run.last &+ 5, end: run.end),
          header(of: .robot, sop2: sop2, first, second, 0), content.extracting(3..<(content.count &- 1)))
      else { break }
    }
    return run
  }

  /// SOP2 has its upper bits set; in a robot's packet it tells a response (FFh) from an event (FEh).
  @inlinable @inline(__always) static func leastSOP2(of sender: Sender) -> UInt8 {
    sender == .host ? 0xFC : 0xFE
  }

  /// Reads how many bytes follow a header.
  ///
  /// - Parameters:
  ///   - sender: Whose header it is.
  ///   - sop2: SOP2.
  ///   - first: The byte after it: DID, MRSP or the ID of an event.
  ///   - second: The next one: CID, SEQ or the upper byte of LEN.
  ///   - last: The last one: DLEN, or the lower byte of LEN.
  ///   - knowsLengths: Whether the lengths of some events are known.
  /// - Returns: How many there are, CHK among them; nil where the header makes no sense.
  @inlinable @inline(__always) func length(
    of sender: Sender, sop2: UInt8, _ first: UInt8, _ second: UInt8, _ last: UInt8, knowsLengths: Bool
  ) -> Int? {
    guard sop2 >= Self.leastSOP2(of: sender) else { return nil }
    var length = Int(last)
    if sender == .robot, sop2 == 0xFE {
      length |= Int(second) << 8
      guard length <= longestEvent else { return nil }
      if knowsLengths, isExpected(first, length) == false { return nil }
      return length
    }
    // No MRSP or DID is F0h or more: this is a run of FFh, and the packet begins later.
    guard first < 0xF0 else { return nil }
    if sender == .robot {
      // An expected event but for SOP2, which no checksum covers. A robot's refusal, with MRSP where an event
      // has its ID, has no payload; MRSP 00 is not an event's ID.
      if knowsLengths, length > 1, isExpected(first, Int(second) << 8 | length) == true { return nil }
    } else if length == 0xFF, takesLongPayloads, let long = CommandID(first, second).longPayloadCount {
      length = long &+ 1
    }
    return length
  }

  /// Whether an event may have this LEN; nil where nothing is known of the event.
  @usableFromInline func isExpected(_ id: UInt8, _ length: Int) -> Bool? {
    expectedPayloadCounts[EventID(id)]?.contains(length - 1)
  }

  /// The header of a packet.
  @inlinable @inline(__always) func header(_ frame: Frame, in bytes: Span<UInt8>) -> PacketHeader {
    header(
      of: sender, sop2: bytes[frame.start &+ 1], bytes[frame.start &+ 2], bytes[frame.start &+ 3],
      bytes[frame.start &+ 4])
  }

  /// The header that the bytes after SOP1 make.
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
