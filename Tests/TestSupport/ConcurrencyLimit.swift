// Keeps tests from starving each other: what needs a core for seconds, and what starts programs.

import Dispatch
import Foundation
public import Testing

/// Runs the test cases of a suite beside few of all suites that have the trait.
///
/// Programs wait in real time: hundreds that were started at once would all come too late, so a few tests start them
/// at a time. A game in virtual time or a hundred thousand random steps take all of a core, and never wait:
/// they run on threads of their own, one a core, and leave a core to programs while there are any.
public struct ConcurrencyLimit: SuiteTrait, TestTrait, TestScoping {
  private enum Kind {
    case programs
    case computation

    /// How long a test may take from its turn on, unlike the limit of `.timeLimit`, which counts the wait for it.
    var limit: Duration { self == .programs ? .seconds(300) : .seconds(900) }
  }

  private actor Turns {
    static let shared = Turns()

    private let cores = max(ProcessInfo.processInfo.activeProcessorCount, 1)
    private var programs = 0
    private var computations = 0
    private var waitingPrograms: [CheckedContinuation<Void, Never>] = []
    private var waitingComputations: [CheckedContinuation<Void, Never>] = []

    private var mayStartProgram: Bool { programs < 5 }
    private var mayCompute: Bool {
      computations < max(programs == 0 && waitingPrograms.isEmpty ? cores : cores - 1, 1)
    }

    func take(_ kind: Kind) async {
      switch kind {
      case .programs where mayStartProgram: programs += 1
      case .programs: await withCheckedContinuation { waitingPrograms.append($0) }
      case .computation where mayCompute: computations += 1
      case .computation: await withCheckedContinuation { waitingComputations.append($0) }
      }
    }

    func giveBack(_ kind: Kind) {
      switch kind {
      case .programs: programs -= 1
      case .computation: computations -= 1
      }
      while mayStartProgram, !waitingPrograms.isEmpty {
        programs += 1
        waitingPrograms.removeFirst().resume()
      }
      while mayCompute, !waitingComputations.isEmpty {
        computations += 1
        waitingComputations.removeFirst().resume()
      }
    }
  }

  /// A thread for a test that computes, off those that all other tests share.
  private final class Worker: TaskExecutor {
    private let queue = DispatchQueue(label: "a test that computes")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      // Each job was handed over once and runs once.
      queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  fileprivate static let programs = ConcurrencyLimit(kind: .programs)
  fileprivate static let computation = ConcurrencyLimit(kind: .computation)

  private let kind: Kind

  /// Also for the suites and tests inside.
  public let isRecursive = true

  /// Runs a test case when its turn has come.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    await Turns.shared.take(kind)
    // A test that never ends stops the run with its name.
    let limit = kind.limit
    let watch = Task.detached {
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      fatalError("\(test.name) has not ended after \(limit)")
    }
    defer { watch.cancel() }
    let result: Result<Void, any Error>
    do {
      let worker = kind == .computation ? Worker() : nil
      result = .success(try await withTaskExecutorPreference(worker) { try await function() })
    } catch { result = .failure(error) }
    await Turns.shared.giveBack(kind)
    try result.get()
  }
}

extension Trait where Self == ConcurrencyLimit {
  /// Runs each test case on a thread of its own, as many at a time as there are cores, but for one while programs run.
  public static var aCoreEach: Self { .computation }
  /// Runs the test cases, which start programs, beside a few others.
  public static var aFewAtATime: Self { .programs }
}
