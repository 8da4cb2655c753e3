// sphero calibrate: aims the robot, also by a ring on the terminal, finds its conventions, or measures its offsets.

import SpheroControls
import SpheroDrawing
import SpheroOrientation
import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroSession
import SpheroSystem
import SpheroTransport

struct Calibrate: Subcommand {
  static let name = "calibrate"
  static let abstract =
    "Aims the robot by a ring on the terminal, or measures how it reports attitude and rest."
  static let group = VerbGroup.move
  static let otherNames = ["aim"]
  static let examples = [
    "sphero calibrate", "sphero calibrate --heading 90", "sphero calibrate --heading 0",
    "sphero calibrate --conventions --poses 6 --format json", "sphero calibrate --offsets ball.json",
  ]

  var connection = Connection()
  var heading: Heading?
  var isProbing = false
  var offsetFile: String?
  var overwrites = false
  var poses = 5
  var wait = Duration.seconds(30)
  var format = Format.text

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option(
      "heading", nil, &heading,
      "Degrees clockwise from the old aim to the new one; 0 aims where it faces. By default, a ring asks.")
    try line.flag(
      "conventions", nil, &isProbing,
      "Find out from some poses what quaternion, angles and sensors mean; asks for each pose.")
    try line.option(
      "poses", nil, &poses, as: .range(1...255),
      "The poses for '--conventions': four that decide, then any that are different.")
    try line.option(
      "offsets", nil, &offsetFile, as: .newFile,
      "Measure the offsets of accelerometer and gyroscope while the ball lies still, and store them in this file for '--calibration'."
    )
    try line.flag("force", nil, &overwrites, "Replace an existing file of '--offsets'.")
    try line.option(
      "wait", nil, &wait,
      "How long a new pose may take; then the ball is measured as it lies. With '--offsets', how long the measurement may take."
    )
    try line.option("format", "f", &format, "How to print what '--conventions' or '--offsets' finds.")
    try line.conflict("heading", "conventions", "one turns and the other does not; choose one")
    try line.conflict("heading", "poses", "poses are for '--conventions'")
    try line.conflict("heading", "wait", "a wait is for '--conventions' and '--offsets'")
    for other in ["heading", "conventions", "poses"] {
      try line.conflict("offsets", other, "offsets are measured while the ball lies still")
    }
    try connection.options(&line, waits: false)
  }

  var needsPerson: Bool { isProbing || heading == nil && offsetFile == nil }

  func validate() throws(UsageError) {
    if overwrites, offsetFile == nil { throw UsageError("'--force' is for '--offsets', which is missing") }
    if isProbing || heading != nil || offsetFile != nil { return }
    if poses != 5 { throw UsageError("'--poses' is for '--conventions', which is missing") }
    if wait != .seconds(30) || format != .text {
      throw UsageError("'--wait' and '--format' are for '--conventions' and '--offsets'; add one of them")
    }
  }

  func run(_ terminal: Terminal) async throws {
    if isProbing { return try await findConventions(terminal) }
    if let offsetFile { return try await measureOffsets(to: offsetFile, terminal) }
    guard let heading else { return try await aimByHand(terminal) }
    try await connection.withRobot { try await $0.aim(at: heading) }
  }

  private func aimByHand(_ terminal: Terminal) async throws {
    try connection.checkScreen(instead: "Run it in a terminal, or name a direction with '--heading'.")
    var panel = AimPanel()
    panel.title = try connection.resolvedPort().description
    let start = panel
    let isConfirmed = try await connection.withRobot(reopens: true) { robot in
      try await AimingScreen(robot: robot).run(start)
    }
    await terminal.note(isConfirmed ? "heading 0 is where it faces" : "the old aim is kept", connection)
  }

  private func measureOffsets(to file: String, _ terminal: Terminal) async throws {
    // The file is also checked before the measurement, which takes some seconds.
    if !overwrites, InputStream.exists(file) { throw Self.exists(file) }
    await terminal.note("let the ball lie still for 4 s", connection)
    var captures: [CaptureWriter] = []
    func watch(_ line: any Transport, _ writers: [CaptureWriter]) -> any Transport {
      captures = writers
      return line
    }
    let calibration = try await connection.withRobot(watch: watch) { robot in
      let calibration = try await robot.measureOffsets(timeLimit: wait)
      if let mark = CaptureMark(calibration) { for capture in captures { capture.record(mark) } }
      return calibration
    }
    let log: LogFile
    do throws(LinkError) { log = try LogFile(file, overwrites: overwrites) } catch {
      if !overwrites, InputStream.exists(file) { throw Self.exists(file) }
      throw Failure(.cannotCreate, error.message, advice: "Choose a file in a folder that you may write to.")
    }
    do throws(LinkError) { try log.write((calibration.storedText ?? "") + "\n") } catch {
      throw Failure(.linkLost, error.message, advice: "Make room, or write elsewhere.")
    }
    try await terminal.print(Sheet.text(calibration.fields, kind: "offsets", format))
    await terminal.note("'--calibration \(file)' subtracts them from samples", connection)
  }

  private static func exists(_ path: String) -> Failure {
    Failure(.cannotCreate, "\(path) is already there", advice: "Name another file, or add --force.")
  }

  private func findConventions(_ terminal: Terminal) async throws {
    let guide = ConventionGuide(poses: poses, wait: wait) { await terminal.note($0, connection) }
    let probe = try await connection.withRobot { try await guide.probe($0) }
    try await terminal.print(Sheet.text(probe.fields, kind: "conventions", format))
  }
}

extension RestCalibration {
  /// The values of the measurement, on the body axes right, ahead, up.
  var fields: [Field] {
    let rate = rotationRateOffset * (180 / .pi)
    return Axis.allCases.map {
      Field("acceleration_offset_\($0)", .g, .decimal(accelerationOffset[$0], digits: 5))
    }
      + Axis.allCases.map {
        Field("rotation_rate_offset_\($0)", .degreesPerSecond, .decimal(rate[$0], digits: 3))
      }
      + [Field("readings", .count(sampleCount))]
  }
}

struct AimingScreen: Sendable {
  let robot: Robot

  /// The time for the first report of the heading; without a report, the robot is assumed to face ahead.
  private static let gracePeriod = Duration.seconds(2)
  /// The time for the last turn: the slowest robots need 1.5 s for half a turn.
  private static let turningTime = Duration.milliseconds(1_500)
  /// The maximum error of a completed turn, in degrees.
  private static let tolerance = 3.0

  /// Shows the ring until it is confirmed or cancelled, and returns whether the robot has a new aim.
  func run(_ panel: AimPanel) async throws -> Bool {
    let latest = Locked(panel)
    var hasNewAim = false
    do {
      let (panel, outcome) = try await screen(latest).run(panel)
      var ending = panel
      for action in ending.end(isConfirmed: outcome == .confirmed) {
        try await robot.perform([action])
        switch action {
        case .rotate(let heading) where outcome == .confirmed: try await waitForTurn(to: heading, panel.seen)
        case .setHeadingZero: hasNewAim = true
        default: break
        }
      }
      return hasNewAim
    } catch {
      // After a new aim, the old heading is not valid any more.
      let cleanup =
        hasNewAim ? [.setTailLight(isOn: false)] : latest.withLock { $0.end(isConfirmed: false) }
      await cleanUp { [robot] in try await robot.perform(cleanup) }
      throw error
    }
  }

  /// Waits until the robot has turned, since the new heading 0 is the direction at that time.
  private func waitForTurn(to heading: Heading, _ seen: Heading?) async throws {
    if let seen, abs(seen.turn(to: heading).degrees) <= Self.tolerance { return }
    try await Program.time.sleep(for: Self.turningTime)
  }

  private func screen(_ latest: Locked<AimPanel>) -> PanelScreen<AimPanel> {
    var screen = PanelScreen<AimPanel> { [robot] panel, _ in
      if !panel.isActive, let seen = panel.seen { panel.begin(at: seen) }
      let actions = panel.takeActions()
      latest.withLock { [panel] in $0 = panel }
      for action in actions {
        do {
          // `drive` replaces pending turns by the newest one.
          if case .rotate(let heading) = action {
            try await robot.drive(heading, speed: 0)
          } else {
            try await robot.perform([action])
          }
        } catch {
          guard await !robot.isClosed, panel.isActive, case .rotate = action else { throw error }
          panel.isLinkLost = true
        }
      }
    }
    let change = screen.change
    screen.sources = [
      { [robot] in
        try await watch(robot) { reading in
          change { $0.seen = reading.heading }
        } missing: {
          change { $0.remark = ("the robot does not report its heading", .warning) }
        }
      },
      {
        try await Program.time.sleep(for: Self.gracePeriod)
        change { if !$0.isActive { $0.begin(at: .ahead) } }
      },
      { [robot] in
        for try await notice in await robot.notices() {
          change { panel in
            switch notice {
            case .disconnected: panel.isLinkLost = true
            case .reconnected: (panel.isLinkLost, panel.remark) = (false, (notice.description, .note))
            default: break
            }
          }
          // A restarted robot has its tail light off.
          if case .reconnected = notice { try? await robot.setBackLED(brightness: 1) }
        }
        throw SessionError.leaving
      },
    ]
    return screen
  }
}
