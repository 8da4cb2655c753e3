// The external events of a robot: connections, sleep and wake-up, hands and charger.

public import SpheroOrientation
import SpheroProtocol

extension RobotModel {
  // MARK: Clients

  /// Connects a client. Without a client, the robot ignores received bytes.
  public mutating func connect(at now: Duration) {
    advance(to: now)
    hardware.isConnected = true
    hardware.lights.client = nil
    remark(.clientConnected)
    input.reset()
    hardware.nap?.isVisited = true
    guard !isAsleep else { return }
    lastActivity = hardware.now
    guard !configuration.greeting.isEmpty else { return }
    hardware.output.append(configuration.greeting, notBefore: hardware.now)
  }

  /// Disconnects the client. This may end its stream (``Configuration/keepsStreaming``), and stops the ball if the client
  /// has set `Settings.TemporaryOptions.stopOnDisconnect` and each running program has the flag of that name.
  public mutating func disconnect(at now: Duration) {
    advance(to: now)
    hardware.isConnected = false
    remark(.clientDisconnected)
    input.reset()
    hardware.output = Output()
    if !configuration.keepsStreaming { stream = nil }
    if stream != nil { remark(.streamContinues) }
    hardware.battery.notify(false, at: hardware.now)
    let mayStop =
      (!macros.isRunning || macros.flags.contains(.stopOnDisconnect))
      && (!orbBasic.isRunning || orbBasic.flags.contains(.stopOnDisconnect))
    // The option applies to one stop.
    if !isAsleep, mayStop, hardware.settings.temporaryOptions.contains(.stopOnDisconnect) {
      hardware.settings.temporaryOptions.remove(.stopOnDisconnect)
      _ = macros.abort()
      orbBasic.abort(at: hardware.now)
      hardware.stop()
      runPrograms()
      remark(.stoppedByDisconnection)
    }
    hardware.updateEffort()
  }

  // MARK: Remarks

  /// Removes and returns the pending remarks, the oldest first.
  public mutating func takeRemarks() -> [TimedRobotRemark] {
    defer { remarks = [] }
    return remarks
  }

  private mutating func remark(_ remark: RobotRemark) {
    if remarks.count >= 256 { remarks.removeFirst() }
    remarks.append(TimedRobotRemark(time: hardware.now, remark: remark))
  }

  mutating func remarkOnImpact() {
    let change = hardware.body.takeImpact()
    // In m/s. The motors change it by less in a step, so a ball that pushes against a wall causes no remark.
    if change >= 0.1 { remark(.struck(speedChange: change)) }
  }

  // MARK: Sleep

  /// Whether the robot sleeps. It then executes no commands.
  public var isAsleep: Bool { hardware.isAsleep }

  /// Whether a client can connect: the robot is awake, or it sleeps without an end and ``Configuration/wakesByBytes``.
  public var isReachable: Bool {
    guard let nap = hardware.nap else { return true }
    return configuration.wakesByBytes && nap.ends == nil
  }

  /// The duration of a sleep from seconds on the wire; nil for 0 and FFFFh, which have no end.
  func duration(ofNap seconds: UInt16) -> Duration? {
    seconds == 0 || seconds == .max ? nil : .seconds(Int(seconds))
  }

  /// Falls asleep, for a time or until an event wakes the robot. A macro of the system and a line of orbBasic start after the
  /// sleep.
  /// A robot that sleeps already keeps the end of its sleep, and what starts then.
  mutating func fallAsleep(
    for time: Duration?, macro: UInt8 = 0, line: UInt16 = 0, by reason: RobotRemark.SleepReason
  ) {
    guard !isAsleep else { return }
    updateBattery()
    remark(.fellAsleep(reason))
    hardware.nap = Hardware.Nap(
      since: hardware.now, ends: time.map { hardware.now + $0 }, macro: macro, line: line)
    (stream, levelling, criticalSince) = (nil, nil, nil)
    hardware.battery.notify(false, at: hardware.now)
    hardware.drive.stop()
    hardware.collisions.settings = .init(method: .off)
    hardware.lights.reset()
    macros.sleep()
    orbBasic.sleep()
    hardware.requests = []
    isInBootloader = false
    input.reset()
    hardware.updateEffort()
  }

  /// Falls asleep immediately, until an event wakes the robot; does nothing during sleep.
  public mutating func fallAsleep(at now: Duration) {
    advance(to: now)
    fallAsleep(for: nil, by: .simulation)
  }

  /// Wakes up and resets the state in RAM; does nothing if the robot is awake.
  mutating func wake(by reason: RobotRemark.WakeReason) {
    guard let nap = hardware.nap else { return }
    updateBattery()
    remark(.wokeUp(reason))
    hardware.nap = nil
    hardware.settings.powerCycle()
    hardware.senses.range = .g8
    (hardware.drive, hardware.host, hardware.wasShakenTwice) = (DriveState(), Hardware.HostCommands(), false)
    // The current orientation becomes heading 0, and the current position becomes (0, 0).
    hardware.aim = hardware.body.yaw
    hardware.locator = Locator(
      axes: configuration.profile.traits.locatorAxes, aim: hardware.aim, at: hardware.body.position)
    soul.sendsEvents = false
    (wokeAt, lastActivity, clockOffset) = (hardware.now, hardware.now, 0)
    (hasWarnedOfSleep, isGyroLimitArmed) = (false, true)
    if nap.macro != 0 { _ = macros.run(nap.macro, at: hardware.now, isConnected: hardware.isConnected) }
    if nap.line != 0 { _ = orbBasic.execute(.flash, line: nap.line, at: hardware.now) }
    hardware.updateEffort()
  }

  /// The time for which a robot that has fallen asleep ignores the bytes of the client that was connected before.
  private static let wakeDelay = Duration.seconds(2)

  /// Wakes the robot if received bytes wake it; returns whether it still sleeps.
  mutating func sleepsThroughBytes() -> Bool {
    guard let nap = hardware.nap else { return false }
    guard isReachable, nap.isVisited || hardware.now - nap.since >= Self.wakeDelay else { return true }
    wake(by: .bytes)
    return false
  }

  // MARK: Hands

  /// Lifts the robot, also out of its charger, and turns it in half a second to a pose; nil puts it down upright.
  ///
  /// The pose is the rotation of the body's axes (x right, y ahead, z up) from those of the floor.
  public mutating func hold(_ pose: Rotation?, at now: Duration) {
    advance(to: now)
    guard pose != nil || hardware.body.isHeld else { return }
    setCharger(false, at: now)
    hardware.body.hold(pose)
    if pose == nil { hardware.drive.setHeading(hardware.presentHeading) }
  }

  /// Lifts the robot and spins it until the next ``hold(_:at:)``; radians per second about its axes, or zero if not finite.
  public mutating func spin(_ rate: Vector3, at now: Duration) {
    advance(to: now)
    setCharger(false, at: now)
    hardware.body.spin(rate.isFinite ? rate : .zero)
  }

  /// Shakes the robot, which wakes it; an acceleration of zero ends the shaking.
  ///
  /// The acceleration is an amplitude, or constant if `duration` is nil; in m/s², on the axes of the floor and upward.
  public mutating func shake(_ acceleration: Vector3, for duration: Duration? = nil, at now: Duration) {
    advance(to: now)
    hardware.body.shaking = Shaking(acceleration, seconds: duration?.inSeconds)
    guard !hardware.body.shaking.isOver else { return }
    wake(by: .shaking)
    hardware.wasShakenTwice = true
  }

  /// Strikes the robot, as another ball does: changes its velocity in m/s, x to the right, y ahead on the floor.
  public mutating func knock(_ change: Planar, at now: Duration) {
    advance(to: now)
    hardware.body.hit(change)
  }

  /// Puts the robot into its charger, where it does not drive, or takes it out, which wakes it.
  ///
  /// It falls asleep in it, unless a client is connected and `Settings.PermanentOptions.awakeInCharger` is set.
  public mutating func setCharger(_ isIn: Bool, at now: Duration) {
    advance(to: now)
    guard isIn != hardware.battery.isInCharger else { return }
    updateBattery()
    hardware.battery.setCharger(isIn)
    remark(isIn ? .putIntoCharger : .takenOutOfCharger)
    reportPower()
    if isIn {
      hardware.stop()
      hardware.body.hold(Body.attitude(yaw: hardware.body.yaw))
      let staysAwake = hardware.isConnected && hardware.settings.permanentOptions.contains(.awakeInCharger)
      if !staysAwake { fallAsleep(for: nil, by: .charger) }
    } else {
      hold(nil, at: now)
      wake(by: .charger)
    }
    hardware.updateEffort()
  }

  // MARK: State

  /// The true position and motion on the floor.
  public var body: Body { hardware.body }

  /// The position that the locator has measured, in centimetres to the right and ahead, and the heading, -180...180°.
  public var locatorPosition: (x: Double, y: Double, heading: Double) {
    let place = hardware.locator.position * 100
    return (place.x, place.y, hardware.presentHeading)
  }

  /// The ``locatorPosition`` of a ball that reaches a place on the floor, in metres, without slip.
  package func locatorPosition(of place: Planar) -> (x: Double, y: Double) {
    let place = hardware.locator.position(of: place) * 100
    return (place.x, place.y)
  }

  /// The visible colour and the brightness of the tail light; each is 0...255.
  public var lights: (red: UInt8, green: UInt8, blue: UInt8, tail: UInt8) {
    var lights = hardware.lights
    lights.advance(to: hardware.now)
    let color = lights.visible(
      isConnected: hardware.isConnected, prefersOrbBasic: orbBasic.flags.contains(.keepsColor))
    let tail = hardware.settings.permanentOptions.contains(.tailLightOn) && !isAsleep ? 255 : lights.tail
    return (color.red, color.green, color.blue, tail)
  }

  /// The voltage of the battery in hundredths of a volt.
  public var batteryVoltage: UInt16 { hardware.battery.voltage }
}
