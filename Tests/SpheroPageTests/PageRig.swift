// A page and its simulated robot on a line in virtual time.

import SpheroPage
import SpheroProtocol

/// A page, a simulated robot, and the commands between them.
struct PageRig {
  var page = Page()
  var robot: SimulatedRobot
  private(set) var now = Duration.zero
  /// The commands that the page sent.
  private(set) var commands: [CommandPacket] = []
  /// Whether the line transmits bytes.
  var isOpen = true
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

  /// Advances time.
  mutating func run(for duration: Duration) {
    let end = now + duration
    while now < end {
      handleUpdates()
      let due = [page.nextDeadline, robot.nextDeadline].compactMap { $0 }.min() ?? end
      now = min(end, max(due, now + .microseconds(100)))
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
        if isOpen { page.receive(bytes, at: now) }
        isMoving = true
      }
    }
  }

  /// The payloads of the sent commands with an ID.
  func payloads(_ device: UInt8, _ command: UInt8) -> [[UInt8]] {
    commands.filter { $0.id == CommandID(device, command) }.map(\.payload)
  }
}
