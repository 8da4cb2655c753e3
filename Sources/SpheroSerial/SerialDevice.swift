// A serial device file, opened in raw mode and exclusively, with retries and a takeover from another program.

import SpheroSystem
public import SpheroTransport

/// The line to a robot through a serial device file, like `/dev/rfcomm0` or `/dev/cu.Sphero-RGB-AMP-SPP`.
public final class SerialDevice: Transport, DescriptorTransport {
  package let line: DescriptorLine

  private init(_ line: DescriptorLine) { self.line = line }

  /// Opens a device file.
  ///
  /// The line is raw: no echo, no XON/XOFF (11h and 13h are command IDs), no CR mapping, no signal characters.
  /// TIOCEXCL and an advisory lock refuse a second opener.
  ///
  /// - Parameters:
  ///   - path: The device file.
  ///   - retryPolicy: The attempts after transient errors, such as a busy device; they follow those of a takeover.
  ///   - takeover: The program that is interrupted to release the device; with nil, none is.
  ///   - time: The clock for the waits.
  /// - Returns: The open line, with empty queues.
  /// - Throws: `LinkError`; `CancellationError`.
  public static func open(
    _ path: String, retryPolicy: RetryPolicy = RetryPolicy(), takeover: Takeover? = nil,
    time: some TimeSource = SystemTime()
  ) async throws -> SerialDevice {
    try await openWithRetries(
      path, retryPolicy, takeover, time, holder: { HolderSearch.holder(of: path) },
      { () throws(LinkError) in try openOnce(path, time) })
  }

  private static func openOnce(_ path: String, _ time: some TimeSource) throws(LinkError) -> SerialDevice {
    // Before the open, which has side effects on a pipe and other kinds of files.
    try checkDevice(path)
    // The second endpoint of a simulator can be opened, but receives no answers.
    if let holder = HolderSearch.firstEndpointHolder(ofSecond: path) { throw .busy(path, holder.process) }
    let descriptor: Int32
    do throws(SystemError) { descriptor = try System.openDevice(path) } catch {
      throw error.opening(path, operation: "open") { HolderSearch.holder(of: path)?.process }
    }
    let original: System.TerminalSettings
    var operation = "lock"
    do throws(SystemError) {
      try System.lock(descriptor)
      operation = "tcgetattr"
      original = try System.attributes(descriptor)
      operation = "tcsetattr"
      try System.setAttributes(descriptor, System.raw(original))
    } catch {
      System.close(descriptor)
      throw error.opening(path, operation: operation) { HolderSearch.holder(of: path)?.process }
    }
    System.setExclusive(descriptor, true)
    System.discardQueues(descriptor)
    do throws(SystemError) {
      return SerialDevice(
        try DescriptorLine(
          descriptor, port: path, kind: .terminal, time: time,
          onClose: { descriptor in
            System.setExclusive(descriptor, false)
            try? System.setAttributes(descriptor, original)
          }))
    } catch { throw error.opening(path, operation: "thread") }
  }

  /// Waits for bytes of the robot.
  nonisolated(nonsending) public func read() async throws -> [UInt8]? { try await line.read() }

  /// Sends bytes to the robot.
  public func write(_ bytes: [UInt8]) async throws { try await line.write(bytes) }

  /// Waits until written bytes are sent, restores the settings and closes the device.
  ///
  /// The wait takes at most a second, and at most 150 ms while the robot takes no bytes.
  public func close() async {
    let isSent = await line.drain()
    line.end { descriptor in
      // The close would wait for unsent bytes, up to 30 s.
      if !isSent { System.discardQueues(descriptor) }
    }
  }

  /// Device files that may be robots, each with whether the user may open it; none is opened.
  public static func candidates() -> [(path: String, mayOpen: Bool)] {
    preferringCallOutDevices(System.names(in: "/dev", prefixes: ["rfcomm", "cu.Sphero", "tty.Sphero"])).map {
      name in
      ("/dev/" + name, mayOpen("/dev/" + name))
    }
  }

  /// Whether the user may open a device file, and the process that has it open, as far as the system reports it.
  ///
  /// The file is not opened.
  ///
  /// - Throws: `LinkError` where the file does not exist or is not a device.
  public static func inspect(_ path: String) throws(LinkError) -> (mayOpen: Bool, holder: PortHolder?) {
    try checkDevice(path)
    return (System.mayOpen(path), HolderSearch.holder(of: path)?.process)
  }

  private static func checkDevice(_ path: String) throws(LinkError) {
    let isDevice: Bool
    do throws(SystemError) { isDevice = try System.isCharacterDevice(path) } catch {
      throw error.opening(path, operation: "stat")
    }
    guard isDevice else { throw .notADevice(path) }
  }

  /// Whether the user may open a device file; it is not opened.
  public static func mayOpen(_ path: String) -> Bool { System.mayOpen(path) }

  /// Removes each `tty.` file that has a `cu.` twin, which is the same robot.
  static func preferringCallOutDevices(_ names: [String]) -> [String] {
    names.filter { !$0.hasPrefix("tty.") || !names.contains("cu." + $0.dropFirst(4)) }
  }
}

/// The program that is interrupted to release a device, and the time limit.
///
/// A process of that program and of the same user receives SIGINT, once; its device is free when it has ended.
/// A program that ignores the signal keeps the device. On systems other than Linux the holder of a device is unknown,
/// and no process is interrupted.
public struct Takeover: Hashable, Sendable {
  /// The name of the program, as in `PortHolder.program`.
  public var program: String
  /// The maximum wait for the device.
  public var timeout: Duration

  public init(from program: String, within timeout: Duration = .seconds(5)) {
    (self.program, self.timeout) = (program, timeout)
  }
}

/// Opens a port, as often as the policy permits and as long as a takeover waits for the holder of the port.
///
/// If the holder is not the program of the takeover, or belongs to another user, it is not interrupted:
/// without a limit of the attempts, the function then throws `LinkError.busy(_:_:)` at once.
///
/// - Throws: The error of the last attempt; `CancellationError`.
func openWithRetries<Result>(
  _ port: String, _ retryPolicy: RetryPolicy, _ takeover: Takeover?, _ time: some TimeSource,
  holder findHolder: () -> DeviceHolder?, _ open: () throws(LinkError) -> Result
) async throws -> Result {
  let start = time.now
  var (isFirst, hasInterrupted) = (true, false)
  var interrupted: Set<DeviceHolder> = []
  var count = 0
  while true {
    let failure: LinkError
    do throws(LinkError) { return try open() } catch { failure = error }
    // A holder is looked for once, and an interrupted one is waited for, however short the limit is.
    let wait = takeover.map { hasInterrupted ? $0.timeout : min($0.timeout, retryPolicy.limit ?? $0.timeout) }
    if case .busy = failure, let takeover, let wait, isFirst || time.now - start < wait {
      isFirst = false
      // A holder that is not found is ending, or a simulator is renewing its pseudo-terminal.
      if let holder = findHolder(), interrupted.insert(holder).inserted {
        let process = holder.process.processID
        if holder.process.program == takeover.program, process != System.processID, System.isOwn(process) {
          // Checked again, since the process may have ended since the search, and its number may be in use again.
          // Linux reuses a number only after all others, which takes longer than the time to the interrupt.
          if HolderSearch.identify(process) == holder { System.interrupt(process) }
          hasInterrupted = true
        } else {
          let failure = LinkError.busy(port, holder.process)
          guard retryPolicy.limit != nil else { throw failure }
          retryPolicy.onRetry?(failure)
        }
      }
      try await time.sleep(for: .milliseconds(50))
    } else {
      count += 1
      let hasTakeoverFailed =
        if case .busy = failure { takeover != nil && retryPolicy.limit == nil } else { false }
      guard !hasTakeoverFailed,
        retryPolicy.permits(after: failure, count: count, elapsed: time.now - start)
      else { throw failure }
      retryPolicy.onRetry?(failure)
      try await time.sleep(for: retryPolicy.pause(elapsed: time.now - start))
    }
  }
}
