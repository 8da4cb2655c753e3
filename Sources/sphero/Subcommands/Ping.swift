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
    var records = RecordPrinter(format, kind: Self.name, columns: columns)
    var times: [Duration] = []
    try await connection.withRobot { robot in
      for number in 1...count.value {
        if number > 1 { try await SystemTime().sleep(for: interval) }
        var answer: Duration?
        do {
          let time = try await robot.ping()
          times.append(time)
          answer = time
        } catch let error as SessionError where error.code == .timedOut || error.code == .unconfirmed {}
        var values: [FieldValue] = [.count(number), .seconds(answer)]
        if comparesClocks { values.append(.seconds(try await clockOffset(of: robot), digits: 4)) }
        try await terminal.print(records.text(values))
      }
    }
    guard let least = times.min(), let most = times.max() else {
      // The handshake was answered.
      throw SessionError.timedOut(command: Core.Ping.name, attempts: count.value, hasEverAnswered: true)
    }
    let mean = times.reduce(.zero, +) / times.count
    let figures = [least, mean, most].map { FieldValue.seconds($0).plain }.joined(separator: "/")
    await terminal.note(
      "\(times.count) of \(count.value) answered, least/mean/most \(figures) s", connection)
  }

  /// What is told of each question.
  var columns: [Column] {
    [Column("ping"), Column("round_trip", .seconds)]
      + (comparesClocks ? [Column("clock_offset", .seconds)] : [])
  }

  /// How far the robot's clock is ahead of ours; nil where firmware does not tell.
  private func clockOffset(of robot: Robot) async throws -> Duration? {
    do { return try await robot.clock(questions: 1).offset } catch let error as SessionError
      where error.code == .refused
    {
      return nil
    }
  }
}
