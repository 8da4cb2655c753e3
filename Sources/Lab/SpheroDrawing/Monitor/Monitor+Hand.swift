// The keys of the monitor that move a simulated robot, as a hand does.

import SpheroControls

extension Monitor {
  /// An action of a hand on a simulated robot.
  public enum HandAction: Hashable, Sendable {
    /// Holds the robot in the air at angles in degrees: positive is nose up, right side down, counter-clockwise from above.
    case hold(pitch: Int, roll: Int, yaw: Int)
    /// Puts the robot on the floor.
    case putDown
    /// Shakes the robot, which wakes it.
    case shake
    /// Knocks the robot ahead.
    case knock
  }

  /// Turns an angle of a robot in the hand by steps of 15 degrees, and wraps it to -180...180.
  private static func turned(_ angle: Int, by steps: Int) -> Int {
    let turned = angle + steps * 15
    return turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned
  }

  static let handHelp = "arrows ,.: hold  space: put down  k: knock  s: shake"

  /// Handles a key that moves the robot; returns false for other keys.
  mutating func handleHand(_ key: KeyPress.Key) -> Bool {
    var pose = held ?? (0, 0, 0)
    var action: HandAction?
    switch key {
    case .up: pose.pitch = Self.turned(pose.pitch, by: -1)
    case .down: pose.pitch = Self.turned(pose.pitch, by: 1)
    case .left: pose.roll = Self.turned(pose.roll, by: -1)
    case .right: pose.roll = Self.turned(pose.roll, by: 1)
    case .character(","): pose.yaw = Self.turned(pose.yaw, by: 1)
    case .character("."): pose.yaw = Self.turned(pose.yaw, by: -1)
    case .character(" "):
      held = nil
      action = .putDown
    case .character("s"), .character("S"): action = .shake
    case .character("k"), .character("K"): action = .knock
    default: return false
    }
    if let action {
      append(action)
    } else {
      held = pose
      append(.hold(pitch: pose.pitch, roll: pose.roll, yaw: pose.yaw))
    }
    return true
  }

  /// Appends an action; it replaces the last one if both have the same kind, so a held key adds only one; of more than 16
  /// pending actions, the oldest is dropped.
  private mutating func append(_ action: HandAction) {
    switch (handActions.last, action) {
    case (.hold, .hold), (.putDown, .putDown), (.shake, .shake), (.knock, .knock): handActions.removeLast()
    default: if handActions.count >= 16 { handActions.removeFirst() }
    }
    handActions.append(action)
  }

  /// Removes and returns the actions of the hand, the oldest first.
  public mutating func takeHandActions() -> [HandAction] {
    defer { handActions = [] }
    return handActions
  }
}
