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
    try line.option(
      "every", "i", &interval, "The time between two questions; at most 12 commands leave in a second.")
    try line.flag("clock", nil, &comparesClocks, "Also print how far the robot's clock is ahead of ours.")
    try line.option("format", "f", &format, "How to print.")
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    var records = RecordPrinter(format, kind: Self.name, columns: columns)
    var times: [Duration] = []
    var asked = 0
    do {
      try await ask { number, time, values in
        asked = number
        if let time { times.append(time) }
        try await terminal.print(records.text(values))
      }
    } catch {
      // What was asked so far is reported, also after Ctrl-C and a lost link.
      if asked > 0 { await tell(times, of: asked, terminal) }
      throw error
    }
    guard !times.isEmpty else {
      // The handshake was answered.
      throw SessionError.timedOut(command: Core.Ping.name, attempts: count.value, hasEverAnswered: true)
    }
    await tell(times, of: asked, terminal)
  }

  /// Asks, and hands over the number of each question, how long the answer took, and what is printed of it.
  private func ask(_ take: (Int, Duration?, [FieldValue]) async throws -> Void) async throws {
    try await connection.withRobot { robot in
      for number in 1...count.value {
        if number > 1 { try await SystemTime().sleep(for: interval) }
        var answer: Duration?
        do {
          answer = try await robot.ping()
        } catch let error as SessionError where error.isOfLink {}
        var values: [FieldValue] = [.count(number), .seconds(answer)]
        if comparesClocks { values.append(.seconds(try await clockOffset(of: robot), digits: 4)) }
        try await take(number, answer, values)
      }
    }
  }

  /// Tells a person how many questions were answered, and how fast.
  private func tell(_ times: [Duration], of asked: Int, _ terminal: Terminal) async {
    var figures = ""
    if let least = times.min(), let most = times.max() {
      let mean = times.reduce(.zero, +) / times.count
      figures =
        ", least/mean/most "
        + [least, mean, most].map { FieldValue.seconds($0).plain }.joined(separator: "/") + " s"
    }
    await terminal.note("\(times.count) of \(asked) answered\(figures)", connection)
  }

  /// What is reported of each question.
  var columns: [Column] {
    [Column("ping"), Column("round_trip", .seconds)]
      + (comparesClocks ? [Column("clock_offset", .seconds)] : [])
  }

  /// How far the robot's clock is ahead of ours; nil where the firmware does not report it.
  private func clockOffset(of robot: Robot) async throws -> Duration? {
    do { return try await robot.clock(questions: 1).offset } catch SessionError.refused {
      return nil
    }
  }
}
