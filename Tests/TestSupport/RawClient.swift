// A client that uses system calls directly: it opens a device or a TCP port, writes and reads bytes.

import Foundation

/// A client without code of the package.
public final class RawClient: @unchecked Sendable {
  /// Its descriptor; -1 once closed.
  public private(set) var descriptor: Int32

  /// Opens a device file.
  public init(_ path: String) throws {
    descriptor = unsafe open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  /// Connects to a TCP port of this computer.
  public init(port: UInt16) throws {
    #if canImport(Darwin)
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      let code = errno
      close()
      throw POSIXError(.init(rawValue: code) ?? .EIO)
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close() }

  /// Closes it.
  public func close() {
    if descriptor >= 0 { processStart.withLock { _ = Foundation.close(descriptor) } }
    descriptor = -1
  }

  /// Writes bytes.
  public func write(_ bytes: [UInt8]) { _ = unsafe Foundation.write(descriptor, bytes, bytes.count) }

  /// The result of a read.
  public enum Piece: Hashable, Sendable {
    case bytes([UInt8])
    /// No bytes before the time-out.
    case nothing
    /// The other end has hung up.
    case end
  }

  /// Waits for the next read.
  public func read(within limit: Duration) -> Piece {
    let end = ContinuousClock.now + limit
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe Foundation.read(descriptor, &buffer, buffer.count)
      if count > 0 { return .bytes(Array(buffer.prefix(count))) }
      if count == 0 || (errno != EAGAIN && errno != EINTR) { return .end }
      guard ContinuousClock.now < end else { return .nothing }
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&polled, 1, 1)
    }
  }

  /// Waits for `count` bytes; returns fewer at the end or after a time-out.
  public func read(_ count: Int, within limit: Duration = .seconds(60)) -> [UInt8] {
    let end = ContinuousClock.now + limit
    var all: [UInt8] = []
    while all.count < count, case .bytes(let bytes) = read(within: end - .now) { all += bytes }
    return all
  }

  /// Whether the other end hangs up before the time-out; bytes before that are discarded.
  public func seesHangUp(within limit: Duration = .seconds(60)) -> Bool {
    let end = ContinuousClock.now + limit
    while true {
      switch read(within: end - .now) {
      case .bytes: continue
      case .nothing: return false
      case .end: return true
      }
    }
  }
}

/// A process that has a file open.
public final class Opener: @unchecked Sendable {
  private let process = Process()

  /// Opens a file, writes bytes to it, and keeps it open.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - bytes: What is written.
  ///   - times: How often the process opens it.
  ///   - starter: The program that starts the process, like `setsid`.
  /// - Throws: The error of starting the program.
  public init(_ path: String, writing bytes: [UInt8] = [], times: Int = 1, by starter: [String] = []) throws {
    let octal = bytes.map { byte in "\\" + String(byte >> 6) + String(byte >> 3 & 7) + String(byte & 7) }
    let opens = (0..<times).map { "exec \(3 + $0)<>\"$0\"" }.joined(separator: "; ")
    // The shell execs the sleeping program: one process, and no child that inherits descriptors.
    let script = "\(opens); printf '\(octal.joined())' >&3; echo; exec sleep 600"
    let line = starter + ["/bin/sh", "-c", script, path]
    process.executableURL = URL(filePath: line[0])
    process.arguments = Array(line.dropFirst())
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.start()
    // A line of output reports that the file is open and written.
    _ = try output.fileHandleForReading.read(upToCount: 1)
  }

  deinit { kill() }

  public var processID: Int32 { process.processIdentifier }

  /// Kills the process.
  public func kill() {
    guard process.isRunning else { return }
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
