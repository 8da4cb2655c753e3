// The thread that waits at a TCP port.

import SpheroSystem
import SpheroTransport

/// A listening socket, from its opening to the hang-up.
final class SocketStation: Sendable {
  private struct Ends {
    var wakeUp: (read: Int32, write: Int32)?
    var thread: Thread?
    /// Whether somebody waits for clients, or has since the last hang-up.
    var isWanted = true
  }

  /// How long a second client may wait for the first to be gone: one that comes back is faster than its own end.
  static let grace = Duration.milliseconds(250)
  /// The port.
  let port: UInt16
  /// The clients, in the order in which they came.
  let sessions = Mailbox<SocketSession>(capacity: 256)
  private let ends: Locked<Ends>

  /// Begins to listen.
  init(
    _ address: InternetAddress, port: UInt16, _ remark: @escaping @Sendable (ServingRemark) -> Void
  ) throws(LinkError) {
    let name = "\(Port.tcp(address, port: port))"
    let (listening, pipe): (Int32, (read: Int32, write: Int32))
    do throws(SystemError) { (listening, self.port) = try System.listen(at: address, port: port) } catch {
      throw error.isNameTaken
        ? .busy(name, nil)
        : error.isMissingFamily
          ? .unsupported(name, reason: SocketAddress.internet(address, port: port).missing)
          : error.opening(name, operation: "listen")
    }
    do throws(SystemError) { pipe = try System.makePipe() } catch {
      System.close(listening)
      throw error.opening(name, operation: "pipe")
    }
    ends = Locked(Ends(wakeUp: pipe))
    let place = "\(Port.tcp(address, port: self.port))"
    let hangUp: @Sendable () -> Void = { [weak self] in self?.hangUp() }
    let sessions = sessions
    do throws(SystemError) {
      let thread = try Thread { [ends] in
        let isWanted: () -> Bool = { ends.withLock { $0.isWanted } }
        Self.run(listening, wake: pipe.read, place, sessions, hangUp, remark, isWanted: isWanted)
        System.close(listening)
        sessions.finish()
      }
      ends.withLock { $0.thread = thread }
    } catch {
      System.close(listening)
      throw error.opening(name, operation: "thread")
    }
  }

  deinit { close() }

  /// Whether nobody listens any more.
  var isDown: Bool { ends.withLock { $0.wakeUp == nil } || sessions.hasEnded }

  /// Says that somebody waits for clients.
  func want() { ends.withLock { $0.isWanted = true } }

  /// A client sees a hang-up: nobody listens any more where nobody waits for clients soon.
  private func hangUp() {
    ends.withLock { ends in
      ends.isWanted = false
      // Under the lock, so that the pipe is not closed meanwhile.
      if let wakeUp = ends.wakeUp { _ = try? System.write(wakeUp.write, [1]) }
    }
  }

  /// Listens no more.
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

  private static func run(
    _ listening: Int32, wake: Int32, _ place: String, _ sessions: Mailbox<SocketSession>,
    _ hangUp: @escaping @Sendable () -> Void, _ remark: (ServingRemark) -> Void, isWanted: () -> Bool
  ) {
    let time = SystemTime()
    var current: SocketSession?
    var second: (descriptor: Int32, since: Duration)?
    /// Until when somebody must wait for clients, after a hang-up.
    var patience: Duration?
    defer { if let second { System.close(second.descriptor) } }
    while true {
      let timeout: Int32 = second == nil && patience == nil ? -1 : 10
      guard let events = try? System.poll([wake, listening], timeout: timeout), events.count == 2 else {
        return
      }
      if events[0] != 0 {
        // 1 is a hang-up, all else the end.
        guard let orders = try? System.read(wake, atMost: 64), orders.allSatisfy({ $0 == 1 }) else { return }
        (patience, current) = (time.now + grace, nil)
      }
      if let end = patience, time.now >= end {
        guard isWanted() else {
          current?.end()
          return
        }
        patience = nil
      }
      do throws(SystemError) {
        if events[1] != 0, let guest = try System.takeGuest(of: listening) {
          if let waiting = second { refuse(waiting.descriptor, place, remark) }
          second = (guest, time.now)
        }
        if let guest = second, current?.isLive != true {
          second = nil
          let session = try SocketSession(guest.descriptor, port: place, hangUp: hangUp)
          current = session
          sessions.push(CollectionOfOne(session))
        }
      } catch {
        // Too many open files, for example: whoever waits is taken when there is room.
        _ = try? System.poll([wake], timeout: 100)
      }
      if let guest = second, time.now - guest.since >= grace {
        second = nil
        refuse(guest.descriptor, place, remark)
      }
    }
  }

  private static func refuse(_ guest: Int32, _ place: String, _ remark: (ServingRemark) -> Void) {
    System.close(guest)
    remark(.refused(place))
  }
}
