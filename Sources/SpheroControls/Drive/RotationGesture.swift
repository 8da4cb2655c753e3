// The rotation gesture: the rotation of two touches about each other.

/// The rotation of two touches about each other, such as two fingers that turn a ``CalibrationRing``.
///
/// The gesture is recognized when the line between the touches has turned by ``threshold``, so that fingers
/// that rest or pinch cause no rotation. ``rotation`` is the turn beyond the threshold: it begins near 0.
/// `UIRotationGestureRecognizer` reports radians, this type degrees.
public struct RotationGesture: Hashable, Sendable {
  /// The turn at which the gesture is recognized, in degrees.
  public static let threshold = 10.0

  /// The direction of the line between the touches, in degrees; nil before the first touches.
  private var direction: Double?
  /// The clockwise turn since the first touches, in degrees.
  private var turn = 0.0
  /// The threshold with the sign of the turn, from which ``rotation`` counts; nil before the recognition.
  private var start: Double?

  public init() {}

  /// The clockwise rotation since the recognition, in degrees; nil before the recognition.
  ///
  /// It may exceed a full turn.
  public var rotation: Double? { start.map { turn - $0 } }

  /// Handles the positions of the two touches, in any unit.
  ///
  /// Equal positions and positions that are not finite are ignored, because no line connects them.
  public mutating func move(_ first: Point, _ second: Point) {
    let (right, down) = (second.x - first.x, second.y - first.y)
    guard right.isFinite, down.isFinite, right != 0 || down != 0 else { return }
    // The angle is clockwise, because y increases downwards.
    let angle = degrees(opposite: down, adjacent: right)
    if let direction { turn += wrap(degrees: angle - direction + 180) - 180 }
    direction = angle
    if start == nil, abs(turn) >= Self.threshold { start = turn < 0 ? -Self.threshold : Self.threshold }
  }
}
