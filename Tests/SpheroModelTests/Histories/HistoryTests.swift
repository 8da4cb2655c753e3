// Tests with random histories of several robots on one floor.

import TestSupport
import Testing

@testable import SpheroModel

@Suite(.ownThread) struct HistoryTests {
  /// See Docs/Reliability.md for long runs.
  @Test func randomHistories() {
    // The same each time; long runs begin at the given seed.
    var run = RandomRun(steps: 100_000, seed: 20_261_121)
    var (done, histories, readBack) = (0, 0, 0)
    while done < run.steps {
      var history = History(seed: run.seed)
      while history.steps < 2_000, !history.isWrong { history.step() }
      let problems = history.problems + history.witnesses.flatMap(\.problems)
      #expect(problems.isEmpty, "\(run.repetition)")
      if !problems.isEmpty { break }
      done += history.steps
      histories += 1
      readBack += history.witnesses.reduce(0) { $0 + $1.settings.readBack }
      run.next()
    }
    print("\(done) steps in \(histories) histories, \(readBack) settings read back")
    #expect(readBack > 0, "\(run.repetition)")
  }
}
