// The keys of the monitor that move a simulated robot, as a hand does.

package import SpheroModel

extension Monitor {
  /// Turns an angle of a robot in the hand by steps of 15 degrees, and wraps it to -180...180.
  private static func turned(_ angle: Double, by steps: Double) -> Double {
    let turned = angle + steps * 15
    return turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned
  }

  static let handHelp = "arrows ,.: hold  space: put down  k: knock  s: shake"

  /// Handles a key that moves the robot; returns false for other keys.
  mutating func handleHand(_ key: KeyPress.Key) -> Bool {
    var pose = held ?? Pose()
    var action: HandScript.Action?
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
    case .character("s"), .character("S"): action = .shake(.seconds(1))
    case .character("k"), .character("K"): action = .knock(Planar(0, 1))
    default: return false
    }
    if let action {
      append(action)
    } else {
      held = pose
      append(.hold(pose))
    }
    return true
  }

  /// Appends an action; it replaces the last one if both have the same kind, so a held key adds only one; of more than 16
  /// pending actions, the oldest is dropped.
  private mutating func append(_ action: HandScript.Action) {
    switch (handActions.last, action) {
    case (.hold, .hold), (.putDown, .putDown), (.shake, .shake), (.knock, .knock): handActions.removeLast()
    default: if handActions.count >= 16 { handActions.removeFirst() }
    }
    handActions.append(action)
  }

  /// Removes and returns the actions of the hand, the oldest first.
  package mutating func takeHandActions() -> [HandScript.Action] {
    defer { handActions = [] }
    return handActions
  }
}
