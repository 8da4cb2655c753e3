// The keys of the monitor that move a simulated robot, as a hand does.

import SpheroControls

extension Monitor {
  /// What a hand does to a simulated robot.
  public enum HandAction: Hashable, Sendable {
    /// Lifts the robot and turns it, in degrees: positive is nose up, right side down, counter-clockwise from above.
    case hold(pitch: Int, roll: Int, yaw: Int)
    case putDown
    case shake
    /// Knocks the robot ahead.
    case knock
  }

  /// The angles of a robot in the hand, in degrees; multiples of ``step``.
  struct HeldPose: Hashable, Sendable {
    static let step = 15

    var pitch = 0
    var roll = 0
    var yaw = 0

    /// Turns by a step, and wraps the angle to -180...180.
    static func turned(_ angle: Int, by steps: Int) -> Int {
      let turned = angle + steps * step
      return turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned
    }
  }

  static let handHelp = "arrows ,.: hold  space: put down  k: knock  s: shake"

  /// Handles a key that moves the robot; returns false for other keys.
  mutating func handleHand(_ key: KeyPress.Key) -> Bool {
    var pose = held ?? HeldPose()
    switch key {
    case .up: pose.pitch = HeldPose.turned(pose.pitch, by: -1)
    case .down: pose.pitch = HeldPose.turned(pose.pitch, by: 1)
    case .left: pose.roll = HeldPose.turned(pose.roll, by: -1)
    case .right: pose.roll = HeldPose.turned(pose.roll, by: 1)
    case .character(","): pose.yaw = HeldPose.turned(pose.yaw, by: 1)
    case .character("."): pose.yaw = HeldPose.turned(pose.yaw, by: -1)
    case .character(" "):
      (held, handAction) = (nil, .putDown)
      return true
    case .character("s"), .character("S"):
      handAction = .shake
      return true
    case .character("k"), .character("K"):
      handAction = .knock
      return true
    default: return false
    }
    (held, handAction) = (pose, .hold(pitch: pose.pitch, roll: pose.roll, yaw: pose.yaw))
    return true
  }

  /// Removes and returns the newest action of the hand; nil without one.
  public mutating func takeHandAction() -> HandAction? {
    defer { handAction = nil }
    return handAction
  }
}
