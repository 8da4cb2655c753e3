// The external events of a robot: clients, sleep and wake-up, hands and charger.

public import SpheroOrientation
import SpheroProtocol

extension RobotModel {
  // MARK: Clients

  /// Receives the connection of a client, without which received bytes are ignored.
  public mutating func connect(at now: Duration) {
    advance(to: now)
    hardware.isConnected = true
    hardware.lights.connect()
    remark(.clientConnected)
    input.reset()
    nap?.isVisited = true
    if nap == nil {
      lastActivity = hardware.now
      if !configuration.greeting.isEmpty {
        hardware.output.append(configuration.greeting, notBefore: hardware.now)
      }
    }
  }

  /// Receives the disconnection of the client, which stops the ball if the client has set
  /// `Settings.TemporaryOptions.stopOnDisconnect`, and ends its stream unless ``Configuration/keepsStreaming``.
  public mutating func disconnect(at now: Duration) {
    advance(to: now)
    (hardware.isConnected, hardware.lights.isConnected) = (false, false)
    remark(.clientDisconnected)
    input.reset()
    hardware.output = Output()
    if !configuration.keepsStreaming { stream = nil }
    if stream?.isOver == false { remark(.streamContinues) }
    hardware.battery.notify(false, at: hardware.now)
    let mayStop =
      (!macros.isRunning || macros.flags.contains(.stopOnDisconnect))
      && (!orbBasic.isRunning || orbBasic.flags.contains(.stopOnDisconnect))
    // The option is valid once.
    if nap == nil, mayStop, hardware.settings.temporaryOptions.contains(.stopOnDisconnect) {
      hardware.settings.temporaryOptions.remove(.stopOnDisconnect)
      _ = macros.abort()
      _ = orbBasic.abort(at: hardware.now)
      hardware.stop()
      // The colours of the programs end with them.
      runPrograms()
      remark(.stoppedByDisconnection)
    }
    hardware.updateEffort()
  }

  // MARK: Remarks

  /// Removes and returns the pending remarks, in order; beyond 256 the oldest are dropped.
  public mutating func takeRemarks() -> [TimedRobotRemark] {
    defer { remarks = [] }
    return remarks
  }

  private mutating func remark(_ remark: RobotRemark) {
    if remarks.count >= 256 { remarks.removeFirst() }
    remarks.append(TimedRobotRemark(remark, at: hardware.now))
  }

  /// Remarks on the impacts of a step; a ball that leans against a wall is not struck.
  mutating func remarkOnImpact() {
    let change = hardware.body.takeImpact()
    if change >= Self.noticeableImpact { remark(.struck(speedChange: change)) }
  }

  /// The least change of velocity that is remarked, in m/s: more than the motors add in a step.
  private static let noticeableImpact = 0.1

  // MARK: Sleep

  /// Whether the robot sleeps and receives no commands.
  public var isAsleep: Bool { nap != nil }

  /// Whether a client can connect: the robot is awake, or bytes wake it and it does not sleep for a set time.
  public var isReachable: Bool {
    guard let nap else { return true }
    return configuration.wakesByBytes && nap.ends == nil
  }

  /// The length of a nap by its value on the wire; nil is without end.
  func duration(ofNap seconds: UInt16) -> Duration? {
    seconds == 0 || seconds == .max ? nil : .seconds(Int(seconds))
  }

  /// Falls asleep, for a time or until the robot is woken.
  mutating func fallAsleep(
    for time: Duration?, macro: UInt8 = 0, line: UInt16 = 0, by reason: RobotRemark.SleepReason
  ) {
    updateBattery()
    if nap == nil { remark(.fellAsleep(reason)) }
    nap = Nap(since: hardware.now, ends: time.map { hardware.now + $0 }, macro: macro, line: line)
    hardware.isAsleep = true
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

  /// Falls asleep immediately, as with a critical battery.
  public mutating func fallAsleep(at now: Duration) {
    advance(to: now)
    if nap == nil { fallAsleep(for: nil, by: .simulation) }
  }

  /// Wakes up; the values in flash are kept, except user macros, which sleep erases.
  mutating func wake(by reason: RobotRemark.WakeReason) {
    guard let nap else { return }
    updateBattery()
    remark(.wokeUp(reason))
    self.nap = nil
    hardware.isAsleep = false
    hardware.settings.powerCycle()
    hardware.senses.accelerometerRange = 8
    (hardware.drive, hardware.host, hardware.wasShakenTwice) = (DriveState(), Hardware.HostCommands(), false)
    // The present orientation becomes heading 0, and the present place 0, 0.
    hardware.aim = hardware.body.yaw
    hardware.locator = Locator(
      axes: configuration.profile.traits.locatorAxes, aim: -hardware.aim, at: hardware.body.position)
    soul.sendsEvents = false
    (wokeAt, lastActivity, clockOffset) = (hardware.now, hardware.now, 0)
    (hasWarnedOfSleep, isGyroLimitArmed) = (false, true)
    nextBatteryCheck = hardware.now + Self.batteryPeriod
    if nap.macro != 0 { _ = macros.run(nap.macro, at: hardware.now, isConnected: hardware.isConnected) }
    if nap.line != 0 { _ = orbBasic.execute(.flash, line: nap.line, at: hardware.now) }
    hardware.updateEffort()
  }

  /// Returns whether the robot sleeps and these bytes do not wake it.
  mutating func sleepsThrough(_ bytes: [UInt8]) -> Bool {
    guard let nap else { return false }
    guard isReachable, nap.isVisited || hardware.now - nap.since >= .seconds(2) else { return true }
    wake(by: .bytes)
    return false
  }

  // MARK: Hands

  /// Lifts the robot, also out of its charger, and turns it to an attitude; nil puts it down upright.
  ///
  /// Either action lasts half a second.
  ///
  /// - Parameters:
  ///   - pose: The attitude: body x right, y ahead, z up, in a room with the axes of the floor.
  ///   - now: The time.
  public mutating func hold(_ pose: Rotation?, at now: Duration) {
    advance(to: now)
    guard pose != nil || hardware.body.isHeld else { return }
    leaveCharger(at: now)
    hardware.body.hold(pose)
    if pose == nil { hardware.drive.setHeading(hardware.presentHeading) }
  }

  /// Lifts the robot and spins it until the next ``hold(_:at:)``.
  ///
  /// - Parameters:
  ///   - rate: In radians per second, about the body axes: x right, y ahead, z up; a value that is not finite
  ///     counts as zero.
  ///   - now: The time.
  public mutating func spin(_ rate: Vector3, at now: Duration) {
    advance(to: now)
    leaveCharger(at: now)
    hardware.body.spin(rate.isFinite ? rate : .zero)
  }

  private mutating func leaveCharger(at now: Duration) {
    if hardware.battery.isInCharger { setCharger(false, at: now) }
  }

  /// Shakes the robot, which wakes it; zero ends the shaking.
  ///
  /// - Parameters:
  ///   - acceleration: In m/s², along x, y and z of the room: the amplitude, or the constant value.
  ///   - duration: The length of the oscillation; nil for a constant acceleration.
  ///   - now: The time.
  public mutating func shake(_ acceleration: Vector3, for duration: Duration? = nil, at now: Duration) {
    advance(to: now)
    let shaking = Shaking(acceleration, seconds: duration?.seconds)
    hardware.body.shaking = shaking
    if !shaking.isOver {
      wake(by: .shaking)
      hardware.wasShakenTwice = true
    }
  }

  /// Knocks against the robot, as another ball does.
  ///
  /// - Parameters:
  ///   - change: The change of velocity: m/s to the right and ahead on the floor.
  ///   - now: The time.
  public mutating func knock(_ change: Planar, at now: Duration) {
    advance(to: now)
    hardware.body.hit(change)
  }

  /// Puts the robot into its charger, or takes it out.
  ///
  /// In the charger the robot stands upright and does not drive. It falls asleep immediately,
  /// unless a client is connected and `Settings.PermanentOptions.awakeInCharger` is set; taken out, it wakes.
  public mutating func setCharger(_ isIn: Bool, at now: Duration) {
    advance(to: now)
    guard isIn != hardware.battery.isInCharger else { return }
    updateBattery()
    hardware.battery.setCharger(isIn)
    remark(isIn ? .putIntoCharger : .takenOutOfCharger)
    reportPower()
    if isIn {
      hardware.stop()
      hardware.body.hold(Rotation(rotationVector: Vector3(0, 0, hardware.body.yaw)) ?? .identity)
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

  /// The position according to the locator: centimetres to the right and ahead, and degrees clockwise from
  /// heading 0.
  public var locatorPosition: (x: Double, y: Double, heading: Double) {
    let place = hardware.locator.position * 100
    return (place.x, place.y, hardware.presentHeading)
  }

  /// Converts a place on the floor, in metres, to centimetres to the right and ahead on the axes of the locator.
  ///
  /// It is the position of the locator where the ball reaches that place, unless the ball slips on the way.
  package func locatorPosition(of place: Planar) -> (x: Double, y: Double) {
    let place = hardware.locator.position(of: place) * 100
    return (place.x, place.y)
  }

  /// The visible colour and tail light, 0...255.
  public var lights: (red: UInt8, green: UInt8, blue: UInt8, tail: UInt8) {
    var board = hardware.lights
    board.advance(to: hardware.now)
    let color = board.shown
    let tail = hardware.settings.permanentOptions.contains(.tailLightOn) && nap == nil ? 255 : board.tail
    return (color.red, color.green, color.blue, tail)
  }

  /// Hundredths of a volt.
  public var batteryVoltage: UInt16 { hardware.battery.voltage }
}
