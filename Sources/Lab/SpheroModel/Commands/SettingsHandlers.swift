// Handlers of settings, factory commands, blocks of flash and the soul.

import SpheroProtocol

extension RobotModel {
  static let settingsHandlers: [CommandHandler] = [
    .acknowledge(Settings.SetPermanentOptions.self) { $0.hardware.settings.permanentOptions = $1.flags },
    .fillResponse(to: Settings.GetPermanentOptions.self) { $1.flags = $0.hardware.settings.permanentOptions },
    .acknowledge(Settings.SetTemporaryOptions.self) { $0.hardware.settings.temporaryOptions = $1.flags },
    .fillResponse(to: Settings.GetTemporaryOptions.self) { $1.flags = $0.hardware.settings.temporaryOptions },
    .acknowledge(Settings.SetDeviceMode.self) { $0.hardware.settings.mode = $1.mode },
    .fillResponse(to: Settings.GetDeviceMode.self) { robot, response in
      response.mode = Settings.DeviceMode(rawValue: robot.hardware.settings.mode.rawValue)
    },
    .acknowledge(Factory.SetCreationDate.self) { $0.hardware.settings.creationDate = $1.block },
    .fillResponse(to: Factory.GetApplicationConfigurationBlock.self) { robot, response in
      response.block = robot.hardware.settings.creationDate
    },
    // The command has no effect since firmware 0.99.
    .acknowledge(Factory.ReenableDemoMode.self) { _, _ in },
    .fillResponse(to: Factory.GetChassisID.self) { $1.chassis = $0.hardware.settings.chassis },
    .acknowledge(Factory.SetChassisID.self) { $0.hardware.settings.chassis = $1.chassis },
    .fillResponse(to: Factory.GetSKU.self) { _, response in response.text = "300S" },
    .acknowledge(SpheroProtocol.Configuration.GetConfigurationBlock.self) { robot, command in
      let block: [UInt8]
      switch command.block {
      case .user: block = robot.configurationBlock
      case .factory:
        var factory = SettingsStore(name: "", permanentOptions: [])
        factory.chassis = robot.hardware.settings.chassis
        block = factory.configurationBlock(
          battery: Battery(charge: 1, voltage: robot.configuration.profile.batteryVoltage),
          color: Color(red: 0, green: 0, blue: 255))
      }
      robot.hardware.send(SpheroProtocol.Configuration.ConfigurationBlock(block: block))
    },
    CommandHandler(id: SpheroProtocol.Configuration.SetConfigurationBlock.id) {
      (robot: inout RobotModel, payload: [UInt8]) throws(Status) -> [UInt8] in
      // A packet of ordinary length carries only the first 254 bytes; the others keep their values, which
      // no document states.
      guard payload.count == 0x400 || payload.count == 254 else { throw .badMessageFormat }
      let rest = robot.configurationBlock.dropFirst(payload.count)
      robot.hardware.settings.writtenBlock = payload + rest
      return []
    },
    .acknowledge(Soul.SetSSBModifier.self) { (robot, command) throws(Status) in
      try robot.soul.checkPassword(command.password)
    },
    .acknowledge(Soul.GetSSB.self) { robot, _ in
      robot.hardware.send(Soul.SoulBlock { $0.block = robot.soul.block })
    },
    .acknowledge(Soul.SetSSB.self) { (robot, command) throws(Status) in
      try robot.soul.checkPassword(command.password)
      robot.soul.block = command.block
    },
    .reply(to: Soul.RefillBank.self) { (robot, command) throws(Status) in
      // The contents of the banks are not stored, because no command reads them.
      guard robot.soul.cores >= 10 else { throw .failedToExecute }
      robot.soul.cores -= 10
      if robot.soul.sendsEvents {
        switch command.bank {
        case .boost: robot.hardware.send(Soul.BoostUpdate())
        case .shield: robot.hardware.send(Soul.ShieldDamage())
        }
      }
      return Soul.RefillBank.Response { $0.cores = robot.soul.cores }
    },
    .reply(to: Soul.BuyConsumable.self) { (robot, command) throws(Status) in
      let price = 5 * UInt32(command.quantity)
      guard let held = robot.soul.consumables[command.consumable], robot.soul.cores >= price,
        command.quantity <= .max - held
      else { throw .failedToExecute }
      let count = held + command.quantity
      robot.soul.consumables[command.consumable] = count
      robot.soul.cores -= price
      return Soul.BuyConsumable.Response { ($0.quantity, $0.cores) = (count, robot.soul.cores) }
    },
    .reply(to: Soul.UseConsumable.self) { (robot, command) throws(Status) in
      guard let held = robot.soul.consumables[command.consumable], held > 0 else { throw .failedToExecute }
      robot.soul.consumables[command.consumable] = held - 1
      return Soul.UseConsumable.Response { ($0.consumable, $0.remaining) = (command.consumable, held - 1) }
    },
    .reply(to: Soul.GrantCores.self) { (robot, command) throws(Status) in
      try robot.soul.checkPassword(command.password)
      robot.soul.cores += min(command.quantity, .max - robot.soul.cores)
      return Soul.GrantCores.Response { $0.cores = robot.soul.cores }
    },
    .reply(to: Soul.AddXP.self) { (robot, command) throws(Status) in
      try robot.soul.checkPassword(command.password)
      // A level is 100 minutes of experience.
      let sum = Int(robot.soul.percent) + Int(command.quantity)
      robot.soul.percent = UInt8(sum % 100)
      robot.soul.level &+= UInt16(sum / 100)
      robot.soul.points &+= UInt16(sum / 100)
      if robot.soul.sendsEvents {
        robot.hardware.send(Soul.XPUpdate { $0.progress = UInt8(Int(robot.soul.percent) * 255 / 100) })
        if sum >= 100 {
          robot.hardware.send(Soul.LevelUp { ($0.level, $0.points) = (robot.soul.level, robot.soul.points) })
        }
      }
      return Soul.AddXP.Response { $0.percent = robot.soul.percent }
    },
    .reply(to: Soul.LevelUpAttribute.self) { (robot, command) throws(Status) in
      try robot.soul.checkPassword(command.password)
      guard robot.soul.points > 0 else { throw .failedToExecute }
      robot.soul.points -= 1
      let id = command.attribute.rawValue
      robot.soul.levels[Int(id)] &+= 1
      return Soul.LevelUpAttribute.Response {
        ($0.attribute, $0.level, $0.points) = (id, robot.soul.levels[Int(id)], robot.soul.points)
      }
    },
    .fillResponse(to: Soul.GetPasswordSeed.self) { robot, response in response.seed = robot.soul.seed },
    .acknowledge(Soul.EnableSSBEvents.self) { robot, command in robot.soul.sendsEvents = command.isOn },
  ]

  private var configurationBlock: [UInt8] {
    hardware.settings.configurationBlock(battery: hardware.battery, color: hardware.lights.user)
  }
}
