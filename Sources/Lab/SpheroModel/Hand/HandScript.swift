// What a hand does with robots, as a small text: one action on each line.

public import SpheroOrientation

/// How a hand holds a robot: angles on the axes that its client chose, in the signs of the robot's own stream.
///
/// The turns are those of yaw, then pitch, then roll, each about the axis as the turns before have left it.
public struct Pose: Hashable, Sendable {
  /// Degrees; positive is nose up.
  public var pitch: Double
  /// Degrees; positive is right side down.
  public var roll: Double
  /// Degrees from heading 0, counter-clockwise as seen from above.
  public var yaw: Double

  /// Makes a pose; without arguments, level on heading 0.
  public init(pitch: Double = 0, roll: Double = 0, yaw: Double = 0) {
    (self.pitch, self.roll, self.yaw) = (pitch, roll, yaw)
  }

  /// The poses that have a name.
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

/// What a hand does with robots, and when.
///
/// It is a value without a clock: a simulator plays it, or whoever holds a ``RobotModel``
/// gives each action to ``RobotModel/perform(_:at:)`` at its time.
public struct HandScript: Hashable, Sendable {
  /// Something that a hand does.
  ///
  /// Later versions of the library may have more, so a switch over it has a `default`.
  public enum Action: Hashable, Sendable {
    /// Takes the robot up, or keeps it, and turns it to a pose in half a second.
    case hold(Pose)
    /// Puts it down, upright on its heading, in half a second.
    case putDown
    /// Shakes it to and fro, which wakes it.
    case shake(Duration)
    /// Knocks against it as another ball would: m/s to the right and ahead, on the axes of heading 0.
    case knock(Planar)
    /// Puts it into its charger, or takes it out.
    case charger(isIn: Bool)
    /// Breaks the client's line; whoever serves the robot opens it again.
    case hangUp

    /// How long it takes.
    public var length: Duration {
      switch self {
      case .hold, .putDown: Duration(seconds: Grip.turnTime)
      case .shake(let length): length
      case .knock, .charger, .hangUp: .zero
      }
    }
  }

  /// An action with its time.
  public struct Step: Hashable, Sendable {
    /// The robot, counted from 0.
    public var robot: Int
    /// When, from the beginning of the script.
    public var time: Duration
    /// What is done.
    public var action: Action
    /// Makes a step.
    public init(robot: Int = 0, at time: Duration = .zero, _ action: Action) {
      (self.robot, self.time, self.action) = (robot, time, action)
    }
  }

  /// What is done, in the order of time.
  public private(set) var steps: [Step]

  /// Makes a script of steps, which are put in the order of their times; without them, nothing is done.
  public init(_ steps: [Step] = []) {
    self.steps = steps.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map { $0.element }
  }

  /// How many robots it needs.
  public var robotCount: Int { (steps.map { $0.robot }.max() ?? -1) + 1 }
}

extension RobotModel {
  /// The most that a shaking hand accelerates it: 2 g to the right and to the left.
  private static let shaking = Vector3(2 * Body.gravity, 0, 0)

  /// Does what a hand does; its directions count from heading 0.
  ///
  /// ``HandScript/Action/hangUp`` concerns the line and does nothing to a robot.
  public mutating func perform(_ action: HandScript.Action, at now: Duration) {
    let aimed = Rotation(rotationVector: Vector3(0, 0, machine.aim)) ?? .identity
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
