// How long a stream lasts, and what is reported at its end.

import SpheroProtocol
import SpheroSession
import SpheroSystem
import SpheroTransport

/// The options that end a stream.
struct StreamBounds: Sendable {
  var count: Whole<Positive>?
  var time: Duration?

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option("count", "n", &count, "End after this many samples.")
    try line.option("for", "t", &time, "End after this time.")
  }

  /// How much later than the stream's time the last packet may come, at most.
  private static let grace = Duration.milliseconds(250)

  /// Ends the samples once the time is up: they may come rarely, or never again.
  ///
  /// - Parameters:
  ///   - samples: The samples of a stream that has just begun.
  ///   - request: What was asked for.
  /// - Returns: What is to be cancelled where the stream ends before; nil without a time.
  func limit(_ samples: SampleSequence, _ request: StreamRequest) -> Task<Void, any Error>? {
    time.map { time in
      Task(executorPreference: Program.time) {
        // The first packet comes a period after the stream begins; another is room for a slow link.
        try await Program.time.sleep(for: time + min(request.packetPeriod * 2, Self.grace))
        samples.end()
      }
    }
  }

  /// Makes sure that the link and the samples were there until the time was up.
  ///
  /// - Parameters:
  ///   - tally: The samples that came.
  ///   - request: What was asked for.
  ///   - robot: The robot.
  /// - Throws: ``Failure`` where the link was lost before; also where samples stayed away.
  func expectEnd(_ tally: StreamTally, _ request: StreamRequest, of robot: Robot) async throws {
    guard tally.count != count?.value else { return }
    try await robot.expectLink()
    guard let time else { return }
    let silence = tally.count > 0 ? Program.time.now - tally.last : time
    guard silence >= max(.seconds(2), request.packetPeriod * 3) else { return }
    throw Failure(
      .timedOut, "the robot sent no samples for the last \(silence.text(digits: 1)) s",
      advice: "Move closer and wake the robot. All samples before that are complete.")
  }

  /// What is to be seen on the terminal meanwhile.
  func progress(of connection: Connection) -> Progress? {
    // Lines of several robots would write over each other.
    connection.label.isEmpty
      ? Progress(count: count?.value, time: time, isQuiet: connection.isQuiet) : nil
  }
}

extension Robot {
  /// Makes sure that the link was there until the time was up.
  ///
  /// - Throws: ``Failure`` where it was lost before, and has not come back.
  func expectLink() async throws {
    guard let lostAt else { return }
    throw Failure(
      .linkLost,
      "the link was lost \((Program.time.now - lostAt).text(digits: 1)) s before the end, and has not come back",
      advice: "Move closer and wake the robot. All samples before that are complete.")
  }
}

extension StreamTally {
  /// The figures with their names.
  var fields: [Field] {
    [Field("samples", .count(count)), Field("sample_rate", .hertz, .decimal(rate, digits: 2))]
  }

  /// A sentence for people.
  ///
  /// - Parameters:
  ///   - lost: How many were lost on the way.
  ///   - dropped: How many nobody took in time.
  /// - Returns: Like `200 samples in 9.950 s, 20.00 a second; 0 lost on the way, 0 dropped`.
  func sentence(lost: Int, dropped: Int) -> String {
    let pace = rate.map { " in \(span.text(digits: 3)) s, \(Decimal.text($0, digits: 2)) a second" } ?? ""
    return "\(count == 0 ? "no" : "\(count)") sample\(count == 1 ? "" : "s")\(pace); "
      + "\(lost) lost on the way, \(dropped) dropped"
  }

  /// Tells a person what has come of a stream.
  func tell(_ samples: SampleSequence, of robot: Robot, _ connection: Connection, _ terminal: Terminal) async
  {
    if samples.dropped > 0 {
      await terminal.note(
        "\(samples.dropped) samples were lost: the output was read too slowly", connection)
    }
    let lost = await robot.statistics.lostFrames
    await terminal.note(sentence(lost: lost, dropped: samples.dropped), connection)
  }
}
