// Takes a device from a program that holds it, as Ctrl-C would.

import SpheroSystem
import SpheroTransport

/// Which program is asked to give a device up, and how long that may take.
///
/// A process of that program and of the same user gets SIGINT, once; its device is free when it has left.
/// A program that ignores the signal keeps the device. Works where the system says who holds a device: on Linux.
public struct Takeover: Hashable, Sendable {
  /// The name of the program, as ``PortHolder/program`` has it.
  public var program: String
  /// How long to wait for the device.
  public var patience: Duration

  /// Names a program.
  ///
  /// - Parameters:
  ///   - program: The name of the program, as ``PortHolder/program`` has it.
  ///   - patience: How long to wait for the device.
  public init(from program: String, within patience: Duration = .seconds(5)) {
    (self.program, self.patience) = (program, patience)
  }
}

/// A takeover under way.
struct Asking {
  /// How often to look whether the device is free.
  static let pause = Duration.milliseconds(50)

  private let takeover: Takeover
  private let end: Duration
  private var asked: Set<DeviceHolder> = []

  init(_ takeover: Takeover, since start: Duration) {
    self.takeover = takeover
    end = start + takeover.patience
  }

  /// Asks the holder of a port that is busy, unless it has been asked.
  ///
  /// - Parameters:
  ///   - port: The name of the port, for errors.
  ///   - holder: Who holds it, where that is seen.
  ///   - now: The time.
  /// - Returns: Whether waiting may help.
  /// - Throws: ``LinkError/busy(_:_:)`` where another program or another user holds the port.
  mutating func goesOn(_ port: String, heldBy holder: DeviceHolder?, at now: Duration) throws(LinkError)
    -> Bool
  {
    guard now < end else { return false }
    // Where no holder is seen, it is just leaving, or a simulator looks after its pseudo-terminal.
    guard let holder, !asked.contains(holder) else { return true }
    let process = holder.process.processID
    guard holder.process.program == takeover.program, process != System.processID, System.isOwn(process)
    else { throw .busy(port, holder.process) }
    asked.insert(holder)
    // Looked at once more: numbers of processes are used again, and what is left is too short for that.
    if HolderSearch.identify(process) == holder { System.interrupt(process) }
    return true
  }
}
