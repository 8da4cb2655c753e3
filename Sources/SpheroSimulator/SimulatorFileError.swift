// Why a file that the options of simulated robots name cannot be used.

/// Why a file that the options of simulated robots name cannot be used.
public struct SimulatorFileError: Error, Hashable, Sendable {
  /// What is wrong; later versions of the library may have more codes, so a switch has a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, like `unreadable`.
    public let description: String
    private init(_ name: String) { description = name }

    /// It cannot be read.
    public static let unreadable = Code("unreadable")
    /// It says something that means nothing; ``SimulatorFileError/line`` says where.
    public static let malformed = Code("malformed")
    /// It is longer than a megabyte.
    public static let tooLong = Code("tooLong")
    /// It moves a robot that is not there.
    public static let tooFewRobots = Code("tooFewRobots")
  }

  /// What is wrong.
  public let code: Code
  /// The file.
  public let path: String
  /// One sentence for people, without a full stop: the file, and what is wrong.
  public let message: String
  /// The next step.
  public let advice: String
  /// The line that means nothing, counted from 1; nil where the whole file is wrong.
  public private(set) var line: Int?

  private init(_ code: Code, _ path: String, _ reason: String, advice: String) {
    (self.code, self.path, self.message, self.advice) = (code, path, "\(path): \(reason)", advice)
  }

  /// It cannot be read; with the reason for people.
  public static func unreadable(path: String, reason: String) -> SimulatorFileError {
    SimulatorFileError(.unreadable, path, reason, advice: "Name a file that can be read.")
  }

  /// It says something that means nothing; the reason tells the place and what stands there.
  public static func malformed(path: String, line: Int, reason: String) -> SimulatorFileError {
    var error = SimulatorFileError(
      .malformed, path, reason,
      advice: "Correct that line; Docs/Simulator.md has the form of the file.")
    error.line = line
    return error
  }

  /// It is longer than a megabyte.
  public static func tooLong(path: String) -> SimulatorFileError {
    SimulatorFileError(.tooLong, path, "it is longer than a megabyte", advice: "Shorten it.")
  }

  /// It moves a robot that is not there.
  public static func tooFewRobots(path: String, needed: Int, count: Int) -> SimulatorFileError {
    SimulatorFileError(
      .tooFewRobots, path, "it moves robot \(needed), but there \(count == 1 ? "is 1" : "are \(count)")",
      advice: "Simulate \(needed) robots, or correct the file.")
  }
}

extension SimulatorFileError: CustomStringConvertible {
  /// What is wrong, and the next step.
  public var description: String { "\(message). \(advice)" }
}
