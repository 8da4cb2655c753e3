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

  private var waiting: [UInt8: (waiter: Waiter, stream: Int?)] = [:]
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

  /// Lets a request wait; `stream` is the stream that it asks for, if any.
  mutating func wait(_ waiter: Waiter, for number: UInt8, stream: Int?) { waiting[number] = (waiter, stream) }

  /// Hands an answer to whoever waits for it.
  ///
  /// - Returns: The stream that was asked for.
  mutating func answer(_ response: ResponsePacket) -> Int? {
    guard let request = waiting.removeValue(forKey: response.sequence) else {
      strayCount += 1
      // The late answer is here, so the number is free again.
      barred.removeAll { $0 == response.sequence }
      return nil
    }
    request.waiter.resume(returning: response)
    return request.stream
  }

  /// Lets a request time out: its waiter gets nil.
  mutating func expire(_ number: UInt8) {
    guard let request = waiting.removeValue(forKey: number) else { return }
    barred.append(number)
    if barred.count > Self.barredCount { barred.removeFirst() }
    request.waiter.resume(returning: nil)
  }

  /// Lets every request fail.
  mutating func fail(_ error: any Error) {
    for request in waiting.values { request.waiter.resume(throwing: error) }
    waiting = [:]
  }
}
