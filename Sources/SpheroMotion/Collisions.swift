// Impacts: how hard one must be, where they hit, and thresholds found by watching.

public import SpheroOrientation
public import SpheroProtocol

/// How hard an impact must be to be told.
public enum CollisionPreset: String, Hashable, Sendable, CaseIterable {
  /// Also light knocks; a quick start or stop of the ball itself counts as one.
  case soft
  /// The thresholds that the document calls typical.
  case normal
  /// Only what stops the ball, or hits it hard.
  case hard

  /// The settings: the same for both axes, and a quarter of a second between two impacts.
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
  /// From where it was hit, clockwise from its nose; nil where neither axis felt anything.
  public var direction: Heading? { Heading(towardX: Double(x), y: Double(y)) }
}

/// Finds thresholds from impacts that were felt with low ones.
///
/// Let the robot do what it shall do, and hit it as it will be hit: what it feels falls into two heaps,
/// its own starts and stops and the impacts. The threshold of an axis lies in the widest gap that begins below
/// a power of 100, by the ratio of the powers on both sides, at their geometric mean:
/// a typical threshold is 100 at least (Sphero API 1.50), so that a robot's own jolts lie below.
/// Where there is no gap of a half at least, all of it counts as impacts, and the threshold is 0.7 of the softest.
public struct CollisionTuner: Hashable, Sendable {
  /// Settings that feel nearly everything.
  public static let detection = Sensing.ConfigureCollisionDetection(
    method: .on, xThreshold: 15, xSpeed: 0, yThreshold: 15, ySpeed: 0, deadTime: 10)
  /// The most impacts that are kept: the first ones.
  private static let most = 10_000
  /// How much harder the softest impact is than the hardest of the robot's own jolts, at least.
  private static let gap = 1.5
  /// What a robot does to itself stays below this power.
  private static let hardestJolt = 100

  private var impacts: [Sensing.Collision] = []

  /// Starts with no impacts.
  public init() {}

  /// The impacts so far.
  public var count: Int { impacts.count }

  /// Takes an impact.
  public mutating func add(_ impact: Sensing.Collision) {
    if impacts.count < Self.most { impacts.append(impact) }
  }

  /// What was found for an axis.
  public struct Axis: Hashable, Sendable {
    /// The powers that were felt, the softest first.
    public let powers: [Int]
    /// How many of them count as the robot's own jolts.
    public let jolts: Int
    /// The threshold at rest, 1...255.
    public let threshold: UInt8
  }

  /// What was found for left and right, and for front and back; nil where nothing was felt on an axis.
  public var axes: (x: Axis?, y: Axis?) {
    (
      Self.axis(impacts.filter { $0.axis.contains(.x) }.map { Int($0.xMagnitude) }),
      Self.axis(impacts.filter { $0.axis.contains(.y) }.map { Int($0.yMagnitude) })
    )
  }

  /// The settings to use; nil where nothing was felt. An axis on which nothing was felt takes those of the other.
  ///
  /// Nothing is added at speed: what the robot felt while it rolled is among the powers already.
  public var proposal: Sensing.ConfigureCollisionDetection? {
    let (x, y) = axes
    guard let across = x ?? y, let along = y ?? x else { return nil }
    return Sensing.ConfigureCollisionDetection(
      method: .on, xThreshold: across.threshold, xSpeed: 0, yThreshold: along.threshold, ySpeed: 0,
      deadTime: 25)
  }

  private static func axis(_ powers: [Int]) -> Axis? {
    let powers = powers.map { max($0, 1) }.sorted()
    guard let softest = powers.first else { return nil }
    var widest = (ratio: gap, index: 0)
    for (index, pair) in zip(powers, powers.dropFirst()).enumerated() {
      let ratio = Double(pair.1) / Double(pair.0)
      if ratio >= widest.ratio, pair.0 < hardestJolt { widest = (ratio, index + 1) }
    }
    let jolts = widest.index
    let middle =
      jolts > 0
      ? (Double(powers[jolts - 1]) * Double(powers[jolts])).squareRoot() : Double(softest) * 0.7
    return Axis(powers: powers, jolts: jolts, threshold: UInt8(min(max(middle.rounded(), 1), 255)))
  }
}
