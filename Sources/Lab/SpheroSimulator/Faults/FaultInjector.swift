// The fault injector: from bytes and times to deliveries.

import SpheroModel
import SpheroProtocol

/// Applies a plan of faults to both directions of a line, regardless of the division of the bytes into pieces.
///
/// The faults of packets leave the bytes between them unchanged, and delay an incomplete packet for a second at most.
struct FaultInjector: Sendable {
  struct Delivery: Hashable, Sendable {
    var recipient: Sender
    var due: Duration
    var bytes: [UInt8]
    var mayBeOvertaken = false
    /// Whether a read of the recipient begins with these bytes.
    var beginsRead = false
  }

  /// The maximum number of copies by several faults `duplicate`.
  static let maximumCopies = 16

  let faults: [Fault]
  private let packetFaults: [Int]
  var directions: [Direction]
  /// The number of packets or bytes that each fault could have struck so far.
  private var counts: [Int]
  private(set) var lineNumber = 0
  /// The latest command with each sequence number, which identifies its response.
  private var commands: [UInt8: CommandID] = [:]
  private var latestSensorData: [UInt8]?
  var deliveries: [Delivery] = []

  init(_ plan: FaultPlan) {
    faults = plan.faults
    counts = Array(repeating: 0, count: faults.count)
    func indices(_ traffic: Traffic) -> [Int] {
      plan.faults.indices.filter { index in
        let fault = plan.faults[index]
        return fault.chance > 0
          && !fault.traffic.intersection(fault.kind.possibleTraffic).isDisjoint(with: traffic)
      }
    }
    packetFaults = indices(.all)
    // Each direction has its own random numbers, which do not depend on the other direction.
    directions = [
      Direction(.host, byteFaults: indices(.hostBytes), SplitMix64(seed: plan.seed)),
      Direction(.robot, byteFaults: indices(.robotBytes), SplitMix64(seed: ~plan.seed)),
    ]
  }

  mutating func beginLine() {
    lineNumber += 1
    for index in directions.indices { directions[index].beginLine() }
    (commands, latestSensorData) = ([:], nil)
  }

  /// Passes bytes from one side to the other; returns the deliveries in the order of sending.
  mutating func pass(_ bytes: [UInt8], from sender: Sender, at now: Duration) -> [Delivery] {
    if packetFaults.isEmpty {
      deliver(bytes, from: sender, at: now)
    } else {
      directions[sender.index].pending += bytes
      let piece = bytes[...]
      directions[sender.index].decoder.append(piece.span, at: now)
      deliverDecoded(from: sender, at: now)
    }
    return takeDeliveries()
  }

  var nextDeadline: Duration? { directions.compactMap(\.decoder.deadline).min() }

  /// Delivers the incomplete packets that have timed out.
  mutating func advance(to now: Duration) -> [Delivery] {
    [Sender.host, .robot].flatMap { sender in
      while directions[sender.index].decoder.discardExpired(at: now) != nil {
        deliverDecoded(from: sender, at: now)
      }
      return takeDeliveries()
    }
  }

  /// Delivers the pending bytes of a direction at the end of its line.
  mutating func release(_ sender: Sender, at now: Duration) -> [Delivery] {
    while directions[sender.index].decoder.discardIncomplete() { deliverDecoded(from: sender, at: now) }
    return takeDeliveries()
  }

  private mutating func takeDeliveries() -> [Delivery] {
    defer { deliveries = [] }
    return deliveries
  }

  /// Delivers the packets that the decoder has found, with their faults, and the bytes between them without faults.
  private mutating func deliverDecoded(from sender: Sender, at now: Duration) {
    let side = sender.index
    while let (packet, offset, _) = directions[side].decoder.packets.nextWithOffset() {
      guard let length = try? packet.encoded().count else { continue }
      deliver(directions[side].take(offset - directions[side].pendingOffset), from: sender, at: now)
      let taken = directions[side].take(offset + length - directions[side].pendingOffset)
      // A packet that begins inside a false packet has already been delivered up to the end of the false packet.
      guard taken.count == length else {
        deliver(taken, from: sender, at: now)
        continue
      }
      apply(to: packet, taken, from: sender, at: now)
    }
    // The decoder has skipped the bytes before those that it still keeps.
    let skipped = directions[side].pending.count - directions[side].decoder.packets.pendingCount
    deliver(directions[side].take(skipped), from: sender, at: now)
  }

  /// Applies the faults of packets to one packet in the order of the plan, and delivers what remains of it.
  private mutating func apply(
    to packet: Packet, _ original: [UInt8], from sender: Sender, at now: Duration
  ) {
    if case .command(let command) = packet { commands[command.sequence] = command.id }
    let side = sender.index
    var bytes = original
    var (copies, stale): (Int, [UInt8]?) = (1, nil)
    var reorderDelay: Duration?
    var splitIndex: Int?
    for index in packetFaults where strikes(index, packet, from: sender) {
      switch faults[index].kind {
      case .drop: copies = 0
      case .corrupt:
        let index = Int.random(in: bytes.indices, using: &directions[side].random)
        bytes[index] ^= UInt8.random(in: 1...255, using: &directions[side].random)
      // An earlier cut may have left a single byte, which has no tail.
      case .cut where bytes.count < 2: break
      case .cut: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &directions[side].random))
      case .duplicate: copies = min(copies * 2, Self.maximumCopies)
      case .delay, .burst, .stall: delay(sender, by: faults[index].kind, at: now)
      case .reorder(let time): reorderDelay = time
      case .split: splitIndex = Int.random(in: 1..<max(2, bytes.count), using: &directions[side].random)
      case .changeSequence:
        let change = UInt8.random(in: 1...255, using: &directions[side].random)
        packet.renumber(&bytes, by: change, isWhole: bytes.count == original.count)
      case .refuse(let status):
        guard case .command(let command) = packet else { continue }
        copies = 0
        let refusal = Packet.response(ResponsePacket(status: status, sequence: command.sequence))
        guard command.options.contains(.answer), let answer = try? refusal.encoded() else { continue }
        let due = max(now, directions[Sender.robot.index].earliestArrival)
        deliveries.append(Delivery(recipient: .host, due: due, bytes: answer, beginsRead: true))
      case .stray: deliver(directions[side].strayBytes(), from: sender, at: now)
      case .stale: stale = latestSensorData
      }
    }
    for _ in 0..<copies {
      if let splitIndex, splitIndex < bytes.count {
        deliver(Array(bytes[..<splitIndex]), from: sender, at: now, reorderDelay)
        deliver(Array(bytes[splitIndex...]), from: sender, at: now, reorderDelay, beginsRead: true)
      } else {
        deliver(bytes, from: sender, at: now, reorderDelay)
      }
    }
    if let stale { deliver(stale, from: sender, at: now) }
    if Traffic(packet) == .sensorData { latestSensorData = original }
  }

  private mutating func strikes(_ index: Int, _ packet: Packet, from sender: Sender) -> Bool {
    let fault = faults[index]
    guard fault.traffic.intersection(fault.kind.possibleTraffic).contains(Traffic(packet)) else {
      return false
    }
    let command: CommandID? =
      switch packet {
      case .command(let command): command.id
      case .response(let response): commands[response.sequence]
      case .event: nil
      }
    return (fault.command == nil || fault.command == command) && strikes(index, from: sender)
  }

  /// Decides by a random number whether a fault strikes a packet or byte of the fault's traffic.
  mutating func strikes(_ index: Int, from sender: Sender) -> Bool {
    defer { counts[index] += 1 }
    // The number is drawn outside of the range as well: inside of it, a fault whose kind draws no further numbers
    // then strikes the same packets as without a range.
    let isStruck = Double.random(in: 0..<1, using: &directions[sender.index].random) < faults[index].chance
    return isStruck && (faults[index].indices?.contains(counts[index]) ?? true)
  }

  /// Delays what a sender, or with a stall both sides, send from now on.
  private mutating func delay(_ sender: Sender, by kind: Fault.Kind, at now: Duration) {
    let side = sender.index
    switch kind {
    case .delay(let time): directions[side].delay(until: now + time)
    // A later byte arrives with the burst that is already held back.
    case .burst(let time):
      if directions[side].earliestArrival <= now { directions[side].delay(until: now + time) }
    case .stall(let time): for index in directions.indices { directions[index].delay(until: now + time) }
    default: break
    }
  }

  struct Direction {
    private let sender: Sender
    let byteFaults: [Int]
    var decoder: TimedDecoder
    /// The bytes that are not delivered yet, and the offset of the first one in the stream.
    var pending: [UInt8] = []
    private(set) var pendingOffset = 0
    var earliestArrival = Duration.zero
    /// The number of bytes that a fault `cut` still drops, including the byte that it struck.
    var bytesToDrop = 0
    var random: SplitMix64

    init(_ sender: Sender, byteFaults: [Int], _ random: SplitMix64) {
      (self.sender, self.byteFaults, self.random) = (sender, byteFaults, random)
      decoder = TimedDecoder(from: sender, maximumEventLength: 0xFFFF)
    }

    mutating func beginLine() { self = Direction(sender, byteFaults: byteFaults, random) }

    /// Removes and returns the next pending bytes; none if `count` is not positive.
    mutating func take(_ count: Int) -> [UInt8] {
      let taken = Array(pending.prefix(max(0, count)))
      pending.removeFirst(taken.count)
      pendingOffset += taken.count
      return taken
    }

    mutating func delay(until time: Duration) { earliestArrival = max(earliestArrival, time) }

    mutating func strayBytes() -> [UInt8] {
      let count = Int.random(in: 1...8, using: &random)
      // FFh would begin a packet.
      return (0..<count).map { _ in UInt8.random(in: 0...0xFE, using: &random) }
    }
  }

  /// Applies the faults of bytes, and delivers the remaining bytes, which may be overtaken with a `reorderDelay`.
  mutating func deliver(
    _ bytes: [UInt8], from sender: Sender, at now: Duration, _ reorderDelay: Duration? = nil,
    beginsRead: Bool = false
  ) {
    let side = sender.index
    let byteFaults = directions[side].byteFaults
    guard !byteFaults.isEmpty else { return append(bytes, from: sender, at: now, reorderDelay, beginsRead) }
    var (piece, beginsRead): ([UInt8], Bool) = ([], beginsRead)
    func flush(_ injector: inout FaultInjector) {
      guard !piece.isEmpty else { return }
      injector.append(piece, from: sender, at: now, reorderDelay, beginsRead)
      (piece, beginsRead) = ([], false)
    }
    for original in bytes {
      var (byte, copies) = (original, 1)
      for index in byteFaults where strikes(index, from: sender) {
        switch faults[index].kind {
        case .drop: copies = 0
        case .corrupt: byte ^= 1 << UInt8.random(in: 0..<8, using: &directions[side].random)
        case .cut:
          directions[side].bytesToDrop = Int.random(in: 1...16, using: &directions[side].random)
        case .duplicate: copies = min(copies * 2, Self.maximumCopies)
        case .split:
          flush(&self)
          beginsRead = true
        case .delay, .burst, .stall:
          flush(&self)
          delay(sender, by: faults[index].kind, at: now)
        case .stray: piece += directions[side].strayBytes()
        case .reorder, .changeSequence, .refuse, .stale: break
        }
      }
      if directions[side].bytesToDrop > 0 {
        directions[side].bytesToDrop -= 1
        copies = 0
      }
      piece += repeatElement(byte, count: copies)
    }
    flush(&self)
  }

  /// Appends bytes to the deliveries: to the last delivery if both arrive in one read, otherwise as another one.
  private mutating func append(
    _ bytes: [UInt8], from sender: Sender, at now: Duration, _ reorderDelay: Duration?, _ beginsRead: Bool
  ) {
    guard !bytes.isEmpty else { return }
    let recipient = sender.opposite
    let due = max(now + (reorderDelay ?? .zero), directions[sender.index].earliestArrival)
    if !beginsRead, reorderDelay == nil, let last = deliveries.last, last.recipient == recipient,
      last.due == due, !last.mayBeOvertaken
    {
      deliveries[deliveries.count - 1].bytes += bytes
    } else {
      deliveries.append(
        Delivery(
          recipient: recipient, due: due, bytes: bytes, mayBeOvertaken: reorderDelay != nil,
          beginsRead: beginsRead || reorderDelay != nil))
    }
  }
}

extension Sender {
  var index: Int { self == .host ? 0 : 1 }
}

extension Packet {
  /// Adds a number to SEQ in the bytes that other faults have left of a packet, and adapts CHK if no byte was cut.
  fileprivate func renumber(_ bytes: inout [UInt8], by change: UInt8, isWhole: Bool) {
    let index: Int
    switch self {
    case .command: index = 4
    case .response: index = 3
    case .event: return
    }
    guard bytes.indices.contains(index) else { return }
    bytes[index] &+= change
    // CHK is the complement of the sum.
    if isWhole, let last = bytes.indices.last { bytes[last] &-= change }
  }
}
