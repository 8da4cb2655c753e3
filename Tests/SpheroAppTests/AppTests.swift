// Sessions in an app: all declarations of this target are isolated to the main actor by default.

import Observation
import SpheroControls
import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import Testing

/// The state of a view.
@Observable final class BallModel {
  var yaw = 0.0
  var count = 0
  var notices: [Notice] = []

  /// Receives samples in a closure that changes its state.
  func watch(_ line: some Transport, for count: Int) async throws {
    try await Robot.withRobot(on: line) { robot in
      try await robot.setColor(.blue)
      for try await sample in try await robot.samples(.imu, hertz: 100) {
        yaw = sample[.yaw] ?? yaw
        self.count += 1
        if self.count == count { break }
      }
    }
  }
}

/// Stores a session beyond the function that connects it.
final class Controller {
  private(set) var robot: Robot?

  func connect(_ line: some Transport) async throws { robot = try await Robot.connect(on: line) }

  func drag(to heading: Heading, _ speed: Double) async throws {
    try await robot?.drive(heading, speed: speed)
  }

  func close() async {
    await robot?.close()
    robot = nil
  }
}

@MainActor struct MainActorView {
  var text = ""
  mutating func show(_ line: some Transport) async throws {
    text = try await Robot.withRobot(on: line) { robot in
      let version = try await robot.send(Core.GetVersioning())
      return "\(version.mainAppVersion)"
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct AppTests {
  /// A simulated robot in real time, since the main actor does not run in virtual time; `server` ends with its line.
  private func robot() -> (line: MemoryTransport, robot: SimulatedRobot, server: Task<Void, Never>) {
    let (host, device) = MemoryTransport.pair()
    let robot = SimulatedRobot()
    return (host, robot, Task { await robot.serve(device) })
  }

  @Test func observableModelReceivesSamples() async throws {
    let (line, robot, server) = robot()
    let model = BallModel()
    try await model.watch(line, for: 20)
    #expect(model.count == 20)
    #expect(await robot.lights.blue == 255)
    await server.value
  }

  @Test func mainActorValueSendsRequests() async throws {
    let (line, _, server) = robot()
    var view = MainActorView()
    try await view.show(line)
    #expect(!view.text.isEmpty)
    await server.value
  }

  @Test func storedSessionIsClosed() async throws {
    let (line, robot, server) = robot()
    let controller = Controller()
    try await controller.connect(line)
    let start = ContinuousClock.now
    for speed in 1...50 { try await controller.drag(to: .ahead, Double(speed) / 100) }
    try await Task.sleep(for: .milliseconds(300))
    let session = try #require(controller.robot)
    #expect(await !session.isClosed)
    await controller.close()
    #expect(await session.isClosed)
    await #expect(throws: SessionError.leaving) { try await session.ping() }
    // Set-points are sent at the pace of the link, 12 at once and 12 per second; closing sends up to 8 commands.
    let limit = 12 + Int((ContinuousClock.now - start) / .seconds(1) * 12) + 8
    #expect(await robot.statistics.commands <= limit)
    await server.value
  }
}
