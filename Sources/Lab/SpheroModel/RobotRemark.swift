// Remarks of a robot: the changes that no answer reports, for a log.

import SpheroProtocol

/// A change of a robot that the log of a server states, whether or not its client detects it.
@nonexhaustive public enum RobotRemark: Hashable, Sendable, CustomStringConvertible {
  @nonexhaustive public enum SleepReason: Hashable, Sendable {
    /// The client's `Core.Sleep`, or self-levelling with the option to sleep.
    case command
    /// A step of a macro or a statement of an orbBasic program.
    case program
    /// No command arrived for this number of seconds (Sphero API 1.50, "Set Inactivity Timeout").
    case inactivity(seconds: UInt16)
    /// The voltage fell below the critical trip point.
    case criticalBattery
    case charger
    /// The program that runs the simulation put the robot to sleep, for example for the option `nap`.
    case simulation
  }

  @nonexhaustive public enum WakeReason: Hashable, Sendable {
    case shaking
    case charger
    /// A client sent bytes, which do not wake a real robot.
    case bytes
    /// The end of a sleep with a set length.
    case timer
  }

  case clientConnected
  case clientDisconnected
  /// The disconnection of the client stopped the ball (`Settings.TemporaryOptions.stopOnDisconnect`).
  case stoppedByDisconnection
  /// The stream of the client that has disconnected goes to the next client.
  case streamContinues
  /// The robot fell asleep and closes the line.
  case fellAsleep(SleepReason)
  case wokeUp(WakeReason)
  case putIntoCharger
  case takenOutOfCharger
  /// Something struck the ball: a wall, another ball or a hand; the change of the velocity in m/s.
  case struck(speedChange: Double)

  /// A predicate whose subject is the robot, or a clause about its client, in the present tense and without a full stop.
  public var description: String {
    switch self {
    case .clientConnected: "a client connects"
    case .clientDisconnected: "the client disconnects"
    case .stoppedByDisconnection: "stops, as the client that disconnected had requested"
    case .streamContinues: "keeps streaming for the next client"
    case .fellAsleep(.command): "falls asleep: its client commanded it"
    case .fellAsleep(.program): "falls asleep: its program commanded it"
    case .fellAsleep(.inactivity(let seconds)): "falls asleep: no command arrived for \(seconds) s"
    case .fellAsleep(.criticalBattery): "falls asleep: its battery is critical"
    case .fellAsleep(.charger): "falls asleep: it is in its charger"
    case .fellAsleep(.simulation): "falls asleep: the options of the simulation demand it"
    case .wokeUp(.shaking): "wakes up: it is shaken"
    case .wokeUp(.charger): "wakes up: it is taken out of its charger"
    case .wokeUp(.bytes): "wakes up: bytes arrive, which wake a simulated robot"
    case .wokeUp(.timer): "wakes up: the time of its sleep is over"
    case .putIntoCharger: "is put into its charger"
    case .takenOutOfCharger: "is taken out of its charger"
    case .struck(let change): "is struck: its velocity changes by \(Decimal.text(change, digits: 2)) m/s"
    }
  }
}

/// A remark with the time at which it applies.
public struct TimedRobotRemark: Hashable, Sendable {
  public var time: Duration
  public var remark: RobotRemark
}
