// Playback of opened recordings: the state at a time, the lanes, marks of collisions, and tables of several robots.

import Foundation
import SpheroProtocol
import Testing

@testable import SpheroPage

@Suite struct PlaybackTests {
  /// A table of a ball that rolls 1 cm each second to the right, at 10 samples a second.
  private static func table(seconds: Int, robots: [String] = []) -> String {
    var text = (robots.isEmpty ? "" : "robot,") + "time_s,odometer_x_cm,odometer_y_cm,accel_x_g\n"
    for tick in 0...(seconds * 10) {
      for (index, robot) in (robots.isEmpty ? [""] : robots).enumerated() {
        if !robots.isEmpty { text += "\(robot)," }
        text += "\(Double(tick) / 10),\(tick / 10),\(index * 100),\(tick == 50 ? 1.5 : 0)\n"
      }
    }
    return text
  }

  private static func open(_ text: String, _ page: inout Page) throws {
    _ = try page.execute("open file", at: .zero)
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: 1 << 15) {
      try page.read(Array(bytes[start..<min(start + 1 << 15, bytes.count)]))
    }
    _ = try page.execute("end", at: .zero)
  }

  private static func say(_ command: String, _ page: inout Page) throws -> String {
    String(decoding: try page.execute(command, at: .zero), as: UTF8.self)
  }

  /// The numbers of lanes: the times, and then the values of each column.
  private static func lanes(_ command: String, _ page: inout Page) throws -> [Float] {
    let bytes = try page.execute(command, at: .zero)
    return stride(from: 0, to: bytes.count, by: 4).map { start in
      let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) }
      return Float(bitPattern: bits)
    }
  }

  @Test func theSliderShowsTheSampleOfItsTime() throws {
    var page = Page()
    try Self.open(Self.table(seconds: 20), &page)
    let overview = try Self.say("playback", &page)
    #expect(
      overview.hasPrefix(
        #"{"start":0.000,"end":20.000,"width":4,"count":201,"stride":1,"robot":null,"robots":[],"#))
    let column = #"{"name":"accel_x","label":"x","index":3,"digits":3,"filtered":null}"#
    #expect(overview.contains("\"columns\":[\(column)]"))
    #expect(
      try Self.say("playback at 5.04", &page).hasPrefix(
        #"{"time":5.000,"sample":{"odometer_x":5.0000,"odometer_y":0.0000,"accel_x":1.5000},"attitude":null,"motion":{"heading":null,"speed":null,"x":5.0,"y":0.0}}"#
      ))
    // Before the beginning and after the end, the first and the last sample.
    #expect(try Self.say("playback at -9", &page).contains(#""time":0.000"#))
    #expect(try Self.say("playback at 99", &page).contains(#""time":20.000"#))
  }

  /// Their seven digits would show a time since 1970 with an error of a minute.
  @Test func timesOfOtherClocksAreNotPlayed() throws {
    var page = Page()
    try Self.open(
      "time_s,wall_s,arrival_s,yaw_deg\n0,1795332042.624,0.01,5\n1,1795332043.624,1.01,6\n", &page)
    #expect(try Self.say("playback at 1", &page).contains(#""sample":{"yaw":6.0000}"#))
    let overview = try Self.say("playback", &page)
    #expect(
      overview.contains(#""name":"yaw""#) && !overview.contains("wall") && !overview.contains("arrival"))
  }

  @Test func lanesContainTheRowsOfAPeriod() throws {
    var page = Page()
    try Self.open(Self.table(seconds: 20), &page)
    let numbers = try Self.lanes("playback lanes 4.95 5.15", &page)
    // The rows at 4.9, 5.0, 5.1 and 5.2 s; times count from the beginning of the period.
    #expect(numbers.count == 4 * 5)
    for (time, expected) in zip(numbers, [-0.05, 0.05, 0.15, 0.25]) {
      #expect(abs(Double(time) - expected) < 1e-6)
    }
    #expect(Array(numbers.suffix(4)) == [0, 1.5, 0, 0])
    #expect(try Self.lanes("playback lanes 30 40", &page).count == 5)
  }

  @Test func otherColumnsShareLanesByUnitAndName() throws {
    var page = Page()
    try Self.open(
      "time,user_acceleration_x_g,user_acceleration_y_g,heat,accel_x_g,rotation_rate_z_deg_s\n0,1,2,3,4,5\n",
      &page)
    let overview = try Self.say("playback", &page)
    let lanes = try #require(PageRig.members(of: overview).first { $0.0 == "lanes" }?.1)
    let shown = PageRig.elements(of: lanes).map { lane in
      let members = Dictionary(uniqueKeysWithValues: PageRig.members(of: lane))
      let columns = PageRig.elements(of: members["columns"] ?? "").map { column in
        let column = Dictionary(uniqueKeysWithValues: PageRig.members(of: column))
        return "\(column["label"] ?? "") \(column["index"] ?? "")"
      }
      return "\(members["title"] ?? ""): \(columns.joined(separator: ", "))".filter { $0 != "\"" }
    }
    #expect(
      shown == ["Acceleration: x 4", "user acceleration: x 1, y 2", "heat: heat 3", "rotation rate: z 5"])
  }

  @Test func aLongRecordingIsThinned() {
    // 1000 rows of 2 values are kept at most; the 3000 rows lose every second one twice.
    var playback = Playback(columnCount: 2, capacity: 2_000)
    for row in 0..<3_000 { playback.append([Double(row), 7], at: Double(row)) }
    #expect(playback.stride == 4)
    let expected: [Double] = (0..<750).map { (row: Int) in Double(4 * row) }
    #expect(playback.times == expected)
    #expect(playback.row(at: 1_003)?.values == [1_000, 7])
    #expect(playback.row(at: 9_999)?.time == 2_996)
    // Wide rows are few, but never fewer than 256.
    var wide = Playback(columnCount: 10_000)
    for row in 0..<300 { wide.append([], at: Double(row)) }
    #expect(wide.times.count == 150 && wide.lanes(from: 0, to: 300).count < 1 << 21)
  }

  @Test func theLastRowOfAThinnedPeriodIsIncluded() throws {
    var playback = Playback(columnCount: 4)
    for row in 0..<104_858 { playback.append([0, 0, 0, 0], at: Double(row)) }
    let bytes = playback.lanes(from: 0, to: 200_000)
    let count = bytes.count / 20
    #expect(count < 52_500)
    let last = bytes[(4 * (count - 1))..<(4 * count)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    #expect(Float(bitPattern: last) == 104_857)
  }

  @Test func aRobotOfATableIsChosen() throws {
    var page = Page()
    try Self.open(Self.table(seconds: 10, robots: ["Sphero-RGB", "Sphero-YBR"]), &page)
    #expect(
      try Self.say("playback", &page).contains(
        #""count":101,"stride":1,"robot":"Sphero-RGB","robots":["Sphero-RGB","Sphero-YBR"],"#))
    #expect(try Self.say("playback at 3", &page).contains(#""x":3.0,"y":0.0"#))
    _ = try Self.say("playback robot Sphero-YBR", &page)
    #expect(try Self.say("playback at 3", &page).contains(#""x":3.0,"y":100.0"#))
    #expect(throws: PageError.self) { try Self.say("playback robot nobody", &page) }
    // Text in another column is still an error of the table.
    try Self.open("time,accel_x\n0,1\n1,red\n", &page)
    #expect(try Self.say("packets 0 100", &page).contains("in column 'accel_x' is not a number"))
  }

  @Test func theNumberOfRobotsIsBounded() throws {
    var page = Page()
    try Self.open(Self.table(seconds: 1, robots: (0..<20).map { "ball\($0)" }), &page)
    #expect(try Self.say("playback", &page).contains(#""ball7"],"#))
    #expect(try Self.say("packets 0 100", &page).contains("only the first 8 robots of the file are shown"))
  }

  @Test(arguments: ["", "nonsense\n", "time,accel_x\n"]) func withoutSamplesThereIsNothing(_ text: String)
    throws
  {
    var page = Page()
    try Self.open(text, &page)
    #expect(try Self.say("playback", &page) == "null")
    #expect(try Self.say("playback at 1", &page) == "null")
    #expect(try page.execute("playback lanes 0 1", at: .zero).isEmpty)
  }

  @Test(arguments: ["playback at", "playback at x", "playback lanes 1", "playback now"])
  func invalidCommandsAreErrors(_ command: String) throws {
    var page = Page()
    #expect(throws: PageError.self) { try Self.say(command, &page) }
    #expect(throws: PageError.self) { try Self.say("playback", &page) }
  }

  /// The page records a drive into a wall, and plays its own recording.
  @Test func anOwnRecordingHasWayAttitudeAndCollisions() throws {
    var rig = try PageRig.connected()
    try rig.execute("record start")
    rig.run(for: .milliseconds(300))
    try rig.execute("speed 0.6")
    for _ in 0..<60 {
      try rig.execute("stick 0 1")
      rig.run(for: .milliseconds(100))
    }
    try rig.execute("record stop")
    let capture = try rig.execute("capture")
    let marks = try rig.floor().marks
    // The wall is 1 m ahead; the ball has a radius of 3.7 cm, and slips.
    let first = try #require(marks.first)
    #expect(abs(first[0]) < 5 && abs(first[1] - 96) < 15, "\(marks)")
    try Self.open(capture, &rig.page)
    let overview = try rig.execute("playback")
    let mark = try #require(overview.firstRange(of: "\"marks\":[["))
    let numbers = overview[mark.upperBound...].prefix { $0 != "]" }.split(separator: ",").compactMap {
      Double($0)
    }
    #expect(numbers.count >= 3 && abs(numbers[2] - 96) < 15, "\(numbers)")
    let view = try rig.execute("playback at \(numbers[0])")
    #expect(view.contains("\"attitude\":{\"pitch\":") && view.contains("\"heading\":"))
    // The ball does not move in the playback before it moved in the recording.
    let beginning = try rig.execute("playback at 0")
    #expect(beginning.contains(#""x":0.0,"y":0.0"#), "\(beginning.suffix(100))")
  }

  @Test func thePathIsClearedAndSaved() throws {
    var rig = try PageRig.connected()
    try rig.execute("go 0 30")
    rig.run(for: .seconds(10))
    let text = try rig.execute("path text")
    #expect(text.hasPrefix("# centimetres, to the right and ahead of the start\n0.0 0.0\n"))
    #expect(text.split(separator: "\n").count > 10)
    try rig.execute("path clear")
    #expect(try rig.execute("path") == "[]" && rig.floor().marks.isEmpty)
    // Another path begins at its own start.
    try rig.execute("go 30 0")
    rig.run(for: .seconds(10))
    let other = try rig.execute("path text").split(separator: "\n")
    #expect(other.count > 10 && other[1] == "0.0 0.0", "\(other.prefix(3))")
    #expect(throws: PageError.self) { try rig.execute("path jump") }
  }

  // MARK: The walls of the simulated room

  private static func aim(_ degrees: Double, _ rig: inout PageRig) throws {
    try rig.execute("ring begin")
    try rig.execute("ring turn \(degrees)")
    rig.run(for: .seconds(2))
    try rig.execute("ring end")
    rig.run(for: .milliseconds(500))
  }

  /// Drives in a direction of the stick for six seconds, long enough to push against a wall.
  private static func driveAgainstWall(_ direction: String, _ rig: inout PageRig) throws {
    try rig.execute("speed 0.4")
    for _ in 0..<60 {
      try rig.execute("stick \(direction)")
      rig.run(for: .milliseconds(100))
    }
    try rig.execute("stop")
    rig.run(for: .seconds(1))
  }

  @Test func theWallsAreThoseOfTheRoom() throws {
    var rig = PageRig()
    #expect(try rig.execute("view").contains(#""walls":null"#))
    rig = try PageRig.connected()
    #expect(
      try rig.floor().walls
        == [
          [-100, -100, 100, -100], [100, -100, 100, 100], [100, 100, -100, 100], [-100, 100, -100, -100],
        ])
  }

  @Test func anAimMovesAndTurnsTheWalls() throws {
    var rig = try PageRig.connected()
    try rig.execute("go 0 40")
    rig.run(for: .seconds(8))
    try Self.aim(90, &rig)
    // The ball is 40 cm ahead of the centre, and ahead is now what was to the right.
    let expected = [
      [140, -100, 140, 100], [140, 100, -60, 100], [-60, 100, -60, -100], [-60, -100, 140, -100],
    ]
    let walls = try rig.floor().walls
    #expect(walls.count == 4)
    for (wall, ends) in zip(walls, expected) {
      #expect(zip(wall, ends).allSatisfy { abs($0 - Double($1)) < 4 }, "\(wall) instead of \(ends)")
    }
    // The ball meets the wall where it is drawn.
    try Self.driveAgainstWall("0 1", &rig)
    let mark = try #require(try rig.floor().marks.first)
    #expect(abs(mark[0]) < 8 && abs(mark[1] - 96) < 8, "\(mark)")
  }

  @Test func anAimAtAWallForgetsTheSlip() throws {
    var rig = try PageRig.connected()
    try Self.driveAgainstWall("0.6 0.8", &rig)
    #expect(try !rig.floor().marks.isEmpty)
    let place = try rig.execute("view").firstMatch(of: #/"motion":\{[^}]*"y":([0-9.]+)/#)
    // The wheels slip along the wall, and the ball has a radius of 3.7 cm.
    #expect(Double(try #require(place).1) ?? 0 > 100)
    try Self.aim(0, &rig)
    let floor = try rig.floor()
    #expect(floor.marks.isEmpty)
    // Both walls of the corner are as far away as the radius of the ball, or a little farther after the rebound.
    let distances = floor.walls.map { wall in
      abs(wall[0] * wall[3] - wall[1] * wall[2]) / hypot(wall[2] - wall[0], wall[3] - wall[1])
    }
    #expect(distances.count == 4 && distances[1...2].allSatisfy { (3.5...8).contains($0) }, "\(distances)")
  }
}
