// A trait for tests that compute for seconds.

import Dispatch
// Sets the number of test cases that run at the same time, when it is loaded.
import ParallelizationWidth
public import Testing

/// Runs the test cases of a suite on threads of their own.
///
/// All other tests share one thread for each core. A computation of seconds there would delay those that wait for
/// programs in real time.
public struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  private final class Worker: TaskExecutor {
    private let queue = DispatchQueue(label: "computing test")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      // Each job is enqueued once and runs once.
      queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  public let isRecursive = true

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let worker = testCase == nil ? nil : Worker()
    try await withTaskExecutorPreference(worker) { try await function() }
  }
}

extension Trait where Self == OwnThread {
  /// Runs each test case on a thread of its own.
  public static var ownThread: Self { Self() }
}
