// What a conversation does with the bytes that come, and which it sends.

import SpheroProtocol

extension Conversation {
  /// Takes bytes of the robot, in whatever pieces the line delivers.
  public mutating func receive(_ bytes: [UInt8], at time: Duration) {
    // Where nothing is due, time changes nothing.
    if let deadline, deadline <= time { advance(to: time) } else { now = max(now, time) }
    guard !isOver, !bytes.isEmpty else { return }
    counts.bytesReceived &+= bytes.count
    if case .connecting(var handshake) = phase {
      handshake.received(bytes)
      phase = .connecting(handshake)
    }
    let before = decoder.packets.statistics
    let piece = bytes[...]
    decoder.append(piece.span, at: now)
    let isSettled = if case .connected = phase { streaming.pending == nil } else { false }
    let areSamples = takePackets(at: now)
    notePrompt(bytes, before)
    expectPayloads()
    // What came may have made something due; samples of a stream that runs only put off what is due.
    if isSettled, areSamples { flush() } else { advance(to: time) }
  }

  /// Takes the next packet to send, or nil where none may go now.
  ///
  /// Call it when the line takes bytes: the wait for the answer begins here.
  public mutating func takeOutput(at time: Duration) -> [UInt8]? {
    advance(to: time)
    if case .connecting(var handshake) = phase {
      guard now >= handshake.due, let ping = try? EncodedRequest(Core.Ping()) else { return nil }
      let bytes = encode(
        PendingRequest(purpose: .handshake, encoded: ping, timeout: settings.timeout, attemptsLeft: 1))
      handshake.sent(bytes ?? [], at: now)
      phase = .connecting(handshake)
      return bytes
    }
    guard hasConnectedBefore, !isOver, !isOffline else { return nil }
    // One that finds no number ends; the next may be a command that needs none.
    while let request = queue.next(at: now, isOpen: isOpen) {
      if let bytes = encode(request) { return bytes }
    }
    return nil
  }

  /// Whether ``takeOutput(at:)`` gives a packet at the time of the last call.
  public var hasOutput: Bool {
    @inline(__always) get {
      switch phase {
      case .connecting(let handshake): now >= handshake.due
      case .connected, .leaving: queue.hasNext(at: now, isOpen: isOpen)
      case .offline, .ended: false
      }
    }
  }

  var isOffline: Bool { if case .offline = phase { true } else { false } }

  /// Gives a request its sequence number and notes that it goes.
  mutating func encode(_ request: PendingRequest) -> [UInt8]? {
    var request = request
    request.attemptsLeft -= 1
    request.attempts += 1
    let wantsAnswer = if case .posted = request.purpose { false } else { true }
    guard let number = wantsAnswer ? requests.send(request, at: now) : 0 else {
      complete(request, .failure(.tooManyRequests))
      return nil
    }
    let packet = CommandPacket(
      id: request.encoded.command, options: wantsAnswer ? .standard : .resetTimeout, sequence: number,
      payload: request.encoded.payload)
    // What was encoded has been encoded before.
    guard let bytes = try? Packet.command(packet).encoded() else { return nil }
    lastSent = now
    if case .program = request.purpose, request.attempts == 1, request.encoded.moves { movedAt = now }
    counts.commandsSent += 1
    counts.bytesSent &+= bytes.count
    // Only now: a program that leaves before would take it along.
    if !wantsAnswer {
      let packet = ResponsePacket(status: .ok, sequence: number)
      complete(request, .success(Answer(packet: packet, sentAt: now, receivedAt: now)))
    }
    return bytes
  }

  /// Takes what the decoder has found.
  ///
  /// - Parameter arrival: When it came.
  /// - Returns: Whether there was nothing but sensor data.
  @discardableResult mutating func takePackets(at arrival: Duration) -> Bool {
    var areSamples = true
    // With their payloads: one may be held back, and what it means changes the conversation that owns the decoder.
    while let packet = decoder.packets.next() {
      if case .event(let event) = packet, event.id == Sensing.SensorData.id {} else { areSamples = false }
      take(packet, at: arrival)
    }
    return areSamples
  }

  mutating func take(_ packet: Packet, at arrival: Duration) {
    if case .connecting(var handshake) = phase {
      handshake.receivedPacket()
      phase = .connecting(handshake)
    }
    switch packet {
    case .command: break
    case .response(let response): take(response)
    case .event(let event): take(event, at: arrival)
    }
  }

  mutating func take(_ event: EventPacket, at arrival: Duration) {
    guard event.id == Sensing.SensorData.id else {
      streaming.heardAt = now
      news.append(.event(event))
      if event.id == Core.PreSleepWarning.id {
        news.append(.notice(.aboutToSleep))
        if settings.keepAlive != nil, !queue.hasUrgent, case .connected = phase {
          own(Core.Ping(), for: .keepAlive)
        }
      }
      return
    }
    switch phase {
    case .connecting:
      streaming.noteForeign(event.payload.count, at: now)
      sawStaleStream = true
    case .connected:
      if streaming.take(event.payload, at: arrival), settings.endsStrayStreams, !isSwitchingOff {
        endStaleStream()
      }
    case .offline, .leaving, .ended: break
    }
  }

  /// Tells a robot to stop that streams for a program that is gone.
  mutating func endStaleStream() {
    news.append(.notice(.staleStream))
    own(Sensing.SetDataStreaming(), for: .housekeeping)
  }

  /// Whether the robot was told to stop streaming and has not answered: until then packets may come.
  var isSwitchingOff: Bool {
    queue.contains(lane: .stream)
      || requests.flights.contains { $0.request.purpose == .housekeeping && $0.request.lane == .stream }
  }

  mutating func take(_ response: ResponsePacket) {
    switch requests.answer(response) {
    case .stray, .misfit:
      counts.strayAnswers += 1
      streaming.heardAt = now
    case .answers(let flight):
      if case .stream = flight.request.purpose {} else { streaming.heardAt = now }
      answered(flight, response)
    }
  }

  mutating func answered(_ flight: Requests.Flight, _ response: ResponsePacket) {
    hasEverAnswered = true
    let answer = Answer(packet: response, sentAt: flight.sentAt, receivedAt: now)
    // The answer to a request that was sent in a silence measures the silence.
    if flight.sentAt >= streaming.resumedAt, !streaming.isSilent(at: now) {
      counts.roundTrip.note(answer.roundTrip)
    }
    // The robot got something else than was sent: as good as lost.
    let isLost = response.status.isOfLink
    switch flight.request.purpose {
    case .handshake:
      if !isLost { connect(response.status) }
    case .stream(let epoch):
      if response.status == .ok {
        streaming.confirmed(epoch: epoch, sentAt: flight.sentAt, at: now)
      } else {
        streaming.refused(epoch: epoch, status: response.status, at: now)
      }
    case .undoing:
      undoing.removeAll { $0.command == flight.request.encoded.command && !isLost }
      if undoing.isEmpty, case .leaving = phase { finish() }
    case _ where isLost: unanswered(flight, answer)
    case .motionOptions: setMotionTimeout(response)
    case .program, .housekeeping, .stopping, .keepAlive, .setPoint, .posted:
      noteConfirmed(flight, response.status)
      complete(flight.request, .success(answer))
    }
  }

  mutating func noteConfirmed(_ flight: Requests.Flight, _ status: Status) {
    let request = flight.request.encoded
    guard status == .ok else {
      // The main application knows every device but the bootloader's own.
      if status == .unknownDevice, request.command.device == 0x02 { noteBootloader() }
      return
    }
    restoration.note(request)
    if request.isStop, setPoint.request == nil, !queue.contains(lane: .motion),
      !requests.contains(lane: .motion, since: flight.sentAt)
    {
      obligations.stopped()
    }
  }

  mutating func setMotionTimeout(_ response: ResponsePacket) {
    guard response.status == .ok, let timeout = settings.motionTimeout,
      let options = try? Settings.GetPermanentOptions.Response(payload: response.payload),
      options.flags.contains(.motionTimeouts)
    else { return }
    let milliseconds = min(max((timeout.inSeconds * 1_000).rounded(), 1), 65_535)
    own(Motion.SetMotionTimeout(time: UInt16(milliseconds)), for: .housekeeping)
  }

  /// Ends the handshake: stops what a lost line left rolling, and brings back what it took.
  mutating func connect(_ status: Status) {
    guard case .connecting(var handshake) = phase else { return }
    // Late answers to the other pings answer nobody, and neither do answers under the next numbers
    // that a former program asked for.
    _ = requests.remove { $0.request.purpose == .handshake }
    requests.skipNumbers()
    if handshake.mustAskAgain(discarded: decoder.packets.statistics.discarded) {
      handshake.askAgain(at: now)
      phase = .connecting(handshake)
      return
    }
    phase = .connected
    hasConnectedBefore = true
    if handshake.hasEcho { news.append(.notice(.echo)) }
    if status != .ok { noteBootloader() }
    if sawStaleStream {
      sawStaleStream = false
      // On a line that came back, the stream is this program's own.
      if lostAt == nil {
        endStaleStream()
      } else if settings.endsStrayStreams {
        own(Sensing.SetDataStreaming(), for: .housekeeping)
      }
    }
    if let lostAt {
      self.lostAt = nil
      counts.reconnections += 1
      // After a roll that was asked for meanwhile, a repeated stop would come too late.
      let attempts = queue.contains(lane: .motion) ? 1 : nil
      for request in stopping { own(request, for: .stopping, attempts: attempts) }
      stopping = []
      for request in restoration.requests { own(request, for: .housekeeping) }
      news.append(.notice(.reconnected(after: now - lostAt)))
    } else {
      news.append(.connected)
    }
    streaming.connected(at: now)
  }

  /// Tells once that the robot sits in its bootloader.
  mutating func noteBootloader() {
    if !hasReportedBootloader { news.append(.notice(.bootloader)) }
    hasReportedBootloader = true
  }

  /// Recognises the prompt `u>` of the user hack shell among bytes that belong to no packet.
  mutating func notePrompt(_ bytes: [UInt8], _ before: PacketDecoder.Statistics) {
    defer { lastByte = bytes.last }
    guard !hasSeenPrompt, decoder.packets.statistics.discarded > before.discarded else { return }
    // The prompt may be cut between two reads.
    let seen = (lastByte.map { [$0] } ?? []) + bytes
    let pairs = zip(seen, seen.dropFirst())
    guard pairs.contains(where: { $0 == UInt8(ascii: "u") && $1 == UInt8(ascii: ">") }) else { return }
    hasSeenPrompt = true
    news.append(.notice(.userHackMode))
  }
}
