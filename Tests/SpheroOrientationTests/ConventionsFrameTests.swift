// Conventions against constructed poses, against each other, and by the probe.
import TestSupport
import Testing

@testable import SpheroOrientation

private let named: [Convention] = Convention.named.map(\.convention)

/// An attitude as a heading followed by a rotation of the body.
private func attitude(heading: Double, pitch: Double = 0, roll: Double = 0) throws -> Rotation {
  try #require(
    Rotation(
      eulerAngles: EulerAngles(
        .degrees(-heading), .degrees(pitch), .degrees(roll), order: .intrinsic(.zxy))))
}

@Suite(.ownThread) struct ConventionsFrameTests {
  @Test func theFirstRobotsSayNoseUpAndRightSideDown() throws {
    let noseUp = try attitude(heading: 0, pitch: 30)
    #expect(noseUp.act(on: Axis.y.vector).z > 0.49)
    #expect(abs(Convention.sphero.pitchRollYaw(of: noseUp).pitch.degrees - 30) < 1e-12)
    let rightDown = try attitude(heading: 0, roll: 30)
    #expect(rightDown.act(on: Axis.x.vector).z < -0.49)
    #expect(abs(Convention.sphero.pitchRollYaw(of: rightDown).roll.degrees - 30) < 1e-12)
    // A frame recorded from an upright, nearly level Ollie, with the accelerometer in g.
    let frame = QuaternionWords(9985, -539, 86, 0)
    let recorded = try #require(Convention.sphero.attitude(of: frame))
    let felt = Convention.sphero.specificForce(ofAccelerometer: Vector3(0.018, 0.109, 1.01))
    #expect(recorded.specificForce().isApproximatelyEqual(to: felt, tolerance: 0.02))
  }

  @Test(arguments: [
    (0.0, 0.0, 0.0, [0.0, 1, 0, 0]), (0, 30, 0, [-0.258819, 0.965926, 0, 0]),
    (0, 0, -30, [0, 0.965926, 0, 0.258819]), (30, 0, 0, [0, 0.965926, -0.258819, 0]),
  ])
  func headPosesOfBose(heading: Double, pitch: Double, roll: Double, wxyz: [Double]) throws {
    let head = try attitude(heading: heading, pitch: pitch, roll: roll)
    let raw = Convention.boseWearable.rotation(of: head)
    #expect(raw.angle(to: try #require(Rotation(Quaternion(wxyz: wxyz)))).radians < 2e-6)
    let angles = Convention.boseWearable.pitchRollYaw(of: head)
    // Roll is positive to the right, in Bose's convention to the left.
    #expect(abs(angles.pitch.degrees - pitch) < 1e-12)
    #expect(abs(angles.roll.degrees + roll) < 1e-12)
    #expect(abs(angles.yaw.degrees - heading) < 1e-12)
    let flat = Convention.boseWearable.accelerometer(ofSpecificForce: Rotation.identity.specificForce())
    #expect(flat == Vector3(0, 0, -1))
  }

  @Test func coreMotionFacesWestAtYawZero() throws {
    for (heading, yaw) in [(270.0, 0.0), (0, -90), (90, 180), (180, 90)] {
      let phone = try attitude(heading: heading)
      let angles = Convention.coreMotionNorth.pitchRollYaw(of: phone)
      #expect(angles.yaw.isApproximatelyEqual(to: .degrees(yaw)))
      let back = try #require(Convention.coreMotionNorth.heading(ofYaw: angles.yaw))
      #expect(abs(back.turn(to: try #require(Heading(degrees: heading))).degrees) < 1e-9)
    }
    let flat = Convention.coreMotion.accelerometer(ofSpecificForce: Rotation.identity.specificForce())
    #expect(flat == Vector3(0, 0, -1))
  }

  @Test func aRecordedPhoneMatrixIsTheTransposeOfTheTextbookOne() throws {
    // The matrix that a device reported, from composable-core-motion issue 2.
    let printed = RotationMatrix(
      rows: Vector3(-0.19691, 0.97991, -0.03174), Vector3(-0.73886, -0.12704, 0.66177),
      Vector3(0.64444, 0.15376, 0.74903))
    let phone = try #require(Rotation(passiveMatrix: printed))
    #expect(phone.passiveMatrix.row2.isApproximatelyEqual(to: printed.row2, tolerance: 2e-5))
    // Gravity by Core Motion is minus the third column.
    let gravity = -Vector3(printed.row1.z, printed.row2.z, printed.row3.z)
    #expect(phone.gravity.isApproximatelyEqual(to: gravity, tolerance: 2e-5))
  }

  @Test func rosTurnsTheBodyAndSometimesTheWorld() throws {
    let ball = try attitude(heading: 20, pitch: 10, roll: 5)
    let q = ball.quaternion
    // If world and body have the same new axes, the vector part transforms like a vector.
    let odometry = try #require(Rotation(w: q.w, x: q.y, y: -q.x, z: q.z))
    #expect(Convention.rosOdometry.rotation(of: ball).angle(to: odometry).radians < 1e-15)
    let north = Convention.rosEastNorthUp.pitchRollYaw(of: .identity)
    #expect(north.yaw.isApproximatelyEqual(to: .degrees(90)))
    let angles = Convention.rosOdometry.pitchRollYaw(of: try attitude(heading: 0, pitch: 30))
    #expect(angles.pitch.isApproximatelyEqual(to: .degrees(-30)))
    #expect(
      Convention.rosOdometry.convert(bodyVector: Vector3(1, 2, 3), to: .spheroReadingA) == Vector3(-2, 1, 3))
    #expect(
      Convention.spheroReadingA.convert(bodyVector: Vector3(1, 2, 3), to: .rosOdometry) == Vector3(2, -1, 3))
  }

  @Test func anyConventionConvertsToAnyOther() throws {
    let seed: UInt64 = 30
    var random = SeededGenerator(seed: seed)
    for from in named {
      for to in named {
        let attitude = random.rotation()
        let words = from.words(of: attitude)
        let other = try #require(from.convert(words, to: to), "seed \(seed)")
        let back = try #require(to.convert(other, to: from).flatMap(from.attitude(of:)), "seed \(seed)")
        #expect(back.angle(to: attitude).radians < 1e-14, "seed \(seed)")
        let angles = try #require(from.convert(from.pitchRollYaw(of: attitude), to: to), "seed \(seed)")
        let fromAngles = try #require(to.attitude(of: angles), "seed \(seed)")
        #expect(fromAngles.angle(to: attitude).radians < 2e-14, "seed \(seed)")
        let force = attitude.specificForce(acceleration: random.vector())
        #expect(to.specificForce(ofAccelerometer: to.accelerometer(ofSpecificForce: force)) == force)
      }
      let heading = Heading(degrees: 77)
      let again = try #require(from.heading(ofYaw: from.yaw(of: heading)))
      #expect(abs(heading.turn(to: again).degrees) < 1e-12)
      // A level body at that heading has that yaw.
      let level = from.pitchRollYaw(of: try attitude(heading: 77))
      #expect(level.yaw.isApproximatelyEqual(to: from.yaw(of: heading)))
    }
  }

  @Test func lockCarriesThePreviousAngleOn() throws {
    let previous = PitchRollYaw(pitch: .degrees(89), roll: .degrees(25), yaw: .degrees(-40))
    let locked = try #require(
      Convention.sphero.attitude(
        of: PitchRollYaw(pitch: .degrees(90), roll: .degrees(25), yaw: .degrees(-40))))
    let carried = Convention.sphero.pitchRollYaw(of: locked, previous: previous)
    #expect(carried.roll.isApproximatelyEqual(to: .degrees(25)))
    #expect(carried.yaw.isApproximatelyEqual(to: .degrees(-40)))
    #expect(Convention.sphero.pitchRollYaw(of: locked).roll.isApproximatelyEqual(to: .zero))
    let bose = Convention.boseWearable
    let nose = try #require(
      bose.attitude(of: PitchRollYaw(pitch: .degrees(20), roll: .degrees(-90), yaw: .degrees(70))))
    let held = bose.pitchRollYaw(
      of: nose, previous: PitchRollYaw(pitch: .degrees(20), roll: .degrees(-89), yaw: .degrees(70)))
    #expect(held.pitch.isApproximatelyEqual(to: .degrees(20)))
    #expect(held.yaw.isApproximatelyEqual(to: .degrees(70)))
  }

  @Test func anglesThatCannotFitAreRejected() {
    #expect(AngleConvention(pitch: .x, roll: .minusX, yaw: .z, order: .intrinsic(.zxy)) == nil)
    #expect(AngleConvention(pitch: .x, roll: .y, yaw: .z, order: .intrinsic(.zxz)) == nil)
    #expect(
      AngleConvention(pitch: .x, roll: .y, yaw: .z, order: .intrinsic(.zxy), pitchOffset: .degrees(.nan))
        == nil)
    #expect(AngleConvention(pitch: .x, roll: .y, yaw: .z, order: .extrinsic(.yxz)) != nil)
  }
}
