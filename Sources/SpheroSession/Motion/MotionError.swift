// Why the ball did not get where it was to go.

import SpheroControls

/// Why a guided motion did not reach its goal; the ball was told to stop.
public struct MotionError: Error, Hashable, Sendable {
  /// What went wrong; later versions of the library may have more codes, so a switch has a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, like `outOfTime`.
    public let description: String
    private init(_ name: String) { description = name }

    /// The time limit was reached first.
    public static let outOfTime = Code("outOfTime")
    /// The ball was told to move and came no nearer to its goal.
    public static let noProgress = Code("noProgress")
    /// The robot stopped telling where it is.
    public static let noReadings = Code("noReadings")
    /// The path leaves what the locator can count.
    public static let unusablePath = Code("unusablePath")
  }

  /// What went wrong.
  public let code: Code
  /// One sentence for people, without a full stop.
  public let message: String
  /// The next step.
  public let advice: String

  private init(_ code: Code, _ message: String, advice: String) {
    (self.code, self.message, self.advice) = (code, message, advice)
  }

  /// The time limit was reached first; `missing` is what is left, like `12 cm`.
  public static func outOfTime(missing: String) -> MotionError {
    MotionError(
      .outOfTime, "the ball did not reach its goal in time: \(missing) left",
      advice: "Allow more time or speed.")
  }

  /// The ball was told to move and came no nearer to its goal; `missing` is what is left, like `12 cm`.
  public static func noProgress(missing: String) -> MotionError {
    MotionError(
      .noProgress, "the ball was told to move, but does not get closer to its goal: \(missing) left",
      advice: "Check whether it is blocked, held or in its charger.")
  }

  /// The robot stopped telling where it is.
  public static let noReadings = MotionError(
    .noReadings, "the robot stopped reporting its position, so it was stopped",
    advice: "Move closer to the robot, and try again.")

  /// The path leaves what the locator can count.
  public static let unusablePath = MotionError(
    .unusablePath,
    "a path has 1 to \(FloorPath.mostPoints) places, none beyond \(Int(FloorPath.farthest)) cm of the locator's origin",
    advice: "Make the path shorter, or reset the origin with Sensing.ConfigureLocator.")
}

extension MotionError: CustomStringConvertible {
  /// What went wrong, and the next step.
  public var description: String { "\(message). \(advice)" }
}

extension MotionError {
  init(_ failure: GuidanceFailure, missing: String) {
    switch failure {
    case .noProgress: self = .noProgress(missing: missing)
    case .noReadings: self = .noReadings
    default: self = .outOfTime(missing: missing)
    }
  }
}
