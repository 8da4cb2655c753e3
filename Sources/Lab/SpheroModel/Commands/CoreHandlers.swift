// Handlers of core commands: identity, clock, diagnostics, power and sleep.

import SpheroProtocol

extension RobotModel {
  static let coreHandlers: [CommandHandler] = [
    .acknowledge(Core.Ping.self) { _, _ in },
    .reply(to: Core.GetVersioning.self) { robot, _ in
      var version = robot.configuration.profile.version
      if robot.configuration.hasLongVersionRecord {
        (version.recordVersion, version.apiMajor, version.apiMinor) = (2, 1, 50)
      }
      return version
    },
    .acknowledge(Factory.ControlUARTTransmit.self) { $0.hardware.settings.transmits = $1.isOn },
    // A name of more than 48 bytes is cut, not refused (Sphero API 1.50, "Set Device Name").
    CommandHandler(id: Core.SetDeviceName.id) { robot, payload in
      robot.hardware.settings.name = WireText(bytes: Array(payload.prefix(48)))
      return []
    },
    .fillResponse(to: Core.GetBluetoothInfo.self) { robot, info in
      let name = robot.hardware.settings.name.bytes.prefix(16)
      info.name = WireText(bytes: name + [UInt8](repeating: 0, count: 16 - name.count))
      info.address = WireText(robot.configuration.reportedAddress, paddedTo: 12)
      info.colors = WireText(robot.configuration.profile.colors, paddedTo: 3)
    },
    .acknowledge(Core.SetAutoReconnect.self) { $0.hardware.settings.reconnects = ($1.isOn, $1.seconds) },
    .fillResponse(to: Core.GetAutoReconnect.self) { ($1.isOn, $1.seconds) = $0.hardware.settings.reconnects },
    .acknowledge(Core.AssignTime.self) { $0.clockOffset &+= $1.time &- $0.clock },
    .reply(to: Core.PollPacketTimes.self) { robot, command in
      let now = robot.clock
      return Core.PollPacketTimes.Response {
        ($0.clientTx, $0.robotRx, $0.robotTx) = (command.clientTx, now, now)
      }
    },
    .acknowledge(Bootloader.JumpToBootloader.self) { robot, _ in
      robot.hardware.stop()
      (robot.stream, robot.levelling, robot.isInBootloader) = (nil, nil, true)
      _ = robot.macros.abort()
      robot.orbBasic.abort(at: robot.hardware.now)
    },
    .acknowledge(Diagnostics.RunLevel1Diagnostics.self) { robot, _ in
      robot.hardware.send(Diagnostics.Level1Diagnostics { $0.text = WireText(robot.report) })
    },
    // A robot in user hack mode may accept this; the simulated robot refuses it there, too, since it only stores that mode.
    .acknowledge(Diagnostics.ClearCounters.self) { (_, _) throws(Status) in throw .unsupported },
    .fillResponse(to: Core.GetPowerState.self) { robot, power in
      robot.updateBattery()
      let battery = robot.hardware.battery
      (power.state, power.centivolts, power.charges) = (battery.state, battery.voltage, battery.charges)
      power.secondsSinceCharge = UInt16(clamping: Int(min(battery.secondsAwake, 1e6)))
      robot.reportPower()
    },
    .acknowledge(Core.SetPowerNotification.self) { robot, command in
      robot.hardware.battery.notify(command.isOn, at: robot.hardware.now)
      robot.reportPower()
    },
    .acknowledge(Core.Sleep.self) { robot, command in
      robot.commandedNap = command.wakeup
      robot.fallAsleep(
        for: robot.duration(ofNap: command.wakeup), macro: command.macro, line: command.orbBasicLine ?? 0,
        by: .command)
    },
    .fillResponse(to: Core.GetVoltageTripPoints.self) { robot, response in
      (response.low, response.critical) = (robot.hardware.battery.low, robot.hardware.battery.critical)
    },
    .acknowledge(Core.SetVoltageTripPoints.self) { (robot, command) throws(Status) in
      guard command.low >= command.critical + 25 else { throw .badParameter }
      (robot.hardware.battery.low, robot.hardware.battery.critical) = (command.low, command.critical)
      robot.updateBattery()
      robot.reportPower()
    },
    .acknowledge(Core.SetInactivityTimeout.self) { $0.hardware.settings.inactivityTimeout = $1.seconds },
    .fillResponse(to: Core.GetChargerState.self) { robot, response in
      response.state = robot.hardware.battery.isInCharger ? .charging : .out
    },
    // The documents define neither the size nor the polynomial.
    .fillResponse(to: Factory.GetFactoryConfigurationCRC.self) { $1.crc = [0x5F, 0xEE, 0x0B, 0x01] },
  ]
}
