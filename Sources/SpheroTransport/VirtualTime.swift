// A clock that runs as fast as its tasks: an hour with a robot passes in a moment, the same each time.

import Dispatch
import SpheroSystem

/// A time source whose clock moves on only when every task that depends on it waits.
///
/// It is the executor of those tasks too, and runs them one at a time on a thread of its own.
/// When none can run, time jumps to the next timer, so that a program and a simulated robot
/// always play the same game, whatever else the machine does.
/// Run everything under ``run(_:)``.
public final class VirtualTime: TimeSource, TaskExecutor {
  private struct State {
    var now: Duration = .zero
    var jobs: [UnownedJob] = []
    var isRunning = false
  }

  private let state = Locked(State())
  private let timers = TimerQueue()
  private let queue = DispatchQueue(label: "virtual time")

  /// Starts a clock at zero.
  public init() {}

  /// The virtual time since the start.
  public var now: Duration { state.withLock { $0.now } }

  /// This clock.
  public var executor: (any TaskExecutor)? { self }

  /// Runs a program whose tasks all depend on this clock.
  ///
  /// - Parameter body: The program; it must wait for nothing but this clock and its own tasks.
  /// - Returns: What the program returns.
  /// - Throws: What the program throws.
  public func run<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws
    -> Result
  {
    try await Task(executorPreference: self) { try await body() }.value
  }

  /// Waits until a virtual time.
  public func sleep(until deadline: Duration) async throws { try await timers.sleep(until: deadline) }

  /// Takes a job of the concurrency runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustStart = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { queue.async { self.drain() } }
  }

  /// Runs jobs until there are none, then lets time jump; ends when there is no timer either.
  private func drain() {
    while true {
      let (jobs, timer) = state.withLock { state -> ([UnownedJob], TimerQueue.Timer?) in
        if !state.jobs.isEmpty {
          defer { state.jobs = [] }
          return (state.jobs, nil)
        }
        guard let next = timers.takeFirst() else {
          state.isRunning = false
          return ([], nil)
        }
        state.now = max(state.now, next.deadline)
        return ([], next)
      }
      // Each job was handed over once and runs once.
      for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
      timer?.continuation.resume()
      if jobs.isEmpty, timer == nil { return }
    }
  }
}
