// Commands on lines with faults end in time, with a documented exit code.

import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct FaultCodeTests {
  @Test(
    arguments: [
      ("drop=100%@stream", "ping --count 1", 0), ("stray=100%,split=30%@bytes", "info", 0),
      ("duplicate=100%", "led red", 0), ("late=100%:300ms@responses", "led red", 0),
      ("refuse=100%:05", "led red", 76),
      ("close=500ms:1m", "stream --for 2s", 74), ("close=500ms:500ms", "stream --for 3s", 0),
      ("drop=100%@stream", "stream --count 5", 75),
      ("close=2s:1s", "roll 0 --for 1m", 74), ("nap=2s,sleep=hangup", "roll 0 --for 1m", 74),
    ] as [(String, String, Int32)])
  func endsWithItsCode(_ faults: String, _ words: String, _ code: Int32) async throws {
    let words = words.split(separator: " ").map { String($0) }
    let clock = ContinuousClock()
    let begin = clock.now
    let outcome = try await Run(words + ["--port", "sim:" + faults]).end()
    #expect(outcome.code == code, "\(outcome.error)")
    // A few seconds; many more where other tests run beside it.
    #expect(clock.now - begin < .seconds(45))
  }
}
