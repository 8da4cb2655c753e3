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
    let count = bytes.count - start
    guard count > 0 else { return .incomplete(until: start + 1) }
    guard bytes[start] == 0xFF else { return .none }
    guard count > 1 else { return .incomplete(until: start + 2) }
    let sop2 = bytes[start + 1]
    // SOP2 has its upper bits set; in a robot's packet it tells a response (FFh) from an event (FEh).
    guard sop2 >= (sender == .host ? 0xFC : 0xFE) else { return .none }
    guard count > 2 else { return .incomplete(until: start + 3) }
    let isEvent = sender == .robot && sop2 == 0xFE
    // No MRSP or DID is F0h or more: this is a run of FFh, and the packet begins later.
    if !isEvent, bytes[start + 2] >= 0xF0 { return .none }
    let header = sender == .host ? 6 : 5
    guard count >= header else { return .incomplete(until: start + header) }

    var length = Int(bytes[start + header - 1])
    if isEvent {
      length |= Int(bytes[start + 3]) << 8
      guard length <= longestEvent, expectedLengths[bytes[start + 2], length] ?? true else { return .none }
    } else if sender == .robot, length > 1,
      expectedLengths[bytes[start + 2], Int(bytes[start + 3]) << 8 | length] ?? false
    {
      // An expected event but for SOP2, which no checksum covers. A robot's refusal, with MRSP where an event
      // has its ID, has no payload; MRSP 00 is no event's ID.
      return .none
    } else if sender == .host, length == 0xFF, takesLongPayloads,
      let long = CommandID(bytes[start + 2], bytes[start + 3]).longPayloadCount
    {
      length = long + 1
    }
    guard length > 0 else { return .none }
    let end = start + header + length
    guard end <= bytes.count else { return .incomplete(until: end) }
    return .whole(Frame(start: start, payload: start + header, end: end))
  }

  /// Takes the packet out of the bytes.
  @inline(__always) func packet(_ frame: Frame, in bytes: Span<UInt8>) -> Packet {
    let place = bytes.extracting(frame.payload..<(frame.end &- 1))
    // Copied through a span, since a slice of an array would be retained and released.
    let payload = [UInt8](capacity: place.count) { output in
      for index in 0..<place.count { output.append(place[index]) }
    }
    let sop2 = bytes[frame.start + 1]
    let (first, second) = (bytes[frame.start + 2], bytes[frame.start + 3])
    switch (sender, sop2) {
    case (.host, _):
      return .command(
        CommandPacket(
          id: CommandID(first, second), options: .init(rawValue: sop2), sequence: bytes[frame.start + 4],
          payload: payload))
    case (.robot, 0xFE):
      return .event(EventPacket(id: EventID(first), payload: payload))
    case (.robot, _):
      return .response(ResponsePacket(status: Status(rawValue: first), sequence: second, payload: payload))
    }
  }
}
