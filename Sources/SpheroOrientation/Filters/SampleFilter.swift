// The protocols of filters and of the values that they filter.

/// A stream processor that attenuates some frequencies of its input.
///
/// A sample that is not finite, or makes the result infinite, counts as lost:
/// the filter keeps its state and returns the last output again (zero before the first).
public protocol SampleFilter<Value>: StreamProcessor where Input == Value, Output == Value {
  associatedtype Value: VectorSpace
}

/// A value that can be filtered: a number or a vector.
///
/// `Double` and ``Vector3`` conform.
public protocol VectorSpace: AdditiveArithmetic, Sendable {
  static func * (a: Self, factor: Double) -> Self
  /// Whether no component is NaN or infinite.
  var isFinite: Bool { get }
  /// The absolute value or length.
  var magnitude: Double { get }
}

extension Double: VectorSpace {}

extension Vector3: VectorSpace {
  public var magnitude: Double { length }
}
