// The system's clock, descriptors and tasks on one thread: what comes is worked on where it was waited for.

import Dispatch
import SpheroSystem

/// Runs the tasks that depend on it on one thread, which sleeps in `poll` until bytes or a deadline come.
///
/// It is to the system's clock what ``VirtualTime`` is to a virtual one: a time source and the executor of its tasks.
/// A task that waits for bytes or a time goes on without a change of threads, and a deadline costs no system call.
/// Nothing runs outside ``run(while:)``.
package final class EventLoop: TimeSource, TaskExecutor {
  /// What the owner of a descriptor waits for next.
  package struct WaitRequest: Hashable, Sendable {
    fileprivate var listens: Bool
    fileprivate var pause: Duration?

    /// Bytes or the end of the line; once the pause is over, nothing.
    package static func bytes(within pause: Duration? = nil) -> WaitRequest {
      WaitRequest(listens: true, pause: pause)
    }
    /// Only the end of a pause.
    package static func pause(_ pause: Duration) -> WaitRequest { WaitRequest(listens: false, pause: pause) }
  }

  /// Does what a descriptor needs; gets whether it has bytes or has ended, and the time, and tells what to wait for.
  ///
  /// Nil ends the watch. It must neither block nor end a watch otherwise.
  package typealias Handler = @Sendable (_ isReady: Bool, _ time: Duration) -> WaitRequest?

  private struct Watch {
    let number: Int
    let descriptor: Int32
    let handler: Handler
    /// What its owner waits for, and until when; for the thread alone.
    var listens = true
    var deadline: Duration?
  }

  private struct State {
    var jobs: [UnownedJob] = []
    var watches: [Watch] = []
    var watchCount = 0
    /// Whether watches have begun or ended since the thread took them over.
    var hasOtherWatches = false
    /// Whether anything has changed since the thread took the jobs.
    var hasChanged = false
    /// Whether the thread sleeps, and no byte to wake it is on its way.
    var isAsleep = false
    /// Whether the thread may use the descriptors.
    var isWatching = false
    /// Those who wait until it does not.
    var leaving: [DispatchSemaphore] = []

    /// Lets the thread use the descriptors of the current watches.
    ///
    /// - Returns: The former ones, to be freed behind the lock: what a handler holds may use the loop when it goes.
    mutating func beginWatching(_ round: inout Round) -> [Watch] {
      isWatching = true
      guard hasOtherWatches else { return [] }
      hasOtherWatches = false
      defer { round.take(watches) }
      return round.watches
    }

    /// Takes those who wait until the thread leaves the descriptors alone.
    mutating func takeLeaving() -> [DispatchSemaphore] {
      guard !leaving.isEmpty else { return [] }
      defer { leaving = [] }
      return leaving
    }
  }

  /// How many rounds of jobs run before descriptors and deadlines get their turn.
  private static let mostRounds = 64

  private let state = Locked(State())
  private let timers = TimerQueue()
  /// Two descriptors that do not exist where the system has no pipe left.
  private let wakeUp: (read: Int32, write: Int32)
  /// The wall-clock time at which the system's clock began, as seen when the loop was made.
  let start: Duration

  /// Makes a loop that does not run yet.
  package init() {
    wakeUp = (try? System.makePipe()) ?? (-1, -1)
    let time = SystemTime()
    start = (time.wallClock - time.now).wholeMicroseconds
  }

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
    try await timers.sleep(until: deadline) { change { _ in } }
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
  ///   - handler: What to do when bytes have come, and when a pause that it asked for is over.
  /// - Returns: The number of the watch.
  package func watch(_ descriptor: Int32, _ handler: @escaping Handler) -> Int {
    change { state in
      state.watchCount += 1
      state.watches.append(Watch(number: state.watchCount, descriptor: descriptor, handler: handler))
      state.hasOtherWatches = true
      return state.watchCount
    }
  }

  /// Ends a watch: once this returns, the loop does not use the descriptor any more.
  package func unwatch(_ number: Int) {
    let gone = change { state -> DispatchSemaphore? in
      state.watches.removeAll { $0.number == number }
      state.hasOtherWatches = true
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
  ///
  /// - Parameter goesOn: Whether there is; asked again where a job has run, or a watch has begun or ended. It must not end a watch.
  package func run(while goesOn: () -> Bool) {
    var (jobs, round) = ([UnownedJob](), Round())
    defer { stop() }
    while true {
      var rounds = 0
      repeat {
        takeJobs(&jobs, &round)
        // Each job was handed over once and runs once.
        for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        rounds += 1
      } while !jobs.isEmpty && rounds < Self.mostRounds
      // What takes the reason away is a change, and one behind this look wakes the thread.
      if round.hasChanged, !goesOn() { return }
      poll(&round, hasJobs: !jobs.isEmpty)
    }
  }

  /// What the thread keeps from one wait to the next, so that a wait without news takes neither memory nor many locks.
  private struct Round {
    var watches: [Watch] = []
    /// What is polled: the descriptor that wakes the thread, then those of the watches.
    var polled = PollList()
    /// The earliest deadline of a task that sleeps.
    var wakeTime: Duration?
    /// Whether anything may be different since the last wait.
    var hasChanged = true

    /// Takes over the watches, with what the owners of those that were there wait for.
    mutating func take(_ others: [Watch]) {
      watches = others.map { other in watches.first { $0.number == other.number } ?? other }
    }

    /// Lists what is polled.
    mutating func list(behind wakeUp: Int32) {
      polled.removeAll()
      polled.append(wakeUp)
      for watch in watches { polled.append(watch.listens ? watch.descriptor : -1) }
    }
  }

  /// Takes the jobs; where there are none, the thread is about to sleep, and each change wakes it from now on.
  private func takeJobs(_ jobs: inout [UnownedJob], _ round: inout Round) {
    if !jobs.isEmpty { jobs.removeAll(keepingCapacity: true) }
    let (leaving, former) = state.withLock { state in
      swap(&state.jobs, &jobs)
      if state.hasChanged { round.hasChanged = true }
      (state.hasChanged, state.isAsleep, state.isWatching) = (false, jobs.isEmpty, false)
      return (state.takeLeaving(), jobs.isEmpty ? state.beginWatching(&round) : [])
    }
    withExtendedLifetime(former) {}
    for gone in leaving { gone.signal() }
  }

  /// Waits until something is due, and does it.
  ///
  /// - Parameters:
  ///   - round: What is waited for.
  ///   - hasJobs: Whether there may be jobs left, so that nothing is waited for.
  private func poll(_ round: inout Round, hasJobs: Bool) {
    if hasJobs { withExtendedLifetime(state.withLock { $0.beginWatching(&round) }) {} }
    if round.hasChanged {
      round.wakeTime = timers.deadline
      round.list(behind: wakeUp.read)
      round.hasChanged = false
    }
    var deadline = hasJobs ? .zero : round.wakeTime
    for place in round.watches.indices {
      guard let due = round.watches[place].deadline else { continue }
      deadline = deadline.map { min($0, due) } ?? due
    }
    let timeout = timeout(until: deadline)
    // Where polling fails, each descriptor is asked itself.
    let hasFailed = (try? round.polled.wait(timeout: timeout)) == nil
    if !hasJobs { state.withLock { $0.isAsleep = false } }
    if hasFailed || round.polled.hasEvent(at: 0) { _ = try? System.read(wakeUp.read, atMost: 64) }
    let time = now
    for place in round.watches.indices {
      let isReady = hasFailed || round.polled.hasEvent(at: place + 1)
      if isReady || round.watches[place].deadline.map({ $0 <= time }) ?? false {
        callHandler(at: place, isReady, &round, time)
      }
    }
    guard let wakeTime = round.wakeTime, wakeTime <= time else { return }
    while let timer = timers.takeFirst(by: time) { timer.continuation.resume() }
    round.hasChanged = true
  }

  /// Lets the owner of a descriptor do what is to be done.
  private func callHandler(at place: Int, _ isReady: Bool, _ round: inout Round, _ time: Duration) {
    let request = round.watches[place].handler(isReady, time)
    round.watches[place].deadline = request?.pause.map { time + $0 }
    let listens = request?.listens ?? false
    if listens != round.watches[place].listens {
      round.watches[place].listens = listens
      round.hasChanged = true
    }
    guard request == nil else { return }
    let number = round.watches[place].number
    state.withLock { state in
      state.watches.removeAll { $0.number == number }
      (state.hasOtherWatches, state.hasChanged) = (true, true)
    }
  }

  /// Leaves the descriptors alone for good, and tells those who wait for that.
  private func stop() {
    let leaving = state.withLock { state in
      (state.isAsleep, state.isWatching) = (false, false)
      // Another run begins with the watches that are left.
      (state.hasOtherWatches, state.hasChanged) = (true, true)
      return state.takeLeaving()
    }
    for gone in leaving { gone.signal() }
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
