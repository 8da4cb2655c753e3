// What holds for every place where clients come to: whom a hang-up meets, and what ends with the place.

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

  /// Reads until the client has gone.
  private func rest(of line: some Transport) async { while (try? await line.read()) != nil {} }

  // MARK: The end of a place

  /// Serves as a simulated robot does, and closes the place while a client is there.
  private func closeWhileServing(_ place: some Listener, _ client: RawClient) async throws {
    let heard = Mailbox<UInt8>(capacity: 10)
    async let service: Void = {
      while let line = try await place.accept() {
        while let bytes = try? await line.read() { heard.push(bytes) }
        await line.close()
      }
    }()
    client.write([1])
    #expect(try await heard.receive() == [1])
    await place.close()
    try await service
    #expect(client.seesHangUp())
    #expect(try await place.accept() == nil)
  }

  @Test func closingAPortEndsTheLineToItsClient() async throws {
    let place = try socketListener()
    try await closeWhileServing(place, try RawClient(port: place.port))
  }

  @Test func closingATerminalEndsTheLineToItsClient() async throws {
    let place = try TerminalListener()
    try await closeWhileServing(place, try RawClient(place.path))
  }

  // MARK: Hang-ups

  @Test func aLateHangUpOfAPortMeetsNoSuccessor() async throws {
    let remarks = Mailbox<ServingRemark>(capacity: 10)
    let place = try socketListener { remarks.push($0) }
    let first = try RawClient(port: place.port)
    let session = try #require(try await place.accept())
    first.close()
    await rest(of: session)
    let second = try RawClient(port: place.port)
    let successor = try #require(try await place.accept())
    session.hangUp()
    let third = try RawClient(port: place.port)
    try #require(third.seesHangUp())
    #expect(try await remarks.receive() == [.refused("\(place.place)")])
    second.write([2])
    #expect(try await successor.read() == [2])
    await place.close()
  }

  #if os(Linux)
    @Test func aLateHangUpOfATerminalMeetsNoSuccessor() async throws {
      for link in [nil, LinkPathTests.freshPath()] {
        let place = try TerminalListener(link: link)
        let first = try RawClient(place.path)
        let session = try #require(try await place.accept())
        first.close()
        await rest(of: session)
        let second = try RawClient(place.path)
        let successor = try #require(try await place.accept())
        session.hangUp()
        try #require(second.read(within: TerminalArbiter.gracePeriod * 2) == .nothing)
        second.write([2])
        #expect(try await successor.read() == [2])
        try successor.write([3])
        #expect(second.read(1) == [3])
        await place.close()
      }
    }
  #endif

  @Test func closingATerminalSessionTwiceHangsUpOnce() async throws {
    let (pair, count) = (try TerminalPair(), Locked(0))
    let session = TerminalSession(pair) { count.withLock { $0 += 1 } }
    async let once: Void = session.close()
    async let again: Void = session.close()
    _ = await (once, again)
    #expect(count.withLock { $0 } == 1)
    session.end()
    pair.close()
  }
}
