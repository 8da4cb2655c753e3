// What a conversation does when the program leaves, and when the line goes and comes back.

import SpheroProtocol

extension Conversation {
  /// Leaves: nothing of the program is sent any more, the stop goes out at once, and the rest is undone after it.
  ///
  /// ``News/left`` comes when the robot has confirmed all, or the time for leaving is up.
  public mutating func leave(at now: Duration) {
    advance(to: now)
    switch phase {
    case .leaving, .ended: return
    case .connecting where hasConnectedBefore, .connected:
      // A robot whose line is just back may still roll: it is told blindly, without waiting for the handshake.
      let begun = stopping + obligations.undoing
      shutDoor()
      stopping = []
      undoing = begun
      guard !undoing.isEmpty else { return finish() }
      phase = .leaving(deadline: now + settings.leaveTimeout, repeatAt: now)
      repeatUndoing(at: now)
    case .connecting, .offline:
      // Nothing was begun that a robot could hear of now.
      shutDoor()
      finish()
    }
  }

  /// Lets all that waits fail, so that what follows is last on the wire.
  mutating func shutDoor() {
    setPoint.clear()
    streaming.end(nil)
    flush()
    fail { _ in .leaving }
  }

  /// Ends all requests.
  mutating func fail(_ error: (String) -> SessionError) {
    for request in queue.remove(where: { _ in true }) {
      complete(request, .failure(error(request.encoded.name)))
    }
    for flight in requests.remove(where: { _ in true }) {
      complete(flight.request, .failure(error(flight.request.encoded.name)))
    }
  }

  mutating func finish() {
    phase = .ended
    news.append(.left)
  }

  /// Sends again what the robot has not confirmed.
  mutating func repeatUndoing(at now: Duration) {
    guard case .leaving(let deadline, let repeatAt) = phase, now >= repeatAt else { return }
    // What the line has not taken yet need not wait twice.
    _ = queue.remove { $0.purpose == .undoing }
    for request in undoing { own(request, for: .undoing, attempts: 1) }
    phase = .leaving(
      deadline: deadline, repeatAt: now + max(counts.roundTrip.estimate * 2, .milliseconds(100)))
  }

  /// Notes that the line is gone.
  ///
  /// Requests fail. Streams and settings wait for ``reconnected(at:)``; what moves the ball is forgotten.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - silenceLimit: How long lines may come back and be lost again without a sample; then the streams end.
  public mutating func lineLost(at now: Duration, silenceLimit: Duration = .seconds(60)) {
    advance(to: now)
    switch phase {
    case .ended, .offline: return
    case .leaving:
      fail { .disconnected(command: $0) }
      finish()
    case .connecting, .connected:
      phase = .offline
      lostAt = lostAt ?? now
      setPoint.clear()
      fail { .disconnected(command: $0) }
      // A line that is lost again before it was used has brought nothing to a stop.
      if stopping.isEmpty { stopping = obligations.stopping }
      obligations.lostLine()
      mustArmAgain()
      streaming.lineLost(at: now, limit: silenceLimit)
      flush()
      news.append(.notice(.disconnected))
    }
  }

  /// Lets the next motion arm the robot anew, unless it has confirmed that it is armed and hears so again.
  private mutating func mustArmAgain() {
    func restores(_ id: CommandID) -> Bool { restoration.requests.contains { $0.command == id } }
    isArmed = !settings.stopsOnDisconnect || restores(Settings.SetTemporaryOptions.id)
    mayTimeOutMotion = settings.motionTimeout != nil && !restores(Motion.SetMotionTimeout.id)
  }

  /// Notes that there is a line again: connects anew, stops the ball, brings settings and streams back.
  public mutating func reconnected(at now: Duration) {
    guard case .offline = phase else { return }
    self.now = max(self.now, now)
    requests.forgetBarred()
    counts.decoder.add(decoder.packets.statistics)
    decoder = TimedDecoder(from: .robot)
    (payloadCounts, lastByte) = ((nil, nil), nil)
    phase = .connecting(Handshake(at: now, timeout: settings.connectTimeout))
  }

  /// Ends the conversation with an error: consumers and requests hear it.
  public mutating func abandon(_ error: SessionError, at now: Duration) {
    advance(to: now)
    abandon(error)
  }

  mutating func abandon(_ error: SessionError) {
    guard !isOver else { return }
    streaming.end(error)
    flush()
    fail { _ in error }
    phase = .ended
  }

  /// Whether nothing more will be sent.
  public var isOver: Bool {
    @inline(__always) get { if case .ended = phase { true } else { false } }
  }
}
