// A file descriptor as a line, whose bytes an event loop waits for, and the errors of opening one.

import SpheroLibc
package import SpheroSystem
public import SpheroTransport

/// The line to a robot through a device file or a socket: a non-blocking file descriptor, which it owns.
///
/// It stops reading while its queue is full: memory stays bounded, and the kernel applies back-pressure to the sender.
public final class DescriptorLine: Transport, TimestampedTransport {
  private struct State {
    /// Nil once the line is closed.
    var descriptor: Int32?
    var watch: (loop: EventLoop, number: Int)?
    /// The thread of a loop that belongs to this line.
    var thread: Thread?
    /// Whether the other end is gone: written bytes are not sent.
    var isLost = false
  }

  /// A link that takes no bytes for this time is lost.
  private static let stallTimeout = Duration.seconds(5)
  /// The bytes per read: a robot sends fewer between two reads, and malloc caches only blocks up to 1 KB.
  private static let maximumReadCount = 960
  private let port: String
  private let isSocket: Bool
  private let tellsUnsent: Bool
  private let time: any TimeSource
  /// The lock of the robot's address or of the server's port, held until the end.
  private let lock: AbstractSocketLock?
  private let onClose: @Sendable (Int32) -> Void
  /// Received chunks, at most 4 MB.
  private let incoming = Mailbox<TimestampedChunk>(capacity: 1 << 12)
  private let state: Locked<State>

  /// Takes ownership of a descriptor; closes it if a thread cannot be started.
  ///
  /// With `tellsUnsent`, the system reports the number of unsent bytes.
  /// An event loop as `time` reads the line; for any other clock, a thread of this line reads by the system's clock.
  package init(
    _ descriptor: Int32, port: String, isSocket: Bool, tellsUnsent: Bool = true,
    time: any TimeSource = SystemTime(), lock: AbstractSocketLock? = nil,
    onClose: @escaping @Sendable (Int32) -> Void = { _ in }
  ) throws(SystemError) {
    (self.port, self.isSocket, self.tellsUnsent) = (port, isSocket, tellsUnsent)
    (self.lock, self.onClose) = (lock, onClose)
    let shared = time as? EventLoop
    self.time = shared ?? SystemTime()
    state = Locked(State(descriptor: descriptor))
    let (incoming, state) = (incoming, state)
    let loop = shared ?? EventLoop()
    let number = loop.watch(descriptor) { time in
      guard incoming.room > 0 else { return .milliseconds(10) }
      do throws(SystemError) {
        let bytes = try System.read(descriptor, atMost: Self.maximumReadCount)
        if !bytes.isEmpty {
          incoming.push(TimestampedChunk(bytes, at: time))
          return .zero
        }
      } catch {
        // Prevents a busy loop after an event without bytes.
        if error.wouldBlock { return .milliseconds(10) }
        // A hung-up terminal reports EIO or ENXIO; after any other error the line is lost, too.
      }
      state.withLock { $0.isLost = true }
      incoming.finish(throwing: LinkError.lost(port))
      return nil
    }
    state.withLock { $0.watch = (loop, number) }
    guard shared == nil else { return }
    // If this throws, the deinitializer closes the descriptor.
    let thread = try Thread { loop.run { loop.hasWatches } }
    state.withLock { $0.thread = thread }
  }

  deinit { end() }

  /// Waits for bytes from the robot.
  nonisolated(nonsending) public func read() async throws -> [UInt8]? {
    try await readChunks()?.flatMap(\.bytes)
  }

  nonisolated(nonsending) package func readChunks() async throws -> [TimestampedChunk]? {
    try await incoming.receive()
  }

  package func sharesClock(of time: any TimeSource) -> Bool { self.time.sharesClock(of: time) }

  /// Sends the bytes that fit the kernel's buffer, and returns their number.
  package func send(_ bytes: ArraySlice<UInt8>) throws(LinkError) -> Int {
    try state.withLock { state throws(LinkError) in
      guard let descriptor = state.descriptor else { throw .closed }
      do throws(SystemError) { return try System.write(descriptor, bytes, isSocket: isSocket) } catch {
        throw .lost(port)
      }
    }
  }

  /// Sends all bytes to the robot; suspends while the link takes none.
  public func write(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    var lastProgress = time.now
    while true {
      let count = try send(rest)
      rest = rest.dropFirst(count)
      if rest.isEmpty { return }
      if count > 0 { lastProgress = time.now }
      guard time.now - lastProgress < Self.stallTimeout else { throw LinkError.lost(port) }
      // A link seldom takes no bytes, so waiting for it by polling is cheap.
      try await time.sleep(for: .milliseconds(5))
    }
  }

  /// Waits until written bytes are sent, for at most a second, or 150 ms without progress; returns whether all are.
  package func drain() async -> Bool { await time.drain(stall: .milliseconds(150)) { unsentCount } }

  /// The bytes that the kernel has not sent; 0 where it does not report them, or the line is lost or closed.
  private var unsentCount: Int {
    state.withLock { state in
      guard tellsUnsent, let descriptor = state.descriptor, !state.isLost else { return 0 }
      return System.unsentCount(descriptor)
    }
  }

  /// Waits until written bytes are sent, for at most a second, or 150 ms without progress; then closes the line.
  public func close() async {
    let isSent = await drain()
    end { descriptor in
      // The close of a device would wait for unsent bytes, up to 30 s; a socket has no such queue.
      if !isSent { System.discardQueues(descriptor) }
    }
  }

  /// Whether the line is neither closed nor known to be lost.
  package var isLive: Bool { state.withLock { $0.descriptor != nil && !$0.isLost } }

  package func end(_ cleanUp: (Int32) -> Void = { _ in }) {
    let state = state.withLock { state in
      defer { state = State() }
      return state
    }
    guard let descriptor = state.descriptor else { return }
    if let watch = state.watch { watch.loop.unwatch(watch.number) }
    state.thread?.join()
    // Only the first end counts: an error of a lost line stays.
    incoming.finish()
    cleanUp(descriptor)
    onClose(descriptor)
    System.close(descriptor)
    lock?.release()
  }
}

extension SystemError {
  /// The error of opening a port by a call; `address` is that of a socket, and `holder` finds the holder of a busy port.
  package func opening(
    _ port: String, operation: String, address: SocketAddress? = nil, holder: () -> PortHolder? = { nil }
  ) -> LinkError {
    if let reason = address?.unsupportedReason(code) { return .unsupported(port, reason: reason) }
    // A robot that is not paired: Linux reports a failed authentication as EACCES, and a missing key as EBADE, 52.
    if case .bluetooth = address, code == EACCES || code == 52 { return .refused(port) }
    return switch code {
    case ENOENT, ENOTDIR, ENODEV: .notFound(port)
    case EACCES, EPERM: .noPermission(port)
    case EBUSY, EWOULDBLOCK: .busy(port, holder())
    case ENOTTY: .notADevice(port)
    case ECONNREFUSED, ECONNRESET: .refused(port)
    // A terminal whose other end hangs up returns EIO.
    case EHOSTDOWN, EIO: .hostDown(port)
    case EHOSTUNREACH, ENETUNREACH, ENETDOWN: .unreachable(port)
    case ETIMEDOUT: .timedOut(port)
    default: .failed(port, operation: operation, code: code)
    }
  }

  package var isAddressInUse: Bool { code == EADDRINUSE }
}
