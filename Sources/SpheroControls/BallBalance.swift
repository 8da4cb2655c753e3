// A game with an accelerometer: a ball that rolls on a tilting screen.

/// A ball that rolls on the screen of a tilting device.
///
/// Each sample of the accelerometer adds to the velocity, and the velocity to the position:
///
///     velocity.x += acceleration.x · accelerationPerG · elapsed
///     velocity.y -= acceleration.y · accelerationPerG · elapsed
///     position   += velocity · elapsed
///
/// In the device frame, x is to the right and y up the screen; on the screen, y is downwards, hence the minus.
///
/// Unlike in the original (B. Cannaday, 2009), the first sample, and each one after a gap longer than ``maximumGap``,
/// only starts the clock.
///
/// As in the original, a ball that leaves the screen is reset to the centre; with ``Edge/wall``, it bounces instead.
public struct BallBalance: Hashable, Sendable {
  /// What happens to the ball at an edge of the screen.
  public enum Edge: Hashable, Sendable, CaseIterable {
    /// A ball that has left the screen completely is reset to the centre, as in the original.
    case reset
    /// The ball bounces off and keeps the fraction ``restitution`` of its speed; at the wall, it comes to rest.
    case wall
  }

  /// The fraction of the speed perpendicular to a wall that the ball keeps when it bounces; a choice of this library.
  public static let restitution = 0.5

  /// The longest time between samples that is integrated, in seconds; during a longer gap, the ball does not move.
  public static let maximumGap = 1.0

  /// The width and the height of the screen, in points.
  public let viewSize: Point

  /// The width and the height of the ball, in points.
  public let ballSize: Point

  /// The acceleration at 1 g, in points per second squared.
  public let accelerationPerG: Double

  /// The upper left corner of the ball, in points.
  ///
  /// As in the original, a reset places this corner, not the centre of the ball, at the centre of the screen.
  public private(set) var position: Point

  /// The velocity in points per second, y downwards.
  public private(set) var velocity = Point(x: 0, y: 0)

  /// The behaviour at the edge of the screen.
  public var edge = Edge.reset

  /// How often the ball has left the screen.
  public private(set) var resets = 0

  private var lastTimestamp: Double?

  /// Creates a ball at rest; nil if a size is negative or a number is not finite.
  public init?(
    viewSize: Point, ballSize: Point = Point(x: 100, y: 100), accelerationPerG: Double = 200
  ) {
    let sizes = [viewSize.x, viewSize.y, ballSize.x, ballSize.y]
    guard accelerationPerG.isFinite, sizes.allSatisfy({ $0.isFinite && $0 >= 0 }) else { return nil }
    (self.viewSize, self.ballSize, self.accelerationPerG) = (viewSize, ballSize, accelerationPerG)
    position = Point(x: viewSize.x / 2, y: viewSize.y / 2)
  }

  /// Integrates an accelerometer sample in g, with its time in seconds since an arbitrary epoch.
  ///
  /// A sample that is older than the last one, or not finite, is ignored.
  public mutating func update(accelerationX: Double, accelerationY: Double, timestamp: Double) {
    guard accelerationX.isFinite, accelerationY.isFinite, timestamp.isFinite else { return }
    let elapsed = lastTimestamp.map { timestamp - $0 } ?? .infinity
    guard elapsed >= 0 else { return }
    lastTimestamp = timestamp
    guard elapsed <= Self.maximumGap else { return }

    let former = position
    velocity.x += accelerationX * accelerationPerG * elapsed
    velocity.y -= accelerationY * accelerationPerG * elapsed
    position.x += velocity.x * elapsed
    position.y += velocity.y * elapsed
    if edge == .wall { bounce(from: former) }
    guard !isInPlay else { return }
    reset()
    resets += 1
  }

  /// Resets the ball to the centre of the screen, at rest, without resetting the clock.
  public mutating func reset() {
    position = Point(x: viewSize.x / 2, y: viewSize.y / 2)
    velocity = Point(x: 0, y: 0)
  }

  /// Moves the ball inside the walls; a screen smaller than the ball holds it at its upper left corner.
  ///
  /// A ball that a wall already touched rests there: a rebound from each sample would leave it a velocity,
  /// with which it would roll off the wall of a level screen.
  private mutating func bounce(from former: Point) {
    func inside(
      _ position: Double, from former: Double, _ velocity: Double, _ limit: Double
    ) -> (Double, Double) {
      let place = clamped(position, 0...max(0, limit))
      guard place != position else { return (position, velocity) }
      // The rebound points inwards, also for a ball that was outside and returns.
      let rebound = Self.restitution * abs(velocity)
      return (place, place == former ? 0 : place > position ? rebound : -rebound)
    }
    (position.x, velocity.x) = inside(position.x, from: former.x, velocity.x, viewSize.x - ballSize.x)
    (position.y, velocity.y) = inside(position.y, from: former.y, velocity.y, viewSize.y - ballSize.y)
  }

  /// Whether a part of the ball is on the screen, and its velocity is finite.
  private var isInPlay: Bool {
    let isWithinWidth = position.x + ballSize.x >= 0 && position.x <= viewSize.x
    let isWithinHeight = position.y + ballSize.y >= 0 && position.y <= viewSize.y
    return isWithinWidth && isWithinHeight && velocity.x.isFinite && velocity.y.isFinite
  }
}
