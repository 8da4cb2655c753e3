// sphero balance: a game that is played by tilting a robot; the controller that it shares with sphero drive.

import SpheroControls
import SpheroDrawing
import SpheroOrientation
import SpheroProtocol
import SpheroRecording
import SpheroSession
import SpheroTransport

struct Balance: Subcommand {
  static let name = "balance"
  static let abstract = "A game: tilt the robot to roll a drawn ball."
  static let otherNames = ["game", "tilt"]
  static let examples = ["sphero balance", "sphero balance --walls --port /dev/rfcomm0"]

  var connection = Connection()
  var hasWalls = false

  var needsPerson: Bool { true }

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.flag(
      "walls", nil, &hasWalls,
      "Begin with walls, off which the ball bounces; the key w toggles them. Without walls, it begins again in the centre."
    )
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    try connection.checkScreen(instead: "Run it in a terminal; 'sphero stream --mask quat' needs none.")
    var panel = BalancePanel(edge: hasWalls ? .wall : .reset)
    panel.title = try connection.resolvedPort().description
    try await connection.withController { [panel] controller in
      var screen = PanelScreen<BalancePanel>()
      screen.wantsMouse = false
      let change = screen.change
      screen.sources = [{ await controller.follow(change, rest: "q quits") }]
      _ = try await screen.run(panel)
    }
  }
}

protocol TiltPanel: Panel {
  var remark: (text: String, severity: Monitor.Severity)? { get set }
  mutating func handleTilt(gravity: Vector3, at time: Duration)
  mutating func interruptTilt()
  mutating func endTilt()
}

extension DrivePanel: TiltPanel {}
extension BalancePanel: TiltPanel {}

struct Controller: Sendable {
  fileprivate let robot: Robot
  /// The stream to request from a recording; nil for a robot.
  fileprivate let recorded: StreamRequest?

  /// Passes the readings to a panel until they end, and then shows the reason, also an error, and `rest`: how to go on.
  func follow<P: TiltPanel>(_ change: @escaping PanelScreen<P>.Change, rest: String) async {
    var end = (text: "The controller sends no more readings; \(rest).", severity: Monitor.Severity.note)
    let receive: @Sendable (TiltReading) -> Void = { reading in
      change { panel in
        switch reading {
        case .gravity(let gravity, let time): panel.handleTilt(gravity: gravity, at: time)
        case .interrupted: panel.interruptTilt()
        }
      }
    }
    do {
      if let recorded {
        // A recording cannot show a colour, and delivers only the recorded stream.
        try await robot.reportTilt(color: nil, stream: recorded, to: receive)
      } else {
        try await robot.reportTilt(to: receive)
      }
    } catch LinkError.closed where recorded != nil {
      end.text = "The recording is over; \(rest)."
    } catch {
      end = ("controller: \(Failure(error).message); \(rest)", .alarm)
    }
    change { [end] panel in
      panel.endTilt()
      panel.remark = end
    }
  }
}

extension Connection {
  /// Connects a controller for the duration of `body`, and restores its lights afterwards.
  func withController(_ body: (Controller) async throws -> Void) async throws {
    let port = try resolvedPort()
    var recorded: StreamRequest?
    if case .recording(let path) = port {
      let streams: [StreamFormat]
      do { streams = try await Replay.reading(path: path).streams } catch {
        throw await Failure.recording(error, path) ?? error
      }
      guard
        let stream = streams.first(where: {
          $0.mask.isSuperset(of: .quat) || $0.mask.isSuperset(of: .imu)
        })
      else {
        throw Failure(
          .badData, "\(path) has no stream with the attitude of the robot",
          advice: "Record one with 'sphero record FILE --mask quat'.")
      }
      recorded = StreamRequest(mask: stream.mask, divisor: stream.divisor ?? 20, frames: stream.frames ?? 1)
    }
    try await withRobot(reopens: true) { robot in
      let controller = Controller(robot: robot, recorded: recorded)
      guard recorded == nil else { return try await body(controller) }
      let color = RGB(try await robot.send(Lights.GetRGBLED()))
      let outcome = await result { try await body(controller) }
      await cleanUp { try await robot.endTilt(restoring: color) }
      try outcome.get()
    }
  }
}
