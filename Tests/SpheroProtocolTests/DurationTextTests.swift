// Durations as people write them.

import SpheroProtocol
import Testing

@Suite struct DurationTextTests {
  @Test(arguments: [
    ("10s", Duration.seconds(10)), ("500ms", .milliseconds(500)), ("80ms", .milliseconds(80)),
    ("700ms", .milliseconds(700)), ("0.1", .milliseconds(100)), ("2m", .seconds(120)),
    ("2min", .seconds(120)),
    ("1h", .seconds(3_600)), ("24h", .seconds(86_400)), ("25h", .seconds(90_000)),
    ("3", .seconds(3)), ("0.25", .milliseconds(250)), (".5s", .milliseconds(500)), ("0", .zero),
    ("100000000", .seconds(100_000_000)),
  ])
  func aTextIsADuration(_ text: String, _ length: Duration) { #expect(Duration(written: text) == length) }

  @Test(arguments: [
    "", "s", "ms", "-1s", "-1", "nan", "nans", "inf", "infs", "1e3s", "1e99", "0x10", "0x10s", "1.2.3s",
    "1 s",
    "5x", "++1", "2 min", "2S", "100000001", "30000h",
  ])
  func anotherTextIsNone(_ text: String) { #expect(Duration(written: text) == nil) }
}
