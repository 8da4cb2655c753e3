// The position of the robot according to its wheels.

import SpheroProtocol

/// Integrates the distance that the wheels roll, on the axes that the client chooses.
///
/// As on a real robot, the position is wrong where the ball slips.
/// Sphero API 1.50, "Configure Locator"; Locator 1.0.
struct Locator: Hashable, Sendable {
  /// The way rolled since power-up, on the axes of the floor.
  private var rolled = Planar.zero
  private var origin = Planar.zero
  private var offset = Planar.zero
  /// The place on the floor at which the position was set.
  private var placeOnFloor: Planar
  /// The rotation of the locator's axes from those of the floor, in radians counter-clockwise.
  private var turn = 0.0
  /// Whether the axes stay in place when the client sets a new heading.
  private var keepsAxes = true
  private var yawTare = 0.0
  /// The axes on which the model counts.
  private let axes: ModelTraits.LocatorAxes

  /// Creates a locator at a place on the floor; `aim` is the direction of heading 0, in radians clockwise on the floor.
  init(axes: ModelTraits.LocatorAxes = .rightAhead, aim: Double = 0, at place: Planar) {
    (self.axes, placeOnFloor) = (axes, place)
    turn = -aim
  }

  mutating func add(_ way: Planar) { rolled += way }

  /// Metres to the right and ahead.
  var position: Planar { offset + turned(rolled - origin) }

  /// The position of a place on the floor, which a ball reaches there if it does not slip.
  func position(of place: Planar) -> Planar { offset + turned(place - placeOnFloor) }

  /// Rotates a vector from the axes of the floor to those of the locator.
  func turned(_ vector: Planar) -> Planar {
    let (s, c) = (sine(turn), cosine(turn))
    return Planar(c * vector.x + s * vector.y, c * vector.y - s * vector.x)
  }

  /// Converts a vector to the right and ahead to the axes of the model.
  func counted(_ vector: Planar) -> Planar {
    axes == .rightAhead ? vector : Planar(vector.y, -vector.x)
  }

  /// Converts a vector on the axes of the model to the right and ahead.
  private func uncounted(_ vector: Planar) -> Planar {
    axes == .rightAhead ? vector : Planar(-vector.y, vector.x)
  }

  /// Sets the position and the axes of a ball at a place on the floor.
  ///
  /// `aim` is the direction of heading 0, in radians clockwise on the floor.
  mutating func configure(_ command: Sensing.ConfigureLocator, aim: Double, at place: Planar) {
    keepsAxes = command.flags.contains(.correctYawTare)
    set(Planar(Double(command.x), Double(command.y)) / 100, at: place)
    yawTare = Double(command.yawTare) * .pi / 180
    turn = yawTare - aim
  }

  /// Sets the position of a ball at a place on the floor, in metres on the axes of the model.
  mutating func set(_ counted: Planar, at place: Planar) { setPosition(uncounted(counted), at: place) }

  private mutating func setPosition(_ position: Planar, at place: Planar) {
    (origin, offset, placeOnFloor) = (rolled, position, place)
  }

  /// Receives a new direction of heading 0 of a ball at a place on the floor, in radians clockwise on the floor.
  mutating func aim(at aim: Double, place: Planar) {
    guard !keepsAxes else { return }
    setPosition(position, at: place)
    turn = yawTare - aim
  }
}
