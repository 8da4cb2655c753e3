// What a page does with a robot: driving, aiming, colours, sensors, leaving.

import SpheroPage
import SpheroProtocol
import Testing

@Suite struct PageTests {
  // MARK: Driving

  @Test func aJoystickRollsAndFallsBackByItself() throws {
    var rig = try PageRig.connected()
    try rig.say("speed 0.5")
    try rig.say("stick 1 0")
    // The robot is told to stop by itself where the link drops, before it moves.
    #expect(rig.commands.first?.id == CommandID(0x02, 0x37))
    #expect(rig.payloads(0x02, 0x37) == [[0, 0, 0, 1]])
    // Half of full speed, to the right.
    #expect(rig.payloads(0x02, 0x30) == [[128, 0, 90, 1]])
    rig.run(for: .milliseconds(490))
    #expect(rig.payloads(0x02, 0x30).count == 1)
    rig.run(for: .milliseconds(20))
    #expect(rig.payloads(0x02, 0x30).last == [0, 0, 90, 0])
  }

  @Test func aJoystickThatIsHeldRollsOn() throws {
    var rig = try PageRig.connected()
    for _ in 0..<30 {
      try rig.say("stick 0 -1")
      rig.run(for: .milliseconds(100))
    }
    // 0.4 of full speed, backwards; told again each second.
    #expect(rig.payloads(0x02, 0x30) == Array(repeating: [102, 0, 180, 1], count: 4))
    let view = try rig.say("view")
    #expect(view.contains("\"is_held\":true") && view.contains("\"x\":0.000,\"y\":-1.000"))
    try rig.say("stick")
    #expect(rig.payloads(0x02, 0x30).last == [0, 0, 180, 0])
    // The ball has been somewhere, and stands.
    rig.run(for: .seconds(2))
    #expect(try rig.say("path").hasSuffix("]]"))
    #expect(try rig.say("view").contains("\"speed\":0.0,\"x\":0.0,\"y\":-"))
  }

  @Test func aStopIsSentWhateverElseWaits() throws {
    var rig = try PageRig.connected()
    rig.isOpen = false
    for blue in 0..<5 { try rig.say("color #0000f\(blue)") }
    for _ in 0..<3 { try rig.say("raw Core.Ping") }
    try rig.say("stop")
    rig.isOpen = true
    rig.run(for: .milliseconds(1))
    #expect(rig.commands.first?.id == CommandID(0x02, 0x30))
    #expect(rig.commands.first?.payload == [0, 0, 0, 0])
  }

  @Test func nothingMovesBeforeTheRobotAnswers() throws {
    var rig = PageRig()
    try rig.say("stick 0 1")
    try rig.say("connect 1763800000000")
    try rig.say("stick 0 1")
    #expect(try rig.say("view").contains("\"is_held\":false"))
    #expect(rig.payloads(0x02, 0x30).isEmpty)
  }

  // MARK: Aiming and light

  @Test func theRingTurnsOnTheSpotAndMakesThatAhead() throws {
    var rig = try PageRig.connected()
    try rig.say("ring begin")
    #expect(rig.payloads(0x02, 0x21) == [[255]])
    try rig.say("ring turn 45.4")
    rig.run(for: .seconds(2))
    #expect(rig.payloads(0x02, 0x30) == [[0, 0, 45, 1]])
    #expect(try rig.say("view").contains("\"aim\":{\"is_active\":true,\"heading\":45.4}"))
    try rig.say("ring end")
    #expect(rig.commands.suffix(2).map(\.id) == [CommandID(0x02, 0x01), CommandID(0x02, 0x21)])
    #expect(rig.payloads(0x02, 0x01) == [[0, 0]] && rig.payloads(0x02, 0x21).last == [0])
    rig.run(for: .seconds(1))
    #expect(try rig.say("view").contains("\"motion\":{\"heading\":0.0"))
  }

  @Test func aRingThatIsCancelledTurnsBack() throws {
    var rig = try PageRig.connected()
    try rig.say("ring begin")
    try rig.say("ring turn -90")
    rig.run(for: .seconds(2))
    try rig.say("ring cancel")
    rig.run(for: .seconds(1))
    #expect(rig.payloads(0x02, 0x30) == [[0, 1, 14, 1], [0, 0, 0, 1]])
    #expect(rig.payloads(0x02, 0x01).isEmpty && rig.payloads(0x02, 0x21).last == [0])
  }

  @Test func aStopEndsTheRing() throws {
    var rig = try PageRig.connected()
    try rig.say("ring begin")
    try rig.say("stop")
    #expect(rig.payloads(0x02, 0x30) == [[0, 0, 0, 0]])
    #expect(rig.payloads(0x02, 0x21) == [[255], [0]])
    // The joystick works again.
    try rig.say("stick 0 1")
    #expect(try rig.say("view").contains("\"is_held\":true"))
  }

  @Test func whatIsChosenBeforeAConnectionIsTold() throws {
    var rig = PageRig()
    try rig.say("collisions off")
    try rig.say("sensors gyro 10")
    #expect(rig.commands.isEmpty)
    try rig.say("connect 1763800000000")
    rig.run(for: .seconds(1))
    // The robot's own rate is 400 Hz.
    #expect(rig.payloads(0x02, 0x11).first?.prefix(4) == [0, 40, 0, 1])
    #expect(rig.payloads(0x02, 0x12).isEmpty)
  }

  @Test(arguments: [
    ("color #ff8800", [255, 136, 0, 0] as [UInt8]), ("color red", [255, 0, 0, 0]),
    ("wheel 1 0", [255, 0, 0, 0]),
    // A third of a turn counter-clockwise from the right is green.
    ("wheel -0.5 0.8660254037844386", [0, 255, 0, 0]),
  ])
  func coloursAreShown(_ words: String, _ payload: [UInt8]) throws {
    var rig = try PageRig.connected()
    try rig.say("color white")
    rig.run(for: .milliseconds(500))
    try rig.say(words)
    rig.run(for: .milliseconds(500))
    #expect(rig.payloads(0x02, 0x20).last == payload)
  }

  @Test func aColourThatIsDarkenedKeepsItsHue() throws {
    var rig = try PageRig.connected()
    try rig.say("color #00ff00")
    try rig.say("brightness 0")
    try rig.say("brightness 0.5")
    rig.run(for: .milliseconds(500))
    #expect(rig.payloads(0x02, 0x20).last == [0, 128, 0, 0])
    try rig.say("tail 0.5")
    #expect(rig.payloads(0x02, 0x21) == [[128]])
  }

  // MARK: Sensors and news

  @Test func sensorsAreTheColumnsOfSamples() throws {
    var rig = try PageRig.connected()
    try rig.say("sensors accel,q0 50")
    #expect(
      try rig.say("columns") == """
        [{"name":"accel_x","unit":"g","limit":2},{"name":"accel_y","unit":"g","limit":2},\
        {"name":"accel_z","unit":"g","limit":2},{"name":"q0","unit":"","limit":1}]
        """)
    _ = try rig.say("news")
    rig.run(for: .seconds(1))
    let samples = try rig.say("news").split(separator: "\n").filter { $0.contains("\"kind\":\"sample\"") }
    #expect((48...51).contains(samples.count))
    #expect(
      samples.allSatisfy { $0.contains("\"accel_x\":") && $0.contains("\"q0\":") && !$0.contains("pitch") })
    try rig.say("sensors off")
    // The mask of no field ends the stream.
    #expect(rig.payloads(0x02, 0x11).last?.dropFirst(4).prefix(4) == [0, 0, 0, 0])
  }

  @Test func aWallIsFelt() throws {
    var rig = try PageRig.connected()
    try rig.say("speed 1")
    for _ in 0..<30 {
      try rig.say("stick 0 1")
      rig.run(for: .milliseconds(100))
    }
    let impacts = try rig.say("news").split(separator: "\n").filter { $0.contains("\"kind\":\"collision\"") }
    #expect(!impacts.isEmpty)
    #expect(try !rig.say("view").contains("\"collisions\":{\"count\":0,"))
  }

  @Test func anyCommandCanBeSentAndItsAnswerIsNews() throws {
    var rig = try PageRig.connected()
    _ = try rig.say("news")
    try rig.say("raw Core.GetVersioning")
    rig.run(for: .milliseconds(200))
    let answers = try rig.say("news").split(separator: "\n").filter { $0.contains("\"kind\":\"answer\"") }
    #expect(answers.count == 1)
    #expect(answers.first?.contains("\"name\":\"Core.GetVersioning\"") == true)
  }

  @Test func newsThatNobodyTakesIsBounded() throws {
    var rig = try PageRig.connected()
    try rig.say("sensors all 400")
    rig.run(for: .seconds(10))
    let news = try rig.say("news")
    #expect(news.utf8.count <= 1 << 20)
    #expect(news.hasPrefix("{\"kind\":\"notice\",\"notice\":\"dropped\",\"message\":\""))
    #expect(try rig.say("news").isEmpty)
  }

  // MARK: The line

  @Test func leavingStopsTheBallAndTheStream() throws {
    var rig = try PageRig.connected()
    try rig.say("stick 0 1")
    rig.run(for: .milliseconds(300))
    rig.forget()
    try rig.say("leave")
    #expect(try rig.say("view").hasPrefix("{\"link\":\"leaving\""))
    #expect(rig.payloads(0x02, 0x30).first == [0, 0, 0, 0])
    #expect(rig.payloads(0x02, 0x11).count >= 1)
    rig.run(for: .seconds(1))
    #expect(try rig.say("view").hasPrefix("{\"link\":\"left\""))
    #expect(try rig.say("news").hasSuffix("{\"kind\":\"end\",\"message\":null,\"advice\":null}\n"))
  }

  @Test func leavingUndoesAnAim() throws {
    var rig = try PageRig.connected()
    try rig.say("ring begin")
    try rig.say("ring turn 40")
    rig.run(for: .milliseconds(500))
    rig.forget()
    try rig.say("leave")
    rig.run(for: .seconds(1))
    #expect(rig.payloads(0x02, 0x30).first == [0, 0, 0, 1])
    #expect(rig.payloads(0x02, 0x21) == [[0]])
    #expect(rig.payloads(0x02, 0x01).isEmpty)
    #expect(try rig.say("view").hasPrefix("{\"link\":\"left\""))
  }

  @Test func leavingEndsWithinASecondWhereNobodyAnswers() throws {
    var rig = try PageRig.connected()
    try rig.say("ring begin")
    rig.isOpen = false
    try rig.say("leave")
    rig.run(for: .seconds(1))
    #expect(try rig.say("view").hasPrefix("{\"link\":\"left\""))
  }

  @Test func aRobotThatNeverAnswersIsTold() throws {
    var rig = PageRig()
    rig.isOpen = false
    try rig.say("connect 1763800000000")
    rig.run(for: .seconds(16))
    let news = try rig.say("news")
    #expect(news.contains("\"kind\":\"end\",\"message\":\""))
    #expect(!news.contains("\"message\":null"))
    #expect(try rig.say("view").hasPrefix("{\"link\":\"closed\""))
  }

  @Test func aLineThatComesBackStreamsAgain() throws {
    var rig = try PageRig.connected()
    try rig.say("stick 0 1")
    try rig.say("lost")
    rig.isOpen = false
    #expect(try rig.say("view").hasPrefix("{\"link\":\"lost\""))
    rig.run(for: .seconds(3))
    rig.forget()
    rig.isOpen = true
    try rig.say("back")
    rig.run(for: .seconds(2))
    #expect(rig.payloads(0x02, 0x30).first == [0, 0, 0, 0])
    #expect(try rig.say("view").hasPrefix("{\"link\":\"live\""))
    #expect(try rig.say("view").contains("\"reconnections\":1"))
  }

  // MARK: Recordings

  @Test func aRecordingIsReadBackAsItWas() throws {
    var rig = try PageRig.connected()
    try rig.say("sensors accel,yaw 20")
    rig.run(for: .seconds(1))
    try rig.say("record start")
    rig.run(for: .seconds(2))
    try rig.say("color red")
    rig.run(for: .milliseconds(100))
    try rig.say("record stop")
    let (capture, rows) = (try rig.say("capture"), try rig.say("rows"))
    // The clock began 1763800000 s after 1970; the recording began 2 s later.
    #expect(capture.hasPrefix("#: capture start=2025-11-22T08:26:42.000000Z program=\"sphero page\" mask="))
    #expect(rows.hasPrefix("time_s,yaw_deg,accel_x_g,accel_y_g,accel_z_g\n"))
    try rig.say("open run.capture")
    try rig.page.look(at: Array(capture.utf8))
    try rig.say("end")
    let packets = try rig.say("packets").split(separator: "\n")
    #expect(packets.count { $0.contains("\"kind\":\"command\"") && $0.contains("Lights.SetRGBLED") } == 1)
    let count = rows.split(separator: "\n").count
    // A packet is written down before its sample is placed, which may be the last one.
    let table = try rig.say("table").split(separator: "\n").count
    #expect((40...43).contains(count) && abs(table - count) <= 1)
    #expect(try rig.say("picture").hasPrefix("<svg"))
    #expect(try rig.say("packets").isEmpty && rig.say("table").isEmpty)
  }

  @Test func whatEndsInTheMiddleIsTold() throws {
    var page = Page()
    _ = try page.say("open cut.capture", at: .zero)
    try page.look(at: Array("0.5 < FF FF 00 01 01 FD\n0.6 < FF FF 00\n".utf8))
    let before = try String(decoding: page.say("packets", at: .zero), as: UTF8.self)
    #expect(before.contains("\"kind\":\"response\"") && !before.contains("discarded"))
    _ = try page.say("end", at: .zero)
    let behind = try String(decoding: page.say("packets", at: .zero), as: UTF8.self)
    #expect(behind.contains("\"kind\":\"discarded\"") && behind.contains("\"bytes\":\"ffff00\""))
  }

  @Test func aTableKeepsItsColumns() throws {
    var rig = try PageRig.connected()
    try rig.say("sensors yaw 20")
    try rig.say("record start")
    rig.run(for: .seconds(1))
    try rig.say("sensors gyro 20")
    rig.run(for: .seconds(1))
    let lines = try rig.say("rows").split(separator: "\n")
    #expect(lines.first == "time_s,yaw_deg")
    #expect((38...41).contains(lines.count) && lines.allSatisfy { $0.count { $0 == "," } == 1 })
  }

  @Test func aCaptureMarksALineThatCameBack() throws {
    var rig = try PageRig.connected()
    try rig.say("record start")
    rig.run(for: .milliseconds(500))
    try rig.say("lost")
    rig.run(for: .milliseconds(250))
    try rig.say("back")
    let capture = try rig.say("capture")
    #expect(capture.contains("#: 0.750000 reconnection\n"))
  }

  @Test func theRobotTellsItsColourAnew() throws {
    var rig = try PageRig.connected()
    try rig.say("color red")
    rig.run(for: .seconds(1))
    try rig.say("leave")
    rig.run(for: .seconds(1))
    rig.robot = SimulatedRobot(at: rig.now)
    try rig.say("connect 1763800060000")
    rig.run(for: .seconds(1))
    // A robot that was just switched on is blue.
    #expect(try rig.say("view").contains("\"color\":{\"text\":\"#0000ff\""))
  }

  @Test func aTableHasAPicture() throws {
    var page = Page()
    _ = try page.say("open run.csv", at: .zero)
    try page.look(at: Array("time_s,yaw_deg\n0,10\n0.05,20\n".utf8))
    _ = try page.say("end", at: .zero)
    #expect(try page.say("packets", at: .zero).isEmpty)
    #expect(try String(decoding: page.say("picture", at: .zero), as: UTF8.self).contains("yaw"))
  }

  @Test func aTableEndsBeforeALineThatMakesNoSense() throws {
    var page = Page()
    _ = try page.say("open run.csv", at: .zero)
    for piece in ["time_s,yaw_deg\n0,10\n0.05,20\n", "0.1,north\n1,2,3\n0.15,5000\n", "0.2,6000\n"] {
      try page.look(at: Array(piece.utf8))
    }
    _ = try page.say("end", at: .zero)
    let remarks = try String(decoding: page.say("packets", at: .zero), as: UTF8.self).split(separator: "\n")
    #expect(remarks.count == 1)
    #expect(
      remarks.first?.contains(
        #"line 4: \"north\" in column 'yaw_deg' is not a number; the picture ends before it"#) == true,
      "\(remarks)")
    let picture = try String(decoding: page.say("picture", at: .zero), as: UTF8.self)
    #expect(picture.contains("yaw") && !picture.contains("5000") && !picture.contains("6000"))
  }

  // MARK: Wrong words

  @Test(
    arguments: [
      ("", "'' is not a word of a page"), ("roll 90", "'roll' is not a word of a page"),
      ("stick", nil), ("stick 1", "'stick' wants more: a number"),
      ("stick 0 1 2", "'2' is unexpected after 'stick'"),
      ("stick nan 0", "'nan' is not a number in -1000000.0...1000000.0"),
      ("speed 2", "'2' is not a number in 0.0...1.0"),
      ("ring", "'ring' wants more: begin, turn, end or cancel"),
      ("ring round", "'ring' is followed by begin, turn, end or cancel"),
      ("sensors accel", "'sensors' wants more: a number"),
      ("collisions loud", "'collisions' is followed by soft, normal, hard or off"),
      ("raw Core.Ping", "there is no robot: connect one, or simulate it"),
      ("packets", "no recording is open: say 'open NAME' first"),
      ("record now", "'record' is followed by start or stop"),
    ] as [(String, String?)])
  func wrongWordsAreTold(_ words: String, _ sentence: String?) throws {
    var page = Page()
    var told: String?
    do throws(PageError) { _ = try page.say(words, at: .zero) } catch { told = error.description }
    #expect(told == sentence)
    #expect(page.takeOutput(at: .zero) == nil)
  }

  @Test(arguments: [
    ("raw Motion.Fly", "unknown command 'Motion.Fly'"),
    ("raw Motion.Roll speed", "'speed' is not of the form field=value"),
  ])
  func wrongCommandsAreTold(_ words: String, _ sentence: String) throws {
    var rig = try PageRig.connected()
    var told: String?
    do throws(PageError) { _ = try rig.say(words) } catch { told = error.description }
    #expect(told == sentence && rig.commands.isEmpty)
  }

  @Test func hazardsAreRefused() throws {
    var rig = try PageRig.connected()
    #expect(throws: PageError.self) { _ = try rig.say("raw Factory.SetChassisID") }
    #expect(rig.commands.isEmpty)
  }
}
