// Handlers of motion, lights and sensors.

import SpheroProtocol

extension RobotModel {
  static let motionHandlers: [CommandHandler] = [
    .acknowledge(Motion.SetHeading.self) { robot, command in
      robot.hardware.setHeading(command.heading)
      robot.isGyroLimitArmed = true
    },
    .acknowledge(Motion.SetStabilization.self) { $0.hardware.setStabilization($1.mode) },
    .acknowledge(Motion.SetRotationRate.self) { $0.hardware.setRotationRate($1.rate) },
    .acknowledge(Motion.SelfLevel.self) { robot, command in
      guard command.options.contains(.start) else { return robot.endLevelling(.aborted) }
      // 0 selects the default: 15 s, 30 times 10 ms and 3 degrees (Sphero API 1.50, "Self Level").
      let timeout = command.timeout == 0 ? 15 : Int(command.timeout)
      let trueTime = command.trueTime == 0 ? 30 : Int(command.trueTime)
      let limit = command.angleLimit == 0 ? 3 : command.angleLimit
      robot.levelling = Levelling(
        options: command.options, limit: Double(limit) * .pi / 180,
        deadline: robot.hardware.now + .seconds(timeout), trueTime: .milliseconds(10 * trueTime),
        heading: robot.hardware.presentHeading)
      robot.hardware.setStabilization(.on)
    },
    .acknowledge(Motion.SetVectorDriveLimit.self) { $0.hardware.settings.vectorDriveLimit = $1.speed },
    .acknowledge(Motion.Roll.self) { robot, command in
      (robot.hardware.host.hasRolled, robot.hardware.host.speed) = (true, command.speed)
      robot.hardware.host.heading = command.heading
      guard !robot.hasExclusiveProgram else { return }
      robot.hardware.roll(speed: command.speed, heading: command.heading, state: command.state)
      if command.state == .drive { robot.hardware.drive.stopAbruptly() }
    },
    .acknowledge(Motion.Boost.self) { (robot, command) throws(Status) in
      let now = robot.hardware.now
      guard command.legacyHeading != nil || command.state <= 1 else { throw .badParameter }
      guard !robot.hasExclusiveProgram else { return }
      if let heading = command.legacyHeading {
        // Before firmware 1.46: tenths of a second, or 0 for a boost until stabilisation is set; and a heading.
        let end = command.state == 0 ? nil : now + .milliseconds(100 * Int(command.state))
        robot.hardware.drive.boost(true, heading: Double(heading % 360), until: end, at: now)
      } else {
        robot.hardware.drive.boost(command.state == 1, at: now)
      }
    },
    .acknowledge(Motion.SetRawMotors.self) { if !$0.hasExclusiveProgram { $0.hardware.setRawMotors($1) } },
    .acknowledge(Motion.SetMotionTimeout.self) { $0.hardware.settings.motionTimeout = $1.time },
    .acknowledge(Lights.SetRGBLED.self) { robot, command in
      let color = Color(red: command.red, green: command.green, blue: command.blue)
      robot.hardware.lights.client = color
      if command.persist == true { robot.hardware.lights.user = color }
      (robot.hardware.host.hasColored, robot.hardware.host.color) = (true, color)
    },
    .acknowledge(Lights.SetBackLED.self) { $0.hardware.setBackLight($1.brightness) },
    .fillResponse(to: Lights.GetRGBLED.self) { robot, response in
      let user = robot.hardware.lights.user
      (response.red, response.green, response.blue) = (user.red, user.green, user.blue)
    },
    .acknowledge(Sensing.SetDataStreaming.self) { (robot, command) throws(Status) in
      guard SensorStream.isPossible(command) else { throw .badParameter }
      robot.startStreaming(command)
    },
    .acknowledge(Sensing.ConfigureCollisionDetection.self) { $0.hardware.configureCollisions($1) },
    .acknowledge(Sensing.ConfigureLocator.self) {
      $0.hardware.locator.configure($1, aim: $0.hardware.aim, at: $0.hardware.body.position)
    },
    .acknowledge(Sensing.SetAccelerometerRange.self) { $0.hardware.senses.range = $1.range },
    .fillResponse(to: Sensing.ReadLocator.self) { robot, response in
      let motion = robot.hardware.motion(extrapolatedBy: robot.timeSinceStep)
      // In centimetres or cm/s, from metres or m/s.
      func word(_ value: Double) -> Int16 { Int16(min(max((value * 100).rounded(), -32_768), 32_767)) }
      (response.x, response.y) = (word(motion.place.x), word(motion.place.y))
      (response.xVelocity, response.yVelocity) = (word(motion.velocity.x), word(motion.velocity.y))
      response.speed = UInt16(word(motion.velocity.length))
    },
    .fillResponse(to: Sensing.GetTemperature.self) { robot, response in
      robot.updateBattery()
      let tenths = Int((robot.hardware.thermometer.degrees * 10).rounded())
      (response.degrees, response.tenths) = (UInt8(clamping: tenths / 10), UInt8(clamping: tenths % 10))
    },
    .fillResponse(to: Sensing.ReadOdometer.self) { robot, response in
      response.centimetres = UInt32(min((robot.hardware.body.distance * 100).rounded(), 4e9))
    },
  ]

  /// Starts a stream, replaces it or, if both masks are zero, ends it.
  private mutating func startStreaming(_ request: Sensing.SetDataStreaming) {
    statistics.streamRequests += 1
    if stream?.renew(request, configuration.renewal) == true { return }
    // The first packet follows the response by at least the event gap, and all later packets are delayed equally.
    let gap = Int64((configuration.eventGap.inSeconds / Body.stepLength).rounded(.up))
    let wait = max(0, gap - Int64(request.divisor) * Int64(request.frames))
    let fields = configuration.streamsReservedBits ? SensorMask(rawValue: .max) : .all
    stream = SensorStream(request, of: fields, at: tick + wait)
  }
}
