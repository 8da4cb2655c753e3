// What a hand does with a ball: it takes it up, turns it, spins it, and puts it down.

import SpheroOrientation

extension Body {
  /// What a hand does with it.
  enum Grasp: Hashable, Sendable {
    /// Turns it to an attitude, and holds it so.
    case pose(Rotation)
    /// Turns it on and on: radians a second about its own axes.
    case spin(Vector3)
  }

  /// How fast a hand gathers a turn, in radians a second squared: half a turn takes half a second.
  private static let handAcceleration = 50.0

  /// Takes it up and does something with it; nil puts it down as it points and leans now.
  mutating func take(_ grasp: Grasp?) {
    if self.grasp == nil, grasp != nil {
      // What rolled is stopped, which it feels.
      if velocity != .zero { jolt(-velocity) }
      handRate = angularVelocity
    }
    if self.grasp != nil, grasp == nil {
      let angles = attitude.eulerAngles(order: .intrinsic(.zxy))
      (pitch, roll) = (angles.second.radians, angles.third.radians)
      (pitchRate, rollRate, shaking, handRate) = (0, 0, .zero, .zero)
      yaw = angles.first.radians
    }
    self.grasp = grasp
    (velocity, rimSpeed, yawRate, wheels) = (.zero, 0, 0, Wheels())
  }

  /// Goes on with what a hand does.
  mutating func follow(_ grasp: Grasp, _ dt: Double) {
    let felt = takeBump() / dt
    acceleration = Vector3(felt.x, felt.y, 0) + shaking
    var wanted = Vector3.zero
    switch grasp {
    case .spin(let rate): wanted = rate
    case .pose(let pose):
      let way = (attitude.inverse * pose).rotationVector
      let angle = way.length
      if angle < 1e-4, handRate.length < 0.1 {
        (attitude, handRate) = (pose, .zero)
        return
      }
      // As fast as it can still stop in time.
      let fastest = min((1.4 * Self.handAcceleration * angle).squareRoot(), angle / (2 * dt))
      if angle > 0 { wanted = way * (fastest / angle) }
    }
    let change = wanted - handRate
    let most = Self.handAcceleration * dt
    handRate = change.length <= most ? wanted : handRate + change * (most / change.length)
    attitude = attitude * (Rotation(rotationVector: handRate * dt) ?? .identity)
    yaw = attitude.eulerAngles(order: .intrinsic(.zxy)).first.radians
  }
}
