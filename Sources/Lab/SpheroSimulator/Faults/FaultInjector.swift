// Decides, packet by packet and byte by byte, what goes wrong: bytes and the time go in, deliveries come out.

import SpheroModel
import SpheroProtocol

/// Applies a plan of faults to both directions of a line.
///
/// Bytes between packets pass as they are. The head of a packet waits for the rest of it, for a second at most.
/// What goes wrong does not depend on how the bytes are cut into pieces.
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

  let faults: [Fault]
  private let packetFaults: [Int]
  let hostByteFaults: [Int]
  let robotByteFaults: [Int]
  var fromHost: Direction
  var fromRobot: Direction
  /// How many packets or bytes each fault has seen.
  var counts: [Int]
  /// How many lines have begun.
  private(set) var lineNumber = 0
  private var commands: [UInt8: CommandID] = [:]
  private var latestSensorData: [UInt8]?

  init(_ plan: FaultPlan) {
    faults = plan.faults
    counts = Array(repeating: 0, count: faults.count)
    func places(_ traffic: Traffic) -> [Int] {
      plan.faults.indices.filter { index in
        let fault = plan.faults[index]
        return fault.chance > 0
          && !fault.traffic.intersection(fault.kind.possibleTraffic).isDisjoint(with: traffic)
      }
    }
    packetFaults = places(.all)
    (hostByteFaults, robotByteFaults) = (places(.hostBytes), places(.robotBytes))
    // Each direction has its own chance, so that the faults of one do not depend on the other's pace.
    fromHost = Direction(.host, seed: plan.seed)
    fromRobot = Direction(.robot, seed: ~plan.seed)
  }

  /// Begins another line, on which chance goes on.
  mutating func beginLine() {
    lineNumber += 1
    fromHost.beginLine()
    fromRobot.beginLine()
    (commands, latestSensorData) = ([:], nil)
  }

  /// Takes bytes that one side sends.
  ///
  /// - Returns: What arrives of them, and what else does, in the order of the line.
  mutating func pass(_ bytes: [UInt8], from sender: Sender, at now: Duration) -> [Delivery] {
    change(sender) { injector, direction, deliveries in
      guard !injector.packetFaults.isEmpty else {
        return injector.deliver(bytes, &direction, now, to: &deliveries)
      }
      direction.waiting += bytes
      let piece = bytes[...]
      direction.decoder.append(piece.span, at: now)
      injector.search(&direction, now, &deliveries)
    }
  }

  /// When the head of a packet has waited for too long, or nil where none waits.
  var nextDeadline: Duration? {
    [fromHost.decoder.deadline, fromRobot.decoder.deadline].compactMap(\.self).min()
  }

  /// Lets the heads of packets go that have waited for too long.
  mutating func advance(to now: Duration) -> [Delivery] {
    [Sender.host, .robot].flatMap { sender in
      change(sender) { injector, direction, deliveries in
        while direction.decoder.giveUp(at: now) != nil { injector.search(&direction, now, &deliveries) }
      }
    }
  }

  /// Lets go what waits in one direction, since no more will come.
  mutating func release(_ sender: Sender, at now: Duration) -> [Delivery] {
    change(sender) { injector, direction, deliveries in
      while direction.decoder.giveUp() { injector.search(&direction, now, &deliveries) }
    }
  }

  private mutating func change(
    _ sender: Sender, _ body: (inout FaultInjector, inout Direction, inout [Delivery]) -> Void
  ) -> [Delivery] {
    var deliveries: [Delivery] = []
    var direction = sender == .host ? fromHost : fromRobot
    body(&self, &direction, &deliveries)
    if sender == .host { fromHost = direction } else { fromRobot = direction }
    return deliveries.filter { !$0.bytes.isEmpty }
  }

  /// Delivers all that is known to be a packet, or to be none.
  private mutating func search(_ direction: inout Direction, _ now: Duration, _ deliveries: inout [Delivery])
  {
    while let (packet, offset) = direction.decoder.packets.nextWithOffset() {
      let length = (try? packet.encoded().count) ?? 0
      let start = max(0, offset - direction.base)
      // Bytes of no packet, or one that lay inside a false packet and has gone through with it.
      if start > 0 { deliver(direction.take(start), &direction, now, to: &deliveries) }
      let rest = offset + length - direction.base
      guard rest > 0 else { continue }
      let taken = direction.take(rest)
      guard taken.count == length else {
        deliver(taken, &direction, now, to: &deliveries)
        continue
      }
      strike(packet, taken, &direction, now, &deliveries)
    }
    let free = direction.waiting.count - direction.decoder.packets.pendingCount
    if free > 0 { deliver(direction.take(free), &direction, now, to: &deliveries) }
  }

  /// Applies the plan to one packet.
  private mutating func strike(
    _ packet: Packet, _ original: [UInt8], _ direction: inout Direction, _ now: Duration,
    _ deliveries: inout [Delivery]
  ) {
    if case .command(let command) = packet { commands[command.sequence] = command.id }
    var bytes = original
    var (copies, stale): (Int, [UInt8]?) = (1, nil)
    var lateness: Duration?
    var splitPlace: Int?
    for index in packetFaults where befalls(packet, index, &direction.chance) {
      switch faults[index].kind {
      case .drop: copies = 0
      case .corrupt where bytes.isEmpty: break
      case .corrupt:
        let place = Int.random(in: bytes.indices, using: &direction.chance)
        bytes[place] ^= UInt8.random(in: 1...255, using: &direction.chance)
      // An earlier cut may have left a single byte, which has no tail.
      case .cut where bytes.count < 2: break
      case .cut: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &direction.chance))
      case .duplicate: copies = min(copies * 2, 16)
      case .delay(let time): direction.floor = max(direction.floor, now + time)
      case .burst(let time): if direction.floor <= now { direction.floor = now + time }
      case .late(let time): lateness = time
      case .split: splitPlace = Int.random(in: 1..<max(2, bytes.count), using: &direction.chance)
      case .stall(let time): stall(&direction, until: now + time)
      case .misnumber:
        let change = UInt8.random(in: 1...255, using: &direction.chance)
        packet.renumber(&bytes, by: change, isWhole: bytes.count == original.count)
      case .refuse(let status):
        guard case .command(let command) = packet else { continue }
        copies = 0
        guard command.options.contains(.answer) else { continue }
        let refusal = Packet.response(ResponsePacket(status: status, sequence: command.sequence))
        let due = max(now, fromRobot.floor)
        deliveries.append(
          Delivery(recipient: .host, due: due, bytes: (try? refusal.encoded()) ?? [], isApart: true))
      case .stray: deliver(Self.noise(&direction.chance), &direction, now, to: &deliveries)
      case .stale: stale = latestSensorData
      }
    }
    for _ in 0..<copies {
      if let splitPlace, splitPlace < bytes.count {
        deliver(Array(bytes[..<splitPlace]), &direction, now, lateness, to: &deliveries)
        deliver(Array(bytes[splitPlace...]), &direction, now, lateness, isApart: true, to: &deliveries)
      } else {
        deliver(bytes, &direction, now, lateness, to: &deliveries)
      }
    }
    if let stale { deliver(stale, &direction, now, to: &deliveries) }
    if Traffic(packet) == .sensorData { latestSensorData = original }
  }

  /// Whether a fault befalls a packet.
  private mutating func befalls(_ packet: Packet, _ index: Int, _ chance: inout SplitMix64) -> Bool {
    let fault = faults[index]
    guard fault.traffic.intersection(fault.kind.possibleTraffic).contains(Traffic(packet)) else {
      return false
    }
    if let wanted = fault.command {
      switch packet {
      case .command(let command): guard command.id == wanted else { return false }
      case .response(let response): guard commands[response.sequence] == wanted else { return false }
      case .event: return false
      }
    }
    return isStruck(index, &chance)
  }

}

extension Packet {
  /// Changes SEQ in the packet's bytes, to which other faults may have been done, and CHK with it.
  ///
  /// - Parameters:
  ///   - bytes: What is left of the packet, from its first byte on.
  ///   - change: What is added to SEQ.
  ///   - isWhole: Whether CHK is still there.
  fileprivate func renumber(_ bytes: inout [UInt8], by change: UInt8, isWhole: Bool) {
    let place: Int
    switch self {
    case .command: place = 4
    case .response: place = 3
    case .event: return
    }
    guard bytes.indices.contains(place) else { return }
    bytes[place] &+= change
    // CHK is the complement of the sum, so that it falls by what the sum rises.
    if isWhole, let last = bytes.indices.last { bytes[last] &-= change }
  }
}
