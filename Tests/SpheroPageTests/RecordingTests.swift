// Tests the recordings of the page: what it writes, and what it reads.

import SpheroPage
import SpheroProtocol
import TestSupport
import Testing

@Suite struct PageRecordingTests {
  @Test func aRecordingIsReadBack() throws {
    var rig = try PageRig.connected()
    try rig.execute("sensors accel,yaw 20")
    rig.run(for: .seconds(1))
    try rig.execute("record start")
    rig.run(for: .seconds(2))
    try rig.execute("color red")
    rig.run(for: .milliseconds(100))
    try rig.execute("record stop")
    let (capture, rows) = (try rig.execute("capture"), try rig.execute("rows"))
    // The clock starts 1763800000 s after 1970, the recording 2 s later.
    #expect(capture.hasPrefix("#: capture start=2025-11-22T08:26:42.000000Z program=\"sphero page\" mask="))
    #expect(rows.hasPrefix("time_s,yaw_deg,accel_x_g,accel_y_g,accel_z_g\n"))
    try rig.execute("open run.capture")
    try rig.page.read(Array(capture.utf8))
    try rig.execute("end")
    let packets = try rig.execute("packets 0 1000").split(separator: "\n")
    #expect(try rig.execute("packets") == "\(packets.count)")
    #expect(packets.count { $0.contains("\"kind\":\"command\"") && $0.contains("Lights.SetRGBLED") } == 1)
    let count = rows.split(separator: "\n").count
    // The last packet may be recorded before its sample.
    let table = try rig.execute("table").split(separator: "\n").count
    #expect((40...43).contains(count) && abs(table - count) <= 1)
    #expect(try rig.execute("picture").hasPrefix("<svg"))
    #expect(try rig.execute("table").isEmpty)
  }

  /// A browser may suspend the page for a minute, and the rows of that time are more than a megabyte.
  @Test func rowsWaitForThePage() throws {
    var rig = try PageRig.connected()
    try rig.execute("sensors accel,gyro,imu,quat,velocity,odometer,accel-one,emf,pwm 200")
    rig.run(for: .seconds(1))
    try rig.execute("record start")
    rig.run(for: .seconds(60))
    try rig.execute("record stop")
    var (rows, count) = (try rig.execute("rows"), 0)
    while !rows.isEmpty {
      count += rows.split(separator: "\n").count
      rows = try rig.execute("rows")
    }
    #expect(count > 11_900, "\(count)")
  }

  /// The clock of the page may have stood still since the connection.
  @Test func theStartOfARecordingIsTheTimeThatTheScriptStates() throws {
    var rig = try PageRig.connected()
    try rig.execute("record start 1763800100000")
    #expect(try rig.execute("capture").hasPrefix("#: capture start=2025-11-22T08:28:20.000000Z "))
    for words in ["record start now", "record start 1 2", "record stop 1"] {
      #expect(throws: PageError.self, "\(words)") { try rig.execute(words) }
    }
  }

  @Test func anIncompletePacketIsReported() throws {
    var page = Page()
    _ = try page.execute("open cut.capture", at: .zero)
    try page.read(Array("0.5 < FF FF 00 01 01 FD\n0.6 < FF FF 00\n".utf8))
    let before = try String(decoding: page.execute("packets 0 10", at: .zero), as: UTF8.self)
    #expect(before.contains("\"kind\":\"response\"") && !before.contains("discarded"))
    _ = try page.execute("end", at: .zero)
    let remaining = try String(decoding: page.execute("packets 1 10", at: .zero), as: UTF8.self)
    #expect(remaining.contains("\"kind\":\"discarded\"") && remaining.contains("\"bytes\":\"ffff00\""))
  }

  @Test(arguments: ["FF FF 00 01 01 FD\n", "FFFF000101FD", "a note\nFF FF 00 01 01 FD\n"])
  func aPacketMakesTextARecording(_ text: String) throws {
    var page = Page()
    _ = try page.execute("open one.txt", at: .zero)
    try page.read(Array(text.utf8))
    _ = try page.execute("end", at: .zero)
    let last = try String(decoding: page.execute("packets 0 10", at: .zero), as: UTF8.self)
      .split(separator: "\n").last
    #expect(last?.contains(#""kind":"response""#) == true)
  }

  /// The lines of a block are made from the beginning of the block, and a request may span blocks.
  @Test func anyPacketsOfARecordingAreListed() throws {
    var page = Page()
    _ = try page.execute("open pings.capture", at: .zero)
    // A robot that answers a ping every 10 ms; a mark of another recording is between them.
    var text = ""
    for number in 0..<1_000 {
      let (sequence, time) = (UInt8(number % 250), "\(number / 100).\(number / 10 % 10)\(number % 10)")
      let sums = (~(0x00 &+ 0x01 &+ sequence &+ 0x01) as UInt8, ~(0x00 &+ sequence &+ 0x01) as UInt8)
      let host = Hexadecimal.text([0xFF, 0xFF, 0x00, 0x01, sequence, 0x01, sums.0])
      let robot = Hexadecimal.text([0xFF, 0xFF, 0x00, sequence, 0x01, sums.1])
      text += "\(time) > \(host)\n\(time) < \(robot)\n"
      if number == 600 { text += "#: 6.000000 gap reason=\"a tunnel\"\n" }
    }
    try page.read(Array(text.utf8))
    _ = try page.execute("end", at: .zero)
    func lines(_ first: Int, _ count: Int) throws -> [Substring] {
      try String(decoding: page.execute("packets \(first) \(count)", at: .zero), as: UTF8.self)
        .split(separator: "\n")
    }
    #expect(try String(decoding: page.execute("packets", at: .zero), as: UTF8.self) == "2001")
    let all = try lines(0, 1_000) + lines(1_000, 1_000) + lines(2_000, 1_000)
    #expect(all.count == 2_001)
    // A response has the name of its command.
    #expect(all.count { $0.contains(#""name":"Core.Ping""#) } == 2_000)
    #expect(all[1_202].contains(#""kind":"remark""#) && all[1_202].contains("a tunnel"))
    for (first, count) in [(0, 1), (255, 3), (511, 2), (1_200, 5), (1_999, 2), (2_000, 1_000)] {
      let end = min(first + count, all.count)
      #expect(try lines(first, count) == Array(all[first..<end]), "\(first), \(count)")
    }
    #expect(try lines(2_001, 10).isEmpty)
    for command in ["packets 0", "packets 0 0", "packets 0 1001", "packets -1 1", "packets 0 1 2"] {
      #expect(throws: PageError.self) { try page.execute(command, at: .zero) }
    }
  }

  @Test func aTableKeepsItsColumns() throws {
    var rig = try PageRig.connected()
    try rig.execute("sensors yaw 20")
    try rig.execute("record start")
    rig.run(for: .seconds(1))
    try rig.execute("sensors gyro 20")
    rig.run(for: .seconds(1))
    let lines = try rig.execute("rows").split(separator: "\n")
    #expect(lines.first == "time_s,yaw_deg")
    #expect((38...41).contains(lines.count) && lines.allSatisfy { $0.count { $0 == "," } == 1 })
  }

  @Test func aCaptureMarksReconnection() throws {
    var rig = try PageRig.connected()
    try rig.execute("record start")
    rig.run(for: .milliseconds(500))
    try rig.execute("lost")
    rig.run(for: .milliseconds(250))
    try rig.execute("back")
    let capture = try rig.execute("capture")
    #expect(capture.contains("#: 0.750000 reconnection\n"))
  }

  @Test func aTableHasAPicture() throws {
    var page = Page()
    _ = try page.execute("open run.csv", at: .zero)
    try page.read(Array("time_s,yaw_deg\n0,10\n0.05,20\n".utf8))
    _ = try page.execute("end", at: .zero)
    #expect(try page.execute("packets 0 10", at: .zero).isEmpty)
    #expect(try String(decoding: page.execute("picture", at: .zero), as: UTF8.self).contains("yaw"))
  }

  /// The picture of a large table exceeds the buffer of the module; the table opens without it.
  @Test func aLargeTableHasNoPicture() throws {
    var (page, random) = (Page(), SeededGenerator(seed: 1))
    _ = try page.execute("open run.csv", at: .zero)
    try page.read(Array(("time_s" + (0..<100).map { ",c\($0)" }.joined() + "\n").utf8))
    for row in 0..<4_096 {
      let values = (0..<100).map { _ in ",\(Double.random(in: -1...1, using: &random))" }.joined()
      try page.read(Array("\(Double(row) / 100)\(values)\n".utf8))
    }
    _ = try page.execute("end", at: .zero)
    #expect(try page.execute("picture", at: .zero).isEmpty)
    #expect(try !page.execute("view", at: .zero).isEmpty)
  }

  @Test func aTableEndsBeforeAMalformedLine() throws {
    var page = Page()
    _ = try page.execute("open run.csv", at: .zero)
    for piece in ["time_s,yaw_deg\n0,10\n0.05,20\n", "0.1,north\n1,2,3\n0.15,5000\n", "0.2,6000\n"] {
      try page.read(Array(piece.utf8))
    }
    _ = try page.execute("end", at: .zero)
    let messages = try String(decoding: page.execute("packets 0 10", at: .zero), as: UTF8.self).split(
      separator: "\n")
    #expect(messages.count == 1)
    #expect(
      messages.first?.contains(
        #"line 4: \"north\" in column 'yaw_deg' is not a number; the picture ends before it"#) == true,
      "\(messages)")
    let picture = try String(decoding: page.execute("picture", at: .zero), as: UTF8.self)
    #expect(picture.contains("yaw") && !picture.contains("5000") && !picture.contains("6000"))
  }
}
