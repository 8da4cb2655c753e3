// Guided motion of the page: going to a place, turning, following a path, and everything that ends it.

import SpheroPage
import SpheroProtocol
import Testing

@Suite struct GuidanceTests {
  private static func rig() throws -> PageRig {
    let rig = try PageRig.connected()
    return rig
  }

  /// The number in the view behind a name.
  private static func number(_ name: String, in text: String) -> Double? {
    guard let range = text.firstRange(of: "\"\(name)\":") else { return nil }
    return Double(text[range.upperBound...].prefix { "-.0123456789".contains($0) })
  }

  private static func motion(_ rig: inout PageRig) throws -> (x: Double, y: Double, heading: Double) {
    let view = try rig.execute("view")
    let part = String(view[(try #require(view.firstRange(of: "\"motion\":")).upperBound)...])
    return (
      try #require(number("x", in: part)), try #require(number("y", in: part)),
      try #require(number("heading", in: part))
    )
  }

  @Test func aBallGoesToAPlaceAndReportsIt() throws {
    var rig = try Self.rig()
    try rig.execute("go 60 40")
    rig.run(for: .milliseconds(500))
    try rig.expectView("\"guidance\":{\"goal\":\"path\",\"remaining\":")
    rig.run(for: .seconds(15))
    let place = try Self.motion(&rig)
    // The tolerance of a goal is 3 cm.
    #expect(abs(place.x - 60) <= 3 && abs(place.y - 40) <= 3, "\(place)")
    try rig.expectView("\"guidance\":null")
    #expect(try rig.execute("news").contains("\"kind\":\"guidance\",\"state\":\"arrived\""))
    // The ball stays at rest, and nothing more is sent to it.
    rig.forget()
    rig.run(for: .seconds(2))
    #expect(rig.rolls.isEmpty)
  }

  @Test(arguments: [
    ("turn 90", 90.0), ("turn -45", 315), ("turn towards 0 -100", 180), ("turn towards 50 0", 90),
  ])
  func aBallTurns(_ command: String, _ heading: Double) throws {
    var rig = try Self.rig()
    try rig.execute(command)
    rig.run(for: .seconds(6))
    #expect(try rig.execute("news").contains("\"state\":\"arrived\""))
    let place = try Self.motion(&rig)
    #expect(abs((place.heading - heading).remainder(dividingBy: 360)) <= 2, "\(place)")
    #expect(abs(place.x) <= 2 && abs(place.y) <= 2)
  }

  @Test func aBallFollowsADrawnPath() throws {
    var rig = try Self.rig()
    try rig.execute("speed 0.3")
    try rig.execute("follow 0 50 50 50")
    rig.run(for: .seconds(20))
    let place = try Self.motion(&rig)
    #expect(abs(place.x - 50) <= 3 && abs(place.y - 50) <= 3, "\(place)")
    // The corner is rounded, not cut: the trail passes near it.
    let path = try rig.execute("path")
    let nearest = path.split(separator: "[").compactMap { point -> Double? in
      let parts = point.split(separator: ",").prefix(2).compactMap { Double($0) }
      return parts.count == 2 ? (parts[0] * parts[0] + (parts[1] - 50) * (parts[1] - 50)).squareRoot() : nil
    }.min()
    #expect(try #require(nearest) < 12)
  }

  /// A stream that is off or slow does not matter, because the guidance has its own.
  @Test(arguments: ["sensors off", "sensors quat 1"]) func aSelectedStreamDoesNotMatter(_ stream: String)
    throws
  {
    var rig = try Self.rig()
    try rig.execute(stream)
    try rig.execute("go 0 40")
    rig.run(for: .seconds(12))
    #expect(try rig.execute("news").contains("\"state\":\"arrived\""))
  }

  @Test(arguments: ["stop", "stick 0 1", "ring begin", "lost", "leave"])
  func everythingElseEndsIt(_ command: String) throws {
    var rig = try Self.rig()
    try rig.execute("go 0 150")
    rig.run(for: .seconds(1))
    #expect(rig.rolls.last?.first ?? 0 > 0)
    try rig.execute(command)
    try rig.expectView("\"guidance\":null")
    #expect(try rig.execute("news").contains("\"kind\":\"guidance\",\"state\":\"stopped\""))
    rig.run(for: .seconds(3))
    rig.forget()
    rig.run(for: .seconds(2))
    #expect(rig.rolls.filter { $0[0] > 0 }.isEmpty)
  }

  @Test(arguments: ["stop", "stick 0 0", "ring begin", "leave"]) func theEndOfAMotionStopsTheBall(
    _ command: String
  ) throws {
    var rig = try Self.rig()
    try rig.execute("go 0 150")
    rig.run(for: .seconds(1))
    rig.forget()
    try rig.execute(command)
    rig.run(for: .milliseconds(100))
    #expect(rig.rolls.first?[3] == 0, "\(rig.rolls)")
    #expect(rig.rolls.allSatisfy { $0[0] == 0 })
  }

  @Test func aLevelPhoneDoesNotEndAMotion() throws {
    var rig = try Self.rig()
    try rig.execute("tilt begin")
    try rig.execute("tilt 0 0 0")
    try rig.execute("go 0 40")
    for _ in 0..<240 {
      try rig.execute("tilt 0 0 0")
      rig.run(for: .milliseconds(50))
    }
    #expect(try rig.execute("news").contains("\"state\":\"arrived\""))
  }

  /// The phone must be level before it takes over.
  @Test func aTiltedPhoneDoesNotEndAMotion() throws {
    var rig = try Self.rig()
    try rig.execute("tilt begin")
    for command in ["tilt 0 0 0", "tilt 0 25 0", "go 0 40", "tilt 0 25 0"] { try rig.execute(command) }
    try rig.expectView("\"goal\":\"path\"")
    for command in ["tilt 0 0 0", "tilt 0 25 0"] { try rig.execute(command) }
    try rig.expectView("\"guidance\":null")
  }

  /// A program inside the robot would compete with the guidance.
  @Test func aGuidedMotionReplacesAProgram() throws {
    var rig = try Self.rig()
    try rig.execute("run macro rollLong 60 180 5000\nrollLong 60 180 5000")
    rig.run(for: .seconds(1))
    try rig.execute("go 0 40")
    try rig.expectView("\"program\":null")
    rig.run(for: .seconds(15))
    let place = try Self.motion(&rig)
    #expect(abs(place.x) <= 3 && abs(place.y - 40) <= 3, "\(place)")
  }

  /// The heading of the last motion of the page is not that of a program inside the robot.
  @Test func aStopKeepsTheHeadingOfAProgram() throws {
    var rig = try Self.rig()
    try rig.execute("go 0 40")
    rig.run(for: .seconds(15))
    try rig.execute("run macro rollLong 60 180 20000")
    rig.run(for: .seconds(4))
    rig.forget()
    try rig.execute("stop")
    rig.run(for: .seconds(3))
    let stops = rig.rolls.filter { $0[3] == 0 }
    #expect(!stops.isEmpty && stops.allSatisfy { abs(Int($0[1]) * 256 + Int($0[2]) - 180) <= 3 }, "\(stops)")
  }

  @Test func aSilentRobotIsStoppedAndReported() throws {
    var rig = try Self.rig()
    try rig.execute("go 0 150")
    rig.run(for: .seconds(1))
    rig.isOpen = false
    rig.run(for: .seconds(5))
    try rig.expectView("\"guidance\":null")
    let news = try rig.execute("news")
    #expect(news.contains("\"kind\":\"guidance\",\"state\":\"failed\""))
    #expect(news.contains("the robot does not report its position, so it was stopped"))
    rig.isOpen = true
    rig.run(for: .seconds(3))
    #expect(rig.rolls.last?.first == 0)
  }

  @Test func aWallIsReported() throws {
    var rig = try Self.rig()
    // The room ends 1 m ahead.
    try rig.execute("go 0 400")
    rig.run(for: .seconds(40))
    #expect(try rig.execute("news").contains("\"kind\":\"guidance\",\"state\":\"failed\""))
    #expect(rig.rolls.last?.first == 0)
  }

  @Test(arguments: [
    "go 1", "go 1 2 3", "go 40000 0", "go x 0", "turn", "turn towards 1", "turn towards 0 0", "turn 40000",
    "follow", "follow 1 2 3",
  ])
  func anInvalidCommandMovesNothing(_ command: String) throws {
    var rig = try Self.rig()
    #expect(throws: PageError.self) { try rig.execute(command) }
    rig.run(for: .seconds(1))
    #expect(rig.rolls.isEmpty)
  }

  @Test func withoutARobotItIsAnError() throws {
    var rig = PageRig()
    #expect(throws: PageError.self) { try rig.execute("go 0 40") }
    #expect(throws: PageError.self) { try rig.execute("turn 90") }
  }
}
