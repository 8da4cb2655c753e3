// The work of a robot on a tick of its control loop: programs, sensors and timers.

import SpheroOrientation
import SpheroProtocol

struct Levelling: Sendable {
  var options: Motion.SelfLevel.Options
  /// The largest tilt that counts as level, in radians.
  var limit: Double
  var deadline: Duration
  /// The time for which the robot must stay level.
  var trueTime: Duration
  var levelSince: Duration?
  /// The heading to return to, in degrees.
  var heading: Double
}

extension RobotModel {
  /// The time from the warning to the sleep.
  private static let sleepWarningTime = Duration.seconds(10)

  /// Whether the control loop has work on every tick.
  var needsEveryTick: Bool {
    guard !isAsleep else { return false }
    if levelling != nil { return true }
    guard !hardware.isResting else { return false }
    if hardware.collisions.isOn { return true }
    return isGyroLimitArmed && hardware.settings.permanentOptions.contains(.gyroLimitEvents)
  }

  var nextTimer: Duration? {
    if let nap = hardware.nap {
      // A ball on a slope keeps moving: without a tick each second, the next event would compute the steps of hours at once.
      guard hardware.floor.slope != .zero else { return nap.ends }
      let next = hardware.now + .seconds(1)
      return min(nap.ends ?? next, next)
    }
    var next = batteryUpdated + Self.batteryPeriod
    func consider(_ deadline: Duration?) { if let deadline { next = min(next, deadline) } }
    if hardware.battery.notifies { consider(hardware.battery.nextNotification) }
    consider(input.nextDeadline)
    consider(macros.nextDeadline)
    consider(orbBasic.nextDeadline)
    consider(motionDeadline)
    consider(criticalSince.map { $0 + Self.batteryPeriod })
    consider(hasWarnedOfSleep ? sleepDeadline : sleepDeadline - Self.sleepWarningTime)
    return next
  }

  private var sleepDeadline: Duration {
    lastActivity + .seconds(Int(hardware.settings.inactivityTimeout))
  }

  private var motionDeadline: Duration? {
    guard hardware.settings.permanentOptions.contains(.motionTimeouts), !hasExclusiveProgram else {
      return nil
    }
    // Not `map`, whose closure would copy the whole robot.
    guard let commanded = hardware.drive.commanded else { return nil }
    return commanded + .milliseconds(Int(hardware.settings.motionTimeout))
  }

  var hasExclusiveProgram: Bool {
    macros.flags.contains(.exclusiveDrive) || orbBasic.flags.contains(.exclusiveDrive)
  }

  mutating func runTick() {
    if let nap = hardware.nap {
      if let ends = nap.ends, hardware.now >= ends { wake(by: .timer) }
      return
    }
    input.advance(to: hardware.now)
    answerAll()
    guard !isAsleep else { return }
    runPrograms()
    guard !isAsleep else { return }
    detectCollision()
    detectExcessiveRate()
    updateLevelling()
    sendSample()
    runTimers()
  }

  // MARK: Programs

  /// Runs macros and orbBasic, then their requests to each other.
  mutating func runPrograms() {
    hardware.actingProgram = .macro
    macros.advance(to: hardware.now, actions: &hardware)
    hardware.actingProgram = .basic
    hardware.macroStatus = macros.status
    orbBasic.advance(to: hardware.now, actions: &hardware)
    let requests = hardware.requests
    hardware.requests = []
    for request in requests where !isAsleep {
      switch request {
      case .runMacro(let id): _ = macros.run(id, at: hardware.now, isConnected: hardware.isConnected)
      case .killMacro: _ = macros.abort()
      case .sleep(let wakeup, let macro, let line):
        let time =
          switch wakeup {
          case .shaken: Duration?.none
          case .asCommanded: duration(ofNap: commandedNap)
          case .after(let time): time
          }
        fallAsleep(for: time, macro: macro, line: line, by: .program)
      }
    }
    // A command, a disconnection or a collision may have ended a program since the last run.
    if !macros.isRunning { hardware.lights.end(.macro, at: hardware.now) }
    if !orbBasic.isRunning { hardware.lights.end(.basic, at: hardware.now) }
  }

  // MARK: Sensors

  private mutating func detectCollision() {
    guard hardware.collisions.isOn else { return }
    let felt = hardware.body.acceleration / Body.gravity
    let (flat, forward) = (Planar(felt.x, felt.y), hardware.body.forward)
    let event = hardware.collisions.detect(
      right: -flat.dot(forward.left), ahead: flat.dot(forward), within: hardware.senses.accelerationRange,
      speed: hardware.body.speedBeforeBump / Body.fullSpeed, at: hardware.now, clock: clock)
    guard let event else { return }
    hardware.send(event)
    macros.collide(at: hardware.now)
  }

  private mutating func detectExcessiveRate() {
    guard isGyroLimitArmed, hardware.settings.permanentOptions.contains(.gyroLimitEvents) else { return }
    let rate = hardware.body.angularVelocity * (180 / .pi)
    var axes: Sensing.GyroLimit.Axes = []
    func check(_ value: Double, _ positive: Sensing.GyroLimit.Axes, _ negative: Sensing.GyroLimit.Axes) {
      if value > Senses.rateRange.upperBound { axes.insert(positive) }
      if value < Senses.rateRange.lowerBound { axes.insert(negative) }
    }
    check(rate.x, .xPositive, .xNegative)
    check(rate.y, .yPositive, .yNegative)
    check(rate.z, .zPositive, .zNegative)
    guard !axes.isEmpty else { return }
    isGyroLimitArmed = false
    hardware.send(Sensing.GyroLimit(axes: axes))
  }

  private mutating func sendSample() {
    guard var stream, stream.isDue(at: tick) else { return }
    self.stream = nil
    let sample = hardware.senses.sample(stream.mask, of: hardware.motion(extrapolatedBy: timeSinceStep))
    if let (packet, frames) = stream.add(sample) {
      hardware.send(packet)
      if hardware.isConnected {
        statistics.frames += frames
        statistics.packets += 1
      }
    }
    self.stream = stream.isOver ? nil : stream
  }

  private mutating func updateLevelling() {
    guard var levelling else { return }
    let isLevel = hardware.isStopped && hardware.body.tilt <= levelling.limit
    levelling.levelSince = isLevel ? levelling.levelSince ?? hardware.now : nil
    self.levelling = levelling
    if let since = levelling.levelSince, hardware.now - since >= levelling.trueTime {
      endLevelling(.success)
    } else if hardware.now >= levelling.deadline {
      endLevelling(.timedOut)
    }
  }

  mutating func endLevelling(_ result: Motion.SelfLevelResult.Result) {
    guard let levelling else { return }
    self.levelling = nil
    hardware.send(Motion.SelfLevelResult(result: result))
    hardware.setStabilization(levelling.options.contains(.controlSystemOn) ? .on : .off)
    if levelling.options.contains(.keepHeading), hardware.drive.isStabilized {
      hardware.drive.setHeading(levelling.heading)
    }
    if levelling.options.contains(.sleep) { fallAsleep(for: nil, by: .command) }
  }

  // MARK: Timers

  private mutating func runTimers() {
    let now = hardware.now
    if let deadline = motionDeadline, now >= deadline { hardware.stop() }
    if now >= batteryUpdated + Self.batteryPeriod { updateBattery() }
    reportPower()
    if let criticalSince, now >= criticalSince + Self.batteryPeriod {
      return fallAsleep(for: nil, by: .criticalBattery)
    }
    // A running program keeps the robot awake.
    if (macros.isRunning && !macros.flags.contains(.stealth))
      || (orbBasic.isRunning && !orbBasic.flags.contains(.stealth))
    {
      lastActivity = max(lastActivity, now)
    }
    if now >= sleepDeadline {
      fallAsleep(for: nil, by: .inactivity(seconds: hardware.settings.inactivityTimeout))
    } else if now >= sleepDeadline - Self.sleepWarningTime {
      if !hasWarnedOfSleep { hardware.send(Core.PreSleepWarning()) }
      hasWarnedOfSleep = true
    } else {
      hasWarnedOfSleep = false
    }
  }

  mutating func reportPower() {
    if let event = hardware.battery.notification(at: hardware.now) { hardware.send(event) }
  }

  mutating func updateBattery() {
    let seconds = (hardware.now - batteryUpdated).inSeconds
    if seconds > 0 {
      hardware.battery.advance(by: seconds, work: hardware.work, isAsleep: isAsleep)
      hardware.thermometer.advance(by: seconds, work: hardware.work)
    }
    batteryUpdated = hardware.now
    hardware.work = 0
    criticalSince = hardware.battery.state == .critical ? criticalSince ?? hardware.now : nil
  }
}
