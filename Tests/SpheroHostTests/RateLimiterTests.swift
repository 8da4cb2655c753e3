// The rate limit of commands.

import TestSupport
import Testing

@testable import SpheroHost

@Suite(.ownThread) struct RateLimiterTests {
  /// Sends as early as permitted, and returns the times.
  private func times(_ limiter: RateLimiter, _ count: Int, from start: Duration = .zero) -> [Duration] {
    var limiter = limiter
    var now = start
    return (0..<count).map { _ in
      now = max(now, limiter.next)
      limiter.spend(at: now)
      return now
    }
  }

  @Test func evenRateWithoutBursts() {
    #expect(
      times(RateLimiter(perSecond: 10, burst: 1), 4, from: .seconds(1)) == [
        .seconds(1), .milliseconds(1_100), .milliseconds(1_200), .milliseconds(1_300),
      ])
  }

  @Test func aBurstIsSentAtOnceAndThenTheRateLimitApplies() {
    #expect(
      times(RateLimiter(perSecond: 10, burst: 3), 5, from: .seconds(1)) == [
        .seconds(1), .seconds(1), .seconds(1), .milliseconds(1_100), .milliseconds(1_200),
      ])
  }

  @Test func restFillsTheBurstAgainButNeverBeyondIt() {
    var limiter = RateLimiter(perSecond: 10, burst: 2)
    for _ in 0..<2 { limiter.spend(at: .seconds(1)) }
    #expect(limiter.next == .milliseconds(1_100))
    // An hour of rest allows two at once, not thousands.
    #expect(
      times(limiter, 3, from: .seconds(3_600)) == [
        .seconds(3_600), .seconds(3_600), .milliseconds(3_600_100),
      ])
  }

  @Test func twelveInASecondOnTheLongRun() {
    let sent = times(RateLimiter(perSecond: 12, burst: 12), 133)
    // 12 at once, 120 more in ten seconds, and the next one.
    #expect(sent.filter { $0 <= .milliseconds(10_001) }.count == 132)
  }

  @Test func settingsBelowOneCountAsOne() {
    #expect(times(RateLimiter(perSecond: 0, burst: -3), 2, from: .seconds(1)) == [.seconds(1), .seconds(2)])
  }
}
