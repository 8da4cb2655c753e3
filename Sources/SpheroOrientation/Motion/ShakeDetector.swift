// Detection of shakes: an acceleration that reverses several times within a short window.

/// A shake: the body was accelerated to and fro along an axis.
public struct Shake: Hashable, Sendable, CustomStringConvertible {
  /// The time of the last required reversal, in seconds on the time scale of the readings.
  public let timestamp: Double
  /// The axis in the coordinates of the readings, of length 1; its largest component is positive.
  public let direction: Vector3
  /// The mean of the extremes of the specific force without gravity, in g.
  public let strength: Double
  /// The oscillations per second, in Hz: two reversals are one oscillation.
  public let frequency: Double

  /// Creates a shake along a direction of length 1, of either sign.
  init(timestamp: Double, along direction: Vector3, strength: Double, frequency: Double) {
    (self.timestamp, self.strength, self.frequency) = (timestamp, strength, frequency)
    let largest = max(direction.x, direction.y, direction.z)
    let isReversed = largest < max(-direction.x, -direction.y, -direction.z)
    self.direction = isReversed ? direction * -1 : direction
  }

  /// The coordinate axis that is closest to ``direction``.
  public var axis: Axis {
    Axis.allCases.max { abs(direction[$0]) < abs(direction[$1]) } ?? .x
  }

  public var description: String {
    "shaken along \(axis) with \(strength.numeral) g at \(frequency.numeral) Hz"
  }
}

/// Detects shakes in the specific force of a body, at sample rates from 10 to 400 Hz.
///
/// A shake is a number of reversals within a window.
/// A reversal is an acceleration above a threshold, followed by one above the threshold in the opposite direction.
/// The acceleration is the specific force after a high pass of first order with a time constant of 0.5 s, which removes gravity.
///
/// With the default settings, a body that only turns never counts as shaken, at any rate and whichever readings are lost:
/// its specific force has a length of 1 g, so a reversal requires that the low pass moves by 0.66 g,
/// which takes 0.34 s, and three reversals do not fit in the window.
/// Reversals are counted along 13 axes, so an acceleration across the shake does not hide it.
/// An impact excites vibrations that are faster than a hand; reversals sooner than ``Settings/minimumInterval`` are ignored.
/// Between impacts the body is not accelerated; at least half of the readings of a shake exceed half the threshold.
///
/// A shake is reported once, at the reversal that completes it; the next one, after a rest.
/// After a gap of more than a second the detection restarts.
///
/// Sources: React Native, `ShakeDetector.java` (reversals above 1.33 g within 3 s);
/// A. Poznanski and Y. Kiriaty, Shake Gestures Library, Microsoft, 2011 (changes of direction along an axis);
/// Square, Seismic, `ShakeDetector.java` (a share of the readings above a threshold).
/// Apple and Android publish the event, but no thresholds.
public struct ShakeDetector: Hashable, Sendable {
  /// The criteria of a shake.
  public struct Settings: Hashable, Sendable {
    /// The acceleration in g that counts, 0.1...16: 1.33 g, as in React Native; at 1 g or less, turns may count.
    public var threshold = 1.33
    /// The number of reversals, 1...16.
    public var reversals = 3
    /// The time in seconds in which all reversals occur, 0.1...10.
    public var window = 1.0
    /// The shortest time in seconds between two reversals, 0...0.5: 40 ms, half a period of 12.5 Hz.
    public var minimumInterval = 0.04
    /// The time in seconds below half the threshold that ends a shake, 0...10.
    public var rest = 0.5

    public init() {}

    /// The settings with each value moved into its range, and NaN replaced by the default.
    var validated: Settings {
      func valid(_ value: Double, _ other: Double, _ range: ClosedRange<Double>) -> Double {
        value.isNaN ? other : min(max(value, range.lowerBound), range.upperBound)
      }
      let defaults = Settings()
      var settings = self
      settings.threshold = valid(threshold, defaults.threshold, 0.1...16)
      settings.reversals = min(max(reversals, 1), 16)
      settings.window = valid(window, defaults.window, 0.1...10)
      settings.minimumInterval = valid(minimumInterval, defaults.minimumInterval, 0...0.5)
      settings.rest = valid(rest, defaults.rest, 0...10)
      return settings
    }
  }

  /// The largest acceleration between two reversals.
  private struct Extreme: Hashable, Sendable {
    /// The component of the high pass's output along the axis.
    var component: Double
    /// The specific force minus the previous output of its low pass: the high pass before its attenuation, which matters
    /// at low sample rates.
    var acceleration: Vector3
    /// The time of the first reading of the extreme.
    let start: Double
    /// The time of the latest reading of the extreme.
    var end: Double
    /// The counts before the first reading.
    let counts: Counts
  }

  /// The numbers of all readings and of those above half the threshold; only differences count, so they may wrap around.
  private struct Counts: Hashable, Sendable {
    var all = 0
    var strong = 0
  }

  private static let gravityTime = TimeConstant(known: 0.5)

  /// The criteria, each within its range.
  public let settings: Settings
  /// Whether a reported shake continues.
  public private(set) var isShaking = false
  /// The low pass of the specific force, limited to 1 g.
  private var gravity = Vector3.zero
  private var lastTimestamp: Double?
  /// When the deviation, the output of the high pass, was last above half the threshold.
  private var lastMotion = 0.0
  private var counts = Counts()
  /// The latest extremes along each of ``axes``, at most one more than the required reversals.
  private var extremes = Array(repeating: [Extreme](), count: axes.count)

  /// The axes along which reversals are counted: those through the faces, edges and corners of a cube.
  ///
  /// Every direction is within 28 degrees of one of them.
  private static let axes: [Vector3] = {
    var axes: [Vector3] = []
    for x in -1...1 {
      for y in -1...1 {
        for z in -1...1 where 9 * x + 3 * y + z > 0 {
          if let axis = Vector3(Double(x), Double(y), Double(z)).normalized { axes.append(axis) }
        }
      }
    }
    return axes
  }()

  public init(settings: Settings = Settings()) {
    self.settings = settings.validated
  }

  /// Processes a specific force in g at a time in seconds; returns a shake at the reversal that completes it.
  ///
  /// The axes are any that turn with the body, and either sign may be positive.
  /// Ignores a force that is not finite or beyond `InertialSample.maximumAcceleration`, and a time that repeats or goes
  /// back by up to a second. A larger step in either direction starts again.
  public mutating func callAsFunction(_ force: Vector3, at timestamp: Double) -> Shake? {
    let reading = InertialSample(timestamp: timestamp, rotationRate: .zero, acceleration: force)
    switch reading.succession(after: lastTimestamp) {
    case .stale: return nil
    case .start:
      reset()
      (gravity, lastTimestamp, lastMotion) = (Self.limited(force), timestamp, timestamp)
      return nil
    case .step(let interval):
      lastTimestamp = timestamp
      let acceleration = force - gravity
      let factor = Self.gravityTime.factor(over: interval).value
      gravity = Self.limited(gravity + acceleration * factor)
      return update(acceleration, deviation: acceleration * (1 - factor), at: timestamp)
    }
  }

  /// A vector of the same direction and a length of 1 g at most, as gravity has.
  private static func limited(_ force: Vector3) -> Vector3 {
    force.length > 1 ? force.normalized ?? .zero : force
  }

  private mutating func update(_ acceleration: Vector3, deviation: Vector3, at timestamp: Double) -> Shake? {
    let strength = deviation.length
    let before = counts
    counts.all &+= 1
    if strength >= settings.threshold / 2 {
      lastMotion = timestamp
      counts.strong &+= 1
    } else if timestamp - lastMotion >= (isShaking ? settings.rest : settings.window / 2) {
      isShaking = false
      for index in extremes.indices { extremes[index].removeAll(keepingCapacity: true) }
    }
    guard strength >= settings.threshold else { return nil }
    // The axis with the largest component is closest to the direction of the shake.
    var (shake, largest): (Shake?, Double) = (nil, 0)
    for (index, axis) in Self.axes.enumerated() {
      let component = deviation.dot(axis)
      guard abs(component) >= settings.threshold else { continue }
      let extreme = Extreme(
        component: component, acceleration: acceleration, start: timestamp, end: timestamp, counts: before)
      guard add(extreme, to: index), !isShaking, abs(component) > largest,
        let found = self.shake(of: extremes[index], at: timestamp)
      else { continue }
      (shake, largest) = (found, abs(component))
    }
    if shake != nil { isShaking = true }
    return shake
  }

  /// Adds an extreme along an axis; returns whether it completes the required reversals in the window.
  private mutating func add(_ extreme: Extreme, to index: Int) -> Bool {
    guard let last = extremes[index].last else {
      extremes[index].append(extreme)
      return false
    }
    guard last.component * extreme.component < 0 else {
      // Before the first reversal, a push that has ended does not belong to the shake.
      if extremes[index].count == 1, extreme.start - last.end > settings.minimumInterval {
        extremes[index] = [extreme]
        return false
      }
      extremes[index][extremes[index].count - 1].end = extreme.start
      if abs(extreme.component) > abs(last.component) {
        extremes[index][extremes[index].count - 1].component = extreme.component
        extremes[index][extremes[index].count - 1].acceleration = extreme.acceleration
      }
      return false
    }
    guard extreme.start - last.start >= settings.minimumInterval else { return false }
    extremes[index].append(extreme)
    extremes[index].removeAll { extreme.start - $0.start > settings.window }
    let excess = extremes[index].count - settings.reversals - 1
    if excess > 0 { extremes[index].removeFirst(excess) }
    return excess >= 0
  }

  /// The shake of extremes of which the last has just begun; nil if the body was not accelerated between them.
  private func shake(of extremes: [Extreme], at timestamp: Double) -> Shake? {
    let complete = extremes.dropLast()
    guard let first = complete.first else { return nil }
    let (all, strong) = (counts.all &- first.counts.all, counts.strong &- first.counts.strong)
    guard 2 * strong >= all else { return nil }
    var (sum, strength) = (Vector3.zero, 0.0)
    for extreme in complete {
      sum = sum + extreme.acceleration * (extreme.component > 0 ? 1 : -1)
      strength += extreme.acceleration.length / Double(complete.count)
    }
    guard let direction = sum.normalized else { return nil }
    let frequency = Double(complete.count) / 2 / (timestamp - first.start)
    return Shake(timestamp: timestamp, along: direction, strength: strength, frequency: frequency)
  }

  /// Discards the readings and keeps the settings.
  public mutating func reset() { self = ShakeDetector(settings: settings) }
}
