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
    _ = macros.abort()
    orbBasic.sleep()
    machine.requests = []
    isInBootloader = false
    input.reset()
    machine.updateEffort()
  }

  /// Wakes up, with everything that is not kept in flash as at power-up.
  mutating func wake() {
    guard let nap else { return }
    self.nap = nil
    machine.isAsleep = false
    machine.settings.powerCycle()
    machine.senses.accelerometerRange = 8
    machine.drive = Drive()
    machine.drive.setHeading(machine.presentHeading)
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
    guard configuration.wakesByBytes, nap.ends == nil, machine.now - nap.since >= .seconds(2) else {
      return true
    }
    wake()
    return false
  }

  // MARK: Hands

  /// Takes it up and turns it to an attitude, or puts it down where that is nil.
  public mutating func hold(_ pose: Rotation?, at now: Duration) {
    tick(at: now)
    machine.now = max(machine.now, now)
    guard pose != nil || machine.body.hold != nil else { return }
    machine.body.hold(pose)
    if pose == nil { machine.drive.setHeading(machine.presentHeading) }
  }

  /// Shakes it, which wakes it; zero ends that.
  ///
  /// - Parameters:
  ///   - acceleration: In m/s², along x, y and z of the room.
  ///   - now: The time.
  public mutating func shake(_ acceleration: Vector3, at now: Duration) {
    tick(at: now)
    machine.now = max(machine.now, now)
    machine.body.shake(acceleration)
    if acceleration != .zero {
      machine.wasShakenTwice = true
      wake()
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
  /// In the charger it sleeps at once, unless ``Settings/PermanentOptions/awakeInCharger`` keeps it connected.
  public mutating func setCharger(_ isIn: Bool, at now: Duration) {
    tick(at: now)
    machine.now = max(machine.now, now)
    updateBattery()
    machine.battery.isInCharger = isIn
    if isIn {
      machine.stop()
      let staysAwake = machine.isConnected && machine.settings.permanentOptions.contains(.awakeInCharger)
      if !staysAwake { fallAsleep(for: nil) }
    } else {
      wake()
    }
    if let event = machine.battery.notification(at: machine.now) { machine.send(event) }
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
