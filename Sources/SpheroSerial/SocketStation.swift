// The thread that waits at a TCP port.

import SpheroSystem
import SpheroTransport

/// A listening socket, from its opening to the hang-up.
final class SocketStation: Sendable {
  private struct Ends {
    var wakeUp: (read: Int32, write: Int32)?
    var thread: Thread?
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
    let hangUp: @Sendable () -> Void = { [weak self] in self?.close() }
    let sessions = sessions
    do throws(SystemError) {
      let thread = try Thread {
        Self.run(listening, wake: pipe.read, place, sessions, hangUp, remark)
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
  var isDown: Bool { ends.withLock { $0.wakeUp == nil } }

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
    _ hangUp: @escaping @Sendable () -> Void, _ remark: (ServingRemark) -> Void
  ) {
    let time = SystemTime()
    var current: SocketSession?
    var second: (descriptor: Int32, since: Duration)?
    defer { if let second { System.close(second.descriptor) } }
    while true {
      guard let events = try? System.poll([wake, listening], timeout: second == nil ? -1 : 10),
        events.count == 2, events[0] == 0
      else { return }
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
        if let woken = try? System.poll([wake], timeout: 100), woken.first != 0 { return }
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
