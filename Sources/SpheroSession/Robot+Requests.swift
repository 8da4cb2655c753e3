// Requests and their typed responses.

import SpheroHost
public import SpheroProtocol
import SpheroTransport

extension Robot {
  /// Sends a command and waits for its response.
  ///
  /// Commands are sent in order: 12 at once, then 12 per second, the rate that the vendor gives;
  /// see `HostSettings.commandsPerSecond`. A stop does not wait.
  /// Cancelling the task ends the wait at once; the robot may still execute a command that was sent.
  /// `timeout` applies to each attempt; nil selects that of the settings.
  ///
  /// - Throws: `SessionError`, `LinkError`, `WireError` if a value of the command is out of range,
  ///   `CancellationError`.
  @discardableResult
  public func send<C: Command>(_ command: C, timeout: Duration? = nil) async throws -> C.Response {
    try await timed(command, timeout: timeout).response
  }

  /// Sends a request that can do harm, as its type describes, if the program accepts the hazard.
  ///
  /// - Throws: As ``send(_:timeout:)``; `SessionError.hazardous` if the hazard is not accepted.
  @discardableResult
  public func send<R: HazardousCommand>(
    _ request: R, acceptingHazard: Bool, timeout: Duration? = nil
  ) async throws -> R.Response {
    guard acceptingHazard else { throw SessionError.hazardous(command: R.name, hazard: R.hazard) }
    return try await timed(request, timeout: timeout).response
  }

  /// Sends the bytes of any command without a request for an answer: errors are not reported.
  ///
  /// `payload` are the bytes between DLEN and CHK.
  /// It returns when the command was handed to the line. ``close()`` does not undo its effect.
  ///
  /// - Throws: `WireError` if the payload does not fit; `SessionError`; `LinkError` if the line is lost;
  ///   `CancellationError`.
  public func post(_ id: CommandID, payload: [UInt8]) async throws {
    try Task.checkCancellation()
    let request = try EncodedRequest(id, name: "command \(id)", payload: payload)
    let now = time.now
    _ = try await end(
      of: attempt { conversation throws(SessionError) in try conversation.post(request, at: now) })
  }

  /// Sends the bytes of any command, once, and waits for its response of any status.
  ///
  /// `payload` are the bytes between DLEN and CHK. ``close()`` does not undo the effect of the command.
  ///
  /// - Throws: `SessionError`, `LinkError`, `WireError`, `CancellationError`.
  public func exchange(
    _ id: CommandID, payload: [UInt8], timeout: Duration? = nil
  ) async throws -> ResponsePacket {
    let name = Catalogue.command(id)?.name ?? "command \(id)"
    return try await answer(to: try EncodedRequest(id, name: name, payload: payload), timeout: timeout)
      .packet
  }

  /// Sends a request, and returns its response with the times of its round trip.
  func timed<R: Request>(
    _ request: R, timeout: Duration? = nil
  ) async throws -> (response: R.Response, answer: Conversation.Answer) {
    let answer = try await answer(to: try EncodedRequest(request), timeout: timeout)
    guard answer.packet.status == .ok else {
      throw SessionError.refused(command: R.name, status: answer.packet.status)
    }
    do throws(WireError) { return (try R.Response(payload: answer.packet.payload), answer) } catch {
      throw SessionError.malformed(command: R.name, error)
    }
  }

  func answer(to request: EncodedRequest, timeout: Duration? = nil) async throws -> Conversation.Answer {
    try Task.checkCancellation()
    return try await end(of: conversation.enqueue(request, timeout: timeout, at: time.now))
  }

  /// Waits for the end of a request.
  private func end(of id: RequestID) async throws -> Conversation.Answer {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        waiters[id] = waiter
        flush()
      }
    } onCancel: {
      _ = time.start { await self.cancel(id) }
    }
  }

  private func cancel(_ id: RequestID) {
    conversation.cancel(id, at: time.now)
    waiters.removeValue(forKey: id)?.resume(throwing: CancellationError())
    flush()
  }
}
