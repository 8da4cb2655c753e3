// Status codes, choices, flags and units, compared with literal numbers typed from the documents.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct WitnessCodeTests {
  @Test func statusCodes() {
    Witness.codes([
      (Status.ok, 0x00, "ok"), (.general, 0x01, "general error"), (.badChecksum, 0x02, "bad checksum"),
      (.fragment, 0x03, "fragment"), (.unknownCommand, 0x04, "unknown command"),
      (.unsupported, 0x05, "unsupported"), (.badMessageFormat, 0x06, "bad message format"),
      (.badParameter, 0x07, "bad parameter"), (.failedToExecute, 0x08, "failed to execute"),
      (.unknownDevice, 0x09, "unknown device"), (.memoryBusy, 0x0A, "memory busy"),
      (.badPassword, 0x0B, "bad password"), (.voltageTooLow, 0x31, "voltage too low"),
      (.illegalPage, 0x32, "illegal page"), (.flashFail, 0x33, "flash failed"),
      (.mainAppCorrupt, 0x34, "main application corrupt"), (.messageTimeout, 0x35, "message timed out"),
    ])
  }

  @Test func codesReportedByRobots() {
    Witness.codes([
      (Core.GetVersioning.Model.s1, 0x00, "Sphero 1.0 (S1)"), (.olliePrototype, 0x01, "Ollie prototype"),
      (.s2, 0x02, "Sphero 2.0 (S2)"), (.s3, 0x03, "Sphero 2.0 (S3)"), (.ollie, 0x0A, "Ollie"),
      (.bb8, 0x1E, "BB-8"),
      (.weBall, 0x28, "WeBall"), (.sprkPlus, 0x32, "SPRK+"),
    ])
    Witness.codes([
      (Core.PowerState.charging, 1, "charging"), (.ok, 2, "ok"), (.low, 3, "low"), (.critical, 4, "critical"),
    ])
    Witness.codes([
      (Core.GetChargerState.State.out, 0, "out"), (.charging, 1, "charging"), (.unclear, 2, "unclear"),
    ])
    Witness.codes([
      (Motion.SelfLevelResult.Result.unclear, 0, "unclear"), (.timedOut, 1, "timed out"),
      (.sensorError, 2, "sensor error"), (.disabled, 3, "disabled"), (.aborted, 4, "aborted"),
      (.noCharger, 5, "no charger"), (.success, 6, "success"),
    ])
    Witness.codes([(Settings.DeviceMode.normal, 0, "normal"), (.userHack, 1, "userHack")])
    Witness.codes([
      (OrbBasic.ErrorCode.syntax, 0x1, "syntax"), (.unknownStatement, 0x2, "unknown statement"),
      (.gosubDepth, 0x3, "gosub too deep"), (.returnWithoutGosub, 0x4, "return without gosub"),
      (.nextWithoutFor, 0x5, "next without for"), (.forDepth, 0x6, "for too deep"),
      (.badStep, 0x7, "bad step"),
      (.divideByZero, 0x8, "divide by zero"), (.badLineNumber, 0x9, "bad line number"),
      (.illegalIndex, 0xA, "illegal index"), (.expressionTooComplex, 0xB, "expression too complex"),
      (.badParameter, 0xC, "bad numeric parameter"), (.aborted, 0xD, "aborted"),
      (.outOfData, 0xE, "out of data"),
    ])
  }

  @Test func choicesOfTheHost() {
    Witness.codes([
      (Motion.SetStabilization.Mode.off, 0, "off"), (.on, 1, "on"), (.onWithoutReset, 2, "onWithoutReset"),
    ])
    Witness.codes([
      (Motion.Roll.State.stop, 0, "stop"), (.drive, 1, "drive"), (.fastRotate, 2, "fastRotate"),
    ])
    Witness.codes([
      (Motion.SetRawMotors.Mode.off, 0, "off"), (.forward, 1, "forward"), (.reverse, 2, "reverse"),
      (.brake, 3, "brake"), (.unchanged, 4, "unchanged"),
    ])
    Witness.codes([
      (Sensing.ConfigureCollisionDetection.Method.off, 0, "off"), (.on, 1, "on"), (.variant2, 2, "variant2"),
      (.variant3, 3, "variant3"),
    ])
    Witness.codes([
      (Sensing.SetAccelerometerRange.Range.g2, 0, "g2"), (.g4, 1, "g4"), (.g8, 2, "g8"), (.g16, 3, "g16"),
    ])
    Witness.codes([(Settings.SetDeviceMode.Mode.normal, 0, "normal"), (.userHack, 1, "userHack")])
    Witness.codes([(Configuration.GetConfigurationBlock.Block.factory, 0, "factory"), (.user, 1, "user")])
    Witness.codes([(Soul.RefillBank.Bank.boost, 0, "boost"), (.shield, 1, "shield")])
    Witness.codes([
      (Soul.LevelUpAttribute.Attribute.speed, 0, "speed"), (.boost, 1, "boost"),
      (.brightness, 2, "brightness"),
      (.shield, 3, "shield"),
    ])
    Witness.codes([
      (Macros.SetMacroParameter.Parameter.systemDelay1, 0, "systemDelay1"),
      (.systemDelay2, 1, "systemDelay2"),
      (.systemSpeed1, 2, "systemSpeed1"), (.systemSpeed2, 3, "systemSpeed2"), (.loopCount, 4, "loopCount"),
    ])
    Witness.codes([(OrbBasic.Area.ram, 0, "ram"), (.flash, 1, "flash")])
    Witness.codes([(false, 0, "false"), (true, 1, "true")])
  }

  @Test func flags() {
    Witness.codes([
      (Settings.PermanentOptions.awakeInCharger, 0x001, "awakeInCharger"),
      (.vectorDrive, 0x002, "vectorDrive"),
      (.noSelfLevelInCharger, 0x004, "noSelfLevelInCharger"), (.tailLightOn, 0x008, "tailLightOn"),
      (.motionTimeouts, 0x010, "motionTimeouts"), (.retailDemo, 0x020, "retailDemo"),
      (.lightDoubleTapWake, 0x040, "lightDoubleTapWake"), (.heavyDoubleTapWake, 0x080, "heavyDoubleTapWake"),
      (.gyroLimitEvents, 0x100, "gyroLimitEvents"),
    ])
    Witness.codes([(Settings.TemporaryOptions.stopOnDisconnect, 1, "stopOnDisconnect")])
    Witness.codes([
      (Motion.SelfLevel.Options.start, 1, "start"), (.keepHeading, 2, "keepHeading"), (.sleep, 4, "sleep"),
      (.controlSystemOn, 8, "controlSystemOn"),
    ])
    Witness.codes([(Sensing.ConfigureLocator.Flags.correctYawTare, 1, "correctYawTare")])
    Witness.codes([(Sensing.Collision.Axes.x, 1, "x"), (.y, 2, "y")])
    Witness.codes([
      (Sensing.GyroLimit.Axes.xPositive, 1, "xPositive"), (.xNegative, 2, "xNegative"),
      (.yPositive, 4, "yPositive"),
      (.yNegative, 8, "yNegative"), (.zPositive, 16, "zPositive"), (.zNegative, 32, "zNegative"),
    ])
    Witness.codes([(Soul.GrantCores.Flags.commit, 1, "commit")])
    Witness.codes([
      (Macro.Flags.stopAtEnd, 0x01, "stopAtEnd"), (.exclusiveDrive, 0x02, "exclusiveDrive"),
      (.stopOnDisconnect, 0x04, "stopOnDisconnect"), (.onlyAlone, 0x08, "onlyAlone"),
      (.markEnd, 0x10, "markEnd"),
      (.stealth, 0x20, "stealth"), (.unkillable, 0x40, "unkillable"), (.extended, 0x80, "extended"),
    ])
    #expect(CommandPacket.Options([]).sop2 == 0xFC)
    #expect(CommandPacket.Options.answer.sop2 == 0xFD)
    #expect(CommandPacket.Options.resetTimeout.sop2 == 0xFE)
    #expect(CommandPacket.Options.standard.sop2 == 0xFF)
  }

  @Test func units() {
    let table: [(Quantity, String, name: String, Double, digits: Int, text: String)] = [
      (.count, "", "", 1, 0, "123"), (.degrees, "°", "deg", 1, 0, "123°"),
      (.seconds, " s", "s", 1, 0, "123 s"),
      (.centiseconds, " s", "s", 0.01, 2, "1.23 s"), (.milliseconds, " s", "s", 0.001, 3, "0.123 s"),
      (.centivolts, " V", "V", 0.01, 2, "1.23 V"), (.centimetres, " cm", "cm", 1, 0, "123 cm"),
      (.centimetresPerSecond, " cm/s", "cm_s", 1, 0, "123 cm/s"),
      (.millimetresPerSecond, " mm/s", "mm_s", 1, 0, "123 mm/s"),
      (.rotationSteps, " °/s", "deg_s", 0.784, 3, "96.432 °/s"),
      (.degreesCelsius, " °C", "degC", 1, 0, "123 °C"),
    ]
    for (quantity, symbol, name, factor, digits, text) in table {
      #expect("\(quantity.unit.symbol)" == symbol)
      #expect(quantity.unit.name == name)
      #expect(quantity.perCount == factor && quantity.digits == digits, "\(text)")
      #expect(FieldValue.integer(123, quantity).description == text)
    }
  }

  /// All decimals of a count; if there are too many, as few as distinguish adjacent counts.
  @Test func digitsOfQuantities() {
    let table: [(Double, Int)] = [
      (1, 0), (2, 0), (400, 0), (0.5, 1), (1.5, 1), (22.5, 1), (2.54, 2), (0.068, 3), (1e-6, 6), (-0.25, 2),
      (1.0 / 4096, 4), (1.0 / 3, 1), (.pi / 180, 2), (.pi, 0), (1e-8, 8), (1e-12, 9),
    ]
    for (perCount, digits) in table {
      #expect(Quantity(.init(" x"), perCount: perCount).digits == digits, "\(perCount)")
    }
    #expect(Quantity(.init(" V"), perCount: 0.01) == .centivolts)
    #expect(Quantity(.init(" W"), perCount: 0.01) != .centivolts)
  }
}
