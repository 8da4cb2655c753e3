// sphero monitor: values, attitude and path of a robot, live on the screen of a terminal.

import SpheroControls
import SpheroDrawing
import SpheroOrientation
import SpheroProcess
import SpheroProtocol
import SpheroSession
import SpheroTransport

struct MonitorCommand: Subcommand {
  static let name = "monitor"
  static let abstract = "Shows values, attitude and path of a robot live on the terminal."
  static let group = VerbGroup.look
  static let examples = [
    "sphero monitor", "sphero monitor --port sim: --mask gyro,velocity --divisor 8",
    "sphero monitor --mask motion --low-pass 2",
  ]

  var connection = Connection()
  var fields = StreamFields([.accel, .gyro, .imu, .velocity])
  var rate = StreamRate()
  var printing = SampleOptions()

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option(
      "mask", "m", &fields,
      "What to show as bars, joined by commas; attitude and path are always shown.")
    try rate.options(&line)
    try printing.options(&line)
    try connection.options(&line)
  }

  /// What the robot is asked for: attitude and path need fields of their own.
  var request: StreamRequest {
    StreamRequest(
      mask: fields.streamedMask.union([.quat, .imu, .odometer]), divisor: UInt16(rate.divisor))
  }

  func validate() throws(UsageError) { try printing.validate(fields, divisor: rate.divisor) }

  /// What the monitor has to take in.
  enum News: Sendable {
    case sample(TimedSample)
    case event(EventPacket)
    case notice(Notice)
    case color(RGB)
    case power(Core.GetPowerState.Response)
    case statistics(HostStatistics)
    case screen([TerminalScreen.Happening])
    /// It is time to draw.
    case tick
  }

  /// The pictures a second at most.
  private static let picturePeriod = Duration.milliseconds(50)

  func run(_ terminal: Terminal) async throws {
    try TerminalScreen.check()
    if connection.isVerbose, StandardStream.error.isTerminal {
      throw UsageError(
        "'--verbose' prints packets where the monitor draws", advice: "Send them to a file: 2> packets.txt")
    }
    let port = try connection.resolvedPort()
    if let remark = rate.remark { await terminal.note(remark, connection) }
    try await connection.withRobot(reopens: true) { robot in
      let samples = try await robot.samples(request)
      let events = try await robot.reportedEvents()
      try await TerminalScreen.use(on: Program.time) { screen in
        let news = Mailbox<News>(capacity: 4_096)
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { for try await sample in samples { news.push(.sample(sample)) } }
          group.addTask { for try await event in events { news.push(.event(event.event)) } }
          group.addTask { for try await notice in await robot.notices() { news.push(.notice(notice)) } }
          group.addTask { try await ask(robot, news) }
          group.addTask {
            while let happenings = try await screen.happenings.receive() { news.push(.screen(happenings)) }
          }
          group.addTask {
            while true {
              news.push(.tick)
              try await Program.time.sleep(for: Self.picturePeriod)
            }
          }
          defer { group.cancelAll() }
          // What ends the stream ends the monitor: a link that does not come back.
          group.addTask { try await show(news, on: screen, title: port.description) }
          try await group.next()
        }
      }
    }
  }

  /// Asks now and then for what no event reports.
  private func ask(_ robot: Robot, _ news: Mailbox<News>) async throws {
    var round = 0
    while true {
      // The stream reports a robot that does not answer.
      if round.isMultiple(of: 30) {
        if let color = try? await robot.send(Lights.GetRGBLED()) { news.push(.color(RGB(color))) }
        if let power = try? await robot.send(Core.GetPowerState()) { news.push(.power(power)) }
      }
      news.push(.statistics(await robot.statistics))
      try await Program.time.sleep(for: .seconds(1))
      round += 1
    }
  }

  /// Takes in the news and draws until a key ends it.
  private func show(_ news: Mailbox<News>, on screen: TerminalScreen, title: String) async throws {
    var columns = StreamColumns(fields, divisor: rate.divisor, printing)
    var monitor = Monitor(
      columns: Array(columns.columns.dropFirst()),
      rate: Double(StreamRequest.sampleRate) / Double(rate.divisor))
    monitor.title = title
    var printer = CanvasPrinter(colors: .ofTerminal)
    let convention = printing.convention?.convention ?? .sphero
    while let batch = try await news.receive() {
      for item in batch {
        switch item {
        case .sample(let sample):
          let values = columns.values(sample).dropFirst()
          monitor.take(
            Array(values), at: sample.time / .seconds(1), arrival: Program.time.now / .seconds(1),
            attitude: attitude(of: sample.sample, convention), place: sample.sample.place)
        case .event(let packet):
          monitor.take(Dissection(packet), of: packet)
        case .notice(let notice): monitor.take(notice)
        case .color(let color): monitor.color = color
        case .power(let power): monitor.battery = power.summary
        case .statistics(let statistics):
          (monitor.lostSamples, monitor.reconnections) = (statistics.lostFrames, statistics.reconnections)
        case .screen(let happenings):
          for happening in happenings {
            switch happening {
            case .input(.key(let press)) where press.isEnd: return
            case .ended: return
            case .redraw: printer.forget()
            default: break
            }
          }
        case .tick: break
        }
      }
      guard batch.contains(where: \.draws) else { continue }
      let (width, height) = screen.size
      let canvas = monitor.draw(width: width, height: height, now: Program.time.now / .seconds(1))
      try await screen.write(printer.update(to: canvas))
    }
  }

  /// The attitude by the quaternion, or by the angles where firmware sends none.
  private func attitude(of sample: Sample, _ convention: Convention) -> Rotation? {
    sample.rotation(by: convention) ?? sample.pitchRollYaw.flatMap { convention.attitude(of: $0) }
  }
}

extension MonitorCommand.News {
  /// Whether it is time to draw.
  fileprivate var draws: Bool {
    switch self {
    case .tick, .screen: true
    default: false
    }
  }
}

extension KeyPress {
  /// Whether the key ends a program that only shows something.
  fileprivate var isEnd: Bool { self == KeyPress(.character("q")) || self == KeyPress(.character("Q")) }
}

extension Sample {
  /// Centimetres to the right and ahead of the locator's origin; nil where they were not asked for.
  fileprivate var place: (x: Double, y: Double)? {
    guard let x = self[.odometerX], let y = self[.odometerY] else { return nil }
    return (x, y)
  }
}

extension Monitor {
  /// Takes in what the robot reports by itself.
  fileprivate mutating func take(_ dissection: Dissection, of packet: EventPacket) {
    var weight = Weight.note
    if let power = try? Core.PowerNotification(payload: packet.payload),
      packet.id == Core.PowerNotification.id
    {
      weight = power.state.weight
    }
    note(dissection.meaning, weight)
  }

  /// Takes in a remark of the session.
  fileprivate mutating func take(_ notice: Notice) {
    switch notice {
    case .disconnected:
      link = .lost
      note(notice.description, .alarm)
    case .silence:
      link = .silent
      note(notice.description, .warning)
    case .connected: note(notice.description)
    case .reconnected:
      // Until a sample comes the robot is there, but says nothing.
      link = .silent
      note(notice.description)
    default: note(notice.description, .warning)
    }
  }
}
