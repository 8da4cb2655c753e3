// An executor and time source that waits for descriptors and deadlines on one thread, and its timer queue.

import Dispatch
import SpheroSystem

/// Runs the tasks that depend on it on one thread, which sleeps in `poll` until bytes arrive or a deadline passes.
///
/// Like ``VirtualTime``, it is a time source and the executor of its tasks, but with the system's clock.
/// A task that waits for bytes or a time resumes without a change of threads, and a deadline costs no system call.
/// Nothing runs outside ``run(while:)``.
package final class EventLoop: TimeSource, TaskExecutor {
  /// Processes a descriptor that has bytes or has ended, and returns the pause before the next wait, or nil to end the watch.
  ///
  /// The handler must neither block nor call ``unwatch(_:)``.
  package typealias Handler = @Sendable (_ time: Duration) -> Duration?

  private struct Watch {
    let number: Int
    let descriptor: Int32
    let handler: Handler
    /// When the current pause ends; nil without one. Only the thread of the loop accesses it.
    var pauseEnd: Duration?
  }

  private struct State {
    var jobs: [UnownedJob] = []
    var watches: [Watch] = []
    var watchCount = 0
    /// Whether the state has changed since the thread took the jobs.
    var hasChanged = false
    /// Whether the thread sleeps, and no byte to wake it is in the pipe.
    var isAsleep = false
    /// Whether the thread may use the descriptors.
    var isWatching = false
    /// Callers of `unwatch` that wait until `isWatching` is false.
    var unwatchWaiters: [DispatchSemaphore] = []

    /// Returns the former watches, to be freed after the unlock: the `deinit` of a captured object may use the loop.
    mutating func beginWatching(_ polling: inout PollState) -> [Watch] {
      isWatching = true
      defer { polling.update(watches) }
      return polling.watches
    }

    mutating func takeUnwatchWaiters() -> [DispatchSemaphore] {
      defer { unwatchWaiters = [] }
      return unwatchWaiters
    }
  }

  /// The maximum number of rounds of jobs before descriptors and deadlines are processed, so that jobs that enqueue
  /// further jobs do not delay them forever.
  private static let maximumJobRounds = 64

  private let state = Locked(State())
  private let timers = TimerQueue()
  /// The pipe that wakes the thread from `poll`; both descriptors are -1 if the system has no pipe left.
  private let wakeUp: (read: Int32, write: Int32)
  /// The wall-clock time of the system clock's zero, measured when the loop was created.
  let measuredWallClockStart: Duration

  package init() {
    wakeUp = (try? System.makePipe()) ?? (-1, -1)
    let time = SystemTime()
    measuredWallClockStart = (time.wallClock - time.now).wholeMicroseconds
  }

  deinit {
    System.close(wakeUp.read)
    System.close(wakeUp.write)
  }

  // MARK: Any thread

  package var now: Duration { SystemTime().now }

  package var wallClock: Duration { SystemTime().wallClock }

  package var executor: (any TaskExecutor)? { self }

  package func sleep(until deadline: Duration) async throws {
    try await timers.sleep(until: deadline) { change { _ in } }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    change { $0.jobs.append(job) }
  }

  package var hasWatches: Bool { state.withLock { !$0.watches.isEmpty } }

  /// Watches a descriptor, which the caller owns, and returns the number of the watch.
  package func watch(_ descriptor: Int32, _ handler: @escaping Handler) -> Int {
    change { state in
      state.watchCount += 1
      state.watches.append(Watch(number: state.watchCount, descriptor: descriptor, handler: handler))
      return state.watchCount
    }
  }

  /// Ends a watch; after the return the loop does not use the descriptor.
  package func unwatch(_ number: Int) {
    let semaphore = change { state -> DispatchSemaphore? in
      state.watches.removeAll { $0.number == number }
      guard state.isWatching else { return nil }
      let semaphore = DispatchSemaphore(value: 0)
      state.unwatchWaiters.append(semaphore)
      return semaphore
    }
    semaphore?.wait()
  }

  /// Changes the state, and wakes the thread if it sleeps.
  private func change<Result>(_ body: (inout sending State) -> sending Result) -> Result {
    let (result, mustWake) = state.withLock { state -> (Result, Bool) in
      defer { (state.isAsleep, state.hasChanged) = (false, true) }
      let mustWake = state.isAsleep
      return (body(&state), mustWake)
    }
    // If the pipe is full, the write fails, and the bytes in it wake the thread.
    if mustWake { _ = try? System.write(wakeUp.write, [0]) }
    return result
  }

  // MARK: The thread of the loop

  /// Runs tasks, watches and deadlines on this thread while a condition is true.
  ///
  /// The condition is checked again after a job, and after the start or end of a watch. It must not end a watch.
  package func run(while condition: () -> Bool) {
    var (jobs, polling) = ([UnownedJob](), PollState())
    defer { stop() }
    while true {
      var rounds = 0
      repeat {
        takeJobs(&jobs, &polling)
        // Safe: the runtime enqueues each job once, and it runs only here.
        for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        rounds += 1
      } while !jobs.isEmpty && rounds < Self.maximumJobRounds
      // Only a change can make the condition false, and a change after this check wakes the thread.
      if polling.isStale, !condition() { return }
      poll(&polling, hasJobs: !jobs.isEmpty)
    }
  }

  private struct PollState {
    var watches: [Watch] = []
    /// The descriptor that wakes the thread, then those of the watches.
    var polled = PollList()
    var wakeTime: Duration?
    /// Whether the polled descriptors, the deadline and the condition of ``run(while:)`` may be out of date.
    var isStale = true

    /// Replaces the watches; those that continue keep their waits.
    mutating func update(_ current: [Watch]) {
      watches = current.map { new in watches.first { $0.number == new.number } ?? new }
    }

    mutating func updatePolled(after wakeUp: Int32) {
      polled.removeAll()
      polled.append(wakeUp)
      for watch in watches { polled.append(watch.pauseEnd == nil ? watch.descriptor : -1) }
    }
  }

  /// Takes the jobs; without jobs the thread is about to sleep, and from now on each change wakes it.
  private func takeJobs(_ jobs: inout [UnownedJob], _ polling: inout PollState) {
    if !jobs.isEmpty { jobs.removeAll(keepingCapacity: true) }
    let (waiters, former) = state.withLock { state in
      swap(&state.jobs, &jobs)
      if state.hasChanged { polling.isStale = true }
      (state.hasChanged, state.isAsleep, state.isWatching) = (false, jobs.isEmpty, false)
      return (state.takeUnwatchWaiters(), jobs.isEmpty ? state.beginWatching(&polling) : [])
    }
    withExtendedLifetime(former) {}
    for waiter in waiters { waiter.signal() }
  }

  /// Waits for descriptors and deadlines, and processes those that are due; with `hasJobs`, it does not wait.
  private func poll(_ polling: inout PollState, hasJobs: Bool) {
    if hasJobs { withExtendedLifetime(state.withLock { $0.beginWatching(&polling) }) {} }
    if polling.isStale {
      polling.wakeTime = timers.deadline
      polling.updatePolled(after: wakeUp.read)
      polling.isStale = false
    }
    var deadline = hasJobs ? .zero : polling.wakeTime
    for case let end? in polling.watches.map(\.pauseEnd) { deadline = min(deadline ?? end, end) }
    let timeout = timeout(until: deadline)
    // If polling fails, every handler is called as if its descriptor were ready.
    let hasFailed = (try? polling.polled.wait(timeout: timeout)) == nil
    if !hasJobs { state.withLock { $0.isAsleep = false } }
    if hasFailed || polling.polled.hasEvent(at: 0) { _ = try? System.read(wakeUp.read, atMost: 64) }
    let time = now
    for index in polling.watches.indices {
      if let end = polling.watches[index].pauseEnd {
        if end <= time { (polling.watches[index].pauseEnd, polling.isStale) = (nil, true) }
      } else if hasFailed || polling.polled.hasEvent(at: index + 1) {
        callHandler(at: index, &polling, time)
      }
    }
    guard let wakeTime = polling.wakeTime, wakeTime <= time else { return }
    while let timer = timers.takeFirst(by: time) { timer.ended.signal() }
    polling.isStale = true
  }

  private func callHandler(at index: Int, _ polling: inout PollState, _ time: Duration) {
    if let pause = polling.watches[index].handler(time) {
      if pause > .zero { (polling.watches[index].pauseEnd, polling.isStale) = (time + pause, true) }
    } else {
      let number = polling.watches[index].number
      state.withLock { state in
        state.watches.removeAll { $0.number == number }
        state.hasChanged = true
      }
    }
  }

  private func stop() {
    let waiters = state.withLock { state in
      (state.isAsleep, state.isWatching) = (false, false)
      return state.takeUnwatchWaiters()
    }
    for waiter in waiters { waiter.signal() }
  }

  /// The milliseconds until a deadline, rounded up: a wait that ends too early causes a busy loop.
  private func timeout(until deadline: Duration?) -> Int32 {
    // Without a pipe no other thread can wake this one.
    let limit: Int32 = wakeUp.read < 0 ? 10 : .max
    guard let deadline else { return limit == .max ? -1 : limit }
    let rest = deadline - now
    guard rest > .zero else { return 0 }
    return min(limit, Int32(min((rest / .milliseconds(1)).rounded(.up), 1e9)))
  }
}

/// The sleeping tasks of one clock, in the order of their deadlines.
final class TimerQueue: Sendable {
  struct Timer {
    let deadline: Duration
    /// Signaled by the owner of the queue.
    let ended = AutoResetEvent()
  }

  /// Ordered by deadline; equal deadlines are in the order of their calls.
  private let timers = Locked<[Timer]>([])

  var deadline: Duration? { timers.withLock { $0.first?.deadline } }

  /// Suspends the task until the owner of the queue ends its timer; calls `onSleep` once the timer is queued.
  func sleep(until deadline: Duration, onSleep: () -> Void = {}) async throws {
    let timer = Timer(deadline: deadline)
    timers.withLock { timers in
      let index = timers.lastIndex { $0.deadline <= deadline }.map { $0 + 1 } ?? 0
      timers.insert(timer, at: index)
    }
    onSleep()
    do { _ = try await timer.ended.wait() } catch {
      timers.withLock { timers in timers.removeAll { $0.ended === timer.ended } }
      throw error
    }
  }

  /// Takes the timer with the earliest deadline; nil if that is after `time`, or if no task sleeps.
  func takeFirst(by time: Duration? = nil) -> Timer? {
    timers.withLock { timers in
      guard let first = timers.first, time.map({ first.deadline <= $0 }) ?? true else { return nil }
      return timers.removeFirst()
    }
  }
}
