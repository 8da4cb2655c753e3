// The names that users of Core Motion, simd, Spatial and SciPy expect; see Docs/Guesses.md.

extension Rotation {
  /// The pitch of an attitude about its x axis, nose up positive, in [-pi/2, pi/2].
  ///
  /// Pitch, ``roll`` and ``yaw`` are those of Core Motion and of the first Sphero robots:
  /// R = Rz(yaw) Rx(pitch) Ry(roll), with a roll of 0 if the nose points straight up or down.
  /// They differ from those of Bose Wearable; ``coreMotionAngles`` and ``boseWearableAngles`` name the convention.
  /// For other meanings see ``Convention/pitchRollYaw(of:previous:)``, for all three at once ``pitchRollYaw``.
  public var pitch: Angle { pitchRollYaw.pitch }

  /// The roll of an attitude about its y axis, right side down positive, in (-pi, pi]; see ``pitch``.
  public var roll: Angle { pitchRollYaw.roll }

  /// The yaw of an attitude about the vertical, counter-clockwise seen from above, in (-pi, pi]; see ``pitch``.
  public var yaw: Angle { pitchRollYaw.yaw }

  /// ``pitch``, ``roll`` and ``yaw``.
  public var pitchRollYaw: PitchRollYaw { Convention.sphero.pitchRollYaw(of: self) }

  /// Pitch, roll and yaw as `CMAttitude` defines them: ``Convention/coreMotion``.
  ///
  /// R = Rz(yaw) Rx(pitch) Ry(roll). Pitch is in [-pi/2, pi/2], roll and yaw in (-pi, pi].
  /// Positive angles are nose up, right side down and counter-clockwise seen from above.
  public var coreMotionAngles: PitchRollYaw { Convention.coreMotion.pitchRollYaw(of: self) }

  /// Pitch, roll and yaw as the Bose Wearable SDK defines them for a raw quaternion: ``Convention/boseWearable``.
  ///
  /// Roll is the middle angle, in [-pi/2, pi/2], pitch and yaw are in (-pi, pi].
  /// Positive angles are nose up, left side down and clockwise seen from above: the signs of roll and yaw are opposite to
  /// those of Core Motion.
  /// If pitch and roll are both not zero, the sizes of all three angles differ from Core Motion's as well.
  public var boseWearableAngles: PitchRollYaw { Convention.boseWearable.pitchRollYaw(of: self) }

  /// The name of simd for ``inverse``.
  public var conjugate: Rotation { inverse }

  /// Replaces the attitude by the rotation since an earlier one, as in Core Motion; see ``relative(to:)``.
  public mutating func multiply(byInverseOf start: Rotation) { self = relative(to: start) }

  // Unavailable spellings, for which the compiler suggests the correct one.

  /// Unavailable, because an angle names its unit.
  @available(*, unavailable, message: "an angle names its unit; write .radians(1.0) or .degrees(57.3)")
  public init?(angle: Double, axis: Vector3) { nil }

  @available(
    *, unavailable, message: "write Rotation(activeMatrix:), or Rotation(passiveMatrix:) for Core Motion's"
  )
  public init?(_ matrix: RotationMatrix) { nil }

  @available(
    *, unavailable, message: "activeMatrix is that of act(on:); its inverse, passiveMatrix, is Core Motion's"
  )
  public var rotationMatrix: RotationMatrix { passiveMatrix }
}

extension SampleFilter {
  /// Unavailable, because a filter is called like a function.
  @available(*, unavailable, message: "call the filter like a function: filter(sample)")
  public mutating func filter(_ sample: Value) -> Value { self(sample) }
}
