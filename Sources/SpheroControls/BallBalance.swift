// A ball on a tilting screen: the game of the accelerometer chapter, with its first step mended.

/// A ball that rolls on a screen as the device tilts.
///
/// Each sample of the accelerometer adds to the velocity, and the velocity to the position:
///
///     velocity.x += acceleration.x · accelerationPerG · elapsed
///     velocity.y -= acceleration.y · accelerationPerG · elapsed
///     position   += velocity · elapsed
///
/// The device frame has x to the right and y up the screen; the screen has y downwards, hence the minus.
///
/// The original (B. Cannaday, 2009) starts its clock at zero.
/// Its first elapsed time is therefore the uptime of the device,
/// and while it holds the position back on that sample, the velocity takes it all:
/// after 1000 s of uptime, 200 000 points per second, which the next sample throws off the screen.
/// Here a first sample only starts the clock, and so does the first after a ``maximumGap``.
public struct BallBalance: Hashable, Sendable {
  /// The longest time between samples that is integrated, in seconds.
  ///
  /// A longer one means that the samples had stopped, and the ball goes on from where it was.
  public static let maximumGap = 1.0

  /// The width and the height of the screen, in points.
  public let viewSize: Point

  /// The width and the height of the ball, in points.
  public let ballSize: Point

  /// What 1 g does to the velocity, in points per second squared.
  public let accelerationPerG: Double

  /// The corner of the ball with the least coordinates, in points.
  ///
  /// As in the original, a ball set back has this corner, not its middle, in the middle of the screen.
  public private(set) var position: Point

  /// The velocity of the ball in points per second, y downwards.
  public private(set) var velocity: Point

  private var lastTimestamp: Double?

  /// Creates a ball at rest.
  ///
  /// The result is `nil` if a size is negative, or a number is not finite.
  ///
  /// - Parameters:
  ///   - viewSize: The width and the height of the screen, in points.
  ///   - ballSize: The width and the height of the ball, in points.
  ///   - accelerationPerG: What 1 g does to the velocity, in points per second squared.
  public init?(
    viewSize: Point, ballSize: Point = Point(x: 100, y: 100), accelerationPerG: Double = 200
  ) {
    let sizes = [viewSize.x, viewSize.y, ballSize.x, ballSize.y]
    guard accelerationPerG.isFinite, sizes.allSatisfy({ $0.isFinite && $0 >= 0 }) else { return nil }
    self.viewSize = viewSize
    self.ballSize = ballSize
    self.accelerationPerG = accelerationPerG
    position = Point(x: viewSize.x / 2, y: viewSize.y / 2)
    velocity = Point(x: 0, y: 0)
  }

  /// Moves the ball by one sample of the accelerometer.
  ///
  /// A ball that has left the screen is set back to the middle, at rest.
  /// A sample that is older than the last one, or not finite, changes nothing.
  ///
  /// - Parameters:
  ///   - accelerationX: The acceleration along the x axis of the device, in g.
  ///   - accelerationY: The acceleration along the y axis of the device, in g.
  ///   - timestamp: The time of the sample in seconds, from any beginning.
  public mutating func update(accelerationX: Double, accelerationY: Double, timestamp: Double) {
    guard accelerationX.isFinite, accelerationY.isFinite, timestamp.isFinite else { return }
    guard let last = lastTimestamp else {
      lastTimestamp = timestamp
      return
    }
    let elapsed = timestamp - last
    guard elapsed >= 0 else { return }
    lastTimestamp = timestamp
    guard elapsed <= Self.maximumGap else { return }

    velocity.x += accelerationX * accelerationPerG * elapsed
    velocity.y -= accelerationY * accelerationPerG * elapsed
    position.x += velocity.x * elapsed
    position.y += velocity.y * elapsed
    if !isInPlay { reset() }
  }

  /// Sets the ball back to the middle of the screen, at rest; the clock goes on.
  public mutating func reset() {
    position = Point(x: viewSize.x / 2, y: viewSize.y / 2)
    velocity = Point(x: 0, y: 0)
  }

  /// Whether any of the ball is on the screen; a position that overflowed is not.
  private var isInPlay: Bool {
    let isWithinWidth = position.x + ballSize.x >= 0 && position.x <= viewSize.x
    let isWithinHeight = position.y + ballSize.y >= 0 && position.y <= viewSize.y
    return isWithinWidth && isWithinHeight && velocity.x.isFinite && velocity.y.isFinite
  }
}
