// Names by which users of Core Motion, simd, Spatial and SciPy know the things of this module; see Docs/Guesses.md.

extension Rotation {
  /// The turn of an attitude about its x axis, nose up positive, in [-pi/2, pi/2].
  ///
  /// Pitch, ``roll`` and ``yaw`` are those of Core Motion and of the first Sphero robots:
  /// R = Rz(yaw) Rx(pitch) Ry(roll), with the roll at 0 where the nose points straight up or down.
  /// For other meanings see ``Convention/pitchRollYaw(of:previous:)``, for all three at once ``pitchRollYaw``.
  public var pitch: Angle { pitchRollYaw.pitch }

  /// The turn of an attitude about its y axis, right side down positive, in (-pi, pi]; see ``pitch``.
  public var roll: Angle { pitchRollYaw.roll }

  /// The turn of an attitude about the vertical, counter-clockwise seen from above, in (-pi, pi]; see ``pitch``.
  public var yaw: Angle { pitchRollYaw.yaw }

  /// ``pitch``, ``roll`` and ``yaw``.
  public var pitchRollYaw: PitchRollYaw { Convention.sphero.pitchRollYaw(of: self) }

  /// The rotation that undoes this one, under simd's second name for ``inverse``.
  public var conjugate: Rotation { inverse }

  /// Makes the attitude the turn since an earlier one, as Core Motion's method does; see ``relative(to:)``.
  public mutating func multiply(byInverseOf start: Rotation) { self = relative(to: start) }
}

// What must not work as typed, for the compiler to say what does.

extension Rotation {
  /// An angle names its unit.
  @available(*, unavailable, message: "an angle names its unit; write .radians(1.0) or .degrees(57.3)")
  public init?(angle: Double, axis: Vector3) { nil }

  /// A matrix says which way it turns.
  @available(*, unavailable, renamed: "init(activeMatrix:)")
  public init?(_ matrix: RotationMatrix) { nil }

  /// Core Motion's matrix takes reference coordinates to body coordinates.
  @available(*, unavailable, renamed: "passiveMatrix")
  public var rotationMatrix: RotationMatrix { passiveMatrix }
}

extension SampleFilter {
  /// A filter is called like a function.
  @available(*, unavailable, message: "call the filter like a function: filter(sample)")
  public mutating func filter(_ sample: Value) -> Value { self(sample) }
}
