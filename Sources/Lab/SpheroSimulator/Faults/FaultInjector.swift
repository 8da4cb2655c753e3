// The fault injector, without input and output: bytes and times in, deliveries out.

import SpheroModel
import SpheroProtocol

/// Applies a plan of faults to both directions of a line.
///
/// Bytes between packets pass unchanged. An incomplete packet waits for its other bytes for at most a second.
/// The faults do not depend on the division of the bytes into pieces.
struct FaultInjector: Sendable {
  /// Bytes on the line.
  struct Delivery: Hashable, Sendable {
    var recipient: Sender
    /// The time of arrival.
    var due: Duration
    var bytes: [UInt8]
    /// Whether packets sent later may overtake these bytes.
    var mayBeOvertaken = false
    /// Whether these bytes begin a read.
    var isApart = false
  }

  let faults: [Fault]
  private let packetFaults: [Int]
  /// The direction of the host's bytes, and that of the robot's.
  var directions: [Direction]
  /// The number of packets or bytes that each fault has evaluated.
  private var counts: [Int]
  /// The number of lines that have begun.
  private(set) var lineNumber = 0
  private var commands: [UInt8: CommandID] = [:]
  private var latestSensorData: [UInt8]?
  /// The deliveries of the present call.
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
    // Each direction has its own random numbers: its faults do not depend on the other direction.
    directions = [
      Direction(.host, byteFaults: indices(.hostBytes), seed: plan.seed),
      Direction(.robot, byteFaults: indices(.robotBytes), seed: ~plan.seed),
    ]
  }

  /// Begins another line, with the next random numbers.
  mutating func beginLine() {
    lineNumber += 1
    for index in directions.indices { directions[index].beginLine() }
    (commands, latestSensorData) = ([:], nil)
  }

  /// Sends bytes of one side.
  ///
  /// - Returns: The deliveries, in the order of the line.
  mutating func pass(_ bytes: [UInt8], from sender: Sender, at now: Duration) -> [Delivery] {
    if packetFaults.isEmpty {
      deliver(bytes, from: sender, at: now)
    } else {
      directions[sender.index].waiting += bytes
      let piece = bytes[...]
      directions[sender.index].decoder.append(piece.span, at: now)
      search(sender, now)
    }
    return takeDeliveries()
  }

  /// The timeout of an incomplete packet; nil if none is pending.
  var nextDeadline: Duration? { directions.compactMap(\.decoder.deadline).min() }

  /// Delivers the incomplete packets that have timed out.
  mutating func advance(to now: Duration) -> [Delivery] {
    [Sender.host, .robot].flatMap { sender in
      while directions[sender.index].decoder.discardExpired(at: now) != nil { search(sender, now) }
      return takeDeliveries()
    }
  }

  /// Delivers the pending bytes of one direction at the end of its line.
  mutating func release(_ sender: Sender, at now: Duration) -> [Delivery] {
    while directions[sender.index].decoder.discardIncomplete() { search(sender, now) }
    return takeDeliveries()
  }

  private mutating func takeDeliveries() -> [Delivery] {
    defer { deliveries = [] }
    return deliveries.filter { !$0.bytes.isEmpty }
  }

  /// Delivers all packets that the decoder has found, and the bytes between them.
  private mutating func search(_ sender: Sender, _ now: Duration) {
    let side = sender.index
    while let (packet, offset) = directions[side].decoder.packets.nextWithOffset() {
      let length = (try? packet.encoded().count) ?? 0
      let start = max(0, offset - directions[side].base)
      // Bytes of no packet, or of a packet inside a false packet that has been delivered.
      if start > 0 { deliver(directions[side].take(start), from: sender, at: now) }
      let rest = offset + length - directions[side].base
      guard rest > 0 else { continue }
      let taken = directions[side].take(rest)
      guard taken.count == length else {
        deliver(taken, from: sender, at: now)
        continue
      }
      apply(to: packet, taken, from: sender, at: now)
    }
    let free = directions[side].waiting.count - directions[side].decoder.packets.pendingCount
    if free > 0 { deliver(directions[side].take(free), from: sender, at: now) }
  }

  /// Applies the plan to one packet.
  private mutating func apply(
    to packet: Packet, _ original: [UInt8], from sender: Sender, at now: Duration
  ) {
    if case .command(let command) = packet { commands[command.sequence] = command.id }
    let side = sender.index
    var bytes = original
    var (copies, stale): (Int, [UInt8]?) = (1, nil)
    var lateness: Duration?
    var splitPlace: Int?
    for index in packetFaults where strikes(index, packet, from: sender) {
      switch faults[index].kind {
      case .drop: copies = 0
      case .corrupt where bytes.isEmpty: break
      case .corrupt:
        let place = Int.random(in: bytes.indices, using: &directions[side].chance)
        bytes[place] ^= UInt8.random(in: 1...255, using: &directions[side].chance)
      // An earlier cut may have left a single byte, which has no tail.
      case .cut where bytes.count < 2: break
      case .cut: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &directions[side].chance))
      case .duplicate: copies = min(copies * 2, 16)
      case .delay(let time): directions[side].delay(until: now + time)
      case .burst(let time): directions[side].holdBack(now, for: time)
      case .reorder(let time): lateness = time
      case .split: splitPlace = Int.random(in: 1..<max(2, bytes.count), using: &directions[side].chance)
      case .stall(let time): stall(until: now + time)
      case .changeSequence:
        let change = UInt8.random(in: 1...255, using: &directions[side].chance)
        packet.renumber(&bytes, by: change, isWhole: bytes.count == original.count)
      case .refuse(let status):
        guard case .command(let command) = packet else { continue }
        copies = 0
        guard command.options.contains(.answer) else { continue }
        let refusal = Packet.response(ResponsePacket(status: status, sequence: command.sequence))
        let due = max(now, directions[Sender.robot.index].earliestArrival)
        deliveries.append(
          Delivery(recipient: .host, due: due, bytes: (try? refusal.encoded()) ?? [], isApart: true))
      case .stray: deliver(directions[side].noise(), from: sender, at: now)
      case .stale: stale = latestSensorData
      }
    }
    for _ in 0..<copies {
      if let splitPlace, splitPlace < bytes.count {
        deliver(Array(bytes[..<splitPlace]), from: sender, at: now, lateness)
        deliver(Array(bytes[splitPlace...]), from: sender, at: now, lateness, isApart: true)
      } else {
        deliver(bytes, from: sender, at: now, lateness)
      }
    }
    if let stale { deliver(stale, from: sender, at: now) }
    if Traffic(packet) == .sensorData { latestSensorData = original }
  }

  /// Returns whether a fault strikes a packet.
  private mutating func strikes(_ index: Int, _ packet: Packet, from sender: Sender) -> Bool {
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
    return strikes(index, from: sender)
  }

  /// Draws a random number for a packet or byte that a fault may strike.
  mutating func strikes(_ index: Int, from sender: Sender) -> Bool {
    let place = counts[index]
    counts[index] += 1
    let strikes = Double.random(in: 0..<1, using: &directions[sender.index].chance) < faults[index].chance
    return strikes && (faults[index].indices?.contains(place) ?? true)
  }

  /// Delays both directions until a time.
  mutating func stall(until end: Duration) {
    for index in directions.indices { directions[index].delay(until: end) }
  }
}

extension Sender {
  /// The index in ``FaultInjector/directions``.
  var index: Int { self == .host ? 0 : 1 }
}

extension Packet {
  /// Adds a number to SEQ in what other faults have left of a packet, and adapts CHK if the bytes include it.
  fileprivate func renumber(_ bytes: inout [UInt8], by change: UInt8, isWhole: Bool) {
    let place: Int
    switch self {
    case .command: place = 4
    case .response: place = 3
    case .event: return
    }
    guard bytes.indices.contains(place) else { return }
    bytes[place] &+= change
    // CHK is the complement of the sum.
    if isWhole, let last = bytes.indices.last { bytes[last] &-= change }
  }
}
