// Streams of samples, events and notices, and the sequences that deliver them.

public import SpheroHost
public import SpheroMotion
public import SpheroProtocol
import SpheroSystem
import SpheroTransport

/// A consumer of events or notices.
struct Listener: Sendable {
  let id: ObjectIdentifier
  let receiveEvent: @Sendable (TimedEvent<EventPacket>) -> Void
  let receiveNotice: @Sendable (Notice) -> Void
  let finish: @Sendable ((any Error)?) -> Void
}

/// An event of the robot with its arrival time.
public struct TimedEvent<Content: Sendable>: Sendable {
  /// The arrival time by the host's clock, like `TimedSample.hostTime`.
  public let arrival: Duration
  /// The decoded event.
  public let event: Content
}

extension Robot {
  /// Streams sensor values until the program drops the sequence.
  ///
  /// A robot has one stream, which all consumers share. It carries the fields of all of them at the fastest rate,
  /// and each receives its own fields at its own rate, or at the next faster rate that is a whole fraction of the
  /// stream's rate. The session requests a finite number of packets, and more before they run out.
  ///
  /// The samples end when the last copy of the sequence is destroyed, or with ``SampleSequence/end()``.
  /// After a silence, the samples continue when the robot answers; one that refuses the stream for a second ends them.
  ///
  /// - Parameters:
  ///   - request: The fields, rate and packet sizes.
  ///   - buffering: What happens if the consumer is too slow.
  ///   - ageLimit: The age beyond which a sample is dropped; nil for no limit.
  /// - Returns: The samples from now on.
  /// - Throws: `SessionError`, `LinkError`, `CancellationError`.
  public func samples(
    _ request: StreamRequest, buffering: BufferingPolicy = .newest(8_192), ageLimit: Duration? = .seconds(10)
  ) async throws -> SampleSequence {
    try Task.checkCancellation()
    let now = time.now
    let id = try attempt { conversation throws(SessionError) in try conversation.subscribe(request, at: now) }
    let channel = SampleChannel(of: id, SampleBuffer(buffering, ageLimit: ageLimit), time: time)
    channels.append(channel)
    let timeout = time.start { await self.expectStart(of: channel) }
    defer { timeout.cancel() }
    flush()
    do { _ = try await channel.started.wait() } catch {
      endSamples(id)
      throw error
    }
    let lifetime = ConsumerLifetime { [time] in _ = time.start { await self.endSamples(id) } }
    return SampleSequence(channel: channel, lifetime: lifetime)
  }

  /// Streams the fields of a mask at the rate 400/n Hz that is nearest to `hertz`.
  ///
  /// It is ``samples(_:buffering:ageLimit:)`` of `StreamRequest(mask: mask, hertz: hertz)`.
  public func samples(
    _ mask: SensorMask, hertz: Double = 20, buffering: BufferingPolicy = .newest(8_192),
    ageLimit: Duration? = .seconds(10)
  ) async throws -> SampleSequence {
    try await samples(StreamRequest(mask: mask, hertz: hertz), buffering: buffering, ageLimit: ageLimit)
  }

  /// Fails a stream that the robot does not accept within the time of all attempts.
  private func expectStart(of channel: SampleChannel) async {
    let settings = conversation.settings
    // While the line is lost or the model is unknown, the stream is not requested, and the timeout starts again.
    repeat {
      do { try await time.sleep(for: settings.timeout * settings.attempts) } catch { return }
    } while conversation.lostAt != nil || conversation.awaitsModel
    let name = Sensing.SetDataStreaming.name
    channel.started.finish(
      throwing: SessionError.timedOut(command: name, hasEverAnswered: conversation.hasEverAnswered))
  }

  private func endSamples(_ id: SubscriptionID) {
    conversation.unsubscribe(id, at: time.now)
    flush()
  }

  func endStream(_ id: SubscriptionID, _ error: (any Error)?) {
    guard let place = channels.firstIndex(where: { $0.id == id }) else { return }
    let channel = channels.remove(at: place)
    droppedSamples += channel.dropped
    channel.finish(throwing: error)
  }

  /// The events of one type from now on, like `Sensing.Collision.self`; malformed ones are discarded.
  public func events<E: Event>(of type: E.Type) -> EventSequence<E> { listen { E(packet: $0.event) } }

  /// The events of one type from now on, with their arrival times; malformed ones are discarded.
  public func timedEvents<E: Event>(of type: E.Type) -> EventSequence<TimedEvent<E>> {
    listen { timed in E(packet: timed.event).map { TimedEvent(arrival: timed.arrival, event: $0) } }
  }

  /// The packets of all events from now on, except sensor data.
  public func events() -> EventSequence<EventPacket> { listen { $0.event } }

  /// The packets of all events from now on, except sensor data, with their arrival times.
  public func timedEvents() -> EventSequence<TimedEvent<EventPacket>> { listen { $0 } }

  /// The notices of the session from now on: gaps, silences, lost and restored links.
  public func notices() -> EventSequence<Notice> { listen(notices: { $0 }) }

  /// Enables collision detection with the thresholds of an impact, and returns the impacts from now on.
  ///
  /// The session disables it at the end, and enables it again on a reopened line.
  ///
  /// - Throws: As ``send(_:timeout:)``.
  public func collisions(
    _ detection: Sensing.ConfigureCollisionDetection = CollisionPreset.normal.detection
  ) async throws -> EventSequence<Sensing.Collision> {
    let events = events(of: Sensing.Collision.self)
    try await send(detection)
    return events
  }

  private func listen<E: Sendable>(
    events: @escaping @Sendable (TimedEvent<EventPacket>) -> E? = { _ in nil },
    notices: @escaping @Sendable (Notice) -> E? = { _ in nil }
  ) -> EventSequence<E> {
    let mailbox = Mailbox<E>(capacity: 256)
    if isClosed { mailbox.finish(throwing: lineError) }
    let id = ObjectIdentifier(mailbox)
    listeners.append(
      Listener(
        id: id, receiveEvent: { event in if let element = events(event) { mailbox.push(element) } },
        receiveNotice: { notice in if let element = notices(notice) { mailbox.push(element) } },
        finish: { mailbox.finish(throwing: $0) }))
    let lifetime = ConsumerLifetime { [time] in _ = time.start { await self.removeListener(id) } }
    return EventSequence(mailbox: mailbox, lifetime: lifetime)
  }

  private func removeListener(_ id: ObjectIdentifier) { listeners.removeAll { $0.id == id } }
}

/// Unregisters a consumer when the last copy of its sequence is destroyed.
final class ConsumerLifetime: Sendable {
  let end: @Sendable () -> Void
  init(_ end: @escaping @Sendable () -> Void) { self.end = end }
  deinit { end() }
}

/// The samples of a stream.
///
/// If several tasks iterate over one sequence, each sample goes to one of them.
/// Request a second stream to receive the same samples in two places.
public struct SampleSequence: AsyncSequence, AsyncIteratorProtocol, Sendable {
  let channel: SampleChannel
  let lifetime: ConsumerLifetime

  /// The number of samples that were dropped because the consumer was too slow.
  public var dropped: Int { channel.dropped }

  /// Ends the stream; the sequence still delivers the buffered samples.
  public func end() {
    channel.finish()
    lifetime.end()
  }

  /// The next sample, or nil once the stream has ended.
  ///
  /// - Throws: `SessionError`, `LinkError`, `CancellationError`.
  nonisolated(nonsending) public func next() async throws -> TimedSample? {
    // While the buffer contains samples, the call below does not wait, and therefore ignores a cancellation.
    try Task.checkCancellation()
    return try await channel.next()
  }

  /// The next sample, as ``next()``; `for await` calls this method, and so stays on the caller's actor.
  public func next(isolation actor: isolated (any Actor)?) async throws -> TimedSample? { try await next() }

  public func makeAsyncIterator() -> SampleSequence { self }
}

/// Events or notices in the order of their arrival, of which the newest 256 are buffered.
///
/// If several tasks iterate over one sequence, each element goes to one of them.
public struct EventSequence<E: Sendable>: AsyncSequence, AsyncIteratorProtocol, Sendable {
  let mailbox: Mailbox<E>
  let lifetime: ConsumerLifetime

  /// The next event or notice, or nil once the session has ended.
  ///
  /// - Throws: `LinkError`, `CancellationError`.
  public func next() async throws -> E? {
    try Task.checkCancellation()
    return try await mailbox.next()
  }

  public func makeAsyncIterator() -> EventSequence { self }
}

/// Transfers samples from the session to a consumer on another task.
final class SampleChannel: Sendable {
  let id: SubscriptionID
  /// Ends when the robot accepts the stream; throws if it does not.
  let started = AutoResetEvent()
  private let buffer: Locked<SampleBuffer>
  /// Signaled when samples were added; ends with the stream.
  private let samplesAdded = AutoResetEvent()
  /// Signaled when a full buffer has room again; ends with the stream.
  let roomAvailable = AutoResetEvent()
  private let time: any TimeSource

  init(of id: SubscriptionID, _ buffer: SampleBuffer, time: any TimeSource) {
    (self.id, self.buffer, self.time) = (id, Locked(buffer), time)
  }

  var dropped: Int { buffer.withLock { $0.dropped } }
  var appliesBackpressure: Bool { buffer.withLock { $0.appliesBackpressure } }

  func push(_ samples: [TimedSample], at now: Duration) {
    buffer.withLock { $0.push(samples, at: now) }
    samplesAdded.signal()
  }

  func finish(throwing error: (any Error)? = nil) {
    started.finish(throwing: error ?? SessionError.leaving)
    samplesAdded.finish(throwing: error)
    roomAvailable.finish()
    buffer.withLock { $0.close() }
  }

  /// The next sample; nil at the end. Runs on the actor of the caller.
  nonisolated(nonsending) func next() async throws -> TimedSample? {
    while true {
      let now = time.now
      let (sample, wasHeld) = buffer.withLock { buffer in
        let wasHeld = buffer.appliesBackpressure
        return (buffer.pop(at: now), wasHeld)
      }
      if wasHeld { roomAvailable.signal() }
      if let sample { return sample }
      guard try await samplesAdded.wait(isolation: #isolation) else { return nil }
    }
  }
}
