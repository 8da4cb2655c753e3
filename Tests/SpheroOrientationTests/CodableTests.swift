// The stored forms of Docs/Storing.md, and the errors of invalid ones.
import Foundation
import SpheroOrientation
import TestSupport
import Testing

@Suite struct CodableTests {
  @Test func angles() throws {
    #expect(try isStored(Angle(radians: -0.25), as: #"{"radians":-0.25}"#))
    #expect(try isStored(try #require(Heading(degrees: 270.5)), as: #"{"degrees":270.5}"#))
    #expect(
      try isStored(
        PitchRollYaw(pitch: .radians(1), roll: .radians(2), yaw: .radians(3)),
        as: #"{"pitch":{"radians":1},"roll":{"radians":2},"yaw":{"radians":3}}"#))
    #expect(
      try isStored(
        EulerAngles(.radians(1), .radians(2), .radians(3), order: .extrinsic(.yxz)),
        as: #"{"first":{"radians":1},"order":"extrinsic yxz","second":{"radians":2},"third":{"radians":3}}"#))
    #expect(
      refusal(of: #"{"degrees":360}"#, as: Heading.self) == "a heading is 0..<360 degrees, not 360.0")
    #expect(refusal(of: #"{"degrees":-1}"#, as: Heading.self) == "a heading is 0..<360 degrees, not -1.0")
    #expect(
      refusal(of: #"["intrinsic zxz2"]"#, as: [EulerOrder].self)?.hasPrefix(
        "'intrinsic zxz2' is none of intrinsic xyz") == true)
  }

  @Test func vectorsAndRotations() throws {
    #expect(try isStored(Vector3(1, -2.5, 3), as: #"{"x":1,"y":-2.5,"z":3}"#))
    #expect(try isStored(Quaternion(w: 4, x: 1, y: 2, z: 3), as: #"{"w":4,"x":1,"y":2,"z":3}"#))
    let turn = try #require(Rotation(w: 0, x: 0.6, y: 0, z: -0.8))
    #expect(try isStored(turn, as: #"{"w":0,"x":0.6,"y":0,"z":-0.8}"#))
    // Rounded words are normalized; others are rejected.
    let rounded = try JSONDecoder().decode(
      Rotation.self, from: Data(#"{"w":0.6,"x":0.8001,"y":0,"z":0}"#.utf8))
    #expect(abs(rounded.quaternion.norm - 1) < 1e-15)
    #expect(
      refusal(of: #"{"w":2,"x":0,"y":0,"z":0}"#, as: Rotation.self)
        == "the quaternion of a rotation has length 1, not 2.0")
    #expect(
      refusal(of: #"{"w":0,"x":0,"y":0,"z":0}"#, as: Rotation.self)
        == "the quaternion of a rotation has length 1, not 0.0")
  }

  @Test func rotationsRoundTrip() throws {
    for index in 0..<200 {
      let angle = Double(index) * 0.1234567
      let rotation = try #require(
        Rotation(angle: .radians(angle), axis: Vector3(cos(angle), 0.3, sin(2 * angle))))
      let back = try JSONDecoder().decode(Rotation.self, from: JSONEncoder().encode(rotation))
      #expect(back.quaternion == rotation.quaternion)
    }
  }

  @Test func samples() throws {
    let sample = InertialSample(timestamp: 1.5, rotationRate: [0, 0, 2], acceleration: [0, 0, 1])
    let zero = #"{"x":0,"y":0,"z":0}"#
    let fields = #""rotationRate":{"x":0,"y":0,"z":2},"timestamp":1.5"#
    #expect(try isStored(sample, as: #"{"acceleration":{"x":0,"y":0,"z":1},"# + fields + "}"))
    var compass = sample
    compass.magneticField = .zero
    #expect(
      try isStored(
        compass, as: #"{"acceleration":{"x":0,"y":0,"z":1},"magneticField":"# + zero + "," + fields + "}"))
    #expect(
      try isStored(
        DeviceMotion(attitude: .identity, sample: sample),
        as: #"{"attitude":{"w":1,"x":0,"y":0,"z":0},"attitudeAccuracy":"unknown","#
          + #""attitudeReference":"arbitrary","rotationRate":{"x":0,"y":0,"z":2},"rotationRateBias":"#
          + zero + #","timestamp":1.5,"userAcceleration":"# + zero + "}"))
    let estimated = DeviceMotion(
      attitude: .identity, sample: sample, rotationRateBiasError: [1, 2, 3],
      attitudeReference: .magneticNorth,
      attitudeAccuracy: .estimated(AttitudeAccuracy(heading: .radians(2), tilt: .radians(1))))
    #expect(
      try isStored(
        estimated,
        as: #"{"attitude":{"w":1,"x":0,"y":0,"z":0},"attitudeAccuracy":{"heading":{"radians":2},"#
          + #""tilt":{"radians":1}},"attitudeReference":"magnetic north","rotationRate":{"x":0,"y":0,"z":2},"#
          + #""rotationRateBias":"# + zero + #","rotationRateBiasError":{"x":1,"y":2,"z":3},"timestamp":1.5,"#
          + #""userAcceleration":"# + zero + "}"))
    // Earlier versions stored neither reference nor accuracy.
    let earlier = try JSONDecoder().decode(
      DeviceMotion.self,
      from: Data(
        (#"{"attitude":{"w":1,"x":0,"y":0,"z":0},"rotationRate":{"x":0,"y":0,"z":2},"rotationRateBias":"#
          + zero + #","timestamp":1.5,"userAcceleration":"# + zero + "}").utf8))
    #expect(earlier == DeviceMotion(attitude: .identity, sample: sample))
    #expect(
      refusal(of: #"["good"]"#, as: [DeviceMotion.Accuracy].self)
        == "an accuracy is an object with heading and tilt, or 'unknown', not 'good'")
  }

  @Test func calibration() throws {
    let calibration = try #require(
      RestCalibration(meanRotationRate: [0.5, 0, 0], meanAcceleration: [0, 0, 1.25], sampleCount: 40))
    #expect(
      try isStored(
        calibration,
        as:
          #"{"accelerationOffset":{"x":0,"y":0,"z":0.25},"rotationRateOffset":{"x":0.5,"y":0,"z":0},"sampleCount":40}"#
      ))
    let none =
      #"{"accelerationOffset":{"x":0,"y":0,"z":0},"rotationRateOffset":{"x":0,"y":0,"z":0},"sampleCount":0}"#
    #expect(
      refusal(of: none, as: RestCalibration.self) == "a calibration has at least one reading, not 0")
  }

  @Test func magnetometerCalibration() throws {
    let text =
      #"{"coverage":0.75,"hardIron":{"x":1,"y":-2,"z":3},"residual":0.5,"sampleCount":60,"#
      + #""softIron":{"xx":2,"xy":0,"xz":0,"yy":0.5,"yz":0,"zz":1},"strength":48}"#
    let calibration = MagnetometerCalibration(
      hardIron: [1, -2, 3],
      softIron: MagnetometerCalibration.SymmetricMatrix(xx: 2, yy: 0.5, zz: 1, xy: 0, xz: 0, yz: 0),
      strength: 48, residual: 0.5, coverage: 0.75, sampleCount: 60)
    #expect(try isStored(calibration, as: text))
    #expect(calibration([2, 0, 3]) == [2, 1, 0])
    #expect(
      refusal(of: text.replacing("48", with: "0"), as: MagnetometerCalibration.self)
        == "the strength of a magnetic field is positive, not 0.0")
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    for (number, other) in [("0.75", #""nan""#), (#""residual":0.5"#, #""residual":"inf""#)] {
      #expect(throws: DecodingError.self, "\(other)") {
        try decoder.decode(MagnetometerCalibration.self, from: Data(text.replacing(number, with: other).utf8))
      }
    }
  }

  @Test func conventions() throws {
    #expect(
      try isStored(
        try #require(AxisMap(x: .y, y: .minusX, z: .z)), as: #"{"x":"y","y":"-x","z":"z"}"#))
    #expect(
      refusal(of: #"{"x":"y","y":"x","z":"z"}"#, as: AxisMap.self)
        == "the axes y, x, z are not right-handed")
    #expect(
      refusal(of: #"{"x":"y","y":"w","z":"z"}"#, as: AxisMap.self) == "'w' is none of x, -x, y, -y, z, -z")
    #expect(try isStored(QuaternionWords(9985, -539, 86, 0), as: "[9985,-539,86,0]"))
    #expect(refusal(of: "[1,2,3]", as: QuaternionWords.self) == "a quaternion has 4 words, not 3")
    #expect(
      try isStored(
        QuaternionLayout(.scalarLast, .referenceToBody),
        as: #"{"direction":"reference to body","order":"scalar last"}"#))
    #expect(
      try json([AccelerometerSign.specificForce, .minusSpecificForce])
        == #"["specific force","minus specific force"]"#)
    #expect(
      try isStored(
        try #require(AngleConvention(pitch: .minusX, roll: .y, yaw: .minusZ, order: .intrinsic(.zxy))),
        as: #"{"order":"intrinsic zxy","pitch":"-x","pitchOffset":{"radians":0},"roll":"y","yaw":"-z"}"#))
    #expect(
      refusal(
        of: #"{"order":"intrinsic zxz","pitch":"x","pitchOffset":{"radians":0},"roll":"y","yaw":"z"}"#,
        as: AngleConvention.self)
        == "pitch, roll and yaw turn about three different axes, in an order of three, with a finite offset")
  }

  @Test(arguments: [
    Convention.sphero, .spheroReadingB, .spheroReadingD2, .spheroLater, .boseWearable, .coreMotion,
    .coreMotionNorth, .rosEastNorthUp,
    .rosOdometry,
  ])
  func conventionsRoundTrip(convention: Convention) throws {
    let text = try json(convention)
    #expect(try JSONDecoder().decode(Convention.self, from: Data(text.utf8)) == convention)
    let names = ["layout", "body", "reference", "angles", "accelerometer"]
    #expect(names.allSatisfy { text.contains("\"\($0)\":") })
  }
}
