// Every reading of the words of a robot at rest, weighed against what it streamed in poses that are known.

/// Weighs readings against poses.
struct ConventionEvidence {
  /// All readings, the best first.
  private(set) var ranking: [ConventionProbe.Candidate] = []
  private let samples: [ConventionSample]
  private let isLaid: Bool
  /// Many samples are no more poses than a person lays: their errors are those of the same few.
  private let share: Double

  init(_ samples: [ConventionSample], assuming base: Convention) {
    self.samples = samples
    isLaid = samples.contains { $0.pose != nil }
    share = 6 / Double(max(6, samples.count))
    let angles = base.angles.renamed(by: base.body.inverse)
    let accelerometers = AxisMap.all.map {
      Accelerometer(axes: $0, sign: base.accelerometer, samples: samples)
    }
    for layout in QuaternionLayout.all {
      for frame in AxisMap.all {
        let convention = Convention(
          layout: layout, body: frame, reference: frame, angles: angles.renamed(by: frame),
          accelerometer: base.accelerometer)
        let attitudes = samples.compactMap { convention.attitude(of: $0.words) }
        guard attitudes.count == samples.count else { return }
        let quaternion = Quaternions(attitudes: attitudes, convention: convention, evidence: self)
        for accelerometer in accelerometers { ranking.append(candidate(quaternion, accelerometer)) }
      }
    }
    ranking.sort { $0.cost < $1.cost }
  }

  /// What one meaning of the words says of all samples.
  private struct Quaternions {
    let convention: Convention
    /// The way up.
    let up: [Vector3]
    var poses = ErrorSum()
    var angles = ErrorSum()
    /// How far streamed yaw is from that of level poses, with the sign that fits better.
    ///
    /// A scalar that is mistaken for the last word turns heading 0 to the back, and changes nothing else.
    /// Without streamed yaw the scalar is the first word, as it is in every recording.
    var headings = ErrorSum()

    init(attitudes: [Rotation], convention: Convention, evidence: ConventionEvidence) {
      self.convention = convention
      up = attitudes.map { $0.specificForce() }
      var (straight, reversed) = (ErrorSum(), ErrorSum())
      var level: Angle?
      for (attitude, sample) in zip(attitudes, evidence.samples) {
        guard evidence.isLaid else {
          if let angles = sample.angles, let streamed = convention.attitude(of: angles) {
            self.angles.add(attitude.angle(to: streamed))
          }
          continue
        }
        guard sample.pose == .level || sample.pose == .turnedLeft else { continue }
        let yaw = Convention.spheroReadingA.pitchRollYaw(of: attitude).yaw
        if let streamed = sample.angles?.yaw, streamed.isFinite {
          straight.add((yaw - streamed).wrapped)
          reversed.add((yaw + streamed).wrapped)
        }
        if sample.pose == .level {
          level = yaw
        } else if let level {
          poses.add((yaw - level - .degrees(90)).wrapped)
        }
      }
      if evidence.isLaid, straight.residual == nil, convention.layout.order == .scalarLast {
        straight.add(.degrees(180))
        reversed = straight
      }
      let isStraight = (straight.residual ?? .zero) <= (reversed.residual ?? .zero)
      headings = isStraight ? straight : reversed
    }
  }

  /// What one set of axes of the accelerometer says of all samples.
  private struct Accelerometer {
    let axes: AxisMap
    let forces: [Vector3]
    var poses = ErrorSum()

    init(axes: AxisMap, sign: AccelerometerSign, samples: [ConventionSample]) {
      self.axes = axes
      forces = samples.map {
        let force = axes.undo(on: $0.accelerometer)
        return (sign == .specificForce ? force : -force).normalized ?? .zero
      }
      for (force, sample) in zip(forces, samples) {
        guard let pose = sample.pose else { continue }
        // Tilted as far as the accelerometer says, toward where it was asked for.
        let tilt = (1 - min(force.z * force.z, 1)).squareRoot()
        let wanted =
          switch pose {
          case .level, .turnedLeft: Vector3(0, 0, 1)
          case .noseUp: Vector3(0, tilt, force.z)
          case .rightSideDown: Vector3(-tilt, 0, force.z)
          }
        poses.add(ConventionEvidence.angle(force, wanted))
      }
    }
  }

  private func candidate(_ quaternion: Quaternions, _ accelerometer: Accelerometer)
    -> ConventionProbe.Candidate
  {
    var convention = quaternion.convention
    (convention.accelerometerAxes, convention.gyroscopeAxes) = (accelerometer.axes, accelerometer.axes)
    var up = ErrorSum()
    for (own, felt) in zip(quaternion.up, accelerometer.forces) { up.add(Self.angle(own, felt)) }
    let poses = quaternion.poses + accelerometer.poses
    let cost =
      up.weight(.degrees(3)) + poses.weight(Self.hand) + quaternion.angles.weight(.degrees(2))
    let headings = quaternion.headings.weight(Self.hand)
    return ConventionProbe.Candidate(
      convention: convention, accelerometerResidual: up.residual ?? .zero, poseResidual: poses.residual,
      headingResidual: quaternion.headings.residual, angleResidual: quaternion.angles.residual,
      isExplained: up.largest <= .degrees(10) && poses.largest <= .degrees(30)
        && quaternion.angles.largest <= .degrees(8),
      poseCost: share * cost,
      // The heading that yaw counts from tells twins apart, and does not outweigh the poses.
      cost: share * cost + 12 * headings / (headings + 12))
  }

  /// How exactly a hand lays a robot.
  private static let hand = Angle.degrees(12)

  private static func angle(_ one: Vector3, _ other: Vector3) -> Angle {
    Rotation(from: one, to: other)?.angle ?? .degrees(180)
  }
}
