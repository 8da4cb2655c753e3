// The rotation gesture: two touches that turn about each other.

/// The rotation of two touches about each other, such as two fingers that turn a ``CalibrationRing``.
///
/// The gesture is recognized when the line between the touches has turned by ``threshold``, so that fingers
/// that rest or pinch do not rotate. ``rotation`` counts from there: it begins at 0, without a jump.
/// `UIRotationGestureRecognizer` reports radians, this type degrees.
public struct RotationGesture: Hashable, Sendable {
  /// The turn at which the gesture is recognized, in degrees.
  public static let threshold = 10.0

  /// The direction of the line between the touches, in degrees; nil before the first touches.
  private var direction: Double?
  /// The clockwise turn since the first touches, in degrees.
  private var turn = 0.0
  /// The value of ``turn`` at the recognition; nil before it.
  private var start: Double?

  public init() {}

  /// The clockwise rotation since the recognition, in degrees, beyond a full turn too; nil before the recognition.
  public var rotation: Double? { start.map { turn - $0 } }

  /// Handles the positions of the two touches, in any unit.
  ///
  /// Equal positions and positions that are not finite are ignored: their line has no direction.
  public mutating func move(_ first: Point, _ second: Point) {
    let (right, down) = (second.x - first.x, second.y - first.y)
    guard right.isFinite, down.isFinite, right != 0 || down != 0 else { return }
    // Clockwise, because y increases downwards.
    let angle = degrees(opposite: down, adjacent: right)
    if let direction { turn += wrap(degrees: angle - direction + 180) - 180 }
    direction = angle
    if start == nil, abs(turn) >= Self.threshold { start = turn < 0 ? -Self.threshold : Self.threshold }
  }
}
