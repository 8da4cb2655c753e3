// The reference and the accuracy of attitudes: with and without a magnetometer, and as values of device motion.

import SpheroOrientation
import TestSupport
import Testing

@Suite(.ownThread) struct AttitudeReferenceTests {
  /// A level body at rest that looks east by its magnetometer, if it has one.
  private func reading(at time: Double, hasMagnetometer: Bool) -> InertialSample {
    InertialSample(
      timestamp: time, rotationRate: .zero, acceleration: [0, 0, 1],
      magneticField: hasMagnetometer ? [-20, 0, -40] : nil)
  }

  @Test func withoutMagnetometerTheReferenceIsArbitrary() throws {
    var estimator = MotionEstimator()
    let first = try #require(estimator(reading(at: 0, hasMagnetometer: false)))
    #expect(first.attitudeReference == .arbitrary && estimator.attitudeReference == .arbitrary)
    #expect(first.attitudeAccuracy == .estimated(estimator.accuracy))
    // A heading that the program knows has the reference that it states.
    estimator.setHeading(Heading(degrees: 90), accuracy: .degrees(4), relativeTo: .trueNorth)
    #expect(estimator.motion?.attitudeReference == .trueNorth)
    let accuracy = try #require(estimator.motion?.attitudeAccuracy.estimate)
    #expect(abs(accuracy.heading.degrees - 4) < 1e-9)
    estimator.setHeading(.ahead)
    #expect(estimator.motion?.attitudeReference == .arbitrary)
    estimator.setHeading(.ahead, relativeTo: .trueNorth)
    estimator.setAttitude(.identity)
    #expect(estimator.motion?.attitudeReference == .arbitrary)
    estimator.reset()
    #expect(estimator.attitudeReference == .arbitrary)
  }

  /// The reading does not change, so another attitude divides it differently between gravity and acceleration.
  @Test func aNewAttitudeKeepsTheSpecificForce() throws {
    var estimator = MotionEstimator()
    let before = try #require(estimator(reading(at: 0, hasMagnetometer: false))).specificForce
    estimator.setAttitude(try #require(Rotation(angle: .degrees(90), axis: [1, 0, 0])))
    let motion = try #require(estimator.motion)
    #expect((motion.specificForce - before).length < 1e-12 && motion.userAcceleration.length > 1)
  }

  @Test func aMagnetometerRefersToMagneticNorth() throws {
    var estimator = MotionEstimator()
    _ = estimator(reading(at: 0, hasMagnetometer: false))
    let motion = try #require(estimator(reading(at: 0.01, hasMagnetometer: true)))
    #expect(motion.attitudeReference == .magneticNorth)
    #expect(abs(motion.heading.degrees - 90) < 0.01, "\(motion.heading)")
    estimator.setHeading(.ahead)
    #expect(
      estimator.attitudeReference == .magneticNorth, "the magnetometer continues to correct the heading")
  }

  @Test func declinationConvertsToTrueNorth() throws {
    let east = Heading(degrees: 90)
    let attitude = try #require(Rotation(angle: east.yaw, axis: [0, 0, 1]))
    var motion = DeviceMotion(attitude: attitude, sample: reading(at: 0, hasMagnetometer: false))
    #expect(motion.relativeToTrueNorth(declination: .degrees(10)) == nil, "no north is known")
    motion.attitudeReference = .magneticNorth
    let converted = try #require(motion.relativeToTrueNorth(declination: .degrees(10)))
    #expect(converted.attitudeReference == .trueNorth && abs(converted.heading.degrees - 100) < 1e-9)
    let heading = try #require(east.trueHeading(declination: .degrees(10)))
    #expect(abs(converted.heading.degrees - heading.degrees) < 1e-9)
    #expect(motion.relativeToTrueNorth(declination: .radians(.nan)) == nil)
  }

  @Test func aReportStatesTheMissingReference() {
    var motion = DeviceMotion(attitude: .identity, sample: reading(at: 0, hasMagnetometer: false))
    #expect(Convention.boseWearable.motion(motion).missingReference == .magneticNorth)
    #expect(Convention.rosEastNorthUp.motion(motion).missingReference == .trueNorth)
    #expect(Convention.boseWearableGame.motion(motion).missingReference == nil)
    motion.attitudeReference = .magneticNorth
    #expect(Convention.boseWearable.motion(motion).missingReference == nil)
  }

  @Test func anUnknownAccuracyIsAValue() {
    let motion = DeviceMotion(attitude: .identity, sample: reading(at: 0, hasMagnetometer: false))
    #expect(motion.attitudeAccuracy == .unknown && motion.attitudeAccuracy.estimate == nil)
    #expect(motion.attitudeAccuracy.description == "unknown")
    let known = DeviceMotion.Accuracy.estimated(AttitudeAccuracy(heading: .degrees(5), tilt: .degrees(0.5)))
    #expect(known.description == "heading ±5°, tilt ±0.5°")
    #expect(AttitudeReference.allCases.map(\.description) == ["arbitrary", "magnetic north", "true north"])
  }

  @Test func theBiasOfAReportHasTheAxesOfTheConvention() {
    let motion = DeviceMotion(
      attitude: .identity, sample: reading(at: 0, hasMagnetometer: false), rotationRateBias: [1, 2, 3],
      rotationRateBiasError: [4, 5, 6])
    let report = Convention.rosEastNorthUp.motion(motion)
    // Forward, left, up.
    #expect(report.rotationRateBias == Vector3(2, -1, 3))
    #expect(report.rotationRateBiasError == Vector3(5, 4, 6))
    #expect(
      Convention.coreMotion.motion(
        DeviceMotion(
          attitude: .identity, sample: reading(at: 0, hasMagnetometer: false))
      ).rotationRateBiasError == nil)
  }
}
