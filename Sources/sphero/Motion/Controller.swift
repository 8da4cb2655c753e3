// A controller: a robot held in a hand, or its recording, whose tilt operates a panel.

import SpheroControls
import SpheroDrawing
import SpheroOrientation
import SpheroProtocol
import SpheroRecording
import SpheroSession
import SpheroTransport

/// A panel that the tilt of a controller operates.
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

  private func report(_ receive: @escaping @Sendable (TiltReading) -> Void) async throws {
    guard let recorded else { return try await robot.reportTilt(to: receive) }
    // A recording cannot show a colour, and delivers only the recorded stream.
    try await robot.reportTilt(color: nil, stream: recorded, to: receive)
  }

  /// Passes the readings to a panel until they end, and then shows the reason, also an error, and `rest`: how to go on.
  func follow<P: TiltPanel>(_ change: @escaping PanelScreen<P>.Change, rest: String) async {
    var end = (text: "The controller sends no more readings; \(rest).", severity: Monitor.Severity.note)
    do {
      try await report { reading in
        change { panel in
          switch reading {
          case .gravity(let gravity, let time): panel.handleTilt(gravity: gravity, at: time)
          case .interrupted: panel.interruptTilt()
          }
        }
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
      recorded = try await StreamRequest.withAttitude(recordedIn: path)
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

extension StreamRequest {
  /// The first stream of a recording that has an attitude.
  ///
  /// - Throws: A ``Failure`` if the file cannot be read (exit code 66) or has no such stream (65).
  fileprivate static func withAttitude(recordedIn path: String) async throws -> StreamRequest {
    let streams: [StreamFormat]
    do { streams = try await Replay.reading(path: path).streams } catch {
      throw await Failure.recording(error, path) ?? error
    }
    let attitude = SensorMask.quat.union(.imu)
    guard let stream = streams.first(where: { !$0.mask.isDisjoint(with: attitude) }) else {
      throw Failure(
        .badData, "\(path) has no stream with the attitude of the robot",
        advice: "Record one with 'sphero record FILE --mask quat'.")
    }
    return StreamRequest(mask: stream.mask, divisor: stream.divisor ?? 20, frames: stream.frames ?? 1)
  }
}
