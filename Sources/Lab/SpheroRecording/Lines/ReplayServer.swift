// A recorded robot behind a place where clients come to.

public import SpheroTransport

/// Plays a recording to clients that come one after another: each gets it from its beginning.
public struct ReplayServer: Sendable {
  /// How a client's turn ended.
  public struct Ending: Hashable, Sendable {
    private enum Kind { case played, left, departed }
    private let kind: Kind
    /// How the client departed from a strict recording; nil where it did not.
    public let error: ReplayError?

    private init(_ kind: Kind, _ error: ReplayError?) { (self.kind, self.error) = (kind, error) }

    /// All was played, and the line was hung up.
    public static let played = Ending(.played, nil)
    /// The client went away before.
    public static let left = Ending(.left, nil)
    /// The client departed from a strict recording.
    public static func departed(_ error: ReplayError) -> Ending { Ending(.departed, error) }
  }

  private let replay: Replay
  private let time: any TimeSource

  /// Prepares to play.
  ///
  /// - Parameters:
  ///   - replay: The recording; a copy of it is played to each client.
  ///   - time: The clock of the replay.
  public init(_ replay: Replay, time: any TimeSource = SystemTime()) {
    (self.replay, self.time) = (replay, time)
  }

  /// Plays behind a place where clients come to, until that is closed or the task is cancelled.
  ///
  /// - Parameters:
  ///   - listener: Where clients come to.
  ///   - onEnd: Called after each client, with how its turn ended.
  /// - Throws: `CancellationError`; what the listener throws where no client can come any more.
  public func serve(
    _ listener: some Listener, onEnd: @Sendable (Ending) async -> Void = { _ in }
  ) async throws {
    while let line = try await listener.accept() {
      let ending = await serve(line)
      try Task.checkCancellation()
      await onEnd(ending)
    }
  }

  /// Plays to one client, and closes the line.
  ///
  /// - Parameter line: The line to the client.
  /// - Returns: How it ended.
  public func serve(_ line: some Transport) async -> Ending {
    let robot = ReplayTransport(replay, time: time)
    return await withTaskGroup(of: Ending.self) { group in
      group.addTask { await Self.say(robot, to: line) }
      group.addTask { await Self.hear(line, by: robot) }
      let first = await group.next() ?? .left
      group.cancelAll()
      robot.close()
      // What was played goes out before the line ends.
      await line.close()
      return first
    }
  }

  /// Passes on what the robot says, until there is no more of it.
  private static func say(_ robot: ReplayTransport, to line: some Transport) async -> Ending {
    do {
      while let bytes = try await robot.read() {
        do { try await line.write(bytes) } catch { return .left }
      }
      return .played
    } catch { return (error as? ReplayError).map { .departed($0) } ?? .left }
  }

  /// Passes on what the client says, until it goes away.
  private static func hear(_ line: some Transport, by robot: ReplayTransport) async -> Ending {
    while let bytes = try? await line.read() {
      do { try robot.write(bytes) } catch {
        return (error as? ReplayError).map { .departed($0) } ?? .played
      }
    }
    return .left
  }
}
