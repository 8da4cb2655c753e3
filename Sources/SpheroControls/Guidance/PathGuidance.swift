// Rolls along a path to its end: pure pursuit, and a speed from which the robot still stops in time.

import SpheroOrientation

/// Rolls a robot along a path and stops it at the end, by the place that it reports.
///
///     p       = place + velocity · (age of the reading + delay)        where the next command begins to act
///     heading = direction from p to a point ahead on the path - turn of the locator's axes
///     speed   = min(top, √(2 · braking · rest), rest / τ)              rest: the way from p to the end
///
/// The point ahead is that of pure pursuit (Coulter 1992).
/// The delay is that of the link at first, and then what the robot took to begin to turn or to roll.
/// How long it rolls on after a stop is judged by how slowly it gathers speed, and then by each stop.
/// τ is a multiple of both, and never less than 0.5 s: a command that is lost costs less way than is left.
///
/// The axes of the locator need not lie along heading 0: they stay where they are when a robot is aimed anew.
/// By how much they are turned is measured while it rolls; until then it rolls slowly.
/// A robot that stands still in spite of a slow command is told a faster one, little by little.
/// One that is thrown back three times is blocked.
public struct PathGuidance: Guide {
  private enum Phase: Hashable, Sendable {
    /// Turns in place towards the path.
    case aligning(since: Double)
    case rolling
    /// Was told to stop.
    case stopping(since: Double)
  }

  /// Full speed in centimetres a second (Sphero API 1.50, "Roll").
  public static let fullSpeed = 200.0
  /// How hard it brakes, in cm/s², where the delay is short.
  private static let braking = 70.0
  private static let shortestTimeConstant = 0.5
  /// How fast it rolls until the turn of the axes is known, in cm/s.
  private static let cautious = 25.0
  /// How fast it rolls through a sharp corner, in cm/s.
  private static let cornering = 20.0
  /// How long a robot rests before that counts, in seconds, beside what the link takes.
  private static let rest = 0.15

  private var path: FloorPath
  /// How often it may be thrown back: where wheels slip, the locator goes on through the wall.
  private static let mostBumps = 3
  /// How often it may stop too far from the end.
  private static let mostMisses = 8

  private let tolerance: Double
  private let topSpeed: Double
  private let roundTrip: Double
  private var patience: Patience
  private var phase: Phase?
  private var last: Odometry?
  /// The way along the path so far.
  private var way = 0.0
  /// By how much the axes of the locator are turned against headings, in degrees: course - heading.
  private var axesTurn = 0.0
  private var axesReadings = 0
  private var delay: Double
  /// When it was told to roll from rest; nil once it rolls.
  private var launch: Double?
  /// When it was told to turn, and where it looked then; nil once it turns.
  private var spin: (time: Double, heading: Heading)?
  /// The shortest time from a command to what came of it; a command that was lost makes it longer.
  private var response = Double.infinity
  /// The slowest speed at which it rolls, in cm/s, as far as is known.
  private var creep = 8.0
  private var heading: Heading?
  /// How long it rolls on at its speed once a stop has come, in seconds, as far as is known.
  private var coast = 0.0
  /// When and where it was told to roll from rest; nil once that has told how sluggish it is.
  private var sluggish: (time: Double, place: Position)?
  /// How often it stopped too far from the end.
  private var misses = 0
  /// Whether it rolls ahead, and how often it was thrown back from that.
  private var (rollsAhead, bumps) = (false, 0)
  /// Where it was expected to be when the stop would come, and how it moved then.
  private var braked: (place: Position, velocity: Position)?
  /// Since when it rests, and where.
  private var resting: (since: Double, place: Position)?
  private var lastStep = 0.0

  /// Creates the guidance along a path.
  ///
  /// - Parameters:
  ///   - path: The path, from where the robot is.
  ///   - tolerance: How far from the end it may stop, in centimetres; at least 1.
  ///   - topSpeed: The most of full speed, 0...1.
  ///   - timeLimit: How long it may take, in seconds.
  ///   - roundTrip: How long the robot takes to answer, in seconds.
  public init(
    along path: FloorPath, tolerance: Double = 3, topSpeed: Double = 0.3, timeLimit: Double = 30,
    roundTrip: Double = 0.1
  ) {
    self.path = path
    // The reading is rounded, on both axes.
    self.tolerance = max(1, tolerance - 0.7)
    self.topSpeed = max(Self.fullSpeed * topSpeed.clampedToUnit, 1)
    self.roundTrip = clamped(roundTrip, 0...2)
    delay = self.roundTrip
    patience = Patience(limit: timeLimit, step: 1.5)
  }

  /// How far the end is from the last reading, in centimetres.
  public var distance: Double { last.map { $0.position.distance(to: path.end) } ?? path.length }

  /// What the robot takes to obey and to tell it, in seconds, as far as is known.
  public var estimatedDelay: Double { delay }

  /// Decides where to roll, and how fast.
  public mutating func step(_ reading: Odometry, at now: Double) -> Guidance {
    guard reading.isFinite, now.isFinite else { return .stop }
    note(reading)
    defer { lastStep = now }
    let horizon = clamped(now - reading.time, 0...0.5) + delay
    let place = reading.position.moved(along: reading.velocity, for: horizon)
    way = path.way(nearest: place, from: way, reach: 50)
    if let verdict = patience.verdict(
      error: remaining(from: reading.position), age: now - reading.time, roundTrip: roundTrip, at: now)
    {
      // What is told to stop has to begin anew.
      phase = nil
      return verdict
    }
    guard bumps < Self.mostBumps else { return .gaveUp(.noProgress) }
    return go(on: reading, predicted: place, at: now)
  }

  private mutating func go(on reading: Odometry, predicted place: Position, at now: Double) -> Guidance {
    switch phase {
    case nil:
      phase =
        distance <= tolerance / 2 && path.length - way <= tolerance
        ? .stopping(since: now) : .aligning(since: now)
      return go(on: reading, predicted: place, at: now)
    case .aligning(let since):
      guard let target = aim(from: place, speed: 0) else { return brake(reading, predicted: place, at: now) }
      heading = target
      let isAligned = abs(reading.heading.turn(to: target).degrees) < 12
      if isAligned || now - since > 1.5 + roundTrip {
        phase = .rolling
        return go(on: reading, predicted: place, at: now)
      }
      if now == since { spin = (now, reading.heading) }
      return .drive(Drive(heading: target, speed: 0))
    case .rolling: return roll(reading, predicted: place, at: now)
    case .stopping(let since):
      guard let resting, reading.time - max(resting.since, since) >= Self.rest + delay else { return .stop }
      learnCoast()
      if distance <= tolerance { return .arrived }
      misses += 1
      guard misses <= Self.mostMisses else { return .gaveUp(.noProgress) }
      patience.beginAnew()
      if let rest = FloorPath([reading.position, path.end]) { (path, way) = (rest, 0) }
      phase = .aligning(since: now)
      return go(on: reading, predicted: place, at: now)
    }
  }

  private mutating func roll(_ reading: Odometry, predicted place: Position, at now: Double) -> Guidance {
    let left = remaining(from: place)
    let end = place.moved(along: reading.velocity, for: coast)
    if left <= min(1, tolerance / 3) + reading.speed * coast || hasPassed(end, reading) {
      return brake(reading, predicted: place, at: now)
    }
    heading = aim(from: place, speed: reading.speed) ?? heading
    let constant = max(Self.shortestTimeConstant, 2.2 * delay + 1.5 * coast)
    let braking = Self.braking * square(Self.shortestTimeConstant / constant)
    var speed = min(topSpeed, (2 * braking * left).squareRoot(), left / constant)
    if axesReadings < 3 { speed = min(speed, Self.cautious) }
    speed = min(speed, cornerSpeed(braking: braking))
    if let heading { speed *= max(0.3, cosine(degrees: reading.heading.turn(to: heading).degrees)) }
    push(reading, at: now)
    return .drive(Drive(heading: heading, speed: max(speed, creep) / Self.fullSpeed))
  }

  private mutating func brake(_ reading: Odometry, predicted place: Position, at now: Double) -> Guidance {
    phase = .stopping(since: now)
    braked = (place, reading.velocity)
    launch = nil
    return .stop
  }

  /// Asks for more where a robot that was told to roll stands still.
  private mutating func push(_ reading: Odometry, at now: Double) {
    guard reading.speed < 2 else { return }
    let since = launch ?? now
    if launch == nil { (launch, sluggish) = (now, (now, reading.position)) }
    if now - since > roundTrip + 0.35 { creep = min(creep + 30 * clamped(now - lastStep, 0...0.2), topSpeed) }
  }

  /// Whether the end lies behind the robot.
  private func hasPassed(_ place: Position, _ reading: Odometry) -> Bool {
    guard way >= path.length - 0.5, reading.speed > 2 else { return false }
    let (x, y) = (path.end.x - place.x, path.end.y - place.y)
    return x * reading.velocity.x + y * reading.velocity.y < 0
  }

  /// The way that is left from a place, in centimetres.
  private func remaining(from place: Position) -> Double {
    let rest = path.length - way
    return rest > 0.5 ? rest + place.distance(to: path.position(at: way)) : place.distance(to: path.end)
  }

  /// The heading towards a point ahead on the path; nil where the path has no length.
  ///
  /// After the end it goes on straight: the direction of a point that is near is that of the last rounding.
  private func aim(from place: Position, speed: Double) -> Heading? {
    var ahead = clamped(0.8 * speed, 12...60)
    // Not round a corner: that would be cut.
    while ahead > 12, path.bulge(from: way, to: way + ahead) > 3 { ahead *= 0.7 }
    return Aim(from: place, to: path.extended(to: way + ahead))?.heading?.turned(by: .degrees(-axesTurn))
  }

  /// How fast the robot may be, so that it is slow enough at the next corner.
  private func cornerSpeed(braking: Double) -> Double {
    guard let course = path.course(at: way) else { return topSpeed }
    var speed = topSpeed
    for ahead in [5.0, 10, 20, 30, 45, 60, 80, 100] {
      guard let next = path.course(at: way + ahead) else { break }
      let bend = max(0, cosine(degrees: course.turn(to: next).degrees))
      let corner = Self.cornering + max(0, topSpeed - Self.cornering) * bend
      speed = min(speed, (square(corner) + 2 * braking * (ahead - 5)).squareRoot())
    }
    return speed
  }

  // MARK: Learning

  private mutating func note(_ reading: Odometry) {
    guard let last else {
      self.last = reading
      resting = (reading.time, reading.position)
      return
    }
    guard reading.time > last.time else { return }
    self.last = reading
    if reading.speed >= 2 || resting.map({ $0.place.distance(to: reading.position) > 1.5 }) ?? true {
      resting = (reading.time, reading.position)
    }
    if let spin, abs(spin.heading.turn(to: reading.heading).degrees) > 3 {
      learnDelay(reading.time - spin.time)
      self.spin = nil
    }
    if reading.speed > 3, let launch {
      learnDelay(reading.time - launch)
      self.launch = nil
    }
    learnAxes(reading, after: last)
    noteBump(reading)
  }

  /// Counts how often it rolls back, which nobody tells it to.
  private mutating func noteBump(_ reading: Odometry) {
    guard axesReadings >= 3 else { return }
    let course = reading.heading.degrees + axesTurn
    let ahead = reading.velocity.x * sine(degrees: course) + reading.velocity.y * cosine(degrees: course)
    if rollsAhead, ahead < -5 { (rollsAhead, bumps) = (false, bumps + 1) }
    if ahead > 10 { rollsAhead = true }
  }

  private mutating func learnDelay(_ time: Double) {
    response = min(response, time)
    delay = clamped(response, roundTrip...(roundTrip + 0.15))
  }

  /// Compares when it would have begun at once, at the speed that it has now, with when it was told to.
  private mutating func learnCoast(from reading: Odometry) {
    guard let sluggish else { return }
    self.sluggish = nil
    // One that had to turn round did not roll evenly.
    guard abs(axesTurn.remainder(dividingBy: 360)) < 30 else { return }
    let way = sluggish.place.distance(to: reading.position)
    coast = clamped(reading.time - sluggish.time - way / reading.speed - delay, 0...0.2)
  }

  /// Compares where it lies with where it was when the stop came.
  private mutating func learnCoast() {
    guard let braked, let last else { return }
    self.braked = nil
    let (x, y) = (braked.velocity.x, braked.velocity.y)
    let speed = square(x) + square(y)
    guard speed > 16 else { return }
    let along = (last.position.x - braked.place.x) * x + (last.position.y - braked.place.y) * y
    coast = clamped((coast + along / speed) / 2, 0...0.5)
  }

  /// Compares where it rolls with where it looks.
  private mutating func learnAxes(_ reading: Odometry, after last: Odometry) {
    guard case .rolling = phase, reading.speed >= 8, last.speed >= 4,
      abs(last.heading.turn(to: reading.heading).degrees) < 5,
      let course = Heading(towardX: reading.velocity.x, y: reading.velocity.y)
    else { return }
    let turn = reading.heading.turn(to: course).degrees
    let change = (turn - axesTurn).remainder(dividingBy: 360)
    // Axes stay where they are: what rolls elsewhere later was thrown there.
    guard axesReadings < 6 || abs(change) < 30 else { return }
    axesTurn += axesReadings == 0 ? change : change * 0.25
    axesReadings += 1
    if axesReadings == 3 { learnCoast(from: reading) }
  }
}

private func square(_ value: Double) -> Double { value * value }
