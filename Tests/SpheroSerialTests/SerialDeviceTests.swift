// Device files: raw and exclusive opens, and the error of each failure.

import Foundation
import SpheroSerial
import SpheroServing
import SpheroSystem
import SpheroTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SerialDeviceTests {
  private static let oneTry = RetryPolicy(attempts: 1)

  private func read(_ count: Int, from transport: some Transport) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count, let more = try await transport.read() { bytes += more }
    return bytes
  }

  @Test func everyByteGoesThroughBothWays() async throws {
    let robot = try PseudoTerminal()
    let host = try await SerialDevice.open(robot.path)
    let all = (0...255).map { UInt8($0) } + Array("\r\n\u{3}\u{11}\u{13}\u{4}".utf8)
    try await host.write(all)
    #expect(try await read(all.count, from: robot) == all)
    try robot.write(all)
    #expect(try await read(all.count, from: host) == all)
    await host.close()
    robot.close()
  }

  /// As after an error of the thread, the line ends without a close.
  @Test func aLineThatEndsWithoutACloseRestoresTheSettings() async throws {
    let robot = try PseudoTerminal()
    let descriptor = try System.openDevice(robot.path)
    var settings = try System.attributes(descriptor)
    settings.c_lflag |= tcflag_t(ECHO)
    try System.setAttributes(descriptor, settings)
    do {
      let host = try await SerialDevice.open(robot.path)
      #expect(try System.attributes(descriptor).c_lflag & tcflag_t(ECHO) == 0)
      withExtendedLifetime(host) {}
    }
    #expect(try System.attributes(descriptor).c_lflag & tcflag_t(ECHO) != 0)
    System.close(descriptor)
    robot.close()
  }

  @Test func aSecondOpenerIsRefusedUntilTheFirstCloses() async throws {
    let robot = try PseudoTerminal()
    let first = try await SerialDevice.open(robot.path)
    // No holder: this process also serves the pseudo-terminal, and a server is not reported.
    await #expect(throws: LinkError.busy(robot.path, nil)) {
      try await SerialDevice.open(robot.path, retryPolicy: Self.oneTry)
    }
    async let second = SerialDevice.open(
      robot.path, retryPolicy: .init(attempts: 3_000, pause: .milliseconds(20)))
    try await Task.sleep(for: .milliseconds(30))
    await first.close()
    await (try await second).close()
    robot.close()
  }

  @Test func nothingYetIsNotTheEndButAHangUpIs() async throws {
    let robot = try PseudoTerminal()
    let host = try await SerialDevice.open(robot.path)
    let reader = Task { try await host.read() }
    try await Task.sleep(for: .milliseconds(400))
    try robot.write([7])
    #expect(try await reader.value == [7])
    robot.close()
    await #expect(throws: LinkError.lost(robot.path)) { try await host.read() }
    await #expect(throws: LinkError.lost(robot.path)) { try await host.write([1]) }
    await host.close()
    await #expect(throws: LinkError.closed) { try await host.write([1]) }
  }

  @Test func closingEndsAWaitingRead() async throws {
    let robot = try PseudoTerminal()
    let host = try await SerialDevice.open(robot.path)
    let reader = Task { try await host.read() }
    await host.close()
    #expect(try await reader.value == nil)
    robot.close()
  }

  @Test func cancellingEndsAWaitingRead() async throws {
    let robot = try PseudoTerminal()
    let reader = Task { try await robot.read() }
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
    robot.close()
  }

  @Test func whatAnEarlierClientLeftIsThrownAway() async throws {
    let robot = try PseudoTerminal()
    try robot.write([1, 2, 3])
    let host = try await SerialDevice.open(robot.path)
    try robot.write([9])
    #expect(try await host.read() == [9])
    await host.close()
    robot.close()
  }

  @Test func unreadBytesAreLostAndNeverBlock() async throws {
    let robot = try PseudoTerminal()
    for _ in 0..<1_000 { try robot.write(Array(repeating: 0x55, count: 100)) }
    robot.close()
  }

  @Test func whatIsNoDeviceIsNamed() async throws {
    let folder = FileManager.default.temporaryDirectory
    let file = folder.appending(path: "plain-\(UUID().uuidString)")
    try Data("text".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    for (path, error) in [
      ("/dev/no-such-robot", LinkError.notFound("/dev/no-such-robot")),
      (file.path, .notADevice(file.path)), (folder.path, .notADevice(folder.path)),
      ("/dev/null", .notADevice("/dev/null")),
    ] {
      await #expect(throws: error) { try await SerialDevice.open(path) }
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == "text")
  }

  @Test func theFirstTerminalThatCanBePolledIsOpened() throws {
    let robot = try PseudoTerminal()
    let opened = try System.openFirstPollable(of: ["/dev/no-such-terminal", robot.path])
    defer { System.close(opened) }
    #expect(System.isPollable(opened))
    #expect(try System.terminalName(opened) == robot.path)
    // The first terminal opens, but cannot be polled; without another terminal that is the error.
    let other = try PseudoTerminal()
    let isOther: (Int32) -> Bool = { (try? System.terminalName($0)) == other.path }
    let second = try System.openFirstPollable(of: [robot.path, other.path], canPoll: isOther)
    defer { System.close(second) }
    #expect(try System.terminalName(second) == other.path)
    #expect(throws: SystemError(code: ENOTTY)) {
      try System.openFirstPollable(of: [other.path, robot.path], canPoll: { _ in false })
    }
    // Above every limit of descriptors, so poll reports POLLNVAL, as Darwin does for /dev/tty.
    #expect(!System.isPollable(Int32.max))
    #expect(throws: SystemError(code: ENOENT)) {
      try System.openFirstPollable(of: ["/dev/no-such-terminal"])
    }
    #expect(throws: SystemError(code: ENOTTY)) { try System.openFirstPollable(of: []) }
  }

  #if os(Linux)
    @Test func openingAndClosingManyTimesLeavesNothingOpen() async throws {
      let robot = try PseudoTerminal()
      func openCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) == robot.path
        }
      }
      #expect(try openCount() == 1, "our own end")
      for _ in 0..<50 { await (try await SerialDevice.open(robot.path)).close() }
      #expect(try openCount() == 1)
      robot.close()
    }
  #endif
}
