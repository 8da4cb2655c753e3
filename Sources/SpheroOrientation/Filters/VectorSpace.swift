// What the filters ask of a value: sums, differences and multiples.

/// A value that can be filtered: a number, or several that are filtered alike.
///
/// `Double` and ``Vector3`` conform.
public protocol VectorSpace: Equatable, Sendable {
  /// The value that adds nothing.
  static var zero: Self { get }
  /// The sum.
  static func + (a: Self, b: Self) -> Self
  /// The difference.
  static func - (a: Self, b: Self) -> Self
  /// The multiple.
  static func * (a: Self, factor: Double) -> Self
  /// Whether no part of the value is NaN or infinite.
  var isFinite: Bool { get }
  /// The size without the sign or direction.
  var magnitude: Double { get }
}

extension Double: VectorSpace {}

extension Vector3: VectorSpace {
  /// The Euclidean length, under the name that numbers have for it.
  public var magnitude: Double { length }
}
