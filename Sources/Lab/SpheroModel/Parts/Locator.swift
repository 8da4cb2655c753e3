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
  /// The rotation of the locator's axes from those of the floor, in radians counter-clockwise.
  private var turn = 0.0
  /// Whether the axes stay in place when the client sets a new heading.
  private var keepsAxes = true
  private var yawTare = 0.0
  /// The axes on which the model counts.
  private let axes: ModelTraits.LocatorAxes

  /// Creates a locator; `aim` is the direction of heading 0, in radians clockwise on the floor.
  init(axes: ModelTraits.LocatorAxes = .rightAhead, aim: Double = 0) {
    self.axes = axes
    turn = -aim
  }

  mutating func add(_ way: Planar) { rolled += way }

  /// Metres to the right and ahead.
  var position: Planar { offset + turned(rolled - origin) }

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

  /// Sets the position and the axes; `aim` is the direction of heading 0, in radians clockwise on the floor.
  mutating func configure(_ command: Sensing.ConfigureLocator, aim: Double) {
    keepsAxes = command.flags.contains(.correctYawTare)
    set(Planar(Double(command.x), Double(command.y)) / 100)
    yawTare = Double(command.yawTare) * .pi / 180
    turn = yawTare - aim
  }

  /// Sets the position, in metres on the axes of the model.
  mutating func set(_ counted: Planar) { place(at: uncounted(counted)) }

  private mutating func place(at position: Planar) { (origin, offset) = (rolled, position) }

  /// Receives a new direction of heading 0, in radians clockwise on the floor.
  mutating func aim(at aim: Double) {
    guard !keepsAxes else { return }
    place(at: position)
    turn = yawTare - aim
  }
}
