// What a conversation does when time passes and when bytes come and go.

import SpheroProtocol

// MARK: - Time

extension Conversation {
  /// Does what is due.
  ///
  /// Every other call does so, too. A clock that jumps far beyond ``nextDeadline`` means that the host stood still:
  /// nobody is blamed for what did not come meanwhile.
  public mutating func advance(to time: Duration) {
    if let deadline = nextDeadline, time - deadline > Self.suspension {
      resume(at: time, late: time - deadline)
    }
    now = max(now, time)
    loosenDecoder()
    expireRequests()
    switch phase {
    case .connecting(var handshake):
      if let waited = handshake.takeRemark(at: now) { news.append(.notice(.connecting(waited: waited))) }
      phase = .connecting(handshake)
      if now >= handshake.deadline { giveUpConnecting(handshake) }
    case .connected:
      streaming.advance(to: now, roundTrip: counts.roundTrip.estimate)
      collectDemands()
      sendSetPoint()
      keepAwake()
    case .leaving(let deadline, _):
      if now >= deadline {
        news.append(.notice(.unconfirmed(undoing.map { $0.name })))
        finish()
      } else {
        repeatUndoing(at: now)
      }
    case .offline, .ended: break
    }
    settle()
  }

  /// When ``advance(to:)`` must be called at the latest; nil where only bytes or the program can bring news.
  public var nextDeadline: Duration? {
    var times: [Duration] = []
    if let pendingSince { times.append(pendingSince + Self.stuckLimit) }
    if let deadline = requests.deadline { times.append(deadline) }
    switch phase {
    case .connecting(let handshake):
      times.append(handshake.deadline)
      if handshake.due > now { times.append(handshake.due) }
      if let due = handshake.remarkDue { times.append(due) }
    case .connected:
      if let due = streaming.deadline(roundTrip: counts.roundTrip.estimate) { times.append(due) }
      // What may go already waits for the line, not for the clock.
      if let due = queue.due, isOpen, due > now { times.append(due) }
      if let due = setPoint.due, !isDriving { times.append(max(due, queue.paceDue)) }
      if let keepAlive = settings.keepAlive { times.append(lastSent + keepAlive) }
    case .leaving(let deadline, let repeatAt): times.append(min(deadline, repeatAt))
    case .offline, .ended: break
    }
    return times.min().map { max($0, now) }
  }

  /// Puts off all deadlines by the whole time since the last call, so that what came meanwhile is still in time.
  private mutating func resume(at time: Duration, late: Duration) {
    let pause = time - now
    now = time
    if case .connecting(let handshake) = phase { phase = .connecting(handshake.shifted(by: pause)) }
    requests.shift(by: pause)
    streaming.shift(by: pause)
    if hasEverAnswered { news.append(.notice(.suspended(late))) }
  }

  /// Lets an incomplete packet go after a second: a false header must not hold good packets back.
  private mutating func loosenDecoder() {
    guard let since = pendingSince, now - since >= Self.stuckLimit else { return }
    decoder.giveUpOnIncomplete()
    takePackets()
    pendingSince = decoder.pendingCount > 0 ? now : nil
  }

  /// Ends or repeats what was not answered in time.
  private mutating func expireRequests() {
    for flight in requests.expire(at: now) {
      if case .undoing = flight.request.purpose { continue }
      unanswered(flight)
    }
  }

  /// Sends a request again where that is allowed, or ends it.
  private mutating func unanswered(_ flight: Requests.Flight) {
    var request = flight.request
    let (name, isRepeatable) = (request.prepared.name, request.prepared.delivery == .repeatable)
    if request.purpose == .setPoint { return setPoint.missed(at: now) }
    if request.attemptsLeft > 0, isRepeatable {
      request.isUrgent = true
      counts.repetitions += 1
      return queue.insert(request)
    }
    if let misfit = flight.misfit { return complete(request, .failure(.malformed(command: name, misfit))) }
    // A repetition was ended by a newer command of the lane.
    if isRepeatable, request.wasSuperseded { return complete(request, .failure(.superseded(command: name))) }
    complete(
      request,
      .failure(
        isRepeatable
          ? .timedOut(command: name, hasEverAnswered: hasEverAnswered) : .unconfirmed(command: name)))
  }

  private mutating func giveUpConnecting(_ handshake: Handshake) {
    let error = SessionError.notConnected(handshake.finding)
    streaming.disconnected(at: now)
    if hasConnectedBefore {
      phase = .offline
      fail { _ in error }
    } else {
      abandon(error)
    }
    news.append(.failed(error))
  }

  private mutating func collectDemands() {
    while let demand = streaming.takeDemand(at: now, roundTrip: counts.roundTrip.estimate) {
      switch demand {
      case .switchOff: own(Sensing.SetDataStreaming(), for: .housekeeping)
      case .stream(let command, let epoch):
        // An off that is being repeated must not end the new stream.
        supersede(.stream)
        obligations.mayStream = true
        own(command, for: .stream(epoch: epoch), attempts: 1)
      }
    }
    if !streaming.mayStream, !queue.contains(lane: .stream), !requests.contains(lane: .stream) {
      obligations.mayStream = false
    }
    let expected = streaming.expectedPayloadCounts
    if expected != expectedPayloadCounts {
      expectedPayloadCounts = expected
      decoder.expectedPayloadCounts = expected.isEmpty ? [:] : [Sensing.SensorData.id: expected]
    }
  }

  /// Whether a set-point is on its way.
  private var isDriving: Bool { requests.flights.contains { $0.request.purpose == .setPoint } }

  private mutating func sendSetPoint() {
    guard !isDriving, queue.hasPace(at: now), let request = setPoint.take(at: now) else { return }
    supersede(.motion)
    queue.insert(
      PendingRequest(
        purpose: .setPoint, prepared: request,
        timeout: max(counts.roundTrip.estimate * 3, .milliseconds(250)),
        attemptsLeft: 1), isNext: true)
  }

  private mutating func keepAwake() {
    guard let keepAlive = settings.keepAlive, now - lastSent >= keepAlive else { return }
    lastSent = now
    if !queue.hasUrgent { own(Core.Ping(), for: .keepAlive) }
  }

  /// Whether another request of the program may be sent.
  private var isOpen: Bool { requests.programCount < max(1, settings.maximumInFlight) }

  /// Moves what the streams have to say to the news.
  mutating func settle() {
    for output in streaming.takeOutputs() {
      switch output {
      case .started(let id): news.append(.streamStarted(id))
      case .samples(let id, let samples): news.append(.samples(id, samples))
      case .ended(let id, let error): news.append(.streamEnded(id, error))
      case .notice(let notice): news.append(.notice(notice))
      }
    }
  }

  mutating func complete(_ request: PendingRequest, _ result: Result<ResponsePacket, SessionError>) {
    switch request.purpose {
    case .program(let id), .posted(let id): news.append(.completed(id, result))
    case .keepAlive:
      if case .failure(.timedOut) = result { news.append(.notice(.unresponsive)) }
    default: break
    }
  }
}

// MARK: - Bytes

extension Conversation {
  /// Takes bytes of the robot, in whatever pieces the line delivers.
  public mutating func receive(_ bytes: [UInt8], at time: Duration) {
    advance(to: time)
    guard !isOver, !bytes.isEmpty else { return }
    counts.bytesReceived &+= bytes.count
    if case .connecting(var handshake) = phase {
      handshake.received(bytes)
      phase = .connecting(handshake)
    }
    let before = decoder.statistics
    decoder.append(bytes)
    takePackets()
    notePrompt(bytes, before)
    if decoder.pendingCount == 0 {
      pendingSince = nil
    } else if pendingSince == nil || decoder.statistics != before {
      pendingSince = now
    }
    // What came may have made something due.
    advance(to: time)
  }

  /// Takes the next packet to send, or nil where none may go now.
  ///
  /// Call it when the line takes bytes: the wait for the answer begins here.
  public mutating func takeOutput(at time: Duration) -> [UInt8]? {
    advance(to: time)
    if case .connecting(var handshake) = phase {
      guard now >= handshake.due, let ping = try? PreparedRequest(Core.Ping()) else { return nil }
      let bytes = encode(
        PendingRequest(purpose: .handshake, prepared: ping, timeout: settings.timeout, attemptsLeft: 1))
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
    switch phase {
    case .connecting(let handshake): now >= handshake.due
    case .connected, .leaving: queue.hasNext(at: now, isOpen: isOpen)
    case .offline, .ended: false
    }
  }

  private var isOffline: Bool { if case .offline = phase { true } else { false } }

  /// Gives a request its sequence number and notes that it goes.
  private mutating func encode(_ request: PendingRequest) -> [UInt8]? {
    var request = request
    request.attemptsLeft -= 1
    let wantsAnswer = if case .posted = request.purpose { false } else { true }
    guard let number = wantsAnswer ? requests.send(request, at: now) : 0 else {
      complete(request, .failure(.tooManyRequests))
      return nil
    }
    let packet = CommandPacket(
      id: request.prepared.command, options: wantsAnswer ? .standard : .resetTimeout, sequence: number,
      payload: request.prepared.payload)
    // What was prepared has been encoded before.
    guard let bytes = try? Packet.command(packet).encoded() else { return nil }
    lastSent = now
    counts.commandsSent += 1
    counts.bytesSent &+= bytes.count
    // Only now: a program that leaves before would take it along.
    if !wantsAnswer { complete(request, .success(ResponsePacket(status: .ok, sequence: number))) }
    return bytes
  }

  private mutating func takePackets() {
    while let packet = decoder.next() { take(packet) }
  }

  private mutating func take(_ packet: Packet) {
    if case .connecting(var handshake) = phase {
      handshake.receivedPacket()
      phase = .connecting(handshake)
    }
    switch packet {
    case .command: break
    case .response(let response): take(response)
    case .event(let event): take(event)
    }
  }

  private mutating func take(_ event: EventPacket) {
    guard event.id == Sensing.SensorData.id else {
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
      if streaming.take(event.payload, at: now), !isSwitchingOff { endStaleStream() }
    case .offline, .leaving, .ended: break
    }
  }

  /// Tells a robot to stop that streams for a program that is gone.
  private mutating func endStaleStream() {
    news.append(.notice(.staleStream))
    own(Sensing.SetDataStreaming(), for: .housekeeping)
  }

  /// Whether the robot was told to stop streaming and has not answered: until then packets may come.
  private var isSwitchingOff: Bool {
    queue.contains(lane: .stream)
      || requests.flights.contains { $0.request.purpose == .housekeeping && $0.request.lane == .stream }
  }

  private mutating func take(_ response: ResponsePacket) {
    switch requests.answer(response) {
    case .stray, .misfit: counts.strayAnswers += 1
    case .answers(let flight): answered(flight, response)
    }
  }

  private mutating func answered(_ flight: Requests.Flight, _ response: ResponsePacket) {
    hasEverAnswered = true
    counts.roundTrip.note(now - flight.sentAt)
    // The robot got something else than was sent: as good as lost.
    let isLost = [.badChecksum, .fragment, .messageTimeout].contains(response.status)
    switch flight.request.purpose {
    case .handshake:
      if !isLost { connect(response.status) }
    case .stream(let epoch):
      guard !isLost else { return }
      if response.status == .ok {
        streaming.confirmed(epoch: epoch, sentAt: flight.sentAt, at: now)
      } else {
        streaming.refused(epoch: epoch, status: response.status, at: now)
      }
    case .undoing:
      undoing.removeAll { $0.command == flight.request.prepared.command && !isLost }
      if undoing.isEmpty, case .leaving = phase { finish() }
    case _ where isLost: unanswered(flight)
    case .motionOptions: setMotionTimeout(response)
    case .program, .housekeeping, .stopping, .keepAlive, .setPoint, .posted:
      noteConfirmed(flight, response.status)
      complete(flight.request, .success(response))
    }
  }

  private mutating func noteConfirmed(_ flight: Requests.Flight, _ status: Status) {
    let request = flight.request.prepared
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

  private mutating func setMotionTimeout(_ response: ResponsePacket) {
    guard response.status == .ok, let timeout = settings.motionTimeout,
      let options = try? Settings.GetPermanentOptions.Response(payload: response.payload),
      options.flags.contains(.motionTimeouts)
    else { return }
    let milliseconds = min(max((timeout.inSeconds * 1_000).rounded(), 1), 65_535)
    own(Motion.SetMotionTimeout(time: UInt16(milliseconds)), for: .housekeeping)
  }

  /// Ends the handshake: stops what a lost line left rolling, and brings back what it took.
  private mutating func connect(_ status: Status) {
    guard case .connecting(var handshake) = phase else { return }
    // Late answers to the other pings answer nobody, and neither do answers under the next numbers
    // that a former program asked for.
    _ = requests.remove { $0.request.purpose == .handshake }
    requests.skipNumbers()
    if handshake.mustAskAgain(discarded: decoder.statistics.discarded) {
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
      if lostAt == nil { endStaleStream() } else { own(Sensing.SetDataStreaming(), for: .housekeeping) }
    }
    if let lostAt {
      self.lostAt = nil
      counts.reconnections += 1
      // Behind a roll that was asked for meanwhile, a repeated stop would come too late.
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
  private mutating func noteBootloader() {
    if !hasToldBootloader { news.append(.notice(.bootloader)) }
    hasToldBootloader = true
  }

  /// Recognises the prompt `u>` of the user hack shell among bytes that belong to no packet.
  private mutating func notePrompt(_ bytes: [UInt8], _ before: PacketDecoder.Statistics) {
    // The prompt may be cut between two reads.
    let seen = (lastByte.map { [$0] } ?? []) + bytes
    lastByte = bytes.last
    guard !hasSeenPrompt, decoder.statistics.discarded > before.discarded else { return }
    let pairs = zip(seen, seen.dropFirst())
    guard pairs.contains(where: { $0 == UInt8(ascii: "u") && $1 == UInt8(ascii: ">") }) else { return }
    hasSeenPrompt = true
    news.append(.notice(.userHackMode))
  }
}
