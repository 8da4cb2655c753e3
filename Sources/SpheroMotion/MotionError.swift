// Errors of guided motion.

package import SpheroControls

/// An error that ends a guided motion; the robot has been sent a stop.
@nonexhaustive public enum MotionError: Error, Hashable, Sendable {
  /// The time limit was reached first; `remaining` is the rest of the way, like `12 cm`.
  case timeout(remaining: String)
  /// The ball was sent commands to move but came no closer to its goal; `remaining` is the rest of the way.
  case noProgress(remaining: String)
  /// The robot stopped reporting its position.
  case noReadings
  /// The path leaves the range that the locator can count.
  case unusablePath
}

extension MotionError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String { "\(message). \(advice)" }

  /// What went wrong: one sentence without a full stop.
  public var message: String {
    switch self {
    case .timeout(let remaining): "the ball did not reach its goal in time: \(remaining) left"
    case .noProgress(let remaining):
      "the ball does not get closer to its goal: \(remaining) left"
    case .noReadings: "the robot stopped reporting its position, so it was stopped"
    case .unusablePath:
      "a path has 1 to \(FloorPath.maximumPointCount) places, none beyond \(Int(FloorPath.maximumCoordinate)) cm of the locator's origin"
    }
  }

  /// The next step.
  public var advice: String {
    switch self {
    case .timeout: "Allow more time or speed."
    case .noProgress: "Check whether it is blocked, held or in its charger."
    case .noReadings: "Move closer to the robot, and try again."
    case .unusablePath: "Make the path shorter, or reset the origin with Sensing.ConfigureLocator."
    }
  }
}

extension MotionError {
  /// Creates the error of a failed guidance; `remaining` is the rest of the way.
  package init(_ failure: GuidanceFailure, remaining: String) {
    switch failure {
    case .noProgress: self = .noProgress(remaining: remaining)
    case .noReadings: self = .noReadings
    case .timeout: self = .timeout(remaining: remaining)
    }
  }
}
