// The options of simulated robots as text: `model=ollie,seed=7,drop=1%`.

import SpheroModel
import SpheroProtocol

/// Why a text of options cannot be used: the option, and what would do.
public struct SimulatorOptionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The option as it was written.
  public var option: String
  /// What would do.
  public var expected: String
  /// One sentence for people.
  public var description: String { "'\(option)' is no option of a simulated robot: \(expected)" }
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
  /// How many times faster than usual time passes.
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

  /// Reads more options; a later one replaces an earlier one.
  ///
  /// - Throws: ``SimulatorOptionError`` with the first option that means nothing.
  public mutating func apply(_ text: some StringProtocol) throws(SimulatorOptionError) {
    for part in text.split(separator: ",") { try set(String(part)) }
  }

  /// The option names, in the order of ``help``.
  public static var names: [String] { rows.map(\.name) + FaultPlan.names }

  /// One line for each option: how it is written, and what it does.
  public static var help: [(form: String, text: String)] {
    rows.map { ("\($0.name)=\($0.form)", $0.text) } + FaultPlan.help
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
    Row(name: "seed", form: "N", text: "Where the noise of the sensors and the faults begin.") {
      options, value in
      guard let seed = UInt64(value) else { return false }
      (options.robot.seed, options.faults.seed) = (seed, seed)
      return true
    },
    Row(name: "latency", form: "TIME", text: "How long a command is on its way.") { options, value in
      guard let time = Duration(option: value) else { return false }
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
    Row(name: "reading", form: "a|b|c|d", text: "How quaternion and accelerometer are to be read.") {
      options, value in
      guard let reading = SensorReading(rawValue: value) else { return false }
      options.robot.model.reading = reading
      return true
    },
    Row(name: "version", form: "8|10", text: "How many bytes the version record has.") { options, value in
      options.robot.hasLongVersionRecord = value == "10"
      return value == "8" || value == "10"
    },
    Row(name: "greeting", form: "TEXT", text: "Bytes that come first on a connection, like u>.") {
      options, value in
      options.robot.greeting = Array(value.utf8)
      return value.utf8.count <= 64
    },
    Row(
      name: "sleep", form: "hangup|silent",
      text: "Whether falling asleep closes the line, as it does by itself."
    ) {
      options, value in
      options.robot.hangsUpToSleep = value == "hangup"
      return value == "silent" || value == "hangup"
    },
    Row(name: "floor", form: "FILE", text: "The file that describes the floor.") { options, value in
      options.floorPath = value
      return !value.isEmpty
    },
    Row(name: "pace", form: "N", text: "How many times faster than usual time passes.") { options, value in
      guard let pace = Double(value), (0.01...100).contains(pace) else { return false }
      options.pace = pace
      return true
    },
  ]

  private mutating func set(_ option: String) throws(SimulatorOptionError) {
    let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let (name, value) = (String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : "")
    if let row = Self.rows.first(where: { $0.name == name }) {
      guard parts.count == 2, row.set(&self, value) else {
        throw SimulatorOptionError(option: option, expected: "write \(name)=\(row.form)")
      }
    } else if FaultPlan.names.contains(name) {
      guard parts.count == 2, faults.set(name, value) else {
        let form = FaultPlan.help.first { $0.form.hasPrefix(name + "=") }?.form ?? name
        throw SimulatorOptionError(option: option, expected: "write \(form)")
      }
    } else {
      throw SimulatorOptionError(
        option: option, expected: "the names are \(Self.names.joined(separator: ", "))")
    }
  }
}

/// A part of one, written as `1%` or `0.01`.
private func fraction(_ text: some StringProtocol) -> Double? {
  let value = text.hasSuffix("%") ? Double(String(text.dropLast())).map { $0 / 100 } : Double(String(text))
  return value.flatMap { (0...1).contains($0) ? $0 : nil }
}

extension Duration {
  /// Reads a length like `80ms`, `3s` or `2min`, up to a day.
  fileprivate init?(option text: some StringProtocol) {
    let units: [(String, Double)] = [("ms", 0.001), ("min", 60), ("s", 1)]
    guard let (unit, seconds) = units.first(where: { text.hasSuffix($0.0) }),
      let value = Double(String(text.dropLast(unit.count))), (0...86_400).contains(value * seconds)
    else { return nil }
    self = .nanoseconds(Int64((value * seconds * 1e9).rounded()))
  }
}

extension FaultPlan {
  private struct Row: Sendable {
    var name: String
    /// The value behind the chance, and where it is left out: a time in milliseconds, or a status.
    var parameter: (form: String, fallback: String)?
    var text: String
    var make: @Sendable (String) -> Fault.Kind?
    var traffic = Traffic.all
  }

  private static let rows: [Row] = [
    Row(name: "drop", text: "Packets are lost.") { _ in .drop },
    Row(name: "corrupt", text: "A byte of a packet arrives as another.") { _ in .corrupt },
    Row(name: "cut", text: "The tail of a packet is lost.") { _ in .cut },
    Row(name: "duplicate", text: "Packets arrive twice.") { _ in .duplicate },
    Row(name: "delay", parameter: ("TIME", "100ms"), text: "Packets arrive later, in order.") {
      Duration(option: $0).map { .delay($0) }
    },
    Row(name: "late", parameter: ("TIME", "500ms"), text: "Packets arrive later, and are overtaken.") {
      Duration(option: $0).map { .late($0) }
    },
    Row(name: "split", text: "Packets arrive in two reads.") { _ in .split },
    Row(name: "burst", parameter: ("TIME", "50ms"), text: "Packets wait and arrive together.") {
      Duration(option: $0).map { .burst($0) }
    },
    Row(name: "stall", parameter: ("TIME", "2s"), text: "Nothing arrives for a while.") {
      Duration(option: $0).map { .stall($0) }
    },
    Row(
      name: "misnumber", text: "Replies come with the number of another command.",
      make: { _ in .misnumber }, traffic: .responses),
    Row(
      name: "refuse", parameter: ("STATUS", "02"), text: "Commands are refused with this status.",
      make: { UInt8($0, radix: 16).map { .refuse(Status(rawValue: $0)) } }, traffic: .commands),
    Row(
      name: "stray", text: "Bytes arrive that belong to no packet.", make: { _ in .stray },
      traffic: .fromRobot),
    Row(
      name: "stale", text: "A frame of the old layout follows a change of stream.",
      make: { _ in .stale }, traffic: .responses),
  ]

  /// The names of the faults as options.
  static var names: [String] { rows.map(\.name) + ["close"] }

  /// One line for each fault: how it is written, and what it does.
  static var help: [(form: String, text: String)] {
    rows.map { row in
      ("\(row.name)=CHANCE" + (row.parameter.map { "[:\($0.form)]" } ?? ""), row.text)
    } + [("close=TIME:TIME", "The line breaks after the first time, and comes back after the second.")]
  }

  /// Adds a fault; false where the value means nothing.
  fileprivate mutating func set(_ name: String, _ value: String) -> Bool {
    let parts = value.split(separator: ":", omittingEmptySubsequences: false)
    if name == "close" {
      guard parts.count == 2, let start = Duration(option: parts[0]), let length = Duration(option: parts[1])
      else { return false }
      outage = Outage(after: start, lasting: length)
      return true
    }
    guard let row = Self.rows.first(where: { $0.name == name }), let chance = fraction(parts[0]),
      parts.count <= (row.parameter == nil ? 1 : 2),
      let kind = row.make(parts.count > 1 ? String(parts[1]) : row.parameter?.fallback ?? "")
    else { return false }
    faults.append(
      Fault(
        kind, chance: chance, of: row.traffic,
        to: name == "stale" ? Sensing.SetDataStreaming.id : nil))
    return true
  }
}
