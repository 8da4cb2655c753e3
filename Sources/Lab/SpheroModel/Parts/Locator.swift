// Where the wheels say that the robot is.

import SpheroProtocol

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Adds up the way that the wheels rolled, on the axes that the client chose.
///
/// It follows the wheels, so where the ball slips it is wrong, like a real one.
/// Sphero API 1.50, "Configure Locator"; Locator 1.0.
struct Locator: Hashable, Sendable {
  /// The way rolled since power-up, on the axes of the floor.
  private var rolled = Planar.zero
  private var origin = Planar.zero
  private var offset = Planar.zero
  /// How far the locator's axes are turned against the floor's, in radians clockwise.
  private var turn = 0.0
  /// Whether its axes stay where they are when the heading is set anew.
  private var keepsAxes = true
  private var yawTare = 0.0

  /// Begins at 0, 0.
  ///
  /// - Parameter aim: Where heading 0 points: radians clockwise on the floor.
  init(aim: Double = 0) { turn = -aim }

  /// Adds the way of one step.
  mutating func add(_ way: Planar) { rolled += way }

  /// The place in metres to the right and ahead.
  var position: Planar { offset + turned(rolled - origin) }

  /// A direction of the floor on the axes of the locator.
  func turned(_ vector: Planar) -> Planar {
    let (s, c) = (sin(turn), cos(turn))
    return Planar(c * vector.x + s * vector.y, c * vector.y - s * vector.x)
  }

  /// Says where the robot is, and how the axes lie.
  ///
  /// - Parameters:
  ///   - command: Centimetres, and the yaw tare in degrees.
  ///   - aim: Where heading 0 points: radians clockwise on the floor.
  mutating func configure(_ command: Sensing.ConfigureLocator, aim: Double) {
    keepsAxes = command.flags.contains(.correctYawTare)
    place(at: Planar(Double(command.x), Double(command.y)) / 100)
    yawTare = Double(command.yawTare) * .pi / 180
    turn = yawTare - aim
  }

  /// Says where the robot is, in metres.
  mutating func place(at position: Planar) { (origin, offset) = (rolled, position) }

  /// Heading 0 points elsewhere: radians clockwise on the floor.
  mutating func aim(at aim: Double) {
    guard !keepsAxes else { return }
    place(at: position)
    turn = yawTare - aim
  }
}
