// Properties that hold for any bytes; Tests/Tools/fuzz searches for counterexamples.

import SpheroProtocol

/// A part of the codec that receives untrusted bytes.
enum FuzzTarget: String, CaseIterable, Sendable {
  /// Streams of both directions, cut in two ways.
  case decoder
  /// Payloads of every message of the catalogue.
  case catalogue
  /// Conversations: whole packets and raw bytes of both directions, with times.
  case dissector

  /// The property that does not hold for these bytes, as a sentence, or nil.
  func complaint(about bytes: [UInt8]) -> String? {
    switch self {
    case .decoder:
      Self.caps.lazy.flatMap { cap in Sender.allCases.lazy.map { (cap, $0) } }
        .compactMap { decoder(bytes, from: $1, maximumEventLength: $0) }.first
    case .catalogue: catalogue(bytes)
    case .dissector: dissector(bytes)
    }
  }

  // MARK: - Packets

  /// The values of `maximumEventLength`.
  private static let caps = [4096, 0, 1, 9, 40, 300, 65_535, .max]

  private func decoder(_ bytes: [UInt8], from sender: Sender, maximumEventLength: Int) -> String? {
    var whole = PacketDecoder(from: sender, maximumEventLength: maximumEventLength)
    whole.append(bytes)
    var packets: [Packet] = []
    while let packet = whole.next() { packets.append(packet) }

    guard whole.examined <= 12 * bytes.count + packets.count + 1 else {
      return "\(whole.examined) places looked at"
    }

    var piecewise = PacketDecoder(from: sender, maximumEventLength: maximumEventLength)
    var count = 0
    var place = 0
    while place < bytes.count {
      let size = 1 + Int(bytes[place]) % 9
      piecewise.append(bytes[place..<min(place + size, bytes.count)])
      place += size
      while let packet = piecewise.next() {
        guard count < packets.count, packets[count] == packet else { return "cuts matter to \(sender)" }
        count += 1
      }
    }
    guard count == packets.count, piecewise.statistics == whole.statistics,
      piecewise.pendingCount == whole.pendingCount
    else { return "cuts matter to the counts of \(sender)" }

    var delivered = 0
    for packet in packets {
      guard let wire = try? packet.encoded() else { return "\(packet) cannot be encoded" }
      delivered += wire.count
    }
    let total = delivered + whole.statistics.discarded + whole.pendingCount
    guard whole.statistics.falsePackets > 0 ? total >= bytes.count : total == bytes.count else {
      return "\(total) of \(bytes.count) bytes are accounted for"
    }
    guard delivered <= PacketDecoder.maximumDeliveries * bytes.count else {
      return "\(delivered) bytes delivered"
    }
    let longest = max(min(maximumEventLength, 0xFFFF), sender == .host ? 0x405 : 0xFF) + 6
    guard whole.pendingCount <= longest else { return "\(whole.pendingCount) bytes wait" }
    while whole.pendingCount > 0 {
      let pending = whole.pendingCount
      whole.discardIncomplete()
      while whole.next() != nil {}
      guard whole.pendingCount < pending else { return "discarding does not end" }
    }
    return nil
  }

  // MARK: - Messages

  private func catalogue(_ bytes: [UInt8]) -> String? {
    func survives<M: Message>(_ type: M.Type) -> String? {
      guard let message = try? M(payload: bytes) else { return nil }
      let fields = message.fields
      guard fields.allSatisfy({ !$0.description.isEmpty }) else { return "\(M.self) has a nameless field" }
      guard let payload = try? message.payload() else { return "\(M.self) cannot be written" }
      guard bytes.starts(with: payload) else { return "\(M.self) is written otherwise than read" }
      guard fields.last?.range.upperBound ?? 0 == payload.count else {
        return "\(M.self) has fields elsewhere"
      }
      return nil
    }
    func response<C: Request>(_ type: C.Type) -> String? { survives(C.Response.self) }
    for type in Catalogue.commands {
      if let complaint = survives(type) ?? response(type) { return complaint }
    }
    for type in Catalogue.events { if let complaint = survives(type) { return complaint } }
    return nil
  }

  // MARK: - Conversations

  private func dissector(_ bytes: [UInt8]) -> String? {
    var input = bytes[...]
    var time: Duration? = bytes.first.map { $0 & 1 == 0 } == true ? .zero : nil
    var dissector = Dissector(mask: bytes.first.map { $0 & 2 == 0 } == true ? .imu : [])
    var (fed, seen) = (0, 0)
    func check(_ items: [Dissection]) -> String? {
      for item in items {
        seen += item.bytes.count
        guard !item.details.isEmpty, !item.json.isEmpty else { return "nothing to show" }
        guard item.fields.allSatisfy({ $0.range.upperBound <= item.packet?.payload.count ?? 0 }) else {
          return "a field lies outside the payload of \(item)"
        }
      }
      return nil
    }
    while let operation = input.popFirst() {
      let count = min(Int(input.popFirst() ?? 0), input.count)
      let piece = [UInt8](input.prefix(count))
      input = input.dropFirst(count)
      if let now = time { time = now + .milliseconds(Int(operation) * 4) }
      let wire = wire(operation, piece)
      fed += wire.count
      let items = dissector.append(wire, from: operation & 1 == 0 ? .host : .robot, at: time)
      if let complaint = check(items) { return complaint }
    }
    if let complaint = check(dissector.finish()) { return complaint }
    let isRefuted = Sender.allCases.contains { dissector.statistics(of: $0).falsePackets > 0 }
    return isRefuted ? seen >= fed ? nil : "bytes are lost" : seen == fed ? nil : "bytes are lost"
  }

  /// Makes packets of most pieces, since random bytes rarely have a correct checksum.
  private func wire(_ operation: UInt8, _ piece: [UInt8]) -> [UInt8] {
    var rest = piece[...]
    func next() -> UInt8 { rest.popFirst() ?? 0 }
    let packet: Packet
    switch operation & 0x07 {
    case 0, 2:
      // Half of the commands are in the catalogue.
      let number = Int(next())
      let known = Catalogue.commands[number % Catalogue.commands.count].id
      let id = number & 1 == 0 ? known : CommandID(next(), next())
      packet = .command(
        CommandPacket(id: id, options: .init(rawValue: next()), sequence: next(), payload: Array(rest)))
    case 1, 3:
      packet = .response(
        ResponsePacket(status: Status(rawValue: next() & 0x0F), sequence: next(), payload: Array(rest)))
    case 5: packet = .event(EventPacket(id: EventID(next() & 0x1F), payload: Array(rest)))
    default: return piece
    }
    return (try? packet.encoded()) ?? piece
  }
}
