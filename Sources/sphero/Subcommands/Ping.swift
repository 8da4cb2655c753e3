// sphero ping: measures round-trip times.

import SpheroProtocol
import SpheroSession
import SpheroTransport

struct Ping: Subcommand {
  static let name = "ping"
  static let abstract = "Measures how fast the robot answers."
  static let examples = ["sphero ping", "sphero ping --count 20 --interval 100ms"]

  var connection = Connection()
  var count = 4
  var interval = Duration.seconds(1)
  var format = Format.text
  var comparesClocks = false

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.option("count", "n", &count, as: .count, "How often to ask.")
    try line.option(
      "interval", "i", &interval, "The time between two questions; at most 12 commands leave in a second.")
    try line.flag("clock", nil, &comparesClocks, "Also print how far the robot's clock is ahead of ours.")
    try line.option("format", "f", &format, "How to print.")
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    var records = RecordPrinter(format, kind: Self.name, columns: columns)
    var roundTrips: [Duration] = []
    var sentCount = 0
    do {
      try await connection.withRobot { robot in
        for number in 1...count {
          if number > 1 { try await robot.time.sleep(for: interval) }
          var roundTrip: Duration?
          do {
            roundTrip = try await robot.ping()
          } catch let error as SessionError where error.isLinkError {}
          var values: [FieldValue] = [.count(number), .seconds(roundTrip)]
          if comparesClocks {
            // The robot's clock minus that of this computer; nil without an answer, and if the firmware refuses the request.
            var offset: Duration?
            do {
              offset = try await robot.clock(measurements: 1).offset
            } catch SessionError.refused {} catch let error as SessionError where error.isLinkError {}
            values.append(.seconds(offset, digits: 4))
          }
          sentCount = number
          if let roundTrip { roundTrips.append(roundTrip) }
          try await terminal.print(records.text(values))
        }
      }
    } catch {
      // Reports the previous pings, also after Ctrl-C and a lost link.
      if sentCount > 0 { await report(roundTrips, of: sentCount, terminal) }
      throw error
    }
    guard !roundTrips.isEmpty else {
      // The robot has answered the handshake, but no ping.
      throw SessionError.timedOut(command: Core.Ping.name, attempts: count, hasEverAnswered: true)
    }
    await report(roundTrips, of: sentCount, terminal)
  }

  private func report(_ roundTrips: [Duration], of sentCount: Int, _ terminal: Terminal) async {
    var figures = ""
    if let minimum = roundTrips.min(), let maximum = roundTrips.max() {
      let mean = roundTrips.reduce(.zero, +) / roundTrips.count
      figures =
        ", least/mean/most "
        + [minimum, mean, maximum].map { FieldValue.seconds($0).plain }.joined(separator: "/") + " s"
    }
    await terminal.note("\(roundTrips.count) of \(sentCount) answered\(figures)", connection)
  }

  var columns: [Column] {
    [Column("ping"), Column("round_trip", .seconds)]
      + (comparesClocks ? [Column("clock_offset", .seconds)] : [])
  }
}
