// The thread that looks after the pseudo-terminals of one robot.

import SpheroSerial
import SpheroSystem
import SpheroTransport

/// One robot's pseudo-terminals, from their opening to the hang-up.
///
/// One thread sleeps in `poll` until a client opens, writes or closes; what it decides is in ``TerminalDesk``.
final class TerminalStation: Sendable {
  /// The device file.
  let path: String
  /// The clients, in the order in which they came.
  let sessions = Mailbox<TerminalSession>(capacity: 256)
  private let thread: ServingThread

  /// Opens a device file, and lets the link lead there.
  ///
  /// - Parameters:
  ///   - link: The link, or nil for none.
  ///   - isWatching: Whether clients are told apart where the system allows.
  ///   - remark: Gets what should be known.
  /// - Throws: ``LinkError``.
  init(
    _ link: LinkPath?, isWatching: Bool = true, _ remark: @escaping @Sendable (ServingRemark) -> Void
  ) throws(LinkError) {
    let pair: TerminalPair
    do throws(SystemError) { pair = try TerminalPair() } catch {
      throw .failed("pseudo-terminal", operation: "openpty", code: error.code)
    }
    path = pair.path
    var watch = isWatching ? try? OpenerWatch() : nil
    var mark: Int32 = 0
    if let opened = watch {
      if let added = try? opened.add(pair.path) {
        mark = added
      } else {
        System.close(opened.descriptor)
        watch = nil
      }
    }
    let (sessions, opened, place) = (sessions, watch, mark)
    do {
      try link?.lead(to: pair.path)
      thread = try ServingThread { orders in
        Self.run(TerminalDesk(pair, place, opened, link, sessions, orders, remark: remark), orders)
      }
    } catch {
      link?.remove(ifOneOf: [pair.path])
      pair.close()
      if let watch { System.close(watch.descriptor) }
      if let error = error as? LinkError { throw error }
      throw .failed("pseudo-terminal", operation: "thread", code: (error as? SystemError)?.code ?? 0)
    }
  }

  /// Whether it is closed.
  var isDown: Bool { thread.isClosed || sessions.hasEnded }

  /// Says that somebody waits for clients.
  func want() { thread.want() }

  /// Ends the thread, the sessions and the device files; clients see a hang-up.
  func close() { thread.close() }

  private static func run(_ start: TerminalDesk, _ orders: ServingOrders) {
    var desk = start
    defer { desk.close() }
    let time = SystemTime()
    /// Until when somebody must wait for clients, after a hang-up.
    ///
    /// After a link the next client finds a line at once, which goes again where nobody waits for clients soon.
    var patience: (end: Duration, hangUp: ServingOrders.HangUp)?
    desk.begin(at: time.now)
    while true {
      let deadline = [desk.nextDeadline, patience?.end].compactMap(\.self).min()
      let timeout = deadline.map { deadline -> Int32 in
        let left = (deadline - time.now) / .milliseconds(1)
        return Int32(min(max(left.rounded(.up), 0), 10_000))
      }
      guard let events = try? System.poll([orders.descriptor] + desk.descriptors, timeout: timeout ?? -1)
      else { return }
      // Before the orders: one for a client that has gone must not meet the next one.
      let isSound = desk.work(at: time.now)
      if events.first != 0 {
        guard let hangUps = orders.take() else { return }
        for hangUp in hangUps where hangUp.session == desk.served?.number {
          guard desk.hangUp(at: time.now) else { return }
          patience = (time.now + TerminalDesk.grace, hangUp)
        }
      }
      if let waiting = patience, time.now >= waiting.end {
        guard orders.isWanted(since: waiting.hangUp) else { return }
        patience = nil
      }
      // What cannot be read must not become a race of the processor.
      if !isSound { _ = try? System.poll([orders.descriptor], timeout: 10) }
    }
  }
}
