// Bells and mailboxes: what is kept for whoever waits later, and how waiting ends.

import SpheroTransport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct BellTests {
  private struct Broken: Error {}

  @Test func aRingIsKeptOnceForWhoeverWaitsNext() async throws {
    let bell = Bell()
    bell.ring()
    bell.ring()
    #expect(try await bell.wait())
    bell.finish()
    #expect(try await !bell.wait())
    #expect(bell.hasEnded)
  }

  @Test func aRingBeforeTheEndStillCounts() async throws {
    let bell = Bell()
    bell.ring()
    bell.finish(throwing: Broken())
    // Only the first end counts, and nothing rings after it.
    bell.finish()
    bell.ring()
    #expect(try await bell.wait())
    for _ in 0..<2 { await #expect(throws: Broken.self) { try await bell.wait() } }
  }

  @Test func eachRingWakesTheOneWhoHasWaitedLongest() async throws {
    let (time, bell) = (EventLoop(), Bell())
    let order = Mailbox<Int>(capacity: 10)
    let waiters = (0..<3).map { number in
      Task(executorPreference: time) {
        if try await bell.wait() { order.push(number) }
      }
    }
    let ringer = Task(executorPreference: time) {
      try await time.sleep(for: .milliseconds(5))
      for _ in 0..<3 {
        bell.ring()
        try await time.sleep(for: .milliseconds(5))
      }
      for waiter in waiters { try await waiter.value }
      order.finish()
    }
    time.run { !order.hasEnded }
    try await ringer.value
    #expect(try await order.receive() == [0, 1, 2])
  }

  @Test func aCancelledWaitEndsAndTakesNoRing() async throws {
    let bell = Bell()
    let waiter = Task { try await bell.wait() }
    try await Task.sleep(for: .milliseconds(5))
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    bell.ring()
    #expect(try await bell.wait())
  }

  @Test func aMailboxKeepsTheOrderAndDropsTheOldest() async throws {
    let mailbox = Mailbox<UInt8>(capacity: 4)
    mailbox.push([1, 2])
    mailbox.push([])
    mailbox.push(3)
    #expect(mailbox.room == 1)
    #expect(try await mailbox.receive() == [1, 2, 3])
    mailbox.push([4, 5, 6, 7, 8, 9])
    #expect(mailbox.dropped == 2)
    mailbox.finish()
    mailbox.push(10)
    #expect(try await mailbox.receive() == [6, 7, 8, 9])
    #expect(try await mailbox.receive() == nil)
  }
}
