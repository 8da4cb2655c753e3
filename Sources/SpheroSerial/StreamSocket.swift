// The lines to robots over stream sockets, and the addresses of a host.

import SpheroLibc
import SpheroSystem
public import SpheroTransport

/// Lines to robots over stream sockets: RFCOMM with the robot (Linux), or TCP with a server that forwards bytes.
public enum StreamSocket {
  /// Connects to a robot by its Bluetooth address, without a device file.
  ///
  /// Among the programs that use this package, one at a time holds an address; with a takeover, the holder is interrupted.
  /// The RFCOMM channel is 1...30. The timeout is that of each attempt if the policy has a limit, otherwise of all.
  ///
  /// - Throws: `LinkError`, such as `unsupported(_:reason:)` on a system without Bluetooth sockets; `CancellationError`.
  public static func connect(
    to address: BluetoothAddress, channel: UInt8 = Port.defaultChannel,
    retryPolicy: RetryPolicy = .init(), timeout: Duration = .seconds(15),
    takeover: Takeover? = nil, time: some TimeSource = SystemTime()
  ) async throws -> DescriptorLine {
    let port = "\(Port.bluetooth(address, channel: channel))"
    let start = time.now
    let lock = try await acquire(address, for: port, retryPolicy: retryPolicy, takeover: takeover, time: time)
    var retryPolicy = retryPolicy
    // The limit includes the wait for the lock, but leaves up to five seconds for the connection.
    retryPolicy.limit = retryPolicy.limit.map { max(min($0, .seconds(5)), $0 - (time.now - start)) }
    return try await retryPolicy.open(within: timeout, time: time) { end, _ in
      try await connectOnce(
        to: .bluetooth(address, channel: channel), named: port, until: end, lock: lock, time: time)
    }
  }

  static func acquire(
    _ address: BluetoothAddress, for port: String, retryPolicy: RetryPolicy, takeover: Takeover?,
    time: some TimeSource
  ) async throws -> AbstractSocketLock {
    let name = AbstractSocketLock.name(ofPort: "\(address)")
    // Without a limit, the function waits only for a holder that the takeover interrupts.
    var policy = RetryPolicy(attempts: 1)
    (policy.limit, policy.onRetry) = (retryPolicy.limit, retryPolicy.onRetry)
    return try await policy.open(
      takeover: takeover, holder: { HolderSearch.holder(ofName: name) }, time: time,
      { _, _ in try AbstractSocketLock.acquire(name, for: port) })
  }

  /// Interrupts the clients of a server's port, and waits for their end; the server decides whether others may remain.
  static func release(_ port: String, takeover: Takeover?, time: some TimeSource) async throws {
    guard let takeover else { return }
    let name = AbstractSocketLock.name(ofPort: port)
    do {
      try await RetryPolicy(attempts: 1).open(
        takeover: takeover, holder: { HolderSearch.holder(ofName: name) }, time: time,
        { _, _ in
          if let holder = HolderSearch.holder(ofName: name) { throw LinkError.busy(port, holder.process) }
        })
    } catch LinkError.busy {}
  }

  /// Connects to a TCP server that forwards bytes, such as ser2net or socat.
  ///
  /// With a takeover, a client of the port on this computer is interrupted.
  /// The timeout is that of each attempt if the policy has a limit, otherwise of all.
  ///
  /// - Throws: `LinkError`; `CancellationError`.
  public static func connect(
    to address: InternetAddress, port: UInt16, retryPolicy: RetryPolicy = .init(attempts: 1),
    timeout: Duration = .seconds(15), takeover: Takeover? = nil, time: some TimeSource = SystemTime()
  ) async throws -> DescriptorLine {
    let name = "\(Port.tcp(address, port: port))"
    try await release(name, takeover: takeover, time: time)
    return try await retryPolicy.open(within: timeout, time: time) { end, _ in
      try await connectOnce(to: .internet(address, port: port), named: name, until: end, time: time)
    }
  }

  /// Connects to a TCP server by the name of its host, such as `robot.local`.
  ///
  /// Each attempt looks the name up, and tries the addresses in the order of the resolver, each for an equal part of the
  /// time that remains. Otherwise as ``connect(to:port:retryPolicy:timeout:takeover:time:)``.
  ///
  /// - Throws: `LinkError.unknownHost(_:reason:)`, or the `LinkError` of the last address; `CancellationError`.
  public static func connect(
    toHost hostName: String, port: UInt16, retryPolicy: RetryPolicy = .init(attempts: 1),
    timeout: Duration = .seconds(15), takeover: Takeover? = nil, time: some TimeSource = SystemTime()
  ) async throws -> DescriptorLine {
    let name = "tcp:\(hostName):\(port)"
    return try await retryPolicy.open(within: timeout, time: time) { end, isFirst in
      let addresses = try await addresses(of: hostName, for: name, until: end, time: time)
      var failure = LinkError.unknownHost(name, reason: "it has no Internet address")
      for (index, address) in addresses.enumerated() {
        do {
          // Only the first attempt interrupts a client.
          let takeover = isFirst ? takeover : nil
          try await release("\(Port.tcp(address, port: port))", takeover: takeover, time: time)
          return try await connectOnce(
            to: .internet(address, port: port), named: name,
            until: time.now + (end - time.now) / (addresses.count - index), time: time)
        } catch let error as LinkError { failure = error }
      }
      throw failure
    }
  }

  static func connectOnce(
    to address: SocketAddress, named port: String, until end: Duration, lock: AbstractSocketLock? = nil,
    time: some TimeSource
  ) async throws -> DescriptorLine {
    if case .internet(let address, _) = address, address.lacksScope {
      throw LinkError.unsupported(
        port, reason: "a link-local address needs its interface, as in tcp:[fe80::1%eth0]:4000")
    }
    // Acquired before the connection, so that `sphero stop` also finds a program that is connecting.
    let lock =
      lock ?? address.serverPort.flatMap { AbstractSocketLock.share(AbstractSocketLock.name(ofPort: $0)) }
    let descriptor: Int32
    do throws(SystemError) { descriptor = try System.makeSocket(for: address) } catch {
      throw error.opening(port, operation: "socket", address: address)
    }
    do {
      try await establish(descriptor, to: address, named: port, until: end, time: time)
    } catch {
      System.close(descriptor)
      throw error
    }
    do throws(SystemError) {
      // For TIOCOUTQ, a Bluetooth socket reports its free space instead of the unsent bytes. Its close sends them.
      let tellsUnsent = if case .internet = address { true } else { false }
      return try DescriptorLine(
        descriptor, port: port, isSocket: true, tellsUnsent: tellsUnsent, time: time, lock: lock)
    } catch { throw LinkError.failed(port, operation: "thread", code: error.code) }
  }

  private static func establish(
    _ descriptor: Int32, to address: SocketAddress, named port: String, until end: Duration,
    time: some TimeSource
  ) async throws {
    do throws(SystemError) {
      if try System.beginConnecting(descriptor, to: address) { return }
    } catch {
      throw error.opening(port, operation: "connect", address: address)
    }
    // Polling every 10 ms is cheap and needs no thread.
    while !System.isWritable(descriptor) {
      guard time.now < end else { throw LinkError.timedOut(port) }
      try await time.sleep(for: .milliseconds(10))
    }
    do throws(SystemError) { try System.checkConnection(descriptor) } catch {
      throw error.opening(port, operation: "connect", address: address)
    }
  }

  /// The addresses of a host in their order, from the system's resolver, which blocks and cannot be cancelled.
  private static func addresses(
    of name: String, for port: String, until end: Duration, time: some TimeSource
  ) async throws -> [InternetAddress] {
    let result = Locked<Result<[InternetAddress], LinkError>?>(nil)
    do throws(SystemError) {
      try Thread {
        let resolved = resolve(name, for: port)
        result.withLock { $0 = resolved }
      }.detach()
    } catch { throw LinkError.failed(port, operation: "thread", code: error.code) }
    while true {
      if let resolved = result.withLock({ $0 }) { return try resolved.get() }
      guard time.now < end else { throw LinkError.timedOut(port) }
      try await time.sleep(for: .milliseconds(10))
    }
  }

  private static func resolve(_ name: String, for port: String) -> Result<[InternetAddress], LinkError> {
    var hints = unsafe addrinfo()
    unsafe (hints.ai_family, hints.ai_socktype) = (AF_UNSPEC, System.stream)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(name, nil, &hints, &list)
    guard code == 0 else {
      return .failure(.unknownHost(port, reason: unsafe String(cString: gai_strerror(code))))
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [InternetAddress] = []
    var next = unsafe list
    while let entry = unsafe next?.pointee {
      let bytes = unsafe UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen))
      let address = System.internetAddress(ofSocketAddress: unsafe Array(bytes))
      if let address, !addresses.contains(address) { addresses.append(address) }
      unsafe next = entry.ai_next
    }
    return .success(addresses)
  }
}
