// The line to a robot over a stream socket: by its Bluetooth address, or through a TCP server.

import SpheroSystem
public import SpheroTransport

/// The line to a robot over a stream socket: RFCOMM on Linux, TCP on all systems.
public final class StreamSocket: Transport {
  package let line: DescriptorLine
  /// The lock of the robot's address or of the server's port.
  let lock: AbstractSocketLock?

  private init(_ line: DescriptorLine, _ lock: AbstractSocketLock?) { (self.line, self.lock) = (line, lock) }

  /// Connects a robot by its Bluetooth address, without a device file.
  ///
  /// One program at a time holds the lock of an address, among those that use this package.
  ///
  /// - Parameters:
  ///   - address: The robot's address.
  ///   - channel: The RFCOMM channel, 1...30.
  ///   - retryPolicy: The attempts; the first ones often fail.
  ///   - timeout: The maximum duration of all attempts together; with a limit of the policy, that of each attempt.
  ///   - takeover: The program that is interrupted to release the robot; with nil, none is.
  ///   - time: The clock for the waits.
  /// - Returns: The open line.
  /// - Throws: `LinkError`, `LinkError.unsupported(_:reason:)` where the system has no Bluetooth sockets;
  ///   `CancellationError`.
  public static func connect(
    to address: BluetoothAddress, channel: UInt8 = Port.defaultChannel,
    retryPolicy: RetryPolicy = .init(), timeout: Duration = .seconds(15),
    takeover: Takeover? = nil, time: some TimeSource = SystemTime()
  ) async throws -> StreamSocket {
    let port = "\(Port.bluetooth(address, channel: channel))"
    let start = time.now
    let lock = try await acquire(address, for: port, retryPolicy: retryPolicy, takeover: takeover, time: time)
    var retryPolicy = retryPolicy
    // An address that becomes free late still has time for an attempt.
    retryPolicy.limit = retryPolicy.limit.map { max(min($0, .seconds(5)), $0 - (time.now - start)) }
    return try await connect(
      to: .bluetooth(address, channel: channel), named: port, retryPolicy: retryPolicy, timeout: timeout,
      lock: lock, time: time)
  }

  /// Acquires the lock of a robot's address, which one program at a time holds.
  static func acquire(
    _ address: BluetoothAddress, for port: String, retryPolicy: RetryPolicy, takeover: Takeover?,
    time: some TimeSource
  ) async throws -> AbstractSocketLock {
    let name = AbstractSocketLock.name(of: address)
    // Without a limit, only a holder that is asked for the address is waited for.
    var policy = RetryPolicy(attempts: 1)
    (policy.limit, policy.onRetry) = (retryPolicy.limit, retryPolicy.onRetry)
    return try await openWithRetries(
      port, policy, takeover, time, holder: { HolderSearch.holder(ofName: name) },
      { () throws(LinkError) in try AbstractSocketLock.acquire(name, for: port) })
  }

  /// Interrupts the holders of a server's port, and waits until they have released it.
  ///
  /// Other programs, and holders that do not end in time, keep it: the server decides how many clients it has.
  static func release(_ port: String, takeover: Takeover?, time: some TimeSource) async throws {
    guard let takeover else { return }
    let name = AbstractSocketLock.name(ofPort: port)
    do {
      try await openWithRetries(
        port, .init(attempts: 1), takeover, time, holder: { HolderSearch.holder(ofName: name) },
        { () throws(LinkError) in
          guard let holder = HolderSearch.holder(ofName: name) else { return }
          throw .busy(port, holder.process)
        })
    } catch LinkError.busy {}
  }

  /// Connects to a TCP server that forwards bytes, like ser2net or socat.
  ///
  /// - Parameters:
  ///   - address: The server's address.
  ///   - port: The server's port.
  ///   - retryPolicy: The attempts.
  ///   - timeout: The maximum duration of all attempts together; with a limit of the policy, that of each attempt.
  ///   - takeover: The program on this computer that is interrupted to release the port; with nil, none is.
  ///   - time: The clock for the waits.
  /// - Returns: The open line.
  /// - Throws: `LinkError`; `CancellationError`.
  public static func connect(
    to address: InternetAddress, port: UInt16, retryPolicy: RetryPolicy = .init(attempts: 1),
    timeout: Duration = .seconds(15), takeover: Takeover? = nil, time: some TimeSource = SystemTime()
  ) async throws -> StreamSocket {
    let name = "\(Port.tcp(address, port: port))"
    try await release(name, takeover: takeover, time: time)
    return try await connect(
      to: .internet(address, port: port), named: name, retryPolicy: retryPolicy, timeout: timeout,
      time: time)
  }

  /// Connects to a TCP server by the name of its host, whose addresses are tried in the order of the resolver.
  ///
  /// - Parameters:
  ///   - hostName: The name, like `robot.local`; it is looked up for each attempt.
  ///   - port: The server's port.
  ///   - retryPolicy: The attempts, each with all addresses.
  ///   - timeout: As for an address; each address of an attempt has an equal part of the rest of its time.
  ///   - takeover: The program on this computer that is interrupted to release the port; with nil, none is.
  ///   - time: The clock for the waits.
  /// - Returns: The open line.
  /// - Throws: `LinkError`: that of the last address, or `LinkError.unknownHost(_:reason:)`; `CancellationError`.
  public static func connect(
    toHost hostName: String, port: UInt16, retryPolicy: RetryPolicy = .init(attempts: 1),
    timeout: Duration = .seconds(15), takeover: Takeover? = nil, time: some TimeSource = SystemTime()
  ) async throws -> StreamSocket {
    let name = "tcp:\(hostName):\(port)"
    var takeover = takeover
    return try await retryPolicy.open(within: timeout, time: time) { end in
      // A holder is interrupted once, not for each attempt.
      defer { takeover = nil }
      let addresses = try await HostLookup.addresses(of: hostName, for: name, until: end, time: time)
      var failure = LinkError.unknownHost(name, reason: "it has no Internet address")
      for (index, address) in addresses.enumerated() {
        do {
          try await release("\(Port.tcp(address, port: port))", takeover: takeover, time: time)
          return try await connectOnce(
            to: .internet(address, port: port), named: name,
            until: time.now + (end - time.now) / (addresses.count - index),
            stall: DescriptorLine.stallTimeout, lock: nil, time: time)
        } catch let error as LinkError { failure = error }
      }
      throw failure
    }
  }

  /// Connects; `stall` is the maximum wait of a write while the peer takes no bytes.
  static func connect(
    to address: SocketAddress, named port: String, retryPolicy: RetryPolicy, timeout: Duration,
    stall: Duration = DescriptorLine.stallTimeout, lock: AbstractSocketLock? = nil, time: some TimeSource
  ) async throws -> StreamSocket {
    try await retryPolicy.open(within: timeout, time: time) { end in
      try await connectOnce(to: address, named: port, until: end, stall: stall, lock: lock, time: time)
    }
  }

  private static func connectOnce(
    to address: SocketAddress, named port: String, until end: Duration, stall: Duration,
    lock: AbstractSocketLock?, time: some TimeSource
  ) async throws -> StreamSocket {
    // Before the connection, so that `sphero stop` finds a program that is connecting.
    let lock =
      lock ?? address.serverPort.flatMap { AbstractSocketLock.share(AbstractSocketLock.name(ofPort: $0)) }
    let descriptor: Int32
    do throws(SystemError) { descriptor = try System.makeSocket(for: address) } catch {
      guard !error.isUnsupportedAddressFamily else {
        throw LinkError.unsupported(port, reason: address.missing)
      }
      throw error.opening(port, operation: "socket")
    }
    do {
      try await establish(descriptor, to: address, named: port, until: end, time: time)
    } catch {
      System.close(descriptor)
      throw error
    }
    do throws(SystemError) {
      // A Bluetooth socket reports free space for TIOCOUTQ; its close sends pending bytes.
      let tellsUnsent = if case .internet = address { true } else { false }
      return StreamSocket(
        try DescriptorLine(
          descriptor, port: port, kind: .socket(tellsUnsent: tellsUnsent), stall: stall, time: time), lock)
    } catch { throw error.opening(port, operation: "thread") }
  }

  private static func establish(
    _ descriptor: Int32, to address: SocketAddress, named port: String, until end: Duration,
    time: some TimeSource
  ) async throws {
    do throws(SystemError) {
      if try System.beginConnecting(descriptor, to: address) { return }
    } catch {
      if case .bluetooth = address, error.isUnsupportedOperation {
        throw LinkError.unsupported(port, reason: "the Bluetooth adapter has no classic Bluetooth")
      }
      throw error.opening(port, operation: "connect")
    }
    // Polling this rarely is cheap and needs no thread.
    while !System.isWritable(descriptor) {
      guard time.now < end else { throw LinkError.timedOut(port) }
      try await time.sleep(for: .milliseconds(10))
    }
    let failure: SystemError?
    do throws(SystemError) { failure = try System.connectionError(descriptor) } catch {
      throw error.opening(port, operation: "getsockopt")
    }
    if let failure { throw failure.opening(port, operation: "connect") }
  }

  /// Waits for bytes of the robot.
  nonisolated(nonsending) public func read() async throws -> [UInt8]? { try await line.read() }

  /// Sends bytes to the robot.
  public func write(_ bytes: [UInt8]) async throws { try await line.write(bytes) }

  /// Waits up to a second until written bytes are sent, then closes the socket.
  public func close() async {
    _ = await line.drain()
    line.end()
    lock?.release()
  }
}

extension StreamSocket: DescriptorTransport {}
