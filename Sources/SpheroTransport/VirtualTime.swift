// A deterministic clock that advances without waiting.

import Dispatch
import SpheroSystem

/// A time source whose clock advances only when every task that depends on it waits.
///
/// It is also the executor of those tasks, and runs them one at a time on one thread.
/// When no task can run, time jumps to the next timer. The course of a program with a simulated robot is therefore
/// deterministic, and independent of the load of the computer.
/// Run all tasks under ``run(_:)``. Child tasks inherit the executor; an unstructured task does not, and time does not
/// wait for it unless you create it by `Task(executorPreference: time)`.
public final class VirtualTime: TimeSource, TaskExecutor {
  private struct State {
    var now: Duration = .zero
    var jobs: [UnownedJob] = []
    var isRunning = false
  }

  private let state = Locked(State())
  private let timers = TimerQueue()
  private let queue = DispatchQueue(label: "virtual time")

  /// Creates a clock at zero.
  public init() {}

  /// The virtual time since the start.
  public var now: Duration { state.withLock { $0.now } }

  /// This clock.
  public var executor: (any TaskExecutor)? { self }

  /// Runs a program whose tasks all depend on this clock.
  ///
  /// - Parameter body: The program; it must wait only for this clock and its own tasks.
  /// - Returns: The result of the program.
  /// - Throws: The error of the program.
  public func run<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws
    -> Result
  {
    try await Task(executorPreference: self) { try await body() }.value
  }

  /// Waits until a virtual time.
  public func sleep(until deadline: Duration) async throws { try await timers.sleep(until: deadline) }

  /// Enqueues a job of the concurrency runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustStart = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { queue.async { self.drain() } }
  }

  /// Runs jobs until there are none, then advances to the next timer; ends without jobs and timers.
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
