// Detection of shakes in synthetic specific forces: rates, axes, losses, turns and impacts.

import SpheroOrientation
import TestSupport
import Testing

@Suite struct ShakeDetectorTests {
  private static let up = Vector3(0, 0, 1)

  /// The shakes in a specific force that is a function of time, sampled at a rate for some seconds.
  private func shakes(
    rate: Double, seconds: Double, settings: ShakeDetector.Settings = ShakeDetector.Settings(),
    keeps: (Int) -> Bool = { _ in true }, _ force: (Double) -> Vector3
  ) -> [Shake] {
    var detector = ShakeDetector(settings: settings)
    return (0..<Int(rate * seconds)).compactMap { index in
      let time = Double(index) / rate
      return keeps(index) ? detector(force(time), at: time) : nil
    }
  }

  /// Gravity, and an oscillation from a second on.
  private func shaking(
    _ amplitude: Double, _ hertz: Double, along axis: Vector3, for seconds: Double = 1
  ) -> (Double) -> Vector3 {
    { time in
      let isOn = time >= 1 && time < 1 + seconds
      let oscillation = amplitude * sine(hertz * (time - 1) + 0.05)
      return Self.up + (isOn ? axis * oscillation : .zero)
    }
  }

  /// The sine of a number of turns.
  private func sine(_ turns: Double) -> Double {
    Rotation(angle: .degrees(360 * turns), axis: Self.up)?.act(on: Vector3(1, 0, 0)).y ?? 0
  }

  /// A push and a pause before a shake of four strokes.
  @Test(arguments: [0.2, 0.4]) func anEarlierPushIsNoPartOfAShake(_ pause: Double) throws {
    let found = shakes(rate: 100, seconds: 4) { time in
      let stroke = ((time - 1.05 - pause) * 10 + 1e-6).rounded(.down)
      let isPush = time > 0.999 && time < 1.049
      let isStroke = stroke >= 0 && stroke < 4
      let side: Double = stroke.remainder(dividingBy: 2) == 0 ? 2.5 : -2.5
      return Self.up + Vector3(isPush ? 2.5 : isStroke ? side : 0, 0, 0)
    }
    #expect(found.count == 1)
    let frequency = try #require(found.first).frequency
    #expect(abs(frequency - 5) < 0.5, "\(frequency)")
  }

  @Test(arguments: [0, 0.02]) func aShortRestReportsShakes(_ rest: Double) {
    var settings = ShakeDetector.Settings()
    settings.rest = rest
    let found = shakes(
      rate: 100, seconds: 4, settings: settings, shaking(3, 5, along: Vector3(1, 0, 0), for: 2))
    #expect(!found.isEmpty)
  }

  @Test(arguments: [
    (10.0, 3.0), (20, 3), (20, 5), (50, 2.5), (100, 4), (133, 5), (400, 5), (400, 8),
  ])
  func oneShakeIsReportedOnce(rate: Double, hertz: Double) throws {
    let axis = try #require(Vector3(0.6, -0.8, 0).normalized)
    let found = shakes(rate: rate, seconds: 5, shaking(3, hertz, along: axis, for: 2))
    let shake = try #require(found.first)
    #expect(found.count == 1)
    #expect(shake.axis == .y)
    #expect(shake.direction.dot(axis) < -0.98 && abs(shake.direction.length - 1) < 1e-9)
    // Three half periods after the start; sampling delays each by a sample at most.
    #expect(shake.timestamp > 1 + 1 / hertz && shake.timestamp < 1 + 2 / hertz + 4 / rate)
    #expect(rate < 50 || abs(shake.strength - 3) < 0.35)
    #expect(rate < 100 || abs(shake.frequency - hertz) < 0.1 * hertz)
  }

  @Test(arguments: [(1.2, false), (1.6, true)])
  func theThresholdDecides(amplitude: Double, isShake: Bool) {
    let found = shakes(rate: 200, seconds: 4, shaking(amplitude, 4, along: Vector3(1, 0, 0)))
    #expect(found.isEmpty != isShake)
  }

  /// A sine that begins upward exceeds the threshold once in each half period: 3 reversals take 2 periods.
  @Test(arguments: [(1.0, false), (1.5, false), (2, true)])
  func threeReversalsAreRequired(periods: Double, isShake: Bool) {
    let found = shakes(rate: 400, seconds: 4, shaking(2.5, 4, along: Self.up, for: periods / 4))
    #expect(found.isEmpty != isShake)
  }

  @Test func theSettingsDecide() {
    var settings = ShakeDetector.Settings()
    (settings.threshold, settings.reversals) = (3, 5)
    let weak = shakes(rate: 100, seconds: 5, settings: settings, shaking(2.5, 4, along: Self.up))
    #expect(weak.isEmpty)
    let short = shakes(rate: 100, seconds: 5, settings: settings, shaking(4, 4, along: Self.up, for: 0.5))
    #expect(short.isEmpty)
    let long = shakes(rate: 100, seconds: 5, settings: settings, shaking(4, 4, along: Self.up, for: 0.9))
    #expect(long.count == 1)
    settings.window = 0.5
    let slow = shakes(rate: 100, seconds: 5, settings: settings, shaking(4, 4, along: Self.up, for: 2))
    #expect(slow.isEmpty, "5 reversals at 4 Hz take 0.625 s")
  }

  @Test func invalidSettingsAreMovedIntoTheirRanges() {
    var settings = ShakeDetector.Settings()
    (settings.threshold, settings.reversals, settings.window) = (.nan, -1, .infinity)
    (settings.minimumInterval, settings.rest) = (-1, 99)
    let valid = ShakeDetector(settings: settings).settings
    #expect(valid.threshold == 1.33 && valid.reversals == 1 && valid.window == 10)
    #expect(valid.minimumInterval == 0 && valid.rest == 10)
  }

  @Test func aSecondShakeNeedsARest() {
    func twice(after pause: Double) -> Int {
      let first = shaking(3, 5, along: Vector3(0, 1, 0))
      return shakes(rate: 100, seconds: 8) { first($0 < 2 + pause ? $0 : $0 - 1 - pause) }.count
    }
    #expect(twice(after: 0.2) == 1)
    #expect(twice(after: 1.2) == 2)
  }

  /// Two of three readings are lost at random, then a gap without readings of 0.3 s.
  @Test(arguments: UInt64(1)...20)
  func lostReadingsDoNotMatter(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let kept = (0..<2_000).map { _ in Int.random(in: 0..<3, using: &generator) == 0 }
    let found = shakes(
      rate: 100, seconds: 10, keeps: { kept[$0] && !(115..<145).contains($0) },
      shaking(3, 4, along: Vector3(1, 0, 0), for: 2))
    #expect(found.count == 1)
  }

  /// The specific force of a body that only turns has a length of 1 g.
  @Test(arguments: UInt64(1)...200)
  func turningIsNoShake(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let rates: [Double] = [10, 20, 57, 400]
    let rate = rates[Int.random(in: 0..<4, using: &generator)]
    let turns = Double.random(in: 0.1...8, using: &generator)
    let flips = Bool.random(using: &generator)
    var detector = ShakeDetector()
    for index in 0..<Int(20 * rate) {
      if generator.isTrue(0.25) { continue }
      let time = Double(index) / rate
      let phase: Double = flips ? (sine(turns * time) > 0 ? 0 : 0.5) : turns * time
      #expect(detector(Vector3(sine(phase), 0, sine(phase + 0.25)), at: time) == nil, "at \(time)")
    }
  }

  /// An impact of 15 g that decays in 15 ms with 60 Hz; every 0.3 s another one.
  @Test(arguments: [20.0, 100, 400])
  func impactsAreNoShake(rate: Double) {
    let found = shakes(rate: rate, seconds: 10) { time in
      let count = time / 0.3 + 0.5
      let since = (count - count.rounded(.down)) * 0.3
      let decay = 1 + (since / 0.015) * (since / 0.015)
      return Self.up + Vector3(15 * sine(60 * since + 0.25) / decay, 0, 0)
    }
    #expect(found.isEmpty)
  }

  /// A ball between two walls: a push of 6 g for 20 ms every half second, in alternate directions.
  @Test func collisionsWithTwoWallsAreNoShake() {
    let found = shakes(rate: 400, seconds: 20) { time in
      let number = (time * 2).rounded(.down)
      let isPush = time * 2 - number < 0.04
      let push: Double = number.remainder(dividingBy: 2) == 0 ? 6 : -6
      return Self.up + Vector3(0, isPush ? push : 0, 0)
    }
    #expect(found.isEmpty)
  }

  /// A body that hands turn for minutes.
  @Test func recordedTurnsAreNoShake() throws {
    var detector = ShakeDetector()
    for row in try Recording(Recording.slow, quantized: true).rows {
      #expect(detector(row.sample.acceleration, at: row.sample.timestamp) == nil)
    }
  }

  @Test func unusableReadingsAreIgnored() {
    var detector = ShakeDetector()
    let force = shaking(3, 5, along: Vector3(1, 0, 0))
    var count = 0
    for index in 0..<300 {
      let time = Double(index) / 100
      for bad in [Vector3(.nan, 0, 0), Vector3(0, .infinity, 0), Vector3(0, 0, -1e6)] {
        if detector(bad, at: time) != nil { count += 1 }
      }
      if detector(force(time), at: time) != nil { count += 1 }
      if detector(force(time) * -1, at: time) != nil { count += 1 }
      if detector(force(time) * -1, at: .nan) != nil { count += 1 }
    }
    #expect(count == 1)
  }

  @Test func aGapOrAResetRestarts() {
    var detector = ShakeDetector()
    let force = shaking(3, 5, along: Vector3(1, 0, 0))
    // Two reversals, a gap of 2 s, and two reversals.
    for start in [0.0, 3.0] {
      for index in 0..<128 {
        let time = Double(index) / 100
        #expect(detector(force(time), at: start + time) == nil)
      }
    }
    detector.reset()
    #expect(detector == ShakeDetector())
  }
}
