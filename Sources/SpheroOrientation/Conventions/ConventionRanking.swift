// The ranking of all readings of a robot's quaternion and accelerometer by their errors in known poses.

extension ConventionProbe {
  /// The expected error of a pose in which a person places a robot.
  private static let placementError = Angle.degrees(12)

  /// Returns all readings in ascending order of cost, for samples with valid quaternion words.
  static func ranking(of samples: [ConventionSample], assuming base: Convention) -> [Candidate] {
    let angles = base.angles.renamed(by: base.body.inverse)
    let accelerometers = AxisMap.all.map {
      AccelerometerErrors(axes: $0, sign: base.accelerometer, samples: samples)
    }
    var ranking: [Candidate] = []
    for layout in QuaternionLayout.all {
      for frame in AxisMap.all {
        let convention = Convention(
          layout: layout, body: frame, reference: frame, angles: angles.renamed(by: frame),
          accelerometer: base.accelerometer)
        let quaternion = QuaternionErrors(convention: convention, samples: samples)
        ranking += accelerometers.map { candidate(quaternion, $0) }
      }
    }
    return ranking.sorted { $0.cost < $1.cost }
  }

  private static func candidate(
    _ quaternion: QuaternionErrors, _ accelerometer: AccelerometerErrors
  ) -> Candidate {
    var convention = quaternion.convention
    (convention.accelerometerAxes, convention.gyroscopeAxes) = (accelerometer.axes, accelerometer.axes)
    var up = ErrorSum()
    for (own, measured) in zip(quaternion.up, accelerometer.forces) { up.add(angle(own, measured)) }
    let poses = quaternion.poses + accelerometer.poses
    let cost =
      up.weight(.degrees(3)) + poses.weight(placementError) + quaternion.angles.weight(.degrees(2))
    let headings = quaternion.headings.weight(placementError)
    // The weight limits the influence of many samples in the same few poses.
    let weight = 6 / Double(max(6, quaternion.up.count))
    return Candidate(
      convention: convention, accelerometerResidual: up.residual ?? .zero, poseResidual: poses.residual,
      headingResidual: quaternion.headings.residual, angleResidual: quaternion.angles.residual,
      isExplained: up.largest <= .degrees(10) && poses.largest <= .degrees(30)
        && quaternion.angles.largest <= .degrees(8),
      poseCost: weight * cost,
      // The heading distinguishes readings that differ by half a turn. Its cost is less than 12, so that it
      // does not outweigh the poses.
      cost: weight * cost + 12 * headings / (headings + 12))
  }

  private static func angle(_ one: Vector3, _ other: Vector3) -> Angle {
    Rotation(from: one, to: other)?.angle ?? .degrees(180)
  }

  /// The errors of all samples for one layout and frame of the quaternion.
  private struct QuaternionErrors {
    let convention: Convention
    /// The up direction of each sample, in body coordinates.
    private(set) var up: [Vector3] = []
    private(set) var poses = ErrorSum()
    private(set) var angles = ErrorSum()
    /// The differences between the yaw of the quaternion and the streamed yaw in the level poses, for the sign of the
    /// streamed yaw that fits better.
    ///
    /// A reading with the scalar at the wrong end yields the same attitudes in another frame, times a half turn about up.
    /// The poses do not show that; only the streamed yaw does.
    /// Without a streamed yaw, the first word is assumed to be the scalar, as in every recording: a
    /// reading with the scalar last then has an error of 180 degrees.
    let headings: ErrorSum

    init(convention: Convention, samples: [ConventionSample]) {
      self.convention = convention
      let hasPoses = samples.contains { $0.pose != nil }
      var (straight, reversed) = (ErrorSum(), ErrorSum())
      var level: Angle?
      for sample in samples {
        guard let attitude = convention.attitude(of: sample.words) else { continue }
        up.append(attitude.specificForce())
        guard hasPoses else {
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
      if hasPoses, straight.residual == nil, convention.layout.order == .scalarLast {
        straight.add(.degrees(180))
        reversed = straight
      }
      let isStraight = (straight.residual ?? .zero) <= (reversed.residual ?? .zero)
      headings = isStraight ? straight : reversed
    }
  }

  /// The errors of all samples for one set of accelerometer axes.
  private struct AccelerometerErrors {
    let axes: AxisMap
    let forces: [Vector3]
    private(set) var poses = ErrorSum()

    init(axes: AxisMap, sign: AccelerometerSign, samples: [ConventionSample]) {
      self.axes = axes
      forces = samples.map {
        let force = axes.undo(on: $0.accelerometer)
        return (sign == .specificForce ? force : -force).normalized ?? .zero
      }
      for (force, sample) in zip(forces, samples) {
        guard let pose = sample.pose else { continue }
        // The expected direction: the requested pose, with the tilt that the accelerometer shows.
        let tilt = (1 - min(force.z * force.z, 1)).squareRoot()
        let expected =
          switch pose {
          case .level, .turnedLeft: Vector3(0, 0, 1)
          case .noseUp: Vector3(0, tilt, force.z)
          case .rightSideDown: Vector3(-tilt, 0, force.z)
          }
        poses.add(ConventionProbe.angle(force, expected))
      }
    }
  }
}
