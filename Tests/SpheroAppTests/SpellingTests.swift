// Names that newcomers try first for a connected robot: the recommendation of each row of Docs/Guesses.md, compiled.

import Foundation
import SpheroControls
import SpheroHost
import SpheroOrientation
import SpheroProtocol
import SpheroSerial
import SpheroSession
import SpheroSimulator

/// Compiled only; the form of the comments is that of ``GuessTests``.
struct SpellingTests {
  private let sample = Sample(mask: .all, words: Array(repeating: 10_000, count: 42))
  /// A battery record.
  private let bytes: [UInt8] = [1, 2, 2, 0xEE, 0, 1, 0, 10]

  func connectNames(_ robot: Robot) async throws {
    // connect | let r = try await Robot.connect(to: "/dev/rfcomm0")
    _ = try await Robot.connect(on: SerialDevice.open("/dev/rfcomm0"))
    // connect | let r = try Robot(path: "/dev/rfcomm0"); try await r.connect()
    _ = try await Robot.connect(on: SerialDevice.open("/dev/rfcomm0"))
    // connect | let r = try await Robot(port: "/dev/rfcomm0")
    _ = try await Robot.connect(on: SerialDevice.open("/dev/rfcomm0"))
    // connect | let r = try await Robot.connect(path: "/dev/rfcomm0")
    _ = try await Robot.connect(on: SerialDevice.open("/dev/rfcomm0"))
    // connect | let r = try await Robot.connect(to: "/dev/rfcomm0", timeout: .seconds(10))
    do {
      var settings = HostSettings()
      settings.connectTimeout = .seconds(10)
      _ = try await Robot.connect(on: SerialDevice.open("/dev/rfcomm0"), settings: settings)
    }
    // connect | let r = try await Robot.simulated()
    _ = try await Robot.connect(on: SimulatedRobot().connect())
    // connect | let r = try await Robot.connect(to: .simulator)
    _ = try await Robot.connect(on: SimulatedRobot().connect())
    // connect | let r = try await Robot(simulator: Simulator())
    _ = try await Robot.connect(on: SimulatedRobot().connect())
    // connect | if await robot.isConnected { print("connected") }
    if await !robot.isClosed {}
    // connect | await robot.disconnect()
    _ = await robot.close()
    // connect | try await robot.close()
    _ = await robot.close()
  }

  func driveNames(_ robot: Robot) async throws {
    // drive | try await robot.roll(speed: 100, heading: 90)
    _ = try await robot.roll(90, speed: 0.4)
    // drive | try await robot.roll(heading: 90, speed: 100)
    _ = try await robot.roll(90, speed: 0.4)
    // drive | try await robot.roll(100, 90)
    _ = try await robot.roll(90, speed: 0.4)
    // drive | try await robot.roll(speed: 0.5, heading: .degrees(90))
    _ = try await robot.roll(.degrees(90), speed: 0.5)
    // drive | try await robot.roll(heading: 90, speed: 100, duration: 2)
    _ = try await robot.roll(90, speed: 0.4, for: .seconds(2))
    // drive | try await robot.roll(speed: 100, heading: 90, for: .seconds(2))
    _ = try await robot.roll(90, speed: 0.4, for: .seconds(2))
    // drive | try await robot.stop()
    do {
      try await robot.stop()
    }
    // drive | try await robot.stopRoll()
    _ = try await robot.stop()
    // drive | try await robot.roll(speed: 0, heading: 0)
    _ = try await robot.roll(0, speed: 0)
    // drive | try await robot.setHeading(90)
    do {
      try await robot.setHeading(90)
    }
    // drive | try await robot.setHeading(.degrees(0))
    do {
      try await robot.setHeading(.degrees(0))
    }
    // drive | try await robot.spin(360, duration: 1)
    _ = try await robot.turn(by: .degrees(360))
    // drive | try await robot.turn(to: 180)
    do {
      try await robot.turn(to: 180)
    }
    // drive | try await robot.startCalibration()
    _ = try await robot.aim(at: .ahead)
    // drive | try await robot.finishCalibration()
    _ = try await robot.aim(at: .ahead)
    // drive | try await robot.calibrate { try await robot.roll(speed: 0, heading: 45) }
    _ = try await robot.aim(at: 45)
    // drive | try await robot.resetAim()
    _ = try await robot.setHeading(.ahead)
    // drive | try await robot.setStabilization(false)
    do {
      try await robot.setStabilization(false)
    }
    // drive | try await robot.setRawMotors(left: 100, right: 100)
    _ = try await robot.send(
      Motion.SetRawMotors(leftMode: .forward, leftPower: 100, rightMode: .forward, rightPower: 100))
    // drive | try await robot.setRawMotorValues(leftMode: .forward, leftPower: 100, rightMode: .reverse, rightPower: 100)
    _ = try await robot.send(
      Motion.SetRawMotors(leftMode: .forward, leftPower: 100, rightMode: .reverse, rightPower: 100))
    // drive | try await robot.boost(true)
    _ = try await robot.send(Motion.Boost(isOn: true))
    // drive | try await robot.setRotationRate(200)
    _ = try await robot.send(Motion.SetRotationRate(rate: 200))
  }

  func lightNames(_ robot: Robot) async throws {
    // light | try await robot.setColor(.red)
    do {
      try await robot.setColor(.red)
    }
    // light | try await robot.setColor(red: 255, green: 0, blue: 0)
    _ = try await robot.setColor(RGB(red: 255, green: 0, blue: 0))
    // light | try await robot.setRGB(255, 0, 0)
    _ = try await robot.setColor(RGB(red: 255, green: 0, blue: 0))
    // light | try await robot.setRGB(r: 255, g: 0, b: 0)
    _ = try await robot.setColor(RGB(red: 255, green: 0, blue: 0))
    // light | try await robot.color(.blue)
    _ = try await robot.setColor(.blue)
    // light | try await robot.setMainLED(Color(red: 0, green: 255, blue: 0))
    _ = try await robot.setColor(RGB(red: 0, green: 255, blue: 0))
    // light | try await robot.setLED(.green)
    _ = try await robot.setColor(.green)
    // light | try await robot.setColor(Color(hex: 0xFF8800))
    _ = try await robot.setColor(RGB(parsing: "#ff8800"))
    // light | try await robot.setColor(Color("#ff8800"))
    _ = try await robot.setColor(RGB(parsing: "#ff8800"))
    // light | try await robot.setRGB(255, 0, 0, persist: true)
    _ = try await robot.setColor(.red, isKept: true)
    // light | let c = try await robot.getColor()
    _ = RGB(try await robot.send(Lights.GetRGBLED()))
    // light | let c = try await robot.color
    _ = RGB(try await robot.send(Lights.GetRGBLED()))
    // light | try await robot.setBackLED(255)
    _ = try await robot.setBackLED(brightness: 1)
    // light | try await robot.setBackLED(brightness: 1.0)
    do {
      try await robot.setBackLED(brightness: 1.0)
    }
    // light | try await robot.setBackLed(255)
    _ = try await robot.setBackLED(brightness: 1)
    // light | try await robot.setColor(.off)
    do {
      try await robot.setColor(.off)
    }
    // light | try await robot.setColor(.black)
    do {
      try await robot.setColor(.black)
    }
    // light | try await robot.setColor(.random)
    _ = try await robot.setColor(NamedColor.allCases.randomElement()?.rgb ?? .white)
  }

  func streamNames(_ robot: Robot) async throws {
    // stream | for try await s in robot.stream(.accelerometer) { print(s.acceleration) }
    for try await s in try await robot.samples(.accelerometer) { _ = s }
    // stream | for try await s in robot.stream([.accelerometer, .gyroscope], rate: 50) { print(s) }
    for try await s in try await robot.samples([.accelerometer, .gyroscope], hertz: 50) { _ = s }
    // stream | for try await s in try await robot.startStreaming([.quaternion, .imu], frequency: 100) { print(s) }
    for try await s in try await robot.samples([.quaternion, .imu], hertz: 100) { _ = s }
    // stream | try await robot.setDataStreaming(mask: [.quaternion, .velocity], rate: 20)
    for try await s in try await robot.samples([.quaternion, .velocity], hertz: 20) { _ = s }
    // stream | try await robot.setDataStreaming(n: 40, m: 1, mask1: 0xE0000000, pcnt: 0, mask2: 0)
    for try await s in try await robot.samples(StreamRequest(mask: .accelerometer, divisor: 40, frames: 1)) {
      _ = s
    }
    // stream | for await s in robot.samples { print(s) }
    for try await s in try await robot.samples(.imu) { _ = s }
    // stream | for try await s in robot.sensorData { print(s.accelerometer?.x ?? 0) }
    for try await s in try await robot.samples(.accelerometer) { _ = s }
    // stream | for try await s in robot.samples(of: [.imu, .accelerometer], at: 100) { print(s.attitude) }
    for try await s in try await robot.samples([.imu, .accelerometer], hertz: 100) { _ = s }
    // stream | try await robot.startStreaming(.gyroscope) { s in print(s.gyroscope) }
    for try await s in try await robot.samples(.gyroscope) { _ = s }
    // stream | try await robot.stopStreaming()
    _ = try await robot.samples(.imu).end()
    // stream | let s = try await robot.readSensors()
    for try await s in try await robot.samples(.imu) { _ = s }
    // stream | let s = try await robot.stream(.all).first { _ in true }
    for try await s in try await robot.samples(.all) { _ = s }
    // stream | let s = await robot.latestSample
    _ = try await robot.samples(.imu, buffering: .newest(1))
    // stream | for try await d in robot.deviceMotion(rate: 100) { print(d.attitude.yaw) }
    for try await d in try await robot.motion(hertz: 100) { _ = d }
    // stream | robot.startDeviceMotionUpdates { motion, error in print(motion?.attitude.pitch ?? 0) }
    for try await d in try await robot.motion() { _ = d }
  }

  func powerNames(_ robot: Robot) async throws {
    // power | let b = try await robot.batteryState()
    _ = try await robot.battery().state
    // power | let volts = try await robot.getBatteryVoltage()
    _ = try await robot.battery().voltage
    // power | let b = try await robot.battery
    _ = try await robot.battery()
    // power | let p1 = try await robot.getPowerState()
    _ = try await robot.battery()
    // power | let volts = try await robot.powerState().voltage
    _ = try await robot.battery().voltage
    // power | let n = try await robot.powerState().chargeCount
    _ = try await robot.battery().charges
    // power | if try await robot.powerState().state == .low { print("low") }
    if try await robot.battery().state == .low {}
    // power | for await state in robot.powerNotifications { print(state) }
    for try await state in await robot.events(of: Core.PowerNotification.self) { _ = state }
    // power | try await robot.setPowerNotification(true)
    _ = try await robot.send(Core.SetPowerNotification(isOn: true))
    // power | let ver = try await robot.version()
    do {
      let ver = try await robot.version()
      _ = ver
    }
    // power | let ver = try await robot.getVersion()
    _ = try await robot.version()
    // power | let ver = try await robot.versions().mainApp
    _ = try await robot.version().mainAppVersion
  }

  func robotNames(_ robot: Robot) async throws {
    // robot | let name = try await robot.name
    _ = try await robot.send(Core.GetBluetoothInfo()).name
    // robot | let info = try await robot.getBluetoothInfo()
    _ = try await robot.send(Core.GetBluetoothInfo())
    // robot | try await robot.setDeviceName("Sphero-RGB")
    _ = try await robot.send(Core.SetDeviceName(name: "Sphero-RGB"))
    // robot | try await robot.setName("Marble")
    _ = try await robot.send(Core.SetDeviceName(name: "Marble"))
    // robot | try await robot.ping()
    do {
      try await robot.ping()
    }
    // robot | let rtt = try await robot.ping()
    do {
      let rtt = try await robot.ping()
      _ = rtt
    }
    // robot | try await robot.sleep()
    do {
      try await robot.sleep()
    }
    // robot | try await robot.sleep(wakeup: 60, macro: 0, orbBasic: 0)
    _ = try await robot.send(Core.Sleep(wakeup: 60, macro: 0, orbBasicLine: 0))
    // robot | try await robot.sleep(wakeAfter: .seconds(60))
    do {
      try await robot.sleep(wakeAfter: .seconds(60))
    }
    // robot | try await robot.setInactivityTimeout(600)
    _ = try await robot.send(Core.SetInactivityTimeout(inactivityTimeout: .seconds(600)))
    // robot | try await robot.setAutoReconnect(true, seconds: 5)
    _ = try await robot.send(Core.SetAutoReconnect(isOn: true, seconds: 5))
  }

  func collisionNames(_ robot: Robot) async throws {
    // collision | try await robot.detectCollisions()
    _ = try await robot.collisions()
    // collision | try await robot.enableCollisionDetection()
    _ = try await robot.collisions()
    // collision | try await robot.configureCollisions(xThreshold: 64, xSpeed: 64, yThreshold: 64, ySpeed: 64, deadTime: 100)
    _ = try await robot.collisions(
      Sensing.ConfigureCollisionDetection(
        method: .on, xThreshold: 64, xSpeed: 64, yThreshold: 64, ySpeed: 64, deadTime: 100))
    // collision | try await robot.configureCollisionDetection(meth: 1, xt: 100, xspd: 100, yt: 100, yspd: 100, dead: 100)
    _ = try await robot.collisions(
      Sensing.ConfigureCollisionDetection(
        method: .on, xThreshold: 100, xSpeed: 100, yThreshold: 100, ySpeed: 100, deadTime: 100))
    // collision | for await c in robot.collisions { print(c.impact.x, c.speed) }
    for try await c in try await robot.collisions() { _ = c }
    // collision | for try await c in robot.collisions() { print(c.axis) }
    for try await c in try await robot.collisions() { _ = c }
    // collision | await robot.onCollision { c in print(c.magnitude) }
    for try await c in try await robot.collisions() { _ = c }
    // collision | robot.on(.collision) { event in print(event) }
    for try await c in try await robot.collisions() { _ = c }
    // collision | for await e in robot.events { if case .collision(let c) = e { print(c) } }
    for try await e in await robot.events() { _ = e }
    // collision | for await e in robot.events { switch e { case .sensorData(let s): print(s); case .power(let p1): print(p1); default: break } }
    for try await c in await robot.events(of: Sensing.Collision.self) { _ = c }
    // collision | try await robot.disableCollisionDetection()
    _ = try await robot.send(Sensing.ConfigureCollisionDetection(method: .off))
    // collision | let c = try await robot.nextCollision()
    for try await c in try await robot.collisions() { _ = c }
  }

  func placeNames(_ robot: Robot) async throws {
    // place | let pos = try await robot.getLocator()
    _ = try await robot.send(Sensing.ReadLocator())
    // place | let pos = try await robot.readLocator()
    _ = try await robot.send(Sensing.ReadLocator())
    // place | let x = try await robot.location().x
    _ = try await robot.send(Sensing.ReadLocator()).x
    // place | let x = sample.locator?.x
    _ = sample[.odometerX]
    // place | let x = sample.position?.x
    _ = sample[.odometerX]
    // place | try await robot.configureLocator(flags: 0x01, x: 0, y: 0, yawTare: 0)
    _ = try await robot.send(Sensing.ConfigureLocator(x: 0, y: 0))
    // place | try await robot.resetLocator()
    _ = try await robot.send(Sensing.ConfigureLocator(x: 0, y: 0))
    // place | try await robot.setPosition(x: 0, y: 0)
    _ = try await robot.send(Sensing.ConfigureLocator(x: 0, y: 0))
    // place | try await robot.go(to: Point(x: 100, y: 50))
    _ = try await robot.go(to: Position(x: 100, y: 50))
    // place | try await robot.drive(to: (100, 50), speed: 80)
    _ = try await robot.go(to: Position(x: 100, y: 50), speed: 0.3)
    // place | try await robot.drive(distance: 100, heading: 0)
    _ = try await robot.go(to: Position(x: 0, y: 100))
    // place | for await pos in robot.positions { print(pos.x, pos.y) }
    for try await s in try await robot.samples(.locator) { _ = s }
  }

  func programNames(_ robot: Robot) async throws {
    // program | try await robot.runMacro(id: 1)
    _ = try await robot.send(Macros.RunMacro(macro: 1))
    // program | try await robot.saveTemporaryMacro(bytes)
    _ = try await robot.run(Macro(parsing: bytes))
    // program | let macro = Macro { Macro.roll(speed: 100, heading: 0); Macro.delay(1000); Macro.stop }; try await robot.run(macro)
    let macro = Macro {
      Macro.Roll(speed: 100, heading: 0)
      Macro.Wait(time: 1_000)
      Macro.Roll(speed: 0, heading: 0)
    }
    _ = try await robot.run(macro)
    // program | var macro = Macro(); macro.append(.setRGB(255, 0, 0)); macro.append(.wait(.seconds(1))); try await robot.runMacro(macro)
    do {
      var steps = Macro()
      steps.commands.append(MacroCommand(Macro.RGB(red: 255, green: 0, blue: 0)))
      steps.commands.append(MacroCommand(Macro.Wait(time: 1_000)))
      _ = try await robot.run(steps)
    }
    // program | try await robot.abortMacro()
    _ = try await robot.send(Macros.AbortMacro())
    // program | try await robot.loadOrbBasic("10 RGB 255,0,0\n20 delay 1000\n30 goto 10\n"); try await robot.executeOrbBasic(line: 10)
    _ = try await robot.run(OrbBasicProgram("10 RGB 255,0,0\n20 delay 1000\n30 goto 10\n"))
    // program | try await robot.runOrbBasic("10 basflg 1\n20 print \"hi\"")
    _ = try await robot.run(OrbBasicProgram("10 basflg 1\n20 print \"hi\""))
    // program | try await robot.abortOrbBasic()
    _ = try await robot.send(OrbBasic.Abort())
  }
}
