// Named conventions against words and angles that were worked out by hand from the vendors' formulas.
import SpheroOrientation
import TestSupport
import Testing

/// One pose: heading 50, nose up 30, right side down 20, as every convention reports it.
///
/// q = qz(-50) qx(30) qy(20) = (0.881120334, 0.301892368, 0.044296245, -0.361283543) in the axes right, ahead, up.
/// The rest follows from it: Bose turns the body by half a turn about x, Core Motion with north turns the room
/// by a quarter clockwise, ROS turns the body and in its odometry frame the room as well.
/// Up in the body is (-0.296198133, 0.5, 0.813797681): (-cos 30 sin 20, sin 30, cos 30 cos 20).
/// No two numbers of a row are alike but for their sign, so that none can stand in for its neighbour.
@Suite(.oneAtATime) struct WitnessConventionTests {
  private struct Row {
    let name: String
    let convention: Convention
    /// The words as they are delivered.
    let words: (Double, Double, Double, Double)
    /// In degrees.
    let pitch: Double
    let roll: Double
    let yaw: Double
    /// What the accelerometer reads at rest.
    let reading: (Double, Double, Double)
    /// Where gravity pulls, on the axes of the convention.
    let gravity: (Double, Double, Double)
    /// What is left of a reading if the body speeds up by (0.1, 0.2, 0.4) g to the right, ahead and up.
    let userAcceleration: (Double, Double, Double)
    /// (1, 2, 3) of right, ahead, up on the axes of the convention.
    let axes: (Double, Double, Double)
  }

  private static let table = [
    Row(
      name: "sphero", convention: .sphero, words: (0.881120334, -0.301892368, -0.044296245, 0.361283543),
      pitch: 30, roll: 20, yaw: -50, reading: (-0.296198133, 0.5, 0.813797681),
      gravity: (0.296198133, -0.5, -0.813797681), userAcceleration: (0.1, 0.2, 0.4), axes: (1, 2, 3)),
    Row(
      name: "spheroLater", convention: .spheroLater,
      words: (0.881120334, 0.301892368, 0.044296245, -0.361283543), pitch: 31.566703966, roll: 17.229396563,
      yaw: -39.685895184, reading: (-0.296198133, 0.5, 0.813797681),
      gravity: (0.296198133, -0.5, -0.813797681),
      userAcceleration: (0.1, 0.2, 0.4), axes: (1, 2, 3)),
    Row(
      name: "boseWearable", convention: .boseWearable,
      words: (-0.881120334, 0.361283543, 0.044296245, 0.301892368), pitch: 31.566703966, roll: -17.229396563,
      yaw: 39.685895184, reading: (-0.296198133, -0.5, -0.813797681),
      gravity: (0.296198133, 0.5, 0.813797681),
      userAcceleration: (0.1, -0.2, -0.4), axes: (1, -2, -3)),
    Row(
      name: "coreMotion", convention: .coreMotion,
      words: (0.301892368, 0.044296245, -0.361283543, 0.881120334), pitch: 30, roll: 20, yaw: -50,
      reading: (0.296198133, -0.5, -0.813797681), gravity: (0.296198133, -0.5, -0.813797681),
      userAcceleration: (-0.1, -0.2, -0.4), axes: (1, 2, 3)),
    Row(
      name: "coreMotionNorth", convention: .coreMotionNorth,
      words: (0.244792316, -0.182147966, -0.878512206, 0.367580120), pitch: 30, roll: 20, yaw: -140,
      reading: (0.296198133, -0.5, -0.813797681), gravity: (0.296198133, -0.5, -0.813797681),
      userAcceleration: (-0.1, -0.2, -0.4), axes: (1, 2, 3)),
    Row(
      name: "rosEastNorthUp", convention: .rosEastNorthUp,
      words: (0.244792316, -0.182147966, 0.367580120, 0.878512206), pitch: -30, roll: 20, yaw: 40,
      reading: (0.5, 0.296198133, 0.813797681), gravity: (-0.5, -0.296198133, -0.813797681),
      userAcceleration: (0.2, -0.1, 0.4), axes: (2, -1, 3)),
    Row(
      name: "rosOdometry", convention: .rosOdometry,
      words: (0.044296245, -0.301892368, -0.361283543, 0.881120334), pitch: -30, roll: 20, yaw: -50,
      reading: (0.5, 0.296198133, 0.813797681), gravity: (-0.5, -0.296198133, -0.813797681),
      userAcceleration: (0.2, -0.1, 0.4), axes: (2, -1, 3)),
  ]

  private static func vector(_ v: (Double, Double, Double)) -> Vector3 { Vector3(v.0, v.1, v.2) }

  private static func angles(_ row: Row) -> PitchRollYaw {
    PitchRollYaw(pitch: .degrees(row.pitch), roll: .degrees(row.roll), yaw: .degrees(row.yaw))
  }

  /// Whether words are those of a row; a quaternion and its negative are one rotation.
  private static func same(_ own: QuaternionWords, _ row: (Double, Double, Double, Double)) -> Bool {
    let sign: Double = own.q0 * row.0 + own.q1 * row.1 + own.q2 * row.2 + own.q3 * row.3 < 0 ? -1 : 1
    return abs(own.q0 * sign - row.0) < 2e-9 && abs(own.q1 * sign - row.1) < 2e-9
      && abs(own.q2 * sign - row.2) < 2e-9 && abs(own.q3 * sign - row.3) < 2e-9
  }

  private func pose() throws -> Rotation {
    try #require(Rotation(w: 0.881120334, x: 0.301892368, y: 0.044296245, z: -0.361283543))
  }

  @Test func wordsAreTheVendors() throws {
    let pose = try pose()
    for row in Self.table {
      let words = row.convention.words(of: pose)
      #expect(Self.same(words, row.words), "\(row.name): \(words)")
      let back = try #require(
        row.convention.attitude(
          of: QuaternionWords(row.words.0, row.words.1, row.words.2, row.words.3)))
      #expect(back.angle(to: pose).radians < 1e-8, "\(row.name)")
    }
  }

  @Test func anglesAreTheVendors() throws {
    let pose = try pose()
    for row in Self.table {
      let own = row.convention.pitchRollYaw(of: pose)
      #expect(abs(own.pitch.degrees - row.pitch) < 2e-7, "\(row.name): \(own.pitch.degrees)")
      #expect(abs(own.roll.degrees - row.roll) < 2e-7, "\(row.name): \(own.roll.degrees)")
      #expect(abs(own.yaw.degrees - row.yaw) < 2e-7, "\(row.name): \(own.yaw.degrees)")
      let back = try #require(row.convention.attitude(of: Self.angles(row)))
      #expect(back.angle(to: pose).radians < 1e-8, "\(row.name)")
    }
  }

  @Test func accelerometersAreTheVendors() throws {
    let pose = try pose()
    for row in Self.table {
      let convention = row.convention
      let rest = convention.accelerometer(ofSpecificForce: Vector3(-0.296198133, 0.5, 0.813797681))
      #expect(
        rest.isApproximatelyEqual(to: Self.vector(row.reading), tolerance: 1e-12), "\(row.name): \(rest)")
      #expect(
        convention.specificForce(ofAccelerometer: Self.vector(row.reading))
          .isApproximatelyEqual(to: Vector3(-0.296198133, 0.5, 0.813797681), tolerance: 1e-12), "\(row.name)")
      let gravity = convention.gravity(of: pose)
      #expect(
        gravity.isApproximatelyEqual(to: Self.vector(row.gravity), tolerance: 2e-9), "\(row.name): \(gravity)"
      )
      // Up and the body's own acceleration together.
      let pushed = convention.accelerometer(ofSpecificForce: Vector3(-0.196198133, 0.7, 1.213797681))
      let user = convention.userAcceleration(accelerometer: pushed, attitude: pose)
      #expect(
        user.isApproximatelyEqual(to: Self.vector(row.userAcceleration), tolerance: 4e-9),
        "\(row.name): \(user)")
    }
  }

  @Test func axesAreTheVendors() throws {
    for row in Self.table {
      let own = Convention.sphero.convert(bodyVector: Vector3(1, 2, 3), to: row.convention)
      #expect(own == Self.vector(row.axes), "\(row.name): \(own)")
      #expect(row.convention.convert(bodyVector: own, to: .sphero) == Vector3(1, 2, 3), "\(row.name)")
    }
  }

  /// The yaw of a level robot at heading 50, and the heading that a yaw of 35 degrees means.
  @Test func headingsAreTheVendors() throws {
    let table: [(convention: Convention, yawAt50: Double, headingAt35: Double)] = [
      (.sphero, -50, 325), (.spheroLater, -50, 325), (.boseWearable, 50, 35), (.coreMotion, -50, 325),
      (.coreMotionNorth, -140, 235), (.rosEastNorthUp, 40, 55), (.rosOdometry, -50, 325),
    ]
    let heading = try #require(Heading(degrees: 50))
    for (index, row) in table.enumerated() {
      let yaw = row.convention.yaw(of: heading).degrees
      #expect(abs(yaw - row.yawAt50) < 1e-12, "row \(index): \(yaw)")
      let back = try #require(row.convention.heading(ofYaw: .degrees(35))).degrees
      #expect(abs(back - row.headingAt35) < 1e-12, "row \(index): \(back)")
    }
  }

  /// The four readings of the streamed quaternion that recordings allow, at nose up 30 degrees and heading 90.
  @Test func readingsOfTheStreamedQuaternion() throws {
    var (direct, turned) = (Convention.sphero, Convention.sphero)
    direct.layout = QuaternionLayout(.scalarFirst, .bodyToReference)
    let leftBackUp = try #require(AxisMap(x: .minusX, y: .minusY, z: .z))
    turned.layout = QuaternionLayout(.scalarFirst, .referenceToBody)
    (turned.body, turned.reference) = (leftBackUp, leftBackUp)
    turned.angles = try #require(
      AngleConvention(pitch: .minusX, roll: .minusY, yaw: .z, order: .intrinsic(.zxy)))
    var roomToBody = Convention.sphero
    roomToBody.layout = QuaternionLayout(.scalarFirst, .referenceToBody)
    roomToBody.body = .identity
    roomToBody.reference = .identity

    let pose = try #require(Rotation(w: 0.683012702, x: 0.183012702, y: -0.183012702, z: -0.683012702))
    #expect(
      Self.same(roomToBody.words(of: pose), (0.683012702, -0.183012702, 0.183012702, 0.683012702)),
      "room to body"
    )
    direct.body = .identity
    direct.reference = .identity
    #expect(
      Self.same(direct.words(of: pose), (0.683012702, 0.183012702, -0.183012702, -0.683012702)),
      "body to room")
    #expect(
      Self.same(turned.words(of: pose), (0.683012702, 0.183012702, -0.183012702, 0.683012702)),
      "left, back, up")

    // One frame recorded from an Ollie, next to pitch -5, roll 1 and the accelerometer.
    let frame = QuaternionWords(9985, -539, 86, 0)
    let attitude = try #require(turned.attitude(of: frame))
    let angles = turned.pitchRollYaw(of: attitude)
    #expect(abs(angles.pitch.degrees + 6.2) < 0.05 && abs(angles.roll.degrees - 1.0) < 0.05)
    let reading = turned.accelerometer(ofSpecificForce: attitude.specificForce())
    #expect(reading.isApproximatelyEqual(to: Vector3(0.017, 0.108, 0.994), tolerance: 6e-4), "\(reading)")
  }

  /// What Bose's and Core Motion's own names give for the pose.
  @Test func namesOfTheVendors() throws {
    let pose = try pose()
    #expect(abs(pose.xRotation.degrees - 31.566703966) < 2e-7)
    #expect(abs(pose.yRotation.degrees - 17.229396563) < 2e-7)
    #expect(abs(pose.zRotation.degrees + 39.685895184) < 2e-7)
    // (w, x, y, z) (0, 1, 0, 0) = (-x, w, z, -y).
    let mapped = try #require(Rotation(w: -0.301892368, x: 0.881120334, y: -0.361283543, z: -0.044296245))
    #expect((pose * .boseMap).angle(to: mapped).radians < 1e-8)
    // A turn of 90 degrees about x and then of 40 about the body's z is, seen from the first pose, the latter.
    let start = try #require(Rotation(angle: .degrees(90), axis: Vector3(1, 0, 0)))
    let turn = try #require(Rotation(angle: .degrees(40), axis: Vector3(0, 0, 1)))
    #expect((start * turn).relative(to: start).angle(to: turn).radians < 1e-12)
  }
}
