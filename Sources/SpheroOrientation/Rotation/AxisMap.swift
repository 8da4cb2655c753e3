// Axes, and the renaming of axes that turns one right-handed frame into another.

/// One of the three axes of a right-handed frame.
public enum Axis: Int, Hashable, Sendable, CaseIterable {
  /// The first axis.
  case x = 0
  /// The second axis.
  case y
  /// The third axis.
  case z

  /// The vector of length 1 along the axis.
  public var vector: Vector3 {
    switch self {
    case .x: Vector3(1, 0, 0)
    case .y: Vector3(0, 1, 0)
    case .z: Vector3(0, 0, 1)
    }
  }
}

/// An axis with a direction: one of the six faces of a cube.
public enum SignedAxis: Hashable, Sendable, CaseIterable {
  /// Along x.
  case x
  /// Against x.
  case minusX
  /// Along y.
  case y
  /// Against y.
  case minusY
  /// Along z.
  case z
  /// Against z.
  case minusZ

  /// The axis, its direction left aside.
  public var axis: Axis {
    switch self {
    case .x, .minusX: .x
    case .y, .minusY: .y
    case .z, .minusZ: .z
    }
  }

  /// +1 along the axis, -1 against it.
  public var sign: Double {
    switch self {
    case .x, .y, .z: 1
    case .minusX, .minusY, .minusZ: -1
    }
  }

  /// The same axis in the opposite direction.
  public var opposite: SignedAxis {
    switch self {
    case .x: .minusX
    case .minusX: .x
    case .y: .minusY
    case .minusY: .y
    case .z: .minusZ
    case .minusZ: .z
    }
  }

  /// The vector of length 1 along the signed axis.
  public var vector: Vector3 { axis.vector * sign }

  /// The component of a vector along the signed axis, exactly.
  public func component(of v: Vector3) -> Double { v[axis] * sign }
}

/// A change of coordinates that only renames and reverses axes, right-handed to right-handed.
///
/// Of the 48 signed permutations the 24 of determinant +1 can be made;
/// the other 24 would swap left and right and are refused.
/// For example `AxisMap(x: .y, y: .minusX, z: .z)` takes right-forward-up to forward-left-up (REP-103).
public struct AxisMap: Hashable, Sendable {
  /// Where the new x comes from in the old frame.
  public let x: SignedAxis
  /// Where the new y comes from in the old frame.
  public let y: SignedAxis
  /// Where the new z comes from in the old frame.
  public let z: SignedAxis
  /// The map as a rotation: `rotation.act(on: v)` is `act(on: v)` to rounding.
  public let rotation: Rotation

  /// Makes a map from the old axis each new axis lies along; nil unless the determinant is +1.
  public init?(x: SignedAxis, y: SignedAxis, z: SignedAxis) {
    guard x.vector.cross(y.vector) == z.vector else { return nil }
    self.init(rightHanded: x, y, z)
  }

  /// Takes axes that are known to be right-handed.
  init(rightHanded x: SignedAxis, _ y: SignedAxis, _ z: SignedAxis) {
    self.x = x
    self.y = y
    self.z = z
    let matrix = RotationMatrix(rows: x.vector, y.vector, z.vector)
    // Never the identity by default: right-handed axes make a rotation matrix.
    rotation = Rotation(activeMatrix: matrix) ?? .identity
  }

  /// The map that leaves all axes in place.
  public static let identity = AxisMap(rightHanded: .x, .y, .z)

  /// All 24 maps.
  public static let all: [AxisMap] = SignedAxis.allCases.flatMap { x in
    SignedAxis.allCases.flatMap { y in
      SignedAxis.allCases.compactMap { z in AxisMap(x: x, y: y, z: z) }
    }
  }

  /// The map from the new frame back to the old one.
  public var inverse: AxisMap { AxisMap(rightHanded: name(of: .x), name(of: .y), name(of: .z)) }

  /// What an axis of the old frame is called in the new one.
  public func name(of axis: SignedAxis) -> SignedAxis {
    let vector = act(on: axis.vector)
    // There is always one: a map only renames and reverses.
    return SignedAxis.allCases.first { $0.vector == vector } ?? axis
  }

  /// The new coordinates of a vector given in old ones, exactly.
  public func act(on v: Vector3) -> Vector3 {
    Vector3(x.component(of: v), y.component(of: v), z.component(of: v))
  }

  /// The old coordinates of a vector given in new ones, exactly.
  public func undo(on v: Vector3) -> Vector3 {
    x.vector * v.x + y.vector * v.y + z.vector * v.z
  }
}

#if !hasFeature(Embedded)
  extension AxisMap: Codable {
    private enum CodingKeys: CodingKey { case x, y, z }

    /// - Throws: `DecodingError` for axes that are not right-handed.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      let (x, y, z) = (
        try values.decode(SignedAxis.self, forKey: .x), try values.decode(SignedAxis.self, forKey: .y),
        try values.decode(SignedAxis.self, forKey: .z)
      )
      guard let map = AxisMap(x: x, y: y, z: z) else {
        throw decoder.refusal("the axes \(x), \(y), \(z) are not right-handed")
      }
      self = map
    }
  }
#endif
