// A pseudo-terminal that serves each program that opens it as a separate client.

import SpheroSystem
public import SpheroTransport

/// The device file of a simulated robot; each program that opens it is a separate client.
///
/// A session begins when a client opens the device file and ends when it closes the file or is killed. The next client
/// finds a raw line with empty queues. On systems without inotify, all clients share one session.
///
/// If ``path`` is a link, it points to a second device file while a client uses the first one: a program that
/// opens the second file can be distinguished from the client, and receives no answers.
public final class TerminalListener: Listener {
  private let link: LinkPath?
  private let devicePath: Locked<String>
  private let server: Server<TerminalArbiter>

  /// Opens the device file, and creates a symbolic link to it unless the path `link` is nil, or replaces one that an
  /// earlier server has left. `remark` must not block its thread.
  ///
  /// - Throws: `LinkError.busy(_:_:)` if another server has the link;
  ///   `LinkError.failed(_:operation:code:)` if the link cannot be created, or another file is at its path.
  public convenience init(
    link: String? = nil, remark: @escaping @Sendable (ServingRemark) -> Void = { _ in }
  ) throws(LinkError) {
    try self.init(link: link, isMonitoring: true, remark: remark)
  }

  /// Opens the device file; with `isMonitoring`, clients are distinguished where the system supports it.
  init(
    link: String?, isMonitoring: Bool, remark: @escaping @Sendable (ServingRemark) -> Void
  ) throws(LinkError) {
    let link: LinkPath? = if let link { try LinkPath(link) } else { nil }
    let devicePath = Locked("")
    server = try Server("pseudo-terminal") { (requests, sessions) throws(LinkError) in
      let arbiter = try TerminalArbiter(link, isMonitoring: isMonitoring, requests, sessions, remark)
      let former = devicePath.withLock { path in
        defer { path = arbiter.path }
        return path
      }
      if link == nil, !former.isEmpty, former != arbiter.path { remark(.moved(arbiter.path)) }
      return arbiter
    }
    (self.link, self.devicePath) = (link, devicePath)
  }

  /// The path that clients open: the link, or the device file.
  public var path: String { link?.path ?? devicePath.withLock { $0 } }

  /// Waits for the next client; returns nil after the listener is closed.
  ///
  /// After a hang-up by this side, the device file is created again; without a link, ``path`` may change.
  ///
  /// - Throws: `CancellationError`; `LinkError` if no device file can be created.
  public func accept() async throws -> TerminalSession? { try await server.accept() }

  /// Removes the device file and the link; a connected client sees a hang-up.
  public func close() async {
    server.close()
    link?.release()
  }
}
