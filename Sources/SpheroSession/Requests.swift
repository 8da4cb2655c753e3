// Who waits for which answer: replies are matched by sequence number, never by order.

import SpheroProtocol

/// The requests of a session that wait for their answer.
///
/// A sequence number is not used again while a request waits under it,
/// nor soon after one has timed out: an answer that comes too late answers nobody.
struct Requests {
  typealias Waiter = CheckedContinuation<ResponsePacket?, any Error>

  /// Sequence numbers 1...255; 0 is left to commands that want no answer.
  private static let numbers: ClosedRange<UInt8> = 1...255
  /// Numbers that stay barred after a time-out, the newest last.
  private static let barredCount = 64

  private var waiting: [UInt8: Waiter] = [:]
  private var barred: [UInt8] = []
  private var last: UInt8 = 0

  /// Answers that came too late or that nobody asked for.
  private(set) var strayCount = 0

  /// The next free number, or nil where all are taken.
  mutating func nextNumber() -> UInt8? {
    for _ in Self.numbers {
      last = last == Self.numbers.upperBound ? Self.numbers.lowerBound : last + 1
      if waiting[last] == nil, !barred.contains(last) { return last }
    }
    return nil
  }

  mutating func wait(_ waiter: Waiter, for number: UInt8) { waiting[number] = waiter }

  /// Hands an answer to whoever waits for it.
  mutating func answer(_ response: ResponsePacket) {
    if let waiter = waiting.removeValue(forKey: response.sequence) {
      waiter.resume(returning: response)
    } else {
      strayCount += 1
      // The late answer is here, so the number is free again.
      barred.removeAll { $0 == response.sequence }
    }
  }

  /// Lets a request time out: its waiter gets nil.
  mutating func expire(_ number: UInt8) {
    guard let waiter = waiting.removeValue(forKey: number) else { return }
    barred.append(number)
    if barred.count > Self.barredCount { barred.removeFirst() }
    waiter.resume(returning: nil)
  }

  /// Lets every request fail.
  mutating func fail(_ error: any Error) {
    for waiter in waiting.values { waiter.resume(throwing: error) }
    waiting = [:]
  }
}
