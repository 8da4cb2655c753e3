// The named conventions: Sphero, Bose Wearable, Core Motion and ROS.

extension Convention {
  /// The first Sphero robots, Sphero, Sphero 2.0, Ollie, BB-8 and SPRK, by the most likely reading:
  /// ``spheroReadingC``.
  ///
  /// It is the default of every function that has a convention parameter.
  /// A reading is a possible meaning of the quaternion words, about which the sources disagree. No recording
  /// excludes any of ``spheroReadingA`` to ``spheroReadingD2`` with certainty; ``ConventionProbe`` identifies the reading of a robot.
  ///
  /// The streamed angles are the same in all readings, in degrees.
  /// Pitch is the middle angle: R = Rz(yaw) Rx(pitch) Ry(roll).
  /// Pitch -90...90, nose up positive; roll -180...180, right side down positive (Sphero API 1.50);
  /// yaw counter-clockwise (recordings of a Sphero 2.0).
  public static let sphero = spheroReadingC

  /// The body axes right, ahead, up of this package: quantities are not converted.
  package static let bodyAxes = spheroReadingA

  /// Reading A: the quaternion converts reference to body coordinates; all axes are right, ahead, up.
  /// The attitude is (w, -q1, -q2, -q3) of the words w, q1, q2, q3.
  public static let spheroReadingA = Convention(.referenceToBody, frame: .identity, sensors: .identity)

  /// Reading B: the quaternion converts body to reference coordinates on axes right, ahead, up; the sensor axes are
  /// left, back, up. The attitude is (w, q1, q2, q3) of the words w, q1, q2, q3.
  public static let spheroReadingB = Convention(.bodyToReference, frame: .identity, sensors: .leftBackUp)

  /// Reading C: the quaternion converts reference to body coordinates; the axes of body, reference and sensors are
  /// left, back, up. The attitude is (w, q1, q2, -q3) of the words w, q1, q2, q3.
  public static let spheroReadingC = Convention(.referenceToBody, frame: .leftBackUp, sensors: .leftBackUp)

  /// Reading D with x to the right: the quaternion converts body to reference coordinates on axes right, back, down.
  ///
  /// The attitude is (w, q1, -q2, -q3) of the words w, q1, q2, q3.
  /// Of the right-handed sensor axes with z up, only these agree within 2 degrees with the recorded sample of an Ollie.
  public static let spheroReadingD1 = Convention(
    .bodyToReference, frame: AxisMap(rightHanded: .x, .minusY, .minusZ), sensors: .leftBackUp)

  /// Reading D with x to the left: the quaternion converts body to reference coordinates on axes left, ahead, down.
  ///
  /// The attitude is (w, -q1, q2, -q3) of the words w, q1, q2, q3; for the sensor axes see ``spheroReadingD1``.
  public static let spheroReadingD2 = Convention(
    .bodyToReference, frame: AxisMap(rightHanded: .minusX, .y, .minusZ), sensors: .identity)

  /// Creates a reading of the first Sphero robots: scalar first, and one frame for body and reference.
  private init(_ direction: QuaternionLayout.Direction, frame: AxisMap, sensors: AxisMap) {
    let angles = AngleConvention(checked: .x, roll: .y, yaw: .z, order: .intrinsic(.zxy))
    self.init(
      layout: QuaternionLayout(.scalarFirst, direction), body: frame, reference: frame,
      angles: angles.renamed(by: frame), accelerometerAxes: sensors)
  }

  /// Later Sphero robots: Mini, BOLT, RVR, and the Edu app.
  ///
  /// Roll is the middle angle: R = Rz(yaw) Ry(roll) Rx(pitch).
  /// Roll is -90...90, pitch and yaw are -180...180 degrees, all right-handed (ranges of the RVR SDK).
  public static let spheroLater = Convention(
    layout: QuaternionLayout(.scalarFirst, .bodyToReference),
    angles: AngleConvention(checked: .x, roll: .y, yaw: .z, order: .intrinsic(.zyx)))

  /// Bose Wearable devices by their rotation sensor: body x right, y back, z down; reference x magnetic east,
  /// y north, z up.
  ///
  /// Pitch up, roll toward the left shoulder and yaw to the right are positive:
  /// pitch = xRotation + pi, roll = -yRotation, yaw = -zRotation, of the raw quaternion.
  /// The SDK's sensor page prints `roll = qResult.yRotation`; the minus is missing there.
  public static let boseWearable = Convention(
    layout: QuaternionLayout(.scalarLast, .bodyToReference),
    body: AxisMap(rightHanded: .x, .minusY, .minusZ),
    angles: AngleConvention(
      checked: .x, roll: .minusY, yaw: .minusZ, order: .intrinsic(.zyx), pitchOffset: Angle(radians: .pi)),
    attitudeReference: .magneticNorth)

  /// Bose Wearable devices by their game rotation sensor: ``boseWearable`` without a relation to north.
  public static let boseWearableGame = Convention(
    layout: boseWearable.layout, body: boseWearable.body, angles: boseWearable.angles)

  /// Core Motion with an arbitrary reference heading (`xArbitraryZVertical`, `xArbitraryCorrectedZVertical`).
  ///
  /// Body x right, y to the top edge, z out of the screen; R = Rz(yaw) Rx(pitch) Ry(roll).
  /// Pitch is in -90...90 degrees.
  /// The `rotationMatrix` of Core Motion is ``Rotation/passiveMatrix``, and its accelerometer measures minus
  /// the specific force.
  public static let coreMotion = Convention(
    layout: QuaternionLayout(.scalarLast, .bodyToReference),
    angles: AngleConvention(checked: .x, roll: .y, yaw: .z, order: .intrinsic(.zxy)),
    accelerometer: .minusSpecificForce)

  /// Core Motion with the x axis of the reference pointing north (`xMagneticNorthZVertical`, `xTrueNorthZVertical`).
  ///
  /// At yaw 0 the device's x axis points north and its top edge west: heading = 270 degrees - yaw.
  /// ``attitudeReference`` is magnetic north; for `xTrueNorthZVertical`, set it to true north.
  public static let coreMotionNorth = Convention(
    layout: coreMotion.layout,
    reference: AxisMap(rightHanded: .y, .minusX, .z),
    angles: coreMotion.angles,
    accelerometer: .minusSpecificForce,
    attitudeReference: .magneticNorth)

  /// ROS (REP-103) in a world of x east, y north, z up; body x forward, y left, z up.
  ///
  /// R = Rz(yaw) Ry(pitch) Rx(roll): pitch is positive nose down, roll right side down, yaw is 0 toward the east.
  public static let rosEastNorthUp = Convention(
    layout: QuaternionLayout(.scalarLast, .bodyToReference),
    body: AxisMap(rightHanded: .y, .minusX, .z),
    angles: AngleConvention(checked: .y, roll: .x, yaw: .z, order: .intrinsic(.zyx)),
    attitudeReference: .trueNorth)

  /// ROS (REP-103) in an odometry frame: x along heading 0, y to the left, z up; body x forward, y left, z up.
  public static let rosOdometry = Convention(
    layout: rosEastNorthUp.layout,
    body: rosEastNorthUp.body,
    reference: AxisMap(rightHanded: .y, .minusX, .z),
    angles: rosEastNorthUp.angles)

  /// The names of the possible meanings of a Sphero's quaternion words; ``sphero`` is the first.
  public static let spheroReadings: [(name: String, convention: Convention)] = [
    ("sphero", .sphero), ("sphero-a", .spheroReadingA), ("sphero-b", .spheroReadingB),
    ("sphero-c", .spheroReadingC), ("sphero-d1", .spheroReadingD1), ("sphero-d2", .spheroReadingD2),
    ("sphero-later", .spheroLater),
  ]

  /// The named conventions: ``spheroReadings``, and those of other devices and libraries.
  public static let named: [(name: String, convention: Convention)] =
    spheroReadings + [
      ("bose-wearable", .boseWearable), ("bose-wearable-game", .boseWearableGame),
      ("core-motion", .coreMotion), ("core-motion-north", .coreMotionNorth),
      ("ros-east-north-up", .rosEastNorthUp), ("ros-odometry", .rosOdometry),
    ]

  /// Whether the quaternion words of a Sphero can have this convention; others are for output only.
  public var isSpheroReading: Bool { Self.spheroReadings.contains { $0.convention == self } }

  /// The first name of this convention; nil if it has none.
  public var name: String? { Self.named.first { $0.convention == self }?.name }
}

extension AxisMap {
  /// x to the left, y back, z up: half a turn about the vertical.
  static let leftBackUp = AxisMap(rightHanded: .minusX, .minusY, .z)
}

extension Rotation {
  /// The rotation about x of Bose Wearable's `Quaternion`, in (-pi, pi]: the third angle of intrinsic z-y-x.
  public var xRotation: Angle { eulerAngles(order: .intrinsic(.zyx)).third }

  /// The rotation about y of Bose Wearable's `Quaternion`, in [-pi/2, pi/2]: the middle angle of intrinsic z-y-x.
  public var yRotation: Angle { eulerAngles(order: .intrinsic(.zyx)).second }

  /// The rotation about z of Bose Wearable's `Quaternion`, in (-pi, pi]: the first angle of intrinsic z-y-x.
  public var zRotation: Angle { eulerAngles(order: .intrinsic(.zyx)).first }

  /// A half turn about x: for the rotation `r` of Bose's quaternion, `r * .boseMap` has body axes right, front, up, as in the
  /// example of the Bose SDK.
  public static let boseMap = Rotation(unit: Quaternion(w: 0, x: 1, y: 0, z: 0))

  /// Returns the rotation since an earlier attitude, in that attitude's body coordinates: start^-1 self.
  ///
  /// This is Core Motion's `multiply(byInverseOf:)`.
  public func relative(to start: Rotation) -> Rotation { start.inverse * self }
}
