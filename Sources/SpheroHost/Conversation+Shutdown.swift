// The shutdown of a conversation, and the loss and return of its line.

import SpheroProtocol

/// The progress of a shutdown.
struct Shutdown: Sendable {
  var deadline = Duration.zero
  /// When the unconfirmed commands are sent again.
  var repeatAt = Duration.zero
  /// The cleanup commands that the robot has not confirmed.
  var unconfirmed: [EncodedRequest] = []
}

extension Conversation {
  /// Starts the shutdown: sends no more requests of the program, then the stop, then the other cleanup commands.
  ///
  /// ``News/left`` follows when the robot has confirmed all of them, or after `HostSettings.leaveTimeout`.
  public mutating func leave(at now: Duration) {
    advance(to: now)
    switch phase {
    case .leaving, .ended: return
    case .connecting where hasConnectedBefore, .connected:
      // On a reopened line the ball may still roll: the stop does not wait for the handshake.
      shutdown = Shutdown(
        deadline: now + settings.leaveTimeout, repeatAt: now, unconfirmed: cleanup.shutdownCommands)
      endRequestsAndStreams()
      guard !shutdown.unconfirmed.isEmpty else { return finish() }
      phase = .leaving
      repeatCleanup(at: now)
    case .connecting, .offline:
      // No robot could receive a command now.
      endRequestsAndStreams()
      finish()
    }
  }

  private mutating func endRequestsAndStreams() {
    setPoint.clear()
    streaming.end(nil)
    flush()
    failRequests { _ in .leaving }
  }

  /// Ends all requests with an error, made from the name of each.
  mutating func failRequests(_ error: (String) -> SessionError) {
    let failed = queue.remove { _ in true } + requests.remove { _ in true }.map { $0.request }
    for request in failed { complete(request, .failure(error(request.encoded.name))) }
  }

  mutating func finish() {
    phase = .ended
    news.append(.left)
  }

  /// Sends the cleanup commands that the robot has not confirmed, when they are due.
  mutating func repeatCleanup(at now: Duration) {
    guard now >= shutdown.repeatAt else { return }
    // Commands that the line has not accepted yet need not be queued twice.
    _ = queue.remove { $0.purpose == .shutdown }
    for request in shutdown.unconfirmed { enqueueOwn(request, for: .shutdown, attempts: 1) }
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
      finish()
    case .connecting, .connected:
      phase = .offline
      lostAt = lostAt ?? now
      setPoint.clear()
      failRequests { .disconnected(command: $0) }
      cleanup.lineLost()
      streaming.lineLost(at: now, limit: silenceLimit)
      flush()
      news.append(.notice(.disconnected))
    }
  }

  /// Records that a new line is open: connects, stops the ball, and restores settings and streams.
  public mutating func reconnected(at now: Duration) {
    guard phase == .offline else { return }
    self.now = max(self.now, now)
    requests.forgetRetiredNumbers()
    counts.decoder.add(decoder.packets.statistics)
    decoder = TimedDecoder(from: .robot)
    (payloadCounts, promptDetector.lastByte) = ((nil, nil), nil)
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

  /// Whether nothing more will be sent.
  public var isOver: Bool {
    @inline(__always) get { phase == .ended }
  }
}
