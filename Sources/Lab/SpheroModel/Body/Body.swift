// The physics of a ball with a carriage inside: rolling, turning, leaning, slipping and bouncing.

import SpheroLibc
public import SpheroOrientation

/// A ball with a carriage inside, which drives two wheels.
///
/// Frame: x to the right and y ahead of the floor's origin, z up; metres, seconds, radians; yaw counter-clockwise, 0 if
/// the nose points along y. Equal steps give equal motion on all computers with the same libm.
public struct Body: Hashable, Sendable {
  /// The command to the motors.
  public enum Effort: Hashable, Sendable {
    /// The ball rolls freely.
    case none
    /// The control system drives at a speed in m/s along a yaw, and turns at no more than a rate in radians per second.
    case controlled(speed: Double, yaw: Double, turnRate: Double)
    /// The duty of each wheel, -1...1, or nil for an open motor.
    case wheels(left: Double?, right: Double?)
  }

  struct Wheels: Hashable, Sendable {
    var left = 0.0
    var right = 0.0
  }

  /// The step in seconds: the control loop runs at 400 Hz (Sphero API 1.50).
  public static let stepLength = 0.0025
  /// The full speed in m/s (Sphero API 1.50, "Roll").
  public static let fullSpeed = 2.0
  /// The radius of the ball in metres.
  public static let radius = 0.037
  static let gravity = 9.80665
  /// The distance of the wheels in metres, which gives the observed turn rate at full speed, 1500 degrees per second.
  static let track = 0.15
  /// The acceleration and deceleration of the control system, in m/s².
  private static let (thrust, braking) = (4.0, 5.0)
  /// The decelerations in m/s² of the wheels in an abrupt stop, and of a ball that rolls sideways by its carriage.
  private static let (abruptBraking, righting) = (12.0, 2.0)
  /// The angular acceleration of the control system, in radians per second squared.
  private static let turnAcceleration = 400.0
  /// The lean of the carriage per acceleration, in radians per m/s², and its maximum in radians.
  private static let (leanGain, maximumLean) = (0.058, 0.5)
  /// The natural frequency of the lean in radians per second, which is 4 Hz.
  private static let leanFrequency = 2 * Double.pi * 4
  /// The number of steps over which the accelerometer measures an impact.
  static let bumpSteps = 8

  public var effort: Effort
  var boost = 1.0
  var brakesAbruptly = false
  var grasp: Grasp?
  var shaking = Shaking()

  /// The point of contact with the floor in metres.
  public internal(set) var position: Planar
  /// The velocity in m/s on the floor.
  public internal(set) var velocity = Planar.zero
  /// The speed of the shell in m/s along the nose, which differs from ``velocity`` if the ball slips.
  public internal(set) var rimSpeed = 0.0
  /// The direction of the nose in radians, counter-clockwise from heading 0.
  public internal(set) var yaw: Double
  /// The rate of ``yaw`` in radians per second.
  public internal(set) var yawRate = 0.0
  /// The rotation from the body axes to those of the room.
  public internal(set) var attitude: Rotation
  /// The angular velocity in radians per second about the body axes.
  public private(set) var angularVelocity = Vector3.zero
  /// The acceleration of the last step in m/s², along x, y, z of the room, without gravity.
  public internal(set) var acceleration = Vector3.zero
  /// The distance that the wheels have rolled, in metres.
  private(set) var distance = 0.0

  /// The lean of the carriage in radians, and its rate in radians per second.
  var (pitch, pitchRate) = (0.0, 0.0)
  var (roll, rollRate) = (0.0, 0.0)
  /// The rim speeds in m/s, which the back EMF of the motors measures.
  var wheels = Wheels()
  /// The turn rate by a hand, about the body axes.
  var handRate = Vector3.zero
  /// The acceleration of the last step without impacts, in m/s² on the floor.
  private var smoothAcceleration = Planar.zero
  /// The change of velocity that the accelerometer measures during ``bumpSteps``, in m/s.
  var bump = Planar.zero
  var bumpStepsLeft = 0
  /// The change of velocity by the impacts of this step, and the greatest since the last ``takeImpact()``, in m/s.
  var impactVelocity = Planar.zero
  var greatestImpact = 0.0
  var tumbles = false
  /// The speed before the last impact, in m/s.
  var speedAtImpact = 0.0

  public init(at position: Planar = .zero, yaw: Double = 0) {
    (self.position, self.yaw) = (position, yaw)
    effort = .controlled(speed: 0, yaw: yaw, turnRate: 1)
    attitude = Self.attitude(yaw: yaw)
  }

  /// The unit vector along the nose.
  public var forward: Planar { Planar(-sin(yaw), cos(yaw)) }

  /// Whether a step on a level floor would change nothing.
  public var isResting: Bool {
    guard velocity == .zero, rimSpeed == 0, yawRate == 0, shaking.isOver else { return false }
    guard angularVelocity == .zero, acceleration == .zero, bumpStepsLeft == 0 else { return false }
    if let grasp { return grasp.isStill }
    guard pitch == 0, roll == 0, pitchRate == 0, rollRate == 0 else { return false }
    switch effort {
    case .none: return true
    case .controlled(let speed, let target, _):
      // The target may be more than a turn away, because the yaw wraps.
      return speed == 0 && abs((target - yaw).remainder(dividingBy: 2 * .pi)) < 1e-9
    case .wheels(let left, let right): return (left ?? 0) == 0 && (right ?? 0) == 0
    }
  }

  public mutating func step(on floor: Floor) {
    let dt = Self.stepLength
    let before = (velocity: velocity, attitude: attitude, position: position)
    impactVelocity = .zero
    if let grasp {
      move(in: grasp, dt)
    } else {
      updateYaw(dt)
      updateVelocity(on: floor, dt)
      position += velocity * dt
      distance += abs(rimSpeed) * dt
      resolveContacts(with: floor, from: before.position)
      updateAcceleration(before.velocity, floor.slope, dt)
      updateLean(floor.slope, dt)
      endLean(floor.slope)
      attitude = Self.attitude(yaw: yaw, pitch: pitch, roll: roll)
    }
    // q and -q are the same rotation; the quaternion of a robot is continuous, so it is the one near the last.
    if attitude.quaternion.dot(before.attitude.quaternion) < 0, let near = Rotation(-attitude.quaternion) {
      attitude = near
    }
    angularVelocity = (before.attitude.inverse * attitude).rotationVector / dt
    if angularVelocity.length < 1e-7 { angularVelocity = .zero }
  }

  static func attitude(yaw: Double, pitch: Double = 0, roll: Double = 0) -> Rotation {
    let level = Rotation(by: Vector3(0, 0, yaw))
    return pitch == 0 && roll == 0
      ? level : level * Rotation(by: Vector3(pitch, 0, 0)) * Rotation(by: Vector3(0, roll, 0))
  }

  // MARK: Turning and rolling

  private mutating func updateYaw(_ dt: Double) {
    switch effort {
    case .none:
      yawRate *= exp(-dt / 0.2)
      if abs(yawRate) < 1e-4 { yawRate = 0 }
    case .controlled(_, let target, let limit):
      let error = (target - yaw).remainder(dividingBy: 2 * .pi)
      // From a rate of √(2 · acceleration · error), the turn can just stop at the target; 0.7 of the acceleration
      // leaves a margin. Near the target, a step turns by at most half of the error.
      let maximum = min(limit, (1.4 * Self.turnAcceleration * abs(error)).squareRoot(), abs(error) / (2 * dt))
      let change = Self.turnAcceleration * dt
      yawRate += ((error < 0 ? -maximum : maximum) - yawRate).bounded(by: -change...change)
      if abs(error) < 1e-5, abs(yawRate) < 0.01 { (yaw, yawRate) = (target, 0) }
    case .wheels: yawRate = (wheels.right - wheels.left) / Self.track
    }
    yaw += yawRate * dt
    if abs(yaw) > 1e3 { yaw = yaw.remainder(dividingBy: 2 * .pi) }
  }

  private mutating func updateVelocity(on floor: Floor, _ dt: Double) {
    switch effort {
    case .none:
      // A rolling sphere gains 5/7 of the acceleration of the slope, with little friction.
      velocity += floor.slope * (5.0 / 7 * dt)
      let friction = 0.15 * dt
      velocity = velocity.length <= friction ? .zero : velocity * (1 - friction / velocity.length)
      rimSpeed = velocity.dot(forward)
      wheels = Wheels(left: rimSpeed, right: rimSpeed)
      return
    case .controlled(let target, _, _):
      // A tumbling ball turns its wheels without resistance.
      if tumbles { rimSpeed = velocity.dot(forward) }
      let isBraking = abs(target) < abs(rimSpeed)
      // The control system is proportional, with a time constant in seconds and a maximum acceleration.
      let timeConstant = isBraking && brakesAbruptly ? 0.03 : 0.12
      let maximumBraking = brakesAbruptly ? Self.abruptBraking : Self.braking
      let maximum = isBraking ? maximumBraking : Self.thrust * boost
      rimSpeed += ((target - rimSpeed) / timeConstant).bounded(by: -maximum...maximum) * dt
      if abs(target - rimSpeed) < 1e-4 { rimSpeed = target }
      let half = yawRate * Self.track / 2
      wheels = Wheels(left: rimSpeed - half, right: rimSpeed + half)
    case .wheels(let left, let right):
      // An open motor coasts; a driven one approaches its speed.
      func updated(_ speed: Double, _ duty: Double?) -> Double {
        guard let duty else { return speed * exp(-dt / 1.5) }
        return speed + (duty * Self.fullSpeed - speed) * -expm1(-dt / 0.25)
      }
      wheels = Wheels(left: updated(wheels.left, left), right: updated(wheels.right, right))
      if abs(wheels.left) + abs(wheels.right) < 1e-3, (left ?? 0) == 0, (right ?? 0) == 0 {
        wheels = Wheels()
      }
      rimSpeed = (wheels.left + wheels.right) / 2
    }
    // Friction accelerates the ball toward the speed of its shell, within the grip of the floor.
    velocity += floor.slope * dt
    var slip = forward * rimSpeed - velocity
    if tumbles { keepTumbling(&slip, dt) }
    let maximum = floor.grip * Self.gravity * dt
    velocity += slip.length <= maximum ? slip : slip * (maximum / slip.length)
  }

  /// Limits the sideways friction of a ball that rolls sideways after an impact: the carriage slowly brakes it.
  private mutating func keepTumbling(_ slip: inout Planar, _ dt: Double) {
    let sideways = slip.dot(forward.left)
    let maximum = bumpStepsLeft > 0 ? 0 : Self.righting * dt
    tumbles = abs(sideways) > maximum
    slip += forward.left * (sideways.bounded(by: -maximum...maximum) - sideways)
  }

  /// The duty of each motor, -1...1.
  var duties: Wheels {
    switch effort {
    case .none: return Wheels()
    case .controlled(let speed, _, _):
      let thrust = 0.2 * (speed - rimSpeed)
      return Wheels(
        left: ((wheels.left + thrust) / Self.fullSpeed).bounded(by: -1...1),
        right: ((wheels.right + thrust) / Self.fullSpeed).bounded(by: -1...1))
    case .wheels(let left, let right): return Wheels(left: left ?? 0, right: right ?? 0)
    }
  }

  // MARK: Acceleration and lean

  private mutating func updateAcceleration(_ velocityBefore: Planar, _ slope: Planar, _ dt: Double) {
    smoothAcceleration = (velocity - velocityBefore - impactVelocity) / dt
    let planar = smoothAcceleration + takeBump() / dt
    // An acceleration down the slope has a downward component.
    acceleration =
      Vector3(planar.x, planar.y, -smoothAcceleration.dot(slope) / Self.gravity) + shaking.next()
    if acceleration.length < 1e-9 { acceleration = .zero }
  }

  /// The part of a bump in one step, in m/s.
  mutating func takeBump() -> Planar {
    guard bumpStepsLeft > 0 else { return .zero }
    bumpStepsLeft -= 1
    return bump / Double(Self.bumpSteps)
  }

  /// The carriage leans toward the acceleration, as a critically damped pendulum of 4 Hz.
  private mutating func updateLean(_ slope: Planar, _ dt: Double) {
    // A bump is too short to move the carriage.
    let acceleration = smoothAcceleration - slope
    func target(_ acceleration: Double) -> Double {
      (acceleration * Self.leanGain).bounded(by: -Self.maximumLean...Self.maximumLean)
    }
    let frequency = Self.leanFrequency
    func swing(_ angle: inout Double, _ rate: inout Double, to target: Double) {
      rate += (frequency * frequency * (target - angle) - 2 * frequency * rate) * dt
      angle += rate * dt
    }
    swing(&pitch, &pitchRate, to: target(acceleration.dot(forward)))
    swing(&roll, &rollRate, to: -target(acceleration.dot(-forward.left)))
  }

  /// Ends a lean below the thresholds of rest, so that the body can rest.
  private mutating func endLean(_ slope: Planar) {
    guard velocity == .zero, rimSpeed == 0, acceleration == .zero, yawRate == 0, slope == .zero else {
      return
    }
    guard abs(pitch) + abs(roll) < 1e-5, abs(pitchRate) + abs(rollRate) < 1e-4 else { return }
    (pitch, roll, pitchRate, rollRate) = (0, 0, 0, 0)
  }

  var tilt: Double { attitude.tilt.radians }

  // MARK: Impacts with walls and other bodies

  /// The maximum speed in m/s: a much faster ball would pass through a wall between two steps.
  static let maximumSpeed = 10.0

  /// Makes the ball bounce off walls. If a wall then lies between the ball and `place`, its position before the step, the
  /// ball returns to `place`.
  mutating func resolveContacts(with floor: Floor, from place: Planar) {
    guard !isHeld else { return }
    for wall in floor.walls { resolveContact(with: wall, floor.bounce) }
    if floor.walls.contains(where: { $0.separates(place, position) }) { position = place }
  }

  private mutating func resolveContact(with wall: Floor.Wall, _ bounce: Double) {
    let nearest = wall.nearest(to: position)
    let away = position - nearest
    let distance = away.length
    guard distance < Self.radius else { return }
    let fallback = (wall.end - wall.start).left
    let normal =
      distance > 1e-9 ? away / distance : (fallback.length > 0 ? fallback / fallback.length : Planar(0, 1))
    position = nearest + normal * Self.radius
    let approach = velocity.dot(normal)
    if approach < 0 { hit(normal * (-(1 + bounce) * approach)) }
  }

  /// Applies a sudden change of velocity, in m/s on the floor; of a body in a hand, only the accelerometer measures it.
  mutating func hit(_ change: Planar) {
    guard change.isFinite else { return }
    // From the maximum speed to the same speed in the opposite direction.
    let maximum = 2 * Self.maximumSpeed
    let change = change.length <= maximum ? change : change * (maximum / change.length)
    jolt(change)
    greatestImpact = max(greatestImpact, change.length)
    guard !isHeld else { return }
    impactVelocity += change
    velocity += change
    tumbles = true
    if velocity.length > Self.maximumSpeed { velocity *= Self.maximumSpeed / velocity.length }
    // The shell does not slip through an impact.
    rimSpeed = velocity.dot(forward)
    wheels = Wheels(left: rimSpeed, right: rimSpeed)
  }

  /// Returns the greatest change of velocity by impacts since the last call, in m/s.
  mutating func takeImpact() -> Double {
    defer { greatestImpact = 0 }
    return greatestImpact
  }

  /// Spreads a change of velocity over the accelerations of the next steps.
  mutating func jolt(_ change: Planar) {
    if bumpStepsLeft == 0 { speedAtImpact = velocity.length }
    bump = bump * (Double(bumpStepsLeft) / Double(Self.bumpSteps)) + change
    bumpStepsLeft = Self.bumpSteps
  }

  /// The speed before the bump that still acts on the accelerometer, or else the present one, in m/s.
  var speedBeforeBump: Double { bumpStepsLeft > 0 ? speedAtImpact : abs(rimSpeed) }
}
