// Faults of single bytes, and the state of one direction of a line.

import SpheroModel
import SpheroProtocol

extension FaultInjector {
  /// The state of one direction.
  struct Direction {
    private let sender: Sender
    /// The indices of the faults that may strike bytes.
    let byteFaults: [Int]
    var decoder: TimedDecoder
    /// The bytes that are not delivered yet, and the offset of the first one in the stream.
    var pending: [UInt8] = []
    private(set) var pendingOffset = 0
    /// The earliest time of the next arrival.
    var earliestArrival = Duration.zero
    /// The number of following bytes that a fault `cut` drops.
    var bytesToDrop = 0
    /// The generator of the random numbers of this direction.
    var random: SplitMix64

    init(_ sender: Sender, byteFaults: [Int], _ random: SplitMix64) {
      (self.sender, self.byteFaults, self.random) = (sender, byteFaults, random)
      decoder = TimedDecoder(from: sender, maximumEventLength: 0xFFFF)
    }

    /// Resets all but the random numbers.
    mutating func beginLine() { self = Direction(sender, byteFaults: byteFaults, random) }

    /// Removes and returns the next pending bytes; none if `count` is not positive.
    mutating func take(_ count: Int) -> [UInt8] {
      let taken = Array(pending.prefix(max(0, count)))
      pending.removeFirst(taken.count)
      pendingOffset += taken.count
      return taken
    }

    /// Delays the next arrival until a time.
    mutating func delay(until time: Duration) { earliestArrival = max(earliestArrival, time) }

    /// Holds bytes back until the end of a burst, unless bytes are already held back.
    mutating func beginBurst(_ now: Duration, for time: Duration) {
      if earliestArrival <= now { earliestArrival = now + time }
    }

    /// One to eight bytes that belong to no packet.
    mutating func strayBytes() -> [UInt8] {
      let count = Int.random(in: 1...8, using: &random)
      // FFh would begin a packet.
      return (0..<count).map { _ in UInt8.random(in: 0...0xFE, using: &random) }
    }
  }

  private static let maximumBytesCut = 16

  /// Applies the faults of bytes, and delivers the remaining bytes.
  ///
  /// With a `reorderDelay`, they arrive later, and following bytes may overtake them.
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
          directions[side].bytesToDrop = Int.random(
            in: 1...Self.maximumBytesCut, using: &directions[side].random)
        case .duplicate: copies = min(copies * 2, Self.maximumCopies)
        case .split:
          flush(&self)
          beginsRead = true
        case .delay(let time):
          flush(&self)
          directions[side].delay(until: now + time)
        case .burst(let time):
          flush(&self)
          directions[side].beginBurst(now, for: time)
        case .stall(let time):
          flush(&self)
          stall(until: now + time)
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
