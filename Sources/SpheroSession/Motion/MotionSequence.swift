// Device motion as an asynchronous sequence.

public import SpheroOrientation

/// The device motion of a robot at each sample, for one consumer.
public struct MotionSequence: AsyncSequence, AsyncIteratorProtocol, Sendable {
  let samples: SampleSequence
  var tracker: MotionTracker

  /// The number of samples that were dropped because the consumer was too slow.
  public var dropped: Int { samples.dropped }

  /// Whether sensor fusion computed the latest motion of this iterator, because the robot streams no quaternion.
  public var isFused: Bool { tracker.isFused }

  /// The next motion, or nil once the stream has ended.
  ///
  /// - Throws: `SessionError`, `LinkError`, `CancellationError`.
  public mutating func next() async throws -> DeviceMotion? {
    while let sample = try await samples.next() {
      if let motion = tracker(sample) { return motion }
    }
    return nil
  }

  public func makeAsyncIterator() -> MotionSequence { self }
}

extension Robot {
  /// Streams the device motion: attitude, gravity, user acceleration and rotation rate.
  ///
  /// To receive motion and other fields of the same samples, pass the samples to a `MotionTracker`.
  ///
  /// - Parameters:
  ///   - request: The rate, and the size and number of packets; the method adds the necessary fields.
  ///   - convention: The axes, signs and units of the robot's sensors.
  ///   - calibration: The offsets that are subtracted, as ``measureOffsets(timeLimit:)`` returns them; nil for none.
  /// - Returns: A sequence for one consumer.
  /// - Throws: `SessionError`, `LinkError`, `CancellationError`.
  public func motion(
    _ request: StreamRequest = StreamRequest(mask: .motion), by convention: Convention = .sphero,
    calibration: RestCalibration? = nil
  ) async throws -> MotionSequence {
    var request = request
    request.mask.formUnion(.motion)
    return MotionSequence(
      samples: try await samples(request), tracker: MotionTracker(by: convention, calibration: calibration))
  }

  /// Streams the device motion at the rate 400/n Hz that is nearest to `hertz`, like ``motion(_:by:calibration:)``.
  public func motion(
    hertz: Double, by convention: Convention = .sphero, calibration: RestCalibration? = nil
  ) async throws -> MotionSequence {
    try await motion(StreamRequest(mask: .motion, hertz: hertz), by: convention, calibration: calibration)
  }
}
