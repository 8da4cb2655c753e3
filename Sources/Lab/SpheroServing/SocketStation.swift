// The thread that waits at a TCP port.

import SpheroSerial
import SpheroSystem
import SpheroTransport

/// A listening socket, from its opening to the hang-up.
final class SocketStation: Sendable {
  /// How long a second client may wait for the first to be gone: one that comes back is faster than its own end.
  static let grace = Duration.milliseconds(250)
  /// The port.
  let port: UInt16
  /// The clients, in the order in which they came.
  let sessions = Mailbox<SocketSession>(capacity: 256)
  private let thread: ServingThread

  /// Begins to listen.
  init(
    _ address: InternetAddress, port: UInt16, _ remark: @escaping @Sendable (ServingRemark) -> Void
  ) throws(LinkError) {
    let name = "\(Port.tcp(address, port: port))"
    let listening: Int32
    do throws(SystemError) { (listening, self.port) = try System.listen(at: address, port: port) } catch {
      throw error.isNameTaken
        ? .busy(name, nil)
        : error.isMissingFamily
          ? .unsupported(name, reason: SocketAddress.internet(address, port: port).missing)
          : error.opening(name, operation: "listen")
    }
    let place = "\(Port.tcp(address, port: self.port))"
    let sessions = sessions
    do throws(SystemError) {
      thread = try ServingThread { orders in
        Self.run(listening, orders, place, sessions, remark)
        System.close(listening)
        sessions.finish()
      }
    } catch {
      System.close(listening)
      throw error.opening(name, operation: "thread")
    }
  }

  /// Whether nobody listens any more.
  var isDown: Bool { thread.isClosed || sessions.hasEnded }

  /// Says that somebody waits for clients.
  func want() { thread.want() }

  /// Listens no more, and closes the line to a client that is there.
  func close() { thread.close() }

  private static func run(
    _ listening: Int32, _ orders: ServingOrders, _ place: String, _ sessions: Mailbox<SocketSession>,
    _ remark: (ServingRemark) -> Void
  ) {
    let time = SystemTime()
    var count = 0
    var current: (number: Int, session: SocketSession)?
    var second: (descriptor: Int32, since: Duration)?
    /// Until when somebody must wait for clients, after a hang-up.
    var patience: (end: Duration, hangUp: ServingOrders.HangUp)?
    defer {
      if let second { System.close(second.descriptor) }
      current?.session.end()
    }
    while true {
      let timeout: Int32 = second == nil && patience == nil ? -1 : 10
      guard let events = try? System.poll([orders.descriptor, listening], timeout: timeout), events.count == 2
      else { return }
      if events[0] != 0 {
        guard let hangUps = orders.take() else { return }
        for hangUp in hangUps where hangUp.session == current?.number {
          (patience, current) = ((time.now + grace, hangUp), nil)
        }
      }
      if let waiting = patience, time.now >= waiting.end {
        guard orders.isWanted(since: waiting.hangUp) else { return }
        patience = nil
      }
      do throws(SystemError) {
        if events[1] != 0, let guest = try System.takeGuest(of: listening) {
          if let waiting = second { refuse(waiting.descriptor, place, remark) }
          second = (guest, time.now)
        }
        if let guest = second, current?.session.isLive != true {
          second = nil
          count += 1
          let number = count
          let session = try SocketSession(guest.descriptor, port: place) { orders.hangUp(number) }
          current = (number, session)
          sessions.push(session)
        }
      } catch {
        // Too many open files, for example: whoever waits is taken when there is room.
        _ = try? System.poll([orders.descriptor], timeout: 100)
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
