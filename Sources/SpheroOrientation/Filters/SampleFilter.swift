// What a filter is, and what it asks of the values it filters: sums, differences and multiples.

/// A processor that gives out what it takes in, with some frequencies weakened.
///
/// A sample that is not finite counts as lost:
/// the filter's state does not change and the last output comes out again (zero before the first).
/// The same holds for a sample so large that the result would not be finite.
public protocol SampleFilter<Value>: StreamProcessor where Input == Value, Output == Value {
  /// What is filtered.
  associatedtype Value: VectorSpace
}

/// A value that can be filtered: a number, or several that are filtered alike.
///
/// `Double` and ``Vector3`` conform.
public protocol VectorSpace: AdditiveArithmetic, Sendable {
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
