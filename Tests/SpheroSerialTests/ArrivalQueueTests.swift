// Bytes between a line and its reader: when the reader is woken, and what it then gets.

import SpheroSystem
import SpheroTransport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ArrivalQueueTests {
  private func fill(
    _ queue: ArrivalQueue, at time: Duration, _ bytes: [UInt8]
  ) throws(SystemError) -> ArrivalQueue.Outcome {
    try queue.fill(at: time) { received throws(SystemError) in received += bytes }
  }

  private func pieces(_ arrivals: Arrivals) -> [[UInt8]: Duration] {
    var pieces: [[UInt8]: Duration] = [:]
    arrivals.forEachPiece { pieces[$0] = $1 }
    return pieces
  }

  @Test func withoutALatencyEachReadWakesTheReader() async throws {
    let queue = ArrivalQueue(capacity: 100)
    #expect(try fill(queue, at: .seconds(1), [1, 2]) == .reported)
    #expect(try await queue.untilReadable())
    #expect(try fill(queue, at: .seconds(2), [3]) == .reported)
    let arrivals = queue.take()
    #expect(arrivals.joined == [1, 2, 3])
    #expect(pieces(arrivals) == [[1, 2]: .seconds(1), [3]: .seconds(2)])
    #expect(queue.take().isEmpty)
  }

  @Test func whatWaitsIsDueOnceTheFirstOfItHasWaitedLongEnough() async throws {
    let queue = ArrivalQueue(capacity: 100)
    queue.gather(for: .milliseconds(100))
    #expect(try fill(queue, at: .milliseconds(0), [1]) == .waits(.milliseconds(100)))
    #expect(try fill(queue, at: .milliseconds(30), [2]) == .waits(.milliseconds(70)))
    #expect(try fill(queue, at: .milliseconds(100), [3]) == .reported)
    #expect(try await queue.untilReadable())
    #expect(queue.take().joined == [1, 2, 3])
    // The next ones begin anew.
    #expect(try fill(queue, at: .milliseconds(110), [4]) == .waits(.milliseconds(100)))
    queue.report()
    #expect(try await queue.untilReadable())
  }

  @Test func aShorterLatencyReportsWhatWaits() async throws {
    let queue = ArrivalQueue(capacity: 100)
    queue.gather(for: .milliseconds(100))
    _ = try fill(queue, at: .zero, [1])
    let reader = Task { try await queue.untilReadable() }
    queue.gather(for: .zero)
    #expect(try await reader.value)
    #expect(try fill(queue, at: .milliseconds(1), [2]) == .reported)
  }

  @Test func muchIsReportedAtOnceAndTooMuchIsNotRead() throws {
    let queue = ArrivalQueue(capacity: 20_000)
    queue.gather(for: .seconds(1))
    #expect(try fill(queue, at: .zero, [UInt8](repeating: 1, count: 16_383)) == .waits(.seconds(1)))
    #expect(try fill(queue, at: .zero, [2]) == .reported)
    #expect(try fill(queue, at: .zero, [UInt8](repeating: 3, count: 4_000)) == .reported)
    var isAsked = false
    #expect(try queue.fill(at: .zero) { _ throws(SystemError) in isAsked = true } == .full)
    #expect(!isAsked)
    #expect(queue.take().count == 20_384)
  }

  @Test func theEndComesBehindWhatWaits() async throws {
    struct Broken: Error {}
    let queue = ArrivalQueue(capacity: 100)
    queue.gather(for: .seconds(1))
    _ = try fill(queue, at: .zero, [1])
    #expect(try fill(queue, at: .zero, []) == .ended)
    queue.finish(throwing: Broken())
    queue.finish()
    #expect(try await queue.untilReadable())
    #expect(queue.take().joined == [1])
    await #expect(throws: Broken.self) { try await queue.untilReadable() }
  }

  @Test func anEndWithoutBytesIsNothingToTake() async throws {
    let queue = ArrivalQueue(capacity: 100)
    #expect(try fill(queue, at: .zero, []) == .ended)
    #expect(queue.take().isEmpty)
    queue.finish()
    #expect(try await !queue.untilReadable())
  }

  @Test func aReadThatFailsLeavesWhatWaits() throws {
    let queue = ArrivalQueue(capacity: 100)
    _ = try fill(queue, at: .zero, [1])
    #expect(throws: SystemError.self) {
      try queue.fill(at: .zero) { _ throws(SystemError) in throw SystemError(code: 5) }
    }
    #expect(queue.take().joined == [1])
  }
}
