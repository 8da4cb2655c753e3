// How a conversation processes received bytes and produces the packets to send.

import SpheroProtocol

extension Conversation {
  /// Processes bytes of the robot, in any pieces in which the line delivers them.
  public mutating func receive(_ bytes: [UInt8], at time: Duration) {
    advance(to: time)
    guard !isOver, !bytes.isEmpty else { return }
    counts.bytesReceived &+= bytes.count
    if phase == .connecting { handshake.received(bytes) }
    let discardedBefore = decoder.packets.statistics.discarded
    // The span of an array requires macOS 26.
    let piece = bytes[...]
    decoder.append(piece.span, at: now)
    processPackets(at: now)
    let hasDiscarded = decoder.packets.statistics.discarded > discardedBefore
    if promptDetector.detects(bytes, hasDiscarded: hasDiscarded) { updates.append(.notice(.userHackMode)) }
    expectPayloads()
    advance(to: time)
  }

  /// Removes and returns the next packet to send; nil if none may be sent now.
  ///
  /// Call it when the line accepts bytes: the timeout of the answer starts here.
  public mutating func takeOutput(at time: Duration) -> [UInt8]? {
    isLineBusy = false
    if phase == .leaving, time >= shutdown.deadline { extendShutdown(at: time) }
    advance(to: time)
    let output = nextPacket()
    isLineBusy = output != nil
    return output
  }

  private mutating func nextPacket() -> [UInt8]? {
    switch phase {
    case .connecting:
      guard now >= handshake.due else { return nil }
      let stop = settings.stopsWhileConnecting ? unansweredStop : []
      let request = EncodedRequest(valid: Core.Ping())
      let ping = encode(
        PendingRequest(purpose: .handshake, encoded: request, timeout: settings.timeout, maximumAttempts: 1))
      handshake.sent(ping ?? [], at: now)
      return ping.map { stop + $0 }
    case .connected, .leaving:
      // A request without a free sequence number ends; the next may be a command that needs none.
      while let request = queue.next(at: now, allowsOrdinary: hasCapacity) {
        if let bytes = encode(request) {
          if phase == .leaving { shutdown.isSent = true }
          return bytes
        }
      }
      return nil
    case .offline, .ended: return nil
    }
  }

  /// The packets that stop a robot whose answers may be lost: aborts, and before a repeated ping also a stop.
  ///
  /// A robot that answers the first ping reports its heading, on which a stop does not turn the ball.
  private var unansweredStop: [UInt8] {
    var requests = ProgramLanguage.allCases.map { $0.abort }
    if handshake.isUnanswered {
      requests.append(EncodedRequest(valid: Motion.SetStabilization(mode: .onWithoutReset)))
      requests.append(EncodedRequest(valid: Motion.Roll.stop(on: nil)))
    }
    return requests.flatMap { (try? $0.packet(sequence: 0, options: .resetTimeout)) ?? [] }
  }

  /// Whether ``takeOutput(at:)`` would return a packet, at the newest time that the conversation has received.
  public var hasOutput: Bool {
    switch phase {
    case .connecting: now >= handshake.due
    case .connected, .leaving: queue.hasNext(at: now, allowsOrdinary: hasCapacity)
    case .offline, .ended: false
    }
  }

  private mutating func encode(_ request: PendingRequest) -> [UInt8]? {
    var request = request
    let timeout = request.beginAttempt(shortTimeout: counts.roundTrip.shortTimeout)
    if request.attempts == 1 {
      request.bytesBefore = counts.bytesReceived
      endRetries(before: request.encoded)
    }
    let wantsAnswer = if case .posted = request.purpose { false } else { true }
    guard let number = wantsAnswer ? requests.send(request, timeout: timeout, at: now) : 0 else {
      complete(request, .failure(.tooManyRequests))
      return nil
    }
    let options: CommandPacket.Options = wantsAnswer ? .standard : .resetTimeout
    // An `EncodedRequest` always fits a packet.
    guard let bytes = try? request.encoded.packet(sequence: number, options: options) else { return nil }
    lastSent = now
    if case .program = request.purpose, request.attempts == 1, request.encoded.moves { movedAt = now }
    counts.commandsSent += 1
    counts.bytesSent &+= bytes.count
    // A posted command completes when it is sent: a shutdown before that discards it.
    if !wantsAnswer {
      let packet = ResponsePacket(status: .ok, sequence: number)
      complete(request, .success(Answer(packet: packet, sentAt: now, receivedAt: now)))
    }
    return bytes
  }

  /// Ends the retries that would undo a request that is sent for the first time.
  ///
  /// These are the retries of older values of a setting, and those of an abort before a program that it would end.
  private mutating func endRetries(before request: EncodedRequest) {
    let aborts = request.abortsOfStartedPrograms
    let isSetting = Cleanup.settings.contains(request.command)
    guard !aborts.isEmpty || isSetting else { return }
    endAttempts { older in
      let isOlderValue = older.encoded.command == request.command && older.encoded.payload != request.payload
      return older.attempts > 0
        && (aborts.contains(older.encoded.command) || isSetting && isOlderValue)
    }
  }

  mutating func processPackets(at arrival: Duration) {
    var kind: LineActivity.PacketKind?
    // The payloads are copied, because the follower of the stream may hold a packet back beyond this call.
    while let (packet, time) = decoder.next() {
      if phase == .connecting { handshake.receivedPacket() }
      switch packet {
      case .command: break
      case .response(let response):
        kind = .response
        process(response)
      case .event(let event) where event.id == Sensing.SensorData.id:
        kind = .sensorData
        processSensorData(event.payload, at: time ?? arrival)
      case .event(let event):
        kind = .event
        process(event, at: time ?? arrival)
      }
    }
    if let kind { lastPacket = (kind, arrival) }
  }

  /// Sets the payload lengths of sensor packets in the decoder, which then rejects false headers sooner.
  mutating func expectPayloads() {
    let expected = streaming.payloadCounts
    if expected != payloadCounts {
      payloadCounts = expected
      let counts = Set([expected.current, expected.pending].compactMap { $0 })
      decoder.packets.expectedPayloadCounts = counts.isEmpty ? [:] : [Sensing.SensorData.id: counts]
    }
  }

  var hasSetPointInFlight: Bool { requests.flights.contains { $0.request.purpose == .setPoint } }

  private mutating func processSensorData(_ payload: [UInt8], at arrival: Duration) {
    switch phase {
    case .connecting:
      streaming.recordStrayPacket(payload.count, at: now)
      handshake.hasSeenStream = true
    case .connected:
      if streaming.process(payload, at: arrival), settings.stopsStrayStreams, !isSwitchingOff {
        endStrayStream()
      }
    case .offline, .leaving, .ended: break
    }
  }

  private mutating func process(_ event: EventPacket, at arrival: Duration) {
    streaming.lastResponse = now
    updates.append(.event(event, arrival: arrival))
    guard event.id == Core.PreSleepWarning.id else { return }
    updates.append(.notice(.aboutToSleep))
    if settings.keepAlivePeriod != nil, !queue.hasUrgent, phase == .connected {
      addRequest(EncodedRequest(valid: Core.Ping()), for: .keepAlive)
    }
  }

  private mutating func endStrayStream(isReported: Bool = true) {
    if isReported { updates.append(.notice(.strayStream)) }
    addRequest(EncodedRequest(valid: Sensing.SetDataStreaming()), for: .housekeeping)
  }

  /// Whether a command that ends the stream is not answered yet: sensor data may still arrive.
  private var isSwitchingOff: Bool {
    queue.contains(.stream)
      || requests.flights.contains {
        $0.request.purpose == .housekeeping && $0.request.coalescingKey == .stream
      }
  }

  private mutating func process(_ response: ResponsePacket) {
    guard let flight = requests.answer(response) else {
      counts.strayAnswers += 1
      streaming.lastResponse = now
      return
    }
    if case .stream = flight.request.purpose {} else { streaming.lastResponse = now }
    hasEverAnswered = true
    let answer = Answer(packet: response, sentAt: flight.sentAt, receivedAt: now)
    if let version = Core.GetVersioning.Response(to: flight.request.encoded.command, response) {
      streaming.identify(version.model, at: now)
    }
    // The round trip of a request that was sent during a silence includes the silence.
    if flight.sentAt >= streaming.resumedAt, !streaming.isSilent(at: now) {
      counts.roundTrip.record(answer.roundTrip)
    }
    // The robot received a damaged packet, which counts as a loss.
    let isLost = response.status.isLinkError
    switch flight.request.purpose {
    case .handshake:
      if !isLost { finishHandshake() }
    case .stream(let epoch):
      if response.status == .ok {
        streaming.confirm(epoch: epoch, sentAt: flight.sentAt, at: now)
      } else {
        streaming.refuse(epoch: epoch, status: response.status, at: now)
      }
    case .shutdown:
      if !isLost { shutdown.confirm(flight.request.encoded) }
      if shutdown.unconfirmed.isEmpty, phase == .leaving {
        cleanup.forgetStopsAfterReconnect()
        finish()
      }
    case _ where isLost: retry(flight, answer)
    case .motionTimeout where flight.request.encoded.command == Settings.GetPermanentOptions.id:
      setMotionTimeout(response)
    default:
      recordEffect(of: flight, response.status)
      complete(flight.request, .success(answer))
    }
  }

  private mutating func recordEffect(of flight: Requests.Flight, _ status: Status) {
    let request = flight.request.encoded
    if request.effect == .abortProgram {
      let stops = cleanup.stopCommands
      cleanup.confirmAbort(request)
      // The program may have moved the ball after the stop, unless a stop still follows.
      if flight.request.maximumAttempts == .max { repeatStop(stops) }
    }
    guard status == .ok else {
      // The main application knows the device of motion and sensors; the bootloader does not.
      if status == .unknownDevice, request.command.device == 0x02, !hasReportedBootloader {
        hasReportedBootloader = true
        updates.append(.notice(.bootloader))
      }
      return
    }
    let motorsWereFree = cleanup.commandBeforeStop != nil
    cleanup.confirm(request)
    // The robot answers a stop also while its motors are free, which does not brake them.
    if motorsWereFree, cleanup.commandBeforeStop == nil { repeatStop(cleanup.stopCommands) }
    if request.command == Core.Sleep.id { isAsleep = true }
    if request.isStop, !mayMove(since: flight.sentAt) { cleanup.confirmStop() }
  }

  /// Sends a stop again that had no lasting effect, unless a newer motion or stop follows it.
  private mutating func repeatStop(_ commands: [EncodedRequest]) {
    guard newestMotion < motionRequestCount, !mayMove() else { return }
    for command in commands { addRequest(command, for: command.isStop ? .housekeeping : .controlSystem) }
  }

  /// Whether a motion or a stop waits, repeats, or was sent at `time` or later and is not answered; nil is any time.
  private func mayMove(since time: Duration? = nil) -> Bool {
    setPoint.request != nil || queue.mayMove || requests.mayMove(since: time)
  }

  private mutating func setMotionTimeout(_ response: ResponsePacket) {
    guard response.status == .ok,
      let options = try? Settings.GetPermanentOptions.Response(payload: response.payload),
      options.flags.contains(.motionTimeouts), let request = cleanup.motionTimeout()
    else { return }
    addRequest(request, for: .motionTimeout)
  }

  /// Ends the handshake, or repeats it once; on a new line, stops the ball and restores settings.
  private mutating func finishHandshake() {
    guard phase == .connecting else { return }
    // Answers to the other pings and to a former program may still arrive, and are ignored.
    _ = requests.remove { $0.request.purpose == .handshake }
    requests.skipNumbers()
    if handshake.mustAskAgain(discarded: decoder.packets.statistics.discarded) {
      return handshake.askAgain(at: now)
    }
    (phase, isAsleep) = (.connected, false)
    if handshake.hasEcho { updates.append(.notice(.echo)) }
    // On the first line, the stream is that of another program. On a reopened line, it is the session's own stream,
    // which it requests again, so that no notice is needed.
    if handshake.hasSeenStream, lostAt == nil || settings.stopsStrayStreams {
      endStrayStream(isReported: lostAt == nil)
    }
    if let lostAt {
      self.lostAt = nil
      counts.reconnections += 1
      // A repeated stop would arrive after a roll that was requested meanwhile.
      let attempts = queue.containsMotion ? 1 : nil
      for request in cleanup.takeStopsAfterReconnect() {
        let isControl = request.command == Motion.SetStabilization.id
        addRequest(
          request, for: isControl ? .controlSystem : .housekeeping,
          attempts: request.effect == .abortProgram ? nil : attempts)
      }
      for request in cleanup.confirmedSettings { addRequest(request, for: .housekeeping) }
      updates.append(.notice(.reconnected(after: now - lostAt)))
    } else {
      updates.append(.connected)
      updates.append(.notice(.connected))
    }
    streaming.connected(at: now)
  }
}

/// Detects the prompt `u>` of the user hack shell among bytes that belong to no packet.
struct PromptDetector: Sendable {
  private var hasDetected = false
  /// The last byte of the previous read, because the prompt may be split between two reads.
  var lastByte: UInt8?

  /// Whether the bytes of a read, some of which the decoder discarded, contain the first prompt.
  mutating func detects(_ bytes: [UInt8], hasDiscarded: Bool) -> Bool {
    defer { lastByte = bytes.last }
    guard !hasDetected, hasDiscarded else { return false }
    let seen = (lastByte.map { [$0] } ?? []) + bytes
    hasDetected = zip(seen, seen.dropFirst()).contains { $0 == UInt8(ascii: "u") && $1 == UInt8(ascii: ">") }
    return hasDetected
  }
}
