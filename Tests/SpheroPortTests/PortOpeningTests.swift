// One call opens every kind of port.

import Foundation
import SpheroPort
import SpheroSerial
import SpheroSystem
import SpheroTransport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PortOpeningTests {
  @Test func aSimulatedRobotAnswersUntilTheLineIsClosed() async throws {
    let line = try await Port(parsing: "sim:").open()
    // Ping with sequence number 7, and its answer (Sphero API 1.50, "Ping").
    try await line.write([0xFF, 0xFF, 0x00, 0x01, 0x07, 0x01, 0xF6])
    var bytes: [UInt8] = []
    while bytes.count < 6, let more = try await line.read() { bytes += more }
    #expect(bytes.suffix(6) == [0xFF, 0xFF, 0x00, 0x07, 0x01, 0xF7])
    await line.close()
    #expect(try await line.read() == nil)
  }

  @Test func itLivesInVirtualTimeToo() async throws {
    let time = VirtualTime()
    let answer = try await time.run {
      let line = try await Port(parsing: "sim:").open(time: time)
      try await line.write([0xFF, 0xFF, 0x00, 0x01, 0x07, 0x01, 0xF6])
      let answer = try await line.read()
      await line.close()
      return answer
    }
    #expect(answer?.suffix(6) == [0xFF, 0xFF, 0x00, 0x07, 0x01, 0xF7])
  }

  @Test func anUnknownOptionIsPointedAt() async throws {
    let error = await #expect(throws: PortError.self) {
      try await Port(parsing: "sim:nonsense=1,other").open()
    }
    #expect(error?.column == 5 && error?.seen == "nonsense=1" && error?.text == "sim:nonsense=1,other")
  }

  @Test func aRecordingAnswers() async throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/captures/get-version.capture")
    let line = try await Port(parsing: "replay:\(url.path)").open()
    try await line.write([0xFF, 0xFF, 0x00, 0x02, 0x77, 0x01, 0x85])
    #expect(try await line.read()?.prefix(5) == [0xFF, 0xFF, 0x00, 0x77, 0x09])
    await line.close()
    await #expect(throws: LinkError.notFound("/no/such/file")) {
      try await Port(parsing: "replay:/no/such/file").open()
    }
  }

  #if os(Linux)
    private static let missing = ["ble:/no/such/socket", "tcp:127.0.0.1:1", "/dev/no-such-robot"]
  #else
    private static let missing = ["tcp:127.0.0.1:1", "/dev/no-such-robot"]
  #endif

  /// Attempts begin at 0, 2, 4 and 6 s, and at the limit.
  @Test(arguments: missing) func everyMissingRobotIsWaitedFor(_ port: String) async throws {
    let time = VirtualTime()
    let failures = Locked<[Duration]>([])
    var policy = RetryPolicy(pause: .seconds(2))
    policy.limit = .seconds(7)
    policy.onRetry = { _ in failures.withLock { $0.append(time.now) } }
    try await time.run { [policy] in
      let opener = PortOpener(try Port(parsing: port), time: time)
      await #expect(throws: LinkError.self) { try await opener.open(retryPolicy: policy) }
      #expect(time.now == .seconds(7))
    }
    #expect(failures.withLock { $0.map { ($0 / .seconds(1)).rounded() } } == [0, 2, 4, 6])
  }

  @Test func aMissingDeviceIsNamed() async throws {
    await #expect(throws: LinkError.notFound("/dev/no-such-robot")) {
      try await Port(parsing: "/dev/no-such-robot").open()
    }
  }
}
