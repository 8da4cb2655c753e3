// The options of simulated robots as text: `model=ollie,seed=7,drop=1%`.

import SpheroModel
import SpheroProtocol

/// Why a text of options cannot be used: the option, and what would do.
public struct SimulatorOptionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  @nonexhaustive public enum Code: Hashable, Sendable {
    /// There is no option of this name.
    case unknownName
    /// The option cannot have this value.
    case unusableValue
    /// The option is not a fault, and only faults can stand there.
    case noFault
  }

  /// What is wrong.
  public let code: Code
  /// The option as it was written.
  public let option: String
  /// What would do.
  public let expected: String
  /// One sentence for people.
  public var description: String { "'\(option)' is not an option of a simulated robot: \(expected)" }
}

/// What a simulated robot and its line are like, as people write it.
///
/// One parser for `sim:` ports and for `sphero simulate`.
public struct SimulatorOptions: Sendable {
  /// The robot.
  public var robot = SimulatedRobot.Configuration()
  /// What goes wrong on its line.
  public var faults = FaultPlan()
  /// The file that describes the floor, or nil for one that goes on for ever.
  public var floorPath: String?
  /// The file that says what a hand does, or nil for none.
  public var scriptPath: String?
  /// How many times faster than real time the world runs.
  public var pace = 1.0

  /// A robot as it comes from the shop, on a good line.
  public init() {}

  /// Reads options like `model=ollie,seed=7,drop=1%`.
  ///
  /// - Throws: ``SimulatorOptionError`` with the first option that means nothing.
  public init(parsing text: some StringProtocol) throws(SimulatorOptionError) {
    self.init()
    try apply(text)
  }

  /// Reads more options; a later one replaces an earlier one, but faults add up.
  ///
  /// - Throws: ``SimulatorOptionError`` with the first option that means nothing.
  public mutating func apply(_ text: some StringProtocol) throws(SimulatorOptionError) {
    for part in text.split(separator: ",") {
      let (name, value) = Self.parts(part)
      guard Self.names.contains(name) else {
        throw SimulatorOptionError(
          code: .unknownName, option: String(part),
          expected: "the names are \(Self.names.joined(separator: ", "))")
      }
      guard let value, set(name, to: value) else {
        throw SimulatorOptionError(
          code: .unusableValue, option: String(part), expected: "write \(Self.form(of: name))")
      }
    }
  }

  /// Reads faults alone, like `drop=1%,close=10s:3s`; they add up.
  ///
  /// - Throws: ``SimulatorOptionError`` with the first option that is not a fault.
  public mutating func applyFaults(_ text: some StringProtocol) throws(SimulatorOptionError) {
    for part in text.split(separator: ",") where !FaultPlan.names.contains(Self.parts(part).name) {
      throw SimulatorOptionError(
        code: .noFault, option: String(part),
        expected: "the faults are \(FaultPlan.names.joined(separator: ", "))")
    }
    try apply(text)
  }

  /// Sets one option.
  ///
  /// - Parameters:
  ///   - name: One of ``names``.
  ///   - value: What stands after `=`; commas mean nothing here.
  /// - Returns: Whether there is such an option and it can have this value.
  public mutating func set(_ name: String, to value: String) -> Bool {
    if let row = Self.rows.first(where: { $0.name == name }) { return row.set(&self, value) }
    return FaultPlan.names.contains(name) && faults.set(name, value)
  }

  private static func parts(_ option: some StringProtocol) -> (name: String, value: String?) {
    guard let sign = option.firstIndex(of: "=") else { return (String(option), nil) }
    return (String(option[..<sign]), String(option[option.index(after: sign)...]))
  }

  private static func form(of name: String) -> String {
    let form = rows.first { $0.name == name }.map { "\(name)=\($0.form)" } ?? FaultPlan.form(of: name)
    return wordHelp.filter { form.contains($0.word) }.reduce(form) { "\($0); \($1.word) is \($1.text)" }
  }

  /// What the words in the forms stand for.
  private static let wordHelp = [
    (word: "TRAFFIC", text: FaultPlan.trafficHelp), (word: "TIME", text: Duration.writtenForms),
  ]

  /// The option names, in the order of ``help``.
  public static var names: [String] { rows.map(\.name) + FaultPlan.names }

  /// The names of the faults, which stand after the other options.
  public static var faultNames: [String] { FaultPlan.names }

  /// One line for each option: how it is written, and what it does.
  public static var help: [(form: String, text: String)] {
    settings.map { ("\($0.name)=\($0.form)", $0.text) } + FaultPlan.help
  }

  /// Every option but the faults: its name, the form of its value, and what it does.
  public static var settings: [(name: String, form: String, text: String)] {
    rows.map { ($0.name, $0.form, $0.text) }
  }

  /// How each option is written; the last also says what TRAFFIC and TIME stand for.
  package static var forms: [String] {
    help.dropLast().map(\.form)
      + help.suffix(1).map { wordHelp.reduce($0.form) { "\($0); \($1.word) is \($1.text)" } }
  }

  private struct Row: Sendable {
    var name: String
    var form: String
    var text: String
    /// Whether the value could be used.
    var set: @Sendable (inout SimulatorOptions, String) -> Bool
  }

  /// Every option but the faults, once.
  private static let rows: [Row] = [
    Row(name: "name", form: "TEXT", text: "The name that the robot gives.") { options, value in
      options.robot.name = value
      return !value.isEmpty && value.utf8.count <= 48
    },
    Row(name: "model", form: "sphero1|sphero2|sprk|ollie", text: "The kind of robot.") { options, value in
      guard let profile = Profile.all.first(where: { $0.name == value }) else { return false }
      options.robot.model.profile = profile
      return true
    },
    Row(name: "seed", form: "N", text: "The seed of the sensor noise and the faults.") {
      options, value in
      guard let seed = UInt64(value) else { return false }
      (options.robot.seed, options.faults.seed) = (seed, seed)
      return true
    },
    Row(name: "latency", form: "TIME", text: "How long a command takes to arrive.") { options, value in
      guard let time = Duration(written: value) else { return false }
      options.robot.latency = time
      return true
    },
    Row(name: "battery", form: "PERCENT", text: "How full the battery is.") { options, value in
      guard let charge = fraction(value) else { return false }
      options.robot.model.charge = charge
      return true
    },
    Row(name: "clock", form: "0.9...1.1", text: "How fast the robot's clock runs.") { options, value in
      guard let rate = Double(value), (0.9...1.1).contains(rate) else { return false }
      options.robot.clockRate = rate
      return true
    },
    Row(name: "reading", form: "a|b|c|d1|d2", text: "What the quaternion and the sensors mean.") {
      options, value in
      guard let reading = SensorReading(rawValue: value) else { return false }
      options.robot.model.reading = reading
      return true
    },
    Row(
      name: "renewal", form: "count|restart|nothing|sum",
      text: "What a repeated stream request restarts; by default, the packet count."
    ) { options, value in
      guard let renewal = StreamRenewal(rawValue: value) else { return false }
      options.robot.model.renewal = renewal
      return true
    },
    Row(
      name: "reserved", form: "zeros|nothing", text: "What reserved mask bits stream; by default zeros."
    ) { options, value in
      options.robot.model.streamsReservedBits = value == "zeros"
      return value == "zeros" || value == "nothing"
    },
    Row(name: "version", form: "8|10", text: "How many bytes the version record has.") { options, value in
      options.robot.hasLongVersionRecord = value == "10"
      return value == "8" || value == "10"
    },
    Row(name: "greeting", form: "TEXT", text: "Bytes that the robot sends first on a connection, like u>.") {
      options, value in
      options.robot.greeting = Array(value.utf8)
      return value.utf8.count <= 64
    },
    Row(
      name: "sleep", form: "hangup|silent",
      text: "Whether falling asleep closes the line; it does by default."
    ) {
      options, value in
      options.robot.hangsUpToSleep = value == "hangup"
      return value == "silent" || value == "hangup"
    },
    Row(name: "nap", form: "TIME", text: "How long after the first client the robot falls asleep.") {
      options, value in
      options.robot.napDelay = Duration(written: value)
      return options.robot.napDelay != nil
    },
    Row(name: "floor", form: "FILE", text: "The file that describes the floor.") { options, value in
      options.floorPath = value
      return !value.isEmpty
    },
    Row(name: "script", form: "FILE", text: "The file with the actions of the hand.") {
      options, value in
      options.scriptPath = value
      return !value.isEmpty
    },
    Row(name: "pace", form: "0.01...100", text: "How many times faster than real time the world runs.") {
      options, value in
      guard let pace = Double(value), (0.01...100).contains(pace) else { return false }
      options.pace = pace
      return true
    },
  ]

  /// A part of one, written as `1%` or `0.01`.
  static func fraction(_ text: some StringProtocol) -> Double? {
    let value = text.hasSuffix("%") ? Double(String(text.dropLast())).map { $0 / 100 } : Double(String(text))
    return value.flatMap { (0...1).contains($0) ? $0 : nil }
  }
}
