// sphero ping: is it there, and how far away?

import SpheroProtocol
import SpheroSerial
import SpheroSession

struct Ping: Subcommand {
  static let name = "ping"
  static let abstract = "Measures how long the robot takes to answer."
  static let examples = ["sphero ping", "sphero ping --count 20 --every 100ms"]

  var connection = Connection()
  var count: Whole<Positive> = 4
  var interval = Duration.seconds(1)
  var format = Format.text

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option("count", "n", &count, "How often to ask.")
    try line.option("every", "i", &interval, "The time between two questions.")
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
        for line in records.lines([Cell(name: "ping", value: .integer(number)), answer]) {
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
}
