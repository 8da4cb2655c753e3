// The layout of quaternion words: the position of the scalar and the direction of the rotation.

/// Four quaternion words in the order in which a device delivers them, in any scale.
public struct QuaternionWords: Hashable, Sendable {
  public var q0: Double
  public var q1: Double
  public var q2: Double
  public var q3: Double

  public init(_ q0: Double, _ q1: Double, _ q2: Double, _ q3: Double) {
    self.q0 = q0
    self.q1 = q1
    self.q2 = q2
    self.q3 = q3
  }
}

public struct QuaternionLayout: Hashable, Sendable {
  /// The position of the scalar among the words.
  public enum Order: Hashable, Sendable, CaseIterable {
    /// w, x, y, z.
    case scalarFirst
    /// x, y, z, w.
    case scalarLast
  }

  /// The coordinates that the quaternion converts.
  public enum Direction: Hashable, Sendable, CaseIterable {
    /// v_reference = q v q*: the quaternion is the attitude.
    case bodyToReference
    /// v_body = q v q*: the conjugate of the quaternion is the attitude.
    case referenceToBody
  }

  public var order: Order
  public var direction: Direction

  public init(_ order: Order, _ direction: Direction) {
    self.order = order
    self.direction = direction
  }

  public static let all: [QuaternionLayout] = Order.allCases.flatMap { order in
    Direction.allCases.map { QuaternionLayout(order, $0) }
  }

  /// Returns the rotation from body to reference of quaternion words; nil if they are all zero or not finite.
  public func rotation(of words: QuaternionWords) -> Rotation? {
    let quaternion =
      switch order {
      case .scalarFirst: Quaternion(w: words.q0, x: words.q1, y: words.q2, z: words.q3)
      case .scalarLast: Quaternion(w: words.q3, x: words.q0, y: words.q1, z: words.q2)
      }
    let rotation = Rotation(quaternion)
    return direction == .bodyToReference ? rotation : rotation?.inverse
  }

  /// Returns the quaternion words, of length 1, of a rotation from body to reference.
  public func words(of rotation: Rotation) -> QuaternionWords {
    let q = direction == .bodyToReference ? rotation.quaternion : rotation.inverse.quaternion
    return switch order {
    case .scalarFirst: QuaternionWords(q.w, q.x, q.y, q.z)
    case .scalarLast: QuaternionWords(q.x, q.y, q.z, q.w)
    }
  }
}

#if !hasFeature(Embedded)
  extension QuaternionLayout: Codable {}
#endif
