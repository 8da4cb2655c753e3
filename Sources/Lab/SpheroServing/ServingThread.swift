// The thread of a place where clients come to, and the orders that it gets.

import SpheroSerial
import SpheroSystem

/// A thread that serves clients until it is told to end, or ends by itself.
final class ServingThread: Sendable {
  private let orders: ServingOrders
  private let thread: Locked<Thread?>

  /// Starts the thread.
  ///
  /// - Parameter body: What it does; gets its orders.
  /// - Throws: Where the system has no pipe or thread left.
  init(_ body: @escaping @Sendable (ServingOrders) -> Void) throws(SystemError) {
    let orders = try ServingOrders()
    self.orders = orders
    thread = Locked(try Thread { body(orders) })
  }

  deinit { close() }

  /// Whether it was told to end.
  var isClosed: Bool { thread.withLock { $0 == nil } }

  /// Says that somebody waits for clients.
  func want() { orders.want() }

  /// Ends the thread; returns once it has ended.
  func close() {
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    guard let thread else { return }
    orders.end()
    thread.join()
    orders.release()
  }
}

/// What a ``ServingThread`` is told by others.
final class ServingOrders: Sendable {
  /// The order to hang up.
  struct HangUp: Hashable, Sendable {
    /// The number of the session; an order for one that is not served any more is void.
    var session: Int
    /// How often somebody had waited for clients before.
    fileprivate var wishCount: Int
  }

  private struct State {
    /// Both ends of the pipe stay open until the thread has ended: a write into a closed one would kill.
    var wakeUp: (read: Int32, write: Int32)?
    var hangUps: [HangUp] = []
    var wishCount = 0
    var isOver = false
  }

  /// Readable when there are orders.
  let descriptor: Int32
  private let state: Locked<State>

  fileprivate init() throws(SystemError) {
    let pipe = try System.makePipe()
    descriptor = pipe.read
    state = Locked(State(wakeUp: pipe))
  }

  deinit { release() }

  // MARK: For others

  /// Lets the client of a session see a hang-up.
  func hangUp(_ session: Int) {
    state.withLock { state in
      guard state.wakeUp != nil else { return }
      state.hangUps.append(HangUp(session: session, wishCount: state.wishCount))
      Self.wake(state)
    }
  }

  fileprivate func want() { state.withLock { $0.wishCount += 1 } }

  fileprivate func end() {
    state.withLock { state in
      state.isOver = true
      Self.wake(state)
    }
  }

  /// Under the lock, so that the pipe is not closed meanwhile.
  private static func wake(_ state: State) {
    if let wakeUp = state.wakeUp { _ = try? System.write(wakeUp.write, [0]) }
  }

  fileprivate func release() {
    let pipe = state.withLock { state in
      defer { state.wakeUp = nil }
      return state.wakeUp
    }
    guard let pipe else { return }
    System.close(pipe.read)
    System.close(pipe.write)
  }

  // MARK: For the thread

  /// Takes the orders so far, in their order; nil where the thread is to end.
  func take() -> [HangUp]? {
    _ = try? System.read(descriptor, atMost: 64)
    return state.withLock { state in
      defer { state.hangUps = [] }
      return state.isOver ? nil : state.hangUps
    }
  }

  /// Whether somebody has waited for clients since a hang-up was ordered.
  func isWanted(since hangUp: HangUp) -> Bool { state.withLock { $0.wishCount != hangUp.wishCount } }
}
