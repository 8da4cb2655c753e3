// Decides, byte by byte, what goes wrong, and what is known of one direction of a line.

import SpheroModel
import SpheroProtocol

extension FaultInjector {
  /// What is known of one direction.
  struct Direction {
    let sender: Sender
    var decoder: TimedDecoder
    /// The bytes that have not been delivered, the first of which has the offset `base` in the stream.
    var waiting: [UInt8] = []
    var base = 0
    /// The earliest time at which anything arrives.
    var floor = Duration.zero
    /// How many of the next bytes are lost.
    var bytesToLose = 0
    var chance: SplitMix64

    init(_ sender: Sender, seed: UInt64) {
      self.sender = sender
      decoder = Self.decoder(sender)
      chance = SplitMix64(seed: seed)
    }

    private static func decoder(_ sender: Sender) -> TimedDecoder {
      TimedDecoder(from: sender, longestEvent: 0xFFFF)
    }

    /// Forgets the bytes of the line before; chance goes on.
    mutating func beginLine() {
      (decoder, waiting, base) = (Self.decoder(sender), [], 0)
      (floor, bytesToLose) = (.zero, 0)
    }

    /// Takes the next bytes off what waits.
    mutating func take(_ count: Int) -> [UInt8] {
      let taken = Array(waiting.prefix(count))
      waiting.removeFirst(taken.count)
      base += taken.count
      return taken
    }
  }

  private static let mostBytesCut = 16

  /// Applies the plan to each byte, and delivers what is left.
  mutating func deliver(
    _ bytes: [UInt8], _ direction: inout Direction, _ now: Duration, _ lateness: Duration? = nil,
    isApart: Bool = false, to deliveries: inout [Delivery]
  ) {
    let byteFaults = direction.sender == .host ? hostByteFaults : robotByteFaults
    guard !byteFaults.isEmpty else {
      return append(bytes, direction, now, lateness, isApart, to: &deliveries)
    }
    var (piece, isApart): ([UInt8], Bool) = ([], isApart)
    func flush(_ injector: FaultInjector, _ direction: Direction, _ deliveries: inout [Delivery]) {
      guard !piece.isEmpty else { return }
      injector.append(piece, direction, now, lateness, isApart, to: &deliveries)
      (piece, isApart) = ([], false)
    }
    for original in bytes {
      var (byte, copies) = (original, 1)
      for index in byteFaults where isStruck(index, &direction.chance) {
        switch faults[index].kind {
        case .drop: copies = 0
        case .corrupt: byte ^= 1 << UInt8.random(in: 0..<8, using: &direction.chance)
        case .cut: direction.bytesToLose = Int.random(in: 1...Self.mostBytesCut, using: &direction.chance)
        case .duplicate: copies = min(copies * 2, 16)
        case .split:
          flush(self, direction, &deliveries)
          isApart = true
        case .delay(let time):
          flush(self, direction, &deliveries)
          direction.floor = max(direction.floor, now + time)
        case .burst(let time):
          flush(self, direction, &deliveries)
          if direction.floor <= now { direction.floor = now + time }
        case .stall(let time):
          flush(self, direction, &deliveries)
          stall(&direction, until: now + time)
        case .stray: piece += Self.noise(&direction.chance)
        case .late, .misnumber, .refuse, .stale: break
        }
      }
      if direction.bytesToLose > 0 {
        direction.bytesToLose -= 1
        copies = 0
      }
      piece += repeatElement(byte, count: copies)
    }
    flush(self, direction, &deliveries)
  }

  private func append(
    _ bytes: [UInt8], _ direction: Direction, _ now: Duration, _ lateness: Duration?, _ isApart: Bool,
    to deliveries: inout [Delivery]
  ) {
    guard !bytes.isEmpty else { return }
    let recipient = direction.sender.opposite
    let due = max(now + (lateness ?? .zero), direction.floor)
    if !isApart, lateness == nil, let last = deliveries.last, last.recipient == recipient, last.due == due,
      !last.mayBeOvertaken
    {
      deliveries[deliveries.count - 1].bytes += bytes
    } else {
      deliveries.append(
        Delivery(
          recipient: recipient, due: due, bytes: bytes, mayBeOvertaken: lateness != nil,
          isApart: isApart || lateness != nil))
    }
  }

  /// Lets nothing arrive in either direction until a time.
  mutating func stall(_ direction: inout Direction, until end: Duration) {
    direction.floor = max(direction.floor, end)
    if direction.sender == .host {
      fromRobot.floor = max(fromRobot.floor, end)
    } else {
      fromHost.floor = max(fromHost.floor, end)
    }
  }

  /// One to eight bytes that belong to no packet.
  static func noise(_ chance: inout SplitMix64) -> [UInt8] {
    let count = Int.random(in: 1...8, using: &chance)
    // FFh would begin a packet, which is another fault.
    return (0..<count).map { _ in UInt8.random(in: 0...0xFE, using: &chance) }
  }

  /// Asks chance, once for each packet or byte that a fault may befall.
  mutating func isStruck(_ index: Int, _ chance: inout SplitMix64) -> Bool {
    let place = counts[index]
    counts[index] += 1
    let isStruck = Double.random(in: 0..<1, using: &chance) < faults[index].chance
    return isStruck && (faults[index].places?.contains(place) ?? true)
  }
}
