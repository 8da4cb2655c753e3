// sphero ping: is it there, and how far away?

import SpheroProtocol
import SpheroSession
import SpheroTransport

struct Ping: Subcommand {
  static let name = "ping"
  static let abstract = "Measures how long the robot takes to answer."
  static let examples = ["sphero ping", "sphero ping --count 20 --every 100ms"]

  var connection = Connection()
  var count: Whole<Positive> = 4
  var interval = Duration.seconds(1)
  var format = Format.text
  var comparesClocks = false

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option("count", "n", &count, "How often to ask.")
    try line.option("every", "i", &interval, "The time between two questions.")
    try line.flag("clock", nil, &comparesClocks, "Also print how far the robot's clock is ahead of ours.")
    try line.option("format", "f", &format, "How to print.")
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    let clock = SystemTime()
    var records = Records(format)
    var times: [Double] = []
    try await connection.withRobot { robot in
      for number in 1...count.value {
        if number > 1 { try await clock.sleep(for: interval) }
        let start = clock.now
        var answer = Cell(name: "time", unit: "ms", value: .missing)
        do {
          let response = try await robot.exchange(Core.Ping.id, payload: [])
          guard response.status == .ok else {
            throw SessionError.refused(command: Core.Ping.name, status: response.status)
          }
          let milliseconds = (clock.now - start) / .milliseconds(1)
          times.append(milliseconds)
          answer.value = .number(milliseconds, digits: 3)
        } catch SessionError.timedOut {}
        var cells = [Cell(name: "ping", value: .integer(number)), answer]
        if comparesClocks { cells.append(try await clockOffset(of: robot, clock)) }
        for line in records.lines(cells) {
          try await terminal.print(line)
        }
      }
    }
    guard let least = times.min(), let most = times.max() else {
      throw SessionError.timedOut(command: Core.Ping.name, hasEverAnswered: false)
    }
    let mean = times.reduce(0, +) / Double(times.count)
    let figures = [least, mean, most].map { Decimal.text($0, digits: 3) }.joined(separator: "/")
    await terminal.note(
      "\(times.count) of \(count.value) answered, least/mean/most \(figures) ms", connection)
  }

  /// How far the robot's clock is ahead, by four times (API 1.50, "Poll Packet Times"); missing where firmware refuses.
  private func clockOffset(of robot: Robot, _ clock: SystemTime) async throws -> Cell {
    var offset = Cell(name: "clock_offset", unit: "ms", value: .missing)
    do {
      let sent = clock.now / .milliseconds(1)
      let request = Core.PollPacketTimes(clientTx: UInt32(truncatingIfNeeded: Int64(sent)))
      let times = try await robot.send(request)
      let received = clock.now / .milliseconds(1)
      let ahead = (Double(times.robotRx) - sent + Double(times.robotTx) - received) / 2
      offset.value = .number(ahead, digits: 1)
    } catch SessionError.refused {}
    return offset
  }
}
