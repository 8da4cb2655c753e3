// Named conventions against words and angles that are computed by hand from the vendors' formulas.
import Foundation
import SpheroOrientation
import TestSupport
import Testing

/// One pose in every convention: heading 50, nose up 30, right side down 20.
///
/// q = qz(-50) qx(30) qy(20) = (0.881120334, 0.301892368, 0.044296245, -0.361283543) in the axes right, ahead, up.
/// The axes of Bose are rotated by half a turn about x, the reference of Core Motion with north by a quarter turn
/// clockwise, the body of ROS, and in its odometry frame the reference as well.
/// Up in the body is (-0.296198133, 0.5, 0.813797681): (-cos 30 sin 20, sin 30, cos 30 cos 20).
/// The numbers of a row differ in magnitude, so that an exchange of two is visible.
@Suite(.ownThread) struct WitnessConventionTests {
  private struct Row {
    let name: String
    let convention: Convention
    /// The words in the order of delivery.
    let words: (Double, Double, Double, Double)
    /// In degrees.
    let pitch: Double
    let roll: Double
    let yaw: Double
    /// The accelerometer reading at rest.
    let reading: (Double, Double, Double)
    /// Gravity on the axes of the convention.
    let gravity: (Double, Double, Double)
    /// The reading without gravity at an acceleration of (0.1, 0.2, 0.4) g to the right, ahead and up.
    let userAcceleration: (Double, Double, Double)
    /// (1, 2, 3) of right, ahead, up on the axes of the convention.
    let axes: (Double, Double, Double)
    /// The gyroscope reading at a rate of (1, 2, 3) about right, ahead, up.
    let rates: (Double, Double, Double)
  }

  private static let table = [
    Row(
      name: "sphero", convention: .sphero, words: (0.881120334, 0.301892368, 0.044296245, 0.361283543),
      pitch: 30, roll: 20, yaw: -50, reading: (0.296198133, -0.5, 0.813797681),
      gravity: (-0.296198133, 0.5, -0.813797681), userAcceleration: (-0.1, -0.2, 0.4), axes: (-1, -2, 3),
      rates: (-1, -2, 3)),
    Row(
      name: "spheroReadingA", convention: .spheroReadingA,
      words: (0.881120334, -0.301892368, -0.044296245, 0.361283543),
      pitch: 30, roll: 20, yaw: -50, reading: (-0.296198133, 0.5, 0.813797681),
      gravity: (0.296198133, -0.5, -0.813797681), userAcceleration: (0.1, 0.2, 0.4), axes: (1, 2, 3),
      rates: (1, 2, 3)),
    Row(
      name: "spheroReadingB", convention: .spheroReadingB,
      words: (0.881120334, 0.301892368, 0.044296245, -0.361283543),
      pitch: 30, roll: 20, yaw: -50, reading: (0.296198133, -0.5, 0.813797681),
      gravity: (-0.296198133, 0.5, -0.813797681), userAcceleration: (-0.1, -0.2, 0.4), axes: (1, 2, 3),
      rates: (-1, -2, 3)),
    Row(
      name: "spheroReadingC", convention: .spheroReadingC,
      words: (0.881120334, 0.301892368, 0.044296245, 0.361283543),
      pitch: 30, roll: 20, yaw: -50, reading: (0.296198133, -0.5, 0.813797681),
      gravity: (-0.296198133, 0.5, -0.813797681), userAcceleration: (-0.1, -0.2, 0.4), axes: (-1, -2, 3),
      rates: (-1, -2, 3)),
    Row(
      name: "spheroReadingD1", convention: .spheroReadingD1,
      words: (0.881120334, 0.301892368, -0.044296245, 0.361283543),
      pitch: 30, roll: 20, yaw: -50, reading: (0.296198133, -0.5, 0.813797681),
      gravity: (-0.296198133, 0.5, -0.813797681), userAcceleration: (-0.1, -0.2, 0.4), axes: (1, -2, -3),
      rates: (-1, -2, 3)),
    Row(
      name: "spheroReadingD2", convention: .spheroReadingD2,
      words: (0.881120334, -0.301892368, 0.044296245, 0.361283543),
      pitch: 30, roll: 20, yaw: -50, reading: (-0.296198133, 0.5, 0.813797681),
      gravity: (0.296198133, -0.5, -0.813797681), userAcceleration: (0.1, 0.2, 0.4), axes: (-1, 2, -3),
      rates: (1, 2, 3)),
    Row(
      name: "spheroLater", convention: .spheroLater,
      words: (0.881120334, 0.301892368, 0.044296245, -0.361283543), pitch: 31.566703966, roll: 17.229396563,
      yaw: -39.685895184, reading: (-0.296198133, 0.5, 0.813797681),
      gravity: (0.296198133, -0.5, -0.813797681),
      userAcceleration: (0.1, 0.2, 0.4), axes: (1, 2, 3), rates: (1, 2, 3)),
    Row(
      name: "boseWearable", convention: .boseWearable,
      words: (-0.881120334, 0.361283543, 0.044296245, 0.301892368), pitch: 31.566703966, roll: -17.229396563,
      yaw: 39.685895184, reading: (-0.296198133, -0.5, -0.813797681),
      gravity: (0.296198133, 0.5, 0.813797681),
      userAcceleration: (0.1, -0.2, -0.4), axes: (1, -2, -3), rates: (1, -2, -3)),
    Row(
      name: "coreMotion", convention: .coreMotion,
      words: (0.301892368, 0.044296245, -0.361283543, 0.881120334), pitch: 30, roll: 20, yaw: -50,
      reading: (0.296198133, -0.5, -0.813797681), gravity: (0.296198133, -0.5, -0.813797681),
      userAcceleration: (-0.1, -0.2, -0.4), axes: (1, 2, 3), rates: (1, 2, 3)),
    Row(
      name: "coreMotionNorth", convention: .coreMotionNorth,
      words: (0.244792316, -0.182147966, -0.878512206, 0.367580120), pitch: 30, roll: 20, yaw: -140,
      reading: (0.296198133, -0.5, -0.813797681), gravity: (0.296198133, -0.5, -0.813797681),
      userAcceleration: (-0.1, -0.2, -0.4), axes: (1, 2, 3), rates: (1, 2, 3)),
    Row(
      name: "rosEastNorthUp", convention: .rosEastNorthUp,
      words: (0.244792316, -0.182147966, 0.367580120, 0.878512206), pitch: -30, roll: 20, yaw: 40,
      reading: (0.5, 0.296198133, 0.813797681), gravity: (-0.5, -0.296198133, -0.813797681),
      userAcceleration: (0.2, -0.1, 0.4), axes: (2, -1, 3), rates: (2, -1, 3)),
    Row(
      name: "rosOdometry", convention: .rosOdometry,
      words: (0.044296245, -0.301892368, -0.361283543, 0.881120334), pitch: -30, roll: 20, yaw: -50,
      reading: (0.5, 0.296198133, 0.813797681), gravity: (-0.5, -0.296198133, -0.813797681),
      userAcceleration: (0.2, -0.1, 0.4), axes: (2, -1, 3), rates: (2, -1, 3)),
  ]

  private static func vector(_ v: (Double, Double, Double)) -> Vector3 { Vector3(v.0, v.1, v.2) }

  private static func angles(_ row: Row) -> PitchRollYaw {
    PitchRollYaw(pitch: .degrees(row.pitch), roll: .degrees(row.roll), yaw: .degrees(row.yaw))
  }

  /// Whether words are those of a row up to sign.
  private static func same(_ own: QuaternionWords, _ row: (Double, Double, Double, Double)) -> Bool {
    let sign: Double = own.q0 * row.0 + own.q1 * row.1 + own.q2 * row.2 + own.q3 * row.3 < 0 ? -1 : 1
    return abs(own.q0 * sign - row.0) < 2e-9 && abs(own.q1 * sign - row.1) < 2e-9
      && abs(own.q2 * sign - row.2) < 2e-9 && abs(own.q3 * sign - row.3) < 2e-9
  }

  private func pose() throws -> Rotation {
    try #require(Rotation(w: 0.881120334, x: 0.301892368, y: 0.044296245, z: -0.361283543))
  }

  @Test func wordsMatchTheVendors() throws {
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

  @Test func anglesMatchTheVendors() throws {
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

  @Test func accelerometersMatchTheVendors() throws {
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
      // The sum of the up direction and the acceleration of the body.
      let pushed = convention.accelerometer(ofSpecificForce: Vector3(-0.196198133, 0.7, 1.213797681))
      let user = convention.userAcceleration(accelerometer: pushed, attitude: pose)
      #expect(
        user.isApproximatelyEqual(to: Self.vector(row.userAcceleration), tolerance: 4e-9),
        "\(row.name): \(user)")
    }
  }

  /// Reading A has its axes right, ahead, up.
  @Test func axesMatchTheVendors() throws {
    for row in Self.table {
      let own = Convention.spheroReadingA.convert(bodyVector: Vector3(1, 2, 3), to: row.convention)
      #expect(own == Self.vector(row.axes), "\(row.name): \(own)")
      #expect(row.convention.convert(bodyVector: own, to: .spheroReadingA) == Vector3(1, 2, 3), "\(row.name)")
    }
  }

  @Test func gyroscopesMatchTheVendors() {
    for row in Self.table {
      let own = row.convention.gyroscope(ofRate: Vector3(1, 2, 3))
      #expect(own == Self.vector(row.rates), "\(row.name): \(own)")
      #expect(row.convention.rate(ofGyroscope: Self.vector(row.rates)) == Vector3(1, 2, 3), "\(row.name)")
    }
  }

  @Test func sensorAxesAreIndependent() throws {
    var convention = Convention.spheroReadingA
    convention.gyroscopeAxes = try #require(AxisMap(x: .y, y: .minusX, z: .z))
    #expect(convention.rate(ofGyroscope: Vector3(2, -1, 3)) == Vector3(1, 2, 3))
    #expect(convention.specificForce(ofAccelerometer: Vector3(1, 2, 3)) == Vector3(1, 2, 3))
    convention.accelerometerAxes = try #require(AxisMap(x: .x, y: .minusY, z: .minusZ))
    #expect(convention.specificForce(ofAccelerometer: Vector3(1, -2, -3)) == Vector3(1, 2, 3))
    #expect(convention.accelerometer(ofSpecificForce: Vector3(1, 2, 3)) == Vector3(1, -2, -3))
    #expect(convention.gyroscope(ofRate: Vector3(1, 2, 3)) == Vector3(2, -1, 3))
    // The axes of the quaternion affect neither.
    convention.body = try #require(AxisMap(x: .z, y: .x, z: .y))
    #expect(convention.gyroscope(ofRate: Vector3(1, 2, 3)) == Vector3(2, -1, 3))
    #expect(convention.accelerometer(ofSpecificForce: Vector3(1, 2, 3)) == Vector3(1, -2, -3))
  }

  /// The yaw of a level robot at heading 50, and the heading of a yaw of 35 degrees.
  @Test func headingsMatchTheVendors() throws {
    let table: [(convention: Convention, yawAt50: Double, headingAt35: Double)] = [
      (.sphero, -50, 325), (.spheroReadingA, -50, 325), (.spheroReadingB, -50, 325),
      (.spheroReadingC, -50, 325), (.spheroReadingD1, -50, 325), (.spheroReadingD2, -50, 325),
      (.spheroLater, -50, 325), (.boseWearable, 50, 35), (.coreMotion, -50, 325),
      (.coreMotionNorth, -140, 235), (.rosEastNorthUp, 40, 55), (.rosOdometry, -50, 325),
    ]
    let heading = Heading(degrees: 50)
    for (index, row) in table.enumerated() {
      let yaw = row.convention.yaw(of: heading).degrees
      #expect(abs(yaw - row.yawAt50) < 1e-12, "row \(index): \(yaw)")
      let back = try #require(row.convention.heading(ofYaw: .degrees(35))).degrees
      #expect(abs(back - row.headingAt35) < 1e-12, "row \(index): \(back)")
    }
  }

  private static let readings: [(name: String, convention: Convention)] = [
    ("A", .spheroReadingA), ("B", .spheroReadingB), ("C", .spheroReadingC), ("D1", .spheroReadingD1),
    ("D2", .spheroReadingD2),
  ]

  /// The words of simple poses.
  ///
  /// Half of 30 degrees: cosine .9659, sine .2588; half of 90 degrees: .7071 both.
  /// Nose up 30 degrees at heading 90: qz(-90) qx(30) = (.683, .183, -.183, -.683).
  @Test func readingsOfTheStreamedQuaternion() throws {
    let quarter = 0.707106781
    let poses: [(name: String, pose: Rotation?, words: [(Double, Double, Double, Double)])] = [
      (
        "heading 270", Rotation(w: quarter, x: 0, y: 0, z: quarter),
        [
          (quarter, 0, 0, -quarter), (quarter, 0, 0, quarter), (quarter, 0, 0, -quarter),
          (quarter, 0, 0, -quarter), (quarter, 0, 0, -quarter),
        ]
      ),
      (
        "nose up", Rotation(w: 0.965925826, x: 0.258819045, y: 0, z: 0),
        [
          (0.965925826, -0.258819045, 0, 0), (0.965925826, 0.258819045, 0, 0),
          (0.965925826, 0.258819045, 0, 0), (0.965925826, 0.258819045, 0, 0),
          (0.965925826, -0.258819045, 0, 0),
        ]
      ),
      (
        "right side down", Rotation(w: 0.965925826, x: 0, y: 0.258819045, z: 0),
        [
          (0.965925826, 0, -0.258819045, 0), (0.965925826, 0, 0.258819045, 0),
          (0.965925826, 0, 0.258819045, 0), (0.965925826, 0, -0.258819045, 0),
          (0.965925826, 0, 0.258819045, 0),
        ]
      ),
      (
        "nose up at heading 90", Rotation(w: 0.683012702, x: 0.183012702, y: -0.183012702, z: -0.683012702),
        [
          (0.683012702, -0.183012702, 0.183012702, 0.683012702),
          (0.683012702, 0.183012702, -0.183012702, -0.683012702),
          (0.683012702, 0.183012702, -0.183012702, 0.683012702),
          (0.683012702, 0.183012702, 0.183012702, 0.683012702),
          (0.683012702, -0.183012702, -0.183012702, 0.683012702),
        ]
      ),
    ]
    for (name, pose, words) in poses {
      let pose = try #require(pose)
      for (reading, row) in zip(Self.readings, words) {
        let own = reading.convention.words(of: pose)
        #expect(Self.same(own, row), "\(reading.name), \(name): \(own)")
        let back = try #require(reading.convention.attitude(of: QuaternionWords(row.0, row.1, row.2, row.3)))
        #expect(back.angle(to: pose).radians < 1e-8, "\(reading.name), \(name)")
      }
    }
    #expect(Convention.sphero == .spheroReadingC, "the most likely reading")
  }

  /// The frame recorded from an Ollie: words 9985, -539, 86, 0 with pitch -5, roll 1 and (+.018, +.109, +1.013) g.
  ///
  /// 2 (.9985)(-.0539) = -.1076 is the sine of -6.2 degrees, and atan2(2 (.9985)(.0086), .9941) is 1.0 degrees.
  @Test func recordedFrameOfAnOllie() throws {
    let table: [(pitch: Double, roll: Double, reading: (Double, Double, Double))] = [
      (6.2, -1.0, (0.017, 0.108, 0.994)), (-6.2, 1.0, (0.017, 0.108, 0.994)),
      (-6.2, 1.0, (0.017, 0.108, 0.994)), (-6.2, -1.0, (-0.017, 0.108, 0.994)),
      (6.2, 1.0, (-0.017, 0.108, 0.994)),
    ]
    let frame = QuaternionWords(9985, -539, 86, 0)
    for (reading, row) in zip(Self.readings, table) {
      let attitude = try #require(reading.convention.attitude(of: frame))
      let angles = reading.convention.pitchRollYaw(of: attitude)
      #expect(abs(angles.pitch.degrees - row.pitch) < 0.05, "\(reading.name): \(angles.pitch.degrees)")
      #expect(abs(angles.roll.degrees - row.roll) < 0.05, "\(reading.name): \(angles.roll.degrees)")
      let up = reading.convention.accelerometer(ofSpecificForce: attitude.specificForce())
      #expect(
        up.isApproximatelyEqual(to: Self.vector(row.reading), tolerance: 7e-4), "\(reading.name): \(up)")
    }
  }

  /// Pitch, roll and yaw of the words of C by the formulas for its axes.
  @Test func formulasOfTheMostLikelyReading() throws {
    for words in [
      QuaternionWords(0.9985, -0.0539, 0.0086, 0), QuaternionWords(0.5, 0.1, -0.7, 0.5),
      QuaternionWords(0.881120334, 0.301892368, 0.044296245, 0.361283543),
      QuaternionWords(-0.2, 0.3, 0.9, 0.2),
      QuaternionWords(0.1, 0.9, 0.2, -0.3),
    ] {
      let length =
        (words.q0 * words.q0 + words.q1 * words.q1 + words.q2 * words.q2 + words.q3 * words.q3).squareRoot()
      let (w, q1, q2, q3) = (words.q0 / length, words.q1 / length, words.q2 / length, words.q3 / length)
      let angles = Convention.sphero.pitchRollYaw(of: try #require(Convention.sphero.attitude(of: words)))
      let pitch = asin(2 * (w * q1 - q2 * q3))
      let roll = atan2(2 * (w * q2 + q1 * q3), 1 - 2 * (q1 * q1 + q2 * q2))
      let yaw = atan2(-2 * (w * q3 + q1 * q2), 1 - 2 * (q1 * q1 + q3 * q3))
      #expect(abs(angles.pitch.radians - pitch) < 1e-12, "\(words)")
      #expect(abs(angles.roll.radians - roll) < 1e-12, "\(words)")
      #expect(abs(angles.yaw.radians - yaw) < 1e-12, "\(words)")
    }
  }

  @Test func namesAreUnique() {
    #expect(Set(Convention.named.map(\.name)).count == 13 && Convention.named.count == 13)
    #expect(Set(Convention.named.map(\.convention)).count == 12, "the default is one of the readings")
    #expect(Convention.spheroReadingC.name == "sphero" && Convention.spheroReadingD2.name == "sphero-d2")
    var other = Convention.sphero
    other.gyroscopeAxes = .identity
    #expect(other.name == nil)
  }

  @Test func readingsOfASpheroAndReferences() {
    for (name, convention) in Convention.named {
      #expect(convention.isSpheroReading == name.hasPrefix("sphero"), "\(name)")
      let reference: AttitudeReference =
        switch name {
        case "bose-wearable", "core-motion-north": .magneticNorth
        case "ros-east-north-up": .trueNorth
        default: .arbitrary
        }
      #expect(convention.attitudeReference == reference, "\(name)")
    }
  }

  /// The same pose by the two named views: all three angles differ in sign or size.
  @Test func viewsOfTheAngles() throws {
    let pose = try pose()
    let (phone, glasses) = (pose.coreMotionAngles, pose.boseWearableAngles)
    #expect(abs(phone.pitch.degrees - 30) < 1e-6 && abs(phone.roll.degrees - 20) < 1e-6)
    #expect(abs(phone.yaw.degrees + 50) < 1e-6)
    // By hand: roll = -asin(cos 30 sin 20), pitch = atan2(sin 30, cos 30 cos 20); yaw is that of the table.
    #expect(abs(glasses.roll.degrees + 17.229397) < 1e-5, "\(glasses)")
    #expect(abs(glasses.pitch.degrees - 31.566704) < 1e-5, "\(glasses)")
    #expect(abs(glasses.yaw.degrees - 39.685895) < 1e-5)
    #expect(pose.pitchRollYaw == phone)
  }

  /// The pose by the properties of Bose's and Core Motion's names.
  @Test func namesOfTheVendors() throws {
    let pose = try pose()
    #expect(abs(pose.xRotation.degrees - 31.566703966) < 2e-7)
    #expect(abs(pose.yRotation.degrees - 17.229396563) < 2e-7)
    #expect(abs(pose.zRotation.degrees + 39.685895184) < 2e-7)
    // (w, x, y, z) (0, 1, 0, 0) = (-x, w, z, -y).
    let mapped = try #require(Rotation(w: -0.301892368, x: 0.881120334, y: -0.361283543, z: -0.044296245))
    #expect((pose * .boseMap).angle(to: mapped).radians < 1e-8)
    // Relative to a rotation of 90 degrees about x, a further one of 40 about the body's z is the latter.
    let start = try #require(Rotation(angle: .degrees(90), axis: Vector3(1, 0, 0)))
    let turn = try #require(Rotation(angle: .degrees(40), axis: Vector3(0, 0, 1)))
    #expect((start * turn).relative(to: start).angle(to: turn).radians < 1e-12)
  }
}
