// What the robot does for commands of motion, lights and sensors.

import SpheroProtocol

extension RobotModel {
  static let motionHandlers: [CommandHandler] = [
    .obey(Motion.SetHeading.self) { (robot, command) throws(Refusal) in
      robot.machine.setHeading(command.heading)
      robot.hasGyroLimit = true
    },
    .obey(Motion.SetStabilization.self) { (robot, command) throws(Refusal) in
      robot.machine.setStabilization(command.mode)
    },
    .obey(Motion.SetRotationRate.self) { (robot, command) throws(Refusal) in
      robot.machine.setRotationRate(command.rate)
    },
    .obey(Motion.SelfLevel.self) { (robot, command) throws(Refusal) in
      guard command.options.contains(.start) else { return robot.endLevelling(.aborted) }
      let timeout = command.timeout == 0 ? 15 : Int(command.timeout)
      let trueTime = command.trueTime == 0 ? 30 : Int(command.trueTime)
      let limit = command.angleLimit == 0 ? 3 : command.angleLimit
      robot.levelling = Levelling(
        options: command.options, limit: Double(limit) * .pi / 180,
        deadline: robot.machine.now + .seconds(timeout), trueTime: .milliseconds(10 * trueTime),
        heading: robot.machine.presentHeading)
      robot.machine.setStabilization(.on)
    },
    .obey(Motion.SetVectorDriveLimit.self) { (robot, command) throws(Refusal) in
      robot.machine.settings.vectorDriveLimit = command.speed
    },
    .obey(Motion.Roll.self) { (robot, command) throws(Refusal) in
      (robot.machine.host.hasRolled, robot.machine.host.speed) = (true, command.speed)
      robot.machine.host.heading = command.heading
      guard !robot.hasExclusiveProgram else { return }
      robot.machine.roll(speed: command.speed, heading: command.heading, state: command.state)
      if command.state == .drive { robot.machine.drive.stopAbruptly() }
    },
    .obey(Motion.Boost.self) { (robot, command) throws(Refusal) in
      let now = robot.machine.now
      guard command.legacyHeading != nil || command.state <= 1 else { throw Refusal(.badParameter) }
      guard !robot.hasExclusiveProgram else { return }
      if let heading = command.legacyHeading {
        // Before firmware 1.46: tenths of a second, 0 until stabilisation is set, and a heading.
        let end = command.state == 0 ? nil : now + .milliseconds(100 * Int(command.state))
        robot.machine.drive.boost(true, heading: Double(heading % 360), until: end, at: now)
      } else {
        robot.machine.drive.boost(command.state == 1, at: now)
      }
    },
    .obey(Motion.SetRawMotors.self) { (robot, command) throws(Refusal) in
      guard !robot.hasExclusiveProgram else { return }
      robot.machine.setRawMotors(command)
    },
    .obey(Motion.SetMotionTimeout.self) { (robot, command) throws(Refusal) in
      robot.machine.settings.motionTimeout = command.time
    },
    .obey(Lights.SetRGBLED.self) { (robot, command) throws(Refusal) in
      let color = Color(red: command.red, green: command.green, blue: command.blue)
      robot.machine.lights.setClient(color, persist: command.persist == true)
      (robot.machine.host.hasColored, robot.machine.host.color) = (true, color)
    },
    .obey(Lights.SetBackLED.self) { (robot, command) throws(Refusal) in
      robot.machine.setBackLight(command.brightness)
    },
    .reply(to: Lights.GetRGBLED.self) { (robot, _) throws(Refusal) in
      var color = Lights.GetRGBLED.Response()
      let user = robot.machine.lights.user
      (color.red, color.green, color.blue) = (user.red, user.green, user.blue)
      return color
    },
  ]

  static let sensingHandlers: [CommandHandler] = [
    .obey(Sensing.SetDataStreaming.self) { (robot, command) throws(Refusal) in
      guard SensorStream.isPossible(command) else { throw Refusal(.badParameter) }
      robot.startStreaming(command)
    },
    .obey(Sensing.ConfigureCollisionDetection.self) { (robot, command) throws(Refusal) in
      robot.machine.configureCollisions(command)
    },
    .obey(Sensing.ConfigureLocator.self) { (robot, command) throws(Refusal) in
      robot.machine.locator.configure(command, aim: -robot.machine.aim)
    },
    .obey(Sensing.SetAccelerometerRange.self) { (robot, command) throws(Refusal) in
      robot.machine.settings.accelerometerRange = command.range
      robot.machine.senses.accelerometerRange = Double(2 << command.range.rawValue)
    },
    .reply(to: Sensing.ReadLocator.self) { (robot, _) throws(Refusal) in
      let motion = robot.machine.motion(ahead: robot.ahead)
      func word(_ value: Double) -> Int16 { Int16(min(max((value * 100).rounded(), -32_768), 32_767)) }
      var response = Sensing.ReadLocator.Response()
      (response.x, response.y) = (word(motion.place.x), word(motion.place.y))
      (response.xVelocity, response.yVelocity) = (word(motion.velocity.x), word(motion.velocity.y))
      response.speed = UInt16(word(motion.velocity.length))
      return response
    },
    .reply(to: Sensing.GetTemperature.self) { (robot, _) throws(Refusal) in
      robot.updateBattery()
      let tenths = Int((robot.machine.thermometer.degrees * 10).rounded())
      var response = Sensing.GetTemperature.Response()
      (response.degrees, response.tenths) = (UInt8(clamping: tenths / 10), UInt8(clamping: tenths % 10))
      return response
    },
    .reply(to: Sensing.ReadOdometer.self) { (robot, _) throws(Refusal) in
      var response = Sensing.ReadOdometer.Response()
      response.centimetres = UInt32(min((robot.machine.body.distance * 100).rounded(), 4e9))
      return response
    },
  ]

  /// Starts a stream, replaces it or, where both masks are zero, ends it.
  private mutating func startStreaming(_ request: Sensing.SetDataStreaming) {
    statistics.streamRequests += 1
    if stream?.renew(request, configuration.renewal) == true { return }
    // The first packet keeps its distance from the response, and the others their rhythm.
    let gap = Int64((configuration.eventGap.seconds / Body.stepLength).rounded(.up))
    let wait = max(0, gap - Int64(request.divisor) * Int64(request.frames))
    let fields = configuration.streamsReservedBits ? SensorMask(rawValue: .max) : .all
    stream = SensorStream(request, of: fields, at: tick + wait)
  }
}
