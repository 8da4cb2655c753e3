// Decides, packet by packet, what goes wrong: bytes and the time go in, deliveries come out.

import SpheroModel
import SpheroProtocol

/// Applies a plan of faults to both directions of a line.
///
/// Bytes between packets pass as they are. The head of a packet waits for the rest of it,
/// and arrives with the next bytes where the rest never comes.
struct FaultInjector: Sendable {
  /// Bytes on their way.
  struct Delivery: Hashable, Sendable {
    /// Who gets them.
    var recipient: Sender
    /// When they arrive.
    var due: Duration
    var bytes: [UInt8]
    /// Whether packets sent later may overtake them.
    var mayBeOvertaken = false
    /// Whether they begin a read of their own.
    var isApart = false
  }

  private struct Direction {
    var decoder: PacketDecoder
    /// The bytes that have not been delivered, the first of which has the offset `base` in the stream.
    var waiting: [UInt8] = []
    var base = 0
    /// The earliest time at which anything arrives.
    var floor = Duration.zero
    var chance: SplitMix64

    /// Takes the next bytes off what waits.
    mutating func take(_ count: Int) -> [UInt8] {
      let taken = Array(waiting.prefix(count))
      waiting.removeFirst(taken.count)
      base += taken.count
      return taken
    }
  }

  private let plan: FaultPlan
  private var fromHost: Direction
  private var fromRobot: Direction
  /// How many packets each fault has seen.
  private var counts: [Int]
  private var commands: [UInt8: CommandID] = [:]
  private var latestSensorData: [UInt8]?

  init(_ plan: FaultPlan) {
    self.plan = plan
    counts = Array(repeating: 0, count: plan.faults.count)
    // Each direction has its own chance, so that the faults of one do not depend on the other's pace.
    fromHost = Direction(decoder: PacketDecoder(from: .host), chance: SplitMix64(seed: plan.seed))
    fromRobot = Direction(
      decoder: PacketDecoder(from: .robot, longestEvent: 0xFFFF), chance: SplitMix64(seed: ~plan.seed))
  }

  /// Takes bytes that one side sends.
  ///
  /// - Returns: What arrives of them, and what else does, in the order of the line.
  mutating func pass(_ bytes: [UInt8], from sender: Sender, at now: Duration) -> [Delivery] {
    guard !plan.faults.isEmpty else {
      return [Delivery(recipient: sender.opposite, due: now, bytes: bytes)]
    }
    var direction = sender == .host ? fromHost : fromRobot
    var deliveries: [Delivery] = []
    direction.waiting += bytes
    direction.decoder.append(bytes)
    while let (packet, offset) = direction.decoder.nextWithOffset() {
      let length = (try? packet.encoded().count) ?? 0
      let start = max(0, offset - direction.base)
      // Bytes of no packet, or one that lay inside a false packet and has gone through with it.
      if start > 0 { deliver(direction.take(start), from: sender, &direction, now, &deliveries) }
      let rest = offset + length - direction.base
      guard rest > 0 else { continue }
      let taken = direction.take(rest)
      guard taken.count == length else {
        deliver(taken, from: sender, &direction, now, &deliveries)
        continue
      }
      strike(packet, taken, &direction, now, &deliveries)
    }
    let free = direction.waiting.count - direction.decoder.pendingCount
    if free > 0 { deliver(direction.take(free), from: sender, &direction, now, &deliveries) }
    if sender == .host { fromHost = direction } else { fromRobot = direction }
    return deliveries
  }

  private func deliver(
    _ bytes: [UInt8], from sender: Sender, _ direction: inout Direction, _ now: Duration,
    isApart: Bool = false, _ deliveries: inout [Delivery]
  ) {
    let due = max(now, direction.floor)
    if !isApart, let last = deliveries.last, last.recipient == sender.opposite, last.due == due,
      !last.mayBeOvertaken
    {
      deliveries[deliveries.count - 1].bytes += bytes
    } else {
      deliveries.append(
        Delivery(recipient: sender.opposite, due: due, bytes: bytes, isApart: isApart))
    }
  }

  /// Applies the plan to one packet.
  private mutating func strike(
    _ packet: Packet, _ original: [UInt8], _ direction: inout Direction, _ now: Duration,
    _ deliveries: inout [Delivery]
  ) {
    let sender = packet.sender
    if case .command(let command) = packet { commands[command.sequence] = command.id }
    var bytes = original
    var (copies, stale): (Int, [UInt8]?) = (1, nil)
    var lateness: Duration?
    var splitPlace: Int?
    for index in plan.faults.indices where befalls(packet, index, &direction.chance) {
      switch plan.faults[index].kind {
      case .drop: copies = 0
      case .corrupt:
        let place = Int.random(in: bytes.indices, using: &direction.chance)
        bytes[place] ^= UInt8.random(in: 1...255, using: &direction.chance)
      case .cut: bytes.removeLast(Int.random(in: 1..<max(2, bytes.count), using: &direction.chance))
      case .duplicate: copies *= 2
      case .delay(let time), .burst(let time): direction.floor = max(direction.floor, now + time)
      case .late(let time): lateness = time
      case .split: splitPlace = Int.random(in: 1..<max(2, bytes.count), using: &direction.chance)
      case .stall(let time):
        direction.floor = max(direction.floor, now + time)
        if sender == .host {
          fromRobot.floor = max(fromRobot.floor, now + time)
        } else {
          fromHost.floor = max(fromHost.floor, now + time)
        }
      case .misnumber:
        let change = UInt8.random(in: 1...255, using: &direction.chance)
        bytes = packet.renumbered(by: change).flatMap { try? $0.encoded() } ?? bytes
      case .refuse(let status):
        guard case .command(let command) = packet else { continue }
        copies = 0
        guard command.options.contains(.answer) else { continue }
        let refusal = Packet.response(ResponsePacket(status: status, sequence: command.sequence))
        let due = max(now, fromRobot.floor)
        deliveries.append(
          Delivery(recipient: .host, due: due, bytes: (try? refusal.encoded()) ?? [], isApart: true))
      case .stray:
        let count = Int.random(in: 1...8, using: &direction.chance)
        // FFh would begin a packet, which is another fault.
        let stray = (0..<count).map { _ in UInt8.random(in: 0...0xFE, using: &direction.chance) }
        deliver(stray, from: sender, &direction, now, &deliveries)
      case .stale: stale = latestSensorData
      }
    }
    for _ in 0..<copies {
      if let lateness {
        deliveries.append(
          Delivery(
            recipient: sender.opposite, due: now + lateness, bytes: bytes, mayBeOvertaken: true,
            isApart: true))
      } else if let splitPlace, splitPlace < bytes.count {
        deliver(Array(bytes[..<splitPlace]), from: sender, &direction, now, &deliveries)
        deliver(Array(bytes[splitPlace...]), from: sender, &direction, now, isApart: true, &deliveries)
      } else {
        deliver(bytes, from: sender, &direction, now, &deliveries)
      }
    }
    if let stale { deliver(stale, from: sender, &direction, now, &deliveries) }
    if Traffic(packet) == .sensorData { latestSensorData = original }
  }

  /// Whether a fault befalls a packet; chance is asked once for each packet that it may befall.
  private mutating func befalls(_ packet: Packet, _ index: Int, _ chance: inout SplitMix64) -> Bool {
    let fault = plan.faults[index]
    guard fault.traffic.contains(Traffic(packet)) else { return false }
    if let wanted = fault.command {
      switch packet {
      case .command(let command): guard command.id == wanted else { return false }
      case .response(let response): guard commands[response.sequence] == wanted else { return false }
      case .event: return false
      }
    }
    let place = counts[index]
    counts[index] += 1
    let isStruck = Double.random(in: 0..<1, using: &chance) < fault.chance
    return isStruck && (fault.places?.contains(place) ?? true)
  }
}

extension Packet {
  /// The packet with another SEQ, or nil where it has none.
  fileprivate func renumbered(by change: UInt8) -> Packet? {
    switch self {
    case .command(var packet):
      packet.sequence &+= change
      return .command(packet)
    case .response(var packet):
      packet.sequence &+= change
      return .response(packet)
    case .event: return nil
    }
  }
}
