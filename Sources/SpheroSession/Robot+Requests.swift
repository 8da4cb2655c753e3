// Requests and their typed responses.

import SpheroHost
public import SpheroProtocol
import SpheroTransport

extension Robot {
  /// Sends a command and waits for its response.
  ///
  /// Commands leave in their order: 12 at once, then 12 a second, the rate that the vendor gives;
  /// see `HostSettings.commandsPerSecond`. A stop does not wait.
  /// Cancelling the task ends the wait at once; what was sent by then may have been executed.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - timeout: The wait for each answer; nil for that of the settings.
  /// - Returns: The response.
  /// - Throws: `SessionError`, `LinkError`, `WireError` where a value of the command is out of range,
  ///   `CancellationError`.
  @discardableResult
  public func send<C: Command>(_ command: C, timeout: Duration? = nil) async throws -> C.Response {
    try await perform(command, timeout: timeout)
  }

  /// Sends a request that can do harm, whose type says what can go wrong.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - acceptingHazard: Whether the hazard is accepted; where it is not, nothing is sent.
  ///   - timeout: The wait for each answer; nil for that of the settings.
  /// - Returns: The response.
  /// - Throws: As ``send(_:timeout:)``; `SessionError.hazardous` where the hazard is not accepted.
  @discardableResult
  public func send<R: HazardousCommand>(
    _ request: R, acceptingHazard: Bool, timeout: Duration? = nil
  ) async throws -> R.Response {
    guard acceptingHazard else { throw SessionError.hazardous(command: R.name, hazard: R.hazard) }
    return try await perform(request, timeout: timeout)
  }

  /// Sends any command by its bytes and asks for no answer: errors are silent too.
  ///
  /// Returns once it was handed to the line. What it starts is not undone on leaving.
  ///
  /// - Parameters:
  ///   - id: DID and CID.
  ///   - payload: The bytes between DLEN and CHK.
  /// - Throws: `WireError` where the payload does not fit; `SessionError`; `LinkError` where the link is gone;
  ///   `CancellationError`.
  public func post(_ id: CommandID, payload: [UInt8]) async throws {
    try Task.checkCancellation()
    let request = try EncodedRequest(id, name: "command \(id)", payload: payload)
    let name: RequestID
    do throws(SessionError) { name = try conversation.post(request, at: time.now) } catch {
      flush()
      throw explained(error)
    }
    _ = try await end(of: name)
  }

  /// Sends any command by its bytes, once, and waits for its response, whatever its status.
  ///
  /// What it starts is not undone on leaving.
  ///
  /// - Parameters:
  ///   - id: DID and CID.
  ///   - payload: The bytes between DLEN and CHK.
  ///   - timeout: The wait for the answer; nil for that of the settings.
  /// - Returns: The response.
  /// - Throws: `SessionError`, `LinkError`, `WireError`, `CancellationError`.
  public func exchange(
    _ id: CommandID, payload: [UInt8], timeout: Duration? = nil
  ) async throws -> ResponsePacket {
    let name = Catalogue.command(id)?.name ?? "command \(id)"
    return try await answer(to: try EncodedRequest(id, name: name, payload: payload), timeout: timeout)
      .packet
  }

  private func perform<R: Request>(_ request: R, timeout: Duration?) async throws -> R.Response {
    try await timed(request, timeout: timeout).response
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
      // Ends by itself: it only takes the waiter out.
      _ = time.start { await self.cancel(id) }
    }
  }

  private func cancel(_ id: RequestID) {
    conversation.cancel(id, at: time.now)
    waiters.removeValue(forKey: id)?.resume(throwing: CancellationError())
    flush()
  }
}
