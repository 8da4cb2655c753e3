// Euler angles in all 24 orders, also at and near gimbal lock.

import SpheroLibc

/// The sequence of axes of an Euler rotation: six Tait-Bryan and six proper sequences.
public enum EulerSequence: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case xyz, xzy, yxz, yzx
  /// About z, then x, then y; intrinsic in Core Motion and in the first Sphero robots, with z for yaw.
  case zxy
  /// About z, then y, then x; intrinsic for aircraft, in Bose Wearable and in later Sphero robots.
  case zyx
  case xyx, xzx, yxy, yzy, zxz, zyz

  /// The axes of the first, second and third angle.
  public var axes: (first: Axis, second: Axis, third: Axis) {
    switch self {
    case .xyz: (.x, .y, .z)
    case .xzy: (.x, .z, .y)
    case .yxz: (.y, .x, .z)
    case .yzx: (.y, .z, .x)
    case .zxy: (.z, .x, .y)
    case .zyx: (.z, .y, .x)
    case .xyx: (.x, .y, .x)
    case .xzx: (.x, .z, .x)
    case .yxy: (.y, .x, .y)
    case .yzy: (.y, .z, .y)
    case .zxz: (.z, .x, .z)
    case .zyz: (.z, .y, .z)
    }
  }

  /// Whether the three axes differ.
  ///
  /// The middle angle is then in -pi/2...pi/2, with gimbal lock at both ends; otherwise in 0...pi.
  public var isTaitBryan: Bool { axes.first != axes.third }

  public var description: String { rawValue }
}

/// One of the 24 orders of Euler angles: a sequence, and whether its axes rotate with the body.
public enum EulerOrder: Hashable, Sendable, CustomStringConvertible {
  /// About the axes of the body, which earlier rotations have rotated: R = R1(first) R2(second) R3(third).
  case intrinsic(EulerSequence)
  /// About the fixed axes of the reference: R = R3(third) R2(second) R1(first).
  case extrinsic(EulerSequence)

  /// The 24 orders: 12 sequences, intrinsic and extrinsic.
  public static let all: [EulerOrder] =
    EulerSequence.allCases.map(EulerOrder.intrinsic) + EulerSequence.allCases.map(EulerOrder.extrinsic)

  /// The three axes in order.
  public var sequence: EulerSequence {
    switch self {
    case .intrinsic(let sequence), .extrinsic(let sequence): sequence
    }
  }

  /// Whether the axes rotate with the body.
  public var isIntrinsic: Bool {
    if case .intrinsic = self { true } else { false }
  }

  public var description: String { (isIntrinsic ? "intrinsic " : "extrinsic ") + sequence.description }
}

/// Three angles and the order that defines their meaning.
public struct EulerAngles: Hashable, Sendable, CustomStringConvertible {
  /// The angle about the first axis of the sequence; results of this module are in (-pi, pi].
  public var first: Angle
  /// The angle about the second axis; results are in [-pi/2, pi/2] (Tait-Bryan) or [0, pi] (proper).
  public var second: Angle
  /// The angle about the third axis; results of this module are in (-pi, pi].
  public var third: Angle
  /// The order of the rotations.
  public var order: EulerOrder

  public init(_ first: Angle, _ second: Angle, _ third: Angle, order: EulerOrder) {
    (self.first, self.second, self.third, self.order) = (first, second, third, order)
  }

  /// The angle about an axis; nil if the sequence contains the axis twice or not at all.
  public subscript(axis: Axis) -> Angle? {
    let axes = order.sequence.axes
    guard order.sequence.isTaitBryan else { return axis == axes.second ? second : nil }
    return axis == axes.first ? first : (axis == axes.second ? second : third)
  }

  /// Order and angles: `intrinsic zxy 10°, 20°, 30°`.
  public var description: String { "\(order) \(first), \(second), \(third)" }
}

extension Rotation {
  /// Creates the rotation of Euler angles of any size and order; nil if an angle is not finite.
  public init?(eulerAngles angles: EulerAngles) {
    let axes = angles.order.sequence.axes
    guard let first = Rotation(angle: angles.first, axis: axes.first.vector),
      let second = Rotation(angle: angles.second, axis: axes.second.vector),
      let third = Rotation(angle: angles.third, axis: axes.third.vector)
    else { return nil }
    self = angles.order.isIntrinsic ? first * second * third : third * second * first
  }

  /// The Euler angles in one of the 24 orders.
  ///
  /// The middle angle is exact to rounding (4e-16 rad) at any distance from gimbal lock: it is computed by an
  /// arctangent of the half angle, while an arcsine loses half of the digits near lock.
  /// The outer angles have an unavoidable error: rounding, divided by the distance from lock.
  /// Source: E. Bernardes and S. Viollet, PLoS ONE 17(11), 2022.
  ///
  /// At gimbal lock, only the sum or the difference of the first and the third angle is defined; the third
  /// angle of the result is then `thirdAtLock`, or zero if that is not finite.
  /// For a continuous stream of angles, pass the third angle of the previous sample.
  public func eulerAngles(order: EulerOrder, thirdAtLock: Angle = .zero) -> EulerAngles {
    let axes = order.sequence.axes
    // The method is for extrinsic orders; an intrinsic order is the reversed extrinsic order.
    let (i, j) = (order.isIntrinsic ? axes.third : axes.first, axes.second)
    let isCyclic = j.rawValue == (i.rawValue + 1) % 3
    let sign: Double = isCyclic ? 1 : -1
    let isTaitBryan = order.sequence.isTaitBryan
    let v = quaternion.imaginary
    let k = Axis.allCases.first { $0 != i && $0 != j } ?? .z
    var (a, b, c, d) = (quaternion.w, v[i], v[j], sign * v[k])
    if isTaitBryan { (a, b, c, d) = (a - c, b + d, c + a, d - b) }

    // Half of the sum and of the difference of the outer angles; each is noise if both its arguments vanish.
    var halfSum = atan2(b, a)
    var halfDifference = atan2(d, c)
    let (sumPart, differencePart) = (hypot(a, b), hypot(c, d))
    // Computed only at lock, because wrapping takes as long as an arctangent.
    var fixed: Double {
      let third = thirdAtLock.isFinite ? thirdAtLock.wrapped.radians : 0
      return isTaitBryan && !order.isIntrinsic ? sign * third : third
    }
    if differencePart <= lockedBelow * sumPart {
      halfDifference = order.isIntrinsic ? halfSum - fixed : fixed - halfSum
    } else if sumPart <= lockedBelow * differencePart {
      halfSum = order.isIntrinsic ? fixed + halfDifference : fixed - halfDifference
    }

    let inner = Angle(radians: halfSum - halfDifference).wrapped
    let middle = 2 * atan2(differencePart, sumPart) - (isTaitBryan ? .pi / 2 : 0)
    let outer = Angle(radians: (halfSum + halfDifference) * (isTaitBryan ? sign : 1)).wrapped
    return order.isIntrinsic
      ? EulerAngles(outer, Angle(radians: middle), inner, order: order)
      : EulerAngles(inner, Angle(radians: middle), outer, order: order)
  }
}

/// The ratio of the lengths of the two pairs below which the shorter pair is rounding noise, at gimbal lock.
///
/// Replacing the noise changes the rotation by at most this many radians.
private let lockedBelow = 4 * Double.ulpOfOne

#if !hasFeature(Embedded)
  extension EulerSequence: Codable {}
  extension EulerAngles: Codable {}
#endif
