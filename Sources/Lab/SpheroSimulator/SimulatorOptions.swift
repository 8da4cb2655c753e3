// The options of simulated robots as text: `model=ollie,seed=7,drop=1%`.

import SpheroModel
import SpheroOrientation
import SpheroProtocol

/// An error in an option of a simulated robot.
public struct SimulatorOptionError: Error, Hashable, Sendable, CustomStringConvertible {
  @nonexhaustive public enum Code: Hashable, Sendable {
    /// No option has this name.
    case unknownName
    /// The value is missing or not valid for the option.
    case invalidValue
    /// The option is not a fault, in a list of faults.
    case noFault
  }

  public let code: Code
  /// The option as written.
  public let option: String
  /// Advice on valid options.
  public let expected: String
  public var description: String {
    switch code {
    case .invalidValue:
      let (name, value) = SimulatorOptions.parts(option)
      let message = value.map { "'\($0)' is not a value for \(name)" } ?? "\(name) has no value"
      return "\(message): \(expected)"
    case .unknownName: return "'\(option)' is not an option of a simulated robot: \(expected)"
    case .noFault: return "'\(option)' is not a fault: \(expected)"
    }
  }
}

/// The options of a simulated robot and its line, for `sim:` ports and for `sphero simulate`.
public struct SimulatorOptions: Sendable {
  public var robot = SimulatedRobot.Configuration()
  public var faults = FaultPlan()
  public enum FloorChoice: Hashable, Sendable {
    /// `Floor.room`.
    case room
    /// A level floor without walls.
    case unbounded
    /// The floor that a file describes.
    case file(path: String)
  }

  public var floor = FloorChoice.room
  /// The file of the hand's script; nil for none.
  public var scriptPath: String?
  /// The rate of the world's time relative to real time; the option allows 0.01...100.
  public var pace = 1.0

  public init() {}

  /// Parses options such as `model=ollie,seed=7,drop=1%`.
  ///
  /// - Throws: ``SimulatorOptionError`` for the first option that is not valid.
  public init(parsing text: some StringProtocol) throws(SimulatorOptionError) {
    self.init()
    try apply(text)
  }

  /// Parses further options, which replace earlier ones; faults accumulate.
  ///
  /// - Throws: ``SimulatorOptionError`` for the first option that is not valid.
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
          code: .invalidValue, option: String(part), expected: "write \(Self.form(of: name))")
      }
    }
  }

  /// Parses only faults, such as `drop=1%,close=10s:3s`, which accumulate.
  ///
  /// - Throws: ``SimulatorOptionError`` for the first option that is not a fault or, if all are faults, for the first
  ///   invalid value.
  public mutating func applyFaults(_ text: some StringProtocol) throws(SimulatorOptionError) {
    for part in text.split(separator: ",") where !Self.faultNames.contains(Self.parts(part).name) {
      throw SimulatorOptionError(
        code: .noFault, option: String(part),
        expected: "the faults are \(Self.faultNames.joined(separator: ", "))")
    }
    try apply(text)
  }

  /// Sets an option to the text after `=`, in which commas have no meaning; returns whether both are valid.
  public mutating func set(_ name: String, to value: String) -> Bool {
    Self.allRows.first { $0.name == name }?.set(&self, value) ?? false
  }

  /// Splits an option into its name and its value, which is nil if there is no `=`.
  package static func parts(_ option: some StringProtocol) -> (name: String, value: String?) {
    guard let sign = option.firstIndex(of: "=") else { return (String(option), nil) }
    return (String(option[..<sign]), String(option[option.index(after: sign)...]))
  }

  /// The form of an option, with the meanings of the words in it.
  package static func form(of name: String) -> String {
    let form = allRows.first { $0.name == name }.map { "\(name)=\($0.form)" } ?? name
    return wordHelp.filter { form.contains($0.word) }.reduce(form) { "\($0); \($1.word) is \($1.text)" }
  }

  private static let wordHelp = [
    (word: "PERCENT", text: "a number like 8%, or a fraction like 0.08"),
    (word: "CHANCE", text: "a number like 5%, or a fraction like 0.05"),
    (word: "TRAFFIC", text: FaultPlan.trafficHelp), (word: "TIME", text: Duration.writtenForms),
  ]

  /// The option names, in the order of ``help``.
  public static var names: [String] { allRows.map(\.name) }

  /// The option names of faults, such as `drop`.
  public static var faultNames: [String] { FaultPlan.rows.map(\.name) }

  /// The form and the effect of each option, with its default.
  public static var help: [(form: String, text: String)] {
    allRows.map { row in
      ("\(row.name)=\(row.form)", row.text + (row.standard.map { " (default: \($0))" } ?? ""))
    }
  }

  package struct Row: Sendable {
    package var name: String
    /// The form of the value.
    package var form: String
    package var text: String
    /// The value without the option; nil if the option has an effect only if it is given.
    package var standard: String?
    var set: @Sendable (inout SimulatorOptions, String) -> Bool
  }

  /// An option whose value is parsed by a function; nil is not valid.
  private static func row<Value>(
    _ name: String, _ form: String, _ text: String, _ standard: String?,
    _ property: any WritableKeyPath<SimulatorOptions, Value> & Sendable,
    _ parse: @escaping @Sendable (String) -> Value?
  ) -> Row {
    Row(name: name, form: form, text: text, standard: standard) { options, text in
      guard let value = parse(text) else { return false }
      options[keyPath: property] = value
      return true
    }
  }

  private static func row<Value: Sendable>(
    _ name: String, _ choices: [(word: String, value: Value)], _ text: String, _ standard: String,
    _ property: any WritableKeyPath<SimulatorOptions, Value> & Sendable
  ) -> Row {
    row(name, choices.map(\.word).joined(separator: "|"), text, standard, property) { word in
      choices.first { $0.word == word }?.value
    }
  }

  /// The seed of the sensor noise and that of the faults.
  private var seed: UInt64 {
    get { faults.seed }
    set { (robot.seed, faults.seed) = (newValue, newValue) }
  }

  private static var allRows: [Row] { settings + FaultPlan.rows }

  /// Every option except the faults.
  package static let settings: [Row] = [
    row("name", "TEXT", "The name that the robot gives.", "Sphero-SIM", \.robot.model.name) {
      text($0, 1...48)
    },
    row("model", Profile.all.map { ($0.name, $0) }, "The kind of robot.", "sphero2", \.robot.model.profile),
    row("seed", "N", "The seed of the sensor noise and the faults.", "1", \.seed) { UInt64($0) },
    row("latency", "TIME", "How long a command takes to arrive.", "0s", \.robot.latency) {
      Duration(written: $0)
    },
    row("battery", "PERCENT", "How full the battery is.", "70%", \.robot.model.charge) { ratio($0, 0...1) },
    row("clock", "0.9...1.1", "How fast the robot's clock runs.", "1", \.robot.model.clockRate) {
      number($0, 0.9...1.1)
    },
    row(
      "reading", SensorAxes.allCases.map { ($0.rawValue, $0) },
      "What the quaternion and the sensors mean.", "c", \.robot.model.sensorAxes),
    row(
      "stream", [("ends", false), ("continues", true)],
      "Whether a stream ends with its client, or continues for the next client as a robot's does.",
      "ends", \.robot.model.keepsStreaming),
    row(
      "renewal", StreamRenewal.allCases.map { ($0.rawValue, $0) },
      "What a repeated stream request restarts: the packet count, all, nothing, or the count plus the rest.",
      "count", \.robot.model.renewal),
    row(
      "reserved", [("zeros", true), ("nothing", false)], "What reserved mask bits stream.", "zeros",
      \.robot.model.streamsReservedBits),
    row(
      "version", [("8", false), ("10", true)], "How many bytes the version record has.", "8",
      \.robot.model.hasLongVersionRecord),
    row(
      "greeting", "TEXT", "Bytes that the robot sends first on a connection, like u>.", nil,
      \.robot.model.greeting
    ) { text($0, 0...64).map { Array($0.utf8) } },
    row(
      "sleep", [("hangup", true), ("silent", false)], "Whether falling asleep closes the line.", "hangup",
      \.robot.hangsUpToSleep),
    row("nap", "TIME", "How long after the first client the robot falls asleep.", nil, \.robot.napDelay) {
      Duration(written: $0).map(Optional.some)
    },
    row(
      "floor", "room|none|FILE",
      "'room' is a room of 2 by 2 m, 'none' a floor without walls; or the file that describes the floor.",
      "room", \.floor
    ) { text($0, 1...).map { $0 == "room" ? .room : $0 == "none" ? .unbounded : .file(path: $0) } },
    row("script", "FILE", "The file with the actions of the hand.", nil, \.scriptPath) {
      text($0, 1...).map(Optional.some)
    },
    row(
      "locator", [("both", false), ("backward", true)],
      "Whether the locator counts pushes in both directions, or only backward ones once motors have driven.",
      "both", \.robot.model.missesForwardPushes),
    row(
      "gyro-bias", "N[:N:N]", "The gyroscope's bias in degrees/s: of all axes, or of x, y and z.", "0",
      \.robot.model.errors.gyroscope.bias
    ) { axes($0) { number($0, -500...500) } },
    row(
      "gyro-scale", "PERCENT[:PERCENT:PERCENT]", "How much too high the gyroscope's rates are.", "0%",
      \.robot.model.errors.gyroscope.scale
    ) { axes($0) { ratio($0, -0.5...0.5) } },
    row(
      "gyro-misalignment", "N[:N:N]", "The gyroscope's turn about x, y and z against the robot, in degrees.",
      "0", \.robot.model.errors.gyroscope.misalignment
    ) { axes($0) { number($0, -45...45) } },
    row(
      "gyro-drift", "N[:N:N]",
      "The change of the gyroscope's bias in degrees/s for each degree Celsius above 24.5, the start.", "0",
      \.robot.model.errors.gyroscope.drift
    ) { axes($0) { number($0, -10...10) } },
    row("pace", "0.01...100", "How many times faster than real time the world runs.", "1", \.pace) {
      number($0, 0.01...100)
    },
  ]

  private static func text(_ text: String, _ byteCounts: some RangeExpression<Int>) -> String? {
    byteCounts.contains(text.utf8.count) ? text : nil
  }

  private static func number(_ text: String, _ range: ClosedRange<Double>) -> Double? {
    Double(text).flatMap { range.contains($0) ? $0 : nil }
  }

  /// Parses a fraction, written as `1%` or `0.01`.
  static func ratio(_ text: some StringProtocol, _ range: ClosedRange<Double>) -> Double? {
    let value = text.hasSuffix("%") ? Double(String(text.dropLast())).map { $0 / 100 } : Double(String(text))
    return value.flatMap { range.contains($0) ? $0 : nil }
  }

  /// Parses one number for all axes, or three for x, y and z.
  private static func axes(_ text: String, _ parse: (String) -> Double?) -> Vector3? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let values = parts.compactMap { parse(String($0)) }
    guard values.count == parts.count, let first = values.first else { return nil }
    if values.count == 1 { return Vector3(first, first, first) }
    return values.count == 3 ? Vector3(first, values[1], values[2]) : nil
  }
}
