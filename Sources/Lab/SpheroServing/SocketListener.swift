// A TCP port that serves one client at a time.

import SpheroSerial
import SpheroSystem
public import SpheroTransport

/// A TCP port that serves one client after another.
///
/// While a client is connected, a second one is closed: it sees the end of the line.
/// After a hang-up by this side, new clients are refused until ``accept()`` is called again.
public final class SocketListener: Listener {
  private let address: InternetAddress
  /// The port number, which the system has chosen if 0 was passed.
  public let port: UInt16
  private let server: Server<SocketArbiter>

  /// Starts to listen at an address of this machine; port 0 selects any free port. `remark` must not block its thread.
  ///
  /// - Throws: `LinkError.busy(_:_:)` if another program has the port; other cases of `LinkError`.
  public init(
    _ address: InternetAddress, port: UInt16, remark: @escaping @Sendable (ServingRemark) -> Void = { _ in }
  ) throws(LinkError) {
    let chosen = Locked(port)
    server = try Server("\(Port.tcp(address, port: chosen.withLock { $0 }))") {
      (requests, sessions) throws(LinkError) in
      // The next thread listens at the port of the first one.
      let (listening, number) = try SocketArbiter.listen(at: address, port: chosen.withLock { $0 })
      chosen.withLock { $0 = number }
      return SocketArbiter(
        listening: listening, name: "\(Port.tcp(address, port: number))", requests: requests,
        sessions: sessions, remark: remark)
    }
    (self.address, self.port) = (address, chosen.withLock { $0 })
  }

  public var endpoint: Port { .tcp(address, port: port) }

  /// Waits for the next client; returns nil once the listener is closed.
  ///
  /// - Throws: `CancellationError`; `LinkError` if the port is no longer free after a hang-up.
  public func accept() async throws -> SocketSession? { try await server.accept() }

  /// Stops listening, and closes the line to a connected client.
  public func close() async { server.close() }
}

/// The line to one client of a ``SocketListener``; bytes that do not fit the kernel's buffer are lost, as on a radio.
public final class SocketSession: Transport {
  private let line: DescriptorLine
  let hangUp: @Sendable () -> Void

  init(_ descriptor: Int32, port: String, hangUp: @escaping @Sendable () -> Void) throws(SystemError) {
    line = try DescriptorLine(descriptor, port: port, isSocket: true)
    self.hangUp = hangUp
  }

  /// Whether the client is connected, as far as the kernel has reported.
  var isLive: Bool { line.isLive }

  public func read() async throws -> [UInt8]? { try await line.read() }

  /// Sends the bytes that fit the kernel's buffer.
  public func write(_ bytes: [UInt8]) throws { _ = try line.send(bytes[...]) }

  /// Waits up to a second for written bytes to be sent, then closes the socket.
  public func close() async {
    _ = await line.drain()
    // The hang-up precedes the end of the line, so that a client that reconnects at once does not count as a second one.
    if line.isLive { hangUp() }
    line.end()
  }

  func end() { line.end() }
}

private struct SocketArbiter: ClientArbiter {
  typealias Session = SocketSession

  /// The interval of the checks whether the first client has closed while a second one is pending.
  private static let pollInterval = Duration.milliseconds(10)
  /// The delay after an error, such as too many open files.
  private static let retryDelay = Duration.milliseconds(100)

  let listening: Int32
  let name: String
  let requests: ServerRequests
  let sessions: Mailbox<SocketSession>
  let remark: @Sendable (ServingRemark) -> Void
  var sessionCount = 0
  var current: SocketSession?
  var pending: (descriptor: Int32, since: Duration)?

  static func listen(at address: InternetAddress, port: UInt16) throws(LinkError) -> (Int32, UInt16) {
    do throws(SystemError) { return try System.listen(at: address, port: port) } catch {
      let name = "\(Port.tcp(address, port: port))"
      guard !error.isAddressInUse else { throw .busy(name, nil) }
      throw error.opening(name, operation: "listen", address: .internet(address, port: port))
    }
  }

  var sessionNumber: Int? { current == nil ? nil : sessionCount }
  var descriptors: [Int32] { [listening] }

  func nextDeadline(at now: Duration) -> Duration? { pending == nil ? nil : now + Self.pollInterval }

  mutating func process(at now: Duration) -> Duration? {
    do throws(SystemError) {
      if let client = try System.acceptClient(of: listening) {
        refusePending()
        pending = (client, now)
      }
      return nil
    } catch { return Self.retryDelay }
  }

  mutating func admit(at now: Duration) -> Duration? {
    var retryDelay: Duration?
    do throws(SystemError) {
      if let client = pending, current?.isLive != true {
        pending = nil
        sessionCount += 1
        let (requests, number) = (requests, sessionCount)
        let session = try SocketSession(client.descriptor, port: name) { requests.hangUp(number) }
        current = session
        sessions.push(session)
      }
    } catch { retryDelay = Self.retryDelay }
    if let pending, now - pending.since >= ServerRequests.gracePeriod { refusePending() }
    return retryDelay
  }

  private mutating func refusePending() {
    guard let client = pending else { return }
    pending = nil
    System.close(client.descriptor)
    remark(.refused(name))
  }

  /// Lets the next client be served; the session closes its own socket.
  mutating func hangUp(at now: Duration) -> Bool {
    current = nil
    return true
  }

  mutating func close() {
    if let pending { System.close(pending.descriptor) }
    current?.end()
    System.close(listening)
  }
}
