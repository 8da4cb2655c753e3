// A page and the robot that it carries, on a line in virtual time.

import SpheroPage
import SpheroProtocol

/// A page, a simulated robot, and what crossed the line between them.
struct PageRig {
  var page = Page()
  var robot: SimulatedRobot
  private(set) var now = Duration.zero
  /// The packets that the page sent.
  private(set) var commands: [CommandPacket] = []
  /// Whether the line takes and brings bytes.
  var isOpen = true
  private var decoder = PacketDecoder(from: .host)

  init() { robot = SimulatedRobot(at: .zero) }

  /// A page whose robot streams.
  static func connected() throws -> PageRig {
    var rig = PageRig()
    try rig.say("connect 1763800000000")
    rig.run(for: .seconds(1))
    rig.forget()
    return rig
  }

  /// Says words, and lets what they cause cross the line.
  @discardableResult
  mutating func say(_ words: String) throws(PageError) -> String {
    let answer = try page.say(words, at: now)
    pump()
    return String(decoding: answer, as: UTF8.self)
  }

  /// Lets time pass.
  mutating func run(for duration: Duration) {
    let end = now + duration
    while now < end {
      pump()
      let due = [page.nextDeadline, robot.nextDeadline].compactMap { $0 }.min() ?? end
      now = min(end, max(due, now + .microseconds(100)))
      page.advance(to: now)
      robot.receive([], at: now)
    }
    pump()
  }

  /// Forgets what was sent so far.
  mutating func forget() { commands = [] }

  private mutating func pump() {
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
        if isOpen { page.receive(bytes, at: now) }
        isMoving = true
      }
    }
  }

  /// The payloads of the commands with an ID that were sent.
  func payloads(_ device: UInt8, _ command: UInt8) -> [[UInt8]] {
    commands.filter { $0.id == CommandID(device, command) }.map(\.payload)
  }
}
