// What the simulated robot does for each command: the table it dispatches by.

import SpheroProtocol

/// A command that the robot does not execute.
private struct Refusal: Error {
  var status: Status
}

extension SimulatedRobot {
  private typealias Handler = @Sendable (isolated SimulatedRobot, [UInt8]) throws -> [UInt8]

  /// The devices that the main application knows; it answers for no bootloader.
  private static let devices: Set<UInt8> = [0x00, 0x02]

  /// Executes a command.
  ///
  /// - Returns: The status of the response, and its payload where that is ok.
  func respond(to command: CommandPacket) -> (Status, [UInt8]) {
    guard Self.devices.contains(command.id.device) else { return (.unknownDevice, []) }
    guard let handler = Self.handlers[command.id] else { return (.unknownCommand, []) }
    do { return (.ok, try handler(self, command.payload)) } catch let refusal as Refusal {
      return (refusal.status, [])
    } catch let error as WireError {
      switch error {
      case .truncated, .excess, .wrongCount: return (.badMessageFormat, [])
      case .outOfRange, .unknownValue, .unreadable: return (.badParameter, [])
      }
    } catch { return (.general, []) }
  }

  /// For commands that ask for something.
  private static func reply<C: Command>(
    to type: C.Type, _ body: @escaping @Sendable (isolated SimulatedRobot, C) throws -> C.Response
  ) -> (CommandID, Handler) {
    (C.id, { robot, payload in try body(robot, C(request: payload)).payload() })
  }

  /// For commands that only say that they were executed.
  private static func obey<C: Command>(
    _ type: C.Type, _ body: @escaping @Sendable (isolated SimulatedRobot, C) throws -> Void
  ) -> (CommandID, Handler) where C.Response == Acknowledgement {
    reply(to: type) { robot, command in
      try body(robot, command)
      return Acknowledgement()
    }
  }

  private static let handlers: [CommandID: Handler] = Dictionary(
    [
      obey(Core.Ping.self) { _, _ in },
      reply(to: Core.GetVersioning.self) { robot, _ in
        var version = Core.GetVersioning.Response()
        (version.model, version.hardware, version.bootloader) = (.s3, 1, 0x33)
        (version.mainAppVersion, version.mainAppRevision) = (3, 73)
        if robot.configuration.hasLongVersionRecord {
          (version.recordVersion, version.apiMajor, version.apiMinor) = (2, 1, 50)
        }
        return version
      },
      reply(to: Core.GetBluetoothInfo.self) { robot, _ in
        var info = Core.GetBluetoothInfo.Response()
        info.name = WireText(robot.configuration.name, paddedTo: 16)
        info.address = "6886E7001234"
        info.colors = "RGB"
        return info
      },
      reply(to: Core.GetPowerState.self) { _, _ in
        var power = Core.GetPowerState.Response()
        (power.voltage, power.charges) = (780, 37)
        return power
      },
      obey(Core.SetPowerNotification.self) { robot, command in
        robot.hasPowerNotification = command.isOn
        if command.isOn { robot.send(Core.PowerNotification(state: .ok)) }
      },
      obey(Core.Sleep.self) { robot, command in robot.fallAsleep(for: command.wakeup) },
      reply(to: Core.PollPacketTimes.self) { robot, command in
        var times = Core.PollPacketTimes.Response()
        let now = UInt32(truncatingIfNeeded: robot.awakeMilliseconds)
        (times.clientTx, times.robotRx, times.robotTx) = (command.clientTx, now, now)
        return times
      },
      obey(Motion.SetHeading.self) { robot, command in robot.setHeading(command.heading) },
      obey(Motion.SetStabilization.self) { robot, command in robot.setStabilization(command.mode) },
      obey(Motion.Roll.self) { robot, command in
        switch command.state {
        case .stop: robot.drive(speed: 0, heading: command.heading)
        case .drive: robot.drive(speed: command.speed, heading: command.heading)
        case .fastRotate: robot.drive(speed: 0, heading: command.heading)
        }
      },
      obey(Sensing.SetDataStreaming.self) { robot, command in
        let isOff = command.sensorMask.isEmpty
        let bytes = command.sensorMask.wordCount * 2 * Int(command.frames)
        // A divisor or a count of zero has no meaning, and the robot's memory is small.
        guard isOff || (command.divisor > 0 && command.frames > 0 && (1...4_000).contains(bytes)) else {
          throw Refusal(status: .badParameter)
        }
        robot.startStreaming(command)
      },
      obey(Lights.SetRGBLED.self) { robot, command in
        (robot.lights.red, robot.lights.green, robot.lights.blue) = (command.red, command.green, command.blue)
        if command.persist == true { robot.userColor = (command.red, command.green, command.blue) }
      },
      obey(Lights.SetBackLED.self) { robot, command in robot.lights.tail = command.brightness },
      reply(to: Lights.GetRGBLED.self) { robot, _ in
        var color = Lights.GetRGBLED.Response()
        (color.red, color.green, color.blue) = robot.userColor
        return color
      },
      reply(to: Settings.GetPermanentOptions.self) { robot, _ in
        var options = Settings.GetPermanentOptions.Response()
        options.flags = robot.permanentOptions
        return options
      },
      obey(Settings.SetTemporaryOptions.self) { robot, command in robot.temporaryOptions = command.flags },
      reply(to: Settings.GetTemporaryOptions.self) { robot, _ in
        var options = Settings.GetTemporaryOptions.Response()
        options.flags = robot.temporaryOptions
        return options
      },
    ], uniquingKeysWith: { first, _ in first })
}
