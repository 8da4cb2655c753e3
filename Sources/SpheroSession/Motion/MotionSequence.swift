// Device motion as an asynchronous sequence.

public import SpheroOrientation
import SpheroProtocol

/// The motion of a robot, sample by sample; for one consumer.
public struct MotionSequence: AsyncSequence, Sendable {
  let samples: SampleSequence
  let tracker: MotionTracker

  /// Samples that were lost because the consumer was too slow.
  public var dropped: Int { samples.dropped }

  /// Takes samples and gives the motion at each.
  public struct Iterator: AsyncIteratorProtocol {
    var samples: SampleSequence.Iterator
    var tracker: MotionTracker

    /// Whether the last motion comes from fusion, because the robot streams no quaternion.
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

  /// Begins to take samples.
  public func makeAsyncIterator() -> Iterator {
    Iterator(samples: samples.makeAsyncIterator(), tracker: tracker)
  }
}

extension Robot {
  /// Whether ``motion(_:by:)`` can be asked for: as long as the session is not over.
  ///
  /// Every robot of this protocol has gyroscope and accelerometer; where its firmware has no quaternion, fusion makes one.
  public var isDeviceMotionAvailable: Bool { !isClosed }

  /// Streams the motion of the robot: attitude, gravity, own acceleration and rotation rate.
  ///
  /// A robot has one stream: this ends the one before, as ``samples(_:)`` does.
  /// For motion and other fields of one stream, feed a ``MotionTracker`` with its samples.
  ///
  /// - Parameters:
  ///   - request: How to stream; the fields that motion needs are added to its mask.
  ///   - convention: What the robot means by its words and axes.
  /// - Returns: A sequence for one consumer, which ends when another stream is asked for.
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
