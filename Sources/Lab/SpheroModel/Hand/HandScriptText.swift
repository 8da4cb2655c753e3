// The text format of hand scripts.

public import SpheroOrientation
import SpheroProtocol

extension HandScript {
  /// The maximum number of lines of a text.
  private static let maximumLines = 10_000
  /// The maximum number of robots on a floor.
  private static let maximumRobots = 100

  /// The form and the effect of each action.
  public static let help: [(form: String, text: String)] = [
    (
      "hold POSE", "Takes it up and turns it in 0.5 s: \(Pose.named.map { $0.name }.joined(separator: ", "))."
    ),
    (
      "hold [POSE] [pitch N] [roll N] [yaw N]",
      "The same with angles in degrees; those left out are the pose's."
    ),
    ("put down", "Puts it down, upright on its heading, in 0.5 s."),
    ("shake TIME", "Shakes it to and fro with 2 g, 5 times a second; this wakes it."),
    (
      "knock RIGHT AHEAD",
      "Knocks against it: m/s to the right and ahead; it reports a collision if detection is on."
    ),
    ("charger in", "Puts it into its charger, where it sleeps."),
    ("charger out", "Takes it out, which wakes it."),
    ("hang up", "Breaks the client's line, which is opened again."),
    ("wait TIME", "Does nothing for a while."),
  ]

  /// Parses the text of a script.
  ///
  /// Each line is an action as in ``help``, after an optional time since the start of the script: `2s`, `500ms`,
  /// `1min`, or a number of seconds. Without a time, the action begins at the end of the previous one.
  /// A line may begin with the robot, counted from 1: `2: 3s knock 0 -1`. `#` begins a comment.
  ///
  /// - Throws: `TextLineError` for the first line that is not valid.
  public init(parsing text: some StringProtocol) throws(TextLineError) {
    var steps: [Step] = []
    // The end of the previous action, and the time of the previous line.
    var (next, latest) = (Duration.zero, Duration.zero)
    try TextLine.forEach(of: text, subject: "script", atMost: Self.maximumLines) {
      line throws(TextLineError) in
      var words = line.words[...]
      var robot = 0
      if let word = words.first, word.last == ":" {
        guard let number = Int(String(word.dropLast())), (1...Self.maximumRobots).contains(number) else {
          throw line.error(.unknownRobot, "robots are numbered from 1: to \(Self.maximumRobots):")
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

  /// The advice for an invalid line that begins with a word.
  private static func expected(of word: String) -> String {
    var forms = help.map { $0.form }.filter { $0.prefix { $0 != " " } == word }
    if word == "hold" {
      forms.append("where POSE is one of \(Pose.named.map { $0.name }.joined(separator: ", "))")
    }
    if forms.isEmpty { forms = help.map { $0.form } }
    let time = forms.contains { $0.hasSuffix("TIME") } ? ", where TIME is \(Duration.writtenForms)" : ""
    return "write \(forms.joined(separator: ", "))\(time)"
  }
}

extension HandScript.Action {
  /// Parses the words of an action; nil if they are not valid.
  fileprivate init?(_ words: ArraySlice<String>) {
    guard let verb = words.first else { return nil }
    let rest = Array(words.dropFirst())
    switch (verb, rest.count) {
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
  /// Parses a name, angles, or both.
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

extension Double {
  /// Parses a decimal number whose magnitude is at most `limit`.
  init?(decimal text: String, within limit: Double) {
    guard let number = Double(decimal: text), abs(number) <= limit else { return nil }
    self = number
  }
}
