// What a robot does by itself on a tick of its control loop: programs, senses, timers.

import SpheroOrientation
import SpheroProtocol

/// A levelling that was asked for: since when, how level, for how long.
struct Levelling: Sendable {
  var options: Motion.SelfLevel.Options
  /// Radians.
  var limit: Double
  var deadline: Duration
  /// How long it must be level.
  var trueTime: Duration
  var levelSince: Duration?
  /// Degrees to which it returns.
  var heading: Double
}

extension RobotModel {
  private static let warning = Duration.seconds(10)

  /// Whether the control loop has something to look at on every tick.
  var needsEveryTick: Bool {
    guard nap == nil else { return false }
    if levelling != nil { return true }
    let watches =
      machine.collisions.isOn
      || (hasGyroLimit && machine.settings.permanentOptions.contains(.gyroLimitEvents))
    return watches && !machine.isResting
  }

  /// When the next timer is due.
  var nextTimer: Duration? {
    if let nap { return nap.ends }
    var next = nextBatteryCheck
    func consider(_ deadline: Duration?) { if let deadline { next = min(next, deadline) } }
    if machine.battery.notifies { consider(machine.battery.nextNotification) }
    consider(input.nextDeadline)
    consider(macros.nextDeadline)
    consider(orbBasic.nextDeadline)
    consider(motionDeadline)
    consider(criticalSince.map { $0 + Self.batteryPeriod })
    consider(hasWarnedOfSleep ? sleepDeadline : sleepDeadline - Self.warning)
    return next
  }

  private var sleepDeadline: Duration {
    lastActivity + .seconds(Int(machine.settings.inactivityTimeout))
  }

  /// When the motors stop for want of a command (Sphero API 1.50, "Set Motion Timeout").
  private var motionDeadline: Duration? {
    guard machine.settings.permanentOptions.contains(.motionTimeouts), !hasExclusiveProgram else {
      return nil
    }
    return machine.drive.commanded.map { $0 + .milliseconds(Int(machine.settings.motionTimeout)) }
  }

  /// Whether a program keeps the drive to itself.
  var hasExclusiveProgram: Bool {
    (macros.isRunning && macros.flags.contains(.exclusiveDrive))
      || (orbBasic.isRunning && orbBasic.flags.contains(.exclusiveDrive))
  }

  /// Does what is due now.
  mutating func work() {
    if let nap {
      if let ends = nap.ends, machine.now >= ends { wake() }
      return
    }
    input.advance(to: machine.now)
    answerAll()
    guard nap == nil else { return }
    runPrograms()
    guard nap == nil else { return }
    look()
    sample()
    keepTime()
  }

  // MARK: Programs

  /// Lets macros and orbBasic do what is due, then what they ask of each other.
  mutating func runPrograms() {
    let (hadMacro, hadOrbBasic) = (macros.isRunning, orbBasic.isRunning)
    machine.macroStatus = macros.status
    machine.acting = .macro
    macros.advance(to: machine.now, actions: &machine)
    machine.acting = .orbBasic
    machine.macroStatus = macros.status
    orbBasic.advance(to: machine.now, actions: &machine)
    machine.lights.favoursOrbBasic = orbBasic.flags.contains(.keepsColor)
    if hadMacro, !macros.isRunning { machine.lights.end(.macro) }
    if hadOrbBasic, !orbBasic.isRunning { machine.lights.end(.orbBasic) }
    let requests = machine.requests
    machine.requests = []
    for request in requests where nap == nil {
      switch request {
      case .runMacro(let id): _ = macros.run(id, at: machine.now, isConnected: machine.isConnected)
      case .killMacro: _ = macros.abort()
      case .sleep(let wakeup, let macro, let line):
        switch wakeup {
        case .shaken: fallAsleep(for: nil, macro: macro, line: line)
        case .asCommanded: fallAsleep(for: duration(ofNap: commandedNap), macro: macro, line: line)
        case .after(let time): fallAsleep(for: time, macro: macro, line: line)
        }
      }
    }
  }

  // MARK: Senses

  /// Looks for impacts and for turns that are too fast.
  private mutating func look() {
    if machine.collisions.isOn {
      let felt = machine.body.acceleration / Body.gravity
      let forward = machine.body.forward
      let flat = Planar(felt.x, felt.y)
      let event = machine.collisions.look(
        right: -flat.dot(forward.left), ahead: flat.dot(forward),
        speed: machine.body.speedBeforeBump / Body.fullSpeed,
        at: machine.now, clock: clock)
      if let event {
        machine.send(event)
        macros.collide(at: machine.now)
      }
    }
    lookAtGyro()
    level()
  }

  private mutating func lookAtGyro() {
    guard hasGyroLimit, machine.settings.permanentOptions.contains(.gyroLimitEvents) else { return }
    let rate = machine.body.angularVelocity * (180 / .pi)
    var axes: Sensing.GyroLimit.Axes = []
    for (value, positive, negative) in [
      (rate.x, Sensing.GyroLimit.Axes.xPositive, Sensing.GyroLimit.Axes.xNegative),
      (rate.y, .yPositive, .yNegative), (rate.z, .zPositive, .zNegative),
    ] {
      if value > 2_000 { axes.insert(positive) }
      if value < -2_000 { axes.insert(negative) }
    }
    guard !axes.isEmpty else { return }
    hasGyroLimit = false
    machine.send(Sensing.GyroLimit(axes: axes))
  }

  private mutating func sample() {
    guard var stream, stream.isDue(at: tick) else { return }
    self.stream = nil
    let sample = machine.senses.sample(stream.mask, of: machine.motion(ahead: ahead))
    if let (packet, frames) = stream.add(sample) {
      machine.send(packet)
      if machine.isConnected {
        statistics.frames += frames
        statistics.packets += 1
      }
    }
    // Silently: there is no message at the end.
    self.stream = stream.isOver ? nil : stream
  }

  /// Goes on with a levelling.
  private mutating func level() {
    guard var levelling else { return }
    let isLevel = machine.isStopped && machine.body.tilt <= levelling.limit
    levelling.levelSince = isLevel ? levelling.levelSince ?? machine.now : nil
    self.levelling = levelling
    if let since = levelling.levelSince, machine.now - since >= levelling.trueTime {
      endLevelling(.success)
    } else if machine.now >= levelling.deadline {
      endLevelling(.timedOut)
    }
  }

  /// Ends a levelling, and tells how.
  mutating func endLevelling(_ result: Motion.SelfLevelResult.Result) {
    guard let levelling else { return }
    self.levelling = nil
    machine.send(Motion.SelfLevelResult(result: result))
    machine.setStabilization(levelling.options.contains(.controlSystemOn) ? .on : .off)
    if levelling.options.contains(.keepHeading), machine.drive.isStabilized {
      machine.drive.setHeading(levelling.heading)
    }
    if levelling.options.contains(.sleep) { fallAsleep(for: nil) }
  }

  // MARK: Timers

  private mutating func keepTime() {
    let now = machine.now
    if let deadline = motionDeadline, now >= deadline { machine.stop() }
    if now >= nextBatteryCheck {
      nextBatteryCheck = now + Self.batteryPeriod
      updateBattery()
    }
    tellPower()
    if let criticalSince, now >= criticalSince + Self.batteryPeriod { return fallAsleep(for: nil) }
    if keepsAwake { lastActivity = max(lastActivity, now) }
    if now >= sleepDeadline {
      fallAsleep(for: nil)
    } else if now >= sleepDeadline - Self.warning {
      if !hasWarnedOfSleep { machine.send(Core.PreSleepWarning()) }
      hasWarnedOfSleep = true
    } else {
      hasWarnedOfSleep = false
    }
  }

  /// Whether a program runs that keeps the robot awake.
  private var keepsAwake: Bool {
    (macros.isRunning && !macros.flags.contains(.stealth))
      || (orbBasic.isRunning && !orbBasic.flags.contains(.stealth))
  }

  /// Tells how the battery is, where that is due.
  mutating func tellPower() {
    if let event = machine.battery.notification(at: machine.now) { machine.send(event) }
  }

  /// Lets the battery drain or charge, and the robot warm or cool, up to now.
  mutating func updateBattery() {
    machine.battery.advance(to: machine.now, work: machine.work, isAsleep: nap != nil)
    machine.thermometer.advance(to: machine.now, work: machine.work)
    machine.work = 0
    criticalSince = machine.battery.state == .critical ? criticalSince ?? machine.now : nil
  }
}
