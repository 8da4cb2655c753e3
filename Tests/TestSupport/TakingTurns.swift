// Keeps tests from starving each other: what needs a core for seconds, and what starts programs.

import Dispatch
public import Testing

/// Runs the test cases of a suite beside few or none of all suites that have the trait.
///
/// A game in virtual time or a hundred thousand random steps take all of a core, and never wait: they run one at a time,
/// and off the threads that all other tests share. Programs wait in real time: hundreds that were started at once
/// would all come too late, so a few tests start them at a time.
public struct TakingTurns: SuiteTrait, TestTrait, TestScoping {
  private actor Places {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func take() async {
      guard free == 0 else {
        free -= 1
        return
      }
      await withCheckedContinuation { waiting.append($0) }
    }

    func giveBack() {
      if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
  }

  /// One thread for whatever runs one at a time.
  private final class Worker: TaskExecutor {
    static let shared = Worker()
    private let queue = DispatchQueue(label: "one test at a time")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      // Each job was handed over once and runs once.
      queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  fileprivate static let one = TakingTurns(places: Places(1), worker: Worker.shared, limit: .seconds(900))
  fileprivate static let few = TakingTurns(places: Places(5), worker: nil, limit: .seconds(300))

  private let places: Places
  private let worker: Worker?
  /// How long a test may take from its turn on, unlike the limit of `.timeLimit`, which counts the wait for it.
  private let limit: Duration

  /// Also for the suites and tests inside.
  public let isRecursive = true

  /// Runs a test case when its turn has come.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    await places.take()
    // What goes on for ever ends the run, with its name.
    let limit = limit
    let watch = Task.detached {
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      fatalError("\(test.name) has not ended after \(limit)")
    }
    defer { watch.cancel() }
    let result: Result<Void, any Error>
    do {
      result = .success(try await withTaskExecutorPreference(worker) { try await function() })
    } catch { result = .failure(error) }
    await places.giveBack()
    try result.get()
  }
}

extension Trait where Self == TakingTurns {
  /// Runs the test cases one at a time, and off the threads of other tests.
  public static var oneAtATime: Self { .one }
  /// Runs the test cases, which start programs, beside a few others.
  public static var aFewAtATime: Self { .few }
}
