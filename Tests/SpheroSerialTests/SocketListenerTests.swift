// A TCP port serves one client at a time, and closes a second one.

import Foundation
import SpheroTransport
import TestSupport
import Testing

@testable import SpheroSerial
@testable import SpheroServing

@Suite(.timeLimit(.minutes(5))) struct SocketListenerTests {
  private func listener(
    port: UInt16 = 0, _ remark: @escaping @Sendable (ServingRemark) -> Void = { _ in }
  ) throws -> SocketListener {
    try SocketListener(try #require(InternetAddress("127.0.0.1")), port: port, remark: remark)
  }

  private func rest(of session: SocketSession) async -> [UInt8] {
    var bytes: [UInt8] = []
    while let more = try? await session.read() { bytes += more }
    return bytes
  }

  @Test func clientsComeOneAfterAnother() async throws {
    let listener = try listener()
    #expect(listener.endpoint.description == "tcp:127.0.0.1:\(listener.port)")
    for number in 0..<50 as Range<UInt8> {
      let client = try RawClient(port: listener.port)
      client.write([number])
      let session = try #require(try await listener.accept())
      #expect(try await session.read() == [number])
      try session.write([number])
      #expect(client.read(1) == [number])
      client.close()
      #expect(await rest(of: session) == [])
      await session.close()
    }
    await listener.close()
    #expect(try await listener.accept() == nil)
    #expect(throws: POSIXError.self) { try RawClient(port: listener.port) }
  }

  @Test func aSecondOneIsClosedAndTheFirstUndisturbed() async throws {
    let remarks = Mailbox<ServingRemark>(capacity: 10)
    let listener = try listener { remarks.push($0) }
    let first = try RawClient(port: listener.port)
    let session = try #require(try await listener.accept())
    let second = try RawClient(port: listener.port)
    second.write([9])
    #expect(second.seesHangUp())
    #expect(try await remarks.receive() == [.refused("tcp:127.0.0.1:\(listener.port)")])
    first.write([1])
    #expect(try await session.read() == [1])
    await listener.close()
    await session.close()
  }

  @Test func whoComesBackAtOnceIsNoSecondClient() async throws {
    let remarks = Mailbox<ServingRemark>(capacity: 10)
    let listener = try listener { remarks.push($0) }
    var client = try RawClient(port: listener.port)
    for number in 0..<50 as Range<UInt8> {
      let session = try #require(try await listener.accept())
      client.close()
      client = try RawClient(port: listener.port)
      client.write([number])
      _ = await rest(of: session)
      await session.close()
      let next = try #require(try await listener.accept())
      #expect(try await next.read() == [number])
      client.close()
      _ = await rest(of: next)
      await next.close()
      client = try RawClient(port: listener.port)
    }
    remarks.finish()
    #expect(try await remarks.receive() == nil)
    await listener.close()
  }

  @Test func afterAHangUpNobodyListensWhereNobodyWaitsForTheNext() async throws {
    let listener = try listener()
    let client = try RawClient(port: listener.port)
    let session = try #require(try await listener.accept())
    try session.write([1, 2, 3])
    await session.close()
    #expect(client.read(3) == [1, 2, 3] && client.seesHangUp())
    // A check is itself a client; the long wait allows for a busy computer.
    try await Task.sleep(for: ServerRequests.gracePeriod * 8)
    #expect(throws: POSIXError.self) { try RawClient(port: listener.port) }
    async let next = listener.accept()
    var again: RawClient?
    _ = await eventually {
      again = try? RawClient(port: listener.port)
      return again != nil
    }
    again?.write([4])
    let session2 = try #require(try await next)
    #expect(try await session2.read() == [4])
    await listener.close()
    await session2.close()
  }

  #if canImport(Glibc)
    /// A process without a free descriptor cannot serve the port again, and the error names the port that it had.
    @Test func anErrorAfterAHangUpNamesTheChosenPort() async throws {
      await #expect(processExitsWith: .success) {
        let host = try #require(InternetAddress("127.0.0.1"))
        let listener = try SocketListener(host, port: 0)
        let client = try RawClient(port: listener.port)
        let session = try #require(try await listener.accept())
        await session.close()
        client.close()
        try await Task.sleep(for: ServerRequests.gracePeriod * 4)
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        try #require(unsafe getrlimit(resource, &limit) == 0)
        limit.rlim_cur = 3
        try #require(unsafe setrlimit(resource, &limit) == 0)
        let error = await #expect(throws: LinkError.self) { try await listener.accept() }
        #expect(error == .failed("\(listener.endpoint)", operation: "pipe", code: EMFILE))
      }
    }
  #endif

  @Test func aClientThatReadsNothingHoldsNothingUp() async throws {
    let listener = try listener()
    let client = try RawClient(port: listener.port)
    let session = try #require(try await listener.accept())
    let start = ContinuousClock.now
    for _ in 0..<2_000 { try session.write([UInt8](repeating: 0x55, count: 10_000)) }
    #expect(ContinuousClock.now - start < .seconds(60))
    client.close()
    await session.close()
    await listener.close()
  }

  @Test func aPortThatIsTakenAndAnAddressOfAnotherMachineAreNamed() async throws {
    let first = try listener()
    #expect(throws: LinkError.busy("tcp:127.0.0.1:\(first.port)", nil)) { try listener(port: first.port) }
    await first.close()
    let foreign = try #require(InternetAddress("192.0.2.1"))
    #expect(throws: LinkError.self) { try SocketListener(foreign, port: 0) }
  }

  @Test(.enabled(if: LoopbackServer("::1") != nil, "this machine has no IPv6"))
  func aPortOfVersion6IsNamed() async throws {
    let listener = try SocketListener(try #require(InternetAddress("::1")), port: 0)
    #expect(listener.endpoint.description == "tcp:[::1]:\(listener.port)")
    await listener.close()
  }
}
