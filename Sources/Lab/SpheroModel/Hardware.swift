// The hardware of a robot, on which packets, macros and orbBasic act alike.

import SpheroOrientation
import SpheroProtocol

/// Drive, lights, sensors and output; ``RobotModel`` holds the programs, and executes ``requests`` after they have run.
struct Hardware: Sendable {
  enum Request: Hashable, Sendable {
    case sleep(Wakeup, macro: UInt8, line: UInt16)
    case runMacro(UInt8)
    case killMacro
  }

  struct HostCommands: Hashable, Sendable {
    var hasRolled = false
    var speed: UInt8 = 0
    var heading: UInt16 = 0
    var hasColored = false
    var color = Color()
  }

  struct Nap: Sendable {
    var since: Duration
    /// The time at which the robot wakes by itself; nil if it sleeps until it is woken.
    var ends: Duration?
    /// Whether a client has connected since, whose first bytes may wake the robot.
    var isVisited = false
    /// The macro of the system, and the line of orbBasic in flash, that start at the end; 0 for none.
    var macro: UInt8
    var line: UInt16
  }

  var now: Duration
  var body: Body
  var floor: Floor
  /// The yaw of heading 0 on the floor, in radians counter-clockwise.
  var aim = 0.0
  var drive = DriveState()
  var locator: Locator
  var lights = LEDState()
  var battery: Battery
  var thermometer = Thermometer()
  /// The work of the motors since the last update of the battery, in seconds of both at full power.
  var work = 0.0
  var collisions = CollisionDetector()
  var senses: Senses
  var settings: SettingsStore
  var output = Output()
  var host = HostCommands()
  var isConnected = false
  /// The present sleep; nil while the robot is awake.
  var nap: Nap?
  var wasShakenTwice = false
  /// The events of the present command, which follow its response; nil while no command is executed.
  var heldEvents: [Packet]?
  /// The earliest time of further events, which follow those of the last command.
  var eventsNotBefore = Duration.zero
  var messagesSent: UInt32 = 0

  var actingProgram = ProgramLanguage.macro
  var requests: [Request] = []
  var macroStatus = Macros.GetMacroStatus.Response()

  let missesForwardPushes: Bool

  var isAsleep: Bool { nap != nil }

  /// The measurement of a wheel's speed by the back EMF of its motor, both in m/s.
  private func measured(_ speed: Double) -> Double {
    let areMotorsOff = body.effort == .none || body.effort == .wheels(left: nil, right: nil)
    return missesForwardPushes && drive.hasDriven && areMotorsOff ? min(speed, 0) : speed
  }

  /// The heading in degrees clockwise from heading 0, -180...180.
  var presentHeading: Double { ((aim - body.yaw) * 180 / .pi).remainder(dividingBy: 360) }

  var isResting: Bool { floor.slope == .zero && !drive.isTurning && body.isResting }

  mutating func moveBody() {
    updateEffort()
    body.step(on: floor)
    let duties = body.duties
    work += (abs(duties.left) + abs(duties.right)) / 2 * Body.stepLength
    locator.add(body.forward * measured(body.rimSpeed) * Body.stepLength)
  }

  mutating func updateEffort() {
    let turnsFirst = settings.permanentOptions.contains(.vectorDrive)
    let isIdle = isAsleep || battery.isInCharger
    body.effort = isIdle ? .none : drive.effort(of: body, aim: aim, turnsFirst: turnsFirst, at: now)
    (body.boost, body.brakesAbruptly) = (drive.isBoosting ? 1.5 : 1, drive.brakesAbruptly)
  }

  /// The motion, extrapolated by a time in seconds; position and velocity on the axes of the robot's locator.
  func motion(extrapolatedBy time: Double = 0) -> MotionState {
    var attitude = body.attitude
    if time > 0 { attitude = attitude * Rotation(by: body.angularVelocity * time) }
    // In g on the axes of the robot.
    let pushed = attitude.inverse.act(on: body.acceleration / Body.gravity)
    let velocity = locator.onModelAxes(locator.turned(body.forward * measured(body.rimSpeed)))
    return MotionState(
      attitude: Body.attitude(yaw: -aim) * attitude,
      specificForce: attitude.specificForce(acceleration: pushed),
      rate: body.angularVelocity * (180 / .pi),
      wheels: Body.Wheels(left: measured(body.wheels.left), right: measured(body.wheels.right)),
      duties: body.duties,
      place: locator.onModelAxes(locator.position) + velocity * time, velocity: velocity,
      temperature: thermometer.degrees)
  }

  /// Sends a packet at the given time at the earliest, and with a gap after the previous packet.
  mutating func send(_ packet: Packet, notBefore: Duration, gap: Duration = Output.spacing) {
    // Every packet of the model fits its length field.
    guard isConnected, settings.transmits, let bytes = try? packet.encoded() else { return }
    messagesSent &+= 1
    output.append(bytes, notBefore: notBefore, gap: gap)
  }
}

extension Hardware: Actuators {
  mutating func roll(speed: UInt8, heading: UInt16, state: Motion.Roll.State) {
    drive.roll(speed, Double(heading), state, at: now)
  }

  mutating func setSpeed(_ speed: UInt8) { drive.setSpeed(speed, at: now) }

  mutating func stop() { drive.stop() }

  mutating func rotate(byDegrees degrees: Int16, overMilliseconds milliseconds: UInt16) {
    drive.rotate(by: Double(degrees), over: .milliseconds(Int(milliseconds)), at: now)
  }

  mutating func setHeading(_ heading: UInt16) {
    aim = body.yaw + Double(heading) * .pi / 180
    drive.setHeading(Double(heading))
    locator.aim(at: aim, place: body.position)
  }

  mutating func setStabilization(_ mode: Motion.SetStabilization.Mode) {
    drive.setStabilization(mode, presentHeading: presentHeading)
  }

  mutating func setRotationRate(_ rate: UInt8) { drive.rotationRate = rate }

  mutating func setRawMotors(_ motors: Motion.SetRawMotors) { drive.setRawMotors(motors, at: now) }

  var isStopped: Bool {
    !drive.isTurning && abs(body.rimSpeed) < 0.01 && body.velocity.length < 0.01 && abs(body.yawRate) < 0.1
  }

  mutating func setColor(red: UInt8, green: UInt8, blue: UInt8) {
    lights.set(Color(red: red, green: green, blue: blue), by: actingProgram)
  }

  mutating func fadeColor(red: UInt8, green: UInt8, blue: UInt8, overMilliseconds milliseconds: UInt16) {
    lights.fade(
      to: Color(red: red, green: green, blue: blue), over: .milliseconds(Int(milliseconds)), at: now)
  }

  mutating func setBackLight(_ brightness: UInt8) { lights.tail = brightness }

  mutating func configureCollisions(_ detection: Sensing.ConfigureCollisionDetection) {
    collisions.settings = detection
  }

  mutating func setLocation(x: Int16, y: Int16) {
    locator.set(Planar(Double(x), Double(y)) / 100, at: body.position)
  }

  mutating func sleep(until wakeup: Wakeup, macro: UInt8, orbBasicLine line: UInt16) {
    requests.append(.sleep(wakeup, macro: macro, line: line))
  }

  mutating func runMacro(_ id: UInt8) { requests.append(.runMacro(id)) }

  mutating func killMacro() { requests.append(.killMacro) }

  var hasRoomForEvents: Bool { output.hasRoom(at: now) }

  mutating func send<E: Event>(_ event: E) {
    guard !isAsleep, let payload = try? event.payload() else { return }
    let packet = Packet.event(EventPacket(id: E.id, payload: payload))
    if heldEvents != nil {
      heldEvents?.append(packet)
    } else {
      // The sensor stream needs no gap.
      let gap = E.id == Sensing.SensorData.id ? .zero : Output.spacing
      send(packet, notBefore: max(now, eventsNotBefore), gap: gap)
    }
  }

  mutating func read(_ variable: SystemVariable) -> Int32 {
    let motion = motion()
    let angles = Convention.sphero.pitchRollYaw(of: motion.attitude)
    // A program reads the values of the stream.
    let (force, rate, words) = senses.readings(of: motion)
    func count(_ value: Double) -> Int32 { Int32(min(max(value.rounded(), -2e9), 2e9)) }
    func taken(_ flag: inout Bool) -> Int32 {
      defer { flag = false }
      return flag ? 1 : 0
    }
    switch variable {
    case .speed: return min(count(abs(body.rimSpeed) / Body.fullSpeed * 255), 255)
    case .yaw: return (count(presentHeading) + 360) % 360
    case .pitch: return count(angles.pitch.degrees)
    case .roll: return count(angles.roll.degrees)
    case .accelerationX: return count(force.x * 4_096)
    case .accelerationY: return count(force.y * 4_096)
    case .accelerationZ: return count(force.z * 4_096)
    case .accelerationMagnitude: return count(force.length * 1_000)
    case .rateX: return count(rate.x * 10)
    case .rateY: return count(rate.y * 10)
    case .rateZ: return count(rate.z * 10)
    case .batteryVoltage: return Int32(battery.voltage)
    case .batteryState: return Int32(battery.state.rawValue)
    case .rollCommand: return taken(&host.hasRolled)
    case .rollCommandSpeed: return Int32(host.speed)
    case .rollCommandHeading: return Int32(host.heading)
    case .colorCommand: return taken(&host.hasColored)
    case .colorCommandRed: return Int32(host.color.red)
    case .colorCommandGreen: return Int32(host.color.green)
    case .colorCommandBlue: return Int32(host.color.blue)
    case .isConnected: return isConnected ? 1 : 0
    case .doubleShake: return taken(&wasShakenTwice)
    case .locationX: return count(motion.place.x * 100)
    case .locationY: return count(motion.place.y * 100)
    case .quaternion0: return count(words.q0 * 10_000)
    case .quaternion1: return count(words.q1 * 10_000)
    case .quaternion2: return count(words.q2 * 10_000)
    case .quaternion3: return count(words.q3 * 10_000)
    case .stabilization: return drive.isStabilized ? 1 : 0
    case .macroStatus: return Int32(macroStatus.macro) << 16 | Int32(macroStatus.command)
    }
  }
}
