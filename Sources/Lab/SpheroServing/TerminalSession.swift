// One client's time on a pseudo-terminal, from its opening to its close.

import SpheroSerial
import SpheroSystem
public import SpheroTransport

/// The line to one client of a ``TerminalListener``.
///
/// What the client does not read is lost once the kernel's buffer is full, as on a radio, in whole pieces.
public final class TerminalSession: Transport {
  /// What becomes of what is written.
  enum Flow: Hashable, Sendable {
    /// It goes to the client.
    case open
    /// It waits until it is clear who reads it.
    case held
    /// It is lost: nobody knows who would read it.
    case shut
  }

  private struct State {
    /// The end to write to, until the client has gone.
    var pair: TerminalPair?
    var flow = Flow.open
    var held: [[UInt8]] = []
    /// What is left of a piece of which the kernel took a part.
    var rest: ArraySlice<UInt8> = []

    /// Sends a piece whole or not at all, after what is left of the one before.
    mutating func send(_ bytes: [UInt8], to pair: TerminalPair) {
      if !rest.isEmpty { rest = rest.dropFirst((try? System.write(pair.controller, rest)) ?? 0) }
      guard rest.isEmpty else { return }
      let count = (try? System.write(pair.controller, bytes[...])) ?? 0
      if count > 0 { rest = bytes.dropFirst(count) }
    }
  }

  /// What waits at most, in pieces.
  private static let heldCount = 1_024
  private let path: String
  private let incoming = Mailbox<UInt8>(capacity: 1 << 20)
  private let state: Locked<State>
  let hangUp: @Sendable () -> Void
  private let isClosed = Locked(false)

  /// Begins.
  ///
  /// - Parameters:
  ///   - pair: The pseudo-terminal; it stays its owner's.
  ///   - hangUp: Lets the client see a hang-up; called once at most.
  init(_ pair: TerminalPair, hangUp: @escaping @Sendable () -> Void) {
    (path, self.hangUp) = (pair.path, hangUp)
    state = Locked(State(pair: pair))
  }

  /// Waits for bytes of the client.
  public func read() async throws -> [UInt8]? { try await incoming.receive() }

  /// Sends bytes to the client; what does not fit is lost.
  public func write(_ bytes: [UInt8]) throws {
    try state.withLock { state throws(LinkError) in
      guard let pair = state.pair else { throw .lost(path) }
      switch state.flow {
      case .open: state.send(bytes, to: pair)
      case .held: if state.held.count < Self.heldCount { state.held.append(bytes) }
      case .shut: break
      }
    }
  }

  /// Lets the client read what was written, then hangs up; does nothing once it has gone.
  ///
  /// That takes a second at most, and half of one where the client reads nothing.
  public func close() async {
    let time = SystemTime()
    let end = time.now + .seconds(1)
    var (left, lastProgress) = (unreadCount, time.now)
    while left > 0, time.now < end, time.now - lastProgress < .milliseconds(500) {
      // Not by the task, which may be cancelled.
      await time.start { try? await time.sleep(for: .milliseconds(5)) }.value
      let count = unreadCount
      if count < left { lastProgress = time.now }
      left = count
    }
    isClosed.withLock { isClosed in
      if !isClosed, !hasEnded { hangUp() }
      isClosed = true
    }
  }

  private var hasEnded: Bool { state.withLock { $0.pair == nil } }
  private var unreadCount: Int { state.withLock { $0.pair?.unreadCount ?? 0 } }

  // MARK: For the listener

  /// Whether bytes can be taken.
  var hasRoom: Bool { incoming.room >= 1 << 18 }

  /// Hands over what the client has written.
  func take(_ bytes: [UInt8]) { if !bytes.isEmpty { incoming.push(bytes) } }

  /// Changes what becomes of what is written; what was held goes where it goes now.
  func setFlow(_ flow: Flow) {
    state.withLock { state in
      state.flow = flow
      guard flow != .held else { return }
      if flow == .open, let pair = state.pair { for bytes in state.held { state.send(bytes, to: pair) } }
      state.held = []
    }
  }

  /// Ends the session: what was taken can still be read, and nothing is written any more.
  func end() {
    state.withLock { $0 = State() }
    incoming.finish(throwing: LinkError.lost(path))
  }
}
