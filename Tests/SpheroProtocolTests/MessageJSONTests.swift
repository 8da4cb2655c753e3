// The JSON form of messages of every kind: bytes and lines written by hand from the documents.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct MessageJSONTests {
  /// The members of each message of a conversation, without time, offset and bytes.
  private func members(_ packets: Packet..., by dissector: Dissector = Dissector()) throws -> [String] {
    var dissector = dissector
    return try packets.flatMap { dissector.append(try $0.encoded(), from: $0.sender) }
      .map { JSON.line($0.message) }
  }

  private func command(
    _ device: UInt8, _ command: UInt8, _ payload: String = "", options: CommandPacket.Options = .standard
  ) -> Packet {
    .command(
      CommandPacket(
        id: CommandID(device, command), options: options, sequence: 9, payload: bytes(payload)))
  }

  private func response(_ payload: String, status: UInt8 = 0) -> Packet {
    .response(ResponsePacket(status: Status(rawValue: status), sequence: 9, payload: bytes(payload)))
  }

  private func event(_ id: UInt8, _ payload: String) -> Packet {
    .event(EventPacket(id: EventID(id), payload: bytes(payload)))
  }

  /// The standard options of a command.
  private static let options = #""options":["answer","resetTimeout"],"options_code":255,"sequence":9,"#

  @Test func codesVoltagesAndSeconds() throws {
    let lines = try members(command(0x00, 0x20), response("01 03 02BE 004F 012C"))
    #expect(
      lines == [
        #"{"name":"Core.GetPowerState","device":0,"command":32,"# + Self.options
          + #""fields":{},"payload":""}"#,
        #"{"name":"Core.GetPowerState","device":0,"command":32,"sequence":9,"status":"ok","status_code":0,"#
          + #""fields":{"record_version":1,"state":"low","state_code":3,"voltage":7.02,"charges":79,"#
          + #""seconds_since_charge":300},"payload":"010302be004f012c"}"#,
      ])
  }

  @Test func unknownCodesAreNumbers() throws {
    #expect(
      try members(event(0x01, "2A"))
        == [
          #"{"name":"Core.PowerNotification","event":1,"fields":{"state":null,"state_code":42},"payload":"2a"}"#
        ])
  }

  @Test func durationsAreInSeconds() throws {
    #expect(
      try members(command(0x02, 0x34, "07D1"), command(0x02, 0x12, "01 64 32 65 33 0A")) == [
        #"{"name":"Motion.SetMotionTimeout","device":2,"command":52,"# + Self.options
          + #""fields":{"time":2.001},"payload":"07d1"}"#,
        #"{"name":"Sensing.ConfigureCollisionDetection","device":2,"command":18,"# + Self.options
          + #""fields":{"method":"on","method_code":1,"x_threshold":100,"x_speed":50,"y_threshold":101,"#
          + #""y_speed":51,"dead_time":0.10},"payload":"01643265330a"}"#,
      ])
    #expect(
      try members(event(0x07, "006A FC3E 0000 02 0016 0022 40 000193C8")) == [
        #"{"name":"Sensing.Collision","event":7,"fields":{"x":106,"y":-962,"z":0,"axis":["y"],"axis_code":2,"#
          + #""x_magnitude":22,"y_magnitude":34,"speed":64,"timestamp":103.368},"#
          + #""payload":"006afc3e0000020016002240000193c8"}"#
      ])
  }

  @Test func scaledNumbers() throws {
    #expect(
      try members(command(0x02, 0x03, "C8", options: [])) == [
        #"{"name":"Motion.SetRotationRate","device":2,"command":3,"options":[],"options_code":252,"#
          + #""sequence":9,"fields":{"rate":156.800},"payload":"c8"}"#
      ])
  }

  @Test func flagsAreNamesAndTheirNumber() throws {
    #expect(
      try members(command(0x02, 0x36), response("00000212"), command(0x02, 0x38), response("00000000"))
        .enumerated().filter { $0.offset % 2 == 1 }.map(\.element) == [
          #"{"name":"Settings.GetPermanentOptions","device":2,"command":54,"sequence":9,"#
            + #""status":"ok","status_code":0,"#
            + #""fields":{"flags":["vectorDrive","motionTimeouts","0x200"],"flags_code":530},"#
            + #""payload":"00000212"}"#,
          #"{"name":"Settings.GetTemporaryOptions","device":2,"command":56,"sequence":9,"#
            + #""status":"ok","status_code":0,"fields":{"flags":[],"flags_code":0},"payload":"00000000"}"#,
        ])
  }

  @Test func booleansAndInvalidBooleans() throws {
    #expect(
      try members(command(0x00, 0x21, "01"), command(0x00, 0x21, "02")) == [
        #"{"name":"Core.SetPowerNotification","device":0,"command":33,"# + Self.options
          + #""fields":{"is_on":true},"payload":"01"}"#,
        #"{"name":"Core.SetPowerNotification","device":0,"command":33,"# + Self.options
          + #""fields":{"is_on":null,"is_on_code":2},"payload":"02","#
          + #""remarks":["'isOn' at byte 0 is 2, which has no meaning"]}"#,
      ])
  }

  @Test func refusalsAndUnknownMessages() throws {
    let lines = try members(
      command(0x02, 0x30, "40005A01"), response("", status: 0x07), command(0x02, 0x7E, "0A"),
      response("", status: 0x7F), response("0B"), event(0x7D, "0C"))
    let expected: [String] = [
      #"{"name":"Motion.Roll","device":2,"command":48,"sequence":9,"status":"bad parameter","status_code":7,"#
        + #""fields":{},"payload":""}"#,
      #"{"name":null,"device":2,"command":126,"# + Self.options
        + #""fields":{"payload":"0a"},"payload":"0a"}"#,
      #"{"name":null,"device":2,"command":126,"sequence":9,"status":null,"status_code":127,"#
        + #""fields":{},"payload":""}"#,
      #"{"name":null,"device":null,"command":null,"sequence":9,"status":"ok","status_code":0,"#
        + #""fields":{"payload":"0b"},"payload":"0b"}"#,
      #"{"name":null,"event":125,"fields":{"payload":"0c"},"payload":"0c"}"#,
    ]
    #expect(lines.dropFirst() == expected[...])
  }

  @Test func diagnostics() throws {
    let counters = (1...16).map { "00" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let payload =
      "0001 00 0000000A 00000001 00000002 00000003 00000004 00000005 0000000B 00000006 07"
      + counters + "0000 0008 0E10 00015180 00000009 0000 FFFFFFFF"
    let fields =
      #"{"record_version":1,"reserved1":0,"rx_good":10,"rx_bad_did":1,"rx_bad_dlen":2,"rx_bad_cid":3,"#
      + #""rx_bad_chk":4,"rx_overrun":5,"tx_messages":11,"tx_overrun":6,"last_boot":7,"#
      + #""boot_counters":"000100020003000400050006000700080009000a000b000c000d000e000f0010","reserved2":0,"#
      + #""charges":8,"seconds_since_charge":3600,"seconds_on":86400,"distance_rolled":9,"#
      + #""sensor_failures":0,"gyro_adjusts":4294967295}"#
    let lines = try members(command(0x00, 0x41), response(payload))
    #expect(lines.last?.contains(#""name":"Diagnostics.RunLevel2Diagnostics""#) == true)
    #expect(lines.last?.contains(#""fields":"# + fields + ",") == true, "\(lines)")
  }

  @Test func textOfAnyBytes() throws {
    #expect(
      try members(event(0x08, "22 5C 08 0A 1F 7F E2 80 A8 FF 41")) == [
        #"{"name":"OrbBasic.PrintMessage","event":8,"fields":{"text":"\"\\\u0008\n\u001f\u007f\u2028"#
          + "\u{FFFD}A" + #""},"payload":"225c080a1f7fe280a8ff41"}"#
      ])
  }

  @Test func stepsOfAMacro() throws {
    #expect(
      try members(command(0x02, 0x51, "FF 14 05 40 005A 0A 0B 01F4 00")) == [
        #"{"name":"Macros.SaveTemporaryMacro","device":2,"command":81,"# + Self.options
          + #""fields":{"macro":"ff140540005a0a0b01f400"},"payload":"ff140540005a0a0b01f400","#
          + #""parts":{"macro":[{"name":"id","offset":0,"count":1,"value":255},"#
          + #"{"name":"flags","offset":1,"count":1,"value":["stopOnDisconnect","markEnd"],"value_code":20},"#
          + #"{"name":"1 roll","offset":2,"count":5,"value":"0540005a0a","#
          + #""fields":{"speed":64,"heading":90,"delay":0.010}},"#
          + #"{"name":"2 wait","offset":7,"count":3,"value":"0b01f4","fields":{"time":0.500}},"#
          + #"{"name":"3 end","offset":10,"count":1,"value":"00"}]}}"#
      ])
  }

  @Test func samplesOfAStream() throws {
    #expect(
      try members(
        event(0x03, "0006 0001 0064"),
        by: Dissector(mask: SensorMask(.gyroRawX, .q0, .accelOne))
      ) == [
        #"{"name":"Sensing.SensorData","event":3,"fields":{"frames":"000600010064"},"#
          + #""payload":"000600010064","samples":[{"gyro_raw_x":0.408,"q0":0.0001,"accel_one":1.00}]}"#
      ])
  }

  @Test func messagesOfAUser() throws {
    let lines = try members(
      command(0x02, 0x7E, "0003"), response("07"), event(0x7D, "09"),
      by: Dissector(messages: OwnMessages.self))
    #expect(
      lines == [
        #"{"name":"Drone.SetAltitude","device":2,"command":126,"# + Self.options
          + #""fields":{"altitude":1.5},"payload":"0003"}"#,
        #"{"name":"Drone.SetAltitude","device":2,"command":126,"sequence":9,"status":"ok","status_code":0,"#
          + #""fields":{"reached":7},"payload":"07"}"#,
        #"{"name":"Drone.Landed","event":125,"fields":{"hardness":9},"payload":"09"}"#,
      ])
    // The same messages outside a recording.
    let answer = ResponsePacket(status: .ok, sequence: 9, payload: [7])
    let landed = EventPacket(id: EventID(0x7D), payload: [9])
    let own = OwnMessages.self
    #expect(
      JSON.line(Dissection(answer, to: CommandID(0x02, 0x7E), messages: own).message) == lines[1])
    #expect(JSON.line(Dissection(landed, messages: own).message) == lines[2])
    // A message with its own name has that name in errors.
    #expect(OwnMessages.SetAltitude.name == "Drone.SetAltitude" && OwnMessages.Landed.name == "event 7D")
  }

  @Test func fieldsAreAssignedByNameAndByKey() throws {
    let words = ["deadTime": "10", "x_threshold": "7"]
    let command = try Sensing.ConfigureCollisionDetection(assigning: words)
    #expect(command.deadTime == 10 && command.xThreshold == 7)
    #expect(throws: WireError.self) {
      _ = try Sensing.ConfigureCollisionDetection(assigning: ["xThreshold": "1", "x_threshold": "7"])
    }
  }
}
