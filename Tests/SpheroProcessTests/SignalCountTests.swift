// The third signal ends the process; signals within half a second are duplicates.

import SpheroProcess
import Testing

@Suite(.timeLimit(.minutes(5))) struct SignalCountTests {
  struct History: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Signals with their times in milliseconds.
    var signals: [(signal: Int32, time: Int)]
    var decisions: [SignalCount.Decision]
    init(
      _ name: String, _ signals: [(signal: Int32, time: Int)], _ decisions: [SignalCount.Decision]
    ) { (testDescription, self.signals, self.decisions) = (name, signals, decisions) }
  }

  static let histories = [
    History("one Ctrl-C", [(2, 0)], [.leave(signal: 2)]),
    History("the first one at any time of the clock", [(15, 86_400_000)], [.leave(signal: 15)]),
    History("timeout sends two", [(15, 400), (15, 401)], [.leave(signal: 15), .proceed]),
    History(
      "the second one only waits", [(2, 0), (2, 500)], [.leave(signal: 2), .proceed]),
    History(
      "the third one ends", [(2, 0), (2, 500), (2, 1_000)], [.leave(signal: 2), .proceed, .end(signal: 2)]),
    History(
      "its number is the code", [(2, 0), (1, 600), (15, 1_200)],
      [.leave(signal: 2), .proceed, .end(signal: 15)]),
    History(
      "499 ms after the first is the first", [(2, 0), (2, 499), (2, 999), (2, 1_498), (2, 1_499)],
      [.leave(signal: 2), .proceed, .proceed, .proceed, .end(signal: 2)]),
    History(
      "a repeated one does not move the window", [(2, 0), (2, 300), (2, 600), (2, 900), (2, 1_200)],
      [.leave(signal: 2), .proceed, .proceed, .proceed, .end(signal: 2)]),
    History(
      "each of two pairs counts once", [(15, 0), (15, 1), (15, 2_000), (15, 2_001)],
      [.leave(signal: 15), .proceed, .proceed, .proceed]),
    History(
      "a pair with two numbers is one", [(15, 0), (1, 2), (2, 800), (2, 1_600)],
      [.leave(signal: 15), .proceed, .proceed, .end(signal: 2)]),
  ]

  @Test(arguments: histories) func decides(_ history: History) {
    var count = SignalCount()
    let decisions = history.signals.map { count.process($0.signal, at: .milliseconds($0.time)) }
    #expect(decisions == history.decisions)
  }
}
