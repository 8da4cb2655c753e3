// The system's clock, descriptors and tasks on one thread: what comes is worked on where it was waited for.

import Dispatch
import SpheroSystem

/// Runs the tasks that depend on it on one thread, which sleeps in `poll` until bytes or a deadline come.
///
/// It is to the system's clock what ``VirtualTime`` is to a virtual one: a time source and the executor of its tasks.
/// A task that waits for bytes or a time goes on without a change of threads, and a deadline costs no system call.
/// Nothing runs outside ``run(while:)``.
package final class EventLoop: TimeSource, TaskExecutor {
  /// What the owner of a descriptor waits for.
  package struct Wish: Hashable, Sendable {
    fileprivate var listens: Bool
    fileprivate var pause: Duration?

    /// Bytes or the end of the line; once the pause is over, nothing.
    package static func bytes(within pause: Duration? = nil) -> Wish { Wish(listens: true, pause: pause) }
    /// Only the end of a pause.
    package static func pause(_ pause: Duration) -> Wish { Wish(listens: false, pause: pause) }
  }

  /// Does what a descriptor needs; gets whether it has bytes or has ended, and tells what to wait for.
  ///
  /// Nil ends the watch. It must neither block nor end a watch otherwise.
  package typealias Turn = @Sendable (_ isReady: Bool) -> Wish?

  private struct Watch {
    var number: Int
    var descriptor: Int32
    var listens: Bool
    var deadline: Duration?
    var turn: Turn
  }

  private struct State {
    var jobs: [UnownedJob] = []
    var watches: [Watch] = []
    var watchCount = 0
    /// Whether anything has changed since the jobs were taken: what the thread has looked at may be out of date.
    var hasChanged = false
    /// Whether the thread sleeps, and no byte to wake it is on its way.
    var isAsleep = false
    /// Whether the thread may use the descriptors.
    var isWatching = false
    /// Those who wait until it does not.
    var leaving: [DispatchSemaphore] = []

    /// Notes what the owner of a descriptor waits for, unless its watch has ended.
    mutating func take(_ wish: Wish?, of number: Int, at time: Duration) {
      guard let place = watches.firstIndex(where: { $0.number == number }) else { return }
      guard let wish else {
        watches.remove(at: place)
        return
      }
      watches[place].listens = wish.listens
      watches[place].deadline = wish.pause.map { time + $0 }
    }
  }

  /// How many rounds of jobs run before descriptors and deadlines get their turn.
  private static let mostRounds = 64

  private let state = Locked(State())
  private let sleepers = Sleepers()
  /// Two descriptors that do not exist where the system has no pipe left.
  private let wakeUp: (read: Int32, write: Int32)

  /// Makes a loop that does not run yet.
  package init() { wakeUp = (try? System.makePipe()) ?? (-1, -1) }

  deinit {
    System.close(wakeUp.read)
    System.close(wakeUp.write)
  }

  // MARK: For everybody

  /// The time of the system's clock, the same as that of ``SystemTime``.
  package var now: Duration { SystemTime().now }

  /// The time since the beginning of 1970 by the system's wall clock.
  package var wallClock: Duration { SystemTime().wallClock }

  /// This loop.
  package var executor: (any TaskExecutor)? { self }

  /// Waits until a time of the system's clock.
  package func sleep(until deadline: Duration) async throws {
    try await sleepers.sleep(until: deadline) { change { _ in } }
  }

  /// Takes a job of the concurrency runtime.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    change { $0.jobs.append(job) }
  }

  /// Whether any descriptor is watched.
  package var hasWatches: Bool { state.withLock { !$0.watches.isEmpty } }

  /// Watches a descriptor, which stays its owner's.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - turn: What to do when bytes have come, and when a pause that it wished is over.
  /// - Returns: The number of the watch.
  package func watch(_ descriptor: Int32, _ turn: @escaping Turn) -> Int {
    change { state in
      state.watchCount += 1
      state.watches.append(
        Watch(number: state.watchCount, descriptor: descriptor, listens: true, turn: turn))
      return state.watchCount
    }
  }

  /// Ends a watch: once this returns, the loop does not use the descriptor any more.
  package func unwatch(_ number: Int) {
    let gone = change { state -> DispatchSemaphore? in
      state.watches.removeAll { $0.number == number }
      guard state.isWatching else { return nil }
      let gone = DispatchSemaphore(value: 0)
      state.leaving.append(gone)
      return gone
    }
    gone?.wait()
  }

  /// Changes the state, and wakes the thread where it sleeps.
  private func change<Result>(_ body: (inout sending State) -> sending Result) -> Result {
    let (result, mustWake) = state.withLock { state -> (Result, Bool) in
      defer { (state.isAsleep, state.hasChanged) = (false, true) }
      let mustWake = state.isAsleep
      return (body(&state), mustWake)
    }
    // The pipe is full only where the thread wakes anyway.
    if mustWake { _ = try? System.write(wakeUp.write, [0]) }
    return result
  }

  // MARK: For the thread

  /// Runs tasks, watches and deadlines on this thread, as long as there is a reason to.
  package func run(while goesOn: () -> Bool) {
    var (jobs, round) = ([UnownedJob](), Round())
    while goesOn() {
      var rounds = 0
      repeat {
        jobs.removeAll(keepingCapacity: true)
        state.withLock { state in
          swap(&state.jobs, &jobs)
          state.hasChanged = false
        }
        // Each job was handed over once and runs once.
        for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        rounds += 1
      } while !jobs.isEmpty && rounds < Self.mostRounds
      guard goesOn() else { return }
      poll(&round)
    }
  }

  /// What one wait is for: the watches, and what is polled, behind the descriptor that wakes the thread.
  ///
  /// Kept from one wait to the next, so that nothing is allocated.
  private struct Round {
    var watches: [(number: Int, deadline: Duration?)] = []
    var polled = PollList()
  }

  /// Waits until something is due, and does it.
  private func poll(_ round: inout Round) {
    round.watches.removeAll(keepingCapacity: true)
    round.polled.removeAll()
    round.polled.append(wakeUp.read)
    let deadline = state.withLock { state -> Duration? in
      // A change since the jobs were taken woke nobody, and may have ended the reason to go on.
      (state.isAsleep, state.isWatching) = (!state.hasChanged, true)
      var deadline = state.hasChanged ? .zero : sleepers.deadline
      for watch in state.watches {
        round.watches.append((watch.number, watch.deadline))
        round.polled.append(watch.listens ? watch.descriptor : -1)
        if let due = watch.deadline { deadline = deadline.map { min($0, due) } ?? due }
      }
      return deadline
    }
    // Where polling fails, each descriptor is asked itself.
    let hasFailed = (try? round.polled.wait(timeout: timeout(until: deadline))) == nil
    state.withLock { $0.isAsleep = false }
    if hasFailed || round.polled.hasEvent(at: 0) { _ = try? System.read(wakeUp.read, atMost: 64) }
    let time = now
    for (place, watch) in round.watches.enumerated() {
      let isReady = hasFailed || round.polled.hasEvent(at: place + 1)
      if isReady || watch.deadline.map({ $0 <= time }) ?? false { takeTurn(watch.number, isReady, at: time) }
    }
    let leaving = state.withLock { state in
      defer { (state.leaving, state.isWatching) = ([], false) }
      return state.leaving
    }
    for gone in leaving { gone.signal() }
    while let sleeper = sleepers.takeFirst(by: time) { sleeper.continuation.resume() }
  }

  /// Lets the owner of a descriptor do what is to be done, unless its watch has ended meanwhile.
  private func takeTurn(_ number: Int, _ isReady: Bool, at time: Duration) {
    let turn = state.withLock { state in state.watches.first { $0.number == number }?.turn }
    guard let turn else { return }
    let wish = turn(isReady)
    state.withLock { $0.take(wish, of: number, at: time) }
  }

  /// The milliseconds until a deadline, rounded up: a wait that ends too early is a race of the processor.
  private func timeout(until deadline: Duration?) -> Int32 {
    // Without a pipe nobody can wake the thread.
    let limit: Int32 = wakeUp.read < 0 ? 10 : .max
    guard let deadline else { return limit == .max ? -1 : limit }
    let rest = deadline - now
    guard rest > .zero else { return 0 }
    // In steps of 2^40 attoseconds, about a microsecond, since a division costs hundreds of instructions.
    let steps = Double(Int64(clamping: rest.attoseconds &>> 40)) + 1
    return min(limit, Int32(min((steps * (0x1p40 / 1e15)).rounded(.up), 1e9)))
  }
}
