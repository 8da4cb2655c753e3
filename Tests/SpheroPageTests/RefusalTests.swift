// What a page does where something is missing: a file that is not a recording, a robot that is silent, a line that goes.

import SpheroPage
import SpheroProtocol
import Testing

@Suite struct RefusalTests {
  @Test(
    arguments: [
      ("Dear robot,\nhow are you?\n", "line 1, column 1: "), ("", "it is empty"),
      ("10 20\n30\n", "it has no packet of a robot and no table of samples"),
      ("time_s,yaw_deg\n", "it has no packet of a robot and no table of samples"),
    ] as [(String, String)])
  func whatIsNotARecordingIsRejected(_ text: String, _ reason: String) throws {
    var page = Page()
    _ = try page.say("open notes.txt", at: .zero)
    try page.look(at: Array(text.utf8))
    _ = try page.say("end", at: .zero)
    var sentence = ""
    do throws(PageError) { _ = try page.say("packets", at: .zero) } catch { sentence = error.description }
    #expect(sentence.hasPrefix("'notes.txt' is not a recording: \(reason)"), "\(sentence)")
    #expect(try page.say("table", at: .zero).isEmpty && page.say("picture", at: .zero).isEmpty)
  }

  @Test func readingEndsWhereAFileGoesOnWithSomethingElse() throws {
    var page = Page()
    _ = try page.say("open long.capture", at: .zero)
    let lines = String(repeating: "x\n10\n", count: 20_000)
    try page.look(at: Array("0.5 < FF FF 00 01 01 FD\n\(lines)".utf8))
    _ = try page.say("end", at: .zero)
    let packets = try String(decoding: page.say("packets", at: .zero), as: UTF8.self).split(separator: "\n")
    // The packet, 20 lines, the number of the others, and where reading ends.
    #expect(packets.count == 23, "\(packets.count)")
    #expect(packets.first?.contains("\"kind\":\"response\"") == true)
    #expect(packets.last?.contains("reading ends at line ") == true)
  }

  @Test func thePacketForAFailureStopsTheBall() throws {
    var page = Page()
    // SOP2 FEh wants no answer; speed 0, heading 0, state 0 is a stop; CHK is the complement of 02h + 30h + 05h.
    #expect(
      try page.say("halt", at: .zero)
        == [0xFF, 0xFE, 0x02, 0x30, 0x00, 0x05, 0x00, 0x00, 0x00, 0x00, 0xC8])
  }

  @Test func theViewHasTheAgeOfWhatCameLast() throws {
    var rig = try PageRig.connected()
    #expect(try rig.say("view").contains("\"link\":\"live\""))
    rig.isOpen = false
    rig.run(for: .seconds(4))
    let view = try rig.say("view")
    #expect(view.contains("\"link\":\"silent\""))
    #expect(view.contains("\"sample_age\":4.0") && view.contains("\"answer_age\":4.0"), "\(view)")
  }

  @Test func nothingIsSilentThatWasNotAskedFor() throws {
    var rig = PageRig()
    try rig.say("sensors off")
    try rig.say("connect 1763800000000")
    rig.run(for: .seconds(5))
    #expect(try rig.say("view").contains("\"link\":\"live\""))
  }

  @Test func aimingEndsWithTheLine() throws {
    var rig = try PageRig.connected()
    try rig.say("ring begin")
    rig.run(for: .milliseconds(100))
    try rig.say("lost")
    #expect(try rig.say("view").contains("\"aim\":{\"is_active\":false"))
    rig.forget()
    rig.run(for: .milliseconds(500))
    try rig.say("back")
    rig.run(for: .seconds(1))
    // The light that was on for aiming goes off.
    #expect(rig.payloads(0x02, 0x21) == [[0]])
  }
}
