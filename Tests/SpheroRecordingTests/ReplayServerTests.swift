// Replays of a recording to one client after another.

import SpheroProtocol
import SpheroRecording
import SpheroSystem
import SpheroTransport
import TestSupport
import Testing

/// A listener whose clients the test creates.
private final class Place: Listener {
  private let lines = Mailbox<MemoryTransport>(capacity: 8)
  func accept() async throws -> MemoryTransport? { try await lines.receive()?.first }
  func close() { lines.finish() }
  /// Connects a client and returns its end of the line.
  func client() -> MemoryTransport {
    let (here, there) = MemoryTransport.pair()
    lines.push([here])
    return there
  }
}

@Suite(.timeLimit(.minutes(5))) struct ReplayServerTests {
  private func server(_ text: String, _ mode: Replay.Mode, _ time: VirtualTime) throws -> ReplayServer {
    ReplayServer(try Replay(CaptureReader.records(in: Array(text.utf8)), mode: mode), time: time)
  }

  @Test func eachClientGetsTheRecordingFromTheBeginning() async throws {
    let time = VirtualTime()
    let server = try server("10 < \(ReplayTests.event)\n12 < \(ReplayTests.event)", .loose, time)
    try await time.run {
      let place = Place()
      let endings = Locked<[ReplayServer.Ending]>([])
      async let serving: Void = server.serve(place) { ending in endings.withLock { $0.append(ending) } }
      for number in 1...2 {
        let client = place.client()
        let start = time.now
        #expect(try await client.read() == bytes(ReplayTests.event))
        #expect(try await client.read() == bytes(ReplayTests.event))
        #expect(time.now - start == .seconds(2), "times count from the first line")
        #expect(try await client.read() == nil)
        #expect(time.now - start == .seconds(3), "a second after the last event")
        while endings.withLock({ $0.count }) < number { try await time.sleep(for: .milliseconds(1)) }
      }
      // A client that disconnects early does not end the server.
      let early = place.client()
      _ = try await early.read()
      early.close()
      while endings.withLock({ $0.count }) < 3 { try await time.sleep(for: .milliseconds(1)) }
      place.close()
      try await serving
      #expect(endings.withLock { $0 } == [.played, .played, .left])
    }
  }

  @Test func anUnexpectedCommandClosesTheLine() async throws {
    let time = VirtualTime()
    let server = try server("0 > \(ReplayTests.roll)\n0.5 < \(ReplayTests.rollAnswer)", .strict, time)
    try await time.run {
      let (here, there) = MemoryTransport.pair()
      async let ending = server.serve(here)
      there.write(bytes(ReplayTests.version))
      let end = try await there.read()
      #expect(end == nil)
      guard case .departed(.unexpected) = await ending else {
        Issue.record("the client departs from the recording")
        return
      }
    }
  }
}
