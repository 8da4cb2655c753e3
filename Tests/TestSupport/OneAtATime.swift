// Keeps tests that need a core for seconds from starving those that wait in real time.

import Dispatch
public import Testing

/// Runs the test cases of a suite one at a time, together with those of all suites that have the trait,
/// and off the threads that all other tests share.
///
/// A game in virtual time or a hundred thousand random steps take all of a core, and never wait.
/// Tests that wait in real time, for a process or a device, would come too late beside many of them.
public struct OneAtATime: SuiteTrait, TestTrait, TestScoping {
  private actor Turn {
    static let shared = Turn()
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
      guard isTaken else {
        isTaken = true
        return
      }
      await withCheckedContinuation { waiting.append($0) }
    }

    func giveBack() {
      if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
  }

  /// One thread for whatever runs under the trait.
  private final class Worker: TaskExecutor {
    static let shared = Worker()
    private let queue = DispatchQueue(label: "one test at a time")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      // Each job was handed over once and runs once.
      queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  private static let limit = Duration.seconds(900)

  /// Also for the suites and tests inside.
  public let isRecursive = true

  /// Runs a test case when its turn has come.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    await Turn.shared.take()
    // What plays in virtual time may go on for ever where nobody ends it; then the run ends with its name.
    let watch = Task.detached {
      guard (try? await Task.sleep(for: Self.limit)) != nil else { return }
      fatalError("\(test.name) has not ended after \(Self.limit)")
    }
    defer { watch.cancel() }
    let result: Result<Void, any Error>
    do {
      result = .success(
        try await withTaskExecutorPreference(Worker.shared) { try await function() })
    } catch { result = .failure(error) }
    await Turn.shared.giveBack()
    try result.get()
  }
}

extension Trait where Self == OneAtATime {
  /// Runs the test cases one at a time, and off the threads of other tests.
  public static var oneAtATime: Self { OneAtATime() }
}
