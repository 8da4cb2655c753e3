// Why there is no line to a robot, or no longer.

import SpheroSystem

/// Why there is no line, or no longer.
public enum LinkError: Error, Hashable, Sendable {
  /// There is no such file.
  case notFound(String)
  /// The file is no serial device.
  case notADevice(String)
  /// The user may not open the port.
  case noPermission(String)
  /// Another program has the port, or the robot's link is busy; the holder, where the system tells it.
  case busy(String, PortHolder?)
  /// The other end is there and does not take the connection: no server, or a robot that another host holds.
  case refused(String)
  /// The other end does not answer: asleep, switched off or out of reach.
  case hostDown(String)
  /// There is no way to the other end: no network, or no Bluetooth adapter that is on.
  case unreachable(String)
  /// The connection was not there in time.
  case timedOut(String)
  /// This system or this version cannot open the port; the reason is a sentence without its full stop.
  case unsupported(String, reason: String)
  /// A system call failed in another way.
  case failed(String, operation: String, code: Int32)
  /// The line went away in use: unplugged, out of reach, or the robot fell asleep.
  case lost(String)
  /// The line has been closed by this side.
  case closed

  /// Whether trying again soon may help.
  package var mayPass: Bool {
    switch self {
    case .busy, .refused, .hostDown, .unreachable, .timedOut: true
    case .notFound, .notADevice, .noPermission, .unsupported, .failed, .lost, .closed: false
    }
  }
}

extension LinkError: CustomStringConvertible {
  /// One sentence for people.
  public var description: String {
    switch self {
    case .notFound(let port): "there is no \(port)"
    case .notADevice(let port): "\(port) is not a serial device"
    case .noPermission(let port): "no permission to open \(port)"
    case .busy(let port, nil): "\(port) is busy"
    case .busy(let port, let holder?): "\(port) is held by \(holder)"
    case .refused(let port): "\(port) refuses the connection"
    case .hostDown(let port): "\(port) does not answer"
    case .unreachable(let port): "there is no way to \(port)"
    case .timedOut(let port): "no connection to \(port) in time"
    case .unsupported(let port, let reason): "\(port) cannot be opened: \(reason)"
    case .failed(let port, let operation, let code): "\(port): \(operation): \(System.message(of: code))"
    case .lost(let port): "the link on \(port) was lost"
    case .closed: "the link is closed"
    }
  }
}
