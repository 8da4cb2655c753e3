// Bounds of fields and defaults of commands, compared with literal numbers typed from the documents.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct WitnessBoundTests {
  /// Whether a message can be encoded.
  private func canEncode<M: Message>(_ type: M.Type, _ set: (inout M) -> Void) -> Bool {
    var message = M()
    set(&message)
    return (try? message.payload()) != nil
  }

  /// A number on each side of each bound.
  @Test func rangesOfNumbers() {
    func holds<M: Message, Value: FixedWidthInteger>(
      _ type: M.Type, _ field: WritableKeyPath<M, Value>, _ range: ClosedRange<Value>, _ line: Int = #line
    ) {
      #expect(canEncode(M.self) { $0[keyPath: field] = range.lowerBound }, "\(M.self) in line \(line)")
      #expect(canEncode(M.self) { $0[keyPath: field] = range.upperBound }, "\(M.self) in line \(line)")
      if range.lowerBound > .min {
        #expect(!canEncode(M.self) { $0[keyPath: field] = range.lowerBound - 1 }, "\(M.self) in line \(line)")
      }
      if range.upperBound < .max {
        #expect(!canEncode(M.self) { $0[keyPath: field] = range.upperBound + 1 }, "\(M.self) in line \(line)")
      }
    }
    holds(Motion.SetHeading.self, \.heading, 0...359)
    holds(Motion.Roll.self, \.heading, 0...359)
    holds(Motion.SelfLevel.self, \.angleLimit, 0...90)
    holds(Sensing.ConfigureLocator.self, \.yawTare, 0...359)
    holds(Core.SetVoltageTripPoints.self, \.low, 675...725)
    holds(Core.SetVoltageTripPoints.self, \.critical, 625...675)
    holds(Core.SetInactivityTimeout.self, \.seconds, 60...65535)
    holds(Soul.BuyConsumable.self, \.consumable, 0...7)
    holds(Soul.UseConsumable.self, \.consumable, 0...7)
    holds(Macro.SetHeading.self, \.heading, 0...359)
    holds(Macro.Roll.self, \.heading, 0...359)
    holds(Macro.RollSystemDelay1.self, \.heading, 0...359)
    holds(Macro.RollSystemSpeed1.self, \.heading, 0...359)
    holds(Macro.RollSystemSpeed2.self, \.heading, 0...359)
    holds(Macro.RollLong.self, \.heading, 0...359)
  }

  /// A macro has an ID, flags and an end; a payload has at most 254 bytes.
  @Test func rangesOfLengths() {
    func holds<M: Message>(
      _ type: M.Type, _ field: WritableKeyPath<M, [UInt8]>, _ range: ClosedRange<Int>, _ line: Int = #line
    ) {
      for (count, isFine) in [
        (range.lowerBound - 1, false), (range.lowerBound, true), (range.upperBound, true),
        (range.upperBound + 1, false),
      ] where count >= 0 {
        let bytes = [UInt8](repeating: 0, count: count)
        #expect(
          canEncode(M.self) { $0[keyPath: field] = bytes } == isFine, "\(M.self) of \(count) in line \(line)")
      }
    }
    holds(Macros.SaveTemporaryMacro.self, \.macro, 3...254)
    holds(Macros.SaveMacro.self, \.macro, 3...254)
    holds(Macros.AppendMacroChunk.self, \.chunk, 1...254)
    for (count, isFine) in [(0, true), (253, true), (254, false)] {
      let text = WireText(bytes: [UInt8](repeating: 65, count: count))
      #expect(canEncode(OrbBasic.AppendFragment.self) { $0.text = text } == isFine, "\(count)")
    }
    for (count, isFine) in [(0, true), (48, true), (49, false)] {
      let text = WireText(bytes: [UInt8](repeating: 65, count: count))
      #expect(canEncode(Core.SetDeviceName.self) { $0.name = text } == isFine, "\(count)")
    }
    for (count, isFine) in [(0, true), (2048, true), (2049, false)] {
      let text = WireText(bytes: [UInt8](repeating: 65, count: count))
      #expect(canEncode(Macro.Comment.self) { $0.text = text } == isFine, "\(count)")
    }
  }

  /// Default values according to the documents.
  @Test func defaultValues() {
    #expect(Motion.SetRotationRate().rate == 200)
    #expect(Motion.SetVectorDriveLimit().speed == 50)
    #expect(Motion.SetMotionTimeout().time == 2000)
    #expect(Motion.SelfLevel().options.rawValue == 0x0B)
    #expect(Sensing.SetAccelerometerRange().range == .g8)
    #expect(Core.SetVoltageTripPoints().low == 700 && Core.SetVoltageTripPoints().critical == 650)
    #expect(
      Core.GetVoltageTripPoints.Response().low == 700 && Core.GetVoltageTripPoints.Response().critical == 650)
    #expect(Core.SetInactivityTimeout().seconds == 600)
    #expect(Macros.RunMacro().macro == 255)
    #expect(Macro.temporaryID == 255 && Macro.streamID == 254)
  }

  /// The decimals of each sensor field.
  @Test func decimalsOfSensors() {
    let table: [(fields: [SensorField], decimals: Int)] = [
      ([.accelRawX, .accelRawY, .accelRawZ], 3), ([.gyroRawX, .gyroRawY, .gyroRawZ], 3),
      ([.emfRawRight, .emfRawLeft, .pwmLeft, .pwmRight, .emfRight, .emfLeft], 0), ([.pitch, .roll, .yaw], 0),
      ([.accelX, .accelY, .accelZ], 4), ([.gyroX, .gyroY, .gyroZ], 1), ([.q0, .q1, .q2, .q3], 4),
      ([.odometerX, .odometerY, .velocityX, .velocityY, .speed], 0), ([.accelOne], 2),
    ]
    #expect(table.reduce(0) { $0 + $1.fields.count } == SensorField.allCases.count)
    for row in table {
      for field in row.fields { #expect(field.scale.digits == row.decimals, "\(field)") }
    }
  }

  @Test func onlyOptionSetsAreFlags() {
    #expect(Settings.PermanentOptions.isFlags && Macro.Flags.isFlags && Sensing.GyroLimit.Axes.isFlags)
    #expect(!Status.isFlags && !Motion.Roll.State.isFlags && !Bool.isFlags)
  }
}
