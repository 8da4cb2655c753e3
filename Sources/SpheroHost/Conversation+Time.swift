// What a conversation does when time passes.

import SpheroProtocol

extension Conversation {
  /// Does what is due.
  ///
  /// Every other call does so, too. A clock that jumps far beyond ``nextDeadline`` means that the host stood still:
  /// nobody is blamed for what did not come meanwhile.
  public mutating func advance(to time: Duration) {
    // No deadline lies before the last call, so most calls need not look for it.
    if time - now > Self.suspension, let deadline = nextDeadline, time - deadline > Self.suspension {
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
    flush()
  }

  /// When ``advance(to:)`` must be called at the latest; nil where only bytes or the program can bring news.
  public var nextDeadline: Duration? { deadline }

  /// ``nextDeadline``; part of its callers, for a call would copy all of the conversation.
  @inline(__always) var deadline: Duration? {
    var earliest = Earliest()
    earliest.note(decoder.deadline)
    earliest.note(requests.deadline)
    switch phase {
    case .connecting(let handshake):
      earliest.note(handshake.deadline)
      if handshake.due > now { earliest.note(handshake.due) }
      earliest.note(handshake.remarkDue)
    case .connected:
      earliest.note(streaming.deadline(roundTrip: counts.roundTrip.shortest))
      // What may go already waits for the line, not for the clock.
      if let due = queue.due, isOpen, due > now { earliest.note(due) }
      if let due = setPoint.due, !isDriving { earliest.note(max(due, queue.paceDue)) }
      if let keepAlive = settings.keepAlive { earliest.note(lastSent + keepAlive) }
    case .leaving(let deadline, let repeatAt): earliest.note(min(deadline, repeatAt))
    case .offline, .ended: break
    }
    return earliest.time.map { max($0, now) }
  }

  /// What the owner sees to after each call: ``isOver``, ``hasOutput`` and ``nextDeadline`` at once.
  ///
  /// Mutating, since a property of an actor is copied wherever it is only read, and this one has 2 KB.
  package mutating func pollState() -> PollState {
    PollState(isOver: isOver, hasOutput: hasOutput, deadline: deadline)
  }

  /// Puts off all deadlines by the whole time since the last call, so that what came meanwhile is still in time.
  mutating func resume(at time: Duration, late: Duration) {
    let pause = time - now
    now = time
    if case .connecting(let handshake) = phase { phase = .connecting(handshake.shifted(by: pause)) }
    requests.shift(by: pause)
    streaming.shift(by: pause)
    if hasEverAnswered { news.append(.notice(.suspended(late))) }
  }

  /// Lets an incomplete packet go after a second: a false header must not hold good packets back.
  mutating func loosenDecoder() {
    while let deadline = decoder.giveUp(at: now) { takePackets(at: deadline) }
  }

  /// Ends or repeats what was not answered in time.
  mutating func expireRequests() {
    for flight in requests.expire(at: now) {
      if case .undoing = flight.request.purpose { continue }
      unanswered(flight)
    }
  }

  /// Sends a request again where that is allowed, or ends it.
  ///
  /// - Parameters:
  ///   - flight: The request.
  ///   - answer: What the robot says of one that it got in pieces; nil where it says nothing.
  mutating func unanswered(_ flight: Requests.Flight, _ answer: Answer? = nil) {
    var request = flight.request
    let (name, isRepeatable) = (request.encoded.name, request.encoded.delivery == .repeatable)
    if request.purpose == .setPoint { return setPoint.missed(at: now) }
    if request.attemptsLeft > 0, isRepeatable {
      request.isUrgent = true
      counts.repetitions += 1
      return queue.insert(request)
    }
    if let answer { return complete(request, .success(answer)) }
    if let misfit = flight.misfit { return complete(request, .failure(.malformed(command: name, misfit))) }
    // A repetition was ended by a newer command of the lane.
    if isRepeatable, request.wasSuperseded { return complete(request, .failure(.superseded(command: name))) }
    complete(
      request,
      .failure(
        isRepeatable
          ? .timedOut(command: name, attempts: request.attempts, hasEverAnswered: hasEverAnswered)
          : .unconfirmed(command: name)))
  }

  mutating func giveUpConnecting(_ handshake: Handshake) {
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

  mutating func collectDemands() {
    while let demand = streaming.takeDemand(at: now, roundTrip: counts.roundTrip.shortest) {
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
    expectPayloads()
  }

  /// Tells the decoder how long sensor packets are.
  mutating func expectPayloads() {
    let expected = streaming.payloadCounts
    if expected != payloadCounts {
      payloadCounts = expected
      let counts = Set([expected.current, expected.pending].compactMap { $0 })
      decoder.packets.expectedPayloadCounts = counts.isEmpty ? [:] : [Sensing.SensorData.id: counts]
    }
  }

  /// Whether a set-point is on its way.
  var isDriving: Bool { requests.flights.contains { $0.request.purpose == .setPoint } }

  mutating func sendSetPoint() {
    guard !isDriving, queue.hasPace(at: now), let request = setPoint.take(at: now) else { return }
    supersede(.motion)
    queue.insert(
      PendingRequest(
        purpose: .setPoint, encoded: request,
        timeout: max(counts.roundTrip.estimate * 3, .milliseconds(250)),
        attemptsLeft: 1), isNext: true)
  }

  mutating func keepAwake() {
    guard let keepAlive = settings.keepAlive, now - lastSent >= keepAlive else { return }
    lastSent = now
    if !queue.hasUrgent { own(Core.Ping(), for: .keepAlive) }
  }

  /// Whether another request of the program may be sent.
  var isOpen: Bool { requests.programCount < max(1, settings.maximumInFlight) }

  /// Moves what the streams have to say to the news.
  mutating func flush() {
    guard !streaming.news.isEmpty else { return }
    if news.isEmpty { swap(&news, &streaming.news) } else { news += streaming.news }
    streaming.news = []
  }

  mutating func complete(_ request: PendingRequest, _ result: Result<Answer, SessionError>) {
    switch request.purpose {
    case .program(let id), .posted(let id): news.append(.completed(id, result))
    case .keepAlive:
      if case .failure(.timedOut) = result { news.append(.notice(.unresponsive)) }
    default: break
    }
  }
}
