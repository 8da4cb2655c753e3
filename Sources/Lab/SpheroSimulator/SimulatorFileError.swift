// Errors in the files that options of a simulated robot name.

/// An error in a file that an option of a simulated robot names.
@nonexhaustive public enum SimulatorFileError: Error, Hashable, Sendable {
  /// The file cannot be read, for a reason of the system.
  case unreadable(path: String, reason: String)
  /// The line, counted from 1, is not valid; the reason states its position and text.
  case malformed(path: String, line: Int, reason: String)
  /// The file is longer than a megabyte.
  case tooLong(path: String)
  /// The file moves the robot number `needed`, but only `count` are simulated.
  case tooFewRobots(path: String, needed: Int, count: Int)
}

extension SimulatorFileError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String { "\(message). \(advice)" }

  /// What is wrong: the path and one sentence without a full stop.
  public var message: String {
    switch self {
    case .unreadable(let path, let reason), .malformed(let path, _, let reason): "\(path): \(reason)"
    case .tooLong(let path): "\(path): it is longer than a megabyte"
    case .tooFewRobots(let path, let needed, let count):
      "\(path): it moves robot \(needed), but there \(count == 1 ? "is 1" : "are \(count)")"
    }
  }

  /// The next step.
  public var advice: String {
    switch self {
    case .unreadable: "Name a file that can be read."
    case .malformed: "Correct that line; 'sphero simulate --help' has the form of the file."
    case .tooLong: "Shorten it."
    case .tooFewRobots(_, let needed, _): "Simulate \(needed) robots, or correct the file."
    }
  }
}
