// Axes, and maps between right-handed frames whose axes coincide up to order and sign.

/// One of the three axes of a right-handed frame.
public enum Axis: Int, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case x, y, z

  /// The unit vector along the axis.
  public var vector: Vector3 {
    switch self {
    case .x: Vector3(1, 0, 0)
    case .y: Vector3(0, 1, 0)
    case .z: Vector3(0, 0, 1)
    }
  }

  public var description: String { ["x", "y", "z"][rawValue] }
}

/// A coordinate axis in its positive or negative direction.
public enum SignedAxis: Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case x, minusX, y, minusY, z, minusZ

  /// The axis without its sign.
  public var axis: Axis {
    switch self {
    case .x, .minusX: .x
    case .y, .minusY: .y
    case .z, .minusZ: .z
    }
  }

  /// +1 or -1.
  public var sign: Double {
    switch self {
    case .x, .y, .z: 1
    case .minusX, .minusY, .minusZ: -1
    }
  }

  /// The same axis with the other sign.
  public var opposite: SignedAxis { Self.allCases.first { $0.vector == -vector } ?? self }

  /// The unit vector along the axis.
  public var vector: Vector3 { axis.vector * sign }

  /// The component of a vector along the signed axis, exactly.
  public func component(of v: Vector3) -> Double { v[axis] * sign }

  public var description: String { (sign < 0 ? "-" : "") + axis.description }
}

/// A change of coordinates that permutes and negates axes: one of the 24 signed permutations of determinant +1.
///
/// For example `AxisMap(x: .y, y: .minusX, z: .z)` converts right-forward-up to forward-left-up (REP-103).
public struct AxisMap: Hashable, Sendable, CustomStringConvertible {
  /// The old axis along which the new x axis lies.
  public let x: SignedAxis
  /// The old axis along which the new y axis lies.
  public let y: SignedAxis
  /// The old axis along which the new z axis lies.
  public let z: SignedAxis
  /// The map as a rotation, whose result equals that of ``act(on:)`` up to rounding.
  public let rotation: Rotation

  /// Creates a map from the old axes along which the new axes lie; nil unless the determinant is +1.
  public init?(x: SignedAxis, y: SignedAxis, z: SignedAxis) {
    guard x.vector.cross(y.vector) == z.vector else { return nil }
    self.init(rightHanded: x, y, z)
  }

  /// Creates a map without a check that the axes are right-handed.
  init(rightHanded x: SignedAxis, _ y: SignedAxis, _ z: SignedAxis) {
    (self.x, self.y, self.z) = (x, y, z)
    let matrix = RotationMatrix(rows: x.vector, y.vector, z.vector)
    // The fallback is unreachable: right-handed axes form a rotation matrix.
    rotation = Rotation(activeMatrix: matrix) ?? .identity
  }

  /// The map that leaves all axes unchanged.
  public static let identity = AxisMap(rightHanded: .x, .y, .z)

  /// The 24 right-handed maps.
  public static let all: [AxisMap] = SignedAxis.allCases.flatMap { x in
    SignedAxis.allCases.flatMap { y in
      SignedAxis.allCases.compactMap { z in AxisMap(x: x, y: y, z: z) }
    }
  }

  /// The map from the new frame back to the old one.
  public var inverse: AxisMap { AxisMap(rightHanded: image(of: .x), image(of: .y), image(of: .z)) }

  /// The axis of the new frame along which an axis of the old frame lies.
  public func image(of axis: SignedAxis) -> SignedAxis {
    let vector = act(on: axis.vector)
    // The fallback is unreachable: a map permutes the six signed axes.
    return SignedAxis.allCases.first { $0.vector == vector } ?? axis
  }

  /// Converts a vector from old to new coordinates, exactly.
  public func act(on v: Vector3) -> Vector3 {
    Vector3(x.component(of: v), y.component(of: v), z.component(of: v))
  }

  /// Converts a vector from new to old coordinates, exactly.
  public func undo(on v: Vector3) -> Vector3 {
    x.vector * v.x + y.vector * v.y + z.vector * v.z
  }

  /// The old axes in the order of the new ones: `(y, -x, z)`.
  public var description: String { "(\(x), \(y), \(z))" }
}

#if !hasFeature(Embedded)
  extension AxisMap: Codable {
    private enum CodingKeys: CodingKey { case x, y, z }

    /// - Throws: `DecodingError` for axes that are not right-handed.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      let x = try values.decode(SignedAxis.self, forKey: .x)
      let y = try values.decode(SignedAxis.self, forKey: .y)
      let z = try values.decode(SignedAxis.self, forKey: .z)
      guard let map = AxisMap(x: x, y: y, z: z) else {
        throw decoder.refusal("the axes \(x), \(y), \(z) are not right-handed")
      }
      self = map
    }
  }
#endif
