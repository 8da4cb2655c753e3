// Bytes in any pieces become packets; what is no packet is counted and skipped.

/// Finds the packets in a stream of bytes.
///
/// Feed it with ``append(_:)`` in whatever pieces the line delivers, then take packets with ``next()``
/// until it returns nil; the packets never depend on how the bytes were cut.
/// SOP bytes also occur inside payloads, so only the checksum proves a packet:
/// a candidate that fails is tried again from its second byte,
/// and a packet hidden inside a broken one is not lost.
/// Memory is bounded by the longest packet and the longest piece appended.
///
/// The decoder has no clock. Where bytes stay away while ``pendingCount`` is not zero
/// (a second is plenty on RFCOMM), call ``giveUpOnIncomplete()``:
/// a false header must not hold good packets back.
public struct PacketDecoder: Sendable {
  /// What has been seen so far.
  public struct Statistics: Hashable, Sendable {
    /// Packets delivered.
    public var packets = 0
    /// Bytes that belong to no packet.
    public var discarded = 0
    /// Candidates of full length whose checksum was wrong.
    public var badChecksums = 0
  }

  /// Whose bytes these are.
  public let sender: Sender
  /// The longest LEN that an event may claim.
  public let longestEvent: Int
  /// What has been seen so far.
  public private(set) var statistics = Statistics()

  private var buffer: [UInt8] = []
  private var head = 0

  /// Makes a decoder for one direction.
  ///
  /// - Parameters:
  ///   - sender: Whose bytes will come: the robot's for a host, the host's for a robot.
  ///   - longestEvent: The longest LEN of an event, checksum included; 1509 has been recorded.
  public init(from sender: Sender, longestEvent: Int = 4096) {
    (self.sender, self.longestEvent) = (sender, longestEvent)
  }

  /// The bytes that wait for the rest of their packet.
  public var pendingCount: Int { buffer.count - head }

  /// Takes the next bytes of the stream.
  public mutating func append(_ bytes: some Sequence<UInt8>) {
    if head > 0 {
      buffer.removeFirst(head)
      head = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next whole packet, or nil until more bytes come.
  public mutating func next() -> Packet? {
    while head < buffer.count {
      switch Self.candidate(in: buffer.span, at: head, from: sender, longestEvent: longestEvent) {
      case .incomplete:
        return nil
      case .none:
        discardByte()
      case .found(let header, let payload, let isIntact):
        guard isIntact else {
          statistics.badChecksums += 1
          discardByte()
          continue
        }
        let packet = packet(at: head, header: header, payload: payload)
        head = payload.upperBound + 1
        statistics.packets += 1
        return packet
      }
    }
    return nil
  }

  /// Drops the first byte of an incomplete packet, so that what lies behind it is looked at.
  ///
  /// Call ``next()`` afterwards; does nothing where no bytes wait.
  public mutating func giveUpOnIncomplete() {
    if head < buffer.count { discardByte() }
  }

  private mutating func discardByte() {
    head += 1
    statistics.discarded += 1
  }

  private enum Candidate {
    case none
    case incomplete
    case found(header: Int, payload: Range<Int>, isIntact: Bool)
  }

  /// Judges the bytes from `start`, by as many of them as there are.
  private static func candidate(
    in bytes: Span<UInt8>, at start: Int, from sender: Sender, longestEvent: Int
  ) -> Candidate {
    let count = bytes.count - start
    guard bytes[start] == 0xFF else { return .none }
    guard count > 1 else { return .incomplete }
    let sop2 = bytes[start + 1]
    let header: Int
    switch sender {
    case .host:
      guard sop2 & 0xFC == 0xFC else { return .none }
      header = 6
    case .robot:
      guard sop2 >= 0xFE else { return .none }
      header = 5
    }
    let isEvent = sender == .robot && sop2 == 0xFE
    // No MRSP or DID is F0h or more: this is a run of FFh, and the packet begins later.
    if !isEvent, count > 2, bytes[start + 2] >= 0xF0 { return .none }
    guard count >= header else { return .incomplete }

    var length = Int(bytes[start + header - 1])
    if isEvent {
      length |= Int(bytes[start + 3]) << 8
      guard length <= longestEvent else { return .none }
    } else if sender == .host, length == 0xFF,
      let long = CommandID(bytes[start + 2], bytes[start + 3]).longPayloadCount
    {
      length = long + 1
    }
    guard length > 0 else { return .none }
    guard count >= header + length else { return .incomplete }

    // CHK is the inverted sum of what lies behind SOP2, so together they make FFh.
    var sum: UInt8 = 0
    let body = bytes.extracting((start + 2)..<(start + header + length))
    for index in body.indices { sum &+= body[index] }
    let payload = (start + header)..<(start + header + length - 1)
    return .found(header: header, payload: payload, isIntact: sum == 0xFF)
  }

  private func packet(at start: Int, header: Int, payload: Range<Int>) -> Packet {
    let head = Array(buffer[start..<(start + header)])
    let payload = Array(buffer[payload])
    switch (sender, head[1]) {
    case (.host, let sop2):
      return .command(
        CommandPacket(
          id: CommandID(head[2], head[3]), options: .init(rawValue: sop2), sequence: head[4],
          payload: payload))
    case (.robot, 0xFE):
      return .event(EventPacket(id: EventID(head[2]), payload: payload))
    case (.robot, _):
      return .response(
        ResponsePacket(status: Status(rawValue: head[2]), sequence: head[3], payload: payload))
    }
  }
}
