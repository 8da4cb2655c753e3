// The third signal ends the process; signals within half a second are duplicates.

import SpheroProcess
import Testing

@Suite(.timeLimit(.minutes(5))) struct SignalCountTests {
  struct History: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The times of the signals in milliseconds.
    var signals: [Int]
    var decisions: [SignalCount.Decision]
    init(
      _ name: String, _ signals: [Int], _ decisions: [SignalCount.Decision]
    ) { (testDescription, self.signals, self.decisions) = (name, signals, decisions) }
  }

  static let histories = [
    History("one Ctrl-C", [0], [.leave]),
    History("the first one at any time of the clock", [86_400_000], [.leave]),
    History("timeout sends two", [400, 401], [.leave, .proceed]),
    History(
      "the second one only waits", [0, 500], [.leave, .proceed]),
    History(
      "the third one ends", [0, 500, 1_000], [.leave, .proceed, .end]),
    History(
      "499 ms after the first is the first", [0, 499, 999, 1_498, 1_499],
      [.leave, .proceed, .proceed, .proceed, .end]),
    History(
      "a repeated one does not move the window", [0, 300, 600, 900, 1_200],
      [.leave, .proceed, .proceed, .proceed, .end]),
    History(
      "each of two pairs counts once", [0, 1, 2_000, 2_001],
      [.leave, .proceed, .proceed, .proceed]),
  ]

  @Test(arguments: histories) func decides(_ history: History) {
    var count = SignalCount()
    let decisions = history.signals.map { count.process(at: .milliseconds($0)) }
    #expect(decisions == history.decisions)
  }
}
