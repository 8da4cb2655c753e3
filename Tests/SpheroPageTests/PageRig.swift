// A page and its simulated robot on a line in virtual time.

import Foundation
import SpheroPage
import SpheroProtocol
import Testing

/// A page, a simulated robot, and the commands between them.
struct PageRig {
  var page = Page()
  var robot: SimulatedRobot
  private(set) var now = Duration.zero
  /// The commands that the page sent.
  private(set) var commands: [CommandPacket] = []
  /// Whether the line transmits bytes.
  var isOpen = true
  /// Whether the line loses the bytes of the robot.
  var losesAnswers = false
  private var decoder = PacketDecoder(from: .host)

  init() { robot = SimulatedRobot(at: .zero) }

  /// A page with a connected robot that streams.
  static func connected() throws -> PageRig {
    var rig = PageRig()
    try rig.execute("connect 1763800000000")
    rig.run(for: .seconds(1))
    rig.forget()
    return rig
  }

  /// Executes a command and transmits the bytes that it causes.
  @discardableResult
  mutating func execute(_ command: String) throws(PageError) -> String {
    let result = try page.execute(command, at: now)
    handleUpdates()
    return String(decoding: result, as: UTF8.self)
  }

  /// Advances time; a slow machine advances it in steps of `step` at least.
  mutating func run(for duration: Duration, step: Duration = .microseconds(100)) {
    let end = now + duration
    while now < end {
      handleUpdates()
      let due = [page.nextDeadline, robot.nextDeadline].compactMap { $0 }.min() ?? end
      now = min(end, max(due, now + step))
      page.advance(to: now)
      robot.receive([], at: now)
    }
    handleUpdates()
  }

  /// Clears the commands.
  mutating func forget() { commands = [] }

  private mutating func handleUpdates() {
    var isMoving = true
    while isMoving {
      isMoving = false
      while isOpen, let bytes = page.takeOutput(at: now) {
        isMoving = true
        decoder.append(bytes)
        while let packet = decoder.next() {
          if case .command(let command) = packet { commands.append(command) }
        }
        robot.receive(bytes, at: now)
      }
      while let bytes = robot.takeOutput(at: now) {
        if isOpen, !losesAnswers { page.receive(bytes, at: now) }
        isMoving = true
      }
    }
    if isOpen { page.observe(robot) }
  }

  /// The payloads of the sent commands with an ID.
  func payloads(_ device: UInt8, _ command: UInt8) -> [[UInt8]] {
    commands.filter { $0.id == CommandID(device, command) }.map(\.payload)
  }

  /// The payloads of the sent rolls: speed, heading and state.
  var rolls: [[UInt8]] { payloads(0x02, 0x30) }

  // MARK: Answers

  /// Expects a part of the view.
  mutating func expectView(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let view = try execute("view")
    #expect(view.contains(text), "\(view)", sourceLocation: sourceLocation)
  }

  /// The marks of collisions and the walls, as the view reports them.
  mutating func floor() throws -> (marks: [[Double]], walls: [[Double]]) {
    struct View: Decodable {
      struct Collisions: Decodable { let marks: [[Double]] }
      let collisions: Collisions
      let walls: [[Double]]
    }
    let view = try JSONDecoder().decode(View.self, from: Data(try execute("view").utf8))
    return (view.collisions.marks, view.walls)
  }

  /// The lines of the news of a kind.
  mutating func news(_ kind: String) throws -> [String] {
    try execute("news").split(separator: "\n").map { String($0) }
      .filter { $0.hasPrefix("{\"kind\":\"\(kind)\"") }
  }

  /// The members of an object of JSON with their texts, in order.
  static func members(of object: String) -> [(String, String)] {
    elements(of: object).compactMap { member in
      guard let colon = member.firstIndex(of: ":") else { return nil }
      return (String(member[..<colon].filter { $0 != "\"" }), String(member[member.index(after: colon)...]))
    }
  }

  /// The elements of a list, or the members of an object, as texts.
  static func elements(of text: String) -> [String] {
    var (elements, element) = ([String](), "")
    var (depth, isInString) = (0, false)
    var isEscaped = false
    for character in text.dropFirst().dropLast() {
      if isInString {
        if character == "\"" && !isEscaped { isInString = false }
        isEscaped = character == "\\" && !isEscaped
      } else {
        if character == "\"" { isInString = true }
        if "[{".contains(character) { depth += 1 }
        if "]}".contains(character) { depth -= 1 }
        if character == ",", depth == 0 {
          elements.append(element)
          element = ""
          continue
        }
      }
      element.append(character)
    }
    return element.isEmpty ? elements : elements + [element]
  }

  /// The text of a member of the view.
  mutating func member(_ name: String) throws -> String {
    Self.members(of: try execute("view")).first { $0.0 == name }?.1 ?? ""
  }

  /// A member of the view that is a string.
  mutating func string(_ name: String) throws -> String { String(try member(name).dropFirst().dropLast()) }

  /// The members of the status, without the braces.
  mutating func status() throws -> String {
    let status = try execute("status")
    guard try status == member("status") else { return "the status is not that of the view" }
    return String(status.dropFirst().dropLast())
  }
}
