// A robot in a hand as a controller: its lights and motors, and the readings for a tilt control.

public import SpheroControls
public import SpheroHost
public import SpheroOrientation
import SpheroProtocol
import SpheroTransport

/// What a robot in a hand reports to a `TiltControl`.
public enum TiltReading: Hashable, Sendable {
  /// Gravity in body coordinates (x right, y ahead, z up) in g, and the time by the host's clock at which the session
  /// reports it.
  case gravity(Vector3, at: Duration)
  /// The link is lost; readings continue when it is restored.
  case interrupted
}

extension Robot {
  /// The stream of a controller in a hand; several samples may be lost before `TiltControl.inputTimeout`.
  public static let tiltStream = StreamRequest(mask: [.quat, .imu], hertz: 40)

  /// Makes the robot a controller in a hand, and reports its readings until the task is cancelled or the session ends.
  ///
  /// Stabilization is switched off, so that the motors do not work against the hand; the robot shows a colour and its tail
  /// light, also on a restored line. The end of the session and ``endTilt(restoring:)`` switch stabilization on again.
  ///
  /// - Parameters:
  ///   - color: The colour that shows that the robot is the controller; nil leaves motors and lights unchanged,
  ///     as a recording requires.
  ///   - stream: The stream with quaternion or angles; that of a recording is the recorded one.
  ///   - convention: The meaning of quaternion and angles; without a quaternion (firmware before 1.20),
  ///     gravity is computed from the streamed angles, in whole degrees.
  ///   - receive: Receives the readings in order, except those older than `TiltControl.longestGap`: such a line must not drive.
  /// - Throws: As ``samples(_:buffering:ageLimit:)``. It returns if the stream ends without an error.
  public func reportTilt(
    color: RGB? = NamedColor.violet.rgb, stream: StreamRequest = tiltStream,
    by convention: Convention = .sphero,
    to receive: @escaping @Sendable (TiltReading) -> Void
  ) async throws {
    let notices = notices()
    try await becomeController(color)
    let samples = try await samples(stream, buffering: .newest(16))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for try await sample in samples {
          guard let attitude = sample.sample.attitude(by: convention) else { continue }
          let now = self.time.now
          guard now - sample.hostTime <= TiltControl.longestGap else { continue }
          receive(.gravity(attitude.gravity, at: now))
        }
      }
      group.addTask {
        for try await notice in notices {
          if case .disconnected = notice { receive(.interrupted) }
          // A robot that was switched off meanwhile has its default state.
          if case .reconnected = notice { try? await self.becomeController(color) }
        }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func becomeController(_ color: RGB?) async throws {
    guard let color else { return }
    try await setStabilization(false)
    try await self.setColor(color)
    try await setBackLED(brightness: 1)
  }

  /// Restores the lights of a robot that was a controller, and switches stabilization on.
  ///
  /// - Throws: As ``send(_:timeout:)``.
  public func endTilt(restoring color: RGB) async throws {
    try await self.setColor(color)
    try await setBackLED(brightness: 0)
    try await send(Motion.SetStabilization(mode: .onWithoutReset))
  }
}
