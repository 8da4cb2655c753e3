// Lets the tests that keep a core busy take turns, so that those in real time are not late.

import Testing

/// Runs the test cases of a suite one at a time, together with those of all other suites that have the trait.
///
/// A game in virtual time takes all of a core. Many at once would starve the tests that wait for real time.
struct OneAtATime: SuiteTrait, TestTrait, TestScoping {
  private actor Turn {
    static let shared = Turn()
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
      guard isTaken else { return isTaken = true }
      await withCheckedContinuation { waiting.append($0) }
    }

    func giveBack() {
      if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
  }

  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    await Turn.shared.take()
    let result: Result<Void, any Error>
    do { result = .success(try await function()) } catch { result = .failure(error) }
    await Turn.shared.giveBack()
    try result.get()
  }
}

extension Trait where Self == OneAtATime {
  /// Runs the test cases one at a time.
  static var oneAtATime: Self { OneAtATime() }
}
