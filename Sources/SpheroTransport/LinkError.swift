// Errors of opening and using a line.

import SpheroSystem

/// An error of a line, or of a file.
///
/// The first value of a case is the port or the path, as the user wrote it.
@nonexhaustive public enum LinkError: Error, Hashable, Sendable {
  /// The file does not exist.
  case notFound(String)
  /// The file is not a serial device.
  case notADevice(String)
  /// The user has no permission to open the port.
  case noPermission(String)
  /// Another program uses the port, or the robot's link is busy; the holder is nil if the system does not report it.
  case busy(String, PortHolder?)
  /// The other end refuses the connection: no server listens, or another host holds the robot.
  case refused(String)
  /// The other end does not answer: it is asleep, switched off or out of reach.
  case hostDown(String)
  /// No route leads to the other end: the network is down, or no Bluetooth adapter is on.
  case unreachable(String)
  /// The connection was not established in time.
  case timedOut(String)
  /// This system or this version cannot open the port; `reason` is a clause without a full stop.
  case unsupported(String, reason: String)
  /// A system call failed with an `errno` that has no case of its own.
  case failed(String, operation: String, code: Int32)
  /// The line was lost during use: unplugged, out of reach, or the robot fell asleep.
  case lost(String)
  /// This side has closed the line.
  case closed
}

extension LinkError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String { "\(message). \(advice)" }

  /// What went wrong: one sentence without a full stop.
  public var message: String {
    switch self {
    case .notFound(let port): "\(port) does not exist"
    case .notADevice(let port): "\(port) is not a serial device"
    case .noPermission(let port): "no permission to open \(port)"
    case .busy(let port, let holder?): "\(port) is held by \(holder)"
    case .busy(let port, nil): "\(port) is busy"
    case .refused(let port): "\(port) refuses the connection"
    case .hostDown(let port): "\(port) does not answer"
    case .unreachable(let port): "\(port) cannot be reached"
    case .timedOut(let port): "the connection to \(port) timed out"
    case .unsupported(let port, let reason): "\(port) cannot be opened: \(reason)"
    case .failed(let port, let operation, let code): "\(port): \(operation): \(System.message(of: code))"
    case .lost(let port): "the link on \(port) was lost"
    case .closed: "the link is closed"
    }
  }

  /// The next step.
  public var advice: String {
    switch self {
    case .notFound: "Name an existing file."
    case .notADevice: "Name a device file like /dev/rfcomm0."
    case .noPermission: "Check its owner with 'ls -l', and give yourself access."
    case .busy(_, let holder?): "Close that program, or end it with 'kill \(holder.processID)'."
    case .busy(_, nil): "Another program uses it. Find that program with 'lsof' or 'fuser', and close it."
    case .refused(let port), .hostDown(let port), .timedOut(let port):
      port.hasPrefix("tcp:")
        ? "Make sure that the server is running and that its port accepts a connection."
        : "Wake the robot with a double tap, keep it near, and disconnect other programs and phones."
    case .unreachable: "Make sure that Bluetooth or the network is on, then try again."
    case .unsupported: "Use another port: a device file, an address, tcp:HOST:PORT or sim:."
    case .failed: "Check that it works, then try again."
    case .lost: "The robot is out of reach, asleep or unplugged; wake it and try again."
    case .closed: "Open it again."
    }
  }

  /// The port or the file, as the user wrote it; nil for a line that this side has closed.
  public var port: String? {
    switch self {
    case .notFound(let port), .notADevice(let port), .noPermission(let port), .busy(let port, _),
      .refused(let port), .hostDown(let port), .unreachable(let port), .timedOut(let port),
      .unsupported(let port, _), .failed(let port, _, _), .lost(let port):
      port
    case .closed: nil
    }
  }

  /// Whether another attempt may succeed soon.
  package var isTransient: Bool {
    switch self {
    case .busy, .refused, .hostDown, .unreachable, .timedOut: true
    default: false
    }
  }
}

/// A process that holds a port.
public struct PortHolder: Hashable, Sendable {
  public var processID: Int32
  /// The name of its program as the system reports it: at most 15 bytes on Linux.
  public var program: String

  public init(processID: Int32, program: String) { (self.processID, self.program) = (processID, program) }
}

extension PortHolder: CustomStringConvertible {
  /// The program and its process, like `sphero (pid 123)`.
  public var description: String { "\(program) (pid \(processID))" }
}
