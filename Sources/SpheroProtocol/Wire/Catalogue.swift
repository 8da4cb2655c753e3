// Lists of all messages, visited one at a time, and found by ID.

/// Visits message types, as a ``Wire`` visits the fields of one message.
public protocol CatalogueVisitor {
  /// Visits a command; `name` is its namespace and type, like `Motion.Roll`.
  mutating func command<R: Request>(_ type: R.Type, _ name: StaticString)

  /// Visits an event; `name` is its namespace and type, like `Sensing.Collision`.
  mutating func event<E: Event>(_ type: E.Type, _ name: StaticString)
}

/// A list of message types: the library's ``Catalogue``, or your own, for a ``Dissector`` of your messages.
public protocol MessageCatalogue: SendableMetatype {
  static func visit(_ visitor: inout some CatalogueVisitor)
}

/// All messages of this library.
public enum Catalogue: MessageCatalogue {
  /// Visits all commands, then all events, each grouped by namespace.
  public static func visit(_ visitor: inout some CatalogueVisitor) {
    visitor.command(Core.Ping.self, "Core.Ping")
    visitor.command(Core.GetVersioning.self, "Core.GetVersioning")
    visitor.command(Core.SetDeviceName.self, "Core.SetDeviceName")
    visitor.command(Core.GetBluetoothInfo.self, "Core.GetBluetoothInfo")
    visitor.command(Core.SetAutoReconnect.self, "Core.SetAutoReconnect")
    visitor.command(Core.GetAutoReconnect.self, "Core.GetAutoReconnect")
    visitor.command(Core.AssignTime.self, "Core.AssignTime")
    visitor.command(Core.PollPacketTimes.self, "Core.PollPacketTimes")
    visitor.command(Core.GetPowerState.self, "Core.GetPowerState")
    visitor.command(Core.SetPowerNotification.self, "Core.SetPowerNotification")
    visitor.command(Core.Sleep.self, "Core.Sleep")
    visitor.command(Core.GetVoltageTripPoints.self, "Core.GetVoltageTripPoints")
    visitor.command(Core.SetVoltageTripPoints.self, "Core.SetVoltageTripPoints")
    visitor.command(Core.SetInactivityTimeout.self, "Core.SetInactivityTimeout")
    visitor.command(Core.GetChargerState.self, "Core.GetChargerState")
    visitor.command(Diagnostics.RunLevel1Diagnostics.self, "Diagnostics.RunLevel1Diagnostics")
    visitor.command(Diagnostics.RunLevel2Diagnostics.self, "Diagnostics.RunLevel2Diagnostics")
    visitor.command(Diagnostics.ClearCounters.self, "Diagnostics.ClearCounters")
    visitor.command(Bootloader.JumpToBootloader.self, "Bootloader.JumpToBootloader")
    visitor.command(Bootloader.LeaveBootloader.self, "Bootloader.LeaveBootloader")
    visitor.command(Bootloader.IsPageBlank.self, "Bootloader.IsPageBlank")
    visitor.command(Motion.SetHeading.self, "Motion.SetHeading")
    visitor.command(Motion.SetStabilization.self, "Motion.SetStabilization")
    visitor.command(Motion.SetRotationRate.self, "Motion.SetRotationRate")
    visitor.command(Motion.SelfLevel.self, "Motion.SelfLevel")
    visitor.command(Motion.SetVectorDriveLimit.self, "Motion.SetVectorDriveLimit")
    visitor.command(Motion.Roll.self, "Motion.Roll")
    visitor.command(Motion.Boost.self, "Motion.Boost")
    visitor.command(Motion.SetRawMotors.self, "Motion.SetRawMotors")
    visitor.command(Motion.SetMotionTimeout.self, "Motion.SetMotionTimeout")
    visitor.command(Sensing.SetDataStreaming.self, "Sensing.SetDataStreaming")
    visitor.command(Sensing.ConfigureCollisionDetection.self, "Sensing.ConfigureCollisionDetection")
    visitor.command(Sensing.ConfigureLocator.self, "Sensing.ConfigureLocator")
    visitor.command(Sensing.SetAccelerometerRange.self, "Sensing.SetAccelerometerRange")
    visitor.command(Sensing.ReadLocator.self, "Sensing.ReadLocator")
    visitor.command(Sensing.GetTemperature.self, "Sensing.GetTemperature")
    visitor.command(Sensing.ReadOdometer.self, "Sensing.ReadOdometer")
    visitor.command(Lights.SetRGBLED.self, "Lights.SetRGBLED")
    visitor.command(Lights.SetBackLED.self, "Lights.SetBackLED")
    visitor.command(Lights.GetRGBLED.self, "Lights.GetRGBLED")
    visitor.command(Settings.SetPermanentOptions.self, "Settings.SetPermanentOptions")
    visitor.command(Settings.GetPermanentOptions.self, "Settings.GetPermanentOptions")
    visitor.command(Settings.SetTemporaryOptions.self, "Settings.SetTemporaryOptions")
    visitor.command(Settings.GetTemporaryOptions.self, "Settings.GetTemporaryOptions")
    visitor.command(Settings.SetDeviceMode.self, "Settings.SetDeviceMode")
    visitor.command(Settings.GetDeviceMode.self, "Settings.GetDeviceMode")
    visitor.command(Configuration.GetConfigurationBlock.self, "Configuration.GetConfigurationBlock")
    visitor.command(Configuration.SetConfigurationBlock.self, "Configuration.SetConfigurationBlock")
    visitor.command(Soul.SetSSBModifier.self, "Soul.SetSSBModifier")
    visitor.command(Soul.GetSSB.self, "Soul.GetSSB")
    visitor.command(Soul.SetSSB.self, "Soul.SetSSB")
    visitor.command(Soul.RefillBank.self, "Soul.RefillBank")
    visitor.command(Soul.BuyConsumable.self, "Soul.BuyConsumable")
    visitor.command(Soul.UseConsumable.self, "Soul.UseConsumable")
    visitor.command(Soul.GrantCores.self, "Soul.GrantCores")
    visitor.command(Soul.AddXP.self, "Soul.AddXP")
    visitor.command(Soul.LevelUpAttribute.self, "Soul.LevelUpAttribute")
    visitor.command(Soul.GetPasswordSeed.self, "Soul.GetPasswordSeed")
    visitor.command(Soul.EnableSSBEvents.self, "Soul.EnableSSBEvents")
    visitor.command(Macros.RunMacro.self, "Macros.RunMacro")
    visitor.command(Macros.SaveTemporaryMacro.self, "Macros.SaveTemporaryMacro")
    visitor.command(Macros.SaveMacro.self, "Macros.SaveMacro")
    visitor.command(Macros.ReinitMacroExecutive.self, "Macros.ReinitMacroExecutive")
    visitor.command(Macros.AbortMacro.self, "Macros.AbortMacro")
    visitor.command(Macros.GetMacroStatus.self, "Macros.GetMacroStatus")
    visitor.command(Macros.SetMacroParameter.self, "Macros.SetMacroParameter")
    visitor.command(Macros.AppendMacroChunk.self, "Macros.AppendMacroChunk")
    visitor.command(OrbBasic.EraseStorage.self, "OrbBasic.EraseStorage")
    visitor.command(OrbBasic.AppendFragment.self, "OrbBasic.AppendFragment")
    visitor.command(OrbBasic.Execute.self, "OrbBasic.Execute")
    visitor.command(OrbBasic.Abort.self, "OrbBasic.Abort")
    visitor.command(OrbBasic.SubmitInput.self, "OrbBasic.SubmitInput")
    visitor.command(OrbBasic.CommitToFlash.self, "OrbBasic.CommitToFlash")
    visitor.command(OrbBasic.CommitToFlashAlias.self, "OrbBasic.CommitToFlashAlias")
    visitor.command(Factory.ControlUARTTransmit.self, "Factory.ControlUARTTransmit")
    visitor.command(Factory.GetFactoryConfigurationCRC.self, "Factory.GetFactoryConfigurationCRC")
    visitor.command(Factory.SetCreationDate.self, "Factory.SetCreationDate")
    visitor.command(Factory.GetApplicationConfigurationBlock.self, "Factory.GetApplicationConfigurationBlock")
    visitor.command(Factory.ReenableDemoMode.self, "Factory.ReenableDemoMode")
    visitor.command(Factory.GetChassisID.self, "Factory.GetChassisID")
    visitor.command(Factory.SetChassisID.self, "Factory.SetChassisID")
    visitor.command(Factory.GetSKU.self, "Factory.GetSKU")

    visitor.event(Core.PowerNotification.self, "Core.PowerNotification")
    visitor.event(Core.PreSleepWarning.self, "Core.PreSleepWarning")
    visitor.event(Core.DidSleep.self, "Core.DidSleep")
    visitor.event(Diagnostics.Level1Diagnostics.self, "Diagnostics.Level1Diagnostics")
    visitor.event(Sensing.SensorData.self, "Sensing.SensorData")
    visitor.event(Sensing.Collision.self, "Sensing.Collision")
    visitor.event(Sensing.GyroLimit.self, "Sensing.GyroLimit")
    visitor.event(Motion.SelfLevelResult.self, "Motion.SelfLevelResult")
    visitor.event(Configuration.ConfigurationBlock.self, "Configuration.ConfigurationBlock")
    visitor.event(Soul.SoulBlock.self, "Soul.SoulBlock")
    visitor.event(Soul.LevelUp.self, "Soul.LevelUp")
    visitor.event(Soul.ShieldDamage.self, "Soul.ShieldDamage")
    visitor.event(Soul.XPUpdate.self, "Soul.XPUpdate")
    visitor.event(Soul.BoostUpdate.self, "Soul.BoostUpdate")
    visitor.event(Macros.Marker.self, "Macros.Marker")
    visitor.event(OrbBasic.PrintMessage.self, "OrbBasic.PrintMessage")
    visitor.event(OrbBasic.ErrorText.self, "OrbBasic.ErrorText")
    visitor.event(OrbBasic.ErrorMessage.self, "OrbBasic.ErrorMessage")
  }

  /// The name of the command with this ID, or nil.
  public static func name(of id: CommandID) -> String? { names.commands[id].map { "\($0)" } }

  /// The name of the event with this ID, or nil.
  public static func name(of id: EventID) -> String? { names.events[id].map { "\($0)" } }

  private static let names: Names = {
    var names = Names()
    visit(&names)
    return names
  }()

  private struct Names: CatalogueVisitor {
    var commands: [CommandID: StaticString] = [:]
    var events: [EventID: StaticString] = [:]
    mutating func command<R: Request>(_ type: R.Type, _ name: StaticString) { commands[R.id] = name }
    mutating func event<E: Event>(_ type: E.Type, _ name: StaticString) { events[E.id] = name }
  }

  // Embedded Swift has no metatypes as values; there, a `CatalogueVisitor` visits the types one at a time.
  #if !hasFeature(Embedded)
    /// All requests, in the order of their IDs.
    public static var commands: [any Request.Type] { types.commands }

    /// All events, in the order of their IDs.
    public static var events: [any Event.Type] { types.events }

    /// The request with this ID, or nil.
    public static func command(_ id: CommandID) -> (any Request.Type)? { commands.first { $0.id == id } }

    /// The event with this ID, or nil.
    public static func event(_ id: EventID) -> (any Event.Type)? { events.first { $0.id == id } }

    private static let types: Types = {
      var types = Types()
      visit(&types)
      types.commands.sort { ($0.id.device, $0.id.command) < ($1.id.device, $1.id.command) }
      types.events.sort { $0.id.rawValue < $1.id.rawValue }
      return types
    }()

    private struct Types: CatalogueVisitor {
      var commands: [any Request.Type] = []
      var events: [any Event.Type] = []
      mutating func command<R: Request>(_ type: R.Type, _ name: StaticString) { commands.append(type) }
      mutating func event<E: Event>(_ type: E.Type, _ name: StaticString) { events.append(type) }
    }
  #endif
}
