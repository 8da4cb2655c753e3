// The actions of a hand on robots, scripts of them, and the text format of scripts.

public import SpheroOrientation
import SpheroProtocol

/// The pose of a robot in a hand, relative to heading 0. The rotations are intrinsic: yaw, then pitch, then roll.
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
    let radians = Double.pi / 180
    return Body.attitude(yaw: yaw * radians, pitch: pitch * radians, roll: roll * radians)
  }
}

/// The actions of a hand on robots, with their times, at which the owner of a ``RobotModel`` passes them to
/// ``RobotModel/perform(_:at:)``.
public struct HandScript: Hashable, Sendable {
  /// An action of a hand; later versions may have more, so a switch over it has a `default`.
  public enum Action: Hashable, Sendable {
    /// Lifts the robot and turns it to a pose in half a second.
    case hold(Pose)
    /// Puts the robot down in half a second, upright and without a change of its heading.
    case putDown
    /// Shakes the robot for a time; a sleeping robot wakes.
    case shake(Duration)
    /// Knocks against the robot: changes its velocity in m/s, to the right and ahead, relative to heading 0.
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

  public struct Step: Hashable, Sendable {
    /// The robot, counted from 0.
    public var robot: Int
    /// The time since the start of the script.
    public var time: Duration
    public var action: Action

    public init(robot: Int = 0, at time: Duration = .zero, _ action: Action) {
      (self.robot, self.time, self.action) = (robot, time, action)
    }
  }

  public private(set) var steps: [Step]

  /// Sorts steps by their times; steps with equal times keep their order.
  public init(_ steps: [Step] = []) {
    self.steps = steps.sorted { $0.time < $1.time }
  }

  /// The number of robots that the script needs.
  public var robotCount: Int { (steps.map { $0.robot }.max() ?? -1) + 1 }

  /// The form and the effect of each action.
  public static let help: KeyValuePairs<String, String> = [
    "hold POSE":
      "Takes it up and turns it in 0.5 s: \(Pose.named.map { $0.name }.joined(separator: ", ")).",
    "hold [POSE] [pitch N] [roll N] [yaw N]":
      "The same with angles in degrees; those left out are the pose's.",
    "put down": "Puts it down, upright on its heading, in 0.5 s.",
    "shake TIME": "Shakes it to and fro with 2 g, 5 times a second; this wakes it.",
    "knock RIGHT AHEAD":
      "Knocks against it: m/s to the right and ahead; it reports a collision if detection is on.",
    "charger in": "Puts it into its charger, where it sleeps.",
    "charger out": "Takes it out, which wakes it.",
    "hang up": "Breaks the client's line, which is opened again.",
    "wait TIME": "Does nothing for a while.",
  ]

  /// Parses the text of a script.
  ///
  /// Each line is an action as in ``help``, after an optional time since the start of the script, such as `500ms`.
  /// Without a time, the action begins at the end of the previous one.
  /// A line may begin with the robot, counted from 1: `2: 3s knock 0 -1`. `#` begins a comment.
  ///
  /// - Throws: `TextLineError` for the first line that is not valid.
  public init(parsing text: some StringProtocol) throws(TextLineError) {
    var steps: [Step] = []
    // The end of the previous action, and the time of the previous line.
    var (next, latest) = (Duration.zero, Duration.zero)
    try TextLine.forEach(of: text, subject: "script", atMost: 10_000) { line throws(TextLineError) in
      var words = line.words[...]
      var robot = 0
      if let word = words.first, word.last == ":" {
        guard let number = Int(String(word.dropLast())), (1...100).contains(number) else {
          throw line.error(.unknownRobot, "robots are numbered from 1: to 100:")
        }
        (robot, words) = (number - 1, words.dropFirst())
      }
      if let time = words.first.flatMap({ Duration(written: $0) }) {
        guard time >= latest else {
          throw line.error(.earlierTime, "its time lies before that of the line above")
        }
        (next, words) = (time, words.dropFirst())
      }
      latest = next
      if words.count == 2, words.first == "wait", let pause = words.last.flatMap({ Duration(written: $0) }) {
        next += pause
        return
      }
      guard let action = Action(words) else {
        throw line.error(.unknownLine, Self.expected(of: words.first ?? ""))
      }
      steps.append(Step(robot: robot, at: next, action))
      next += action.length
    }
    self.init(steps)
  }

  private static func expected(of word: String) -> String {
    var forms = help.map { $0.key }.filter { $0.prefix { $0 != " " } == word }
    if word == "hold" {
      forms.append("where POSE is one of \(Pose.named.map { $0.name }.joined(separator: ", "))")
    }
    if forms.isEmpty { forms = help.map { $0.key } }
    let time = forms.contains { $0.hasSuffix("TIME") } ? ", where TIME is \(Duration.writtenForms)" : ""
    return "write \(forms.joined(separator: ", "))\(time)"
  }
}

extension RobotModel {
  /// Performs an action of a hand; ``HandScript/Action/hangUp`` affects only the line of a robot.
  public mutating func perform(_ action: HandScript.Action, at now: Duration) {
    let aimed = Body.attitude(yaw: hardware.aim)
    switch action {
    case .hold(let pose): hold(aimed * pose.attitude, at: now)
    case .putDown: hold(nil, at: now)
    case .shake(let length): shake(Vector3(2 * Body.gravity, 0, 0), for: length, at: now)
    case .knock(let change):
      let turned = aimed.act(on: Vector3(change.x, change.y, 0))
      knock(Planar(turned.x, turned.y), at: now)
    case .charger(let isIn): setCharger(isIn, at: now)
    case .hangUp: tick(at: now)
    }
  }
}

extension HandScript.Action {
  fileprivate init?(_ words: ArraySlice<String>) {
    let rest = Array(words.dropFirst())
    switch (words.first, rest.count) {
    case ("hold", 1...):
      guard let pose = Pose(rest) else { return nil }
      self = .hold(pose)
    case ("put", 1) where rest[0] == "down": self = .putDown
    case ("shake", 1):
      guard let length = Duration(written: rest[0]), length > .zero else { return nil }
      self = .shake(length)
    case ("knock", 2):
      guard let right = Double(decimal: rest[0], within: Body.maximumSpeed),
        let ahead = Double(decimal: rest[1], within: Body.maximumSpeed)
      else { return nil }
      self = .knock(Planar(right, ahead))
    case ("charger", 1) where rest[0] == "in" || rest[0] == "out": self = .charger(isIn: rest[0] == "in")
    case ("hang", 1) where rest[0] == "up": self = .hangUp
    default: return nil
    }
  }
}

extension Pose {
  fileprivate init?(_ words: [String]) {
    var rest = words[...]
    self.init()
    if let first = rest.first, let named = Self.named.first(where: { $0.name == first }) {
      (self, rest) = (named.pose, rest.dropFirst())
    }
    while let axis = rest.popFirst() {
      guard let angle = rest.popFirst().flatMap({ Double(decimal: $0, within: 360) }) else { return nil }
      switch axis {
      case "pitch": pitch = angle
      case "roll": roll = angle
      case "yaw": yaw = angle
      default: return nil
      }
    }
  }
}
