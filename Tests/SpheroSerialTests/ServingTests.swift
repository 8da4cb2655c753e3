// Common behaviour of both listeners: late hang-ups, and the end of a listener.

import SpheroSystem
import SpheroTransport
import TestSupport
import Testing

@testable import SpheroSerial
@testable import SpheroServing

@Suite(.timeLimit(.minutes(5))) struct ServingTests {
  private func socketListener(
    _ remark: @escaping @Sendable (ServingRemark) -> Void = { _ in }
  ) throws -> SocketListener {
    try SocketListener(try #require(InternetAddress("127.0.0.1")), port: 0, remark: remark)
  }

  /// Reads until the client has closed.
  private func rest(of line: some Transport) async { while (try? await line.read()) != nil {} }

  // MARK: The end of a listener

  /// Serves a client as a simulated robot does, and closes the listener.
  private func closeWhileServing(_ listener: some Listener, _ client: RawClient) async throws {
    let received = Mailbox<UInt8>(capacity: 10)
    async let service: Void = {
      while let line = try await listener.accept() {
        while let bytes = try? await line.read() { received.push(bytes) }
        await line.close()
      }
    }()
    client.write([1])
    #expect(try await received.receive() == [1])
    await listener.close()
    try await service
    #expect(client.seesHangUp())
    #expect(try await listener.accept() == nil)
  }

  @Test func closingAPortEndsTheLineToItsClient() async throws {
    let listener = try socketListener()
    try await closeWhileServing(listener, try RawClient(port: listener.port))
  }

  @Test func closingATerminalEndsTheLineToItsClient() async throws {
    let listener = try TerminalListener()
    try await closeWhileServing(listener, try RawClient(listener.path))
  }

  // MARK: Hang-ups

  @Test func aLateHangUpOfAPortMeetsNoSuccessor() async throws {
    let remarks = Mailbox<ServingRemark>(capacity: 10)
    let listener = try socketListener { remarks.push($0) }
    let first = try RawClient(port: listener.port)
    let session = try #require(try await listener.accept())
    first.close()
    await rest(of: session)
    let second = try RawClient(port: listener.port)
    let successor = try #require(try await listener.accept())
    session.hangUp()
    let third = try RawClient(port: listener.port)
    try #require(third.seesHangUp())
    #expect(try await remarks.receive() == [.refused("\(listener.endpoint)")])
    second.write([2])
    #expect(try await successor.read() == [2])
    await listener.close()
  }

  #if os(Linux)
    @Test func aLateHangUpOfATerminalMeetsNoSuccessor() async throws {
      for link in [nil, LinkPathTests.freshPath()] {
        let listener = try TerminalListener(link: link)
        let first = try RawClient(listener.path)
        let session = try #require(try await listener.accept())
        first.close()
        await rest(of: session)
        let second = try RawClient(listener.path)
        let successor = try #require(try await listener.accept())
        session.hangUp()
        try #require(second.read(within: TerminalArbiter.gracePeriod * 2) == .nothing)
        second.write([2])
        #expect(try await successor.read() == [2])
        try successor.write([3])
        #expect(second.read(1) == [3])
        await listener.close()
      }
    }
  #endif

  /// Requests the hang-up of a session again after its successor was requested; the successor is served on.
  private func hangUpTwice(
    _ listener: some Listener, _ hangUp: @Sendable () -> Void, _ successor: () throws -> RawClient
  ) async throws {
    async let next = listener.accept()
    try await Task.sleep(for: .milliseconds(20))
    let client = try successor()
    let session = try #require(try await next)
    hangUp()
    #expect(client.read(within: ServerRequests.gracePeriod * 3) == .nothing)
    client.write([2])
    #expect(try await session.read() == [2])
    await listener.close()
  }

  @Test func aSecondHangUpOfAPortMeetsNoSuccessor() async throws {
    let listener = try socketListener()
    let first = try RawClient(port: listener.port)
    let session = try #require(try await listener.accept())
    await session.close()
    try await hangUpTwice(listener, session.hangUp) { try RawClient(port: listener.port) }
    first.close()
  }

  #if os(Linux)
    @Test func aSecondHangUpOfATerminalMeetsNoSuccessor() async throws {
      let listener = try TerminalListener(link: LinkPathTests.freshPath())
      let first = try RawClient(listener.path)
      let session = try #require(try await listener.accept())
      async let once: Void = session.close()
      async let again: Void = session.close()
      _ = await (once, again)
      try await hangUpTwice(listener, session.hangUp) { try RawClient(listener.path) }
      first.close()
    }
  #endif
}
