// The actions of a hand on robots, and scripts of them.

public import SpheroOrientation

/// The pose of a robot in a hand: angles relative to heading 0, with the signs of the sensor stream.
///
/// The rotations are intrinsic: yaw, then pitch, then roll.
public struct Pose: Hashable, Sendable {
  /// Degrees; positive is nose up.
  public var pitch: Double
  /// Degrees; positive is right side down.
  public var roll: Double
  /// Degrees from heading 0, counter-clockwise from above.
  public var yaw: Double

  /// Creates a pose; by default level on heading 0.
  public init(pitch: Double = 0, roll: Double = 0, yaw: Double = 0) {
    (self.pitch, self.roll, self.yaw) = (pitch, roll, yaw)
  }

  /// The poses with names in scripts.
  public static let named: [(name: String, pose: Pose)] = [
    ("level", Pose()), ("nose-up", Pose(pitch: 90)), ("nose-down", Pose(pitch: -90)),
    ("right-side-down", Pose(roll: 90)), ("left-side-down", Pose(roll: -90)),
    ("upside-down", Pose(roll: 180)),
  ]

  /// Body to reference: x right, y forward on heading 0, z up.
  public var attitude: Rotation {
    func turn(_ axis: Vector3, _ degrees: Double) -> Rotation {
      Rotation(rotationVector: axis * (degrees * .pi / 180)) ?? .identity
    }
    return turn(Vector3(0, 0, 1), yaw) * turn(Vector3(1, 0, 0), pitch) * turn(Vector3(0, 1, 0), roll)
  }
}

/// The actions of a hand on robots, with their times.
///
/// A value without a clock: a simulator, or the owner of a ``RobotModel``, passes each action
/// to ``RobotModel/perform(_:at:)`` at its time.
public struct HandScript: Hashable, Sendable {
  /// An action of a hand.
  ///
  /// Later versions of the library may have more, so a switch over it has a `default`.
  public enum Action: Hashable, Sendable {
    /// Lifts the robot and turns it to a pose in half a second.
    case hold(Pose)
    /// Puts the robot down in half a second, upright and without a change of its heading.
    case putDown
    /// Shakes the robot for a time; a sleeping robot wakes.
    case shake(Duration)
    /// Knocks against the robot as another ball does.
    ///
    /// The value is the change of its velocity in m/s, to the right and ahead, relative to heading 0.
    case knock(Planar)
    /// Puts the robot into its charger, or takes it out.
    case charger(isIn: Bool)
    /// Closes the client's line, which the server opens again.
    case hangUp

    /// The time that the action takes.
    public var length: Duration {
      switch self {
      case .hold, .putDown: Duration(seconds: HandTurn.turnTime)
      case .shake(let length): length
      case .knock, .charger, .hangUp: .zero
      }
    }
  }

  /// An action with its time.
  public struct Step: Hashable, Sendable {
    /// The robot, counted from 0.
    public var robot: Int
    /// The time since the start of the script.
    public var time: Duration
    /// The action of the hand.
    public var action: Action

    public init(robot: Int = 0, at time: Duration = .zero, _ action: Action) {
      (self.robot, self.time, self.action) = (robot, time, action)
    }
  }

  /// The steps in the order of their times.
  public private(set) var steps: [Step]

  /// Sorts steps by their times; steps with equal times keep their order.
  public init(_ steps: [Step] = []) {
    self.steps = steps.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map { $0.element }
  }

  /// The number of robots that the script needs.
  public var robotCount: Int { (steps.map { $0.robot }.max() ?? -1) + 1 }
}

extension RobotModel {
  /// The amplitude of the acceleration of a shaking hand in m/s²: 2 g to the right and to the left.
  private static let shaking = Vector3(2 * Body.gravity, 0, 0)

  /// Performs an action of a hand; its directions are relative to heading 0.
  ///
  /// ``HandScript/Action/hangUp`` has no effect on a robot, only on its line.
  public mutating func perform(_ action: HandScript.Action, at now: Duration) {
    let aimed = Rotation(rotationVector: Vector3(0, 0, hardware.aim)) ?? .identity
    switch action {
    case .hold(let pose): hold(aimed * pose.attitude, at: now)
    case .putDown: hold(nil, at: now)
    case .shake(let length): shake(Self.shaking, for: length, at: now)
    case .knock(let change):
      let turned = aimed.act(on: Vector3(change.x, change.y, 0))
      knock(Planar(turned.x, turned.y), at: now)
    case .charger(let isIn): setCharger(isIn, at: now)
    case .hangUp: tick(at: now)
    }
  }
}
