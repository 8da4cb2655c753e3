// What the robot does for core commands: identity, clock, diagnostics, power, sleep.

import SpheroProtocol

extension RobotModel {
  static let coreHandlers: [CommandHandler] = [
    .obey(Core.Ping.self) { (_, _) throws(Refusal) in },
    .reply(to: Core.GetVersioning.self) { (robot, _) throws(Refusal) in
      var version = robot.configuration.profile.version
      if robot.configuration.hasLongVersionRecord {
        (version.recordVersion, version.apiMajor, version.apiMinor) = (2, 1, 50)
      }
      return version
    },
    .obey(Factory.ControlUARTTransmit.self) { (robot, command) throws(Refusal) in
      robot.machine.settings.transmits = command.isOn
    },
    // A name that is too long is clipped, not refused.
    CommandHandler(id: Core.SetDeviceName.id) { (robot, payload) throws(Refusal) in
      robot.machine.settings.name = WireText(bytes: Array(payload.prefix(SettingsStore.longestName)))
      return []
    },
    .reply(to: Core.GetBluetoothInfo.self) { (robot, _) throws(Refusal) in
      var info = Core.GetBluetoothInfo.Response()
      let name = robot.machine.settings.name.bytes.prefix(16)
      info.name = WireText(bytes: name + [UInt8](repeating: 0, count: 16 - name.count))
      info.address = WireText(robot.configuration.profile.address, paddedTo: 12)
      info.colors = WireText(robot.configuration.profile.colors, paddedTo: 3)
      return info
    },
    .obey(Core.SetAutoReconnect.self) { (robot, command) throws(Refusal) in
      robot.machine.settings.reconnects = (command.isOn, command.seconds)
    },
    .reply(to: Core.GetAutoReconnect.self) { (robot, _) throws(Refusal) in
      var response = Core.GetAutoReconnect.Response()
      (response.isOn, response.seconds) = robot.machine.settings.reconnects
      return response
    },
    .obey(Core.AssignTime.self) { (robot, command) throws(Refusal) in
      robot.clockOffset &+= command.time &- robot.clock
    },
    .reply(to: Core.PollPacketTimes.self) { (robot, command) throws(Refusal) in
      var times = Core.PollPacketTimes.Response()
      let now = robot.clock
      (times.clientTx, times.robotRx, times.robotTx) = (command.clientTx, now, now)
      return times
    },
    .obey(Bootloader.JumpToBootloader.self) { (robot, _) throws(Refusal) in
      robot.machine.stop()
      (robot.stream, robot.levelling, robot.isInBootloader) = (nil, nil, true)
      _ = robot.macros.abort()
      _ = robot.orbBasic.abort(at: robot.machine.now)
    },
    .obey(Diagnostics.RunLevel1Diagnostics.self) { (robot, _) throws(Refusal) in
      var event = Diagnostics.Level1Diagnostics()
      event.text = WireText(robot.report)
      robot.machine.send(event)
    },
    .reply(to: Diagnostics.RunLevel2Diagnostics.self) { (robot, _) throws(Refusal) in robot.counters },
    // Refused in normal mode, which is the only one this robot has.
    .obey(Diagnostics.ClearCounters.self) { (_, _) throws(Refusal) in throw Refusal(.unsupported) },
  ]

  static let powerHandlers: [CommandHandler] = [
    .reply(to: Core.GetPowerState.self) { (robot, _) throws(Refusal) in
      robot.updateBattery()
      let battery = robot.machine.battery
      var power = Core.GetPowerState.Response()
      (power.state, power.voltage, power.charges) = (battery.state, battery.voltage, battery.charges)
      power.secondsSinceCharge = UInt16(clamping: Int(min(battery.secondsAwake, 1e6)))
      robot.tellPower()
      return power
    },
    .obey(Core.SetPowerNotification.self) { (robot, command) throws(Refusal) in
      robot.machine.battery.notify(command.isOn, at: robot.machine.now)
      robot.tellPower()
    },
    .obey(Core.Sleep.self) { (robot, command) throws(Refusal) in
      robot.commandedNap = command.wakeup
      robot.fallAsleep(
        for: robot.duration(ofNap: command.wakeup), macro: command.macro, line: command.orbBasicLine ?? 0)
    },
    .reply(to: Core.GetVoltageTripPoints.self) { (robot, _) throws(Refusal) in
      var response = Core.GetVoltageTripPoints.Response()
      (response.low, response.critical) = (robot.machine.battery.low, robot.machine.battery.critical)
      return response
    },
    .obey(Core.SetVoltageTripPoints.self) { (robot, command) throws(Refusal) in
      guard command.low >= command.critical + 25 else { throw Refusal(.badParameter) }
      (robot.machine.battery.low, robot.machine.battery.critical) = (command.low, command.critical)
      robot.updateBattery()
      robot.tellPower()
    },
    .obey(Core.SetInactivityTimeout.self) { (robot, command) throws(Refusal) in
      robot.machine.settings.inactivityTimeout = command.seconds
    },
    .reply(to: Core.GetChargerState.self) { (robot, _) throws(Refusal) in
      var response = Core.GetChargerState.Response()
      response.state = robot.machine.battery.isInCharger ? .charging : .out
      return response
    },
    .reply(to: Factory.GetFactoryConfigurationCRC.self) { (robot, _) throws(Refusal) in
      var response = Factory.GetFactoryConfigurationCRC.Response()
      // Neither its size nor its polynomial is documented.
      response.crc = [0x5F, 0xEE, 0x0B, 0x01]
      return response
    },
  ]
}
