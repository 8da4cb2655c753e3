// The state of the connection: its transitions as a table written by hand, and what the page shows of it.

import Testing

@testable import SpheroPage

@Suite struct ConnectionTests {
  private typealias Event = ConnectionState.Event
  private typealias Phase = ConnectionState

  /// Events that lead from a new connection to each phase.
  private static let ways: [Phase: [Event]] = [
    .closed: [], .choosing: [.portChoice], .opening: [.portChoice, .portOpening],
    .connecting: [.connection], .silent: [.connection, .answer], .live: [.connection, .answer, .sample],
    .lost: [.connection, .loss], .leaving: [.connection, .leave], .left: [.connection, .leave, .end],
    .ended: [.connection, .failure],
  ]

  /// The phase after each event that fits; all other events change nothing.
  private static let transitions: [Phase: [Event: Phase]] = [
    .closed: [.portChoice: .choosing, .portClosing: .closed, .connection: .connecting],
    .choosing: [
      .portOpening: .opening, .portRefusal: .closed, .portClosing: .closed, .connection: .connecting,
    ],
    .opening: [.portRefusal: .closed, .portClosing: .closed, .connection: .connecting],
    .connecting: [
      .answer: .silent, .loss: .lost, .leave: .leaving, .end: .left, .failure: .ended, .portClosing: .closed,
      .connection: .connecting,
    ],
    .live: [
      .sample: .live, .silence: .silent, .loss: .lost, .leave: .leaving, .end: .left, .failure: .ended,
      .portClosing: .closed, .connection: .connecting,
    ],
    .silent: [
      .sample: .live, .silence: .silent, .loss: .lost, .leave: .leaving, .end: .left, .failure: .ended,
      .portClosing: .closed, .connection: .connecting,
    ],
    .lost: [
      .reconnection: .connecting, .loss: .lost, .leave: .leaving, .end: .left, .failure: .ended,
      .portClosing: .closed, .connection: .connecting,
    ],
    .leaving: [
      .leave: .leaving, .end: .left, .failure: .left, .portClosing: .closed, .connection: .connecting,
    ],
    .left: [.portClosing: .closed, .connection: .connecting],
    .ended: [.leave: .left, .portClosing: .closed, .connection: .connecting],
  ]

  @Test func eachEventInEachPhase() throws {
    // Only the page observes the failure of the module.
    #expect(Set(Self.ways.keys) == Set(Phase.allCases).subtracting([.failed]))
    for (phase, way) in Self.ways {
      var reached = ConnectionState.closed
      for event in way { reached.handle(event) }
      #expect(reached == phase)
      for event in Event.allCases {
        var state = reached
        let expected = Self.transitions[phase]?[event]
        #expect(state.handle(event) == (expected != nil), "\(event) in \(phase)")
        #expect(state == expected ?? phase, "\(event) in \(phase)")
      }
    }
  }

  @Test func aConnectionPassesThroughItsPhases() throws {
    var rig = PageRig()
    func link() throws -> String { try rig.string("link") }
    #expect(try link() == "closed")
    for (words, expected) in [
      ("port choosing", "choosing"), ("port refused", "closed"), ("port choosing", "choosing"),
      ("port opening", "opening"), ("connect 1763800000000", "connecting"),
    ] {
      try rig.execute(words)
      #expect(try link() == expected)
    }
    rig.run(for: .seconds(1))
    #expect(try link() == "live")
    try rig.execute("lost")
    #expect(try link() == "lost")
    try rig.execute("back")
    // The robot answers at once unless a sensor packet is ahead of the answer; samples follow later.
    #expect(["connecting", "silent"].contains(try link()))
    rig.run(for: .seconds(3))
    #expect(try link() == "live")
    try rig.execute("leave")
    #expect(try link() == "leaving")
    rig.run(for: .seconds(2))
    #expect(try link() == "left")
    try rig.execute("port closed")
    #expect(try link() == "closed")
  }

  @Test func aPortThatIsClosedEarlyEndsTheConversation() throws {
    var rig = try PageRig.connected()
    rig.isOpen = false
    try rig.execute("leave")
    try rig.execute("port closed")
    #expect(try rig.string("link") == "closed")
    #expect(rig.page.nextDeadline == nil)
    rig.isOpen = true
    try rig.execute("connect 1763800000000")
    rig.run(for: .seconds(1))
    #expect(try rig.string("link") == "live")
  }

  @Test func aConversationThatFailsIsOver() throws {
    var rig = try PageRig.connected()
    try rig.execute("abandon")
    #expect(
      try rig.status() == #""link":"ended","text":"Disconnecting…","age":"","#
        + #""reason":"The page is disconnecting.","caution":null,"has_line":true,"is_on":false,"#
        + #""is_leaving":false,"is_over":true,"can_drive":false,"can_record":false"#)
    try rig.execute("leave")
    #expect(try rig.status().contains(#""link":"left""#))
  }

  @Test func theStatusTellsHowLongTheRobotIsSilent() throws {
    var rig = try PageRig.connected()
    #expect(
      try rig.status() == #""link":"live","text":"Connected","age":"","reason":null,"caution":null,"#
        + #""has_line":true,"is_on":true,"is_leaving":false,"is_over":false,"can_drive":true,"can_record":true"#
    )
    rig.isOpen = false
    rig.run(for: .seconds(8))
    let status = try rig.status()
    #expect(status.hasPrefix(#""link":"silent","text":"No answer","age":" for 8 s","reason":null,"#))
    #expect(status.contains("No feedback") && status.contains(#""can_drive":true"#))
  }

  @Test func aRobotWithoutAStreamIsNotSilent() throws {
    var rig = PageRig()
    try rig.execute("sensors off")
    try rig.execute("connect 1763800000000")
    rig.run(for: .seconds(1))
    #expect(try rig.status().contains(#""link":"live","text":"Connected""#))
  }

  @Test func portsThatDoNotFitAreRefused() throws {
    var rig = try PageRig.connected()
    for words in ["port choosing", "port opening", "port refused", "port", "port open", "port closed now"] {
      #expect(throws: PageError.self) { try rig.execute(words) }
    }
    #expect(try rig.string("link") == "live")
    #expect(try rig.execute("status failed").contains(#""link":"failed","text":"The page has failed""#))
  }
}
