// Sockets as lines: bytes in both directions, hang-ups, and all errors of a connection.

import Foundation
import SpheroSystem
import SpheroTransport
import Testing

@testable import SpheroSerial

@Suite(.timeLimit(.minutes(5))) struct StreamSocketTests {
  private func connect(
    _ server: LoopbackServer, timeout: Duration = .seconds(60)
  ) async throws -> DescriptorLine {
    let host = try #require(InternetAddress(server.host))
    let time = SystemTime()
    return try await StreamSocket.connectOnce(
      to: .internet(host, port: server.port), named: "server", until: time.now + timeout, time: time)
  }

  @Test(arguments: ["127.0.0.1", "::1"]) func everyByteGoesThroughBothWays(_ host: String) async throws {
    guard let server = LoopbackServer(host) else { return print("skipped: there is no \(host)") }
    let line = try await StreamSocket.connect(
      to: try #require(InternetAddress(host)), port: server.port)
    let peer = try server.accept()
    let all = (0...255).map { UInt8($0) }
    try await line.write(all)
    #expect(peer.read(256) == all)
    peer.write(all)
    var bytes: [UInt8] = []
    while bytes.count < 256, let more = try await line.read() { bytes += more }
    #expect(bytes == all)
    await line.close()
    #expect(peer.read(1) == [], "a hang-up")
    #expect(try await line.read() == nil)
    await #expect(throws: LinkError.closed) { try await line.write([1]) }
  }

  @Test func aRefusalIsOne() async throws {
    // The port is bound, but no program listens.
    let server = try #require(LoopbackServer("127.0.0.1", backlog: nil))
    defer { server.close() }
    let port = server.port
    let host = try #require(InternetAddress("127.0.0.1"))
    await #expect(throws: LinkError.refused("tcp:127.0.0.1:\(port)")) {
      try await StreamSocket.connect(to: host, port: port)
    }
  }

  /// `localhost` may have ::1 as its first address, where no server listens.
  @Test func aServerIsFoundByItsName() async throws {
    let server = try #require(LoopbackServer("127.0.0.1"))
    let line = try await StreamSocket.connect(toHost: "localhost", port: server.port)
    let peer = try server.accept()
    try await line.write([1, 2, 3])
    #expect(peer.read(3) == [1, 2, 3])
    await line.close()
  }

  @Test func aLinkLocalAddressWithoutItsInterfaceIsReported() async throws {
    let host = try #require(InternetAddress("fe80::1"))
    let error = await #expect(throws: LinkError.self) {
      try await StreamSocket.connect(to: host, port: 4_000)
    }
    let reason = "a link-local address needs its interface, as in tcp:[fe80::1%eth0]:4000"
    #expect(error == .unsupported("tcp:[fe80::1]:4000", reason: reason))
  }

  @Test func aNameWithoutAnAddressIsReported() async throws {
    // RFC 2606 reserves this domain.
    let error = await #expect(throws: LinkError.self) {
      try await StreamSocket.connect(toHost: "robot.invalid", port: 1)
    }
    #expect(error?.message.hasPrefix("no address was found for tcp:robot.invalid:1: ") == true)
  }

  @Test func aServerThatStartsLateIsWaitedFor() async throws {
    let place = try #require(LoopbackServer("127.0.0.1", backlog: nil))
    let port = place.port
    place.close()
    let failures = Locked<[LinkError]>([])
    var policy = RetryPolicy(pause: .milliseconds(100))
    policy.limit = .seconds(60)
    policy.onRetry = { failure in failures.withLock { $0.append(failure) } }
    let opening = Task { [policy] in
      try await StreamSocket.connect(toHost: "127.0.0.1", port: port, retryPolicy: policy)
    }
    while failures.withLock({ $0.count }) < 2 { try await Task.sleep(for: .milliseconds(10)) }
    let (listening, _) = try System.listen(at: try #require(InternetAddress("127.0.0.1")), port: port)
    defer { System.close(listening) }
    await (try await opening.value).close()
    #expect(Set(failures.withLock { $0 }) == [.refused("tcp:127.0.0.1:\(port)")])
  }

  /// Attempts begin until the limit; without one, their number counts.
  @Test func attemptsFollowThePolicy() {
    var policy = RetryPolicy(attempts: 3, pause: .seconds(1))
    let busy = LinkError.busy("p", nil)
    #expect(policy.permits(after: busy, count: 2, elapsed: .seconds(99)))
    #expect(!policy.permits(after: busy, count: 3, elapsed: .zero))
    #expect(!policy.permits(after: .notFound("p"), count: 1, elapsed: .zero))
    policy.limit = .seconds(10)
    let absent = LinkError.bluetooth("p", reason: "r", advice: "a", isTransient: true)
    for failure in [busy, .notFound("p"), .unknownHost("p", reason: "r"), .refused("p"), absent] {
      #expect(policy.permits(after: failure, count: 99, elapsed: .seconds(9.9)))
      #expect(!policy.permits(after: failure, count: 1, elapsed: .seconds(10)))
    }
    let unsuitable = LinkError.bluetooth("p", reason: "r", advice: "a")
    for failure in [LinkError.noPermission("p"), .notADevice("p"), .closed, unsuitable] {
      #expect(!policy.permits(after: failure, count: 1, elapsed: .zero))
    }
  }

  /// A host that does not answer ends the wait at the limit of the policy, and not at the timeout of an attempt.
  @Test func anAttemptEndsAtTheLimit() async throws {
    let server = try #require(LoopbackServer("127.0.0.1", backlog: 0))
    let guests = server.fill()
    defer {
      for guest in guests { guest.close() }
      server.close()
    }
    var policy = RetryPolicy()
    policy.limit = .milliseconds(300)
    let start = ContinuousClock.now
    await #expect(throws: LinkError.self) {
      try await StreamSocket.connect(
        toHost: "127.0.0.1", port: server.port, retryPolicy: policy, timeout: .seconds(60))
    }
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func aRefusalThatComesLaterIsOneToo() async throws {
    let server = try #require(LoopbackServer("127.0.0.1", backlog: 0))
    let guests = server.fill()
    defer { for guest in guests { guest.close() } }
    let opening = Task { try await connect(server) }
    try await Task.sleep(for: .milliseconds(100))
    // The kernel retries after a second, and only SO_ERROR reports the refusal.
    server.close()
    await #expect(throws: LinkError.refused("server")) { try await opening.value }
  }

  @Test func aHangUpEndsTheLine() async throws {
    let server = try #require(LoopbackServer("127.0.0.1"))
    let line = try await connect(server)
    let peer = try server.accept()
    let reader = Task { try await line.read() }
    peer.close()
    await #expect(throws: LinkError.lost("server")) { try await reader.value }
    // The kernel may take the first write; no write raises SIGPIPE.
    await #expect(throws: LinkError.lost("server")) {
      for _ in 0..<100 {
        try await line.write([1])
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    await line.close()
  }

  @Test func aPeerThatNeverReadsIsLostInBoundedTime() async throws {
    let server = try #require(LoopbackServer("127.0.0.1"))
    let line = try await connect(server)
    let peer = try server.accept()
    let start = ContinuousClock.now
    await #expect(throws: LinkError.lost("server")) {
      // More than the buffers of both ends take.
      for _ in 0..<1_024 { try await line.write([UInt8](repeating: 0x55, count: 1 << 16)) }
    }
    #expect(ContinuousClock.now - start < .seconds(60))
    peer.close()
    await line.close()
  }

  @Test func aServerThatDoesNotAnswerIsLateAndCanBeCancelled() async throws {
    let server = try #require(LoopbackServer("127.0.0.1", backlog: 0))
    let guests = server.fill()
    defer { for guest in guests { guest.close() } }
    let start = ContinuousClock.now
    await #expect(throws: LinkError.timedOut("server")) {
      try await connect(server, timeout: .milliseconds(150))
    }
    let opening = Task { try await connect(server, timeout: .seconds(120)) }
    try await Task.sleep(for: .milliseconds(50))
    opening.cancel()
    await #expect(throws: CancellationError.self) { try await opening.value }
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func whereTheKernelHasNoBluetoothTheErrorSaysSo() async throws {
    #if os(Linux)
      // AF_BLUETOOTH, SOCK_STREAM, BTPROTO_RFCOMM.
      let probe = socket(31, 1, 3)
      guard probe < 0, errno == EAFNOSUPPORT || errno == EPROTONOSUPPORT else {
        if probe >= 0 { close(probe) }
        return print("skipped: this kernel has Bluetooth")
      }
    #endif
    let address = try #require(BluetoothAddress(bytes: [0x68, 0x86, 0xE7, 0x01, 0x02, 0x03]))
    #if os(Linux)
      let reason = "the kernel has no Bluetooth"
    #else
      let reason = "addresses are not available on this system; use the device file in /dev/cu.*"
    #endif
    await #expect(throws: LinkError.unsupported("68:86:E7:01:02:03", reason: reason)) {
      try await StreamSocket.connect(to: address)
    }
  }

  #if os(Linux) && _endian(little)
    @Test func addressesLieInMemoryAsTheKernelReadsThem() throws {
      let robot = try #require(BluetoothAddress(bytes: [0x68, 0x86, 0xE7, 0x01, 0x02, 0x03]))
      // struct sockaddr_rc: family 31, the address from its last byte, the channel.
      #expect(
        System.socketAddressBytes(.bluetooth(robot, channel: 1))
          == [31, 0, 0x03, 0x02, 0x01, 0xE7, 0x86, 0x68, 1, 0])
      // struct sockaddr_in: family 2, the port and the address in network order.
      #expect(
        System.socketAddressBytes(.internet(try #require(InternetAddress("127.0.0.2")), port: 4_000))
          == [2, 0, 0x0F, 0xA0, 127, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0])
      // struct sockaddr_in6: family 10, the port, the flow, the address, the scope.
      let version6 = System.socketAddressBytes(
        .internet(try #require(InternetAddress("1:2::3")), port: 4_000))
      #expect(
        version6 == [
          10, 0, 0x0F, 0xA0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0,
        ])
      let local = InternetAddress(bytes: [0xFE, 0x80] + [UInt8](repeating: 1, count: 14), scope: 258)
      let bytes = System.socketAddressBytes(.internet(local, port: 1))
      #expect(bytes.suffix(4) == [2, 1, 0, 0])
      // The resolver returns the address of `robot.local` with its scope.
      #expect(System.internetAddress(ofSocketAddress: bytes) == local)
    }
  #endif

  @Test(
    arguments: [
      (ECONNREFUSED, .refused("p")), (ECONNRESET, .refused("p")), (EHOSTDOWN, .hostDown("p")),
      (EIO, .hostDown("p")),
      (EHOSTUNREACH, .unreachable("p")), (ENETUNREACH, .unreachable("p")), (ETIMEDOUT, .timedOut("p")),
      (EBUSY, .busy("p", nil)), (EACCES, .noPermission("p")), (EPERM, .noPermission("p")),
      (ENOENT, .notFound("p")), (ENODEV, .notFound("p")), (ENOTTY, .notADevice("p")),
      (EINVAL, .failed("p", operation: "connect", code: EINVAL)),
    ] as [(Int32, LinkError)])
  func errorNumbersHaveNames(_ code: Int32, _ error: LinkError) {
    #expect(SystemError(code: code).opening("p", operation: "connect") == error)
  }

  /// Linux reports a failed authentication as EACCES, and a missing key as EBADE.
  @Test(arguments: [EACCES, 52]) func aRobotThatIsNotPairedRefuses(_ code: Int32) throws {
    let robot = try #require(BluetoothAddress(bytes: [0x68, 0x86, 0xE7, 1, 2, 3]))
    let error = SystemError(code: code)
      .opening("p", operation: "connect", address: .bluetooth(robot, channel: 1))
    #expect(error == .refused("p"))
  }
}
