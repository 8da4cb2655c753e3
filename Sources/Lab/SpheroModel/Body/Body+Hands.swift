// What a hand does with a ball: it takes it up, turns it, spins it, and puts it down.

import SpheroOrientation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension Body {
  /// What a hand does with it.
  enum Grasp: Hashable, Sendable {
    /// Turns it to a pose, and holds it so or lets it go.
    case turn(Grip)
    /// Turns it on and on: radians a second about its own axes.
    case spin(Vector3)

    /// Whether it holds still and does nothing more.
    var isStill: Bool {
      if case .turn(let grip) = self { grip.isThere && !grip.letsGo } else { false }
    }
  }

  /// How fast a hand gathers a spin, in radians a second squared.
  private static let handAcceleration = 50.0

  /// Whether a hand holds it.
  var isHeld: Bool { grasp != nil }

  /// Takes it up and turns it to an attitude; nil puts it down, upright on its heading.
  ///
  /// Either takes ``Grip/turnTime``.
  mutating func hold(_ pose: Rotation?) {
    guard pose != nil || isHeld else { return }
    if pose == nil { shaking = Shaking() }
    takeUp()
    let target = pose ?? Self.attitude(yaw: yaw, pitch: 0, roll: 0)
    grasp = .turn(Grip(from: attitude, to: target, letsGo: pose == nil))
  }

  /// Takes it up and turns it on and on, in radians a second about its own axes.
  mutating func spin(_ rate: Vector3) {
    takeUp()
    handRate = angularVelocity
    grasp = .spin(rate)
  }

  private mutating func takeUp() {
    // What rolled is stopped, which it feels.
    if !isHeld, velocity != .zero { jolt(-velocity) }
    (pitch, roll, pitchRate, rollRate) = (0, 0, 0, 0)
    (velocity, rimSpeed, yawRate, wheels) = (.zero, 0, 0, Wheels())
  }

  /// Goes on with what a hand does.
  mutating func follow(_ grasp: Grasp, _ dt: Double) {
    let felt = takeBump() / dt
    acceleration = Vector3(felt.x, felt.y, 0) + shaking.next()
    switch grasp {
    case .spin(let rate):
      let change = rate - handRate
      let most = Self.handAcceleration * dt
      handRate = change.length <= most ? rate : handRate + change * (most / change.length)
      attitude = attitude * (Rotation(rotationVector: handRate * dt) ?? .identity)
      followNose()
    case .turn(var grip):
      attitude = grip.next()
      if !grip.letsGo { followNose() }
      self.grasp = grip.letsGo && grip.isThere ? nil : .turn(grip)
    }
  }

  /// Takes the heading of the nose; where that points straight up or down, it keeps the heading it had.
  private mutating func followNose() {
    let nose = attitude.act(on: Vector3(0, 1, 0))
    if Planar(nose.x, nose.y).length > 1e-6 { yaw = atan2(-nose.x, nose.y) }
  }
}
