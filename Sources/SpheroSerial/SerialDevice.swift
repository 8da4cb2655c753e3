// A serial device file, opened raw and for one program alone.

import SpheroSystem
public import SpheroTransport

/// The line to a robot behind a serial device file, like `/dev/rfcomm0` or `/dev/cu.Sphero-RGB-AMP-SPP`.
public final class SerialDevice: Transport {
  /// How often and how long to try while a device is busy or the robot does not take the connection.
  ///
  /// Opening often fails the first times, so several tries within 15 s are usual on RFCOMM.
  public struct RetryPolicy: Sendable {
    /// Tries in all.
    public var attempts: Int
    /// The wait between two tries.
    public var pause: Duration
    /// Sets the tries and the wait between them.
    public init(attempts: Int = 5, pause: Duration = .milliseconds(750)) {
      (self.attempts, self.pause) = (attempts, pause)
    }
  }

  private let line: DescriptorLine
  private let original: System.TerminalSettings

  private init(_ line: DescriptorLine, original: System.TerminalSettings) {
    (self.line, self.original) = (line, original)
  }

  /// Opens a device file.
  ///
  /// The line is raw: no echo, no XON/XOFF (11h and 13h are command IDs), no CR mapping, no signal characters.
  /// A second opener is refused by TIOCEXCL and by an advisory lock.
  ///
  /// - Parameters:
  ///   - path: The device file.
  ///   - retryPolicy: How often to try while it is busy.
  ///   - takeover: The program that is asked to give the device up; with nil, none is.
  ///   - time: The clock for the waits.
  /// - Returns: The open line, with nothing of an earlier program left in it.
  /// - Throws: ``LinkError``; `CancellationError`.
  public static func open(
    _ path: String, retryPolicy: RetryPolicy = RetryPolicy(), takeover: Takeover? = nil,
    time: some TimeSource = SystemTime()
  ) async throws -> SerialDevice {
    try await openWithRetries(
      path, retryPolicy, takeover, time, holder: { HolderSearch.holder(of: path) },
      { () throws(LinkError) in try openOnce(path, time) })
  }

  private static func openOnce(_ path: String, _ time: some TimeSource) throws(LinkError) -> SerialDevice {
    let isDevice: Bool
    // Asked before opening: opening a pipe or another kind of file has effects of its own.
    do throws(SystemError) { isDevice = try System.isCharacterDevice(path) } catch {
      throw error.opening(path, operation: "stat")
    }
    guard isDevice else { throw .notADevice(path) }
    // The second endpoint of a simulator can be opened, but receives no answers.
    if let holder = HolderSearch.client(before: path) { throw .busy(path, holder.process) }
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
        try DescriptorLine(descriptor, port: path, kind: .terminal, time: time), original: original)
    } catch { throw error.opening(path, operation: "thread") }
  }

  /// Waits for bytes of the robot.
  nonisolated(nonsending) public func read() async throws -> [UInt8]? { try await line.read() }

  /// Sends bytes to the robot.
  public func write(_ bytes: [UInt8]) async throws { try await line.write(bytes) }

  /// Lets what was written go out, puts the settings back and closes the device.
  ///
  /// That takes a second at most, and 150 ms where the robot takes nothing.
  public func close() async {
    let isSent = await line.drain()
    let original = original
    line.end { descriptor in
      // The system would wait for it on closing, up to 30 s.
      if !isSent { System.discardQueues(descriptor) }
      System.setExclusive(descriptor, false)
      try? System.setAttributes(descriptor, original)
    }
  }

  /// Device files that may be robots, each with whether the user may open it; nothing is opened.
  public static func candidates() -> [(path: String, mayOpen: Bool)] {
    withoutTwins(System.names(in: "/dev", prefixes: ["rfcomm", "cu.Sphero", "tty.Sphero"])).map { name in
      ("/dev/" + name, mayOpen("/dev/" + name))
    }
  }

  /// What can be seen of a device file without opening it.
  ///
  /// - Parameter path: The device file.
  /// - Returns: Whether the user may open it, and the process that has it open, as far as the system reports it.
  /// - Throws: ``LinkError`` where there is no such file, or it is not a device.
  public static func inspect(_ path: String) throws(LinkError) -> (mayOpen: Bool, holder: PortHolder?) {
    let isDevice: Bool
    do throws(SystemError) { isDevice = try System.isCharacterDevice(path) } catch {
      throw error.opening(path, operation: "stat")
    }
    guard isDevice else { throw .notADevice(path) }
    return (System.mayOpen(path), HolderSearch.holder(of: path)?.process)
  }

  /// Whether the user may open a device file; nothing is opened.
  public static func mayOpen(_ path: String) -> Bool { System.mayOpen(path) }

  /// Leaves out a `tty.` file whose `cu.` twin is there: it leads to the same robot.
  static func withoutTwins(_ names: [String]) -> [String] {
    names.filter { !$0.hasPrefix("tty.") || !names.contains("cu." + $0.dropFirst(4)) }
  }
}

extension SerialDevice: TimestampedTransport {
  nonisolated(nonsending) package func readChunks() async throws -> [TimestampedChunk]? {
    try await line.readChunks()
  }

  package func usesClock(of time: any TimeSource) -> Bool { line.usesClock(of: time) }
}
