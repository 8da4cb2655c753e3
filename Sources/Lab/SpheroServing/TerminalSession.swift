// The line to one client of a pseudo-terminal, from its open to its close.

import SpheroSerial
import SpheroSystem
public import SpheroTransport

/// The line to one client of a ``TerminalListener``.
///
/// Bytes that the client does not read are lost once the kernel's buffer is full, as on a radio, in whole writes.
public final class TerminalSession: Transport {
  /// What happens to written bytes.
  enum OutputMode: Hashable, Sendable {
    /// The client receives them.
    case sending
    /// They are queued until the device has one client.
    case queueing
    /// They are discarded, since any of several programs may read them.
    case discarding
  }

  private struct State {
    /// Nil once the client has closed.
    var pair: TerminalPair?
    var outputMode = OutputMode.sending
    var queued: [[UInt8]] = []
    /// The rest of a write of which the kernel took a part.
    var rest: ArraySlice<UInt8> = []

    /// Sends all bytes or none, after the rest of the previous write.
    mutating func send(_ bytes: [UInt8], to pair: TerminalPair) {
      if !rest.isEmpty { rest = rest.dropFirst((try? System.write(pair.controller, rest)) ?? 0) }
      guard rest.isEmpty else { return }
      let count = (try? System.write(pair.controller, bytes[...])) ?? 0
      if count > 0 { rest = bytes.dropFirst(count) }
    }
  }

  private static let maximumQueuedWrites = 1_024
  private let path: String
  private let incoming = Mailbox<UInt8>(capacity: 1 << 20)
  private let state: Locked<State>
  let hangUp: @Sendable () -> Void
  private let isClosed = Locked(false)

  /// - Parameters:
  ///   - pair: The pseudo-terminal; the session does not close it.
  ///   - hangUp: Requests a hang-up of the client; called once at most.
  init(_ pair: TerminalPair, hangUp: @escaping @Sendable () -> Void) {
    (path, self.hangUp) = (pair.path, hangUp)
    state = Locked(State(pair: pair))
  }

  /// Waits for bytes of the client.
  public func read() async throws -> [UInt8]? { try await incoming.receive() }

  /// Sends bytes to the client; a write that does not fit the kernel's buffer is lost.
  public func write(_ bytes: [UInt8]) throws {
    try state.withLock { state throws(LinkError) in
      guard let pair = state.pair else { throw .lost(path) }
      switch state.outputMode {
      case .sending: state.send(bytes, to: pair)
      case .queueing: if state.queued.count < Self.maximumQueuedWrites { state.queued.append(bytes) }
      case .discarding: break
      }
    }
  }

  /// Waits until the client has read the written bytes, then hangs up; does nothing once the client has closed.
  ///
  /// The wait takes at most a second, and at most half a second while the client reads nothing.
  public func close() async {
    _ = await SystemTime().drain(stall: .milliseconds(500)) { unreadCount }
    isClosed.withLock { isClosed in
      if !isClosed, !hasEnded { hangUp() }
      isClosed = true
    }
  }

  private var hasEnded: Bool { state.withLock { $0.pair == nil } }
  private var unreadCount: Int { state.withLock { $0.pair?.unreadCount ?? 0 } }

  // MARK: For the listener

  /// Whether there is room for the bytes of further reads.
  var hasRoom: Bool { incoming.room >= 1 << 18 }

  /// Queues bytes of the client for ``read()``.
  func receive(_ bytes: [UInt8]) { if !bytes.isEmpty { incoming.push(bytes) } }

  /// Changes the output mode; queued bytes are sent or discarded accordingly.
  func setOutputMode(_ mode: OutputMode) {
    state.withLock { state in
      state.outputMode = mode
      guard mode != .queueing else { return }
      if mode == .sending, let pair = state.pair { for bytes in state.queued { state.send(bytes, to: pair) } }
      state.queued = []
    }
  }

  /// Ends the session: received bytes can still be read, and writes throw.
  func end() {
    state.withLock { $0 = State() }
    incoming.finish(throwing: LinkError.lost(path))
  }
}
