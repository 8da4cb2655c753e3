// Replays a recording to the clients of a listener.

public import SpheroTransport

/// Replays a recording to one client after another, each time from the beginning.
public struct ReplayServer: Sendable {
  /// How the connection of a client ended.
  public struct Ending: Hashable, Sendable {
    private let isPlayed: Bool
    /// The first difference between the client and a strict recording; nil if there was none.
    public let error: ReplayError?

    /// Everything was played, and the line was closed.
    public static let played = Ending(isPlayed: true, error: nil)
    /// The client disconnected earlier.
    public static let left = Ending(isPlayed: false, error: nil)
    /// The client did not follow a strict recording.
    public static func departed(_ error: ReplayError) -> Ending { Ending(isPlayed: false, error: error) }
  }

  private let replay: Replay
  private let time: any TimeSource

  /// Makes a server of a replay that has not begun; each client gets a copy of it.
  public init(_ replay: Replay, time: any TimeSource = SystemTime()) {
    (self.replay, self.time) = (replay, time)
  }

  /// Serves clients until the listener is closed or the task is cancelled.
  ///
  /// - Parameters:
  ///   - listener: The listener that accepts clients.
  ///   - onEnd: Called after each client.
  /// - Throws: `CancellationError`, and the errors of the listener.
  public func serve(
    _ listener: some Listener, onEnd: @Sendable (Ending) async -> Void = { _ in }
  ) async throws {
    while let line = try await listener.accept() {
      let ending = await serve(line)
      try Task.checkCancellation()
      await onEnd(ending)
    }
  }

  /// Serves one client and closes the line.
  public func serve(_ line: some Transport) async -> Ending {
    let robot = ReplayTransport(replay, time: time)
    return await withTaskGroup(of: Ending.self) { group in
      group.addTask { await Self.forward(from: robot, to: line) }
      group.addTask { await Self.forward(from: line, to: robot) }
      let first = await group.next() ?? .left
      group.cancelAll()
      robot.close()
      // Closing the line waits for output in transit.
      await line.close()
      return first
    }
  }

  private static func forward(from robot: ReplayTransport, to line: some Transport) async -> Ending {
    do {
      while let bytes = try await robot.read() {
        do { try await line.write(bytes) } catch { return .left }
      }
      return .played
    } catch { return (error as? ReplayError).map { .departed($0) } ?? .left }
  }

  private static func forward(from line: some Transport, to robot: ReplayTransport) async -> Ending {
    while let bytes = try? await line.read() {
      do { try robot.write(bytes) } catch {
        return (error as? ReplayError).map { .departed($0) } ?? .played
      }
    }
    return .left
  }
}
