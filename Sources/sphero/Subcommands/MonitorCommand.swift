// sphero monitor: values, attitude and path of a robot, live on the screen of a terminal.

import SpheroControls
import SpheroDrawing
import SpheroModel
import SpheroOrientation
import SpheroPort
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport

struct MonitorCommand: Subcommand {
  static let name = "monitor"
  static let abstract = "Shows values, attitude and path live."
  static let group = SubcommandGroup.look
  static let examples = [
    "sphero monitor", "sphero monitor --port sim: --mask gyro,velocity --divisor 8",
    "sphero monitor --mask motion --low-pass 2", "sphero monitor --motion --radians",
  ]

  var connection = Connection()
  var fields = StreamFields([.accel, .gyro, .imu, .velocity])
  var rate = StreamRate()
  var printing = SampleOptions()
  var showsMotion = false
  var isInRadians = false

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.option(
      "mask", "m", &fields,
      "What to show as bars, joined by commas; attitude and path are always shown.")
    try rate.options(&line)
    try printing.options(&line)
    try line.flag(
      "motion", nil, &showsMotion,
      "Begin with the motion view, which the key m toggles: both sensors as measured, attitude, gravity, user acceleration, rotation rate."
    )
    try line.flag(
      "radians", nil, &isInRadians, "Begin with radians in the motion view, which the key r toggles.")
    try connection.options(&line)
  }

  var request: StreamRequest {
    StreamRequest(
      mask: fields.streamedMask.union([.motion, .imu, .odometer]), divisor: UInt16(rate.divisor))
  }

  func validate() throws(UsageError) {
    var fields = fields
    // The attitude and the motion view, which are always available, depend on the convention.
    if printing.convention != nil || printing.ignoresQuaternion, !printing.isRaw { fields.hasMotion = true }
    try fields.validateForStream()
    try printing.validate(fields, divisor: rate.divisor)
  }

  func run(_ terminal: Terminal) async throws {
    try connection.checkScreen()
    let printing = try await printing.loaded()
    let columns = StreamColumns(fields, divisor: rate.divisor, printing)
    var monitor = Monitor(
      columns: Array(columns.columns.dropFirst()),
      rate: Double(StreamRequest.sampleRate) / Double(rate.divisor))
    (monitor.showsMotion, monitor.isInRadians) = (showsMotion, isInRadians)
    monitor.title = try connection.resolvedPort().description
    if let remark = rate.remark { await terminal.note(remark, connection) }
    var simulatedRobot: SimulatedRobot?
    func findSimulatedRobot(_ opener: PortOpener) async { simulatedRobot = await opener.simulatedRobot }
    try await connection.withRobot(
      reopens: true, onOpen: findSimulatedRobot, onCaptures: printing.calibration.mark(in:)
    ) { robot in
      monitor.hasHand = simulatedRobot != nil
      let samples = try await robot.samples(request)
      let events = try await robot.reportedEvents()
      var screen = PanelScreen<Monitor>()
      screen.update = { [simulatedRobot] monitor, _ in
        guard let simulatedRobot else { return }
        for action in monitor.takeHandActions() {
          await simulatedRobot.withModel { $0.perform(action, at: $1) }
        }
      }
      screen.wantsMouse = false
      let (change, end) = (screen.change, screen.end)
      // The end of a stream, such as a lost link, ends the monitor.
      screen.sources = [
        {
          var columns = columns
          let convention = printing.robotConvention
          var tracker = MotionTracker(by: convention, calibration: printing.calibration.offsets)
          var angles: PitchRollYaw?
          for try await sample in samples {
            let (values, now) = (Array(columns.values(sample).dropFirst()), robot.time.now)
            // In centimetres to the right and ahead of the locator's origin; nil if it is not streamed.
            let position = sample.sample[.odometerX].flatMap { x in
              sample.sample[.odometerY].map { (x: x, y: $0) }
            }
            let motion = tracker(sample)
            angles = motion.map {
              (printing.reporting ?? tracker.convention).pitchRollYaw(of: $0.attitude, previous: angles)
            }
            let reading = SpheroDrawing.MotionReading(
              accelerometer: sample.sample.specificForce(by: tracker.convention),
              gyroscope: sample.sample.rotationRate(by: tracker.convention),
              motion: motion.map { (printing.reporting ?? .bodyAxes).motion($0) }, angles: angles,
              isFused: tracker.isFused)
            change {
              $0.append(
                values, at: sample.time / .seconds(1), arrival: now / .seconds(1),
                attitude: sample.sample.attitude(by: convention), position: position,
                motion: reading)
            }
          }
          end()
        },
        {
          for try await event in events { change { $0.receive(event.event) } }
          end()
        },
        {
          for try await notice in await robot.notices() { change { $0.receive(notice) } }
          end()
        },
        {
          // No event reports these values. Errors are ignored: the stream reports a robot that does not answer.
          for second in 0... {
            if second.isMultiple(of: 30) {
              if let color = try? await robot.send(Lights.GetRGBLED()) { change { $0.color = RGB(color) } }
              if let power = try? await robot.send(Core.GetPowerState()) {
                change { $0.battery = power.summary }
              }
            }
            let statistics = await robot.statistics
            change { ($0.lostSamples, $0.reconnections) = (statistics.lostFrames, statistics.reconnections) }
            try await Program.time.sleep(for: .seconds(1))
          }
        },
      ]
      _ = try await screen.run(monitor)
    }
  }
}

extension Monitor {
  fileprivate mutating func receive(_ packet: EventPacket) {
    let power = Core.PowerNotification(packet: packet)
    record(Dissection(packet).meaning, power?.state.severity ?? .note)
  }

  fileprivate mutating func receive(_ notice: Notice) {
    var severity = Severity.warning
    switch notice {
    case .disconnected: (link, severity) = (.lost, .alarm)
    case .connected: severity = .note
    // The link is silent until the first sample.
    case .reconnected: (link, severity) = (.silent, .note)
    case .silence: link = .silent
    default: break
    }
    record(notice.description, severity)
  }
}
