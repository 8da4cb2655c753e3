// Auto-reset events and mailboxes: kept signals, order, cancellation and end.

import SpheroTransport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AutoResetEventTests {
  private struct Broken: Error {}

  @Test func aSignalIsKeptOnceForTheNextWait() async throws {
    let event = AutoResetEvent()
    event.signal()
    event.signal()
    #expect(try await event.wait())
    event.finish()
    #expect(try await !event.wait())
    #expect(event.hasEnded)
  }

  @Test func aSignalBeforeTheEndStillCounts() async throws {
    let event = AutoResetEvent()
    event.signal()
    event.finish(throwing: Broken())
    // Only the first end counts, and no signal counts after it.
    event.finish()
    event.signal()
    #expect(try await event.wait())
    for _ in 0..<2 { await #expect(throws: Broken.self) { try await event.wait() } }
  }

  @Test func eachSignalWakesTheTaskThatHasWaitedLongest() async throws {
    let (time, event) = (EventLoop(), AutoResetEvent())
    let order = Mailbox<Int>(capacity: 10)
    let waiters = (0..<3).map { number in
      Task(executorPreference: time) {
        if try await event.wait() { order.push(number) }
      }
    }
    let signaler = Task(executorPreference: time) {
      try await time.sleep(for: .milliseconds(5))
      for _ in 0..<3 {
        event.signal()
        try await time.sleep(for: .milliseconds(5))
      }
      for waiter in waiters { try await waiter.value }
      order.finish()
    }
    time.run { !order.hasEnded }
    try await signaler.value
    #expect(try await order.receive() == [0, 1, 2])
  }

  @Test func aCancelledWaitEndsAndTakesNoSignal() async throws {
    let event = AutoResetEvent()
    let waiter = Task { try await event.wait() }
    try await Task.sleep(for: .milliseconds(5))
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    event.signal()
    #expect(try await event.wait())
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
