// A TCP port where clients come to, one at a time.

import SpheroSerial
import SpheroSystem
public import SpheroTransport

/// A TCP port at which one client after another is served.
///
/// A second client at the same time is closed again: it sees the end of the line.
/// Where ``accept()`` is not called again soon after a hang-up by this side, whoever comes is refused until it is.
public final class SocketListener: Listener {
  private let address: InternetAddress
  /// The port, also where any free one was asked for.
  public let port: UInt16
  private let remark: @Sendable (ServingRemark) -> Void
  /// Nil once closed.
  private let station: Locked<SocketStation?>
  private let waiting = Locked<[SocketSession]>([])

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - address: An address of this machine.
  ///   - port: The port; 0 for any that is free.
  ///   - remark: Gets what should be known; on a thread that must not wait.
  /// - Throws: ``LinkError/busy(_:_:)`` where another program has the port; other cases of ``LinkError``.
  public init(
    _ address: InternetAddress, port: UInt16, remark: @escaping @Sendable (ServingRemark) -> Void = { _ in }
  ) throws(LinkError) {
    (self.address, self.remark) = (address, remark)
    let station = try SocketStation(address, port: port, remark)
    self.port = station.port
    self.station = Locked(station)
  }

  deinit { shutDown() }

  /// Where clients find it.
  public var place: Port { .tcp(address, port: port) }

  /// Waits for the next client.
  ///
  /// - Returns: The line to it, or nil once the listener is closed.
  /// - Throws: `CancellationError`; ``LinkError`` where the port is not free any more after a hang-up.
  public func accept() async throws -> SocketSession? {
    while let station = try openStation() {
      station.want()
      if let session = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return session }
      if let sessions = try await station.sessions.receive() { waiting.withLock { $0 += sessions } }
    }
    return nil
  }

  /// The station; made anew where it went down, nil once closed.
  private func openStation() throws(LinkError) -> SocketStation? {
    try station.withLock { station throws(LinkError) in
      if station?.isDown == true { station = try SocketStation(address, port: port, remark) }
      return station
    }
  }

  /// Listens no more, and closes the line to a client that is there.
  public func close() async { shutDown() }

  private func shutDown() {
    let former = station.withLock { station in
      defer { station = nil }
      return station
    }
    former?.close()
  }
}

/// The line to one client of a ``SocketListener``.
///
/// Bytes that the client does not read are lost once the kernel's buffer is full, as on a radio.
public final class SocketSession: Transport {
  private let line: DescriptorLine
  let hangUp: @Sendable () -> Void
  private let isClosed = Locked(false)

  init(_ descriptor: Int32, port: String, hangUp: @escaping @Sendable () -> Void) throws(SystemError) {
    line = try DescriptorLine(descriptor, port: port, kind: .socket(tellsUnsent: true))
    self.hangUp = hangUp
  }

  /// Whether the client is there, as far as is known.
  var isLive: Bool { line.isLive }

  /// Waits for bytes of the client.
  public func read() async throws -> [UInt8]? { try await line.read() }

  /// Sends bytes to the client; what does not fit is lost.
  public func write(_ bytes: [UInt8]) throws { _ = try line.send(bytes[...]) }

  /// Lets what was written go out for up to a second, then closes the socket.
  public func close() async {
    _ = await line.drain()
    // First, so that a client that comes back at once is not taken for a second one.
    isClosed.withLock { isClosed in
      if !isClosed, line.isLive { hangUp() }
      isClosed = true
    }
    line.end()
  }

  /// Closes the socket at once.
  func end() { line.end() }
}
