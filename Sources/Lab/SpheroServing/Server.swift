// A server with a thread, and the requests of other threads to it.

import SpheroSystem
import SpheroTransport

/// Decides which client of a server is served; owns the descriptors, and runs on the server's thread.
protocol ClientArbiter: Sendable {
  associatedtype Session: Transport

  /// The number of the current session, ascending from 1; nil without one.
  var sessionNumber: Int? { get }

  var descriptors: [Int32] { get }

  /// When to call ``process(at:)`` even if no descriptor is ready.
  func nextDeadline(at now: Duration) -> Duration?

  /// Processes all events and bytes, if there are any; after a failure, returns the time before the next poll.
  mutating func process(at now: Duration) -> Duration?

  /// Serves a pending client if there is no session, after the requests to hang up; returns the same as ``process(at:)``.
  mutating func admit(at now: Duration) -> Duration?

  /// Ends the current session, so that its client detects a hang-up; returns false if the caller must end the server
  /// instead.
  mutating func hangUp(at now: Duration) -> Bool

  mutating func close()
}

extension ClientArbiter {
  mutating func admit(at now: Duration) -> Duration? { nil }
}

/// The requests of other threads to the thread of a server.
final class ServerRequests: Sendable {
  private struct State {
    /// The highest number of a session to hang up; the server ignores it unless that session is the current one.
    var hangUp = 0
    /// Whether a call has waited for a client since the last request to hang up.
    var hasDemand = false
    var isShuttingDown = false
  }

  /// The time that a second client has to close before it is refused, and for which a server waits for demand after a
  /// hang-up.
  static let gracePeriod = Duration.milliseconds(250)
  /// The pipe that wakes the thread; open as long as a session may write to it, which without a reader raises a signal.
  private let pipe: (read: Int32, write: Int32)
  private let state = Locked(State())

  init() throws(SystemError) { pipe = try System.makePipe() }

  deinit {
    System.close(pipe.read)
    System.close(pipe.write)
  }

  /// Readable when there are requests.
  fileprivate var descriptor: Int32 { pipe.read }

  /// Requests the hang-up of a session; further requests for it, or for earlier sessions, have no effect.
  func hangUp(_ session: Int) {
    wake { state in
      if session > state.hangUp { (state.hangUp, state.hasDemand) = (session, false) }
    }
  }

  fileprivate func demand() { state.withLock { $0.hasDemand = true } }

  fileprivate func shutDown() { wake { $0.isShuttingDown = true } }

  private func wake(_ change: (inout State) -> Void) {
    state.withLock { change(&$0) }
    // If the pipe is full, it is readable, and the thread wakes.
    _ = try? System.write(pipe.write, [0])
  }

  /// Returns the number of the session to hang up; nil if the thread must end.
  fileprivate func take() -> Int? {
    _ = try? System.read(descriptor, atMost: 64)
    return state.withLock { $0.isShuttingDown ? nil : $0.hangUp }
  }

  fileprivate var hasDemand: Bool { state.withLock { $0.hasDemand } }
}

/// Serves clients on a thread, which ends with the server, and after a hang-up without demand for another client.
/// A call of ``accept()`` then starts the next thread.
final class Server<Arbiter: ClientArbiter>: Sendable {
  /// Creates the arbiter of a thread, which adds sessions to the mailbox.
  typealias MakeArbiter =
    @Sendable (ServerRequests, Mailbox<Arbiter.Session>) throws(LinkError) -> Arbiter

  private struct Running: Sendable {
    /// The clients in the order of their arrival; ends with the thread.
    let sessions: Mailbox<Arbiter.Session>
    let requests: ServerRequests
    let thread: Thread

    /// Ends the thread and its sessions, and waits for the end of the thread; called once.
    func stop() {
      requests.shutDown()
      thread.join()
    }
  }

  private let name: @Sendable () -> String
  private let makeArbiter: MakeArbiter
  /// Nil once the server is closed.
  private let running: Locked<Running?>

  /// Starts a thread; errors contain `name`, which may change when `makeArbiter` chooses a port.
  init(
    _ name: @escaping @autoclosure @Sendable () -> String, _ makeArbiter: @escaping MakeArbiter
  ) throws(LinkError) {
    (self.name, self.makeArbiter) = (name, makeArbiter)
    running = Locked(try Self.start(name, makeArbiter))
  }

  deinit { close() }

  private static func start(_ name: () -> String, _ makeArbiter: MakeArbiter) throws(LinkError) -> Running {
    let requests: ServerRequests
    do throws(SystemError) { requests = try ServerRequests() } catch {
      throw .failed(name(), operation: "pipe", code: error.code)
    }
    let sessions = Mailbox<Arbiter.Session>(capacity: 256)
    let arbiter = try makeArbiter(requests, sessions)
    do throws(SystemError) {
      let thread = try Thread {
        var arbiter = arbiter
        run(&arbiter, requests)
        arbiter.close()
        sessions.finish()
      }
      return Running(sessions: sessions, requests: requests, thread: thread)
    } catch {
      var unused = arbiter
      unused.close()
      throw .failed(name(), operation: "thread", code: error.code)
    }
  }

  /// Waits for the next client; nil once the server is closed.
  func accept() async throws -> Arbiter.Session? {
    while let running = try demand() {
      if let session = try await running.sessions.next() { return session }
    }
    return nil
  }

  /// Records a call that waits for a client, which keeps the thread alive after a hang-up, or starts the next thread.
  private func demand() throws(LinkError) -> Running? {
    try running.withLock { running throws(LinkError) in
      if let ended = running, ended.sessions.hasEnded {
        running = try Self.start(name, makeArbiter)
        ended.stop()
      }
      running?.requests.demand()
      return running
    }
  }

  /// Ends the thread, the sessions and all further calls of ``accept()``.
  func close() {
    let last = running.withLock { running in
      defer { running = nil }
      return running
    }
    last?.stop()
  }

  private static func run(_ arbiter: inout Arbiter, _ requests: ServerRequests) {
    let time = SystemTime()
    /// The end of the time for demand for another client after a hang-up.
    var graceEnd: Duration?
    while true {
      // Called before the requests are taken, so that a hang-up of a client that has closed is ignored.
      var retryDelay = arbiter.process(at: time.now)
      guard let hangUp = requests.take() else { return }
      let hangsUp = hangUp == arbiter.sessionNumber
      if hangsUp {
        guard arbiter.hangUp(at: time.now) else { return }
        graceEnd = time.now + ServerRequests.gracePeriod
      } else if let end = graceEnd, time.now >= end {
        guard requests.hasDemand else { return }
        graceEnd = nil
      }
      let admissionDelay = arbiter.admit(at: time.now)
      retryDelay = retryDelay ?? admissionDelay
      let now = time.now
      let deadlines = [retryDelay.map { now + $0 }, arbiter.nextDeadline(at: now), graceEnd]
      let timeout = deadlines.compactMap(\.self).min().map { deadline in
        Int32(min(max(((deadline - now) / .milliseconds(1)).rounded(.up), 0), 10_000))
      }
      var polled = PollList([requests.descriptor] + (retryDelay == nil ? arbiter.descriptors : []))
      // After a hang-up, the events that it causes are processed without a wait.
      guard (try? polled.wait(timeout: hangsUp ? 0 : timeout ?? -1)) != nil else { return }
    }
  }
}
