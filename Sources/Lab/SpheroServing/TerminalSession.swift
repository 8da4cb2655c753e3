// The line to one client of a pseudo-terminal, from its open to its close.

import SpheroSerial
import SpheroSystem
public import SpheroTransport

/// The line to one client of a ``TerminalListener``.
///
/// Each write is one packet, which is sent when the client has read the previous one: a client that expects one packet
/// in each read receives it so, even on a busy computer. If a packet has waited for `maximumDelay`, or too many wait,
/// all of them are sent: a client that is slower than a stream reads several at once, and falls no further behind.
/// Packets that the client does not read are lost once the kernel's buffer is full, as on a radio, in whole packets.
public final class TerminalSession: Transport {
  /// What happens to written bytes.
  enum OutputMode: Hashable, Sendable {
    /// The client receives them.
    case sending
    /// They wait until the device has one client.
    case queueing
    /// They are discarded, since any of several programs may read them.
    case discarding
  }

  private struct State {
    /// Nil once the client has closed.
    var pair: TerminalPair?
    var outputMode = OutputMode.sending
    /// Packets that wait for the client to read the previous one, with the time at which they are sent anyway.
    var waiting: [(packet: [UInt8], due: Duration)] = []
    /// Whether a task polls for the client's reads.
    var isPolling = false
    /// The rest of a packet of which the kernel took a part.
    var rest: ArraySlice<UInt8> = []

    /// Whether the client has read everything that was sent.
    private var isRead: Bool { rest.isEmpty && pair?.unreadCount == 0 }

    /// Sends the next waiting packet if the client has read the previous one, or all of them if it reads too slowly.
    ///
    /// A client that has read gets one packet, however late this is called: the computer may have suspended the simulator.
    mutating func sendWaiting(at now: Duration) {
      guard outputMode == .sending else { return }
      sendRest()
      guard let first = waiting.first else { return }
      if isRead {
        send(waiting.removeFirst().packet)
      } else if first.due <= now || waiting.count > TerminalSession.maximumWaitingPackets {
        for (packet, _) in waiting { send(packet) }
        waiting = []
      }
    }

    /// Whether bytes wait for the client to read.
    var mustPoll: Bool { outputMode == .sending && !(waiting.isEmpty && rest.isEmpty) }

    private mutating func sendRest() {
      guard !rest.isEmpty, let pair else { return }
      rest = rest.dropFirst((try? System.write(pair.controller, rest)) ?? 0)
    }

    /// Sends all bytes or none, after the rest of the previous packet.
    private mutating func send(_ packet: [UInt8]) {
      sendRest()
      guard rest.isEmpty, let pair else { return }
      let count = (try? System.write(pair.controller, packet[...])) ?? 0
      if count > 0 { rest = packet.dropFirst(count) }
    }
  }

  /// How long a packet waits for the client to read the previous one.
  static let maximumDelay = Duration.milliseconds(100)
  /// How often to look whether the client has read; no event of the kernel reports it.
  private static let pollInterval = Duration.milliseconds(1)
  /// How often to look whether the kernel takes the rest of a packet, which a client that reads nothing may prevent for long.
  private static let restInterval = Duration.milliseconds(20)
  /// The maximum number of packets that wait for the client's reads: 40 ms of a stream at 400 Hz.
  static let maximumWaitingPackets = 16
  /// The maximum number of packets that wait for the end of a contention.
  private static let maximumQueuedPackets = 256
  private let time = SystemTime()
  private let delay: Duration
  private let path: String
  private let incoming = Mailbox<UInt8>(capacity: 1 << 20)
  private let state: Locked<State>
  let hangUp: @Sendable () -> Void
  private let isClosed = Locked(false)

  /// - Parameters:
  ///   - pair: The pseudo-terminal; the session does not close it.
  ///   - delay: How long a packet waits for the client to read the previous one.
  ///   - hangUp: Requests a hang-up of the client; called once at most.
  init(
    _ pair: TerminalPair, delay: Duration = maximumDelay, hangUp: @escaping @Sendable () -> Void
  ) {
    (path, self.delay, self.hangUp) = (pair.path, delay, hangUp)
    state = Locked(State(pair: pair))
  }

  /// Waits for bytes of the client.
  public func read() async throws -> [UInt8]? { try await incoming.receive() }

  /// Sends a packet to the client, or lets it wait; a packet that does not fit the kernel's buffer is lost.
  public func write(_ packet: [UInt8]) throws {
    let isLost = changeOutput { state, now in
      guard state.pair != nil else { return true }
      let hasRoom = state.outputMode == .sending || state.waiting.count < Self.maximumQueuedPackets
      if state.outputMode != .discarding, hasRoom { state.waiting.append((packet, now + delay)) }
      return false
    }
    if isLost { throw LinkError.lost(path) }
  }

  /// Changes the output, sends what can be sent, and starts a task where packets still wait for the client.
  private func changeOutput<Result>(_ change: (inout State, Duration) -> Result) -> Result {
    let (result, mustPoll) = state.withLock { state in
      let result = change(&state, time.now)
      state.sendWaiting(at: time.now)
      let mustPoll = !state.isPolling && state.mustPoll
      if mustPoll { state.isPolling = true }
      return (result, mustPoll)
    }
    if mustPoll { _ = time.start { await self.poll() } }
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

  /// Waits until the client has read the written bytes, then hangs up; does nothing once the client has closed.
  ///
  /// The wait takes at most a second, and at most half a second while the client reads nothing.
  public func close() async {
    _ = await time.drain(stall: .milliseconds(500)) { unreadCount }
    isClosed.withLock { isClosed in
      if !isClosed, !hasEnded { hangUp() }
      isClosed = true
    }
  }

  private var hasEnded: Bool { state.withLock { $0.pair == nil } }

  /// The number of written bytes that the client has not read.
  private var unreadCount: Int {
    state.withLock { state in
      state.waiting.reduce((state.pair?.unreadCount ?? 0) + state.rest.count) { $0 + $1.packet.count }
    }
  }

  // MARK: For the listener

  /// Whether there is room for the bytes of further reads.
  var hasRoom: Bool { incoming.room >= 1 << 18 }

  /// Queues bytes of the client for ``read()``.
  func receive(_ bytes: [UInt8]) { if !bytes.isEmpty { incoming.push(bytes) } }

  /// Changes the output mode; waiting packets are sent or discarded accordingly.
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
    // The task that polls, if any, ends.
    changeOutput { state, _ in state = State(isPolling: state.isPolling) }
    incoming.finish(throwing: LinkError.lost(path))
  }
}
