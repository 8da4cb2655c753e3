// The event loop: tasks, deadlines and watches.

import Dispatch
import Foundation
import SpheroSystem
import SpheroTransport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EventLoopTests {
  /// Runs a loop on a new thread until a task on it has ended.
  private func run<Result: Sendable>(
    _ loop: EventLoop = EventLoop(), _ body: @escaping @Sendable (EventLoop) async throws -> Result
  ) async throws -> Result {
    let isOver = Locked(false)
    let task = Task(executorPreference: loop) {
      // On the loop, which sees it before it sleeps again.
      defer { isOver.withLock { $0 = true } }
      return try await body(loop)
    }
    let thread = try Thread { loop.run { !isOver.withLock { $0 } } }
    let result = await task.result
    thread.join()
    return try result.get()
  }

  @Test func sleepersGoOnInTheOrderOfTheirDeadlines() async throws {
    let order = Locked<[Int]>([])
    try await run { loop in
      let start = loop.now
      try await withThrowingTaskGroup(of: Void.self) { group in
        // The intervals exceed the delay of a busy computer until all tasks sleep.
        for delay in [600, 200, 400, 200] {
          group.addTask {
            try await loop.sleep(until: start + .milliseconds(delay))
            order.withLock { $0.append(delay) }
          }
        }
        try await group.waitForAll()
      }
      #expect(loop.now - start >= .milliseconds(600))
    }
    #expect(order.withLock { $0 } == [200, 200, 400, 600])
  }

  @Test func aCancelledSleepEnds() async throws {
    try await run { loop in
      let sleeper = Task(executorPreference: loop) { try await loop.sleep(for: .seconds(3_600)) }
      try await loop.sleep(for: .milliseconds(5))
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
  }

  @Test func aJobOfAnotherThreadWakesTheLoop() async throws {
    let word = try await run { _ in
      await withCheckedContinuation { continuation in
        // A task of the pool: the loop sleeps without a deadline.
        Task {
          try? await Task.sleep(for: .milliseconds(20))
          continuation.resume(returning: "woken")
        }
      }
    }
    #expect(word == "woken")
  }

  @Test func bytesComeWhileTheLoopSleeps() async throws {
    let pipe = try System.makePipe()
    defer { for end in [pipe.read, pipe.write] { System.close(end) } }
    let mailbox = Mailbox<UInt8>(capacity: 100)
    let loop = EventLoop()
    _ = loop.watch(pipe.read) { _ in
      guard let bytes = try? System.read(pipe.read, atMost: 2) else { return .zero }
      mailbox.push(bytes)
      return .zero
    }
    let bytes = try await run(loop) { loop in
      Task {
        try await Task.sleep(for: .milliseconds(20))
        _ = try System.write(pipe.write, [7, 8, 9])
      }
      var bytes: [UInt8] = []
      while bytes.count < 3, let more = try await mailbox.receive() { bytes += more }
      return bytes
    }
    #expect(bytes == [7, 8, 9])
  }

  @Test func aPauseHoldsBytesBackUntilItIsOver() async throws {
    let pipe = try System.makePipe()
    defer { for end in [pipe.read, pipe.write] { System.close(end) } }
    _ = try System.write(pipe.write, [1])
    let calls = Mailbox<Duration>(capacity: 100)
    let (loop, paused) = (EventLoop(), Locked<Duration?>(nil))
    _ = loop.watch(pipe.read) { time in
      calls.push([time])
      return paused.withLock { paused in
        guard paused == nil else { return nil }
        // The pause begins at the time of the event, not at the end of the handler.
        paused = time
        return .milliseconds(50)
      }
    }
    try await run(loop) { _ in
      var seen: [Duration] = []
      while seen.count < 2, let more = try await calls.receive() { seen += more }
      // Ready at once; then no call before the end of the pause, although the byte is unread.
      #expect(seen.count == 2 && seen.first == paused.withLock { $0 })
      #expect(try #require(seen.last) - seen[0] >= .milliseconds(50))
      #expect(!loop.hasWatches)
    }
  }

  @Test func aChangeBehindTheLastLookEndsTheWait() async throws {
    let pipe = try System.makePipe()
    defer { for end in [pipe.read, pipe.write] { System.close(end) } }
    let (isRescued, loop) = (Locked(false), EventLoop())
    let number = loop.watch(pipe.read) { _ in .zero }
    // Any change wakes a thread that sleeps.
    let rescue = Task.detached {
      try await Task.sleep(for: .seconds(60))
      isRescued.withLock { $0 = true }
      loop.unwatch(0)
    }
    var looks = 0
    loop.run {
      looks += 1
      // From another thread, just after the loop has checked its condition; the call waits until the loop stops using the descriptor.
      defer {
        if looks == 1 {
          DispatchQueue.global().async { loop.unwatch(number) }
          while loop.hasWatches { usleep(100) }
        }
      }
      return loop.hasWatches
    }
    rescue.cancel()
    #expect(looks == 2)
    #expect(!isRescued.withLock { $0 })
  }

  @Test func anEndedWatchIsNeverCalledAgain() async throws {
    let pipe = try System.makePipe()
    defer { for end in [pipe.read, pipe.write] { System.close(end) } }
    let (calls, loop) = (Locked(0), EventLoop())
    let number = loop.watch(pipe.read) { _ in
      calls.withLock { $0 += 1 }
      return .zero
    }
    #expect(loop.hasWatches)
    try await run(loop) { loop in
      // From a thread of the pool, while the loop polls the descriptor.
      try await Task.detached {
        try await Task.sleep(for: .milliseconds(20))
        loop.unwatch(number)
        _ = try System.write(pipe.write, [1])
      }.value
      try await loop.sleep(for: .milliseconds(20))
    }
    #expect(calls.withLock { $0 } == 0)
    #expect(!loop.hasWatches)
  }
}
