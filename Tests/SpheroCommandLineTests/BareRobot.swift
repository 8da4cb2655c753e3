// A robot of literal bytes on a pseudo-terminal, with a separate thread.

import Foundation
import TestSupport
import Testing

/// Answers commands by their bytes, without the code under test, and records the commands.
///
/// By default, it accepts every command and streams what is requested.
final class BareRobot: @unchecked Sendable {
  /// A command on the wire: FF FF DID CID SEQ DLEN … CHK.
  struct Command {
    var time: ContinuousClock.Instant
    var bytes: [UInt8]
    var id: [UInt8] { Array(bytes[2...3]) }
    var sequence: UInt8 { bytes[4] }
    var payload: [UInt8] { Array(bytes[6..<(bytes.count - 1)]) }
  }

  /// Deviations from the default behaviour.
  struct Behaviour {
    /// The robot reads nothing before this time.
    var startDelay = Duration.zero
    /// Whether bytes before that time are lost.
    var losesEarlyBytes = false
    /// The delay of each answer.
    var latency = Duration.zero
    /// Bytes before the first answer.
    var greeting: [UInt8] = []
    /// The status of the answer to a command; nil for no answer.
    var status: @Sendable (Command, BareRobot) -> UInt8? = { _, _ in 0x00 }
    /// Whether streams are renewed; otherwise they end for good.
    var streams: @Sendable (BareRobot) -> Bool = { _ in true }
  }

  let path: String
  let start = ContinuousClock.now
  private let link: String?
  private let behaviour: Behaviour
  private let controller: Int32
  private let device: Int32
  private let lock = NSLock()
  private let ended = DispatchSemaphore(value: 0)
  private var isOver = false
  private var received: [Command] = []
  private var lastFrame: ContinuousClock.Instant?

  // Used by the thread alone.
  private var input: [UInt8] = []
  private var answers: [(due: ContinuousClock.Instant, bytes: [UInt8])] = []
  private var stream: (period: Duration, payload: Int, left: Int, due: ContinuousClock.Instant)?

  init(link: String? = nil, _ behaviour: Behaviour = Behaviour()) throws {
    (self.link, self.behaviour) = (link, behaviour)
    var (controller, device): (Int32, Int32) = (-1, -1)
    var settings = termios()
    unsafe cfmakeraw(&settings)
    guard unsafe openpty(&controller, &device, nil, &settings, nil) == 0 else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
    (self.controller, self.device) = (controller, device)
    for end in [controller, device] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(controller, F_SETFL, O_NONBLOCK)
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe ttyname_r(device, &name, name.count) == 0 else { throw POSIXError(.ENOTTY) }
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if let link { try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path) }
    Thread.detachNewThread { self.run() }
  }

  /// The commands so far.
  var commands: [Command] { lock.withLock { received } }
  /// The time of the last sensor packet.
  var lastPacket: ContinuousClock.Instant? { lock.withLock { lastFrame } }
  /// The commands with a DID and a CID.
  func commands(_ device: UInt8, _ command: UInt8) -> [Command] {
    commands.filter { $0.id == [device, command] }
  }

  /// The payloads of the commands with a DID and a CID; equal payloads in a row, as of a retry, count once.
  func payloads(_ device: UInt8, _ command: UInt8) -> [[UInt8]] {
    commands(device, command).map(\.payload)
      .reduce(into: []) { all, one in if all.last != one { all.append(one) } }
  }

  /// Waits for a command with a DID and a CID.
  ///
  /// - Throws: After a minute without it.
  func waitForCommand(
    _ device: UInt8, _ command: UInt8, _ payload: [UInt8]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let hasArrived = await eventually {
      commands(device, command).contains { payload == nil || $0.payload == payload }
    }
    try #require(
      hasArrived,
      "the robot never received \([device, command]) \(payload ?? []) in \(commands.map(\.bytes))",
      sourceLocation: sourceLocation)
  }

  /// Stops the line like hardware flow control: the bytes of the host stay in its buffer.
  func stopReceiving() { _ = tcflow(device, TCOOFF) }

  /// Hangs up.
  func close() {
    let mustWait = lock.withLock {
      defer { isOver = true }
      return !isOver
    }
    guard mustWait else { return }
    ended.wait()
    if let link { try? FileManager.default.removeItem(atPath: link) }
    _ = Foundation.close(controller)
  }

  deinit {
    close()
    // While it is open, no other terminal gets its name, which a waiting client would open.
    _ = Foundation.close(device)
  }

  private func run() {
    send(behaviour.greeting)
    var isStarting = behaviour.startDelay > .zero
    while !lock.withLock({ isOver }) {
      let now = ContinuousClock.now
      if isStarting, now - start >= behaviour.startDelay {
        isStarting = false
        if behaviour.losesEarlyBytes { _ = read() }
      }
      if !isStarting { input += read() }
      while let command = takeCommand() { process(command) }
      while let first = answers.first, first.due <= now {
        send(answers.removeFirst().bytes)
        _ = first
      }
      pour(now)
      usleep(500)
    }
    // Bytes before the hang-up are processed, however late this thread runs.
    input += read()
    while let command = takeCommand() { lock.withLock { received.append(command) } }
    ended.signal()
  }

  private func read() -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe Foundation.read(controller, &buffer, buffer.count)
      guard count > 0 else { return all }
      all += buffer.prefix(count)
    }
  }

  private func send(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    _ = unsafe write(controller, bytes, bytes.count)
  }

  private func takeCommand() -> Command? {
    while input.count >= 6 {
      let length = 6 + Int(input[5])
      guard input[0] == 0xFF, input[1] >= 0xFE, input[5] >= 1 else {
        input.removeFirst()
        continue
      }
      guard input.count >= length else { return nil }
      let bytes = Array(input.prefix(length))
      guard ~bytes[2..<(length - 1)].reduce(0, &+) == bytes[length - 1] else {
        input.removeFirst()
        continue
      }
      input.removeFirst(length)
      return Command(time: .now, bytes: bytes)
    }
    return nil
  }

  private func process(_ command: Command) {
    lock.withLock { received.append(command) }
    guard let status = behaviour.status(command, self) else { return }
    // Options bit 0 asks for an answer.
    if command.bytes[1] & 1 == 1 {
      var data: [UInt8] = []
      // Permanent options: motion time-outs, bit 4, and vector drive, bit 1.
      if command.id == [0x02, 0x36], status == 0 { data = [0x00, 0x00, 0x00, 0x12] }
      let body = [status, command.sequence, UInt8(data.count + 1)] + data
      answers.append((.now + behaviour.latency, [0xFF, 0xFF] + body + [~body.reduce(0, &+)]))
    }
    if command.id == [0x02, 0x11], status == 0 { startStream(command.payload) }
  }

  /// N, M, mask, count and the optional second mask.
  private func startStream(_ payload: [UInt8]) {
    guard payload.count >= 9 else { return }
    let divisor = Int(payload[0]) << 8 + Int(payload[1])
    let frames = Int(payload[2]) << 8 + Int(payload[3])
    let fields = (payload[4...7] + payload.dropFirst(9)).reduce(0) { $0 + $1.nonzeroBitCount }
    guard fields > 0, payload[8] > 0 else {
      stream = nil
      return
    }
    let period = Duration.microseconds(2_500) * (divisor * frames)
    let due = stream?.due ?? .now + behaviour.latency + period
    stream = (period, fields * frames * 2, Int(payload[8]), due)
  }

  private func pour(_ now: ContinuousClock.Instant) {
    while let current = stream, current.due <= now, behaviour.streams(self) {
      let length = current.payload + 1
      let body =
        [0x03, UInt8(length >> 8), UInt8(length & 0xFF)] + [UInt8](repeating: 0, count: current.payload)
      send([0xFF, 0xFE] + body + [~body.reduce(0, &+)])
      lock.withLock { lastFrame = now }
      stream =
        current.left > 1
        ? (current.period, current.payload, current.left - 1, current.due + current.period) : nil
    }
  }
}
