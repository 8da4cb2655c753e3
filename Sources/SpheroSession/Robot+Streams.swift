// Streams of samples, events and remarks.

public import SpheroHost
public import SpheroProtocol
import SpheroTransport

/// Who listens to what the robot or the session says by itself.
struct Listener: Sendable {
  enum Kind: Hashable, Sendable {
    case all
    case event(EventID)
    case notices
  }
  enum Item: Sendable {
    case event(EventPacket, at: Duration)
    case notice(Notice)
  }
  let number: Int
  let kind: Kind
  let mailbox: Mailbox<Item>
}

/// Something that the robot reported by itself, with the time it came.
public struct TimedEvent<Content: Sendable>: Sendable {
  /// When it came, by the host's clock, as ``TimedSample/hostTime`` is.
  public let arrival: Duration
  /// What was reported.
  public let event: Content
}

extension Robot {
  /// Streams sensor values for as long as the program takes them.
  ///
  /// The robot is asked for a finite count of packets and asked again before they run out,
  /// so that a program that dies never leaves a robot streaming for ever.
  /// A robot has one stream, which all consumers share: it carries the fields of all of them at the fastest rate,
  /// and each gets its own fields at its own rate, or at the next faster one that divides.
  ///
  /// The samples end when the sequence and its iterators are gone, or with ``SampleSequence/end()``.
  /// Where the robot falls silent, ``notices()`` has a remark, the robot is asked again and again, and the samples go on
  /// as soon as it answers; a robot that refuses the stream for a second then ends them with an error.
  ///
  /// - Parameters:
  ///   - request: What to stream, and how.
  ///   - buffering: What happens where the program takes them too slowly.
  ///   - ageLimit: The age beyond which a sample is dropped rather than delivered; nil for none.
  /// - Returns: The samples, from now on.
  /// - Throws: `SessionError`, `LinkError`, `CancellationError`.
  public func samples(
    _ request: StreamRequest, buffering: BufferingPolicy = .newest(8_192), ageLimit: Duration? = .seconds(10)
  ) async throws -> SampleSequence {
    try Task.checkCancellation()
    let id: SubscriptionID
    do throws(SessionError) { id = try conversation.subscribe(request, at: time.now) } catch {
      flush()
      throw explained(error)
    }
    let channel = SampleChannel(of: id, SampleBuffer(buffering, ageLimit: ageLimit), time: time)
    channels.append(channel)
    let patience = time.start { await self.expectStart(of: id) }
    defer { patience.cancel() }
    do {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { waiter in
          starting[id] = waiter
          flush()
        }
      } onCancel: {
        _ = time.start { await self.endSamples(id, CancellationError()) }
      }
    } catch {
      endSamples(id)
      throw error
    }
    return SampleSequence(channel: channel) { [time] in
      _ = time.start { await self.endSamples(id) }
    }
  }

  /// Ends a stream that the robot does not accept in time, as any request that it does not answer.
  private func expectStart(of id: SubscriptionID) async {
    let settings = conversation.settings
    // Without a line nothing is asked, and the wait begins anew.
    repeat {
      do { try await time.sleep(for: settings.timeout * settings.attempts) } catch { return }
    } while conversation.lostAt != nil
    guard starting[id] != nil else { return }
    let name = Sensing.SetDataStreaming.name
    endSamples(id, SessionError.timedOut(command: name, hasEverAnswered: conversation.hasEverAnswered))
  }

  /// Ends the samples of one consumer.
  private func endSamples(_ id: SubscriptionID, _ error: (any Error)? = nil) {
    if let error { starting.removeValue(forKey: id)?.resume(throwing: error) }
    conversation.unsubscribe(id, at: time.now)
    flush()
  }

  func endStream(_ id: SubscriptionID, _ error: (any Error)?) {
    starting.removeValue(forKey: id)?.resume(throwing: error ?? SessionError.leaving)
    guard let place = channels.firstIndex(where: { $0.id == id }) else { return }
    let channel = channels.remove(at: place)
    droppedSamples += channel.dropped
    channel.finish(throwing: error)
  }

  /// The events of one kind, from now on; those that do not fit their layout are left out.
  ///
  /// - Parameter type: The kind, like `Sensing.Collision.self`.
  /// - Returns: The events; the newest 256 wait where the program is slow.
  public func events<E: Event>(of type: E.Type) -> EventSequence<E> {
    listen(to: .event(E.id)) { item in
      if case .event(let packet, _) = item { try? E(payload: packet.payload) } else { nil }
    }
  }

  /// The events of one kind with the times they came, from now on; those that do not fit their layout are left out.
  ///
  /// - Parameter type: The kind, like `Sensing.Collision.self`.
  /// - Returns: The events; the newest 256 wait where the program is slow.
  public func timedEvents<E: Event>(of type: E.Type) -> EventSequence<TimedEvent<E>> {
    listen(to: .event(E.id)) { item in
      guard case .event(let packet, let time) = item, let event = try? E(payload: packet.payload) else {
        return nil
      }
      return TimedEvent(arrival: time, event: event)
    }
  }

  /// All events but sensor data, as packets, from now on.
  ///
  /// - Returns: The events; the newest 256 wait where the program is slow.
  public func events() -> EventSequence<EventPacket> {
    listen(to: .all) { item in
      if case .event(let packet, _) = item { packet } else { nil }
    }
  }

  /// All events but sensor data, as packets with the times they came, from now on.
  ///
  /// - Returns: The events; the newest 256 wait where the program is slow.
  public func timedEvents() -> EventSequence<TimedEvent<EventPacket>> {
    listen(to: .all) { item in
      if case .event(let packet, let time) = item { TimedEvent(arrival: time, event: packet) } else { nil }
    }
  }

  /// The remarks of the session, from now on: gaps, silences, lost and restored links.
  ///
  /// - Returns: The remarks; the newest 256 wait where the program is slow.
  public func notices() -> EventSequence<Notice> {
    listen(to: .notices) { item in
      if case .notice(let notice) = item { notice } else { nil }
    }
  }

  private func listen<E: Sendable>(
    to kind: Listener.Kind, _ decode: @escaping @Sendable (Listener.Item) -> E?
  ) -> EventSequence<E> {
    let mailbox = Mailbox<Listener.Item>(capacity: 256)
    if isClosed { mailbox.finish(throwing: lineError) }
    listenerCount += 1
    let number = listenerCount
    listeners.append(Listener(number: number, kind: kind, mailbox: mailbox))
    return EventSequence(mailbox: mailbox, decode: decode) { [time] in
      _ = time.start { await self.forget(number) }
    }
  }

  private func forget(_ number: Int) { listeners.removeAll { $0.number == number } }
}
