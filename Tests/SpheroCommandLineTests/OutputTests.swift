// The output of verbs, compared with lines written by hand; the answers of robots are literal bytes.

import SpheroHost
import SpheroMotion
import SpheroProtocol
import TestSupport
import Testing

@testable import sphero

@Suite struct OutputTests {
  /// The answers of a Sphero S3, with the layout of the document.
  private func answers() throws -> Info.Answers {
    var answers = Info.Answers()
    // Record 2: model 3, hardware 1, 3.73, bootloader 3.3, orbBasic 1.7, macros 0.4, API 1.50.
    answers.version = try .init(payload: [0x02, 0x03, 0x01, 0x03, 0x49, 0x33, 0x17, 0x04, 0x01, 0x32])
    answers.bluetooth = try .init(
      payload: Array("Zoe\"s ball".utf8) + Array(repeating: 0, count: 6) + Array("6886E7001234".utf8) + [0]
        + Array("RGB".utf8))
    answers.power = try .init(payload: [0x01, 0x05, 0x02, 0xBE, 0x00, 0x4F, 0x01, 0x2C])
    answers.permanent = try .init(payload: [0x00, 0x00, 0x02, 0x12])
    return answers
  }

  @Test func info() throws {
    let expected =
      #"{"kind":"info","robot":"Zoe\"s ball","address":"6886E7001234","colors":"RGB","#
      + #""model":"Sphero 2.0 (S3)","model_code":3,"hardware":1,"firmware":"3.73","bootloader":"3.3","#
      + #""api":"1.50","power":null,"power_code":5,"voltage":7.02,"charges":79,"#
      + #""permanent_options":["vectorDrive","motionTimeouts","0x200"],"permanent_options_code":530,"#
      + #""temporary_options":null,"temporary_options_code":null}"#
    #expect(Sheet.text(try answers().fields, kind: Info.name, .json) == expected)
    let csv = Sheet.text(try answers().fields, kind: Info.name, .csv).split(separator: "\n")
    #expect(
      csv == [
        "robot,address,colors,model,model_code,hardware,firmware,bootloader,api,power,power_code,voltage_V,charges,"
          + "permanent_options,permanent_options_code,temporary_options,temporary_options_code",
        "\"Zoe\"\"s ball\",6886E7001234,RGB,Sphero 2.0 (S3),3,1,3.73,3.3,1.50,,5,7.02,79,"
          + "vectorDrive+motionTimeouts+0x200,530,,",
      ])
  }

  @Test func statistics() {
    let line = Sheet.text(HostStatistics().fields, kind: "statistics", .json)
    #expect(
      line == #"{"kind":"statistics","packets":0,"bytes_received":0,"bytes_sent":0,"commands":0,"#
        + #""repetitions":0,"checksum_failures":0,"discarded_bytes":0,"lost_frames":0,"stalls":0,"#
        + #""renewals":0,"reconnections":0,"dropped_samples":0,"stray_answers":0,"#
        + #""round_trip_min":null,"round_trip_median":null,"round_trip_p99":null}"#)
    #expect(HostStatistics().json() == line)
  }

  private func lines(_ words: [String], _ format: Format, _ samples: [[Int16]]) throws -> [String] {
    let verb = try Synopsis.bind(Stream.self, words)
    var columns = verb.columns()
    var records = RecordPrinter(format, kind: "sample", columns: columns.columns)
    return samples.enumerated().map { number, words in
      let sample = Sample(mask: verb.request.mask, words: words)
      let time = Duration.microseconds(number * 2_500)
      return records.text(columns.values(TimedSample(time: time, arrival: time, sample: sample)))
    }
  }

  @Test func samples() throws {
    let words = ["--mask", "accel-x,gyro-raw-z,yaw,q0", "--divisor", "1"]
    // In the order of the wire: gyro_raw_z, yaw, accel_x, q0.
    let samples: [[Int16]] = [[15, -90, 4096, 10_000], [-1, 180, -1, 6]]
    #expect(
      try lines(words, .json, samples) == [
        #"{"kind":"sample","time":0.0000,"gyro_raw_z":1.020,"yaw":-90,"accel_x":1.0000,"q0":1.0000}"#,
        #"{"kind":"sample","time":0.0025,"gyro_raw_z":-0.068,"yaw":180,"accel_x":-0.0002,"q0":0.0006}"#,
      ])
    #expect(
      try lines(words, .csv, samples) == [
        "time_s,gyro_raw_z_deg_s,yaw_deg,accel_x_g,q0\n0.0000,1.020,-90,1.0000,1.0000",
        "0.0025,-0.068,180,-0.0002,0.0006",
      ])
    #expect(
      try lines(words + ["--raw"], .json, samples).last
        == #"{"kind":"sample","time":0.0025,"gyro_raw_z":-1,"yaw":180,"accel_x":-1,"q0":6}"#)
  }

  @Test func pings() throws {
    let verb = try Synopsis.bind(Ping.self, ["--clock"])
    var records = RecordPrinter(.json, kind: Ping.name, columns: verb.columns)
    #expect(
      records.text([.count(1), .seconds(.microseconds(20_592)), .seconds(.microseconds(-2_549), digits: 4)])
        == #"{"kind":"ping","ping":1,"round_trip":0.020592,"clock_offset":-0.0025}"#)
    #expect(
      records.text([.count(2), .seconds(nil), .seconds(nil)])
        == #"{"kind":"ping","ping":2,"round_trip":null,"clock_offset":null}"#)
  }

  @Test func devices() {
    var records = RecordPrinter(.json, kind: "device", columns: Devices.columns)
    #expect(
      records.text([.text("/dev/rfcomm0"), .flag(false), .missing, .text("file")])
        == #"{"kind":"device","port":"/dev/rfcomm0","accessible":false,"name":null,"source":"file"}"#)
  }

  /// An answer is printed as by `sphero decode`.
  @Test func answersToRawCommands() async throws {
    let json = try await sphero("raw", "Sensing.ReadLocator", "--port", "sim:seed=1", "--format", "json")
    #expect(
      json.output.replacing(/"sequence":\d+/, with: #""sequence":9"#)
        == #"{"kind":"response","name":"Sensing.ReadLocator","device":2,"command":21,"sequence":9,"#
        + #""status":"ok","status_code":0,"#
        + #""fields":{"x":0,"y":0,"x_velocity":0,"y_velocity":0,"speed":0},"payload":"00000000000000000000"}"#
        + "\n")
    let empty = try await sphero("raw", "Core.Ping", "--port", "sim:")
    #expect(empty.code == 0 && empty.output.isEmpty)
    let csv = try await sphero("raw", "Sensing.ReadLocator", "--port", "sim:", "--format", "csv")
    #expect(csv.output == "x_cm,y_cm,x_velocity_cm_s,y_velocity_cm_s,speed_cm_s\n0,0,0,0,0\n")
  }

  @Test func rowsOfADissection() throws {
    var verb = Decode()
    verb.format = .csv
    var printer = DissectionPrinter(verb)
    var dissector = Dissector()
    let items = dissector.append(
      [0xFF, 0xFF, 0x02, 0x30, 0x07, 0x05, 0x80, 0x00, 0x5A, 0x01, 0xE6], from: .host, at: .milliseconds(250))
    #expect(
      items.map { item in
        var line: [UInt8] = []
        printer.append(item, to: &line)
        return String(decoding: line, as: UTF8.self)
      } == [
        "time_s,from,kind,name,sequence,meaning,offset,bytes\n"
          + "0.250000,host,command,Motion.Roll,7,Motion.Roll seq 7 speed=128 heading=90° state=drive,0,"
          + "ffff0230070580005a01e6"
      ])
  }
}
