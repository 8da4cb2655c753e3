// The pace of a pseudo-terminal: the next packet is sent when the client has read the previous one.

import SpheroSystem
import SpheroTransport
import TestSupport
import Testing

@testable import SpheroSerial
@testable import SpheroServing

@Suite(.timeLimit(.minutes(5))) struct PacingTests {
  /// A session, its pseudo-terminal and a client, which end together.
  private func withClient(_ body: (TerminalSession, RawClient) async throws -> Void) async throws {
    let pair = try TerminalPair()
    let session = TerminalSession(pair) {}
    defer {
      session.end()
      pair.close()
    }
    try await body(session, try RawClient(pair.path))
  }

  @Test func aClientThatReadsLateGetsOnePacketInEachRead() async throws {
    try await withClient { session, client in
      let packets = (0..<5).map { number in [UInt8](repeating: UInt8(number), count: 7 + number) }
      for packet in packets { try session.write(packet) }
      for packet in packets {
        try await Task.sleep(for: .milliseconds(5))
        #expect(client.read(within: .seconds(10)) == .bytes(packet))
      }
      #expect(client.read(within: .milliseconds(20)) == .nothing)
    }
  }

  @Test func aClientThatDoesNotReadGetsThePacketsAfterTheDelay() async throws {
    try await withClient { session, client in
      let start = SystemTime().now
      try session.write([1])
      try session.write([2, 2])
      try session.write([3, 3, 3])
      let arrived = await eventually(every: .milliseconds(1)) { System.unreadCount(client.descriptor) == 6 }
      #expect(arrived && SystemTime().now - start >= TerminalSession.maximumDelay)
      #expect(client.read(within: .zero) == .bytes([1, 2, 2, 3, 3, 3]))
      // A client that reads again gets single packets again.
      try session.write([4])
      try session.write([5])
      #expect(client.read(within: .seconds(10)) == .bytes([4]))
      #expect(client.read(within: .seconds(10)) == .bytes([5]))
    }
  }

  @Test func aStreamWithoutAReaderIsBoundedAndArrivesInOrder() async throws {
    try await withClient { session, client in
      // If more packets wait than may, all of them go to the kernel at once.
      for number in 0..<400 { try session.write([UInt8(number >> 8), UInt8(number & 0xFF)]) }
      #expect(System.unreadCount(client.descriptor) >= 2 * (400 - TerminalSession.maximumWaitingPackets))
      let expected = (0..<400).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      #expect(client.read(800, within: .seconds(10)) == expected)
    }
  }

  @Test func packetsThatWaitForTheEndOfAContentionAreSentSingly() async throws {
    try await withClient { session, client in
      session.setOutputMode(.queueing)
      try session.write([1])
      try session.write([2])
      #expect(client.read(within: .milliseconds(20)) == .nothing)
      session.setOutputMode(.sending)
      #expect(client.read(within: .seconds(10)) == .bytes([1]))
      #expect(client.read(within: .seconds(10)) == .bytes([2]))
      try session.write([3])
      try session.write([4])
      session.setOutputMode(.discarding)
      #expect(client.read(within: .milliseconds(150)) == .bytes([3]))
      #expect(client.read(within: .milliseconds(150)) == .nothing)
    }
  }

  @Test func aSessionThatClosesWaitsForThePacketsThatWait() async throws {
    let hangUps = Locked(0)
    let pair = try TerminalPair()
    let session = TerminalSession(pair) { hangUps.withLock { $0 += 1 } }
    let client = try RawClient(pair.path)
    for number in 1...3 { try session.write([UInt8(number)]) }
    async let closed: Void = session.close()
    #expect(client.read(3) == [1, 2, 3])
    await closed
    #expect(hangUps.withLock { $0 } == 1)
    session.end()
    #expect(throws: LinkError.self) { try session.write([4]) }
    pair.close()
  }
}
