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
    var records = Records(format)
    var times: [Double] = []
    try await connection.withRobot { robot in
      for number in 1...count.value {
        if number > 1 { try await SystemTime().sleep(for: interval) }
        var answer = Cell(name: "time", unit: "ms", value: .missing)
        do {
          let milliseconds = try await robot.ping() / .milliseconds(1)
          times.append(milliseconds)
          answer.value = .number(milliseconds, digits: 3)
        } catch let error as SessionError where error.code == .timedOut || error.code == .unconfirmed {}
        var cells = [Cell(name: "ping", value: .integer(number)), answer]
        if comparesClocks { cells.append(try await clockOffset(of: robot)) }
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

  /// How far the robot's clock is ahead of ours; missing where firmware does not tell.
  private func clockOffset(of robot: Robot) async throws -> Cell {
    var offset = Cell(name: "clock_offset", unit: "ms", value: .missing)
    do {
      offset.value = .number(try await robot.clock(questions: 1).offset / .milliseconds(1), digits: 1)
    } catch let error as SessionError where error.code == .refused {}
    return offset
  }
}
