// A pseudo-terminal that tells its clients apart.

import SpheroSerial
import SpheroSystem
public import SpheroTransport

/// The device file of a simulated robot; each program that opens it is a separate client.
///
/// A client begins with its open and ends with its close, also where it is killed. Between clients the line
/// is made as new: raw, without echo, nothing of the former one's in it, open to everybody.
/// A path that is a link leads to a second place while the first is taken: whoever comes there is told from the
/// first, and answered by nothing. On systems without inotify clients are not told apart.
public final class TerminalListener: Listener {
  private enum State {
    case closed
    /// Nothing is there: it begins, or a client saw a hang-up.
    case down
    case up(TerminalStation)
  }

  private let link: LinkPath?
  private let remark: @Sendable (ServingRemark) -> Void
  private let state: Locked<State>
  private let former: Locked<String>
  private let waiting = Locked<[TerminalSession]>([])

  /// Opens the device file.
  ///
  /// - Parameters:
  ///   - link: The path of a symbolic link to it, or nil for none. A link of a server that has ended is replaced.
  ///   - remark: Gets what should be known; on a thread that must not wait.
  /// - Throws: ``LinkError/busy(_:_:)`` where another server has the link;
  ///   ``LinkError/failed(_:operation:code:)`` where it cannot be made, or something else is there.
  public init(
    link: String? = nil, remark: @escaping @Sendable (ServingRemark) -> Void = { _ in }
  ) throws(LinkError) {
    self.remark = remark
    let path: LinkPath? = if let link { try LinkPath(link) } else { nil }
    self.link = path
    let station = try TerminalStation(path, remark)
    former = Locked(station.path)
    state = Locked(.up(station))
  }

  deinit { shutDown() }

  /// Where clients find it: the link, or the device file.
  public var path: String { link?.path ?? former.withLock { $0 } }

  /// Waits for the next client.
  ///
  /// After a hang-up by this side the device file is made anew; without a link its path may be another.
  ///
  /// - Returns: The line to it, or nil once the listener is closed.
  /// - Throws: `CancellationError`; ``LinkError`` where no device file can be made.
  public func accept() async throws -> TerminalSession? {
    while let station = try station() {
      station.want()
      if let session = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return session }
      if let sessions = try await station.sessions.receive() {
        waiting.withLock { $0 += sessions }
      } else {
        state.withLock { if case .up(let other) = $0, other === station { $0 = .down } }
      }
    }
    return nil
  }

  /// The station that is up; made anew where it went down, nil once closed.
  private func station() throws(LinkError) -> TerminalStation? {
    let (station, isNew) = try state.withLock { state throws(LinkError) -> (TerminalStation?, Bool) in
      switch state {
      case .closed: return (nil, false)
      case .up(let station) where !station.isDown: return (station, false)
      case .up, .down:
        let station = try TerminalStation(link, remark)
        state = .up(station)
        return (station, true)
      }
    }
    guard let station, isNew else { return station }
    let isMoved = former.withLock { former in
      defer { former = station.path }
      return former != station.path
    }
    if isMoved, link == nil { remark(.moved(station.path)) }
    return station
  }

  /// Removes the device file and the link; a client that is there sees a hang-up.
  public func close() async { shutDown() }

  private func shutDown() {
    let former = state.withLock { state in
      defer { state = .closed }
      return state
    }
    if case .up(let station) = former { station.close() }
    link?.release()
  }
}
