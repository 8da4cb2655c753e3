// The conventions of Sphero, Bose Wearable, Core Motion and ROS, by name.

extension Convention {
  /// The first Sphero robots: Sphero, Sphero 2.0, Ollie, BB-8, SPRK.
  ///
  /// Pitch is the middle angle: R = Rz(yaw) Rx(pitch) Ry(roll).
  /// Pitch -90...90, nose up positive; roll -180...180, right side down positive;
  /// yaw counter-clockwise (Sphero API 1.50 for pitch and roll; the sign of yaw is the SDK picture's).
  ///
  /// The layout is disputed among sources, and a single recorded Ollie frame decides it here:
  /// scalar first, reference to body.
  /// ``ConventionProbe`` finds what a given robot does.
  public static let sphero = Convention(
    layout: QuaternionLayout(.scalarFirst, .referenceToBody),
    angles: AngleConvention(checked: .x, roll: .y, yaw: .z, order: .intrinsic(.zxy)))

  /// Later Sphero robots: Mini, BOLT, RVR, and the Edu app.
  ///
  /// Roll is the middle angle: R = Rz(yaw) Ry(roll) Rx(pitch).
  /// Roll -90...90, pitch and yaw -180...180, all right-handed (RVR SDK ranges).
  public static let spheroLater = Convention(
    layout: QuaternionLayout(.scalarFirst, .bodyToReference),
    angles: AngleConvention(checked: .x, roll: .y, yaw: .z, order: .intrinsic(.zyx)))

  /// Bose Wearable devices: body x right, y back, z down; reference east, north, up.
  ///
  /// Pitch up, roll toward the left shoulder and yaw to the right are positive:
  /// pitch = xRotation + pi, roll = -yRotation, yaw = -zRotation, of the raw quaternion.
  /// The SDK's sensor page prints `roll = qResult.yRotation`; the minus is missing there.
  public static let boseWearable = Convention(
    layout: QuaternionLayout(.scalarLast, .bodyToReference),
    body: AxisMap(rightHanded: .x, .minusY, .minusZ),
    angles: AngleConvention(
      checked: .x, roll: .minusY, yaw: .minusZ, order: .intrinsic(.zyx), pitchOffset: Angle(radians: .pi)))

  /// Core Motion with a reference that knows no north (`xArbitraryZVertical` and the corrected one).
  ///
  /// Body x right, y to the top edge, z out of the screen; R = Rz(yaw) Rx(pitch) Ry(roll).
  /// Pitch is within a right angle.
  /// Its `rotationMatrix` is ``Rotation/passiveMatrix``, and its accelerometer has the opposite sign.
  public static let coreMotion = Convention(
    layout: QuaternionLayout(.scalarLast, .bodyToReference),
    angles: AngleConvention(checked: .x, roll: .y, yaw: .z, order: .intrinsic(.zxy)),
    accelerometer: .minusSpecificForce)

  /// Core Motion with the x axis of the reference to the north (`xMagneticNorthZVertical`, `xTrueNorthZVertical`).
  ///
  /// The device's x axis points north at yaw 0, so the top edge then points west: heading = 270 degrees - yaw.
  public static let coreMotionNorth = Convention(
    layout: coreMotion.layout,
    reference: AxisMap(rightHanded: .y, .minusX, .z),
    angles: coreMotion.angles,
    accelerometer: .minusSpecificForce)

  /// ROS (REP-103) in a world of x east, y north, z up; body x forward, y left, z up.
  ///
  /// R = Rz(yaw) Ry(pitch) Rx(roll): pitch is positive nose down, roll right side down, yaw is 0 toward the east.
  public static let rosEastNorthUp = Convention(
    layout: QuaternionLayout(.scalarLast, .bodyToReference),
    body: AxisMap(rightHanded: .y, .minusX, .z),
    angles: AngleConvention(checked: .y, roll: .x, yaw: .z, order: .intrinsic(.zyx)))

  /// ROS (REP-103) in an odometry frame: x along heading 0, y to the left, z up; body likewise.
  public static let rosOdometry = Convention(
    layout: rosEastNorthUp.layout,
    body: rosEastNorthUp.body,
    reference: AxisMap(rightHanded: .y, .minusX, .z),
    angles: rosEastNorthUp.angles)
}

extension Rotation {
  /// The rotation about x of Bose Wearable's `Quaternion`, in (-pi, pi]: the third angle of intrinsic z-y-x.
  public var xRotation: Angle { eulerAngles(order: .intrinsic(.zyx)).third }

  /// The rotation about y of Bose Wearable's `Quaternion`, in [-pi/2, pi/2]: the middle angle of intrinsic z-y-x.
  public var yRotation: Angle { eulerAngles(order: .intrinsic(.zyx)).second }

  /// The rotation about z of Bose Wearable's `Quaternion`, in (-pi, pi]: the first angle of intrinsic z-y-x.
  public var zRotation: Angle { eulerAngles(order: .intrinsic(.zyx)).first }

  /// A half turn about x: `attitude * .boseMap` has body axes right, front, up, as the Bose SDK's example maps it.
  public static let boseMap = Rotation(unit: Quaternion(ix: 1, iy: 0, iz: 0, r: 0))

  /// The turn since an earlier attitude, in that attitude's body coordinates: start^-1 self.
  ///
  /// This is Core Motion's `multiply(byInverseOf:)`.
  public func relative(to start: Rotation) -> Rotation { start.inverse * self }
}
