// Where a packet begins and ends, by its header, and whether its checksum agrees.

/// The place of a packet among bytes.
struct Frame: Hashable, Sendable {
  /// Where SOP1 is.
  var start: Int
  /// Where the payload begins.
  var payload: Int
  /// Where the next packet begins: behind CHK.
  var end: Int

  /// The same place, counted from elsewhere.
  func moved(by distance: Int) -> Frame {
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
struct Framing: Sendable {
  /// Whose bytes these are.
  let sender: Sender
  /// The longest LEN that an event may claim.
  let longestEvent: Int
  /// LEN by event ID, where it is known.
  var expectedLengths = ExpectedLengths()
  /// Whether DLEN FFh stands for the longer payload of the commands that have one.
  var takesLongPayloads = true

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
    // SOP2 has its upper bits set; in a robot's packet it tells a response (FFh) from an event (FEh).
    guard sop2 >= (sender == .host ? 0xFC : 0xFE) else { return .none }
    guard count > 2 else { return .incomplete(until: start &+ 3) }
    let isEvent = sender == .robot && sop2 == 0xFE
    // No MRSP or DID is F0h or more: this is a run of FFh, and the packet begins later.
    if !isEvent, bytes[start &+ 2] >= 0xF0 { return .none }
    let header = sender == .host ? 6 : 5
    guard count >= header else { return .incomplete(until: start &+ header) }

    var length = Int(bytes[start &+ (header - 1)])
    if isEvent {
      length |= Int(bytes[start &+ 3]) << 8
      guard length <= longestEvent else { return .none }
      if !expectedLengths.isEmpty, expectedLengths[bytes[start &+ 2], length] == false { return .none }
    } else if sender == .robot {
      // An expected event but for SOP2, which no checksum covers. A robot's refusal, with MRSP where an event
      // has its ID, has no payload; MRSP 00 is no event's ID.
      if !expectedLengths.isEmpty, length > 1,
        expectedLengths[bytes[start &+ 2], Int(bytes[start &+ 3]) << 8 | length] == true
      {
        return .none
      }
    } else if length == 0xFF, takesLongPayloads,
      let long = CommandID(bytes[start &+ 2], bytes[start &+ 3]).longPayloadCount
    {
      length = long &+ 1
    }
    guard length > 0 else { return .none }
    let end = start &+ header &+ length
    guard end <= bytes.count else { return .incomplete(until: end) }
    return .whole(Frame(start: start, payload: start &+ header, end: end))
  }

  /// Packets that follow each other.
  struct Run {
    /// Where the last one begins.
    var last = 0
    /// Behind the last one.
    var end: Int
    var count = 0
    /// How many bytes may still be added up in vain.
    var credit: Int
    /// How many bytes were added up.
    var summed = 0
  }

  /// Finds packets that follow each other, as long as nothing is odd, with everything in local variables.
  ///
  /// - Parameters:
  ///   - most: How many packets to find at most.
  ///   - bytes: Where they are.
  ///   - start: Where the first one begins.
  ///   - credit: How many bytes may be added up in vain; each packet adds its length.
  ///   - mostCredit: What that may grow to.
  ///   - body: Gets the place of each packet, and the bytes.
  /// - Returns: What was found.
  @inline(__always) func undoubted(
    _ most: Int, in bytes: Span<UInt8>, from start: Int, credit: Int, mostCredit: Int,
    _ body: (Frame, Span<UInt8>) -> Void
  ) -> Run {
    // A loop of its own for each sender.
    switch sender {
    case .host:
      undoubted(most, of: .host, in: bytes, from: start, credit: credit, mostCredit: mostCredit, body)
    case .robot:
      undoubted(most, of: .robot, in: bytes, from: start, credit: credit, mostCredit: mostCredit, body)
    }
  }

  @inline(__always) private func undoubted(
    _ most: Int, of sender: Sender, in bytes: Span<UInt8>, from start: Int, credit: Int, mostCredit: Int,
    _ body: (Frame, Span<UInt8>) -> Void
  ) -> Run {
    var run = Run(end: start, credit: credit)
    while run.count < most, case .whole(let frame) = candidate(of: sender, in: bytes, at: run.end) {
      let length = frame.end &- frame.start
      guard length <= run.credit else { break }
      let content = bytes.extracting((frame.start &+ 2)..<frame.end)
      run.summed &+= length
      var sum = 0 as UInt8
      for index in content.indices { sum &+= content[index] }
      guard sum == 0xFF else {
        run.credit &-= length
        break
      }
      body(frame, bytes)
      run.credit = min(run.credit &+ length, mostCredit)
      (run.last, run.end, run.count) = (frame.start, frame.end, run.count &+ 1)
    }
    return run
  }

  /// The header of a packet.
  @inline(__always) func header(_ frame: Frame, in bytes: Span<UInt8>) -> PacketHeader {
    let sop2 = bytes[frame.start &+ 1]
    let (first, second) = (bytes[frame.start &+ 2], bytes[frame.start &+ 3])
    return switch (sender, sop2) {
    case (.host, _):
      .command(CommandID(first, second), options: .init(rawValue: sop2), sequence: bytes[frame.start &+ 4])
    case (.robot, 0xFE): .event(EventID(first))
    case (.robot, _): .response(Status(rawValue: first), sequence: second)
    }
  }
}
