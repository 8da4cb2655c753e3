// The thread of a server, and the requests that other threads send to it.

import SpheroSerial
import SpheroSystem
import SpheroTransport

/// Decides which of the clients of a server is served. It owns the descriptors, and runs on the server's thread.
protocol ClientArbiter: Sendable {
  /// The number of the session that is served; nil where none is.
  var sessionNumber: Int? { get }

  /// The descriptors to wait for.
  var descriptors: [Int32] { get }

  /// When to call ``process(at:)`` even if no descriptor is ready.
  func nextDeadline(at now: Duration) -> Duration?

  /// Processes all events and bytes; it must not rely on a descriptor being ready.
  ///
  /// - Returns: Nil, or after a failure how long to leave the descriptors alone.
  mutating func process(at now: Duration) -> Duration?

  /// Serves a pending client if no other is served; called after the requests to hang up.
  ///
  /// - Returns: As ``process(at:)``.
  mutating func admit(at now: Duration) -> Duration?

  /// Ends the session that is served, so that its client sees a hang-up.
  ///
  /// - Returns: False where the server must shut down for that.
  mutating func hangUp(at now: Duration) -> Bool

  /// Ends the session and closes all descriptors.
  mutating func close()
}

extension ClientArbiter {
  mutating func admit(at now: Duration) -> Duration? { nil }
}

/// The requests of other threads to the thread of a server.
final class ServerRequests: Sendable {
  /// A request to hang up.
  struct HangUp: Sendable {
    /// The number of the session; the request is void once another session is served.
    fileprivate var session: Int
    /// The number of calls of ``demand()`` before the request.
    fileprivate var demandCount: Int
  }

  private struct State {
    /// Nil once the thread has ended. Both ends stay open until then: a write into a closed pipe raises a signal.
    var pipe: (read: Int32, write: Int32)?
    var hangUps: [HangUp] = []
    var demandCount = 0
    var isShuttingDown = false
  }

  /// How long a second client is tolerated, and how long a server waits for demand after a hang-up.
  static let gracePeriod = Duration.milliseconds(250)
  /// Readable when there are requests.
  fileprivate let descriptor: Int32
  private let state: Locked<State>

  init() throws(SystemError) {
    let pipe = try System.makePipe()
    descriptor = pipe.read
    state = Locked(State(pipe: pipe))
  }

  deinit { closePipe() }

  /// Closes the pipe after the end of the thread; sessions may outlive it.
  fileprivate func closePipe() {
    let pipe = state.withLock { state in
      defer { state.pipe = nil }
      return state.pipe
    }
    guard let pipe else { return }
    System.close(pipe.read)
    System.close(pipe.write)
  }

  /// Requests a hang-up of the client of a session.
  func hangUp(_ session: Int) {
    wake { $0.hangUps.append(HangUp(session: session, demandCount: $0.demandCount)) }
  }

  /// Records that a caller waits for a client.
  fileprivate func demand() { state.withLock { $0.demandCount += 1 } }

  fileprivate func shutDown() { wake { $0.isShuttingDown = true } }

  private func wake(_ change: (inout State) -> Void) {
    state.withLock { state in
      // Under the lock, so that the pipe is not closed meanwhile.
      guard let pipe = state.pipe else { return }
      change(&state)
      // If the pipe is full, the thread wakes anyway.
      _ = try? System.write(pipe.write, [0])
    }
  }

  /// Takes the requests to hang up, in their order; nil where the thread must end.
  fileprivate func take() -> [HangUp]? {
    _ = try? System.read(descriptor, atMost: 64)
    return state.withLock { state in
      defer { state.hangUps = [] }
      return state.isShuttingDown ? nil : state.hangUps
    }
  }

  fileprivate func hasDemand(since hangUp: HangUp) -> Bool {
    state.withLock { $0.demandCount != hangUp.demandCount }
  }
}

/// A thread that serves clients until it is closed, or until a hang-up without demand for another client.
final class ServerThread<Session: Transport>: Sendable {
  /// The clients in the order of their arrival; ends with the thread.
  let sessions: Mailbox<Session>
  private let requests: ServerRequests
  private let thread: Locked<Thread?>

  /// Starts the thread; the arbiter pushes sessions into the mailbox, and `name` is that of the endpoint in errors.
  ///
  /// - Throws: `LinkError`.
  init<Arbiter: ClientArbiter>(
    _ name: String, _ makeArbiter: (ServerRequests, Mailbox<Session>) throws(LinkError) -> Arbiter
  ) throws(LinkError) {
    let requests: ServerRequests
    do throws(SystemError) { requests = try ServerRequests() } catch {
      throw .failed(name, operation: "pipe", code: error.code)
    }
    let sessions = Mailbox<Session>(capacity: 256)
    let arbiter = try makeArbiter(requests, sessions)
    do throws(SystemError) {
      thread = Locked(
        try Thread {
          var arbiter = arbiter
          Self.run(&arbiter, requests)
          arbiter.close()
          sessions.finish()
        })
    } catch {
      var unused = arbiter
      unused.close()
      throw .failed(name, operation: "thread", code: error.code)
    }
    (self.sessions, self.requests) = (sessions, requests)
  }

  deinit { close() }

  /// Records that a caller waits for a client.
  func demand() { requests.demand() }

  /// Ends the thread and its sessions; returns once it has ended.
  func close() {
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    guard let thread else { return }
    requests.shutDown()
    thread.join()
    requests.closePipe()
  }

  private static func run(_ arbiter: inout some ClientArbiter, _ requests: ServerRequests) {
    let time = SystemTime()
    /// The last hang-up, and until when there must be demand for another client.
    var grace: (end: Duration, hangUp: ServerRequests.HangUp)?
    while true {
      // Before the requests: a hang-up of a client that has closed must not reach the next client.
      var retryDelay = arbiter.process(at: time.now)
      guard let hangUps = requests.take() else { return }
      let valid = hangUps.first { $0.session == arbiter.sessionNumber }
      if let valid {
        guard arbiter.hangUp(at: time.now) else { return }
        grace = (time.now + ServerRequests.gracePeriod, valid)
      } else if let current = grace, time.now >= current.end {
        guard requests.hasDemand(since: current.hangUp) else { return }
        grace = nil
      }
      let admissionDelay = arbiter.admit(at: time.now)
      retryDelay = retryDelay ?? admissionDelay
      let now = time.now
      let deadlines = [retryDelay.map { now + $0 }, arbiter.nextDeadline(at: now), grace?.end]
      let timeout = deadlines.compactMap(\.self).min().map { deadline in
        Int32(min(max(((deadline - now) / .milliseconds(1)).rounded(.up), 0), 10_000))
      }
      let polled = retryDelay == nil ? arbiter.descriptors : []
      guard
        (try? System.poll([requests.descriptor] + polled, timeout: valid == nil ? timeout ?? -1 : 0)) != nil
      else { return }
    }
  }
}

/// A server whose thread starts again when a caller waits for a client.
final class RestartableServer<Session: Transport>: Sendable {
  private struct State {
    /// Nil once the server is closed.
    var thread: ServerThread<Session>?
    /// Clients that no caller has accepted yet.
    var waiting: [Session] = []
  }

  private let start: @Sendable () throws(LinkError) -> ServerThread<Session>
  private let state: Locked<State>

  /// Starts the first thread with `start`, and each later one.
  init(_ start: @escaping @Sendable () throws(LinkError) -> ServerThread<Session>) throws(LinkError) {
    self.start = start
    state = Locked(State(thread: try start()))
  }

  /// Waits for the next client; nil once the server is closed.
  func accept() async throws -> Session? {
    while let thread = try runningThread() {
      thread.demand()
      if let session = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) {
        return session
      }
      if let sessions = try await thread.sessions.receive() { state.withLock { $0.waiting += sessions } }
    }
    return nil
  }

  private func runningThread() throws(LinkError) -> ServerThread<Session>? {
    try state.withLock { state throws(LinkError) in
      if state.thread?.sessions.hasEnded == true { state.thread = try start() }
      return state.thread
    }
  }

  /// Ends the thread, the sessions and all further calls of ``accept()``.
  func close() {
    let thread = state.withLock { state in
      defer { state.thread = nil }
      return state.thread
    }
    thread?.close()
  }
}
