// A deterministic clock that advances without waiting.

import Dispatch
import SpheroSystem

/// A time source whose clock advances only when every task that depends on it waits.
///
/// It is also the executor of those tasks, and runs them one at a time on one thread.
/// When no task can run, time jumps to the next timer. The course of a program with a simulated robot is therefore
/// deterministic, and independent of the load of the computer.
/// Run all tasks under ``run(isolation:_:)``. Child tasks inherit the executor; an unstructured task does not, and time does
/// not wait for it unless you create it by `Task(executorPreference: time)`.
public final class VirtualTime: TimeSource, TaskExecutor {
  private struct State {
    var now: Duration = .zero
    var jobs: [UnownedJob] = []
    var isRunning = false
    /// An actor whose jobs run on an executor of its own, like the main actor.
    var actor: (any Actor)?
    /// The number of changes that may have given that actor a job.
    var changes = 0
    /// The number of changes after which the actor had no more jobs.
    var idleAfter = 0
    /// Whether a wait for that actor is in progress.
    var isWaiting = false
  }

  /// The number of rounds through the queue of an actor after which it counts as idle: jobs may create jobs.
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
  /// of its own.
  ///
  /// Cancelling the caller's task cancels the program.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller.
  ///   - body: The program; it must wait only for this clock and its own tasks.
  /// - Returns: The result of the program.
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

  /// Waits until a virtual time.
  public func sleep(until deadline: Duration) async throws { try await timers.sleep(until: deadline) }

  /// Enqueues a job of the concurrency runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    start { $0.jobs.append(job) }
  }

  /// Changes the state, and starts to drain it unless that is in progress.
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

  /// Runs jobs until there are none, then advances to the next timer; ends without jobs and timers.
  private func drain() {
    while true {
      switch state.withLock({ nextStep(&$0) }) {
      // Each job was handed over once and runs once.
      case .run(let jobs): for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
      case .resume(let timer): timer.continuation.resume()
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

  /// Drains further once an actor has executed its jobs, and those that they created.
  private func wait(for actor: any Actor, _ changes: Int) {
    func execute(on actor: isolated any Actor) {}
    Task {
      for _ in 0..<Self.actorRounds { await execute(on: actor) }
      start { ($0.idleAfter, $0.isWaiting) = (changes, false) }
    }
  }
}
