// What happens to a robot: clients come and go, it sleeps and wakes, hands take it up.

public import SpheroOrientation
import SpheroProtocol

extension RobotModel {
  // MARK: Clients

  /// A client has opened the line.
  public mutating func connect(at now: Duration) {
    tick(at: now)
    machine.now = max(machine.now, now)
    (machine.isConnected, machine.lights.isConnected) = (true, true)
    input.reset()
    nap?.isVisited = true
    if nap == nil {
      lastActivity = machine.now
      if !configuration.greeting.isEmpty {
        machine.output.append(configuration.greeting, notBefore: machine.now)
      }
    }
  }

  /// The client has gone: what it asked for ends, as far as it asked for that.
  public mutating func disconnect(at now: Duration) {
    tick(at: now)
    machine.now = max(machine.now, now)
    (machine.isConnected, machine.lights.isConnected) = (false, false)
    input.reset()
    _ = machine.output.take()
    if !configuration.keepsStreaming { stream = nil }
    machine.battery.notify(false, at: machine.now)
    let mayStop =
      (!macros.isRunning || macros.flags.contains(.stopOnDisconnect))
      && (!orbBasic.isRunning || orbBasic.flags.contains(.stopOnDisconnect))
    // The option is used up once it has been obeyed.
    if mayStop, machine.settings.temporaryOptions.contains(.stopOnDisconnect) {
      machine.settings.temporaryOptions.remove(.stopOnDisconnect)
      _ = macros.abort()
      _ = orbBasic.abort(at: machine.now)
      machine.stop()
    }
    machine.updateEffort()
  }

  // MARK: Sleep

  /// Whether it sleeps: it hears nothing.
  public var isAsleep: Bool { nap != nil }

  /// Whether it can be connected to: it is awake, or bytes wake it.
  public var isReachable: Bool {
    guard let nap else { return true }
    return configuration.wakesByBytes && nap.ends == nil
  }

  /// How long a wake-up time of the wire means, or nil for ever.
  func duration(ofNap seconds: UInt16) -> Duration? {
    seconds == 0 || seconds == .max ? nil : .seconds(Int(seconds))
  }

  /// Falls asleep; with a time, wakes by itself.
  mutating func fallAsleep(for time: Duration?, macro: UInt8 = 0, line: UInt16 = 0) {
    updateBattery()
    nap = Nap(since: machine.now, ends: time.map { machine.now + $0 }, macro: macro, line: line)
    machine.isAsleep = true
    (stream, levelling, criticalSince) = (nil, nil, nil)
    machine.battery.notify(false, at: machine.now)
    machine.drive.stop()
    machine.collisions.configure(.init(method: .off))
    machine.lights.reset()
    macros.sleep()
    orbBasic.sleep()
    machine.requests = []
    isInBootloader = false
    input.reset()
    machine.updateEffort()
  }

  /// Falls asleep in the middle of whatever it does, as where its battery is critical.
  public mutating func fallAsleep(at now: Duration) {
    tick(at: now)
    machine.now = max(machine.now, now)
    if nap == nil { fallAsleep(for: nil) }
  }

  /// Wakes up, with everything that is not kept in flash as at power-up.
  mutating func wake() {
    guard let nap else { return }
    updateBattery()
    self.nap = nil
    machine.isAsleep = false
    machine.settings.powerCycle()
    machine.senses.accelerometerRange = 8
    (machine.drive, machine.host, machine.wasShakenTwice) = (Drive(), Machine.HostCommands(), false)
    // Where it points is ahead, and where it lies is 0, 0.
    machine.aim = machine.body.yaw
    machine.locator = Locator(aim: -machine.aim)
    soul.notifies = false
    (wokeAt, lastActivity, clockOffset) = (machine.now, machine.now, 0)
    (hasWarnedOfSleep, hasGyroLimit) = (false, true)
    nextBatteryCheck = machine.now + Self.batteryPeriod
    if nap.macro != 0 { _ = macros.run(nap.macro, at: machine.now, isConnected: machine.isConnected) }
    if nap.line != 0 { _ = orbBasic.execute(.flash, line: nap.line, at: machine.now) }
    machine.updateEffort()
  }

  /// Whether it was asleep and these bytes did not wake it.
  mutating func sleepsThrough(_ bytes: [UInt8]) -> Bool {
    guard let nap else { return false }
    guard isReachable, nap.isVisited || machine.now - nap.since >= .seconds(2) else { return true }
    wake()
    return false
  }

  // MARK: Hands

  /// Takes it up, out of its charger too, and turns it to an attitude, or puts it down upright where that is nil.
  ///
  /// Either takes half a second.
  ///
  /// - Parameters:
  ///   - pose: The attitude: body x right, y ahead, z up, in a room whose y axis is the floor's.
  ///   - now: The time.
  public mutating func hold(_ pose: Rotation?, at now: Duration) {
    tick(at: now)
    machine.now = max(machine.now, now)
    guard pose != nil || machine.body.isHeld else { return }
    leaveCharger(at: now)
    machine.body.hold(pose)
    if pose == nil { machine.drive.setHeading(machine.presentHeading) }
  }

  /// Takes it up and turns it on and on, until it is held otherwise or put down.
  ///
  /// - Parameters:
  ///   - rate: In radians a second, about its own axes: x right, y ahead, z up; what is not finite counts as zero.
  ///   - now: The time.
  public mutating func spin(_ rate: Vector3, at now: Duration) {
    tick(at: now)
    machine.now = max(machine.now, now)
    leaveCharger(at: now)
    machine.body.spin(rate.isFinite ? rate : .zero)
  }

  /// A hand that takes it up takes it out of its charger.
  private mutating func leaveCharger(at now: Duration) {
    if machine.battery.isInCharger { setCharger(false, at: now) }
  }

  /// Shakes it, which wakes it; zero ends that.
  ///
  /// - Parameters:
  ///   - acceleration: In m/s², along x, y and z of the room; the most of it where it swings.
  ///   - duration: How long it swings to and fro; nil for an acceleration that stays until it is ended.
  ///   - now: The time.
  public mutating func shake(_ acceleration: Vector3, for duration: Duration? = nil, at now: Duration) {
    tick(at: now)
    machine.now = max(machine.now, now)
    let shaking = Shaking(acceleration, seconds: duration?.seconds)
    machine.body.shaking = shaking
    if !shaking.isOver {
      wake()
      machine.wasShakenTwice = true
    }
  }

  /// Knocks against it, as another ball would.
  ///
  /// - Parameters:
  ///   - change: What the knock does to its velocity: m/s to the right and ahead of the floor.
  ///   - now: The time.
  public mutating func knock(_ change: Planar, at now: Duration) {
    tick(at: now)
    machine.now = max(machine.now, now)
    machine.body.hit(change)
  }

  /// Puts it into its charger, or takes it out.
  ///
  /// In the charger it stands upright and drives nowhere.
  /// It sleeps at once, unless ``Settings/PermanentOptions/awakeInCharger`` keeps it connected; taken out, it wakes.
  public mutating func setCharger(_ isIn: Bool, at now: Duration) {
    tick(at: now)
    machine.now = max(machine.now, now)
    guard isIn != machine.battery.isInCharger else { return }
    updateBattery()
    machine.battery.setCharger(isIn)
    tellPower()
    if isIn {
      machine.stop()
      machine.body.hold(Rotation(rotationVector: Vector3(0, 0, machine.body.yaw)) ?? .identity)
      let staysAwake = machine.isConnected && machine.settings.permanentOptions.contains(.awakeInCharger)
      if !staysAwake { fallAsleep(for: nil) }
    } else {
      hold(nil, at: now)
      wake()
    }
    machine.updateEffort()
  }

  // MARK: What can be seen from outside

  /// The true body: where it is on the floor, and how it moves.
  public var body: Body { machine.body }

  /// Where the wheels say it is: centimetres to the right and ahead, and degrees clockwise from the aim.
  public var place: (x: Double, y: Double, heading: Double) {
    let place = machine.locator.position * 100
    return (place.x, place.y, machine.presentHeading)
  }

  /// What the lights show: colour and tail light, 0...255.
  public var lights: (red: UInt8, green: UInt8, blue: UInt8, tail: UInt8) {
    var board = machine.lights
    board.advance(to: machine.now)
    let color = board.shown
    let tail = machine.settings.permanentOptions.contains(.tailLightOn) && nap == nil ? 255 : board.tail
    return (color.red, color.green, color.blue, tail)
  }

  /// Hundredths of a volt.
  public var batteryVoltage: UInt16 { machine.battery.voltage }
}
