// The seam between a robot and its bytes: read, write, close; and an in-memory pair of it.

import SpheroSystem

/// A two-way line of bytes.
public protocol Transport: Sendable {
  /// Waits for bytes.
  ///
  /// - Returns: At least one byte, in whatever pieces the line delivers, or nil once the line has been closed.
  /// - Throws: ``LinkError/lost(_:)`` where the other end went away; `CancellationError`.
  func read() async throws -> [UInt8]?

  /// Sends bytes, and returns when the line has taken them all.
  ///
  /// - Throws: ``LinkError``; `CancellationError`.
  func write(_ bytes: [UInt8]) async throws

  /// Lets what was written go out, then closes the line; reads end. May be called again.
  func close() async
}

/// Why there is no line, or no longer.
public enum LinkError: Error, Hashable, Sendable {
  /// There is no such file.
  case notFound(String)
  /// The file is no serial device.
  case notADevice(String)
  /// The user may not open the device.
  case noPermission(String)
  /// Another program has the device, or the robot's link is busy.
  case busy(String)
  /// The robot does not take the connection: asleep, out of reach, or held by another host.
  case unreachable(String)
  /// A system call failed in another way.
  case failed(String, operation: String, code: Int32)
  /// The line went away in use: unplugged, out of reach, or the robot fell asleep.
  case lost(String)
  /// The line has been closed by this side.
  case closed

  /// Whether trying again soon may help.
  package var mayPass: Bool {
    switch self {
    case .busy, .unreachable: true
    case .notFound, .notADevice, .noPermission, .failed, .lost, .closed: false
    }
  }
}

extension LinkError: CustomStringConvertible {
  /// One sentence for people.
  public var description: String {
    switch self {
    case .notFound(let path): "there is no \(path)"
    case .notADevice(let path): "\(path) is not a serial device"
    case .noPermission(let path): "no permission to open \(path)"
    case .busy(let path): "\(path) is busy"
    case .unreachable(let path): "the robot behind \(path) does not take the connection"
    case .failed(let path, let operation, let code): "\(path): \(operation): \(System.message(of: code))"
    case .lost(let path): "the link on \(path) was lost"
    case .closed: "the link is closed"
    }
  }
}

/// One end of a line in memory.
public final class MemoryTransport: Transport {
  private let incoming: Mailbox<UInt8>
  private let outgoing: Mailbox<UInt8>

  private init(incoming: Mailbox<UInt8>, outgoing: Mailbox<UInt8>) {
    (self.incoming, self.outgoing) = (incoming, outgoing)
  }

  /// Makes both ends of a line; closing one ends the reads of both.
  ///
  /// - Parameter capacity: The bytes that wait in each direction; beyond it the oldest are lost, as on a radio.
  /// - Returns: The two ends.
  public static func pair(capacity: Int = 1 << 20) -> (MemoryTransport, MemoryTransport) {
    let (there, back) = (Mailbox<UInt8>(capacity: capacity), Mailbox<UInt8>(capacity: capacity))
    return (
      MemoryTransport(incoming: back, outgoing: there), MemoryTransport(incoming: there, outgoing: back)
    )
  }

  /// Waits for bytes of the other end.
  public func read() async throws -> [UInt8]? { try await incoming.receive() }

  /// Hands bytes to the other end.
  public func write(_ bytes: [UInt8]) { outgoing.push(bytes) }

  /// Ends the reads of both ends.
  public func close() {
    incoming.finish()
    outgoing.finish()
  }
}
