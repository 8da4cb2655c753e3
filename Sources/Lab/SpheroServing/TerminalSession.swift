// The line to one client of a pseudo-terminal, from its open to its close.

import SpheroSystem
public import SpheroTransport

/// The line to one client of a ``TerminalListener``.
///
/// Each write is one packet, which is sent after the client has read the previous one, because some clients process
/// one packet in each read. If a packet has waited for 100 ms, or more than 16 wait, all of them are sent, so that a slow
/// client falls no further behind. While the kernel's buffer is full, whole packets are lost, as on a radio link.
public final class TerminalSession: Transport {
  enum OutputMode: Hashable, Sendable {
    case sending
    /// Holds them back while a second program has the device open, which may be for a moment only.
    case queueing
    /// Discards them, since any of several programs may read them.
    case discarding
  }

  private struct State {
    /// Nil once the client has closed.
    var pair: TerminalPair?
    var outputMode = OutputMode.sending
    /// The packets to send, each with the time at which it is sent even if the client has not read the previous one.
    var waiting: [(packet: [UInt8], due: Duration)] = []
    /// Whether a task runs ``TerminalSession/poll()``.
    var isPolling = false
    /// The rest of a packet that the kernel has accepted in part.
    var rest: ArraySlice<UInt8> = []

    /// Sends the next waiting packet if the client has read the previous one. Otherwise, if it is overdue or too many wait,
    /// sends all of them. After a suspension all are overdue, but a client that reads still gets one at a time.
    mutating func sendWaiting(at now: Duration) {
      guard outputMode == .sending else { return }
      sendRest()
      guard let first = waiting.first else { return }
      if rest.isEmpty, pair?.unreadCount == 0 {
        send(waiting.removeFirst().packet)
      } else if first.due <= now || waiting.count > TerminalSession.maximumWaitingPackets {
        for (packet, _) in waiting { send(packet) }
        waiting = []
      }
    }

    /// Whether bytes wait until the client reads.
    var mustPoll: Bool { outputMode == .sending && !(waiting.isEmpty && rest.isEmpty) }

    private mutating func sendRest() {
      guard !rest.isEmpty, let pair else { return }
      rest = rest.dropFirst((try? System.write(pair.controller, rest)) ?? 0)
    }

    /// Sends a packet after the rest of the previous one; discards it if the kernel's buffer is full.
    private mutating func send(_ packet: [UInt8]) {
      sendRest()
      guard rest.isEmpty, let pair else { return }
      let count = (try? System.write(pair.controller, packet[...])) ?? 0
      if count > 0 { rest = packet.dropFirst(count) }
    }
  }

  /// How long a packet waits for the client to read the previous one.
  static let maximumDelay = Duration.milliseconds(100)
  /// The interval at which the session checks whether the client has read; no event of the kernel reports a read.
  private static let pollInterval = Duration.milliseconds(1)
  /// The interval at which the session offers the rest of a packet to the kernel, whose buffer may stay full for long.
  private static let restInterval = Duration.milliseconds(20)
  /// The maximum number of packets that wait in ``OutputMode/sending``: 40 ms of a stream at 400 Hz.
  static let maximumWaitingPackets = 16
  /// The maximum number of packets that wait in ``OutputMode/queueing``; further packets are lost.
  private static let maximumQueuedPackets = 256
  private let time = SystemTime()
  private let delay: Duration
  private let path: String
  private let incoming = Mailbox<UInt8>(capacity: 1 << 20)
  private let state: Locked<State>
  let hangUp: @Sendable () -> Void

  /// Starts a session on a pseudo-terminal, which it does not close; each ``close()`` of a connected client calls `hangUp`.
  init(
    _ pair: TerminalPair, delay: Duration = maximumDelay, hangUp: @escaping @Sendable () -> Void
  ) {
    (path, self.delay, self.hangUp) = (pair.path, delay, hangUp)
    state = Locked(State(pair: pair))
  }

  /// Waits for bytes from the client; throws `LinkError.lost(_:)` after it has closed and its last bytes were read.
  public func read() async throws -> [UInt8]? { try await incoming.receive() }

  /// Queues a packet; throws `LinkError.lost(_:)` if the client has closed the device.
  public func write(_ packet: [UInt8]) throws {
    let hasEnded = changeOutput { state, now in
      guard state.pair != nil else { return true }
      let hasRoom = state.outputMode == .sending || state.waiting.count < Self.maximumQueuedPackets
      if state.outputMode != .discarding, hasRoom { state.waiting.append((packet, now + delay)) }
      return false
    }
    if hasEnded { throw LinkError.lost(path) }
  }

  /// Changes the state, sends the packets that are due, and starts ``poll()`` if others still wait.
  private func changeOutput<Result>(_ change: (inout State, Duration) -> Result) -> Result {
    let (result, mustStartPolling) = state.withLock { state in
      let result = change(&state, time.now)
      state.sendWaiting(at: time.now)
      let mustStartPolling = !state.isPolling && state.mustPoll
      if mustStartPolling { state.isPolling = true }
      return (result, mustStartPolling)
    }
    if mustStartPolling { _ = time.start { await self.poll() } }
    return result
  }

  /// Sends the waiting packets as the client reads, until none waits.
  private func poll() async {
    var interval = Self.pollInterval
    while true {
      try? await time.sleep(for: interval)
      let isPolling = state.withLock { state in
        state.sendWaiting(at: time.now)
        interval = state.waiting.isEmpty ? Self.restInterval : Self.pollInterval
        state.isPolling = state.mustPoll
        return state.isPolling
      }
      guard isPolling else { return }
    }
  }

  /// Waits until the client has read the written bytes, at most a second, and half a second without a read; then hangs up.
  public func close() async {
    _ = await time.drain(stall: .milliseconds(500)) { unreadCount }
    if state.withLock({ $0.pair != nil }) { hangUp() }
  }

  private var unreadCount: Int {
    state.withLock { state in
      state.waiting.reduce((state.pair?.unreadCount ?? 0) + state.rest.count) { $0 + $1.packet.count }
    }
  }

  // MARK: For the listener

  /// Whether the queue of ``read()`` has room for the result of ``TerminalPair/takeInput()``, about 256 KiB.
  var hasRoom: Bool { incoming.room >= 1 << 18 }

  func receive(_ bytes: [UInt8]) { if !bytes.isEmpty { incoming.push(bytes) } }

  func setOutputMode(_ mode: OutputMode) {
    changeOutput { state, now in
      state.outputMode = mode
      switch mode {
      case .sending: for index in state.waiting.indices { state.waiting[index].due = now + delay }
      case .discarding: (state.waiting, state.rest) = ([], [])
      case .queueing: break
      }
    }
  }

  /// Ends the session: received bytes can still be read, and writes throw.
  func end() {
    // A polling task sees an empty state and ends.
    changeOutput { state, _ in state = State(isPolling: state.isPolling) }
    incoming.finish(throwing: LinkError.lost(path))
  }
}
