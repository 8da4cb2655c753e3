// What the page reads of the view and the path: only what has changed.

import SpheroPage
import Testing

@Suite struct ChangesTests {
  @Test func theFirstChangesAreTheWholeView() throws {
    var rig = PageRig()
    let view = try rig.execute("view")
    #expect(try rig.execute("view changes") == view)
    #expect(try rig.execute("view changes") == "{}")
    // The whole view is read beside the changes.
    #expect(try rig.execute("view") == view)
  }

  @Test func onlyChangedMembersFollow() throws {
    var rig = PageRig()
    try rig.execute("view changes")
    try rig.execute("speed 0.25")
    #expect(
      try rig.execute("view changes") == #"{"stick":{"x":0.000,"y":0.000,"speed":0.250,"is_held":false}}"#)
    // A difference below the shown digits is none.
    try rig.execute("speed 0.2500001")
    #expect(try rig.execute("view changes") == "{}")
  }

  @Test func theChangesMakeTheView() throws {
    var rig = try PageRig.connected()
    var members: [String: String] = [:]
    var size = 0
    for step in 0..<40 {
      if step == 10 { try rig.execute("stick 0.5 1") }
      if step == 20 { try rig.execute("color lime") }
      rig.run(for: .milliseconds(33))
      let changes = try rig.execute("view changes")
      size += step == 0 ? 0 : changes.utf8.count
      for (name, value) in PageRig.members(of: changes) { members[name] = value }
      #expect(members == Dictionary(uniqueKeysWithValues: PageRig.members(of: try rig.execute("view"))))
    }
    let whole = try rig.execute("view").utf8.count
    #expect(size < 39 * whole / 2, "\(size) bytes of changes, \(whole) bytes of a view")
  }

  @Test func thePathContinues() throws {
    var rig = try PageRig.connected()
    var path: [String] = []
    func read(_ answer: String) throws -> Int {
      let members = Dictionary(uniqueKeysWithValues: PageRig.members(of: answer))
      let kept = try #require(Int(members["kept"] ?? ""))
      let points = PageRig.elements(of: members["points"] ?? "")
      path = path.prefix(kept) + points
      return points.count
    }
    var count = try read(rig.execute("path after 0"))
    for step in 0..<50 {
      try rig.execute("stick 0 1")
      rig.run(for: .milliseconds(100))
      if step % 5 == 4 {
        count = try read(rig.execute("path after \(path.count)"))
        #expect(count <= 11, "of 10 samples")
      }
    }
    let whole = PageRig.elements(of: try rig.execute("path"))
    #expect(path == whole && path.count > 20)
    // A page that has another number of points reads all of them.
    #expect(try read(rig.execute("path after 3")) == path.count)
    try rig.execute("path clear")
    rig.run(for: .milliseconds(60))
    _ = try read(rig.execute("path after \(path.count)"))
    let rest = PageRig.elements(of: try rig.execute("path"))
    #expect(path == rest && path.count < 5)
    for words in ["path after", "path after -1", "path after x", "path after 1 2", "path before"] {
      #expect(throws: PageError.self) { try rig.execute(words) }
    }
  }

  @Test func aNewConversationHasANewPath() throws {
    var rig = try PageRig.connected()
    try rig.execute("color red")
    for _ in 0..<20 {
      try rig.execute("stick 1 0")
      rig.run(for: .milliseconds(100))
    }
    let count = PageRig.elements(of: try rig.execute("path")).count
    let first = try rig.execute("path after 0")
    #expect(first.hasPrefix(#"{"kept":0,"points":[[0.0,0.0,"#) && count > 10)
    rig.robot = SimulatedRobot(at: rig.now)
    try rig.execute("connect 1763800000000")
    for _ in 0..<20 {
      try rig.execute("stick 0 1")
      rig.run(for: .milliseconds(100))
    }
    let path = try rig.execute("path")
    let changes = try rig.execute("path after \(count)")
    #expect(changes == #"{"kept":0,"points":\#(path)}"#)
  }
}
