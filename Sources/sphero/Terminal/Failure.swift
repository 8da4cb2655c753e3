// What a person reads when something goes wrong: a sentence, the next step, and an exit code for programs.

import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroSession
import SpheroSimulator
import SpheroTransport

/// The exit codes, after sysexits(3).
enum ExitCode: Int32, CaseIterable {
  case done = 0
  case usage = 64
  case badData = 65
  case noInput = 66
  case noRobot = 69
  case ourBug = 70
  case cannotCreate = 73
  case linkLost = 74
  case timedOut = 75
  case refused = 76
  case noPermission = 77

  /// What the code means, in a few words.
  var meaning: String {
    switch self {
    case .done: "done"
    case .usage: "wrong usage"
    case .badData: "malformed input file"
    case .noInput: "no such input file"
    case .noRobot: "no robot answers"
    case .ourBug: "a fault of sphero"
    case .cannotCreate: "cannot create a file or port"
    case .linkLost: "link or output lost"
    case .timedOut: "timed out"
    case .refused: "refused by the robot"
    case .noPermission: "no permission"
    }
  }
}

/// A failure as a person reads it.
struct Failure: Error {
  var code: ExitCode
  var message: String
  var advice: String?

  init(_ code: ExitCode, _ message: String, advice: String? = nil) {
    (self.code, self.message, self.advice) = (code, message, advice)
  }

  /// What an error of any room of the house means here.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as UsageError: self.init(.usage, error.message)
    case OutputError.failed(let reason):
      self.init(.linkLost, "cannot write the results: \(reason)", advice: "Make room, or write elsewhere.")
    case let error as LinkError: self.init(link: error)
    case let error as PortError: self.init(.usage, error.description, advice: error.advice)
    case let error as SessionError: self.init(session: error)
    case let error as WireError: self.init(.usage, error.description)
    case let error as CaptureError:
      self.init(.badData, error.description, advice: "See 'sphero decode --help' for the forms it reads.")
    case let error as SimulatorFileError:
      switch error {
      case .unreadable:
        self.init(.noInput, error.description, advice: "Name a file that can be read.")
      case .malformed:
        self.init(
          .badData, error.description,
          advice: "Correct that line; Docs/Simulator.md has the form of the file.")
      }
    case let error as ReplayError:
      self.init(.badData, error.description, advice: "Look at the recording with 'sphero decode'.")
    default: self.init(.ourBug, "\(error)", advice: "This is a fault of sphero itself; please report it.")
    }
  }

  private init(link error: LinkError) {
    let message = error.description
    switch error {
    case .notFound(let path):
      self.init(
        .noRobot, message,
        advice: path.contains("rfcomm") ? Advice.bind : "See 'sphero devices' for those that are there.")
    case .notADevice:
      self.init(
        .noRobot, message, advice: "Name a device file like /dev/rfcomm0; 'sphero devices' lists them.")
    case .noPermission: self.init(.noPermission, message, advice: Advice.permission)
    case .busy(_, nil):
      self.init(
        .noRobot, message, advice: "Another program has it: close that, or find it with 'lsof' or 'fuser'.")
    case .busy(_, let holder?):
      self.init(
        .noRobot, message, advice: "Close that program, or end it with 'kill \(holder.processID)'.")
    case .refused(let port), .hostDown(let port), .timedOut(let port):
      self.init(.noRobot, message, advice: port.hasPrefix("tcp:") ? Advice.serve : Advice.wake)
    case .unreachable:
      self.init(.noRobot, message, advice: "See that Bluetooth or the network is on, then try again.")
    case .unsupported:
      self.init(
        .noRobot, message, advice: "Use another port: a device file, an address, tcp:HOST:PORT or sim:.")
    case .failed: self.init(.noRobot, message, advice: "Check that the device works, then try again.")
    case .lost:
      self.init(
        .linkLost, message, advice: "The robot is out of reach, asleep or unplugged; wake it and try again.")
    case .closed: self.init(.linkLost, message, advice: "Try again.")
    }
  }

  private init(session error: SessionError) {
    let message = error.description
    switch error {
    case .notConnected(.silence), .notConnected(.deaf), .timedOut(_, hasEverAnswered: false):
      self.init(.noRobot, message, advice: Advice.wake)
    case .notConnected(.echo), .notConnected(.noise):
      self.init(
        .noRobot, message, advice: "Check that the port is the robot's: 'sphero devices' lists candidates.")
    case .timedOut:
      self.init(.timedOut, message, advice: "Go nearer, or wait longer with --timeout.")
    case .silentStream:
      self.init(
        .timedOut, message,
        advice: "Go nearer and wake it; where none ever come, ask 'sphero info' for its firmware.")
    case .unconfirmed:
      self.init(.timedOut, message, advice: "See what the robot did before you send it again.")
    case .refused, .malformed:
      self.init(.refused, message, advice: "Its firmware may be too old or busy; see 'sphero info'.")
    case .hazardous, .invalidStream: self.init(.usage, message)
    case .disconnected: self.init(.linkLost, message, advice: "Wake the robot and try again.")
    case .superseded, .leaving, .tooManyRequests: self.init(.ourBug, message)
    }
  }
}

/// Next steps that several failures share.
enum Advice {
  static let permission: String = {
    #if os(Linux)
      "Add yourself to its group: sudo usermod -aG dialout $USER, then log in anew."
    #else
      "Look at its owner with 'ls -l', and give yourself access."
    #endif
  }()
  static let bind: String = {
    #if os(Linux)
      "Make it with 'sudo rfcomm bind 0 <address> 1', or try '--port sim:' without a robot."
    #else
      "Pair the robot in System Settings, or try '--port sim:' without a robot."
    #endif
  }()
  static let serve = "See that the server runs there, and that its port is open and free."
  static let wake = "Wake it by a double tap, keep it near, and see that no other program or phone holds it."
}
