// Tests the recordings of the page: what it writes, and what it reads.

import SpheroPage
import SpheroProtocol
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
    let packets = try rig.execute("packets").split(separator: "\n")
    #expect(packets.count { $0.contains("\"kind\":\"command\"") && $0.contains("Lights.SetRGBLED") } == 1)
    let count = rows.split(separator: "\n").count
    // The last packet may be recorded before its sample.
    let table = try rig.execute("table").split(separator: "\n").count
    #expect((40...43).contains(count) && abs(table - count) <= 1)
    #expect(try rig.execute("picture").hasPrefix("<svg"))
    #expect(try rig.execute("packets").isEmpty && rig.execute("table").isEmpty)
  }

  @Test func anIncompletePacketIsReported() throws {
    var page = Page()
    _ = try page.execute("open cut.capture", at: .zero)
    try page.read(Array("0.5 < FF FF 00 01 01 FD\n0.6 < FF FF 00\n".utf8))
    let before = try String(decoding: page.execute("packets", at: .zero), as: UTF8.self)
    #expect(before.contains("\"kind\":\"response\"") && !before.contains("discarded"))
    _ = try page.execute("end", at: .zero)
    let remaining = try String(decoding: page.execute("packets", at: .zero), as: UTF8.self)
    #expect(remaining.contains("\"kind\":\"discarded\"") && remaining.contains("\"bytes\":\"ffff00\""))
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
    #expect(try page.execute("packets", at: .zero).isEmpty)
    #expect(try String(decoding: page.execute("picture", at: .zero), as: UTF8.self).contains("yaw"))
  }

  @Test func aTableEndsBeforeAMalformedLine() throws {
    var page = Page()
    _ = try page.execute("open run.csv", at: .zero)
    for piece in ["time_s,yaw_deg\n0,10\n0.05,20\n", "0.1,north\n1,2,3\n0.15,5000\n", "0.2,6000\n"] {
      try page.read(Array(piece.utf8))
    }
    _ = try page.execute("end", at: .zero)
    let messages = try String(decoding: page.execute("packets", at: .zero), as: UTF8.self).split(
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
