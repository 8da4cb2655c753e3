// A macOS app of one file: a joystick, a colour and the newest sample of a robot. Docs/Apps.md says how to build it.

import Observation
import SpheroControls
import SpheroOrientation
import SpheroPort
import SpheroProtocol
import SpheroSession
import SpheroTransport
import SwiftUI

/// The robot, as the views see it.
@Observable @MainActor final class Ball {
  /// What is going on, in a sentence.
  private(set) var state = "Not connected"
  /// The yaw of the newest sample, in degrees.
  private(set) var yaw = 0.0
  /// Whether a robot is connected.
  var isConnected: Bool { robot != nil }

  private var robot: Robot?
  private var session: Task<Void, Never>?

  /// Connects, and follows the samples until ``disconnect()``.
  ///
  /// - Parameter text: A port, such as `sim:` or `/dev/cu.Sphero-RGB-AMP-SPP`.
  func connect(to text: String) {
    session?.cancel()
    session = Task {
      do {
        state = "Connecting to \(text)"
        let line = try await PortOpener(Port(parsing: text)).open()
        try await Robot.withRobot(on: line) { robot in
          self.robot = robot
          defer { self.robot = nil }
          state = "Connected to \(text)"
          for try await sample in try await robot.samples(.imu, hertz: 20) {
            yaw = sample[.yaw] ?? yaw
          }
        }
        state = "Not connected"
      } catch is CancellationError {
        state = "Not connected"
      } catch {
        state = "\(error)"
      }
    }
  }

  /// Stops the ball, puts the robot back and closes the line.
  func disconnect() { session?.cancel() }

  /// Sends where to roll; of many values the newest is sent, at the pace of the link.
  func drive(_ drive: Drive) {
    perform { robot in
      if let heading = drive.heading {
        try await robot.drive(heading, speed: drive.speed)
      } else {
        try await robot.stopDriving()
      }
    }
  }

  /// Shows a colour.
  func show(_ color: RGB) { perform { robot in try await robot.setColor(color) } }

  private func perform(_ action: @escaping (Robot) async throws -> Void) {
    guard let robot else { return }
    Task {
      do { try await action(robot) } catch { state = "\(error)" }
    }
  }
}

/// A round pad: the farther from the middle, the faster.
struct JoystickView: View {
  let ball: Ball
  @State private var puck = CGPoint(x: Self.side / 2, y: Self.side / 2)

  private static let side = 240.0

  var body: some View {
    ZStack {
      Circle().fill(.gray.opacity(0.2))
      Circle().fill(.blue).frame(width: 60, height: 60).position(puck)
    }
    .frame(width: Self.side, height: Self.side)
    .gesture(
      DragGesture(minimumDistance: 0)
        .onChanged { move(to: $0.location) }
        .onEnded { _ in release() })
  }

  private var joystick: Joystick? {
    Pad(width: Self.side, height: Self.side).map { Joystick(pad: $0) }
  }

  private func move(to location: CGPoint) {
    guard let joystick else { return }
    let drive = joystick.drive(at: SpheroControls.Point(x: location.x, y: location.y))
    // At the rim where the finger is outside.
    let place = joystick.puck(for: drive)
    puck = CGPoint(x: place.x, y: place.y)
    ball.drive(drive)
  }

  private func release() {
    puck = CGPoint(x: Self.side / 2, y: Self.side / 2)
    ball.drive(.stop)
  }
}

/// The window.
struct BallView: View {
  let ball: Ball
  @State private var port = "sim:"
  @State private var hue = 0.6

  var body: some View {
    VStack(spacing: 16) {
      HStack {
        TextField("Port", text: $port)
        Button(ball.isConnected ? "Disconnect" : "Connect") {
          if ball.isConnected { ball.disconnect() } else { ball.connect(to: port) }
        }
      }
      Text(ball.state)
      JoystickView(ball: ball)
      Slider(value: $hue, in: 0...1) { Text("Colour") }
        .onChange(of: hue) { if let color { ball.show(color) } }
      Text("Yaw \(Int(ball.yaw.rounded()))°")
    }
    .padding()
    .frame(width: 320)
  }

  /// Nil only where the slider's number is not finite.
  private var color: RGB? { HSB(hue: hue * 360, saturation: 1, brightness: 1).map { RGB($0) } }
}

/// The app.
@main struct BallApp: App {
  @State private var ball = Ball()

  var body: some Scene {
    WindowGroup("Ball") { BallView(ball: ball) }
  }
}
