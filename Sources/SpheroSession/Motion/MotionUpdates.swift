// Motion data as asynchronous sequences: device motion for one consumer, and the updates of a manager.

public import SpheroHost
public import SpheroOrientation
import SpheroProtocol
import SpheroSystem
import SpheroTransport

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

/// A measurement of a robot's sensors, with its age.
public struct MotionReading<Value: Sendable>: Sendable {
  /// The measurement.
  public let value: Value
  /// The time of the measurement by the host's clock, like `TimedSample.hostTime`.
  public let hostTime: Duration
  /// The time from the measurement until this reading was taken from the manager or the sequence.
  public let age: Duration

  init(_ value: Value, measuredAt hostTime: Duration, takenAt now: Duration) {
    (self.value, self.hostTime, age) = (value, hostTime, max(now - hostTime, .zero))
  }
}

/// The values of one kind of motion data that arrive after the call that returned the sequence.
///
/// The sequence buffers the newest 256 values. After the updates are stopped, it delivers the buffered
/// values and ends. Leaving a loop does not stop the updates.
public struct MotionUpdates<Value: Sendable>: AsyncSequence, AsyncIteratorProtocol, Sendable {
  let mailbox: Mailbox<(Value, Duration)>
  let lifetime: ConsumerLifetime
  let time: any TimeSource

  /// The number of values that were dropped because the consumer was too slow.
  public var dropped: Int { mailbox.dropped }

  /// The next value, or nil once the updates have been stopped and the buffer is empty.
  ///
  /// - Throws: `SessionError`, `LinkError`, `CancellationError`.
  public func next() async throws -> MotionReading<Value>? {
    try Task.checkCancellation()
    return try await mailbox.next().map { MotionReading($0.0, measuredAt: $0.1, takenAt: time.now) }
  }

  public func makeAsyncIterator() -> MotionUpdates { self }
}

/// Reads samples in a task, keeps the newest value, and passes all values on to sequences.
final class MotionUpdater<Value: Sendable, Processor: StreamProcessor<TimedSample, Value?>>: Sendable {
  private struct State {
    var processor: Processor
    /// The running stream; nil while stopped.
    var samples: SampleSequence?
    var mailboxes: [Mailbox<(Value, Duration)>] = []
    var newest: (value: Value, hostTime: Duration)?
    /// The number of calls of ``stop()``, by which a start detects a stop while it awaited its stream.
    var stopCount = 0
    /// The host's time at time zero, and the time of the last sample; both continue from stream to stream.
    var origin, last: Duration?
    /// The start of the present stream since `origin`; nil before its first sample.
    var offset: Duration?

    mutating func process(_ sample: TimedSample, of stream: SampleSequence) -> Value? {
      guard samples?.channel === stream.channel else { return nil }
      // The offset of a stream is that of its first sample. The host's times of later samples lose the delay of a late
      // first packet gradually, so that intervals between them are uneven.
      let start = sample.hostTime - sample.time
      let origin = origin ?? start
      let offset = offset ?? start - origin
      (self.origin, self.offset) = (origin, offset)
      let time = sample.time + offset
      if let last, time <= last { return nil }
      last = time
      let value = processor(TimedSample(time: time, arrival: sample.arrival, sample: sample.sample))
      if let value { newest = (value, sample.hostTime) }
      return value
    }

    /// Removes the stream and the sequences; returns them, to be finished after the unlock.
    mutating func end() -> State {
      let ended = self
      processor.reset()
      (samples, mailboxes) = (nil, [])
      (origin, last, offset) = (nil, nil, nil)
      return ended
    }

    func finish(throwing error: (any Error)?) {
      samples?.end()
      for mailbox in mailboxes { mailbox.finish(throwing: error) }
    }
  }

  private let state: Locked<State>

  init(_ processor: Processor) { state = Locked(State(processor: processor)) }

  var isActive: Bool { state.withLock { $0.samples != nil } }

  func newest(at now: Duration) -> MotionReading<Value>? {
    state.withLock { $0.newest }.map { MotionReading($0.value, measuredAt: $0.hostTime, takenAt: now) }
  }

  /// Starts a stream with an interval; replaces a running stream, whose processor continues.
  ///
  /// If the updates are stopped during the start, the returned sequence is empty.
  func start(
    _ robot: Robot, _ mask: SensorMask, every interval: Duration
  ) async throws -> MotionUpdates<Value> {
    let stopCount = state.withLock { $0.stopCount }
    let samples = try await robot.samples(StreamRequest(mask: mask, interval: interval))
    let mailbox = Mailbox<(Value, Duration)>(capacity: 256)
    let (isStopped, replaced) = state.withLock { state -> (Bool, SampleSequence?) in
      guard state.stopCount == stopCount else { return (true, nil) }
      defer { (state.samples, state.offset) = (samples, nil) }
      state.mailboxes.append(mailbox)
      return (false, state.samples)
    }
    if isStopped {
      samples.end()
      mailbox.finish()
    } else {
      replaced?.end()
      _ = robot.time.start { await self.read(samples) }
    }
    let lifetime = ConsumerLifetime { [weak self] in
      self?.state.withLock { $0.mailboxes.removeAll { $0 === mailbox } }
    }
    return MotionUpdates(mailbox: mailbox, lifetime: lifetime, time: robot.time)
  }

  func stop() {
    let ended = state.withLock { state in
      state.stopCount += 1
      return state.end()
    }
    ended.finish(throwing: nil)
  }

  private func read(_ samples: SampleSequence) async {
    var failure: (any Error)?
    do {
      for try await sample in samples {
        let (value, mailboxes) = state.withLock { ($0.process(sample, of: samples), $0.mailboxes) }
        guard let value else { continue }
        for mailbox in mailboxes { mailbox.push((value, sample.hostTime)) }
      }
    } catch { failure = error }
    // The updates end with the stream, unless another stream has replaced it.
    let ended = state.withLock { $0.samples?.channel === samples.channel ? $0.end() : nil }
    ended?.finish(throwing: failure)
  }
}

extension StreamRequest {
  /// Creates a request for an interval, rounded down to steps of 2.5 ms, at least one step.
  fileprivate init(mask: SensorMask, interval: Duration) {
    let steps = interval / .microseconds(2_500)
    self.init(mask: mask, divisor: steps >= 1 ? UInt16(min(steps, 65_535)) : 1)
  }
}
