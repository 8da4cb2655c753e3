// A deterministic clock that advances without waiting.

import Dispatch
import SpheroSystem

/// A time source whose clock advances only when all tasks that depend on it wait.
///
/// It is also the executor of those tasks, and runs them one at a time on one thread.
/// When no task can run, time jumps to the next timer, so the order of events is deterministic.
/// Run all tasks under ``run(isolation:_:)``. Child tasks inherit the executor; an unstructured task does not. Time does
/// not wait for an unstructured task unless you create it by `Task(executorPreference: time)`.
public final class VirtualTime: TimeSource, TaskExecutor {
  private struct State {
    var now: Duration = .zero
    var jobs: [UnownedJob] = []
    /// Whether ``drain()`` is scheduled or runs.
    var isRunning = false
    /// The actor of the caller of ``run(isolation:_:)``, whose jobs may run on another executor.
    var actor: (any Actor)?
    /// The number of steps that may have enqueued a job of the actor.
    var changes = 0
    /// The value of `changes` at which the actor was found idle.
    var idleAfter = 0
    /// Whether ``wait(for:_:)`` is in progress.
    var isWaiting = false
  }

  /// The number of empty jobs that the actor executes before it counts as idle, because its jobs may enqueue others.
  private static let actorRounds = 8

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
  /// Time also waits for jobs on the actor of the caller, such as the main actor, but for no other actor with an executor
  /// of its own. The program must wait only for this clock and its own tasks.
  /// Cancelling the caller's task cancels the program.
  ///
  /// - Throws: The error of the program.
  public func run<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    if let isolation { state.withLock { $0.actor = isolation } }
    let program = Task(executorPreference: self) { try await body() }
    return try await withTaskCancellationHandler {
      try await program.value
    } onCancel: {
      program.cancel()
    }
  }

  public func sleep(until deadline: Duration) async throws { try await timers.sleep(until: deadline) }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    start { $0.jobs.append(job) }
  }

  /// Changes the state, and schedules ``drain()`` unless it is scheduled or runs.
  private func start(after change: (inout State) -> Void) {
    let mustStart = state.withLock { state in
      change(&state)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { queue.async { self.drain() } }
  }

  private enum Step {
    case run([UnownedJob])
    case resume(TimerQueue.Timer)
    case waitFor(any Actor, changes: Int)
    case end
  }

  /// Runs all jobs, then advances to the next timer, and so on; returns when there are no jobs and timers.
  private func drain() {
    while true {
      switch state.withLock({ nextStep(&$0) }) {
      // `runSynchronously` is unsafe because a job must run exactly once: each was removed from the state.
      case .run(let jobs): for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
      case .resume(let timer): timer.ended.signal()
      case .waitFor(let actor, let changes): return wait(for: actor, changes)
      case .end: return
      }
    }
  }

  private func nextStep(_ state: inout State) -> Step {
    if !state.jobs.isEmpty {
      defer { state.jobs = [] }
      state.changes += 1
      return .run(state.jobs)
    }
    if let actor = state.actor, state.idleAfter != state.changes {
      state.isRunning = false
      guard !state.isWaiting else { return .end }
      state.isWaiting = true
      return .waitFor(actor, changes: state.changes)
    }
    guard let timer = timers.takeFirst() else {
      state.isRunning = false
      return .end
    }
    state.changes += 1
    state.now = max(state.now, timer.deadline)
    return .resume(timer)
  }

  /// Schedules ``drain()`` after the actor has executed its jobs, and those that they enqueued.
  private func wait(for actor: any Actor, _ changes: Int) {
    func execute(on actor: isolated any Actor) {}
    Task {
      for _ in 0..<Self.actorRounds { await execute(on: actor) }
      start { ($0.idleAfter, $0.isWaiting) = (changes, false) }
    }
  }
}
