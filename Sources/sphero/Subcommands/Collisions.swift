// sphero collisions: impacts as they arrive, and thresholds that suit the robot.

import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSystem
import SpheroTransport

struct Collisions: Subcommand {
  static let name = "collisions"
  static let abstract = "Prints impacts, or finds thresholds for them."
  static let examples = [
    "sphero collisions --preset soft", "sphero collisions --count 5 --format json",
    "sphero collisions --tune --for 1m", "sphero collisions --threshold 80 --moving 40",
  ]

  var connection = Connection()
  var preset = CollisionPreset.normal
  var threshold: Thresholds?
  var moving: Int?
  var tunes = false
  var count: Int?
  var time: Duration?
  var format = Format.text

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.option("preset", nil, &preset, "How hard an impact must be.")
    try line.option(
      "threshold", nil, &threshold,
      "The minimum power at rest, for both axes or for each; by default, the preset's.")
    try line.option(
      "moving", nil, &moving, as: .range(0...255),
      "What is added to the threshold at full speed; by default, the preset's.")
    try line.flag(
      "tune", nil, &tunes, "Watch what the robot feels, for 30 s without '--for', and propose thresholds.")
    try line.option(
      "count", "n", &count, as: .count, "End after this many impacts.")
    try line.option("for", "t", &time, "End after this time.")
    try line.option("format", "f", &format, "How to print.")
    for name in ["preset", "threshold", "moving"] {
      try line.conflict("tune", name, "'--tune' finds thresholds")
    }
    try connection.options(&line)
  }

  private var detection: Sensing.ConfigureCollisionDetection {
    guard !tunes else { return CollisionTuner.detection }
    var detection = preset.detection
    if let threshold {
      (detection.xThreshold, detection.yThreshold) = (threshold.across, threshold.along)
    }
    if let moving { (detection.xSpeed, detection.ySpeed) = (UInt8(moving), UInt8(moving)) }
    return detection
  }

  func run(_ terminal: Terminal) async throws {
    let tuner = Locked(CollisionTuner())
    do {
      try await connection.withRobot(reopens: true) { robot in
        // Detection may already be on, so that an impact precedes the answer.
        let start = robot.time.now
        let impacts = await robot.timedEvents(of: Sensing.Collision.self)
        try await robot.send(detection)
        if tunes {
          await terminal.note(
            "move the robot as in use, and hit it as hard as it will be hit", connection)
        } else {
          await terminal.announce("waiting for impacts; Ctrl-C ends", connection)
        }
        try await within(time ?? (tunes ? .seconds(30) : nil), by: robot.time) {
          try await print(impacts, since: start, tuner, terminal)
        }
      }
    } catch {
      // Proposes thresholds for the impacts so far, also after Ctrl-C and a lost link.
      let tuner = tuner.withLock { $0 }
      if tunes, tuner.proposal != nil { try await printProposal(of: tuner, terminal) }
      throw error
    }
    if tunes { try await printProposal(of: tuner.withLock { $0 }, terminal) }
  }

  private func print(
    _ impacts: EventSequence<TimedEvent<Sensing.Collision>>, since start: Duration,
    _ tuner: Locked<CollisionTuner>, _ terminal: Terminal
  ) async throws {
    var records = RecordOutput(format, kind: "collision", columns: Self.columns)
    var number = 0
    if !tunes, format == .csv { try await terminal.print(records.headerLine()) }
    for try await timed in impacts {
      let impact = timed.event
      tuner.withLock { $0.add(impact) }
      // With `--tune`, the proposal is the only record of CSV and JSON, so impacts are remarks on stderr.
      if tunes, format != .text {
        await terminal.note(
          "felt \(impact.xMagnitude) across, \(impact.yMagnitude) along, at speed \(impact.speed)", connection
        )
      } else {
        try await terminal.print(records.text(Self.values(impact, at: timed.arrival - start)))
      }
      number += 1
      if number == count { return }
    }
  }

  static let columns = [
    Column("time", .seconds), Column("clock", .seconds), Column("axis"), Column("from", .degrees),
    Column("x"), Column("y"), Column("x_magnitude"), Column("y_magnitude"), Column("speed"),
  ]

  static func values(_ impact: Sensing.Collision, at time: Duration) -> [FieldValue] {
    [
      .seconds(time, digits: 3), .integer(Int64(impact.timestamp), .milliseconds),
      .text(impact.axis.name),
      .decimal(impact.direction?.degrees(digits: 0), digits: 0), .count(impact.x), .count(impact.y),
      .count(impact.xMagnitude), .count(impact.yMagnitude), .count(impact.speed),
    ]
  }

  private func printProposal(of tuner: CollisionTuner, _ terminal: Terminal) async throws {
    guard let proposal = tuner.proposal else {
      throw Failure(
        .timedOut, "the robot felt no impact, so there are no thresholds to propose",
        advice: "Hit it, let it roll and stop meanwhile, or allow more time with --for.")
    }
    let (x, y) = tuner.axes
    try await terminal.print(Sheet.text(Self.fields(proposal, x, y), kind: "collision_thresholds", format))
    for (name, axis) in [("left and right", x), ("front and back", y)] {
      await terminal.note(
        "\(name): " + (axis?.reason ?? "nothing was felt; the threshold is the other axis's"), connection)
    }
    let thresholds = Thresholds(across: proposal.xThreshold, along: proposal.yThreshold)
    await terminal.note(
      "try 'sphero collisions --threshold \(thresholds.text) --moving \(proposal.xSpeed)'", connection)
  }

  static func fields(
    _ proposal: Sensing.ConfigureCollisionDetection, _ x: CollisionTuner.Axis?, _ y: CollisionTuner.Axis?
  ) -> [Field] {
    [
      Field("x_threshold", .count(proposal.xThreshold)), Field("y_threshold", .count(proposal.yThreshold)),
      Field("x_impacts", .count((x?.powers.count ?? 0) - (x?.jolts ?? 0))),
      Field("y_impacts", .count((y?.powers.count ?? 0) - (y?.jolts ?? 0))),
      Field("x_jolts", .count(x?.jolts ?? 0)), Field("y_jolts", .count(y?.jolts ?? 0)),
    ]
  }
}

struct Thresholds: Argument {
  var across: UInt8
  var along: UInt8

  init(across: UInt8, along: UInt8) { (self.across, self.along) = (across, along) }

  init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = words.compactMap { UInt8($0) }.filter { $0 > 0 }
    guard let first = numbers.first, let last = numbers.last, numbers.count == words.count, words.count <= 2
    else { return nil }
    (across, along) = (first, last)
  }

  var text: String { across == along ? "\(across)" : "\(across),\(along)" }
  static let valueKind = ValueKind(
    placeholder: "n",
    allowed: "1...255, or one for left and right and one for front and back like 80,120")
}

extension CollisionPreset: Choice { static var placeholder: String { "preset" } }

extension CollisionTuner.Axis {
  fileprivate var reason: String {
    let felt = "\(powers.count) felt, of power \(powers.first ?? 0)...\(powers.last ?? 0)"
    guard jolts > 0, powers.indices.contains(jolts) else {
      return "\(felt), without a gap: all count as impacts; \(threshold) is 0.7 of the softest"
    }
    return
      "\(felt): \(jolts) jolt\(jolts == 1 ? "" : "s") of the robot's own motion up to \(powers[jolts - 1]), impacts from \(powers[jolts]); \(threshold) is the geometric mean of these two, 255 at most"
  }
}
