// The meaning of pitch, roll and yaw in a convention.

/// Pitch, roll and yaw as a source reports them; a ``Convention`` defines their meaning.
public struct PitchRollYaw: Hashable, Sendable, CustomStringConvertible {
  /// The rotation that raises or lowers the nose.
  public var pitch: Angle
  /// The rotation that raises or lowers one side.
  public var roll: Angle
  /// The rotation about the vertical.
  public var yaw: Angle

  public init(pitch: Angle, roll: Angle, yaw: Angle) {
    (self.pitch, self.roll, self.yaw) = (pitch, roll, yaw)
  }

  public var description: String { "pitch \(pitch), roll \(roll), yaw \(yaw)" }
}

/// The Euler angles that pitch, roll and yaw are, and their signs.
///
/// A reported angle is sign * (Euler angle about its axis), plus an offset for pitch, wrapped to (-pi, pi].
/// The axes are those of the source's own frame.
public struct AngleConvention: Hashable, Sendable, CustomStringConvertible {
  /// The axis about which pitch is right-handed.
  public let pitch: SignedAxis
  /// The axis and direction of a positive roll.
  public let roll: SignedAxis
  /// The axis and direction of a positive yaw.
  public let yaw: SignedAxis
  /// The order of the rotations; the middle angle has half the range.
  public let order: EulerOrder
  /// The offset of the pitch: half a turn if the body's z axis points down and that of the reference up, so that a level
  /// body would otherwise have a pitch of pi.
  public let pitchOffset: Angle

  /// Creates an angle convention; nil unless the axes differ, the sequence is Tait-Bryan and the offset is finite.
  public init?(
    pitch: SignedAxis, roll: SignedAxis, yaw: SignedAxis, order: EulerOrder, pitchOffset: Angle = .zero
  ) {
    let isComplete = Set([pitch.axis, roll.axis, yaw.axis]).count == 3
    guard isComplete, order.sequence.isTaitBryan, pitchOffset.isFinite else { return nil }
    self.init(checked: pitch, roll: roll, yaw: yaw, order: order, pitchOffset: pitchOffset)
  }

  init(
    checked pitch: SignedAxis, roll: SignedAxis, yaw: SignedAxis, order: EulerOrder,
    pitchOffset: Angle = .zero
  ) {
    (self.pitch, self.roll, self.yaw, self.order, self.pitchOffset) = (pitch, roll, yaw, order, pitchOffset)
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
  /// Each angle is in (-pi, pi]. At gimbal lock, the angles of the previous sample determine the result;
  /// without them, the last angle of the order is zero there, before sign and offset.
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
    // The fallbacks are unreachable: a map permutes the axes.
    func mapped(_ axis: Axis) -> Axis {
      Axis.allCases.first { map.act(on: axis.vector)[$0] != 0 } ?? axis
    }
    let old = order.sequence.axes
    let axes = [mapped(old.first), mapped(old.second), mapped(old.third)]
    let sequence = EulerSequence.allCases.first { [$0.axes.first, $0.axes.second, $0.axes.third] == axes }
    let new = sequence ?? order.sequence
    return AngleConvention(
      checked: map.image(of: pitch), roll: map.image(of: roll), yaw: map.image(of: yaw),
      order: order.isIntrinsic ? .intrinsic(new) : .extrinsic(new), pitchOffset: pitchOffset)
  }

  private func eulerAngle(about axis: Axis, of angles: PitchRollYaw) -> Angle {
    if axis == pitch.axis { return (angles.pitch - pitchOffset) * pitch.sign }
    return axis == roll.axis ? angles.roll * roll.sign : angles.yaw * yaw.sign
  }

  /// The axes and the order: `pitch about x, roll about y, yaw about z, intrinsic zxy`.
  public var description: String {
    "pitch about \(pitch)" + (pitchOffset == .zero ? "" : " plus \(pitchOffset)")
      + ", roll about \(roll), yaw about \(yaw), \(order)"
  }
}

#if !hasFeature(Embedded)
  extension PitchRollYaw: Codable {}

  extension AngleConvention: Codable {
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
