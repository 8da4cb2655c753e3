// Euler angles in all 24 orders, exact at and near gimbal lock.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The three axes of an Euler rotation in turn: six Tait-Bryan and six proper sequences.
public enum EulerSequence: String, Hashable, Sendable, CaseIterable {
  /// Tait-Bryan x, y, z.
  case xyz
  /// Tait-Bryan x, z, y.
  case xzy
  /// Tait-Bryan y, x, z.
  case yxz
  /// Tait-Bryan y, z, x.
  case yzx
  /// Tait-Bryan z, x, y; intrinsic, with z for yaw, that of Core Motion and of the first Sphero robots.
  case zxy
  /// Tait-Bryan z, y, x; intrinsic, that of aircraft, of Bose Wearable and of later Sphero robots.
  case zyx
  /// Proper x, y, x.
  case xyx
  /// Proper x, z, x.
  case xzx
  /// Proper y, x, y.
  case yxy
  /// Proper y, z, y.
  case yzy
  /// Proper z, x, z.
  case zxz
  /// Proper z, y, z.
  case zyz

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

  /// Whether three different axes take part.
  ///
  /// The middle angle is then within -pi/2...pi/2 and locks at the ends; otherwise within 0...pi.
  public var isTaitBryan: Bool { axes.first != axes.third }
}

/// One of the 24 orders of Euler angles: a sequence, and whether its axes turn with the body.
public enum EulerOrder: Hashable, Sendable {
  /// About the axes of the body, as they are after the turns before: R = R1(first) R2(second) R3(third).
  case intrinsic(EulerSequence)
  /// About the axes of the reference, which stay: R = R3(third) R2(second) R1(first).
  case extrinsic(EulerSequence)

  /// All 24 orders.
  public static let all: [EulerOrder] =
    EulerSequence.allCases.map(EulerOrder.intrinsic) + EulerSequence.allCases.map(EulerOrder.extrinsic)

  /// The axes in turn.
  public var sequence: EulerSequence {
    switch self {
    case .intrinsic(let sequence), .extrinsic(let sequence): sequence
    }
  }

  /// Whether the axes turn with the body.
  public var isIntrinsic: Bool {
    switch self {
    case .intrinsic: true
    case .extrinsic: false
    }
  }
}

/// Three angles and the order that gives them a meaning.
public struct EulerAngles: Hashable, Sendable {
  /// The angle about the first axis of the sequence, in (-pi, pi] where this module makes it.
  public var first: Angle
  /// The angle about the second axis, in [-pi/2, pi/2] (Tait-Bryan) or [0, pi] (proper) where this module makes it.
  public var second: Angle
  /// The angle about the third axis, in (-pi, pi] where this module makes it.
  public var third: Angle
  /// The axes, and whether they turn with the body.
  public var order: EulerOrder

  /// Makes Euler angles, in the order in which the sequence names the axes.
  public init(_ first: Angle, _ second: Angle, _ third: Angle, order: EulerOrder) {
    self.first = first
    self.second = second
    self.third = third
    self.order = order
  }

  /// The angle about an axis; nil where the sequence has it twice or not at all.
  public subscript(axis: Axis) -> Angle? {
    let axes = order.sequence.axes
    guard order.sequence.isTaitBryan else { return axis == axes.second ? second : nil }
    return axis == axes.first ? first : (axis == axes.second ? second : third)
  }
}

extension Rotation {
  /// Makes the rotation of Euler angles of any size and order; nil if an angle is not finite.
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
  /// The middle angle is right to rounding (4e-16 rad) at any distance from gimbal lock:
  /// it comes from the half angles, 2 atan2(|D|, |S|), never from an arcsine,
  /// which loses half of the digits near lock.
  /// The outer angles have the error any method must have, rounding over the distance from lock.
  /// Source: E. Bernardes and S. Viollet, PLoS ONE 17(11), 2022.
  ///
  /// - Parameters:
  ///   - order: The order of the angles.
  ///   - thirdAtLock: The third angle to return at gimbal lock,
  ///     where only the sum or the difference of the outer angles exists.
  ///     Zero by default; for a continuous stream pass the third angle of the sample before.
  ///     What is not finite counts as zero.
  /// - Returns: The three angles, outer ones in (-pi, pi].
  public func eulerAngles(order: EulerOrder, thirdAtLock: Angle = .zero) -> EulerAngles {
    let axes = order.sequence.axes
    // The method is that of the extrinsic order; an intrinsic one is the extrinsic one read backwards.
    let (i, j) = (order.isIntrinsic ? axes.third : axes.first, axes.second)
    let isCyclic = j.rawValue == (i.rawValue + 1) % 3
    let sign: Double = isCyclic ? 1 : -1
    let isTaitBryan = order.sequence.isTaitBryan
    let v = quaternion.imaginary
    let k = Axis.allCases.first { $0 != i && $0 != j } ?? .z
    var (a, b, c, d) = (quaternion.w, v[i], v[j], sign * v[k])
    if isTaitBryan { (a, b, c, d) = (a - c, b + d, c + a, d - b) }

    // The half sum and half difference of the outer angles; each is noise where its pair vanishes.
    var halfSum = atan2(b, a)
    var halfDifference = atan2(d, c)
    let (sumPart, differencePart) = (hypot(a, b), hypot(c, d))
    // Wrapping takes as long as an arc tangent, and most rotations are not at lock.
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

/// Lock is where one pair is rounding noise beside the other.
///
/// Replacing noise by a choice moves the rotation by no more than this many radians.
private let lockedBelow = 4 * Double.ulpOfOne

#if !hasFeature(Embedded)
  extension EulerSequence: Codable {}
  extension EulerAngles: Codable {}
#endif
