// Errors as the command reports them: a message, the next step and an exit code.

import SpheroModel
import SpheroProcess
import SpheroProtocol
import SpheroRecording
import SpheroSession
import SpheroSimulator
import SpheroSystem
import SpheroTransport

/// The exit codes, after sysexits(3).
enum ExitCode: Int32 {
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

  /// All codes with their meanings, and those of signals.
  static let table: [(code: Int32, meaning: String)] = [
    (0, "done"), (64, "wrong usage"), (65, "malformed input file"), (66, "input file cannot be read"),
    (69, "no robot answers"), (70, "an internal error"), (73, "cannot create a file or port"),
    (74, "link or output lost"), (75, "timed out"), (76, "refused by the robot"),
    (77, "no permission for the port"),
    (129, "hung up"), (130, "Ctrl-C"), (131, "quit"), (143, "terminated"),
  ]
}

struct Failure: Error {
  var code: ExitCode
  var message: String
  var advice: String?

  init(_ code: ExitCode, _ message: String, advice: String? = nil) {
    (self.code, self.message, self.advice) = (code, message, advice)
  }

  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as UsageError: self.init(.usage, error.message, advice: error.advice)
    case OutputError.failed(let reason):
      self.init(.linkLost, "cannot write the results: \(reason)", advice: "Make room, or write elsewhere.")
    case let error as LinkError: self.init(link: error)
    case let error as ScreenError: self.init(screen: error)
    case let error as PortError where error.code == .simulatorOption:
      let name = SimulatorOptions.parts(error.seen).name
      let model = Profile.all.first { $0.name == name }.map { "; did you mean 'model=\($0.name)'?" }
      let near = model ?? Suggestion.text(for: name, among: SimulatorOptions.names)
      self.init(.usage, error.message + near, advice: error.advice)
    case let error as PortError: self.init(.usage, error.message, advice: error.advice)
    case let error as SessionError: self.init(session: error)
    case let error as MotionError:
      self.init(error == .unusablePath ? .usage : .timedOut, error.message, advice: error.advice)
    case let error as CalibrationError:
      let code: ExitCode =
        switch error {
        case .notAtRest, .noReadings: .timedOut
        case .outOfRange: .refused
        default: .badData
        }
      self.init(code, error.message, advice: error.advice)
    case let error as ProgramRunError:
      let code: ExitCode = if case .stopped = error { .badData } else { .timedOut }
      self.init(code, error.message, advice: error.advice)
    case let error as WireError: self.init(.usage, error.description)
    case let error as CaptureError:
      self.init(.badData, error.description, advice: "See 'sphero decode --help' for the forms it reads.")
    case let error as SimulatorFileError:
      let code: ExitCode = if case .unreadable = error { .noInput } else { .badData }
      self.init(code, error.message, advice: error.advice)
    case let error as ReplayError:
      let advice =
        switch error {
        case .empty, .unexpected: "Look at the recording with 'sphero decode'."
        case .incomplete, .tooLong: error.advice
        }
      self.init(.badData, error.message, advice: advice)
    default: self.init(.ourBug, "\(error)", advice: "This is a bug in sphero; please report it.")
    }
  }

  /// Returns the failure of a port `replay:`, since the usual advice concerns robots and devices; nil for other errors.
  static func recording(_ error: any Error, _ path: String) async -> Failure? {
    switch error {
    case LinkError.notFound:
      return Failure(
        .noInput, "\(path) does not exist", advice: "Make one with 'sphero record \(path.shellWord)'.")
    case LinkError.noPermission:
      return Failure(.noPermission, Failure(error).message, advice: "Look at its owner with 'ls -l'.")
    case LinkError.failed(path, _, _):
      return Failure(.noInput, Failure(error).message, advice: "Name a file that can be read.")
    case LinkError.closed:
      return Failure(.linkLost, "the recording is over", advice: "'--port sim:' is a robot without an end.")
    case is CaptureError, is ReplayError:
      var failure = Failure(error)
      failure.message = "\(path): \(failure.message)"
      return failure
    case SessionError.refused(Sensing.SetDataStreaming.name, _): return await noStream(in: path)
    case SessionError.refused(let command, .unknownCommand):
      return Failure(
        .refused, "\(path) has no answer to \(command), or the robot did not know it",
        advice: "'sphero decode \(path.shellWord)' prints the commands that it has.")
    case is SessionError:
      var failure = Failure(error)
      failure.advice =
        "A recording answers the commands in it, and has its fields: 'sphero decode \(path.shellWord)' prints both."
      return failure
    default: return nil
    }
  }

  /// The failure that a recording lacks the requested stream; it lists those of a file, but a pipe cannot be read again.
  private static func noStream(in path: String) async -> Failure {
    let streams = System.isPipe(path) ? nil : try? await Replay.reading(path: path).streams
    let options = (streams ?? []).prefix(3).map { stream in
      "'--mask \(stream.mask)" + (stream.divisor.map { " --divisor \($0)" } ?? "")
        + (stream.frames.map { " --frames \($0)" } ?? "") + "'"
    }
    let found = options.isEmpty ? "the one it has" : "its streams: \(options.joined(separator: ", "))"
    return Failure(
      .refused,
      "\(path) has no stream with the fields, the rate and the samples in a packet that this command needs",
      advice: "'sphero decode --samples \(path.shellWord)' prints \(found).")
  }

  /// Prefers advice that names commands to the advice of the library.
  private init(link error: LinkError) {
    let (code, advice): (ExitCode, String?) =
      switch error {
      case .notFound:
        (
          .noRobot,
          // A text without a folder, like `sim` or the name of a robot, is rarely meant as a file.
          error.port == "sim"
            ? "Write the colon, too: '--port sim:'."
            : error.port.map { $0.contains("rfcomm") || !$0.contains("/") } == true
              ? Advice.address
              : "'sphero devices' lists robots; a simulated one has this file while 'sphero simulate --link' runs."
        )
      case .notADevice(let port) where !port.hasPrefix("/dev/"):
        (.noRobot, "Name a device file like /dev/rfcomm0. If it is a recording, write 'replay:\(port)'.")
      case .notADevice: (.noRobot, "Name a device file like /dev/rfcomm0; 'sphero devices' lists them.")
      case .noPermission: (.noPermission, Advice.permission)
      case .busy(let port, let holder?) where holder.program == "sphero":
        (.noRobot, "'sphero stop --port \(port)' stops the robot and ends that program.")
      case .failed: (.noRobot, "Check that the device works, then try again.")
      case .lost: (.linkLost, nil)
      case .closed:
        (.linkLost, "The robot is asleep, or the program that serves it has ended; wake it and try again.")
      default: (.noRobot, nil)
      }
    self.init(code, error.message, advice: advice ?? error.advice)
  }

  private init(screen error: ScreenError) {
    switch error {
    case .noTerminal, .noKeyboard:
      let reason =
        error == .noTerminal
        ? "a terminal to draw on, but stdout is not a terminal" : "a terminal for its keys, and there is none"
      self.init(
        .usage, "this command needs \(reason)",
        advice: "Run it in a terminal; 'sphero stream' prints lines for pipes and files.")
    case .dumb:
      self.init(
        .usage, "this terminal cannot place a cursor: TERM is 'dumb' or not set",
        advice: "Set TERM to the type of your terminal, like xterm-256color, or use 'sphero stream'.")
    case .failed(let reason):
      self.init(.linkLost, "cannot use the terminal: \(reason)", advice: "Open another one and try again.")
    }
  }

  private init(session error: SessionError) {
    let code: ExitCode =
      switch error {
      case .notConnected, .timedOut(_, _, hasEverAnswered: false, _): .noRobot
      case .timedOut, .silentStream, .unconfirmed, .superseded: .timedOut
      case .refused, .mismatchedStream, .malformed: .refused
      case .hazardous, .invalidStream: .usage
      case .disconnected: .linkLost
      default: .ourBug
      }
    let advice: String? =
      switch error {
      case .notConnected(.noise):
        "Check that the port is the robot's ('sphero devices' lists candidates), and that no other program, such as ModemManager, uses it."
      case .notConnected(.echo): "Check that the port is the robot's: 'sphero devices' lists candidates."
      case .timedOut(_, _, hasEverAnswered: true, _):
        "Move closer to the robot, or wait longer with --timeout."
      case .silentStream: "Move closer and wake it, or request fewer fields with '--mask'."
      case .superseded: "Send it again."
      case .refused(let command, let status)
      where [.unknownCommand, .unknownDevice].contains(status) && command != Core.GetVersioning.name:
        "\(error.advice ?? "") 'sphero info' shows both."
      case .malformed: "Its firmware may be older or newer than the documents; see 'sphero info'."
      // The advice of a wrong use is the help page, which states the valid options. The others are defects.
      case .hazardous, .invalidStream, .leaving, .tooManyRequests: nil
      default: error.advice
      }
    self.init(code, error.message, advice: advice)
  }
}

enum Advice {
  #if os(Linux)
    static let permission =
      "Add yourself to its group: sudo usermod -aG dialout $USER, then log in again."
    static let address =
      "Name the robot by its address, which 'sphero devices' lists, or try '--port sim:' without a robot."
  #else
    static let permission = "Look at its owner with 'ls -l', and give yourself access."
    static let address = "Pair the robot in System Settings, or try '--port sim:' without a robot."
  #endif
}
