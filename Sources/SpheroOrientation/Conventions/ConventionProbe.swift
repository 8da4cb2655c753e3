// Finds out from a short log how a robot reports its attitude.

/// What a probe found: the reading that explains a log, how well, and which others do nearly as well.
///
/// At rest the accelerometer shows the way up, and so does the quaternion.
/// A person who lays the robot as asked for says what is up, ahead and to the right (``LaidPose``).
/// A reading is a place of the scalar, a direction of the quaternion, one of 24 frames for it,
/// and one of 24 for the accelerometer: 2304 in all, the named ones among them.
/// Each is weighed by the squares of three errors:
/// - the angle between the accelerometer and the way up by the quaternion, in units of 3 degrees,
///   since accelerometers are off by some hundredths of a g;
/// - the angle between the pose as read and as asked for, in units of 12 degrees, since hands are not exact;
/// - where no pose was asked for, the angle between the quaternion and the streamed angles by their assumed meaning,
///   in units of 2 degrees.
///
/// The attitudes so found then pick the meaning of the streamed angles among the six Tait-Bryan orders times eight signs
/// (the six extrinsic orders are the same six read backwards), and the axes of the gyroscope among 24.
///
/// The four poses of ``LaidPose`` decide the reading.
/// The order of the angles takes one more, pitched and rolled at once by 20 degrees or more.
/// Streamed yaw must count from the same heading as the quaternion; if it does not, leave the angles out.
public struct ConventionProbe: Hashable, Sendable {
  /// What a log says.
  public enum Verdict: Hashable, Sendable {
    /// One reading explains the log, and no other does nearly as well.
    case decided
    /// Several readings explain the log; this pose would decide between most of them, if any of ``LaidPose`` would.
    case undecided(next: LaidPose?)
    /// No reading explains the log: its errors are larger than sensors and hands make them.
    case unexplained
  }

  /// One reading, and how well it explains the log.
  public struct Candidate: Hashable, Sendable {
    /// The reading, with the angles as they were assumed, and the gyroscope on the axes of the accelerometer.
    public var convention: Convention
    /// The root mean square of the angles between the accelerometer and the way up by the quaternion.
    public var accelerometerResidual: Angle
    /// The root mean square of the angles between the poses as read and as asked for; nil where none was asked for.
    public var poseResidual: Angle?
    /// The root mean square of the angles between the heading of level poses and streamed yaw, with the sign that fits;
    /// nil where no such pose was asked for.
    public var headingResidual: Angle?
    /// The root mean square of the angles between the quaternion and the streamed angles; nil where poses decided.
    public var angleResidual: Angle?
    /// Whether every error is one that sensors and hands can make:
    /// 10 degrees of the accelerometer, 30 of a pose, 8 of the streamed angles.
    public var isExplained: Bool
    /// The sum of the squares of all errors but that of the heading, each in its unit.
    var poseCost: Double
    /// The same with the heading, which counts for less than the poses.
    var cost: Double
  }

  /// One choice among many, with the evidence.
  public struct Finding<Choice: Hashable & Sendable>: Hashable, Sendable {
    /// The choice with the smallest residual.
    public var choice: Choice
    /// The root mean square of the angles between what was streamed and what the choice makes of it.
    public var residual: Angle
    /// The same of the second best choice.
    public var runnerUp: Angle
    /// Whether the second best choice explains the log nearly as well:
    /// its residual is within twice the best one plus the resolution of the sensors.
    public var isAmbiguous: Bool
    /// Whether the residual is one that sensors can make.
    public var isExplained: Bool

    /// Whether the choice is to be relied on.
    public var isDecided: Bool { isExplained && !isAmbiguous }
  }

  /// What the log says.
  public let verdict: Verdict
  /// The readings that explain the log about equally well, the best first; where none explains it, the best alone.
  public let candidates: [Candidate]
  /// The best reading that is not among the candidates, and not one of them that counts heading 0 from the back.
  public let runnerUp: Candidate?
  /// The meaning of the streamed angles; nil unless the verdict is decided and there were any.
  public let angles: Finding<AngleConvention>?
  /// The axes of the gyroscope; nil unless the verdict is decided and there were turns.
  public let gyroscope: Finding<AxisMap>?
  /// The best reading, with the angles and the gyroscope as found where these are decided;
  /// trust it where the verdict is decided.
  public let convention: Convention

  /// Finds the convention that explains samples at rest.
  ///
  /// Samples are left out if their words are zero, if anything is not finite,
  /// or if the accelerometer is not within 0.8...1.2 g and so not at rest.
  /// Returns nil if no sample can be used.
  ///
  /// - Parameters:
  ///   - samples: Poses at rest, one sample for each, in turn.
  ///   - turns: The turns between them, for the gyroscope.
  ///   - convention: What to assume: the accelerometer's sign; the meaning of the streamed angles
  ///     where no pose was asked for or the log leaves it open.
  public init?(
    _ samples: [ConventionSample], turns: [ConventionTurn] = [], assuming convention: Convention = .sphero
  ) {
    let usable = samples.filter {
      QuaternionLayout.all[0].rotation(of: $0.words) != nil
        && (0.8...1.2).contains($0.accelerometer.length)
    }
    let ranking = ConventionEvidence(usable, assuming: convention).ranking
    guard let best = ranking.first, !usable.isEmpty else { return nil }
    let near = Array(ranking.prefix { $0.cost <= best.cost + Self.margin })
    let isExplained = near.contains { $0.isExplained }
    candidates = isExplained ? near : [best]
    let twin = best.poseCost + 1e-6
    runnerUp = ranking.dropFirst(candidates.count).first { $0.poseCost > twin }
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
    // A quarter turn the other way mirrors the reading, and no right-handed axes fit a mirrored gyroscope.
    verdict = gyroscope?.isExplained == false ? .undecided(next: .turnedLeft) : .decided
  }

  /// By how much the weighed squares of a second reading must be more: three units of one error.
  private static let margin = 9.0
}

extension ConventionProbe {
  /// Streamed angles come in whole degrees, which is an attitude error of half a degree, at most 1.1.
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

  /// Readings that are 50 ms apart add up to a turn of a hand within some degrees; a turn of less than 10 says nothing.
  private static func gyroscope(
    of turns: [ConventionTurn], by convention: Convention
  ) -> Finding<AxisMap>? {
    let told = turns.compactMap { turn -> (told: Rotation, felt: Rotation)? in
      guard let start = convention.attitude(of: turn.start), let end = convention.attitude(of: turn.end),
        max(start.angle(to: end), turn.gyroscope.angle) >= .degrees(10)
      else { return nil }
      return (start.inverse * end, turn.gyroscope)
    }
    return best(of: AxisMap.all, resolution: .degrees(5), limit: .degrees(15)) { axes in
      told.map { (axes.rotation.inverse * $0.felt * axes.rotation).angle(to: $0.told) }
    }
  }

  /// The pose that tells the most pairs of readings apart, those with a name first.
  private static func pose(decidingBetween candidates: [Candidate]) -> LaidPose? {
    let all = candidates.map { $0.convention }
    let named = all.filter { $0.name != nil }
    let readings = named.count > 1 ? named : all
    var best: (pose: LaidPose, pairs: Int)?
    for pose in LaidPose.allCases {
      let shown = readings.map {
        (
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
      if pairs > best?.pairs ?? 0 { best = (pose, pairs) }
    }
    return best?.pose
  }

  /// Every order and every sign for angles about given axes.
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

  /// The choice whose errors have the smallest root mean square; nil if there are no errors to judge by.
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

/// Errors that are angles, added up.
struct ErrorSum {
  private var squares = 0.0
  private var count = 0
  private(set) var largest = Angle.zero

  static func + (a: ErrorSum, b: ErrorSum) -> ErrorSum {
    var sum = a
    sum.squares += b.squares
    sum.count += b.count
    sum.largest = max(a.largest, b.largest)
    return sum
  }

  mutating func add(_ error: Angle) {
    squares += error.radians * error.radians
    count += 1
    largest = max(largest, Angle(radians: abs(error.radians)))
  }

  /// The root mean square; nil if there are none.
  var residual: Angle? { count == 0 ? nil : Angle(radians: (squares / Double(count)).squareRoot()) }

  /// The sum of squares, each error in units of `unit`.
  func weight(_ unit: Angle) -> Double { squares / (unit.radians * unit.radians) }
}
