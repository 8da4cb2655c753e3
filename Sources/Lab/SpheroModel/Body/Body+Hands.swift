// The actions of a hand on a ball: hold, turn, spin, shake and put down.

import SpheroLibc
import SpheroOrientation

extension Body {
  enum Grasp: Hashable, Sendable {
    /// Turns the ball to a pose, then holds it or lets it go.
    case turn(HandTurn)
    /// Spins the ball without end; radians per second about the body axes.
    case spin(Vector3)

    var isStill: Bool {
      if case .turn(let turn) = self { turn.isComplete && !turn.releases } else { false }
    }
  }

  var isHeld: Bool { grasp != nil }

  /// Lifts the ball and turns it to an attitude; nil puts it down, upright on its heading. See ``HandTurn/turnTime``.
  mutating func hold(_ pose: Rotation?) {
    guard pose != nil || isHeld else { return }
    if pose == nil { shaking = Shaking() }
    stop()
    let target = pose ?? Self.attitude(yaw: yaw)
    grasp = .turn(HandTurn(from: attitude, to: target, releases: pose == nil))
  }

  mutating func spin(_ rate: Vector3) {
    stop()
    handRate = angularVelocity
    grasp = .spin(rate)
  }

  /// Ends the motion of the ball on the floor, since a hand takes it.
  private mutating func stop() {
    // The accelerometer measures the stop of a rolling ball.
    if !isHeld, velocity != .zero { jolt(-velocity) }
    (pitch, roll, pitchRate, rollRate) = (0, 0, 0, 0)
    (velocity, rimSpeed, yawRate, wheels) = (.zero, 0, 0, Wheels())
  }

  mutating func move(in grasp: Grasp, _ dt: Double) {
    let planar = takeBump() / dt
    acceleration = Vector3(planar.x, planar.y, 0) + shaking.next()
    switch grasp {
    case .spin(let rate):
      let change = rate - handRate
      // In radians per second squared.
      let most = 50 * dt
      handRate = change.length <= most ? rate : handRate + change * (most / change.length)
      attitude = attitude * Rotation(by: handRate * dt)
      followNose()
    case .turn(var turn):
      attitude = turn.next()
      if !turn.releases { followNose() }
      self.grasp = turn.releases && turn.isComplete ? nil : .turn(turn)
    }
  }

  /// Sets the yaw to that of the nose; a nose that points straight up or down keeps the previous yaw.
  private mutating func followNose() {
    let nose = attitude.act(on: Vector3(0, 1, 0))
    if Planar(nose.x, nose.y).length > 1e-6 { yaw = atan2(-nose.x, nose.y) }
  }
}

/// A turn from one attitude to another. The rate rises and falls as a raised cosine, so that a client that
/// sums the rates of a slow stream also gets the whole angle.
struct HandTurn: Hashable, Sendable {
  /// The duration in seconds; half a turn reaches 720 degrees per second, and 360 on average.
  static let turnTime = 0.5
  private static let steps = Int((turnTime / Body.stepLength).rounded())

  private let (start, pose): (Rotation, Rotation)
  /// From start to pose, about the body axes at the start.
  private let rotationVector: Vector3
  let releases: Bool
  private var step = 0

  init(from start: Rotation, to pose: Rotation, releases: Bool) {
    (self.start, self.pose, self.releases) = (start, pose, releases)
    rotationVector = (start.inverse * pose).rotationVector
  }

  var isComplete: Bool { step >= Self.steps }

  mutating func next() -> Rotation {
    step = min(step + 1, Self.steps)
    guard !isComplete else { return pose }
    let time = Double(step) / Double(Self.steps)
    let part = time - sin(2 * .pi * time) / (2 * .pi)
    return start * Rotation(by: rotationVector * part)
  }
}

/// The acceleration by a shaking hand: constant, or oscillating for a limited time.
struct Shaking: Hashable, Sendable {
  private let acceleration: Vector3
  /// The number of steps of the oscillation; nil for a constant acceleration.
  private let steps: Int?
  private var step = 0

  /// Creates an oscillation of at most a day, or, without `seconds`, a constant acceleration; ±1000 m/s² in the room.
  init(_ acceleration: Vector3 = .zero, seconds: Double? = nil) {
    self.acceleration = acceleration.isFinite ? acceleration.bounded(by: -1_000...1_000) : .zero
    steps = seconds.map { Int(($0.bounded(by: 0...86_400) / Body.stepLength).rounded()) }
  }

  var isOver: Bool { acceleration == .zero || steps.map { step >= $0 } ?? false }

  /// The acceleration of the next step, in m/s².
  mutating func next() -> Vector3 {
    guard !isOver else { return .zero }
    guard steps != nil else { return acceleration }
    step += 1
    // 5 Hz.
    return acceleration * sin(2 * .pi * 5 * Double(step) * Body.stepLength)
  }
}
