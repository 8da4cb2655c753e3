// The control system: from drive commands to the effort of the wheels.

import SpheroProtocol

struct DriveState: Hashable, Sendable {
  private struct Turn: Hashable, Sendable {
    /// The heading at the beginning and the angle, in degrees clockwise.
    var start: Double
    var angle: Double
    var begins: Duration
    var length: Duration
  }

  /// Full speed while boosting, in m/s: an assumption, 1.3 times `Body.fullSpeed`, since no source states it.
  private static let boostSpeed = 2.6
  /// The rate of turns on the spot, in degrees per second (Sphero API 1.50, "Set Rotation Rate").
  private static let spotRate = 1_000.0
  /// The maximum rate of other turns, in degrees per second (same source).
  private static let maximumRate = 400.0
  private static let endless = Duration.seconds(Int64.max)

  /// The speed of the last command, 0...255; 255 is `Body.fullSpeed`.
  private(set) var speed: UInt8 = 0
  /// Degrees clockwise from heading 0; may be negative or exceed 360.
  private(set) var heading = 0.0
  private var state = Motion.Roll.State.drive
  private(set) var stabilization = Motion.SetStabilization.Mode.on
  /// The powers of the motors; nil while they are off or stabilised.
  private var motors: Motion.SetRawMotors?
  /// The maximum rate of turns, in steps of 0.784 °/s; 255 is ``maximumRate``.
  var rotationRate: UInt8 = 200
  private var turn: Turn?
  /// The end of the boost, ``endless`` until a command ends it; nil without a boost.
  private var boostEnds: Duration?
  private(set) var brakesAbruptly = false
  /// The time of the last motor command, from which the motion timeout counts; nil while no timeout runs.
  private(set) var commanded: Duration? { didSet { if commanded != nil { hasDriven = true } } }
  private(set) var hasDriven = false

  var isTurning: Bool { turn != nil }

  var isBoosting: Bool { boostEnds != nil }

  var isStabilized: Bool { stabilization != .off }

  /// Rolls; ignored without stabilisation and during a turn in the background.
  mutating func roll(_ speed: UInt8, _ heading: Double, _ state: Motion.Roll.State, at now: Duration) {
    commanded = now
    guard isStabilized, turn == nil else { return }
    (self.speed, self.heading, self.state) = (state == .drive ? speed : 0, heading, state)
    brakesAbruptly = false
    if state != .drive || speed == 0 { boostEnds = nil }
  }

  /// Brakes abruptly if the last roll command, in the state `drive`, had speed 0 (Sphero API 1.50, "Roll").
  mutating func stopAbruptly() { brakesAbruptly = isStabilized && turn == nil && speed == 0 }

  mutating func setSpeed(_ speed: UInt8, at now: Duration) {
    commanded = now
    guard isStabilized, turn == nil else { return }
    (self.speed, state, brakesAbruptly) = (speed, .drive, false)
  }

  /// Turns by an angle in degrees, in the background unless `length` is zero; ignored without stabilisation.
  mutating func rotate(by angle: Double, over length: Duration, at now: Duration) {
    commanded = now
    guard isStabilized else { return }
    if length > .zero {
      turn = Turn(start: heading, angle: angle, begins: now, length: length)
    } else {
      (heading, turn) = (heading + angle, nil)
    }
  }

  mutating func setStabilization(_ mode: Motion.SetStabilization.Mode, presentHeading: Double) {
    stabilization = mode
    (motors, boostEnds, brakesAbruptly) = (nil, nil, false)
    if mode != .onWithoutReset { (speed, heading, turn, state) = (0, presentHeading, nil, .drive) }
    if mode == .off { commanded = nil }
  }

  /// Sets the power of the motors, and switches stabilisation off; the set-point is kept, and `onWithoutReset` resumes it.
  mutating func setRawMotors(_ motors: Motion.SetRawMotors, at now: Duration) {
    let (left, right) = (motors.leftMode, motors.rightMode)
    guard left != .unchanged || right != .unchanged else { return }
    var kept = self.motors ?? Motion.SetRawMotors()
    if left != .unchanged { (kept.leftMode, kept.leftPower) = (left, motors.leftPower) }
    if right != .unchanged { (kept.rightMode, kept.rightPower) = (right, motors.rightPower) }
    (self.motors, stabilization) = (kept, .off)
    (turn, boostEnds, commanded) = (nil, nil, now)
  }

  mutating func stop() {
    (speed, state, turn, motors) = (0, .stop, nil, nil)
    (boostEnds, brakesAbruptly, commanded) = (nil, false, nil)
  }

  /// Begins or ends a boost; ignored without stabilisation and during a turn in the background.
  mutating func boost(_ isOn: Bool, heading: Double? = nil, until end: Duration? = nil, at now: Duration) {
    commanded = now
    guard isStabilized, turn == nil else { return }
    boostEnds = if isOn { end ?? Self.endless } else { nil }
    if let heading { self.heading = heading }
    if isOn { (state, brakesAbruptly) = (.drive, false) }
  }

  mutating func setHeading(_ heading: Double) { (self.heading, turn) = (heading, nil) }

  /// Updates the turn and the boost; `aim` is the yaw of heading 0 in radians, `turnsFirst` the option of vector drive.
  mutating func effort(of body: Body, aim: Double, turnsFirst: Bool, at now: Duration) -> Body.Effort {
    guard isStabilized else { return openLoopEffort }
    // A step of the rotation rate is 0.784 °/s (same source as `spotRate`).
    var rate = rotationRate == .max ? Self.maximumRate : max(Double(rotationRate), 1) * 0.784
    if let turn {
      let part = min((now - turn.begins) / turn.length, 1)
      heading = turn.start + turn.angle * part
      if part >= 1 { self.turn = nil }
      rate = Self.spotRate
    }
    if let boostEnds, now >= boostEnds { self.boostEnds = nil }
    var speed = isBoosting ? Self.boostSpeed : Double(self.speed) / 255 * Body.fullSpeed
    let yaw = aim - heading * .pi / 180
    // Below 0.05 m/s, the ball counts as standing.
    let isSlow = abs(body.rimSpeed) < 0.05
    if state == .fastRotate || (isSlow && speed == 0) { rate = Self.spotRate }
    // A standing ball turns to within 0.35 rad (20 degrees) of its heading before it rolls.
    if turnsFirst, isSlow, speed != 0, abs((yaw - body.yaw).remainder(dividingBy: 2 * .pi)) > 0.35 {
      (speed, rate) = (0, Self.spotRate)
    }
    return .controlled(speed: speed, yaw: yaw, turnRate: rate * .pi / 180)
  }

  private var openLoopEffort: Body.Effort {
    guard let motors else { return .none }
    func duty(_ mode: Motion.SetRawMotors.Mode, _ power: UInt8) -> Double? {
      switch mode {
      case .forward: Double(power) / 255
      case .reverse: -Double(power) / 255
      // A shorted motor brakes like one with the set-point zero.
      case .brake: 0
      case .off, .unchanged: nil
      }
    }
    return .wheels(
      left: duty(motors.leftMode, motors.leftPower), right: duty(motors.rightMode, motors.rightPower))
  }
}
