// A motion manager in the manner of Core Motion: accelerometer, gyroscope and device motion of a robot.

import SpheroHost
import SpheroMotion
public import SpheroOrientation
public import SpheroProtocol
import SpheroTransport

/// Delivers the accelerometer, the gyroscope and the device motion of a robot, each at its own interval.
///
/// The names are those of Core Motion's `CMMotionManager` where the meaning is the same.
///
/// - Pull: after a start, ``accelerometerData``, ``gyroData`` and ``deviceMotion`` are the newest values with their ages.
/// - Push: each start returns a sequence of the following values.
///
/// All kinds, managers and other consumers share the one stream of the robot; see ``Robot/samples(_:buffering:ageLimit:)``.
///
/// While the link is lost, no values arrive and ages increase; values arrive again after a reconnection.
/// If the stream ends with an error, ``isDeviceMotionActive`` and its counterparts are false, and the sequences throw it.
/// ``stopDeviceMotionUpdates()`` and its counterparts, the end of the session, and the release of the manager end the updates.
public final class MotionManager: Sendable {
  /// The connected robot.
  public let robot: Robot
  /// The robot's model and firmware.
  public let versions: Core.GetVersioning.Response
  /// The convention that converts the robot's sensor words to values on the body axes.
  public let convention: Convention
  private let accelerometer: MotionUpdater<Vector3, SampleReader>
  private let gyroscope: MotionUpdater<Vector3, SampleReader>
  private let motion: MotionUpdater<DeviceMotion, MotionTracker>

  /// Creates a manager, and reads the model and the firmware of the robot.
  ///
  /// - Throws: As ``Robot/send(_:timeout:)``.
  public init(
    _ robot: Robot, by convention: Convention = .sphero,
    settings: MotionEstimator.Settings = MotionEstimator.Settings()
  ) async throws {
    versions = try await robot.version()
    (self.robot, self.convention) = (robot, convention)
    accelerometer = MotionUpdater(SampleReader { $0.specificForce(by: convention) })
    gyroscope = MotionUpdater(SampleReader { $0.rotationRate(by: convention) })
    motion = MotionUpdater(MotionTracker(by: convention, settings: settings))
  }

  deinit {
    accelerometer.stop()
    gyroscope.stop()
    motion.stop()
  }

  // MARK: Availability

  /// Whether the robot is a model with an accelerometer: every model that the protocol names.
  public var isAccelerometerAvailable: Bool {
    Core.GetVersioning.Model.names.contains { $0.key == versions.model }
  }

  /// Whether the robot is a model with a gyroscope: every model that the protocol names.
  public var isGyroAvailable: Bool { isAccelerometerAvailable }

  /// Whether attitude and the values derived from it are available: both sensors are.
  public var isDeviceMotionAvailable: Bool { isAccelerometerAvailable && isGyroAvailable }

  /// Whether the firmware streams its own attitude, as versions from 1.20 do.
  ///
  /// For older firmware, a `MotionEstimator` computes device motion.
  public var isQuaternionAvailable: Bool {
    (versions.mainAppVersion, versions.mainAppRevision) >= (1, 20)
  }

  // MARK: Pull

  /// The newest specific force in g on the body axes right, ahead, up: +1 g upward at rest; nil before the first one.
  public var accelerometerData: MotionReading<Vector3>? { accelerometer.newest(at: robot.time.now) }

  /// The newest rotation rate of the gyroscope in rad/s about the body axes; nil before the first one.
  ///
  /// It includes the bias, which `DeviceMotion.rotationRate` does not.
  public var gyroData: MotionReading<Vector3>? { gyroscope.newest(at: robot.time.now) }

  /// The newest device motion; nil before the first one.
  public var deviceMotion: MotionReading<DeviceMotion>? { motion.newest(at: robot.time.now) }

  /// Whether accelerometer updates are active.
  public var isAccelerometerActive: Bool { accelerometer.isActive }
  /// Whether gyroscope updates are active.
  public var isGyroActive: Bool { gyroscope.isActive }
  /// Whether motion updates are active.
  public var isDeviceMotionActive: Bool { motion.isActive }

  // MARK: Start and stop

  /// Starts updates of the accelerometer, or changes their interval, and returns the following values.
  ///
  /// The interval between two values is rounded down to steps of 2.5 ms, at least one step.
  ///
  /// - Throws: `SessionError`, `LinkError`, `CancellationError`.
  @discardableResult
  public func startAccelerometerUpdates(
    every interval: Duration = .milliseconds(50)
  ) async throws -> MotionUpdates<Vector3> {
    try await accelerometer.start(robot, .accel, every: interval)
  }

  /// Starts updates of the gyroscope, or changes their interval; see ``startAccelerometerUpdates(every:)``.
  @discardableResult
  public func startGyroUpdates(
    every interval: Duration = .milliseconds(50)
  ) async throws -> MotionUpdates<Vector3> {
    try await gyroscope.start(robot, .gyro, every: interval)
  }

  /// Starts updates of the device motion, or changes their interval; see ``startAccelerometerUpdates(every:)``.
  ///
  /// A change of the interval keeps the estimated bias of the gyroscope.
  @discardableResult
  public func startDeviceMotionUpdates(
    every interval: Duration = .milliseconds(50)
  ) async throws -> MotionUpdates<DeviceMotion> {
    try await motion.start(robot, .motion, every: interval)
  }

  /// Stops updates of the accelerometer, and ends their sequences; the newest value remains.
  public func stopAccelerometerUpdates() { accelerometer.stop() }

  /// Stops updates of the gyroscope, and ends their sequences; the newest value remains.
  public func stopGyroUpdates() { gyroscope.stop() }

  /// Stops updates of the device motion, and ends their sequences; the newest value remains.
  public func stopDeviceMotionUpdates() { motion.stop() }
}

/// Reads a vector from each sample.
private struct SampleReader: StreamProcessor {
  let read: @Sendable (Sample) -> Vector3?
  func callAsFunction(_ sample: TimedSample) -> Vector3? { read(sample.sample) }
  func reset() {}
}
