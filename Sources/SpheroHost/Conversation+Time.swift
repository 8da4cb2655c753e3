// What is due in a conversation: retries, stream requests, the repeated set-point of a drive, and the shutdown.

import SpheroProtocol

extension Conversation {
  /// When ``advance(to:)`` must be called at the latest; nil while only bytes or the program can change anything.
  public var nextDeadline: Duration? {
    var earliest = decoder.deadline
    earliest.formEarlier(requests.deadline)
    switch phase {
    case .connecting:
      earliest.formEarlier(handshake.deadline)
      earliest.formEarlier(handshake.noticeDue)
      if handshake.due > now { earliest.formEarlier(handshake.due) }
    case .connected:
      earliest.formEarlier(streaming.deadline(roundTrip: counts.roundTrip.shortest))
      // A request that may be sent now waits for the line, not for the clock.
      if let due = queue.due, hasCapacity, due > now { earliest.formEarlier(due) }
      if let due = setPoint.due, !hasSetPointInFlight { earliest.formEarlier(max(due, queue.rateLimitDue)) }
      if let period = settings.keepAlivePeriod { earliest.formEarlier(lastSent + period) }
    case .leaving:
      earliest.formEarlier(shutdown.deadline)
      earliest.formEarlier(shutdown.repeatAt)
    case .offline, .ended: break
    }
    return earliest.map { max($0, now) }
  }

  /// Performs everything that is due.
  ///
  /// Every other call does this as well. A time far beyond ``nextDeadline`` means that the host was suspended: the
  /// timeouts of the handshake, the requests, the streams and the shutdown are then postponed by the pause.
  public mutating func advance(to time: Duration) {
    // No deadline precedes the last call, which makes the search for it unnecessary in most calls.
    if time - now > Self.suspension, let deadline = nextDeadline, time - deadline > Self.suspension {
      resume(at: time, late: time - deadline)
    }
    now = max(now, time)
    // A false header must not hold back good packets for longer than the timeout of the decoder.
    while let deadline = decoder.discardExpired(at: now) { processPackets(at: deadline) }
    for flight in requests.expire(at: now) where flight.request.purpose != .shutdown { retry(flight) }
    switch phase {
    case .connecting:
      if let waited = handshake.takeNotice(at: now) { updates.append(.notice(.connecting(waited: waited))) }
      if now >= handshake.deadline { giveUpConnecting() }
    case .connected:
      streaming.advance(to: now, roundTrip: counts.roundTrip.estimate)
      enqueueStreamDemands()
      enqueueSetPoint()
      keepAwake()
    case .leaving:
      // An idle line and a call much later than the deadline show a host without processor time, which extends the
      // shutdown once. On a busy line, the host has sent.
      if now >= shutdown.deadline,
        isLineBusy || now - shutdown.deadline < Self.lateness || !extendShutdown(at: now)
      {
        updates.append(.notice(.unconfirmed(shutdown.unconfirmed.map { $0.name })))
        finish()
      } else {
        repeatCleanup(at: now)
      }
    case .offline, .ended: break
    }
    flush()
  }

  /// Postpones the timeouts by the time since the last call; `late` is the delay of the missed deadline, which is reported.
  private mutating func resume(at time: Duration, late: Duration) {
    let pause = time - now
    now = time
    handshake.shift(by: pause)
    requests.shift(by: pause)
    streaming.shift(by: pause)
    if let packet = lastPacket { lastPacket = (packet.kind, packet.arrival + pause) }
    reportedArrival = reportedArrival.map { $0 + pause }
    shutdown.deadline = min(shutdown.deadline + pause, time + settings.shutdownTimeout)
    counts.suspended += late
    if hasEverAnswered { updates.append(.notice(.suspended(late))) }
    // The motion timeout may have stopped the ball during the suspension; it must not start without a new command.
    if setPoint.isUnlimited { try? stopDriving(at: time) }
  }

  /// Queues a lost request again or ends it; `answer` is that of a robot that received a damaged packet.
  mutating func retry(_ flight: Requests.Flight, _ answer: Answer? = nil) {
    var request = flight.request
    let name = request.encoded.name
    if request.purpose == .setPoint {
      reportSilence()
      return setPoint.retry(at: now)
    }
    if request.mayRepeat {
      request.isUrgent = true
      counts.repetitions += 1
      return queue.insert(request)
    }
    if request.encoded.effect == .abortProgram, !request.wasSuperseded, phase == .connected {
      repeatAbort(request.encoded)
    }
    if let answer { return complete(request, .success(answer)) }
    let error: SessionError =
      if let mismatch = flight.mismatch {
        .malformed(command: name, mismatch)
      } else if request.encoded.delivery != .atLeastOnce {
        .unconfirmed(command: name)
      } else if request.wasSuperseded {
        .superseded(command: name)
      } else {
        .timedOut(
          command: name, attempts: request.attempts, hasEverAnswered: hasEverAnswered,
          received: activity(since: request))
      }
    complete(request, .failure(error))
  }

  /// Reports once that the robot does not answer set-points, whose losses are no errors; a stream reports its own silence.
  private mutating func reportSilence() {
    guard let lastArrival, lastArrival != reportedArrival, now - lastArrival >= Self.silenceLimit,
      !streaming.isSilent(at: now)
    else { return }
    reportedArrival = lastArrival
    updates.append(.notice(.unresponsive))
  }

  private static let silenceLimit = Duration.seconds(3)

  private func activity(since request: PendingRequest) -> LineActivity {
    LineActivity(
      bytes: counts.bytesReceived &- request.bytesBefore,
      lastPacket: lastPacket.map { LineActivity.LastPacket(kind: $0.kind, age: now - $0.arrival) })
  }

  private mutating func giveUpConnecting() {
    let error = SessionError.notConnected(handshake.finding)
    streaming.disconnected(at: now)
    if lostAt != nil {
      // As after a lost line, motion that was requested on this line is discarded.
      goOffline { _ in error }
    } else {
      abandon(error)
    }
    updates.append(.failed(error))
  }

  private mutating func enqueueStreamDemands() {
    if streaming.awaitsModel, !streaming.isAskingForModel {
      streaming.isAskingForModel = true
      // A stream waits for the answer, which some robots and simulators do not give.
      addRequest(
        EncodedRequest(valid: Core.GetVersioning()), for: .model,
        timeout: min(settings.timeout, counts.roundTrip.shortTimeout)
      )
    }
    while let (command, epoch) = streaming.takeDueCommand(at: now, roundTrip: counts.roundTrip.shortest) {
      let command = EncodedRequest(valid: command)
      guard let epoch else {
        addRequest(command, for: .housekeeping)
        continue
      }
      // The retry of a command that ends the stream must not end the new one.
      supersede(.stream)
      cleanup.mayStream = true
      addRequest(command, for: .stream(epoch: epoch), attempts: 1)
    }
    if !streaming.mayStream, !queue.contains(.stream), !requests.contains(.stream) {
      cleanup.mayStream = false
    }
    expectPayloads()
  }

  private mutating func enqueueSetPoint() {
    guard !hasSetPointInFlight, now >= queue.rateLimitDue, let request = setPoint.take(at: now) else {
      return
    }
    supersede(.motion)
    queue.insert(
      PendingRequest(
        purpose: .setPoint, encoded: request, timeout: counts.roundTrip.shortTimeout, maximumAttempts: 1),
      isNext: true)
  }

  package var awaitsModel: Bool { streaming.awaitsModel }

  private mutating func keepAwake() {
    guard let period = settings.keepAlivePeriod, now - lastSent >= period else { return }
    lastSent = now
    if !queue.hasUrgent { addRequest(EncodedRequest(valid: Core.Ping()), for: .keepAlive) }
  }

  var hasCapacity: Bool { requests.programCount < max(1, settings.maximumInFlight) }

  /// Whether a request ended without a valid answer, and no newer request replaces it.
  private func isLost(_ result: Result<Answer, SessionError>) -> Bool {
    switch result {
    case .failure(.superseded): false
    case .success(let answer): answer.packet.status.isLinkError
    case .failure: true
    }
  }

  mutating func complete(_ request: PendingRequest, _ result: Result<Answer, SessionError>) {
    switch request.purpose {
    case .program(let id), .posted(let id): updates.append(.completed(id, result))
    case .keepAlive:
      if case .failure(.timedOut) = result { updates.append(.notice(.unresponsive)) }
    case .motionTimeout: if isLost(result) { cleanup.motionTimeoutLost() }
    case .housekeeping where request.encoded.command == Settings.SetTemporaryOptions.id:
      if isLost(result) { cleanup.stopOnDisconnectLost() }
    case .model:
      // The next line asks again.
      if case .failure(.disconnected) = result { return }
      streaming.identify(nil, at: now)
    default: break
    }
  }
}

struct Shutdown: Sendable {
  var deadline = Duration.zero
  var isExtended = false
  /// Whether the line has taken a cleanup command.
  var isSent = false
  var repeatAt = Duration.zero
  var unconfirmed: [EncodedRequest] = []

  /// Removes a command that the robot has answered.
  ///
  /// A stop and the command for the control system stay as long as a command before them is unconfirmed: a program that
  /// still runs moves the ball again, and free motors do not brake.
  mutating func confirm(_ request: EncodedRequest) {
    guard let place = unconfirmed.firstIndex(where: { $0.command == request.command }) else { return }
    if place > 0, request.isStop || request.command == Motion.SetStabilization.id { return }
    unconfirmed.removeAll { $0.command == request.command }
  }
}

extension Conversation {
  /// Starts the shutdown: sends no more requests of the program, then the stop, then the other cleanup commands.
  ///
  /// ``Update/left`` follows when the robot has confirmed all of them, or after `HostSettings.shutdownTimeout`.
  /// That time starts again once if the owner has called later than that, and the line has taken none of them.
  public mutating func shutDown(at now: Duration) {
    advance(to: now)
    guard phase != .leaving, phase != .ended else { return }
    if !cleanup.keepsRolling { _ = cleanup.takeAborts() }
    // On a reopened line the ball may still roll: the stop does not wait for the handshake.
    let isReachable = phase == .connected || phase == .connecting && lostAt != nil
    shutdown = Shutdown(
      deadline: now + settings.shutdownTimeout, repeatAt: now,
      unconfirmed: isReachable ? cleanup.shutdownCommands : [])
    setPoint.clear()
    streaming.end(nil)
    flush()
    failRequests { _ in .leaving }
    guard !shutdown.unconfirmed.isEmpty else { return finish() }
    phase = .leaving
    repeatCleanup(at: now)
  }

  /// The delay of a timer above which the host counts as having had no processor time.
  private static let lateness = Duration.milliseconds(20)

  /// Extends the deadline once: a host without processor time may not have called ``takeOutput(at:)`` before it.
  @discardableResult mutating func extendShutdown(at time: Duration) -> Bool {
    guard !shutdown.isExtended, !shutdown.isSent, queue.hasUrgent else { return false }
    (shutdown.deadline, shutdown.isExtended) = (time + settings.shutdownTimeout, true)
    return true
  }

  mutating func failRequests(_ error: (String) -> SessionError) {
    let failed = queue.remove { _ in true } + requests.remove { _ in true }.map { $0.request }
    for request in failed { complete(request, .failure(error(request.encoded.name))) }
  }

  mutating func finish() {
    phase = .ended
    updates.append(.left)
  }

  mutating func repeatCleanup(at now: Duration) {
    guard now >= shutdown.repeatAt else { return }
    // Commands that the line has not accepted yet need not be queued twice.
    _ = queue.remove { $0.purpose == .shutdown }
    for request in shutdown.unconfirmed { addRequest(request, for: .shutdown, attempts: 1) }
    shutdown.repeatAt = now + max(counts.roundTrip.estimate * 2, .milliseconds(100))
  }

  /// Records that the line is lost.
  ///
  /// Requests fail. Streams and settings wait for ``reconnected(at:)``; motion does not return with the line.
  /// The streams end if lines are lost and reopened without a sample for `silenceLimit`.
  public mutating func lineLost(at now: Duration, silenceLimit: Duration = .seconds(60)) {
    advance(to: now)
    switch phase {
    case .ended, .offline: return
    case .leaving:
      failRequests { .disconnected(command: $0) }
      // A robot that falls asleep ends the line itself.
      let names =
        isAsleep ? [] : shutdown.unconfirmed.filter { $0.command != Core.Sleep.id }.map { $0.name }
      if !names.isEmpty { updates.append(.notice(.unconfirmed(names))) }
      finish()
    case .connecting, .connected:
      lostAt = lostAt ?? now
      isAsleep = isAsleep || requests.flights.contains { $0.request.encoded.command == Core.Sleep.id }
      goOffline { .disconnected(command: $0) }
      streaming.lineLost(at: now, limit: silenceLimit)
      flush()
      if !isAsleep { updates.append(.notice(.disconnected)) }
    }
  }

  private mutating func goOffline(_ error: (String) -> SessionError) {
    phase = .offline
    setPoint.clear()
    failRequests(error)
    cleanup.lineLost(heading: streaming.heading)
  }

  /// Records that a new line is open: connects, stops the ball, and restores settings and streams.
  public mutating func reconnected(at now: Duration) {
    guard phase == .offline else { return }
    self.now = max(self.now, now)
    requests.forgetRetiredNumbers()
    counts.decoder.add(decoder.packets.statistics)
    decoder = TimedDecoder(from: .robot)
    (payloadCounts, promptDetector.lastByte, lastPacket) = ((nil, nil), nil, nil)
    phase = .connecting
    handshake = Handshake(at: now, timeout: settings.connectTimeout)
  }

  /// Ends the conversation, its requests and its streams with an error.
  public mutating func abandon(_ error: SessionError, at now: Duration) {
    advance(to: now)
    abandon(error)
  }

  mutating func abandon(_ error: SessionError) {
    guard !isOver else { return }
    streaming.end(error)
    flush()
    failRequests { _ in error }
    phase = .ended
  }
}

/// The newest set-point of a drive, and when it is due.
struct SetPoint: Sendable {
  /// The interval at which a moving set-point is repeated: less than the motion timeout of 2 s, the factory setting.
  private static let refresh = Duration.seconds(1)

  private(set) var request: EncodedRequest?
  private(set) var due: Duration?
  /// When the repetition ends; nil for no limit.
  private var end: Duration?
  /// Whether the speed, the first byte of a roll, is not 0.
  private var isMoving: Bool { (request?.payload.first ?? 0) > 0 }
  var isUnlimited: Bool { isMoving && end == nil }

  /// Replaces the set-point, which is due now; an equal one that is to be repeated later stays.
  mutating func set(_ request: EncodedRequest, at now: Duration) {
    end = nil
    if self.request?.payload == request.payload, let due, due > now { return }
    (self.request, due) = (request, now)
  }

  /// Replaces the set-point by one that the robot has confirmed, so that it only needs to be repeated until `end`.
  mutating func repeatConfirmed(_ request: EncodedRequest, until end: Duration, at now: Duration) {
    (self.request, self.end) = (request, end)
    due = isMoving ? now + Self.refresh : nil
  }

  mutating func clear() { (request, due, end) = (nil, nil, nil) }

  mutating func take(at now: Duration) -> EncodedRequest? {
    guard let due, now >= due else { return nil }
    // A host that was suspended must not restart a ball that should have stopped meanwhile.
    if let end, now >= end {
      clear()
      return nil
    }
    self.due = isMoving ? now + Self.refresh : nil
    return request
  }

  /// Makes the set-point due again, because the robot has not answered it.
  mutating func retry(at time: Duration) { if request != nil { due = time } }
}

extension Duration? {
  /// Replaces a deadline by an earlier one; nil is no deadline.
  mutating func formEarlier(_ other: Duration?) {
    if let other { self = Swift.min(self ?? other, other) }
  }
}
