// The stored forms of Docs/Storing.md and their errors, durations, and descriptions.

import Foundation
import SpheroProtocol
import TestSupport
import Testing

@Suite struct CodableTests {
  @Test func fieldsAndMasks() throws {
    #expect(try isStored([SensorField.accelRawX, .q0, .speed], as: #"["accel_raw_x","q0","speed"]"#))
    #expect(refusal(of: #"["accel_w"]"#, as: [SensorField].self) == "'accel_w' names no sensor field")
    let masks: [(SensorMask, String)] = [
      (.accel, "accel"), ([.gyro, .accel, SensorMask(.q0)], "accel,gyro,q0"), (.locator, "locator"),
      (.all, "all"), (SensorMask(.speed, .accelX), "accel-x,speed"), ([], "none"),
    ]
    for (mask, text) in masks {
      #expect(try isStored([mask], as: #"[""# + text + #""]"#))
      #expect(mask.description == text)
    }
    #expect(
      try JSONDecoder().decode([SensorMask].self, from: Data(#"["0x00070000"]"#.utf8)) == [.imu],
      "every text that --mask accepts is decoded")
    #expect(refusal(of: #"["accel,warp"]"#, as: [SensorMask].self) == "'warp' names no sensor field")
    #expect(
      refusal(of: #"["0x00000001"]"#, as: [SensorMask].self)
        == "the bits 0x00000001:0x00000000 of the masks are reserved")
    let reserved = SensorMask(mask: 1, mask2: 0)
    #expect(reserved.union(.imu).description == "imu,0x00000001:0x00000000")
    #expect(throws: EncodingError.self) { try json([reserved]) }
  }

  @Test func samples() throws {
    let sample = Sample(mask: [.accel, .imu], words: [-90, 5, 180, 4096, -2048, 1])
    #expect(try isStored(sample, as: #"{"mask":"accel,imu","words":[-90,5,180,4096,-2048,1]}"#))
    #expect(
      refusal(of: #"{"mask":"accel","words":[1,2]}"#, as: Sample.self)
        == "a sample of 'accel' has 3 words, not 2")
    // The error of Foundation for a number that does not fit 16 bits.
    #expect(refusal(of: #"{"mask":"accel","words":[1,2,40000]}"#, as: Sample.self) != nil)
  }
}

@Suite struct DurationTests {
  @Test func durationsAreRoundedAndLimited() {
    let timeouts: [(Duration, ClosedRange<UInt16>)] = [
      (.seconds(600), 600...600), (.milliseconds(90_400), 90...90), (.milliseconds(90_500), 90...91),
      (.milliseconds(90_600), 91...91), (.seconds(100_000), 65_535...65_535), (.seconds(-5), 0...0),
    ]
    for (duration, seconds) in timeouts {
      #expect(seconds.contains(Core.SetInactivityTimeout(inactivityTimeout: duration).seconds), "\(duration)")
    }
    #expect(Core.Sleep(wakingAfter: .seconds(7)).wakeup == 7)
    #expect(Core.Sleep(wakingAfter: .milliseconds(400)).wakeup == 1, "zero lasts until the robot is shaken")
    #expect(Core.Sleep(wakingAfter: .zero).wakeup == 0 && Core.Sleep(wakingAfter: .seconds(-3)).wakeup == 0)
    #expect(Core.Sleep(wakingAfter: .seconds(100_000)).wakeup == 65_534, "65,535 is the deep sleep")
    var request = Sensing.SetDataStreaming()
    request.divisor = 7
    #expect(request.framePeriod == .microseconds(17_500))
  }
}

@Suite struct DescriptionTests {
  @Test func codesFlagsAndMessagesReadWell() {
    let pairs: [(any CustomStringConvertible, String)] = [
      (Status.ok, "ok"), (Status(rawValue: 4), "unknown command"), (Status(rawValue: 0x2A), "status 2Ah"),
      (Core.GetChargerState.State.charging, "charging"),
      (Core.GetChargerState.State(rawValue: 0x2A), "unknown 2Ah"),
      (Motion.Roll.State.fastRotate, "fastRotate"), (Sensing.Collision.Axes([.x, .y]), "x+y"),
      (Sensing.Collision.Axes([]), "none"), (Sensing.Collision.Axes(rawValue: 0x11), "x+0x10"),
      (CommandPacket.Options.standard, "answer+resetTimeout"), (CommandPacket.Options([]), "none"),
      (CommandID(0x02, 0x30), "02:30"), (EventID(0x07), "07"),
      (Motion.Roll(speed: 128, heading: 90), "Motion.Roll speed=128 heading=90° state=drive"),
      (Core.Ping(), "Core.Ping"), (Acknowledgement(), "executed"),
      (Lights.GetRGBLED.Response(), "red=0 green=0 blue=0"),
      (Core.SetInactivityTimeout(seconds: 60), "Core.SetInactivityTimeout seconds=60 s"),
      (Macro.Roll(speed: 1, heading: 2, delay: 3), "roll speed=1 heading=2° delay=0.003 s"),
      (MacroCommand(Macro.Wait(time: 300)), "wait 01 2C"), (MacroCommand(opcode: 0x7E), "unknown 7Eh"),
      (
        CommandPacket(id: Motion.Roll.id, sequence: 7, payload: [0x80, 0, 0x5A, 1]),
        "Motion.Roll seq 7: 80 00 5A 01"
      ),
      (CommandPacket(id: CommandID(0x7F, 0x01), sequence: 0), "command 7F:01 seq 0"),
      (Packet.response(ResponsePacket(status: .ok, sequence: 9, payload: [1])), "ok seq 9: 01"),
      (Packet.response(ResponsePacket(status: .badParameter, sequence: 9)), "bad parameter seq 9"),
      (Packet.event(EventPacket(id: EventID(0x7E), payload: [1, 2])), "event 7E: 01 02"),
      (SensorField.accelRawX, "accelRawX"),
      (
        Sample(mask: [.imu, SensorMask(.accelX, .gyroX)], words: [-90, 5, 180, 4096, 10]),
        "pitch=-90° roll=5° yaw=180° accel_x=1.0000 g gyro_x=1.0 °/s"
      ),
    ]
    for (value, text) in pairs { #expect("\(value)" == text) }
  }
}
