// Faults of single bytes, and the state of one direction of a line.

import SpheroModel
import SpheroProtocol

extension FaultInjector {
  /// The state of one direction.
  struct Direction {
    private let sender: Sender
    let byteFaults: [Int]
    var decoder: TimedDecoder
    /// The pending bytes; the first one has the offset `base` in the stream.
    var waiting: [UInt8] = []
    private(set) var base = 0
    /// The earliest time of the next arrival.
    var earliestArrival = Duration.zero
    /// The number of following bytes to drop.
    var bytesToLose = 0
    var chance: SplitMix64

    init(_ sender: Sender, byteFaults: [Int], seed: UInt64) {
      (self.sender, self.byteFaults) = (sender, byteFaults)
      decoder = Self.decoder(sender)
      chance = SplitMix64(seed: seed)
    }

    private static func decoder(_ sender: Sender) -> TimedDecoder {
      TimedDecoder(from: sender, maximumEventLength: 0xFFFF)
    }

    /// Resets all but the random numbers.
    mutating func beginLine() {
      (decoder, waiting, base) = (Self.decoder(sender), [], 0)
      (earliestArrival, bytesToLose) = (.zero, 0)
    }

    /// Removes and returns the next pending bytes.
    mutating func take(_ count: Int) -> [UInt8] {
      let taken = Array(waiting.prefix(count))
      waiting.removeFirst(taken.count)
      base += taken.count
      return taken
    }

    /// Delays the next arrival until a time.
    mutating func delay(until time: Duration) { earliestArrival = max(earliestArrival, time) }

    /// Begins a burst, unless bytes are already held back.
    mutating func holdBack(_ now: Duration, for time: Duration) {
      if earliestArrival <= now { earliestArrival = now + time }
    }

    /// One to eight bytes that belong to no packet.
    mutating func noise() -> [UInt8] {
      let count = Int.random(in: 1...8, using: &chance)
      // FFh would begin a packet.
      return (0..<count).map { _ in UInt8.random(in: 0...0xFE, using: &chance) }
    }
  }

  private static let maximumBytesCut = 16

  /// Applies the plan to each byte, and delivers the remaining bytes.
  mutating func deliver(
    _ bytes: [UInt8], from sender: Sender, at now: Duration, _ lateness: Duration? = nil,
    isApart: Bool = false
  ) {
    let side = sender.index
    let byteFaults = directions[side].byteFaults
    guard !byteFaults.isEmpty else { return append(bytes, from: sender, at: now, lateness, isApart) }
    var (piece, isApart): ([UInt8], Bool) = ([], isApart)
    func flush(_ injector: inout FaultInjector) {
      guard !piece.isEmpty else { return }
      injector.append(piece, from: sender, at: now, lateness, isApart)
      (piece, isApart) = ([], false)
    }
    for original in bytes {
      var (byte, copies) = (original, 1)
      for index in byteFaults where strikes(index, from: sender) {
        switch faults[index].kind {
        case .drop: copies = 0
        case .corrupt: byte ^= 1 << UInt8.random(in: 0..<8, using: &directions[side].chance)
        case .cut:
          directions[side].bytesToLose = Int.random(
            in: 1...Self.maximumBytesCut, using: &directions[side].chance)
        case .duplicate: copies = min(copies * 2, 16)
        case .split:
          flush(&self)
          isApart = true
        case .delay(let time):
          flush(&self)
          directions[side].delay(until: now + time)
        case .burst(let time):
          flush(&self)
          directions[side].holdBack(now, for: time)
        case .stall(let time):
          flush(&self)
          stall(until: now + time)
        case .stray: piece += directions[side].noise()
        case .reorder, .changeSequence, .refuse, .stale: break
        }
      }
      if directions[side].bytesToLose > 0 {
        directions[side].bytesToLose -= 1
        copies = 0
      }
      piece += repeatElement(byte, count: copies)
    }
    flush(&self)
  }

  /// Adds bytes to the deliveries, in one piece with the last ones if nothing separates them.
  private mutating func append(
    _ bytes: [UInt8], from sender: Sender, at now: Duration, _ lateness: Duration?, _ isApart: Bool
  ) {
    guard !bytes.isEmpty else { return }
    let recipient = sender.opposite
    let due = max(now + (lateness ?? .zero), directions[sender.index].earliestArrival)
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
}
