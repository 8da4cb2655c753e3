// The commands of the page: driving, aiming, colours, sensors, the line.

import SpheroPage
import SpheroProtocol
import Testing

@Suite struct PageTests {
  // MARK: Driving

  @Test func aJoystickRollsUntilItsTimeout() throws {
    var rig = try PageRig.connected()
    try rig.execute("speed 0.5")
    try rig.execute("stick 1 0")
    // Before it moves, the robot is configured to stop when the link is lost.
    #expect(rig.commands.first?.id == CommandID(0x02, 0x37))
    #expect(rig.payloads(0x02, 0x37) == [[0, 0, 0, 1]])
    // Half of full speed, to the right.
    #expect(rig.rolls == [[128, 0, 90, 1]])
    rig.run(for: .milliseconds(490))
    #expect(rig.rolls.count == 1)
    rig.run(for: .milliseconds(20))
    #expect(rig.rolls.last == [0, 0, 90, 0])
  }

  @Test func aHeldJoystickKeepsRolling() throws {
    var rig = try PageRig.connected()
    for _ in 0..<30 {
      try rig.execute("stick 0 -1")
      rig.run(for: .milliseconds(100))
    }
    // 0.6 of full speed, backwards, repeated each second.
    #expect(rig.rolls == Array(repeating: [153, 0, 180, 1], count: 4))
    let view = try rig.execute("view")
    #expect(view.contains("\"is_held\":true") && view.contains("\"x\":0.000,\"y\":-1.000"))
    try rig.execute("stick")
    #expect(rig.rolls.last == [0, 0, 180, 0])
    // The ball has moved and is at rest.
    rig.run(for: .seconds(2))
    #expect(try rig.execute("path").hasSuffix("]]"))
    try rig.expectView("\"speed\":0.0,\"x\":0.0,\"y\":-")
  }

  /// Other measurements, another rate and a filter begin another stream, but not another trail.
  @Test func theTrailContinuesInAnotherStream() throws {
    var rig = try PageRig.connected()
    try rig.execute("stick 0 1")
    rig.run(for: .seconds(1))
    try rig.execute("stick")
    rig.run(for: .seconds(2))
    let trail = try rig.execute("path").dropLast()
    #expect(trail.count { $0 == "[" } > 10)
    for change in ["sensors accel,quat 20", "sensors accel,quat 50", "filter low hertz 2", "filter off"] {
      try rig.execute(change)
      rig.run(for: .seconds(1))
      #expect(try rig.execute("path").hasPrefix(trail), "\(change)")
    }
    try rig.execute("path clear")
    rig.run(for: .seconds(1))
    #expect(try rig.execute("path").count { $0 == "[" } < 5)
  }

  @Test func aStopPrecedesPendingCommands() throws {
    var rig = try PageRig.connected()
    rig.isOpen = false
    for blue in 0..<5 { try rig.execute("color #0000f\(blue)") }
    for _ in 0..<3 { try rig.execute("raw Core.Ping") }
    try rig.execute("stop")
    rig.isOpen = true
    rig.run(for: .milliseconds(1))
    #expect(rig.commands.first?.id == CommandID(0x02, 0x30))
    #expect(rig.commands.first?.payload == [0, 0, 0, 0])
  }

  /// The defaults of a new page as literal values: they limit an uncontrolled drive.
  @Test func theDefaultsAreSafe() throws {
    var rig = PageRig()
    try rig.expectView(#""stick":{"x":0.000,"y":0.000,"speed":0.600,"#)
    try rig.execute("connect 1763800000000")
    rig.run(for: .seconds(1))
    // Collision detection is on with a threshold of 100 for both axes.
    #expect(rig.payloads(0x02, 0x12) == [[1, 100, 100, 100, 100, 25]])
    try rig.execute("stick 0 1")
    // Ahead at 0.6 of full speed, until 500 ms without input.
    #expect(rig.rolls == [[153, 0, 0, 1]])
    rig.run(for: .milliseconds(499))
    #expect(rig.rolls == [[153, 0, 0, 1]])
    rig.run(for: .milliseconds(1))
    #expect(rig.rolls == [[153, 0, 0, 1], [0, 0, 0, 0]])
    // The robot itself stops when the link is lost.
    #expect(rig.payloads(0x02, 0x37) == [[0, 0, 0, 1]])
  }

  @Test func nothingMovesBeforeTheRobotResponds() throws {
    var rig = PageRig()
    try rig.execute("stick 0 1")
    try rig.execute("connect 1763800000000")
    try rig.execute("stick 0 1")
    try rig.expectView("\"is_held\":false")
    #expect(rig.rolls.isEmpty)
  }

  // MARK: Aiming and light

  @Test func theRingTurnsInPlaceAndSetsHeadingZero() throws {
    var rig = try PageRig.connected()
    try rig.execute("ring begin")
    #expect(rig.payloads(0x02, 0x21) == [[255]])
    try rig.execute("ring turn 45.4")
    rig.run(for: .seconds(2))
    #expect(rig.rolls == [[0, 0, 45, 1]])
    let aim = "\"aim\":{\"is_active\":true,\"heading\":45.4,\"turn\":45.4,\"is_twisted\":false}"
    try rig.expectView(aim)
    try rig.execute("ring end")
    #expect(
      rig.commands.suffix(3).map(\.id) == [
        CommandID(0x02, 0x01), CommandID(0x02, 0x13), CommandID(0x02, 0x21),
      ])
    #expect(rig.payloads(0x02, 0x13) == [[1, 0, 0, 0, 0, 0, 0]])
    #expect(rig.payloads(0x02, 0x01) == [[0, 0]] && rig.payloads(0x02, 0x21).last == [0])
    rig.run(for: .seconds(1))
    try rig.expectView("\"motion\":{\"heading\":0.0")
  }

  @Test func aCancelledRingTurnsBack() throws {
    var rig = try PageRig.connected()
    try rig.execute("ring begin")
    try rig.execute("ring turn -90")
    rig.run(for: .seconds(2))
    try rig.execute("ring cancel")
    rig.run(for: .seconds(1))
    #expect(rig.rolls == [[0, 1, 14, 1], [0, 0, 0, 1]])
    #expect(rig.payloads(0x02, 0x01).isEmpty && rig.payloads(0x02, 0x21).last == [0])
  }

  @Test func aStopEndsTheRing() throws {
    var rig = try PageRig.connected()
    try rig.execute("ring begin")
    try rig.execute("stop")
    #expect(rig.rolls == [[0, 0, 0, 0]])
    #expect(rig.payloads(0x02, 0x21) == [[255], [0]])
    // The joystick is enabled again.
    try rig.execute("stick 0 1")
    try rig.expectView("\"is_held\":true")
  }

  @Test func selectionsBeforeAConnectionAreApplied() throws {
    var rig = PageRig()
    try rig.execute("collisions off")
    try rig.execute("sensors gyro 10")
    #expect(rig.commands.isEmpty)
    try rig.execute("connect 1763800000000")
    rig.run(for: .seconds(1))
    // The divisor of 400 Hz is 40.
    #expect(rig.payloads(0x02, 0x11).first?.prefix(4) == [0, 40, 0, 1])
    #expect(rig.payloads(0x02, 0x12).isEmpty)
  }

  @Test func aRefusedSettingIsReported() throws {
    var rig = try PageRig.connected()
    rig.losesAnswers = true
    try rig.execute("collisions normal")
    let sequence = try #require(rig.commands.last).sequence
    // Status 04 is an unknown command.
    rig.page.receive([0xFF, 0xFF, 4, sequence, 1, ~(4 &+ sequence &+ 1)], at: rig.now)
    #expect(try rig.news("error").contains { $0.contains("unknown command") })
  }

  @Test(arguments: [
    ("color #ff8800", [255, 136, 0, 0] as [UInt8]), ("color red", [255, 0, 0, 0]),
    ("wheel 1 0", [255, 0, 0, 0]),
    // Green is a third of a turn counter-clockwise from the right.
    ("wheel -0.5 0.8660254037844386", [0, 255, 0, 0]),
  ])
  func coloursAreSent(_ command: String, _ payload: [UInt8]) throws {
    var rig = try PageRig.connected()
    try rig.execute("color white")
    rig.run(for: .milliseconds(500))
    try rig.execute(command)
    rig.run(for: .milliseconds(500))
    #expect(rig.payloads(0x02, 0x20).last == payload)
  }

  @Test func aDarkenedColourKeepsItsHue() throws {
    var rig = try PageRig.connected()
    try rig.execute("color #00ff00")
    try rig.execute("brightness 0")
    try rig.execute("brightness 0.5")
    rig.run(for: .milliseconds(500))
    #expect(rig.payloads(0x02, 0x20).last == [0, 128, 0, 0])
    try rig.execute("tail 0.5")
    #expect(rig.payloads(0x02, 0x21) == [[128]])
  }

  // MARK: Sensors and events

  @Test func theGroupsOfSensorsHaveTitles() throws {
    var rig = PageRig()
    let groups = PageRig.elements(of: try rig.execute("groups"))
    #expect(groups.count == 9)
    #expect(groups.first == #"{"mask":"accel","title":"Acceleration","is_on":true}"#)
    // The masks are those that `sensors` reads.
    for group in groups {
      let mask = PageRig.members(of: group).first?.1.filter { $0 != "\"" } ?? ""
      try rig.execute("sensors \(mask) 20")
      let lanes = PageRig.elements(of: try rig.execute("lanes"))
      #expect(
        lanes.count == 1 && lanes.first?.hasPrefix(#"{"mask":"\#(mask)","#) == true, "\(mask): \(lanes)")
    }
  }

  @Test func theLanesHaveLabelsAndUnits() throws {
    var rig = PageRig()
    try rig.execute("sensors emf,yaw,pitch,gyro_z,accel-one,speed 20")
    #expect(
      try rig.execute("lanes") == """
        [{"mask":"gyro","title":"Turning rate","unit":"°/s","limit":100,"is_signed":true,"is_circular":false,\
        "columns":[{"name":"gyro_z","label":"z","index":3,"digits":1,"filtered":null}]},\
        {"mask":"imu","title":"Angles","unit":"°","limit":180,"is_signed":true,"is_circular":true,\
        "columns":[{"name":"pitch","label":"pitch","index":1,"digits":0,"filtered":null},\
        {"name":"yaw","label":"yaw","index":2,"digits":0,"filtered":null}]},\
        {"mask":"accel-one","title":"Total acceleration","unit":"g","limit":2,"is_signed":false,\
        "is_circular":false,\
        "columns":[{"name":"accel_one","label":"Σ","index":6,"digits":3,"filtered":null}]},\
        {"mask":"emf","title":"Motor speed","unit":"","limit":1,"is_signed":true,"is_circular":false,\
        "columns":[{"name":"emf_right","label":"right","index":4,"digits":0,"filtered":null},\
        {"name":"emf_left","label":"left","index":5,"digits":0,"filtered":null}]},\
        {"mask":null,"title":"speed","unit":"mm/s","limit":200,"is_signed":true,"is_circular":false,\
        "columns":[{"name":"speed","label":"speed","index":7,"digits":0,"filtered":null}]}]
        """)
    try rig.execute("sensors accel-one 20")
    try rig.execute("filter low hertz 2")
    #expect(
      try rig.execute("lanes").contains(#""label":"Σ","index":1,"digits":3,"filtered":"accel_one_filtered"}"#)
    )
  }

  @Test func sensorsAreTheColumnsOfSamples() throws {
    var rig = try PageRig.connected()
    try rig.execute("sensors accel,q0 50")
    _ = try rig.execute("news")
    rig.run(for: .seconds(1))
    let samples = try rig.news("sample")
    #expect((48...51).contains(samples.count))
    #expect(
      samples.allSatisfy { $0.contains("\"accel_x\":") && $0.contains("\"q0\":") && !$0.contains("pitch") })
    try rig.execute("sensors off")
    // An empty mask ends the stream.
    #expect(rig.payloads(0x02, 0x11).last?.dropFirst(4).prefix(4) == [0, 0, 0, 0])
  }

  @Test func aWallIsACollision() throws {
    var rig = try PageRig.connected()
    try rig.execute("speed 1")
    for _ in 0..<30 {
      try rig.execute("stick 0 1")
      rig.run(for: .milliseconds(100))
    }
    let impacts = try rig.execute("news").split(separator: "\n").filter {
      $0.contains("\"kind\":\"collision\"")
    }
    #expect(!impacts.isEmpty)
    #expect(try !rig.execute("view").contains("\"collisions\":{\"count\":0,"))
  }

  @Test func theResponseToARawCommandIsReported() throws {
    var rig = try PageRig.connected()
    _ = try rig.execute("news")
    try rig.execute("raw Core.GetVersioning")
    rig.run(for: .milliseconds(200))
    let answers = try rig.news("answer")
    #expect(answers.count == 1)
    #expect(answers.first?.contains("\"name\":\"Core.GetVersioning\"") == true)
  }

  @Test func eventsAreBounded() throws {
    var rig = try PageRig.connected()
    try rig.execute("sensors all 400")
    rig.run(for: .seconds(10))
    let news = try rig.execute("news")
    #expect(news.utf8.count <= 1 << 20)
    #expect(news.hasPrefix("{\"kind\":\"notice\",\"notice\":\"dropped\",\"message\":\""))
    #expect(try rig.execute("news").isEmpty)
  }

  // MARK: The line

  @Test func leavingStopsTheBallAndTheStream() throws {
    var rig = try PageRig.connected()
    try rig.execute("stick 0 1")
    rig.run(for: .milliseconds(300))
    rig.forget()
    try rig.execute("leave")
    #expect(try rig.execute("view").hasPrefix("{\"link\":\"leaving\""))
    #expect(rig.rolls.first == [0, 0, 0, 0])
    #expect(rig.payloads(0x02, 0x11).count >= 1)
    rig.run(for: .seconds(1))
    #expect(try rig.execute("view").hasPrefix("{\"link\":\"left\""))
    #expect(try rig.execute("news").hasSuffix("{\"kind\":\"end\",\"message\":null,\"advice\":null}\n"))
  }

  @Test(arguments: [1, 2]) func leavingUndoesAnAim(_ count: Int) throws {
    var rig = try PageRig.connected()
    try rig.execute("ring begin")
    try rig.execute("ring turn 40")
    rig.run(for: .milliseconds(500))
    rig.forget()
    // The line takes no bytes between the calls.
    for _ in 0..<count { _ = try rig.page.execute("leave", at: rig.now) }
    rig.run(for: .seconds(1))
    #expect(rig.rolls.first == [0, 0, 0, 1])
    #expect(rig.payloads(0x02, 0x21) == [[0]])
    #expect(rig.payloads(0x02, 0x01).isEmpty)
    #expect(try rig.execute("view").hasPrefix("{\"link\":\"left\""))
  }

  @Test func leavingEndsWithinASecondWithoutResponses() throws {
    var rig = try PageRig.connected()
    try rig.execute("ring begin")
    rig.isOpen = false
    try rig.execute("leave")
    rig.run(for: .seconds(1))
    #expect(try rig.execute("view").hasPrefix("{\"link\":\"left\""))
  }

  @Test func aRobotThatNeverRespondsIsReported() throws {
    var rig = PageRig()
    rig.isOpen = false
    try rig.execute("connect 1763800000000")
    rig.run(for: .seconds(16))
    let news = try rig.execute("news")
    #expect(news.contains("\"kind\":\"end\",\"message\":\""))
    #expect(!news.contains("\"message\":null"))
    #expect(try rig.execute("view").hasPrefix("{\"link\":\"ended\""))
  }

  @Test func reconnectionRestoresTheStream() throws {
    var rig = try PageRig.connected()
    try rig.execute("stick 0 1")
    try rig.execute("lost")
    rig.isOpen = false
    #expect(try rig.execute("view").hasPrefix("{\"link\":\"lost\""))
    rig.run(for: .seconds(3))
    rig.forget()
    rig.isOpen = true
    try rig.execute("back")
    rig.run(for: .seconds(2))
    #expect(rig.rolls.first == [0, 0, 0, 0])
    #expect(try rig.execute("view").hasPrefix("{\"link\":\"live\""))
    try rig.expectView("\"reconnections\":1")
  }

  @Test func eachConnectionReadsTheColour() throws {
    var rig = try PageRig.connected()
    try rig.execute("color red")
    rig.run(for: .seconds(1))
    try rig.execute("leave")
    rig.run(for: .seconds(1))
    rig.robot = SimulatedRobot(at: rig.now)
    try rig.execute("connect 1763800060000")
    rig.run(for: .seconds(1))
    // The initial colour of a robot is blue.
    try rig.expectView("\"color\":{\"text\":\"#0000ff\"")
  }

  // MARK: Invalid commands

  @Test(
    arguments: [
      ("", "'' is not a word of a page"), ("roll 90", "'roll' is not a word of a page"),
      ("stick", nil), ("stick 1", "'stick' wants more: a number"),
      ("stick 0 1 2", "'2' is unexpected after 'stick'"),
      ("stick nan 0", "'nan' is not a number in -1000000.0...1000000.0"),
      ("end x", "'x' is unexpected after 'end'"), ("table x", "'x' is unexpected after 'table'"),
      ("connect 0 home", "'home' is unexpected after 'connect'"),
      ("speed 2", "'2' is not a number in 0.0...1.0"),
      ("ring", "'ring' wants more: begin, turn, by, end or cancel"),
      ("ring round", "'ring' is followed by begin, turn, by, end or cancel"),
      ("sensors accel", "'sensors' wants more: a number"),
      ("collisions loud", "'collisions' is followed by soft, normal, hard or off"),
      ("raw Core.Ping", "there is no robot: connect one, or simulate it"),
      ("packets", "no recording is open: say 'open NAME' first"),
      ("record now", "'record' is followed by start or stop"),
    ] as [(String, String?)])
  func invalidCommandsAreErrors(_ command: String, _ message: String?) throws {
    var page = Page()
    var reported: String?
    do throws(PageError) { _ = try page.execute(command, at: .zero) } catch { reported = error.description }
    #expect(reported == message)
    #expect(page.takeOutput(at: .zero) == nil)
  }

  @Test(arguments: [
    ("raw Motion.Fly", "unknown command 'Motion.Fly'"),
    ("raw Motion.Roll speed", "'speed' is not of the form field=value"),
  ])
  func invalidRawCommandsAreErrors(_ command: String, _ message: String) throws {
    var rig = try PageRig.connected()
    var reported: String?
    do throws(PageError) { _ = try rig.execute(command) } catch { reported = error.description }
    #expect(reported == message && rig.commands.isEmpty)
  }

  @Test func hazardsAreRefused() throws {
    var rig = try PageRig.connected()
    #expect(throws: PageError.self) { _ = try rig.execute("raw Factory.SetChassisID") }
    #expect(rig.commands.isEmpty)
  }
}
