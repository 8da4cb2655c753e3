// One axis of a right-handed frame.

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
