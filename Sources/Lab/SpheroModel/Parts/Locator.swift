// The position of the robot according to its wheels.

import SpheroLibc
import SpheroProtocol

/// Integrates the way of the wheels, on the axes that the client chooses; metres, radians counter-clockwise.
///
/// As on a real robot, the position is wrong where the ball slips. Sphero API 1.50, "Configure Locator"; Locator 1.0.
struct Locator: Hashable, Sendable {
  /// The displacement by the wheels since power-up on the axes of the floor, and its value when the position was set.
  private var (rolled, origin) = (Planar.zero, Planar.zero)
  /// The position that was set, and the place on the floor at which it was set.
  private var offset = Planar.zero
  private var placeOnFloor: Planar
  /// The rotation of the axes from those of the floor.
  private var turn: Double
  /// The rotation of the axes from heading 0, which the client sets.
  private var yawTare = 0.0
  /// Whether a new heading 0 leaves the axes as they are on the floor.
  private var keepsAxes = true
  private let axes: ModelTraits.LocatorAxes

  /// Creates a locator at a place on the floor; `aim` is the yaw of heading 0 on the floor.
  init(axes: ModelTraits.LocatorAxes = .rightAhead, aim: Double = 0, at place: Planar) {
    (self.axes, placeOnFloor, turn) = (axes, place, aim)
  }

  /// Adds a displacement by the wheels, in metres on the axes of the floor.
  mutating func add(_ way: Planar) { rolled += way }

  var position: Planar { offset + turned(rolled - origin) }

  /// The position that the locator has when the ball has rolled without slip to a place on the floor.
  func position(of place: Planar) -> Planar { offset + turned(place - placeOnFloor) }

  /// Rotates a vector from the axes of the floor to those of the locator.
  func turned(_ vector: Planar) -> Planar {
    let (s, c) = (sin(turn), cos(turn))
    return Planar(c * vector.x + s * vector.y, c * vector.y - s * vector.x)
  }

  /// Converts a vector to the right and ahead to the axes of the model.
  func onModelAxes(_ vector: Planar) -> Planar {
    axes == .rightAhead ? vector : Planar(vector.y, -vector.x)
  }

  /// Sets the position and the axes of a ball at a place on the floor; `aim` is the yaw of heading 0.
  mutating func configure(_ command: Sensing.ConfigureLocator, aim: Double, at place: Planar) {
    keepsAxes = command.flags.contains(.correctYawTare)
    set(Planar(Double(command.x), Double(command.y)) / 100, at: place)
    yawTare = Double(command.yawTare) * .pi / 180
    turn = yawTare + aim
  }

  /// Sets the position of a ball at a place on the floor, in metres on the axes of the model.
  mutating func set(_ position: Planar, at place: Planar) {
    offset = axes == .rightAhead ? position : Planar(-position.y, position.x)
    (origin, placeOnFloor) = (rolled, place)
  }

  /// Handles a change of heading 0 to the yaw `aim` while the ball is at a place on the floor.
  mutating func aim(at aim: Double, place: Planar) {
    guard !keepsAxes else { return }
    (offset, origin, placeOnFloor) = (position, rolled, place)
    turn = yawTare + aim
  }
}
