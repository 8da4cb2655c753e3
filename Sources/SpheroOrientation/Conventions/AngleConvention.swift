// The meaning of pitch, roll and yaw in a convention.

/// Pitch, roll and yaw as a source reports them; a ``Convention`` defines their meaning.
public struct PitchRollYaw: Hashable, Sendable {
  /// The rotation that raises or lowers the nose.
  public var pitch: Angle
  /// The rotation that raises or lowers one side.
  public var roll: Angle
  /// The rotation about the vertical.
  public var yaw: Angle

  public init(pitch: Angle, roll: Angle, yaw: Angle) {
    self.pitch = pitch
    self.roll = roll
    self.yaw = yaw
  }
}

/// The Euler angles that pitch, roll and yaw are, and their signs.
///
/// A reported angle is sign * (Euler angle about its axis), plus an offset for pitch, wrapped to (-pi, pi].
/// The axes are those of the source's own frame.
public struct AngleConvention: Hashable, Sendable {
  /// The axis about which pitch is right-handed.
  public let pitch: SignedAxis
  /// The axis about which roll is right-handed.
  public let roll: SignedAxis
  /// The axis about which yaw is right-handed.
  public let yaw: SignedAxis
  /// The order of the rotations; the middle angle has half the range.
  public let order: EulerOrder
  /// The offset of the pitch: half a turn if the source's z axis points down and its angles do not.
  public let pitchOffset: Angle

  /// Creates an angle convention; nil unless the axes differ, the sequence is Tait-Bryan and the offset is finite.
  public init?(
    pitch: SignedAxis, roll: SignedAxis, yaw: SignedAxis, order: EulerOrder, pitchOffset: Angle = .zero
  ) {
    let isComplete = Set([pitch.axis, roll.axis, yaw.axis]).count == 3
    guard isComplete, order.sequence.isTaitBryan, pitchOffset.isFinite else { return nil }
    self.init(checked: pitch, roll: roll, yaw: yaw, order: order, pitchOffset: pitchOffset)
  }

  /// Creates an angle convention from parts that are not checked.
  init(
    checked pitch: SignedAxis, roll: SignedAxis, yaw: SignedAxis, order: EulerOrder,
    pitchOffset: Angle = .zero
  ) {
    self.pitch = pitch
    self.roll = roll
    self.yaw = yaw
    self.order = order
    self.pitchOffset = pitchOffset
  }

  /// Returns the rotation of three angles in the source's own frames; nil if an angle is not finite.
  public func rotation(of angles: PitchRollYaw) -> Rotation? {
    let axes = order.sequence.axes
    return Rotation(
      eulerAngles: EulerAngles(
        eulerAngle(about: axes.first, of: angles), eulerAngle(about: axes.second, of: angles),
        eulerAngle(about: axes.third, of: angles), order: order))
  }

  /// Returns the angles of a rotation in the source's own frames.
  ///
  /// - Parameters:
  ///   - rotation: The rotation from the source's body frame to its reference frame.
  ///   - previous: The angles of the previous sample, which determine the result at gimbal lock;
  ///     without them, the last angle of the order is zero there, before sign and offset.
  /// - Returns: The angles, each in (-pi, pi].
  public func angles(of rotation: Rotation, previous: PitchRollYaw? = nil) -> PitchRollYaw {
    let third = previous.map { eulerAngle(about: order.sequence.axes.third, of: $0) } ?? .zero
    let euler = rotation.eulerAngles(order: order, thirdAtLock: third)
    func reported(_ axis: SignedAxis) -> Angle { (euler[axis.axis] ?? .zero) * axis.sign }
    return PitchRollYaw(
      pitch: (reported(pitch) + pitchOffset).wrapped, roll: reported(roll).wrapped, yaw: reported(yaw).wrapped
    )
  }

  /// Returns the convention with the same angles for a body and a reference whose axes are mapped.
  public func renamed(by map: AxisMap) -> AngleConvention {
    func mapped(_ axis: Axis) -> Axis {
      switch axis {
      case .x: map.name(of: .x).axis
      case .y: map.name(of: .y).axis
      case .z: map.name(of: .z).axis
      }
    }
    let old = order.sequence.axes
    let axes = [mapped(old.first), mapped(old.second), mapped(old.third)]
    // The fallback is unreachable: a map keeps three axes distinct.
    let sequence = EulerSequence.allCases.first { [$0.axes.first, $0.axes.second, $0.axes.third] == axes }
    let new = sequence ?? order.sequence
    let turned: EulerOrder = if case .intrinsic = order { .intrinsic(new) } else { .extrinsic(new) }
    return AngleConvention(
      checked: map.name(of: pitch), roll: map.name(of: roll), yaw: map.name(of: yaw), order: turned,
      pitchOffset: pitchOffset)
  }

  private func eulerAngle(about axis: Axis, of angles: PitchRollYaw) -> Angle {
    if axis == pitch.axis { return (angles.pitch - pitchOffset) * pitch.sign }
    return axis == roll.axis ? angles.roll * roll.sign : angles.yaw * yaw.sign
  }
}

#if !hasFeature(Embedded)
  extension PitchRollYaw: Codable {}

  extension AngleConvention: Codable {
    private enum CodingKeys: CodingKey { case pitch, roll, yaw, order, pitchOffset }

    /// - Throws: `DecodingError` for parts that ``init(pitch:roll:yaw:order:pitchOffset:)`` rejects.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      let convention = AngleConvention(
        pitch: try values.decode(SignedAxis.self, forKey: .pitch),
        roll: try values.decode(SignedAxis.self, forKey: .roll),
        yaw: try values.decode(SignedAxis.self, forKey: .yaw),
        order: try values.decode(EulerOrder.self, forKey: .order),
        pitchOffset: try values.decode(Angle.self, forKey: .pitchOffset))
      guard let convention else {
        throw decoder.refusal(
          "pitch, roll and yaw turn about three different axes, in an order of three, with a finite offset")
      }
      self = convention
    }
  }
#endif
