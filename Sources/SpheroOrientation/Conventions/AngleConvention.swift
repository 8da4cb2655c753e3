// What a source means by pitch, roll and yaw.

/// Pitch, roll and yaw as some source reports them; a ``Convention`` gives them a meaning.
public struct PitchRollYaw: Hashable, Sendable {
  /// The nose up or down.
  public var pitch: Angle
  /// One side up or down.
  public var roll: Angle
  /// The turn about the vertical.
  public var yaw: Angle

  /// Makes the three angles.
  public init(pitch: Angle, roll: Angle, yaw: Angle) {
    self.pitch = pitch
    self.roll = roll
    self.yaw = yaw
  }
}

/// Which Euler angles pitch, roll and yaw are, and in which direction they count.
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
  /// The order of the three turns; the angle in the middle has half the range.
  public let order: EulerOrder
  /// What is added to the pitch: half a turn where the source's z points down and its angles do not.
  public let pitchOffset: Angle

  /// Makes an angle convention.
  ///
  /// Returns nil unless three different axes are named, the sequence is Tait-Bryan and the offset is finite.
  public init?(
    pitch: SignedAxis, roll: SignedAxis, yaw: SignedAxis, order: EulerOrder, pitchOffset: Angle = .zero
  ) {
    let isComplete = Set([pitch.axis, roll.axis, yaw.axis]).count == 3
    guard isComplete, order.sequence.isTaitBryan, pitchOffset.isFinite else { return nil }
    self.init(checked: pitch, roll: roll, yaw: yaw, order: order, pitchOffset: pitchOffset)
  }

  /// Takes parts that are known to fit.
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

  /// The rotation in the source's own frames that three angles stand for; nil if one is not finite.
  public func rotation(of angles: PitchRollYaw) -> Rotation? {
    let axes = order.sequence.axes
    return Rotation(
      eulerAngles: EulerAngles(
        eulerAngle(about: axes.first, of: angles), eulerAngle(about: axes.second, of: angles),
        eulerAngle(about: axes.third, of: angles), order: order))
  }

  /// The angles of a rotation given in the source's own frames.
  ///
  /// - Parameters:
  ///   - rotation: The rotation from the source's body frame to its reference frame.
  ///   - previous: The angles of the sample before, which decide at gimbal lock;
  ///     without them the last angle of the order is zero there, before sign and offset.
  /// - Returns: The angles, each in (-pi, pi].
  public func angles(of rotation: Rotation, previous: PitchRollYaw? = nil) -> PitchRollYaw {
    let third = previous.map { eulerAngle(about: order.sequence.axes.third, of: $0) } ?? .zero
    let euler = rotation.eulerAngles(order: order, thirdAtLock: third)
    func reported(_ axis: SignedAxis) -> Angle { (euler[axis.axis] ?? .zero) * axis.sign }
    return PitchRollYaw(
      pitch: (reported(pitch) + pitchOffset).wrapped, roll: reported(roll).wrapped, yaw: reported(yaw).wrapped
    )
  }

  /// The same angles of the same body, for a frame whose axes are renamed: body and reference alike.
  public func renamed(by map: AxisMap) -> AngleConvention {
    func renamed(_ axis: Axis) -> Axis {
      switch axis {
      case .x: map.name(of: .x).axis
      case .y: map.name(of: .y).axis
      case .z: map.name(of: .z).axis
      }
    }
    let old = order.sequence.axes
    let axes = [renamed(old.first), renamed(old.second), renamed(old.third)]
    // There is always one: a map leaves three different axes different.
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
