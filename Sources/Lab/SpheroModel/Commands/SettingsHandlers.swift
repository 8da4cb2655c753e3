// What the robot does for settings, factory commands, blocks of flash and the soul.

import SpheroProtocol

extension RobotModel {
  static let settingsHandlers: [CommandHandler] = [
    .obey(Settings.SetPermanentOptions.self) { (robot, command) throws(Refusal) in
      robot.machine.settings.permanentOptions = command.flags
    },
    .reply(to: Settings.GetPermanentOptions.self) { (robot, _) throws(Refusal) in
      var options = Settings.GetPermanentOptions.Response()
      options.flags = robot.machine.settings.permanentOptions
      return options
    },
    .obey(Settings.SetTemporaryOptions.self) { (robot, command) throws(Refusal) in
      robot.machine.settings.temporaryOptions = command.flags
    },
    .reply(to: Settings.GetTemporaryOptions.self) { (robot, _) throws(Refusal) in
      var options = Settings.GetTemporaryOptions.Response()
      options.flags = robot.machine.settings.temporaryOptions
      return options
    },
    .obey(Settings.SetDeviceMode.self) { (robot, command) throws(Refusal) in
      robot.machine.settings.mode = command.mode
    },
    .reply(to: Settings.GetDeviceMode.self) { (robot, _) throws(Refusal) in
      var response = Settings.GetDeviceMode.Response()
      response.mode = Settings.DeviceMode(rawValue: robot.machine.settings.mode.rawValue)
      return response
    },
    .obey(Factory.SetCreationDate.self) { (robot, command) throws(Refusal) in
      robot.machine.settings.creationDate = command.block
    },
    .reply(to: Factory.GetApplicationConfigurationBlock.self) { (robot, _) throws(Refusal) in
      var response = Factory.GetApplicationConfigurationBlock.Response()
      response.block = robot.machine.settings.creationDate
      return response
    },
    // Without effect since firmware 0.99.
    .obey(Factory.ReenableDemoMode.self) { (_, _) throws(Refusal) in },
    .reply(to: Factory.GetChassisID.self) { (robot, _) throws(Refusal) in
      var response = Factory.GetChassisID.Response()
      response.chassis = robot.machine.settings.chassis
      return response
    },
    .obey(Factory.SetChassisID.self) { (robot, command) throws(Refusal) in
      robot.machine.settings.chassis = command.chassis
    },
    .reply(to: Factory.GetSKU.self) { (robot, _) throws(Refusal) in
      var response = Factory.GetSKU.Response()
      // What is printed on the robot never changes.
      response.text = "300S"
      return response
    },
  ]

  static let blockHandlers: [CommandHandler] = [
    .obey(SpheroProtocol.Configuration.GetConfigurationBlock.self) { (robot, command) throws(Refusal) in
      let block: FlashImage
      switch command.block {
      case .user: block = robot.configurationBlock
      case .factory:
        var factory = SettingsStore(name: "", permanentOptions: [])
        factory.chassis = robot.machine.settings.chassis
        block = factory.configurationBlock(
          battery: Battery(charge: 1, at: .zero), color: Color(red: 0, green: 0, blue: 255))
      }
      robot.machine.send(SpheroProtocol.Configuration.ConfigurationBlock(block: block))
    },
    CommandHandler(id: SpheroProtocol.Configuration.SetConfigurationBlock.id) {
      (robot: inout RobotModel, payload: [UInt8]) throws(Refusal) -> [UInt8] in
      // A packet of ordinary length brings the first 254 bytes; no document says what the others become.
      guard payload.count == 0x400 || payload.count == 254 else { throw Refusal(.badMessageFormat) }
      let rest = robot.configurationBlock.bytes.dropFirst(payload.count)
      robot.machine.settings.writtenBlock = FlashImage(bytes: payload + rest)
      return []
    },
    .obey(Soul.SetSSBModifier.self) { (robot, command) throws(Refusal) in
      try robot.checkPassword(command.password)
      robot.machine.settings.modifierBlock = command.block
    },
    .obey(Soul.GetSSB.self) { (robot, _) throws(Refusal) in
      var event = Soul.SoulBlock()
      event.block = robot.soul.block
      robot.machine.send(event)
    },
    .obey(Soul.SetSSB.self) { (robot, command) throws(Refusal) in
      try robot.checkPassword(command.password)
      robot.soul.replace(command.block)
    },
  ]

  /// The configuration block of the user.
  private var configurationBlock: FlashImage {
    machine.settings.configurationBlock(battery: machine.battery, color: machine.lights.user)
  }

  private mutating func checkPassword(_ password: UInt32) throws(Refusal) {
    guard soul.admits(password) else { throw Refusal(.badPassword) }
  }

  static let soulHandlers: [CommandHandler] = [
    .reply(to: Soul.RefillBank.self) { (robot, command) throws(Refusal) in
      guard let cores = robot.soul.refill(command.bank) else { throw Refusal(.failedToExecute) }
      var response = Soul.RefillBank.Response()
      response.cores = cores
      if robot.soul.notifies {
        switch command.bank {
        case .boost: robot.machine.send(Soul.BoostUpdate())
        case .shield: robot.machine.send(Soul.ShieldDamage())
        }
      }
      return response
    },
    .reply(to: Soul.BuyConsumable.self) { (robot, command) throws(Refusal) in
      guard let response = robot.soul.buy(command.consumable, command.quantity) else {
        throw Refusal(.failedToExecute)
      }
      return response
    },
    .reply(to: Soul.UseConsumable.self) { (robot, command) throws(Refusal) in
      guard let response = robot.soul.use(command.consumable) else { throw Refusal(.failedToExecute) }
      return response
    },
    .reply(to: Soul.GrantCores.self) { (robot, command) throws(Refusal) in
      try robot.checkPassword(command.password)
      var response = Soul.GrantCores.Response()
      response.cores = robot.soul.grant(command.quantity)
      return response
    },
    .reply(to: Soul.AddXP.self) { (robot, command) throws(Refusal) in
      try robot.checkPassword(command.password)
      var response = Soul.AddXP.Response()
      let (percent, reached) = robot.soul.add(minutes: command.quantity)
      response.percent = percent
      if robot.soul.notifies {
        var update = Soul.XPUpdate()
        update.progress = UInt8(Int(percent) * 255 / 100)
        robot.machine.send(update)
        if let reached { robot.machine.send(reached) }
      }
      return response
    },
    .reply(to: Soul.LevelUpAttribute.self) { (robot, command) throws(Refusal) in
      try robot.checkPassword(command.password)
      guard let response = robot.soul.levelUp(command.attribute) else { throw Refusal(.failedToExecute) }
      return response
    },
    .reply(to: Soul.GetPasswordSeed.self) { (robot, _) throws(Refusal) in
      var response = Soul.GetPasswordSeed.Response()
      response.seed = robot.soul.seed
      return response
    },
    .obey(Soul.EnableSSBEvents.self) { (robot, command) throws(Refusal) in
      robot.soul.notifies = command.isOn
    },
  ]
}
