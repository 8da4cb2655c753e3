// Errors in the files of a simulation, such as floors and scripts.

/// An error in a file that an option of the simulator names.
@nonexhaustive public enum SimulatorFileError: Error, Hashable, Sendable {
  /// The system cannot read the file.
  case unreadable(path: String, reason: String)
  /// A line, counted from 1, is not valid; the reason states its number and text.
  case malformed(path: String, line: Int, reason: String)
  /// The file is longer than a megabyte.
  case tooLong(path: String)
  /// The file moves robot `needed`, counted from 1, but `count` robots are simulated.
  case tooFewRobots(path: String, needed: Int, count: Int)
}

extension SimulatorFileError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String { "\(message). \(advice)" }

  /// The path and the cause, in one sentence without a full stop.
  public var message: String {
    switch self {
    case .unreadable(let path, let reason), .malformed(let path, _, let reason): "\(path): \(reason)"
    case .tooLong(let path): "\(path): it is longer than a megabyte"
    case .tooFewRobots(let path, let needed, let count):
      "\(path): it moves robot \(needed), but there \(count == 1 ? "is 1" : "are \(count)")"
    }
  }

  /// What the user can do, in one sentence.
  public var advice: String {
    switch self {
    case .unreadable: "Name a file that can be read."
    case .malformed: "Correct that line; 'sphero simulate --help' has the form of the file."
    case .tooLong: "Shorten it."
    case .tooFewRobots(_, let needed, _): "Simulate \(needed) robots, or correct the file."
    }
  }
}
