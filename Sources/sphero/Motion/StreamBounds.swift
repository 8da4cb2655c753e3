// The end of a stream: `--count`, `--for`, and the report after the last sample.

import SpheroProtocol
import SpheroSession
import SpheroTransport

/// The options that end a stream.
struct StreamBounds: Sendable {
  var count: Int?
  var time: Duration?

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option("count", "n", &count, as: .count, "End after this many samples.")
    try line.option("for", "t", &time, "End after this time.")
  }

  /// The maximum delay of the last packet after the end of the time.
  private static let gracePeriod = Duration.milliseconds(250)

  /// Starts a timer that ends the samples, even if none arrive any more; the caller cancels it when the stream ends.
  func limit(_ samples: SampleSequence, _ request: StreamRequest) -> Task<Void, any Error>? {
    time.map { time in
      Task(executorPreference: Program.time) {
        // The first packet arrives a period after the start of the stream; a second period allows for a slow link.
        try await Program.time.sleep(for: time + min(request.packetPeriod * 2, Self.gracePeriod))
        samples.end()
      }
    }
  }

  /// Throws a ``Failure`` if the link was lost or the samples stopped before the end of the time.
  func expectEnd(_ tally: StreamTally, _ request: StreamRequest, of robot: Robot) async throws {
    guard tally.count != count else { return }
    if let lostAt = await robot.lostAt {
      throw Failure(
        .linkLost,
        "the link was lost \((Program.time.now - lostAt).text(digits: 1)) s before the end, and has not come back",
        advice: "Move closer and wake the robot. All samples before that are complete.")
    }
    guard let time else { return }
    let silence = tally.count > 0 ? Program.time.now - tally.last : time
    guard silence >= max(.seconds(2), request.packetPeriod * 3) else { return }
    throw Failure(
      .timedOut, "the robot sent no samples for the last \(silence.text(digits: 1)) s",
      advice: "Move closer and wake the robot. All samples before that are complete.")
  }

  /// The progress line; nil for one of several robots, whose lines would overwrite each other.
  func progress(of connection: Connection) -> Progress? {
    connection.label.isEmpty ? Progress(count: count, time: time, isQuiet: connection.isQuiet) : nil
  }
}

extension StreamTally {
  var fields: [Field] {
    [Field("samples", .count(count)), Field("sample_rate", .hertz, .decimal(rate, digits: 2))]
  }

  /// A summary like `200 samples in 9.950 s, 20.00 a second; 0 lost on the way, 0 dropped`.
  func sentence(lost: Int, dropped: Int) -> String {
    let pace = rate.map { " in \(span.text(digits: 3)) s, \(Decimal.text($0, digits: 2)) a second" } ?? ""
    return "\(count == 0 ? "no" : "\(count)") sample\(count == 1 ? "" : "s")\(pace); "
      + "\(lost) lost on the way, \(dropped) dropped"
  }

  /// Prints the summary as a remark.
  func report(
    _ samples: SampleSequence, of robot: Robot, _ connection: Connection, _ terminal: Terminal
  ) async {
    if samples.dropped > 0 {
      await terminal.note(
        "\(samples.dropped) samples were lost: the output was read too slowly", connection)
    }
    let lost = await robot.statistics.lostFrames
    await terminal.note(sentence(lost: lost, dropped: samples.dropped), connection)
  }
}
