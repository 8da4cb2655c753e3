// The physics of a ball with a carriage inside: rolling, turning, leaning, slipping and bouncing.

public import SpheroOrientation

/// A ball with a carriage inside, which drives two wheels.
///
/// Frame: x to the right and y ahead of the floor's origin, z up; metres, seconds, radians;
/// yaw counter-clockwise, 0 if the nose points along y.
/// The body moves in steps of ``stepLength``; equal steps give equal motion on all computers with the same libm.
public struct Body: Hashable, Sendable {
  /// The drive of the wheels.
  public enum Effort: Hashable, Sendable {
    /// The ball rolls freely.
    case none
    /// The control system: a speed in m/s on a yaw, with a maximum turn rate in radians per second.
    case controlled(speed: Double, yaw: Double, turnRate: Double)
    /// The duty of each wheel, -1...1, or nil for an open motor.
    case wheels(left: Double?, right: Double?)
  }

  /// A value for each wheel.
  struct Wheels: Hashable, Sendable {
    var left = 0.0
    var right = 0.0
  }

  /// The step in seconds: the control loop runs at 400 Hz (Sphero API 1.50).
  public static let stepLength = 0.0025
  /// Full speed in m/s (Sphero API 1.50, "Roll").
  public static let fullSpeed = 2.0
  /// The radius of the ball in metres.
  public static let radius = 0.037
  static let gravity = 9.80665
  /// The distance of the wheels in metres, which gives the observed turn rate at full speed, 1500 degrees per second.
  static let track = 0.15
  /// The acceleration and deceleration of the control system, in m/s².
  private static let (thrust, braking) = (4.0, 5.0)
  /// The deceleration of the wheels in an abrupt stop, in m/s², which exceeds the grip of rubber on wood.
  private static let abruptBraking = 12.0
  /// The deceleration by the carriage of a ball that rolls sideways, in m/s².
  private static let righting = 2.0
  private static let turnAcceleration = 400.0
  /// The lean per acceleration, in radians per m/s², and its maximum in radians.
  private static let (leanGain, steepestLean) = (0.058, 0.5)
  private static let leanFrequency = 2 * Double.pi * 4
  /// The duration of a bump for the accelerometer, in steps.
  static let bumpSteps = 8

  /// The current task of the motors.
  public var effort = Effort.controlled(speed: 0, yaw: 0, turnRate: 1)
  /// The factor of the motors' thrust.
  var boost = 1.0
  /// Whether the wheels brake with ``abruptBraking``.
  var brakesAbruptly = false
  /// The action of a hand that holds the ball, or nil on the floor.
  var grasp: Grasp?
  var shaking = Shaking()

  /// The point of contact with the floor in metres.
  public internal(set) var position: Planar
  /// In m/s on the floor.
  public internal(set) var velocity = Planar.zero
  /// The speed of the wheels in m/s along the nose; differs from ``velocity`` if the ball slips.
  public internal(set) var rimSpeed = 0.0
  /// The direction of the nose in radians, counter-clockwise from heading 0.
  public internal(set) var yaw: Double
  /// The rate of ``yaw`` in radians per second.
  public internal(set) var yawRate = 0.0
  /// Body to room.
  public internal(set) var attitude: Rotation
  /// In radians per second about the body axes.
  public private(set) var angularVelocity = Vector3.zero
  /// The acceleration of the last step in m/s², along x, y, z of the room, without gravity.
  public internal(set) var acceleration = Vector3.zero
  /// The distance that the wheels have rolled, in metres.
  private(set) var distance = 0.0

  var pitch = 0.0
  var pitchRate = 0.0
  var roll = 0.0
  var rollRate = 0.0
  /// The rim speeds in m/s, which the back EMF of the motors measures.
  var wheels = Wheels()
  /// The turn rate by a hand, about the body axes.
  var handRate = Vector3.zero
  /// The acceleration of the last step without bumps.
  private var push = Planar.zero
  var bump = Planar.zero
  var bumpStepsLeft = 0
  /// The change of velocity by impacts of this step.
  var struck = Planar.zero
  /// The greatest change of velocity by impacts that was not taken yet, in m/s.
  var impact = 0.0
  /// Whether the ball rolls sideways after an impact.
  var tumbles = false
  /// The speed before the last impact, in m/s.
  var speedAtImpact = 0.0

  public init(at position: Planar = .zero, yaw: Double = 0) {
    (self.position, self.yaw) = (position, yaw)
    effort = .controlled(speed: 0, yaw: yaw, turnRate: 1)
    attitude = Rotation(rotationVector: Vector3(0, 0, yaw)) ?? .identity
  }

  /// The unit vector along the nose.
  public var forward: Planar { Planar(-sine(yaw), cosine(yaw)) }

  /// Whether a step on a level floor changes nothing.
  public var isResting: Bool {
    guard velocity == .zero, rimSpeed == 0, yawRate == 0, shaking.isOver else { return false }
    guard angularVelocity == .zero, acceleration == .zero, bumpStepsLeft == 0 else { return false }
    if let grasp { return grasp.isStill }
    guard pitch == 0, roll == 0, pitchRate == 0, rollRate == 0 else { return false }
    switch effort {
    case .none: return true
    case .controlled(let speed, let target, _): return speed == 0 && target == yaw
    case .wheels(let left, let right): return (left ?? 0) == 0 && (right ?? 0) == 0
    }
  }

  /// Moves the body by ``stepLength``.
  public mutating func step(on floor: Floor) {
    let dt = Self.stepLength
    let before = (velocity: velocity, attitude: attitude)
    struck = .zero
    if let grasp {
      follow(grasp, dt)
    } else {
      turn(dt)
      roll(on: floor, dt)
      let place = position
      position += velocity * dt
      distance += abs(rimSpeed) * dt
      keepOff(floor, from: place)
      feel(before.velocity, floor.slope, dt)
      lean(floor.slope, dt)
      settle(floor.slope)
      attitude = Self.attitude(yaw: yaw, pitch: pitch, roll: roll)
    }
    // The quaternion of a robot is continuous: of q and -q, the same rotation, it has the one near the last.
    if attitude.quaternion.dot(before.attitude.quaternion) < 0, let near = Rotation(-attitude.quaternion) {
      attitude = near
    }
    angularVelocity = (before.attitude.inverse * attitude).rotationVector / dt
    if angularVelocity.length < 1e-7 { angularVelocity = .zero }
  }

  static func attitude(yaw: Double, pitch: Double, roll: Double) -> Rotation {
    func turn(_ x: Double, _ y: Double, _ z: Double) -> Rotation {
      Rotation(rotationVector: Vector3(x, y, z)) ?? .identity
    }
    let level = turn(0, 0, yaw)
    return pitch == 0 && roll == 0 ? level : level * turn(pitch, 0, 0) * turn(0, roll, 0)
  }
}

// MARK: - Turning and rolling

extension Body {
  private mutating func turn(_ dt: Double) {
    switch effort {
    case .none:
      yawRate *= decay(after: dt, constant: 0.2)
      if abs(yawRate) < 1e-4 { yawRate = 0 }
    case .controlled(_, let target, let limit):
      let way = (target - yaw).remainder(dividingBy: 2 * .pi)
      // The maximum rate from which the turn can stop in time.
      let fastest = min(limit, (1.4 * Self.turnAcceleration * abs(way)).squareRoot(), abs(way) / (2 * dt))
      let wanted = way < 0 ? -fastest : fastest
      let most = Self.turnAcceleration * dt
      yawRate += min(max(wanted - yawRate, -most), most)
      if abs(way) < 1e-5, abs(yawRate) < 0.01 { (yaw, yawRate) = (target, 0) }
    case .wheels: yawRate = (wheels.right - wheels.left) / Self.track
    }
    yaw += yawRate * dt
    if abs(yaw) > 1e3 { yaw = yaw.remainder(dividingBy: 2 * .pi) }
  }

  private mutating func roll(on floor: Floor, _ dt: Double) {
    switch effort {
    case .none:
      // A free ball accelerates down the slope, with little friction.
      velocity += floor.slope * (5.0 / 7 * dt)
      let friction = 0.15 * dt
      velocity = velocity.length <= friction ? .zero : velocity * (1 - friction / velocity.length)
      rimSpeed = velocity.dot(forward)
      wheels = Wheels(left: rimSpeed, right: rimSpeed)
      return
    case .controlled(let target, _, _):
      // A tumbling ball moves its wheels along: turning does no work.
      if tumbles { rimSpeed = velocity.dot(forward) }
      let isBraking = abs(target) < abs(rimSpeed)
      let wanted = (target - rimSpeed) / (isBraking && brakesAbruptly ? 0.03 : 0.12)
      let hardest = brakesAbruptly ? Self.abruptBraking : Self.braking
      let most = isBraking ? hardest : Self.thrust * boost
      rimSpeed += min(max(wanted, -most), most) * dt
      if abs(target - rimSpeed) < 1e-4 { rimSpeed = target }
      let half = yawRate * Self.track / 2
      wheels = Wheels(left: rimSpeed - half, right: rimSpeed + half)
    case .wheels(let left, let right):
      func driven(_ speed: Double, _ duty: Double?) -> Double {
        guard let duty else { return speed * decay(after: dt, constant: 1.5) }
        return speed + (duty * Self.fullSpeed - speed) * approach(after: dt, constant: 0.25)
      }
      wheels = Wheels(left: driven(wheels.left, left), right: driven(wheels.right, right))
      if abs(wheels.left) + abs(wheels.right) < 1e-3, (left ?? 0) == 0, (right ?? 0) == 0 {
        wheels = Wheels()
      }
      rimSpeed = (wheels.left + wheels.right) / 2
    }
    // Friction accelerates the ball toward the speed of its shell, within the grip of the floor.
    velocity += floor.slope * dt
    var missing = forward * rimSpeed - velocity
    if tumbles { keepTumbling(&missing, dt) }
    let most = floor.grip * Self.gravity * dt
    velocity += missing.length <= most ? missing : missing * (most / missing.length)
  }

  /// A ball rolls sideways after an impact: after the bump, the carriage brakes it slowly.
  private mutating func keepTumbling(_ missing: inout Planar, _ dt: Double) {
    let across = missing.dot(forward.left)
    let most = bumpStepsLeft > 0 ? 0 : Self.righting * dt
    tumbles = abs(across) > most
    missing += forward.left * (min(max(across, -most), most) - across)
  }

  /// The duty of each motor, -1...1.
  var duties: Wheels {
    switch effort {
    case .none: return Wheels()
    case .controlled(let speed, _, _):
      let thrust = 0.2 * (speed - rimSpeed)
      return Wheels(
        left: Self.clamped((wheels.left + thrust) / Self.fullSpeed),
        right: Self.clamped((wheels.right + thrust) / Self.fullSpeed))
    case .wheels(let left, let right): return Wheels(left: left ?? 0, right: right ?? 0)
    }
  }

  private static func clamped(_ value: Double) -> Double { min(max(value, -1), 1) }
}

// MARK: - Acceleration and lean

extension Body {
  private mutating func feel(_ velocityBefore: Planar, _ slope: Planar, _ dt: Double) {
    push = (velocity - velocityBefore - struck) / dt
    let felt = push + takeBump() / dt
    // A motion downhill has a component down.
    acceleration = Vector3(felt.x, felt.y, -push.dot(slope) / Self.gravity) + shaking.next()
    if acceleration.length < 1e-9 { acceleration = .zero }
  }

  /// The part of a bump in one step, in m/s.
  mutating func takeBump() -> Planar {
    guard bumpStepsLeft > 0 else { return .zero }
    bumpStepsLeft -= 1
    return bump / Double(Self.bumpSteps)
  }

  /// The carriage leans toward the acceleration, as a critically damped pendulum of 4 Hz.
  private mutating func lean(_ slope: Planar, _ dt: Double) {
    // A bump is over before the carriage moves.
    let pushed = push - slope
    func target(_ push: Double) -> Double {
      min(max(push * Self.leanGain, -Self.steepestLean), Self.steepestLean)
    }
    let right = -forward.left
    let frequency = Self.leanFrequency
    func swing(_ angle: inout Double, _ rate: inout Double, to target: Double) {
      rate += (frequency * frequency * (target - angle) - 2 * frequency * rate) * dt
      angle += rate * dt
    }
    swing(&pitch, &pitchRate, to: target(pushed.dot(forward)))
    swing(&roll, &rollRate, to: -target(pushed.dot(right)))
  }

  /// Ends motion below the thresholds of rest.
  private mutating func settle(_ slope: Planar) {
    guard velocity == .zero, rimSpeed == 0, acceleration == .zero, yawRate == 0, slope == .zero else {
      return
    }
    guard abs(pitch) + abs(roll) < 1e-5, abs(pitchRate) + abs(rollRate) < 1e-4 else { return }
    (pitch, roll, pitchRate, rollRate) = (0, 0, 0, 0)
  }

  /// The angle of the carriage from upright, in radians.
  var tilt: Double { attitude.tilt.radians }
}
