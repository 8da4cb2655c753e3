// Finds out from a short log how a robot reports its attitude.

/// One moment of a robot at rest, as it was streamed.
public struct ConventionSample: Hashable, Sendable {
  /// The quaternion words in the order in which they came, in any scale.
  public var words: QuaternionWords
  /// The accelerometer reading, in g.
  public var accelerometer: Vector3
  /// The streamed angles, if there were any.
  public var angles: PitchRollYaw?

  /// Makes a sample.
  public init(words: QuaternionWords, accelerometer: Vector3, angles: PitchRollYaw? = nil) {
    self.words = words
    self.accelerometer = accelerometer
    self.angles = angles
  }
}

/// What a probe found: the convention that explains a log of poses at rest, and how well.
///
/// At rest the accelerometer shows the way up, R^T z.
/// That picks the layout among {scalar first, scalar last} x {q, conjugate of q}.
/// The attitudes so found then pick the meaning of the streamed angles
/// among the six Tait-Bryan orders times eight signs.
/// (The six extrinsic orders are the same six read backwards.)
///
/// A log of one level pose decides nothing.
/// Three poses at various headings, each pitched and rolled at once by 20 degrees or more, decide everything;
/// poses pitched or rolled alone leave the order open.
/// The streamed yaw must count from the same heading as the quaternion; if it does not, leave the angles out.
public struct ConventionProbe: Hashable, Sendable {
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
  }

  /// The layout of the quaternion; residual between the measured and the predicted direction of up.
  public let layout: Finding<QuaternionLayout>
  /// The meaning of the angles; residual between the attitude they make and that of the quaternion.
  /// Nil if no sample had angles.
  public let angles: Finding<AngleConvention>?
  /// The convention asked about, with what was found in place.
  public let convention: Convention

  /// Whether anything was left undecided.
  public var isAmbiguous: Bool { layout.isAmbiguous || angles?.isAmbiguous ?? false }

  /// Probes a log.
  ///
  /// Samples are left out if their words are zero, if anything is not finite,
  /// or if the accelerometer is not within 0.8...1.2 g and so not at rest.
  /// Returns nil if no sample can be used.
  ///
  /// - Parameters:
  ///   - samples: Poses at rest.
  ///   - convention: What to assume about the rest: axes, accelerometer sign, axes of the angles.
  public init?(_ samples: [ConventionSample], assuming convention: Convention = .sphero) {
    let usable = samples.filter {
      QuaternionLayout.all[0].rotation(of: $0.words) != nil
        && (0.8...1.2).contains($0.accelerometer.length)
    }
    // Accelerometers are off by some hundredths of a g, which is a degree or two.
    let layout = Self.best(of: QuaternionLayout.all, resolution: .degrees(2)) { layout in
      var candidate = convention
      candidate.layout = layout
      return usable.compactMap { sample in
        let force = convention.specificForce(ofAccelerometer: sample.accelerometer)
        guard let up = candidate.attitude(of: sample.words)?.specificForce() else { return nil }
        return Rotation(from: up, to: force)?.angle
      }
    }
    guard let layout else { return nil }
    var found = convention
    found.layout = layout.choice

    // Angles come in whole degrees, which is an attitude error of half a degree, at most 1.1.
    let angles = Self.best(of: Self.angleConventions(like: convention.angles), resolution: .degrees(1.5)) {
      meaning in
      var candidate = found
      candidate.angles = meaning
      return usable.compactMap { sample in
        guard let angles = sample.angles, let streamed = candidate.attitude(of: angles) else { return nil }
        return candidate.attitude(of: sample.words)?.angle(to: streamed)
      }
    }
    if let angles { found.angles = angles.choice }
    self.layout = layout
    self.angles = angles
    self.convention = found
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
    of choices: [Choice], resolution: Angle, errors: (Choice) -> [Angle]
  ) -> Finding<Choice>? {
    var ranking: [(choice: Choice, residual: Angle)] = []
    for choice in choices {
      let errors = errors(choice).map { $0.radians }
      guard !errors.isEmpty else { return nil }
      let meanSquare = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
      ranking.append((choice, Angle(radians: meanSquare.squareRoot())))
    }
    ranking.sort { $0.residual < $1.residual }
    guard let first = ranking.first else { return nil }
    let second = ranking.dropFirst().first ?? first
    return Finding(
      choice: first.choice, residual: first.residual, runnerUp: second.residual,
      isAmbiguous: second.residual <= first.residual * 2 + resolution)
  }
}
