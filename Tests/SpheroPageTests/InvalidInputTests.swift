// Invalid files, silent robots and lost lines.

import SpheroPage
import SpheroProtocol
import Testing

@Suite struct InvalidInputTests {
  @Test(
    arguments: [
      ("Dear robot,\nhow are you?\n", "line 1, column 1: "), ("", "it is empty"),
      ("10 20\n30\n", "it has no packet of a robot and no table of samples"),
      ("time_s,yaw_deg\n", "it has no packet of a robot and no table of samples"),
    ] as [(String, String)])
  func aFileThatIsNotARecordingIsRejected(_ text: String, _ reason: String) throws {
    var page = Page()
    _ = try page.execute("open notes.txt", at: .zero)
    try page.read(Array(text.utf8))
    _ = try page.execute("end", at: .zero)
    var message = ""
    do throws(PageError) { _ = try page.execute("packets", at: .zero) } catch { message = error.description }
    #expect(message.hasPrefix("'notes.txt' is not a recording: \(reason)"), "\(message)")
    #expect(try page.execute("table", at: .zero).isEmpty && page.execute("picture", at: .zero).isEmpty)
  }

  @Test func readingEndsAfterAThousandMalformedLines() throws {
    var page = Page()
    _ = try page.execute("open long.capture", at: .zero)
    let lines = String(repeating: "x\n10\n", count: 20_000)
    try page.read(Array("0.5 < FF FF 00 01 01 FD\n\(lines)".utf8))
    _ = try page.execute("end", at: .zero)
    let packets = try String(decoding: page.execute("packets 0 100", at: .zero), as: UTF8.self).split(
      separator: "\n")
    // The packet, 20 errors, the number of the others, and the end of reading.
    #expect(packets.count == 23, "\(packets.count)")
    #expect(packets.first?.contains("\"kind\":\"response\"") == true)
    #expect(packets.last?.contains("reading ends at line ") == true)
  }

  @Test func theHaltPacketStopsTheBall() throws {
    var page = Page()
    // SOP2 FEh requests no response; speed 0, heading 0, state 0 is a stop; CHK is the complement of 02h + 30h + 05h.
    #expect(
      try page.execute("halt", at: .zero)
        == [0xFF, 0xFE, 0x02, 0x30, 0x00, 0x05, 0x00, 0x00, 0x00, 0x00, 0xC8])
  }

  @Test func theViewHasTheAgesOfSamplesAndResponses() throws {
    var rig = try PageRig.connected()
    try rig.expectView("\"link\":\"live\"")
    rig.isOpen = false
    rig.run(for: .seconds(4))
    let view = try rig.execute("view")
    #expect(view.contains("\"link\":\"silent\""))
    #expect(view.contains("\"sample_age\":4.0") && view.contains("\"answer_age\":4.0"), "\(view)")
  }

  @Test func aLinkWithoutAStreamIsNotSilent() throws {
    var rig = PageRig()
    try rig.execute("sensors off")
    try rig.execute("connect 1763800000000")
    rig.run(for: .seconds(5))
    try rig.expectView("\"link\":\"live\"")
  }

  @Test func aLostLineEndsAiming() throws {
    var rig = try PageRig.connected()
    try rig.execute("ring begin")
    rig.run(for: .milliseconds(100))
    try rig.execute("lost")
    try rig.expectView("\"aim\":{\"is_active\":false")
    rig.forget()
    rig.run(for: .milliseconds(500))
    try rig.execute("back")
    rig.run(for: .seconds(1))
    // Reconnection switches the aiming light off.
    #expect(rig.payloads(0x02, 0x21) == [[0]])
  }
}
