// The identification of a robot's convention from a short log of poses at rest and the rotations between them.

/// A pose at rest in which a person is asked to place a robot.
///
/// The nose is opposite the tail light; right is to the right for an observer who looks along the nose.
public enum ProbePose: Hashable, Sendable, CaseIterable {
  /// Level, at any heading.
  case level
  /// Level, after a quarter turn counter-clockwise, as seen from above, since the previous level pose.
  case turnedLeft
  /// The nose up, neither side down.
  case noseUp
  /// The right side down, neither end up.
  case rightSideDown

  /// The attitude after a level pose at heading 0, with tilts of 40 degrees.
  public var attitude: Rotation {
    let (axis, angle): (Axis, Angle) =
      switch self {
      case .level: (.z, .zero)
      case .turnedLeft: (.z, .degrees(90))
      case .noseUp: (.x, .degrees(40))
      case .rightSideDown: (.y, .degrees(40))
      }
    return Rotation(angle: angle, axis: axis.vector) ?? .identity
  }
}

/// The streamed values of a robot at rest in one pose.
public struct ConventionSample: Hashable, Sendable {
  /// The streamed quaternion words.
  public var words: QuaternionWords
  /// The reading of the accelerometer on its own axes, in g.
  public var accelerometer: Vector3
  /// The streamed angles; nil if they are not streamed.
  public var angles: PitchRollYaw?
  /// The requested pose; nil if the robot lies in an arbitrary one.
  public var pose: ProbePose?

  public init(
    words: QuaternionWords, accelerometer: Vector3, angles: PitchRollYaw? = nil, pose: ProbePose? = nil
  ) {
    (self.words, self.accelerometer, self.angles, self.pose) = (words, accelerometer, angles, pose)
  }
}

/// A rotation of a robot between two poses, by its quaternion and by its gyroscope.
public struct ConventionRotation: Hashable, Sendable {
  /// The words before the rotation.
  public var start: QuaternionWords
  /// The words after the rotation.
  public var end: QuaternionWords
  /// The integrated readings of the gyroscope, on the gyroscope's own axes.
  public var gyroscope: Rotation

  public init(from start: QuaternionWords, to end: QuaternionWords, gyroscope: Rotation) {
    (self.start, self.end, self.gyroscope) = (start, end, gyroscope)
  }
}

/// The result of a probe: the reading that explains a log, its errors, and the readings that are nearly as good.
///
/// At rest, both the accelerometer and the quaternion show the up direction,
/// and the pose in which a person places the robot (``ProbePose``) shows up, ahead and right.
/// A reading is a position of the scalar, a direction of the quaternion, one of 24 frames for the quaternion
/// and one of 24 for the accelerometer: 2304 readings, including the named conventions.
/// The cost of a reading is the sum of the squares of these errors:
/// - the angle between the accelerometer and the up direction of the quaternion, in units of 3 degrees,
///   because accelerometers have errors of some hundredths of a g;
/// - the angle between the reported and the requested pose, in units of 12 degrees;
/// - without requested poses, the angle between the quaternion and the streamed angles by their assumed meaning,
///   in units of 2 degrees;
/// - with requested poses, the angle between the yaw of the quaternion and the streamed yaw in level poses, in units of
///   12 degrees; its part of the cost is less than 12, so that it does not outweigh the poses.
///
/// The attitudes then determine the meaning of the streamed angles, among the six Tait-Bryan orders times eight signs
/// (the extrinsic orders are the reversed intrinsic ones), and the axes of the gyroscope, among 24.
///
/// The four poses of ``ProbePose`` determine the reading.
/// The order of the angles needs one more pose, with pitch and roll of 20 degrees or more.
/// Streamed yaw must count from the same heading as the quaternion; otherwise, omit the angles.
public struct ConventionProbe: Hashable, Sendable {
  /// The result of a probe.
  public enum Verdict: Hashable, Sendable {
    /// The errors of the best reading are plausible, and no other reading is nearly as good.
    case decided
    /// Several readings are nearly as good as the best one, or the gyroscope contradicts the only one; `next` distinguishes most.
    case undecided(next: ProbePose?)
    /// No reading has plausible errors: they exceed those of sensors and of placing the robot.
    case unexplained
  }

  /// A reading and its errors.
  public struct Candidate: Hashable, Sendable {
    /// The reading, with the assumed angles, and with the gyroscope on the axes of the accelerometer.
    public var convention: Convention
    /// The root mean square of the angles between the accelerometer and the up direction of the quaternion.
    public var accelerometerResidual: Angle
    /// The root mean square of the angles between reported and requested poses; nil if no pose was requested.
    public var poseResidual: Angle?
    /// The root mean square of the angles between the heading of level poses and the streamed yaw; nil without one.
    public var headingResidual: Angle?
    /// The root mean square of the angles between the quaternion and the streamed angles; nil if poses were requested.
    public var angleResidual: Angle?
    /// Whether every error is plausible: at most 10 degrees for the accelerometer, 30 for a pose, 8 for streamed angles.
    public var isExplained: Bool
    /// The sum of the squared errors without the heading, each in its unit.
    var poseCost: Double
    /// The sum of the squared errors with the heading, whose part is less than 12.
    var cost: Double
  }

  /// The best of several choices, with its residual.
  public struct Finding<Choice: Hashable & Sendable>: Hashable, Sendable {
    /// The choice with the smallest residual.
    public var choice: Choice
    /// The root mean square of the angles between the streamed values and those that the choice predicts.
    public var residual: Angle
    /// The residual of the second best choice.
    public var runnerUp: Angle
    /// Whether the second best choice is nearly as good:
    /// its residual is at most twice the best one plus the resolution of the sensors.
    public var isAmbiguous: Bool
    /// Whether the residual is plausible for the sensors.
    public var isExplained: Bool

    /// Whether the choice is explained and unambiguous.
    public var isDecided: Bool { isExplained && !isAmbiguous }
  }

  /// The result.
  public let verdict: Verdict
  /// The best reading, and those that are nearly as good if its errors are plausible; the best first.
  public let candidates: [Candidate]
  /// The best reading that is not a candidate, and does not differ from the best one by a reversed heading 0 only.
  public let runnerUp: Candidate?
  /// The meaning of the streamed angles; nil unless exactly one reading explains the poses and the log has angles.
  public let angles: Finding<AngleConvention>?
  /// The axes of the gyroscope; nil unless exactly one reading explains the poses and the log has rotations.
  public let gyroscope: Finding<AxisMap>?
  /// The best reading, with the angles and the gyroscope axes if these are decided; reliable if the verdict is.
  public let convention: Convention

  /// Identifies the convention that explains samples at rest; nil if no sample is usable.
  ///
  /// The log has one sample for each pose at rest, in order, and the rotations between the poses, for the gyroscope.
  /// Samples are ignored if their words are zero or not finite, or if the accelerometer is outside
  /// 0.8...1.2 g and therefore not at rest. Streamed angles that are not finite are ignored.
  /// `convention` states the assumed sign of the accelerometer, and the assumed meaning of the streamed
  /// angles, which applies if no pose was requested or the log does not determine the meaning.
  public init?(
    _ samples: [ConventionSample], turns: [ConventionRotation] = [], assuming convention: Convention = .sphero
  ) {
    let usable = samples.filter {
      QuaternionLayout.all[0].rotation(of: $0.words) != nil
        && (0.8...1.2).contains($0.accelerometer.length)
    }
    let ranking = Self.ranking(of: usable, assuming: convention)
    guard let best = ranking.first, !usable.isEmpty else { return nil }
    let near = Array(ranking.prefix { $0.cost <= best.cost + Self.margin })
    let isExplained = near.contains { $0.isExplained }
    candidates = isExplained ? near : [best]
    // A reading with the same cost of the poses differs from the best one only by a reversed heading 0.
    let bestPoseCost = best.poseCost + 1e-6
    runnerUp = ranking.dropFirst(candidates.count).first { $0.poseCost > bestPoseCost }
    guard isExplained, near.count == 1 else {
      verdict = isExplained ? .undecided(next: Self.pose(decidingBetween: near)) : .unexplained
      (angles, gyroscope, self.convention) = (nil, nil, best.convention)
      return
    }
    var found = best.convention
    angles = Self.angles(of: usable, by: found)
    gyroscope = Self.gyroscope(of: turns, by: found)
    if let angles, angles.isDecided { found.angles = angles.choice }
    if let gyroscope, gyroscope.isDecided { found.gyroscopeAxes = gyroscope.choice }
    self.convention = found
    // A quarter turn in the wrong direction mirrors the reading, and no right-handed axes fit a mirrored gyroscope.
    verdict = gyroscope?.isExplained == false ? .undecided(next: .turnedLeft) : .decided
  }

  /// The least difference of the costs of distinct readings: three units of one error.
  private static let margin = 9.0

  /// Streamed angles are whole degrees: each has an error of up to 0.5 degrees, the attitude of up to 1.1.
  private static func angles(
    of samples: [ConventionSample], by convention: Convention
  ) -> Finding<AngleConvention>? {
    best(of: angleConventions(like: convention.angles), resolution: .degrees(1.5), limit: .degrees(8)) {
      meaning in
      var candidate = convention
      candidate.angles = meaning
      return samples.compactMap { sample in
        guard let angles = sample.angles, let streamed = candidate.attitude(of: angles) else { return nil }
        return candidate.attitude(of: sample.words)?.angle(to: streamed)
      }
    }
  }

  /// The integral of gyroscope samples 50 ms apart has an error of a few degrees for a rotation by hand;
  /// rotations of less than 10 degrees are ignored.
  private static func gyroscope(
    of turns: [ConventionRotation], by convention: Convention
  ) -> Finding<AxisMap>? {
    let rotations = turns.compactMap { turn -> (reported: Rotation, measured: Rotation)? in
      guard let start = convention.attitude(of: turn.start), let end = convention.attitude(of: turn.end),
        max(start.angle(to: end), turn.gyroscope.angle) >= .degrees(10)
      else { return nil }
      return (start.inverse * end, turn.gyroscope)
    }
    return best(of: AxisMap.all, resolution: .degrees(5), limit: .degrees(15)) { axes in
      rotations.map { (axes.rotation.inverse * $0.measured * axes.rotation).angle(to: $0.reported) }
    }
  }

  /// Returns the pose that distinguishes the most pairs of readings; of several named readings, only these count.
  private static func pose(decidingBetween candidates: [Candidate]) -> ProbePose? {
    let all = candidates.map { $0.convention }
    let named = all.filter { $0.name != nil }
    let readings = named.count > 1 ? named : all
    var best: (pose: ProbePose?, pairs: Int) = (nil, 0)
    for pose in ProbePose.allCases {
      let shown = readings.map {
        (
          // Any layout serves, since the rotations are only compared.
          words: QuaternionLayout.all[0].rotation(of: $0.words(of: pose.attitude)) ?? .identity,
          force: $0.accelerometer(ofSpecificForce: pose.attitude.specificForce())
        )
      }
      var pairs = 0
      for (index, one) in shown.enumerated() {
        pairs += shown[(index + 1)...].count {
          one.words.angle(to: $0.words) > .degrees(20)
            || (Rotation(from: one.force, to: $0.force)?.angle ?? .zero) > .degrees(20)
        }
      }
      if pairs > best.pairs { best = (pose, pairs) }
    }
    return best.pose
  }

  /// Returns every order and every sign for angles about given axes.
  private static func angleConventions(like base: AngleConvention) -> [AngleConvention] {
    let sequences = EulerSequence.allCases.filter { $0.isTaitBryan }
    return sequences.flatMap { sequence in
      (0..<8).map { signs in
        AngleConvention(
          checked: signs & 1 == 0 ? base.pitch : base.pitch.opposite,
          roll: signs & 2 == 0 ? base.roll : base.roll.opposite,
          yaw: signs & 4 == 0 ? base.yaw : base.yaw.opposite,
          order: .intrinsic(sequence), pitchOffset: base.pitchOffset)
      }
    }
  }

  /// Returns the choice whose errors have the smallest root mean square; nil if there are no errors.
  private static func best<Choice>(
    of choices: [Choice], resolution: Angle, limit: Angle, errors: (Choice) -> [Angle]
  ) -> Finding<Choice>? {
    var ranking: [(choice: Choice, residual: Angle)] = []
    for choice in choices {
      var sum = ErrorSum()
      for error in errors(choice) { sum.add(error) }
      guard let residual = sum.residual else { return nil }
      ranking.append((choice, residual))
    }
    ranking.sort { $0.residual < $1.residual }
    guard let first = ranking.first else { return nil }
    let second = ranking.dropFirst().first ?? first
    return Finding(
      choice: first.choice, residual: first.residual, runnerUp: second.residual,
      isAmbiguous: second.residual <= first.residual * 2 + resolution, isExplained: first.residual <= limit)
  }
}

/// The sum of squared angular errors, their number, and the largest one.
struct ErrorSum {
  private var squares = 0.0
  private var count = 0
  private(set) var largest = Angle.zero

  static func + (a: ErrorSum, b: ErrorSum) -> ErrorSum {
    ErrorSum(squares: a.squares + b.squares, count: a.count + b.count, largest: max(a.largest, b.largest))
  }

  mutating func add(_ error: Angle) {
    squares += error.radians * error.radians
    count += 1
    largest = max(largest, Angle(radians: abs(error.radians)))
  }

  /// The root mean square; nil without errors.
  var residual: Angle? { count == 0 ? nil : Angle(radians: (squares / Double(count)).squareRoot()) }

  /// The sum of squares, each error in units of `unit`.
  func weight(_ unit: Angle) -> Double { squares / (unit.radians * unit.radians) }
}
