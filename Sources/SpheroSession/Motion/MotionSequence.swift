// Device motion as an asynchronous sequence, and errors of guided motion.

import SpheroControls
public import SpheroOrientation
import SpheroProtocol

/// The device motion of a robot at each sample, for one consumer.
public struct MotionSequence: AsyncSequence, Sendable {
  let samples: SampleSequence
  let tracker: MotionTracker

  /// The number of samples that were dropped because the consumer was too slow.
  public var dropped: Int { samples.dropped }

  public struct Iterator: AsyncIteratorProtocol {
    var samples: SampleSequence.Iterator
    var tracker: MotionTracker

    /// Whether the last motion is computed by sensor fusion, because the robot streams no quaternion.
    public var isFused: Bool { tracker.isFused }

    /// The next motion, or nil once the stream has ended.
    ///
    /// - Throws: ``SessionError``, `LinkError`, `CancellationError`.
    public mutating func next() async throws -> DeviceMotion? {
      while let sample = try await samples.next() {
        if let motion = tracker(sample) { return motion }
      }
      return nil
    }
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(samples: samples.makeAsyncIterator(), tracker: tracker)
  }
}

extension Robot {
  /// Whether ``motion(_:by:)`` is possible: until the session ends.
  ///
  /// Every robot of this protocol has a gyroscope and an accelerometer, which sensor fusion combines if the firmware
  /// streams no quaternion.
  public var isDeviceMotionAvailable: Bool { !isClosed }

  /// Streams the device motion: attitude, gravity, user acceleration and rotation rate.
  ///
  /// For motion and other fields of the same samples, pass the samples to a ``MotionTracker``.
  ///
  /// - Parameters:
  ///   - request: The rate and packet sizes; the fields that motion needs are added to its mask.
  ///   - convention: The meaning of the robot's words and axes.
  /// - Returns: A sequence for one consumer.
  /// - Throws: ``SessionError``, `LinkError`.
  public func motion(
    _ request: StreamRequest = StreamRequest(mask: .motion), by convention: Convention = .sphero
  ) async throws -> MotionSequence {
    var request = request
    request.mask.formUnion(.motion)
    return MotionSequence(
      samples: try await samples(request), tracker: MotionTracker(by: convention))
  }
}

/// An error that ends a guided motion; the robot has been sent a stop.
@nonexhaustive public enum MotionError: Error, Hashable, Sendable {
  /// The time limit was reached first; `remaining` is the rest of the way, like `12 cm`.
  case timeout(remaining: String)
  /// The ball was sent commands to move but came no closer to its goal; `remaining` is the rest of the way.
  case noProgress(remaining: String)
  /// The robot stopped reporting its position.
  case noReadings
  /// The path leaves the range that the locator can count.
  case unusablePath
}

extension MotionError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String { "\(message). \(advice)" }

  /// What went wrong: one sentence without a full stop.
  public var message: String {
    switch self {
    case .timeout(let remaining): "the ball did not reach its goal in time: \(remaining) left"
    case .noProgress(let remaining):
      "the ball does not get closer to its goal: \(remaining) left"
    case .noReadings: "the robot stopped reporting its position, so it was stopped"
    case .unusablePath:
      "a path has 1 to \(FloorPath.maximumPointCount) places, none beyond \(Int(FloorPath.maximumCoordinate)) cm of the locator's origin"
    }
  }

  /// The next step.
  public var advice: String {
    switch self {
    case .timeout: "Allow more time or speed."
    case .noProgress: "Check whether it is blocked, held or in its charger."
    case .noReadings: "Move closer to the robot, and try again."
    case .unusablePath: "Make the path shorter, or reset the origin with Sensing.ConfigureLocator."
    }
  }
}
