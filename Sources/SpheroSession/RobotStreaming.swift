// The stream of a robot: started, renewed before its finite count runs out, watched, and ended on leaving.

import SpheroProtocol
import SpheroTransport

extension Robot {
  /// Streams sensor values for as long as the program takes them.
  ///
  /// The robot is asked for a finite count of packets and asked again before they run out,
  /// so that a program that dies never leaves a robot streaming for ever.
  /// A robot has one stream: asking for another ends the one before.
  ///
  /// - Parameter request: What to stream, and how.
  /// - Returns: A sequence for one consumer, which ends when another stream is asked for.
  /// - Throws: ``SessionError``, `LinkError`.
  public func samples(_ request: StreamRequest) async throws -> SampleSequence {
    try request.validate()
    if hasStreamed || stream != nil { try await stopStreaming() }
    hasStreamed = true
    count += 1
    let started = SensorStream(id: count, request: request, at: time.now)
    stream = started
    do {
      try await send(Sensing.SetDataStreaming())
      _ = try await perform(request.command, stream: started.id)
    } catch {
      if stream?.id == started.id { stream = nil }
      throw error
    }
    watch = time.start { await self.watchStream(started.id) }
    return SampleSequence(mailbox: started.mailbox)
  }

  /// Ends the stream and waits until its last frames have passed.
  ///
  /// - Throws: ``SessionError``, `LinkError`.
  public func stopStreaming() async throws {
    let stopped = stream
    stream = nil
    decoder.expectedPayloadCounts = [:]
    watch?.cancel()
    stopped?.mailbox.finish()
    // A renewal that is tried again must not bring the old stream back behind the new one.
    renewal?.cancel()
    await renewal?.value
    try await send(Sensing.SetDataStreaming())
    // Frames on the way could be taken for the next stream's, where both have the same size.
    if let stopped { try await time.sleep(for: max(.milliseconds(100), stopped.request.packetPeriod)) }
  }

  /// Ends the present sequence of samples; the robot is told on leaving, or falls silent behind its count.
  public func endSamples() { stream?.mailbox.finish() }

  func acknowledge(_ id: Int) {
    guard stream?.id == id, let packets = stream?.request.packets else { return }
    stream?.isAcknowledged = true
    // A false header with another length need not be waited for.
    if let count = stream?.request.payloadCount {
      decoder.expectedPayloadCounts[Sensing.SensorData.id] = [count]
    }
    stream?.isRenewing = false
    stream?.packetsLeft = Int(packets)
    stream?.lastPacket = time.now
  }

  func renew() {
    guard let id = stream?.id, let command = stream?.request.command else { return }
    stream?.isRenewing = true
    renewal = time.start { await self.renew(id, command) }
  }

  private func renew(_ id: Int, _ command: Sensing.SetDataStreaming) async {
    do {
      _ = try await perform(command, stream: id)
    } catch SessionError.timedOut {
      // The watch asks again, and gives up in the end.
      if stream?.id == id { stream?.isRenewing = false }
    } catch {
      if stream?.id == id { stream?.mailbox.finish(throwing: error) }
    }
  }

  /// Asks again where packets stay away, and gives up after some fruitless times.
  private func watchStream(_ id: Int) async {
    while let stream, stream.id == id {
      let deadline = stream.lastPacket + stream.patience
      if time.now < deadline {
        do { try await time.sleep(until: deadline) } catch { return }
        continue
      }
      guard stream.fruitlessRenewals < 5 else {
        return stream.mailbox.finish(throwing: SessionError.silentStream)
      }
      if !stream.isRenewing {
        self.stream?.fruitlessRenewals += 1
        renew()
      }
      do { try await time.sleep(for: stream.patience) } catch { return }
    }
  }
}

// Leaving: what was begun is undone.
extension Robot {
  /// Lets the robot roll on when the program leaves.
  public func keepRolling() { (heading, hasRawMotors) = (nil, false) }

  /// Asks the robot to stop by itself, once, when the link drops; old firmware cannot.
  ///
  /// - Throws: ``SessionError``, `LinkError`.
  public func stopWhenLinkDrops() async throws {
    do { try await send(Settings.SetTemporaryOptions(flags: .stopOnDisconnect)) } catch SessionError.refused {
    }
  }

  /// Sends a command; does not wait for the answer of a robot that has never given one.
  private func undo(with command: some Command) async {
    if hasEverAnswered {
      _ = try? await send(command)
    } else if let payload = try? command.payload() {
      try? post(type(of: command).id, payload: payload)
    }
  }

  /// Puts the robot back: ends what was started, without complaint where the link is gone.
  func leave() async {
    watch?.cancel()
    stream?.mailbox.finish()
    stream = nil
    if hasRawMotors { await undo(with: Motion.SetStabilization(mode: .on)) }
    if let heading { await undo(with: Motion.Roll(speed: 0, heading: heading, state: .stop)) }
    renewal?.cancel()
    await renewal?.value
    if hasStreamed { await undo(with: Sensing.SetDataStreaming()) }
    if detectsCollisions {
      var off = Sensing.ConfigureCollisionDetection()
      off.method = .off
      await undo(with: off)
    }
    if hasPowerNotification { await undo(with: Core.SetPowerNotification(isOn: false)) }
    outgoing.finish()
    for listener in listeners.values { listener.mailbox.finish() }
    listeners = [:]
  }
}
