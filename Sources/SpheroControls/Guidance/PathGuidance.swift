// The control law for paths: pure pursuit, with a speed limited by the braking distance.

import SpheroOrientation

/// A control law that drives a robot along a path and stops it at the end, based on the positions that it reports.
///
///     p       = position + velocity · (age of the reading + delay)     where the next command takes effect
///     heading = direction from p to the lookahead point on the path - rotation of the locator's axes
///     speed   = min(top, √(2 · braking · d), d / τ)                    d: the arc length from p to the end
///
/// The lookahead point is that of pure pursuit (Coulter 1992).
/// The delay is initially the round trip of the link, and later the measured time from a command to its first effect.
/// The coasting time after a stop is first estimated from the start of the motion, and then from each stop.
/// τ increases with both and is at least 0.5 s, so that the robot does not overshoot if a command is lost.
///
/// The axes of the locator may be rotated against heading 0, for example if a program has sent Set Heading
/// without Configure Locator; an aim sends both.
/// The guidance measures this rotation while the robot rolls, and limits the speed until it is known.
/// While a robot with a roll command stands still, the commanded speed increases gradually.
/// A robot that rebounds three times counts as blocked, and the guidance fails.
public struct PathGuidance: Guide {
  private enum Phase: Hashable, Sendable {
    /// Rotates in place towards the path.
    case aligning(since: Double)
    case rolling
    /// Waits for rest after a stop command.
    case stopping(since: Double)
  }

  /// Full speed in centimetres per second (Sphero API 1.50, Roll).
  public static let fullSpeed = 200.0
  /// The planned deceleration in cm/s² at the shortest time constant; it is lower at a longer time constant.
  private static let braking = 70.0
  /// The lower limit of τ, in seconds.
  private static let shortestTimeConstant = 0.5
  /// The speed limit in cm/s until the rotation of the axes is known.
  private static let cautiousSpeed = 25.0
  /// The speed in cm/s at which most robots roll evenly.
  private static let slowestSpeed = 8.0
  /// The speed in a sharp corner, in cm/s.
  private static let corneringSpeed = 20.0
  /// The time at rest, in seconds, after which the robot counts as stopped; the delay is added to it.
  private static let restTime = 0.15

  /// The rebounds after which the robot is blocked; positions show no wall, because slipping wheels count on.
  private static let maximumRebounds = 3
  /// The maximum number of stops outside the tolerance; after each, the robot drives to the end again.
  private static let maximumMisses = 8

  private var path: FloorPath
  private let tolerance: Double
  private let topSpeed: Double
  private let roundTrip: Double
  private var watchdog: Watchdog
  private var phase: Phase?
  private var last: Odometry?
  /// The arc length of the robot on the path, in centimetres.
  private var arcLength = 0.0
  /// The rotation of the locator's axes against headings, in degrees: course - heading.
  private var axesRotation = 0.0
  /// The number of readings from which ``axesRotation`` is estimated.
  private var axesReadings = 0
  private var delay: Double
  /// The time of the first roll command at rest; nil when the robot has begun to roll.
  private var launch: Double?
  /// The time and the heading of the first rotation command; nil when the robot has begun to rotate.
  private var spin: (time: Double, heading: Heading)?
  /// The shortest measured time from a command to its effect; a measurement is too long if a command was lost.
  private var response = Double.infinity
  /// The lower limit of the commanded speed, in cm/s; it increases while a robot with a roll command stands still.
  private var minimumSpeed = slowestSpeed
  private var heading: Heading?
  /// The estimate of the coasting time at constant speed after a stop takes effect, in seconds.
  private var coastTime = 0.0
  /// The time and the position of the first roll command at rest; nil after the estimate of the coasting time.
  private var start: (time: Double, position: Position)?
  /// The number of stops outside the tolerance.
  private var misses = 0
  /// Whether the robot has rolled ahead since the last rebound.
  private var rollsAhead = false
  private var rebounds = 0
  /// The predicted position and velocity when the stop takes effect.
  private var braked: (position: Position, velocity: Position)?
  /// The time and the position since which the robot has been at rest.
  private var resting: (since: Double, position: Position)?
  private var lastStep = 0.0

  /// Creates the guidance along a path, which begins at the position of the robot.
  ///
  /// The tolerance at the end is in centimetres, at least 1; the top speed is a fraction of full speed, 0.04...1.
  /// The time limit and the round-trip time of the link are in seconds.
  public init(
    along path: FloorPath, tolerance: Double = 3, topSpeed: Double = 0.3, timeLimit: Double = 30,
    roundTrip: Double = 0.1
  ) {
    self.path = path
    // Readings are rounded to whole centimetres on both axes: up to √2 / 2 cm of the distance is rounding.
    self.tolerance = max(1, tolerance - 0.7)
    self.topSpeed = max(Self.fullSpeed * topSpeed.clampedToUnit, minimumSpeed)
    self.roundTrip = clamped(roundTrip, 0...2)
    delay = self.roundTrip
    watchdog = Watchdog(limit: timeLimit, step: 1.5)
  }

  /// The distance from the last reading to the end, in centimetres.
  public var distance: Double { last.map { $0.position.distance(to: path.end) } ?? path.length }

  public mutating func step(_ reading: Odometry, at now: Double) -> Guidance {
    guard reading.isFinite, now.isFinite else { return .stop }
    update(reading)
    defer { lastStep = now }
    let horizon = clamped(now - reading.time, 0...0.5) + delay
    let predicted = reading.position.moved(along: reading.velocity, times: horizon)
    arcLength = path.arcLength(nearestTo: predicted, from: arcLength, range: 50)
    if let verdict = watchdog.verdict(
      error: remaining(from: reading.position), age: now - reading.time, roundTrip: roundTrip, at: now)
    {
      // After a stop, the guidance starts again from rest.
      (phase, launch, start, spin) = (nil, nil, nil, nil)
      return verdict
    }
    guard rebounds < Self.maximumRebounds else { return .failed(.noProgress) }
    return step(reading, predicted: predicted, at: now)
  }

  private mutating func step(_ reading: Odometry, predicted: Position, at now: Double) -> Guidance {
    switch phase {
    case nil:
      phase =
        distance <= tolerance / 2 && path.length - arcLength <= tolerance
        ? .stopping(since: now) : .aligning(since: now)
      return step(reading, predicted: predicted, at: now)
    case .aligning(let since):
      guard let target = aim(from: predicted, speed: 0) else {
        return brake(reading, predicted: predicted, at: now)
      }
      heading = target
      let isAligned = abs(reading.heading.turn(to: target).degrees) < 12
      if isAligned || now - since > 1.5 + roundTrip {
        phase = .rolling
        return step(reading, predicted: predicted, at: now)
      }
      if now == since { spin = (now, reading.heading) }
      return .drive(Drive(heading: target, speed: 0))
    case .rolling: return roll(reading, predicted: predicted, at: now)
    case .stopping(let since):
      guard let resting, reading.time - max(resting.since, since) >= Self.restTime + delay else {
        return .stop
      }
      updateCoastTime()
      if distance <= tolerance { return .arrived }
      misses += 1
      guard misses <= Self.maximumMisses else { return .failed(.noProgress) }
      watchdog.restart()
      if let remaining = FloorPath([reading.position, path.end]) { (path, arcLength) = (remaining, 0) }
      phase = .aligning(since: now)
      return step(reading, predicted: predicted, at: now)
    }
  }

  private mutating func roll(_ reading: Odometry, predicted: Position, at now: Double) -> Guidance {
    let distance = remaining(from: predicted)
    let end = predicted.moved(along: reading.velocity, times: coastTime)
    if distance <= min(1, tolerance / 3) + reading.speed * coastTime || hasPassed(end, reading) {
      return brake(reading, predicted: predicted, at: now)
    }
    heading = aim(from: predicted, speed: reading.speed) ?? heading
    // The factors are tuned: they bound the overshoot of the simulated balls of the tests.
    let timeConstant = max(Self.shortestTimeConstant, 2.2 * delay + 1.5 * coastTime)
    let braking = Self.braking * square(Self.shortestTimeConstant / timeConstant)
    var speed = min(topSpeed, (2 * braking * distance).squareRoot(), distance / timeConstant)
    if axesReadings < 3 { speed = min(speed, Self.cautiousSpeed) }
    speed = min(speed, cornerSpeed(braking: braking))
    if let heading { speed *= max(0.3, cosine(degrees: reading.heading.turn(to: heading).degrees)) }
    updateMinimumSpeed(reading, at: now)
    return .drive(Drive(heading: heading, speed: max(speed, minimumSpeed) / Self.fullSpeed))
  }

  private mutating func brake(_ reading: Odometry, predicted: Position, at now: Double) -> Guidance {
    phase = .stopping(since: now)
    braked = (predicted, reading.velocity)
    launch = nil
    return .stop
  }

  /// Increases the minimum speed while a robot with a roll command stands still, and resets it when the robot rolls.
  private mutating func updateMinimumSpeed(_ reading: Odometry, at now: Double) {
    guard reading.speed < 2 else {
      if reading.speed > 3 { minimumSpeed = Self.slowestSpeed }
      return
    }
    let since = launch ?? now
    if launch == nil { (launch, start) = (now, (now, reading.position)) }
    if now - since > roundTrip + 0.35 {
      minimumSpeed = min(minimumSpeed + 30 * clamped(now - lastStep, 0...0.2), topSpeed)
    }
  }

  /// Whether the robot rolls away from the end at a predicted position.
  private func hasPassed(_ position: Position, _ reading: Odometry) -> Bool {
    guard arcLength >= path.length - 0.5, reading.speed > 2 else { return false }
    let (x, y) = (path.end.x - position.x, path.end.y - position.y)
    return x * reading.velocity.x + y * reading.velocity.y < 0
  }

  /// Returns the remaining distance from a position, in centimetres.
  private func remaining(from position: Position) -> Double {
    let rest = path.length - arcLength
    return rest > 0.5
      ? rest + position.distance(to: path.position(at: arcLength)) : position.distance(to: path.end)
  }

  /// Returns the heading towards the lookahead point, also beyond the end, since rounding dominates the direction
  /// to a near point; nil if the position is the lookahead point.
  private func aim(from position: Position, speed: Double) -> Heading? {
    var lookahead = clamped(0.8 * speed, 12...60)
    // A shorter lookahead prevents the robot from cutting a corner.
    while lookahead > 12, path.chordDeviation(from: arcLength, to: arcLength + lookahead) > 3 {
      lookahead *= 0.7
    }
    return position.heading(to: path.extended(to: arcLength + lookahead))?.turned(by: .degrees(-axesRotation))
  }

  /// Returns the speed limit from which the robot can brake for the next corners.
  private func cornerSpeed(braking: Double) -> Double {
    guard let course = path.course(at: arcLength) else { return topSpeed }
    var speed = topSpeed
    for ahead in [5.0, 10, 20, 30, 45, 60, 80, 100] {
      guard let next = path.course(at: arcLength + ahead) else { break }
      let bend = max(0, cosine(degrees: course.turn(to: next).degrees))
      let corner = Self.corneringSpeed + max(0, topSpeed - Self.corneringSpeed) * bend
      speed = min(speed, (square(corner) + 2 * braking * (ahead - 5)).squareRoot())
    }
    return speed
  }

  // MARK: Estimation

  private mutating func update(_ reading: Odometry) {
    guard let last else {
      self.last = reading
      resting = (reading.time, reading.position)
      return
    }
    guard reading.time > last.time else { return }
    self.last = reading
    if reading.speed >= 2 || resting.map({ $0.position.distance(to: reading.position) > 1.5 }) ?? true {
      resting = (reading.time, reading.position)
    }
    if let spin, abs(spin.heading.turn(to: reading.heading).degrees) > 3 {
      updateDelay(reading.time - spin.time)
      self.spin = nil
    }
    if reading.speed > 3, let launch {
      updateDelay(reading.time - launch)
      self.launch = nil
    }
    updateAxes(reading, after: last)
    countRebound(reading)
  }

  /// Counts a change from forward to backward motion, which no command causes.
  private mutating func countRebound(_ reading: Odometry) {
    guard axesReadings >= 3 else { return }
    let course = reading.heading.degrees + axesRotation
    let ahead = reading.velocity.x * sine(degrees: course) + reading.velocity.y * cosine(degrees: course)
    if rollsAhead, ahead < -5 { (rollsAhead, rebounds) = (false, rebounds + 1) }
    if ahead > 10 { rollsAhead = true }
  }

  private mutating func updateDelay(_ time: Double) {
    response = min(response, time)
    delay = clamped(response, roundTrip...(roundTrip + 0.15))
  }

  /// Estimates the coasting time after a stop by the lag at the start, as if both were equal: the time since the command,
  /// minus the delay and the time at the current speed.
  private mutating func estimateCoastTime(from reading: Odometry) {
    guard let start else { return }
    self.start = nil
    // With a larger rotation, the robot started in a wrong direction, and the turn lengthened the time.
    guard abs(axesRotation.remainder(dividingBy: 360)) < 30 else { return }
    let distance = start.position.distance(to: reading.position)
    coastTime = clamped(reading.time - start.time - distance / reading.speed - delay, 0...0.2)
  }

  /// Updates the coasting time from the distance that the robot has rolled since the stop took effect.
  private mutating func updateCoastTime() {
    guard let braked, let last else { return }
    self.braked = nil
    let (x, y) = (braked.velocity.x, braked.velocity.y)
    let squaredSpeed = square(x) + square(y)
    // Below 4 cm/s, the distance is of the order of the rounding of the positions.
    guard squaredSpeed > square(4) else { return }
    let along = (last.position.x - braked.position.x) * x + (last.position.y - braked.position.y) * y
    coastTime = clamped((coastTime + along / squaredSpeed) / 2, 0...0.5)
  }

  /// Updates the rotation of the axes from the difference between course and heading.
  private mutating func updateAxes(_ reading: Odometry, after last: Odometry) {
    guard case .rolling = phase, reading.speed >= 8, last.speed >= 4,
      abs(last.heading.turn(to: reading.heading).degrees) < 5,
      let course = Heading(towardX: reading.velocity.x, y: reading.velocity.y)
    else { return }
    let turn = reading.heading.turn(to: course).degrees
    let change = (turn - axesRotation).remainder(dividingBy: 360)
    // The axes do not rotate while the robot rolls, so a later deviation is a rebound.
    guard axesReadings < 6 || abs(change) < 30 else { return }
    axesRotation += axesReadings == 0 ? change : change * 0.25
    axesReadings += 1
    if axesReadings == 3 { estimateCoastTime(from: reading) }
  }
}

private func square(_ value: Double) -> Double { value * value }
