// The pace of a pseudo-terminal: the next packet is sent when the client has read the previous one.

import SpheroSystem
import SpheroTransport
import TestSupport
import Testing

@testable import SpheroSerial
@testable import SpheroServing

@Suite(.timeLimit(.minutes(5))) struct PacingTests {
  /// A delay that no test reaches, also on a busy computer.
  private static let never = Duration.seconds(3_600)

  /// A session, its pseudo-terminal and a client, which end together.
  private func withClient(
    delay: Duration = never, _ body: (TerminalSession, RawClient) async throws -> Void
  ) async throws {
    let pair = try TerminalPair()
    let session = TerminalSession(pair, delay: delay) {}
    defer {
      session.end()
      pair.close()
    }
    try await body(session, try RawClient(pair.path))
  }

  /// The bytes of the next read, without blocking a thread of the session's task.
  private func next(_ client: RawClient) async -> [UInt8] {
    var bytes: [UInt8] = []
    _ = await eventually(every: .milliseconds(1)) {
      guard case .bytes(let read) = client.read(within: .zero) else { return false }
      bytes = read
      return true
    }
    return bytes
  }

  /// The bytes of all further reads until `count` bytes have arrived.
  private func all(_ count: Int, of client: RawClient) async -> [UInt8] {
    var bytes: [UInt8] = []
    _ = await eventually(every: .milliseconds(1)) {
      if case .bytes(let read) = client.read(within: .zero) { bytes += read }
      return bytes.count >= count
    }
    return bytes
  }

  @Test func aClientThatReadsLateGetsOnePacketInEachRead() async throws {
    try await withClient { session, client in
      let packets = (0..<5).map { number in [UInt8](repeating: UInt8(number), count: 7 + number) }
      for packet in packets { try session.write(packet) }
      for packet in packets {
        try await Task.sleep(for: .milliseconds(5))
        #expect(await next(client) == packet)
      }
      #expect(client.read(within: .zero) == .nothing)
    }
  }

  @Test func aClientThatDoesNotReadGetsThePacketsAfterTheDelay() async throws {
    #expect(TerminalSession.maximumDelay == .milliseconds(100))
    try await withClient(delay: .milliseconds(80)) { session, client in
      let start = SystemTime().now
      try session.write([1])
      try session.write([2, 2])
      try session.write([3, 3, 3])
      #expect(await eventually(every: .milliseconds(1)) { System.unreadCount(client.descriptor) == 6 })
      #expect(SystemTime().now - start >= .milliseconds(80))
      #expect(client.read(within: .zero) == .bytes([1, 2, 2, 3, 3, 3]))
    }
  }

  @Test func aStreamWithoutAReaderIsBoundedAndArrivesInOrder() async throws {
    try await withClient { session, client in
      // If more packets wait than may, all of them go to the kernel at once.
      for number in 0..<400 { try session.write([UInt8(number >> 8), UInt8(number & 0xFF)]) }
      let least = 2 * (400 - TerminalSession.maximumWaitingPackets)
      #expect(await eventually { System.unreadCount(client.descriptor) >= least })
      let expected = (0..<400).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      #expect(await all(800, of: client) == expected)
    }
  }

  /// The kernel may take a part of a packet: the rest follows without another write.
  @Test func theLastPacketThatAClientReadsIsWhole() async throws {
    try await withClient(delay: .milliseconds(10)) { session, client in
      // More than any buffer of the kernel takes, in packets of 90 bytes.
      for _ in 0..<2_000 { try session.write([UInt8](repeating: 1, count: 90)) }
      var count = 0
      #expect(
        await eventually(within: .seconds(20), every: .milliseconds(100)) {
          let before = count
          while case .bytes(let bytes) = client.read(within: .zero) { count += bytes.count }
          return count == before && count > 0 && count.isMultiple(of: 90)
        }, "\(count) bytes")
      #expect(count < 2_000 * 90)
    }
  }

  @Test func packetsThatWaitForTheEndOfAContentionAreSentSingly() async throws {
    try await withClient { session, client in
      session.setOutputMode(.queueing)
      try session.write([1])
      try session.write([2])
      #expect(client.read(within: .milliseconds(20)) == .nothing)
      session.setOutputMode(.sending)
      #expect(await next(client) == [1])
      #expect(await next(client) == [2])
      try session.write([3])
      try session.write([4])
      session.setOutputMode(.discarding)
      #expect(await next(client) == [3])
      try await Task.sleep(for: .milliseconds(20))
      #expect(client.read(within: .zero) == .nothing)
    }
  }

  @Test func aSessionThatClosesWaitsForThePacketsThatWait() async throws {
    let hangUps = Locked(0)
    let pair = try TerminalPair()
    let session = TerminalSession(pair, delay: Self.never) { hangUps.withLock { $0 += 1 } }
    let client = try RawClient(pair.path)
    for number in 1...3 { try session.write([UInt8(number)]) }
    async let closed: Void = session.close()
    #expect(await all(3, of: client) == [1, 2, 3])
    await closed
    #expect(hangUps.withLock { $0 } == 1)
    session.end()
    #expect(throws: LinkError.self) { try session.write([4]) }
    pair.close()
  }
}
