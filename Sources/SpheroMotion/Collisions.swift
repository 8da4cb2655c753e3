// Collisions: presets of the thresholds, the direction of an impact, and thresholds derived from measured impacts.

public import SpheroOrientation
public import SpheroProtocol

/// Thresholds of collision detection for common uses.
public enum CollisionPreset: String, Hashable, Sendable, CaseIterable {
  /// Also reports light knocks, and quick starts and stops of the ball itself.
  case soft
  /// The thresholds that Sphero API 1.50 calls typical.
  case normal
  /// Reports only impacts that stop the ball or hit it hard.
  case hard

  /// The settings: the same threshold for both axes, and a dead time of 0.25 s.
  public var detection: Sensing.ConfigureCollisionDetection {
    let threshold: UInt8 =
      switch self {
      case .soft: 50
      case .normal: 100
      case .hard: 200
      }
    return Sensing.ConfigureCollisionDetection(
      method: .on, xThreshold: threshold, xSpeed: threshold, yThreshold: threshold, ySpeed: threshold,
      deadTime: 25)
  }
}

extension Sensing.Collision {
  /// The side of the robot that was hit, clockwise from ahead; nil if the peak accelerations of both axes are 0.
  public var direction: Heading? { Heading(towardX: Double(x), y: Double(y)) }
}

/// Derives thresholds from impacts that were recorded with low thresholds.
///
/// While impacts are recorded, the robot must drive and be hit as in use. The powers of each axis then form
/// two clusters: jolts, which starts and stops of the robot itself cause, and impacts.
/// The widest gap, by the ratio of adjacent powers, separates them; its lower power is less than 100, since typical
/// thresholds are 100 or more (Sphero API 1.50). The threshold is the geometric mean of the two powers. If no such gap has
/// a ratio of at least 1.5, all powers count as impacts, and the threshold is 0.7 of the least power.
public struct CollisionTuner: Hashable, Sendable {
  /// The settings with which impacts are recorded: low thresholds and a dead time of 0.1 s.
  public static let detection = Sensing.ConfigureCollisionDetection(
    method: .on, xThreshold: 15, xSpeed: 0, yThreshold: 15, ySpeed: 0, deadTime: 10)
  private static let maximumCount = 10_000
  private static let minimumGapRatio = 1.5
  private static let maximumJoltPower = 100

  private var impacts: [Sensing.Collision] = []

  public init() {}

  /// The number of recorded impacts.
  public var count: Int { impacts.count }

  /// Records an impact; ignores it if 10,000 are recorded.
  public mutating func add(_ impact: Sensing.Collision) {
    if impacts.count < Self.maximumCount { impacts.append(impact) }
  }

  /// The result for one axis.
  public struct Axis: Hashable, Sendable {
    /// The recorded powers in ascending order.
    public let powers: [Int]
    /// The number of jolts by the robot itself, which are the first of ``powers``.
    public let jolts: Int
    /// The threshold at rest, 1...255.
    public let threshold: UInt8
  }

  /// The results for the lateral axis (x) and the longitudinal axis (y); nil for an axis without impacts.
  public var axes: (x: Axis?, y: Axis?) {
    (
      Self.axis(impacts.filter { $0.axis.contains(.x) }.map { Int($0.xMagnitude) }),
      Self.axis(impacts.filter { $0.axis.contains(.y) }.map { Int($0.yMagnitude) })
    )
  }

  /// The derived settings, or nil without impacts; an axis without impacts gets the threshold of the other axis.
  ///
  /// The thresholds do not grow with speed, since the recorded powers include those of a rolling robot.
  public var proposal: Sensing.ConfigureCollisionDetection? {
    let (x, y) = axes
    guard let lateral = x ?? y, let longitudinal = y ?? x else { return nil }
    return Sensing.ConfigureCollisionDetection(
      method: .on, xThreshold: lateral.threshold, xSpeed: 0, yThreshold: longitudinal.threshold, ySpeed: 0,
      deadTime: 25)
  }

  private static func axis(_ powers: [Int]) -> Axis? {
    let powers = powers.map { max($0, 1) }.sorted()
    guard let least = powers.first else { return nil }
    var (widest, jolts) = (minimumGapRatio, 0)
    var threshold = Double(least) * 0.7
    for (index, (lower, upper)) in zip(powers, powers.dropFirst()).enumerated() {
      let ratio = Double(upper) / Double(lower)
      guard ratio >= widest, lower < maximumJoltPower else { continue }
      (widest, jolts, threshold) = (ratio, index + 1, (Double(lower) * Double(upper)).squareRoot())
    }
    return Axis(powers: powers, jolts: jolts, threshold: UInt8(min(max(threshold.rounded(), 1), 255)))
  }
}
