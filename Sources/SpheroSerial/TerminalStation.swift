// The thread that looks after the pseudo-terminals of one robot.

import SpheroSystem
import SpheroTransport

/// One robot's pseudo-terminals, from their opening to the hang-up.
///
/// One thread sleeps in `poll` until a client opens, writes or closes; what it decides is in ``TerminalDesk``.
final class TerminalStation: Sendable {
  private struct Ends {
    var wakeUp: (read: Int32, write: Int32)?
    var thread: Thread?
    /// Whether somebody waits for clients, or has since the last hang-up.
    var isWanted = true
  }

  /// The device file.
  let path: String
  /// The clients, in the order in which they came.
  let sessions = Mailbox<TerminalSession>(capacity: 256)
  private let hasLink: Bool
  private let ends: Locked<Ends>

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
    (path, hasLink) = (pair.path, link != nil)
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
    let pipe: (read: Int32, write: Int32)
    do {
      pipe = try System.makePipe()
      ends = Locked(Ends(wakeUp: pipe))
      try link?.lead(to: pair.path)
    } catch {
      pair.close()
      if let watch { System.close(watch.descriptor) }
      if let error = error as? LinkError { throw error }
      throw .failed("pseudo-terminal", operation: "pipe", code: (error as? SystemError)?.code ?? 0)
    }
    let hangUp: @Sendable () -> Void = { [weak self] in self?.hangUp() }
    let desk = TerminalDesk(pair, mark, watch, link, sessions, hangUp: hangUp, remark: remark)
    do throws(SystemError) {
      let thread = try Thread { [ends] in
        Self.run(desk, wake: pipe.read) { ends.withLock { $0.isWanted } }
      }
      ends.withLock { $0.thread = thread }
    } catch {
      var desk = desk
      desk.close()
      throw .failed("pseudo-terminal", operation: "thread", code: error.code)
    }
  }

  deinit { close() }

  /// Whether it is closed.
  var isDown: Bool { ends.withLock { $0.wakeUp == nil } || sessions.hasEnded }

  /// Says that somebody waits for clients.
  func want() { ends.withLock { $0.isWanted = true } }

  /// Lets the client see a hang-up.
  ///
  /// Behind a link the next client finds a line at once, which goes again where nobody waits for clients soon.
  private func hangUp() {
    guard hasLink else { return close() }
    ends.withLock { ends in
      ends.isWanted = false
      // Under the lock, so that the pipe is not closed meanwhile.
      if let wakeUp = ends.wakeUp { _ = try? System.write(wakeUp.write, [1]) }
    }
  }

  /// Ends the thread, the sessions and the device files; clients see a hang-up.
  func close() {
    let ends = ends.withLock { ends in
      defer { ends = Ends() }
      return ends
    }
    guard let wakeUp = ends.wakeUp else { return }
    _ = try? System.write(wakeUp.write, [0])
    ends.thread?.join()
    System.close(wakeUp.read)
    System.close(wakeUp.write)
  }

  private static func run(_ start: TerminalDesk, wake: Int32, isWanted: () -> Bool) {
    var desk = start
    defer { desk.close() }
    let time = SystemTime()
    /// Until when somebody must wait for clients, after a hang-up.
    var patience: Duration?
    desk.begin(at: time.now)
    while true {
      let deadline = [desk.nextDeadline, patience].compactMap(\.self).min()
      let timeout = deadline.map { deadline -> Int32 in
        let left = (deadline - time.now) / .milliseconds(1)
        return Int32(min(max(left.rounded(.up), 0), 10_000))
      }
      guard let events = try? System.poll([wake] + desk.descriptors, timeout: timeout ?? -1) else { return }
      if events.first != 0 {
        // 1 is a hang-up, all else the end.
        guard let orders = try? System.read(wake, atMost: 64), orders.allSatisfy({ $0 == 1 }) else { return }
        guard desk.hangUp(at: time.now) else { return }
        patience = time.now + TerminalDesk.grace
      }
      if let end = patience, time.now >= end {
        guard isWanted() else { return }
        patience = nil
      }
      guard !desk.work(at: time.now) else { continue }
      // What cannot be read must not become a race of the processor.
      _ = try? System.poll([wake], timeout: 10)
    }
  }
}
