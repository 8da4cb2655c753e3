// Errors of lines and of the texts that name ports.

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
  /// The name of the host has no address; `reason` is a clause without a full stop.
  case unknownHost(String, reason: String)
  /// The connection was not established in time.
  case timedOut(String)
  /// This system or this version cannot open the port; `reason` is a clause without a full stop.
  case unsupported(String, reason: String)
  /// A system call failed with an `errno` that has no case of its own.
  case failed(String, operation: String, code: Int32)
  /// The connection over Bluetooth LE failed; `reason` is a clause without a full stop, `advice` a sentence.
  ///
  /// With `isTransient`, another attempt may succeed: the robot is absent, asleep or in use.
  case bluetooth(String, reason: String, advice: String, isTransient: Bool = false)
  /// The line was lost during use: unplugged, out of reach, or the robot fell asleep.
  case lost(String)
  /// The line has ended without an error: the other end or this side has closed it, or a recording is over.
  case closed
}

extension LinkError: CustomStringConvertible {
  public var description: String { "\(message). \(advice)" }

  /// What went wrong: one sentence without a full stop.
  public var message: String {
    switch self {
    case .notFound(let port): "\(port) does not exist"
    case .notADevice(let port): "\(port) is not a serial device"
    case .noPermission(let port): "no permission to open \(port)"
    case .busy(let port, let holder?):
      holder.isThisProcess ? "\(port) is open in this program already" : "\(port) is held by \(holder)"
    case .busy(let port, nil): "\(port) is busy"
    case .refused(let port): "\(port) refuses the connection"
    case .hostDown(let port): "\(port) does not answer"
    case .unreachable(let port): "\(port) cannot be reached"
    case .unknownHost(let port, let reason): "no address was found for \(port): \(reason)"
    case .timedOut(let port): "the connection to \(port) timed out"
    case .unsupported(let port, let reason): "\(port) cannot be opened: \(reason)"
    case .failed(let port, _, let code): "\(port): \(System.message(of: code))"
    case .bluetooth(let port, let reason, _, _): "\(port): \(reason)"
    case .lost(let port): "the link on \(port) was lost"
    case .closed: "the link is closed"
    }
  }

  /// The next step.
  public var advice: String {
    switch self {
    case .notFound(let port):
      if port.hasPrefix("/dev/") {
        "Check the path, and that the robot is paired and connected."
      } else if port.contains("/") {
        "Name an existing file."
      } else {
        "Name an existing file, the address of a robot, or 'sim:' with the colon for a simulated one."
      }
    case .notADevice: "Name a device file like /dev/rfcomm0."
    case .noPermission: "Check its owner with 'ls -l', and give yourself access."
    case .busy(_, let holder?):
      holder.isThisProcess
        ? "Use that connection, or close it first."
        : "Close that program, or end it with 'kill \(holder.processID)'."
    case .busy(_, nil): "Another program uses it. Find that program with 'lsof' or 'fuser', and close it."
    case .refused(let port), .hostDown(let port), .timedOut(let port):
      if port.hasPrefix("tcp:") {
        "Make sure that the server is running and that its port accepts a connection."
      } else if case .refused = self {
        "Shake the robot awake, and disconnect other programs and phones; if that does not help, pair it again."
      } else {
        "Shake the robot awake, keep it near, and disconnect other programs and phones."
      }
    case .unknownHost: "Check the name, or write a numeric address like tcp:192.168.1.7:4000."
    case .unreachable: "Make sure that Bluetooth or the network is on, then try again."
    case .unsupported(_, let reason):
      reason.hasSuffix("kernel has no Bluetooth")
        ? "Run the program on a system with Bluetooth, not in a container, or use tcp:HOST:PORT or sim:."
        : "Use another port: a device file, an address, tcp:HOST:PORT or sim:."
    case .failed(_, operation: "create", let code):
      SystemError(code: code).alreadyExists
        ? "Choose another name, or remove the file first."
        : "Choose a file in a folder that you may write to."
    case .failed(_, operation: "thread", _):
      "End other programs, or raise the limit of threads, then try again."
    case .failed: "Check that it works, then try again."
    case .bluetooth(_, _, let advice, _): advice
    case .lost(let port):
      port.hasPrefix("tcp:")
        ? "The server may accept one client at a time: end the other one, which stops its ball, or wake the robot."
        : "The robot is out of reach, asleep or unplugged; wake it and try again."
    case .closed: "Open it again; a recording that is over has no more samples."
    }
  }

  /// The port or the file, as the user wrote it; nil for a line that was closed.
  public var port: String? {
    switch self {
    case .notFound(let port), .notADevice(let port), .noPermission(let port), .busy(let port, _),
      .refused(let port), .hostDown(let port), .unreachable(let port), .unknownHost(let port, _),
      .timedOut(let port), .unsupported(let port, _), .failed(let port, _, _), .bluetooth(let port, _, _, _),
      .lost(let port):
      port
    case .closed: nil
    }
  }

  package var isTransient: Bool {
    switch self {
    case .busy, .refused, .hostDown, .unreachable, .unknownHost, .timedOut: true
    case .bluetooth(_, _, _, let isTransient): isTransient
    default: false
    }
  }
}

/// A process that holds a port.
public struct PortHolder: Hashable, Sendable {
  /// The process ID.
  public var processID: Int32
  /// The name of its program as the system reports it: at most 15 bytes on Linux.
  public var program: String

  public init(processID: Int32, program: String) { (self.processID, self.program) = (processID, program) }

  var isThisProcess: Bool { processID == System.processID }
}

extension PortHolder: CustomStringConvertible {
  /// The program and its process, like `sphero (pid 123)`.
  public var description: String { "\(program) (pid \(processID))" }
}

/// The error of a text that is not a port.
public struct PortError: Error, Hashable, Sendable {
  /// The kind of the error; the raw value is the reason in ``PortError/message``.
  @nonexhaustive public enum Code: String, Hashable, Sendable {
    case empty = "the port is empty"
    case nul = "the port has a NUL character"
    case unknownKind = " is not a kind of port"
    case addressDigit = " where a hexadecimal digit of a Bluetooth address is expected"
    case addressSeparator = " where the separator of a Bluetooth address is expected"
    case addressEnd = " after a Bluetooth address, where only @CHANNEL can be"
    case channel = " is not a channel from 1 to 30"
    case noHost = " where an address is expected"
    case name = " is neither an Internet address nor the name of a host"
    case host = " is not an Internet address"
    case bracket = ", but IPv6 addresses stand in brackets and others do not"
    case portNumber = " is not a port from 1 to 65535"
    case noFile = " where a file is expected"
    case noRobot = " where the name or the address of a robot is expected"
    case robotName = " is the name of a robot with Bluetooth LE"
    case simulatorOption = " is not an option of the simulator"
    case simulatorValue = " has no valid value for this option of the simulator"
  }

  /// The kind of the error.
  public let code: Code
  /// The whole text.
  public let text: String
  /// The position of the error, in characters from 1.
  public let column: Int
  /// The text at the position; empty at the end.
  public let seen: String
  /// One sentence without a full stop: the port, the column, the text there, and the reason.
  public let message: String
  /// The next step.
  public let advice: String

  /// Creates the error of a part of a text.
  ///
  /// `known` contains the options of the simulator, or the valid forms of the option with a wrong value.
  package init(text: String, at part: Substring, _ code: Code, known: [String] = []) {
    (self.text, self.code) = (text, code)
    column = text.distance(from: text.startIndex, to: part.startIndex) + 1
    seen = String(part)
    message =
      switch code {
      case .empty: code.rawValue
      case .nul: "\(code.rawValue) in column \(column)"
      default: "port '\(text)', column \(column): \(seen.isEmpty ? "the end" : "'\(seen)'")\(code.rawValue)"
      }
    advice =
      switch code {
      case .empty, .unknownKind:
        "Name a device file like /dev/rfcomm0, an address like 68:86:E7:01:02:03, ble:NAME, tcp:HOST:PORT, sim: or replay:FILE."
      case .nul: "Leave the NUL character out."
      case .addressDigit, .addressSeparator, .addressEnd, .channel:
        "Write an address of six pairs like 68:86:E7:01:02:03, or 68:86:E7:01:02:03@2 for channel 2; a file of that name is ./FILE."
      case .noHost, .name, .host:
        "Write an address or a name, like tcp:192.168.1.7:4000 or tcp:robot.local:4000."
      case .bracket: "Write tcp:[::1]:4000 for IPv6 and tcp:127.0.0.1:4000 for IPv4."
      case .portNumber: "Write a port from 1 to 65535 after the address, like tcp:127.0.0.1:4000."
      case .noFile: "Write the file after it, like replay:drive.capture."
      case .noRobot:
        "Write ble:BB-D911 or ble:C1:6E:04:5E:D9:11, with the name or the address of the robot."
      case .robotName: "Write ble: before the name."
      case .simulatorOption:
        "Choose among \(known.joined(separator: ", ")); 'sphero simulate --help' describes them."
      case .simulatorValue: "Write \(known.joined(separator: ", "))."
      }
  }
}

extension PortError: CustomStringConvertible {
  public var description: String { "\(message). \(advice)" }
}
