// Why there is no line to a robot, or no longer.

import SpheroSystem

/// Why there is no line, or no longer.
///
/// `catch let error as LinkError where error.code == .busy` tells one kind from the others.
public struct LinkError: Error, Hashable, Sendable {
  /// What went wrong; later versions of the library may have more codes, so a switch has a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, like `notFound`.
    public let description: String
    private init(_ name: String) { description = name }

    /// There is no such file.
    public static let notFound = Code("notFound")
    /// The file is not a serial device.
    public static let notADevice = Code("notADevice")
    /// The user may not open the port.
    public static let noPermission = Code("noPermission")
    /// Another program has the port, or the robot's link is busy; ``LinkError/holder`` says who.
    public static let busy = Code("busy")
    /// The other end is there and does not take the connection: no server, or a robot that another host holds.
    public static let refused = Code("refused")
    /// The other end does not answer: asleep, switched off or out of reach.
    public static let hostDown = Code("hostDown")
    /// There is no way to the other end: no network, or no Bluetooth adapter that is on.
    public static let unreachable = Code("unreachable")
    /// The connection was not there in time.
    public static let timedOut = Code("timedOut")
    /// This system or this version cannot open the port.
    public static let unsupported = Code("unsupported")
    /// A system call failed in another way: ``LinkError/operation`` and ``LinkError/systemCode``.
    public static let failed = Code("failed")
    /// The line went away in use: unplugged, out of reach, or the robot fell asleep.
    public static let lost = Code("lost")
    /// The line has been closed by this side.
    public static let closed = Code("closed")
  }

  /// What went wrong.
  public let code: Code
  /// One sentence for people, without a full stop.
  public let message: String
  /// The next step.
  public let advice: String
  /// The port or the file, as it was written; nil for a line that this side has closed.
  public let port: String?
  /// The program that has the port, where it is busy and the system tells who.
  public private(set) var holder: PortHolder?
  /// The system call that failed.
  public private(set) var operation: String?
  /// The error number of the system call that failed.
  public private(set) var systemCode: Int32?

  private init(_ code: Code, _ port: String?, _ message: String, advice: String) {
    (self.code, self.port, self.message, self.advice) = (code, port, message, advice)
  }

  /// Whether trying again soon may help.
  package var mayPass: Bool {
    switch code {
    case .busy, .refused, .hostDown, .unreachable, .timedOut: true
    default: false
    }
  }
}

extension LinkError: CustomStringConvertible {
  /// What went wrong, and the next step.
  public var description: String { "\(message). \(advice)" }
}

extension LinkError {
  /// There is no such file.
  public static func notFound(_ port: String) -> LinkError {
    LinkError(.notFound, port, "\(port) does not exist", advice: "Name an existing file.")
  }

  /// The file is not a serial device.
  public static func notADevice(_ port: String) -> LinkError {
    LinkError(
      .notADevice, port, "\(port) is not a serial device", advice: "Name a device file like /dev/rfcomm0.")
  }

  /// The user may not open the port.
  public static func noPermission(_ port: String) -> LinkError {
    LinkError(
      .noPermission, port, "no permission to open \(port)",
      advice: "Check its owner with 'ls -l', and give yourself access.")
  }

  /// Another program has the port, or the robot's link is busy; the holder, where the system reports it.
  public static func busy(_ port: String, _ holder: PortHolder?) -> LinkError {
    var error =
      if let holder {
        LinkError(
          .busy, port, "\(port) is held by \(holder)",
          advice: "Close that program, or end it with 'kill \(holder.processID)'.")
      } else {
        LinkError(
          .busy, port, "\(port) is busy",
          advice: "Another program uses it. Find that program with 'lsof' or 'fuser', and close it.")
      }
    error.holder = holder
    return error
  }

  /// The other end is there and does not take the connection: no server, or a robot that another host holds.
  public static func refused(_ port: String) -> LinkError {
    LinkError(.refused, port, "\(port) refuses the connection", advice: otherEnd(of: port))
  }

  /// The other end does not answer: asleep, switched off or out of reach.
  public static func hostDown(_ port: String) -> LinkError {
    LinkError(.hostDown, port, "\(port) does not answer", advice: otherEnd(of: port))
  }

  /// There is no way to the other end: no network, or no Bluetooth adapter that is on.
  public static func unreachable(_ port: String) -> LinkError {
    LinkError(
      .unreachable, port, "\(port) cannot be reached",
      advice: "Make sure that Bluetooth or the network is on, then try again.")
  }

  /// The connection was not there in time.
  public static func timedOut(_ port: String) -> LinkError {
    LinkError(.timedOut, port, "the connection to \(port) timed out", advice: otherEnd(of: port))
  }

  /// This system or this version cannot open the port; the reason is a sentence without its full stop.
  public static func unsupported(_ port: String, reason: String) -> LinkError {
    LinkError(
      .unsupported, port, "\(port) cannot be opened: \(reason)",
      advice: "Use another port: a device file, an address, tcp:HOST:PORT or sim:.")
  }

  /// A system call failed in another way.
  public static func failed(_ port: String, operation: String, code: Int32) -> LinkError {
    var error = LinkError(
      .failed, port, "\(port): \(operation): \(System.message(of: code))",
      advice: "Check that it works, then try again.")
    (error.operation, error.systemCode) = (operation, code)
    return error
  }

  /// The line went away in use: unplugged, out of reach, or the robot fell asleep.
  public static func lost(_ port: String) -> LinkError {
    LinkError(
      .lost, port, "the link on \(port) was lost",
      advice: "The robot is out of reach, asleep or unplugged; wake it and try again.")
  }

  /// The line has been closed by this side.
  public static let closed = LinkError(.closed, nil, "the link is closed", advice: "Open it again.")

  private static func otherEnd(of port: String) -> String {
    port.hasPrefix("tcp:")
      ? "Make sure that the server is running and that its port accepts a connection."
      : "Wake the robot with a double tap, keep it near, and disconnect other programs and phones."
  }
}
