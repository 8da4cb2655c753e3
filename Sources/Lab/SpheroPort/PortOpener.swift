// Opens a port of any kind, once or repeatedly.

import SpheroBluetooth
import SpheroProcess
import SpheroRecording
public import SpheroSerial
package import SpheroSimulator
public import SpheroTransport

#if canImport(CoreBluetooth)
  import SpheroCoreBluetooth
#endif

/// Opens one port, also repeatedly.
///
/// A simulated robot is created with the first line and keeps its state for the next line, like a robot that stays
/// awake. Its planned faults also continue from line to line.
public final class PortOpener: Sendable {
  private let port: Port
  private let simulated: SimulatedPort?
  /// The rate of the robot's time relative to real time: the option `pace` of a simulated robot, 1 for other ports.
  package let pace: Double
  /// The clock of the port and of its lines; that of a simulated robot runs at its pace.
  public let time: any TimeSource

  /// Creates an opener, whose ``time`` is derived from a clock; the port is not opened yet.
  public init(_ port: Port, time base: any TimeSource = SystemTime()) {
    self.port = port
    // Invalid options are reported when the port is opened.
    let options: String? = if case .simulated(let options) = port { options } else { nil }
    pace = options.flatMap { try? SimulatorOptions(port: $0).pace } ?? 1
    let time: any TimeSource = pace == 1 ? base : ScaledTime(base, pace: pace)
    self.time = time
    simulated = options.map { SimulatedPort($0, time: time) }
  }

  /// The simulated robot, which `sphero monitor` can move as a hand would; nil for another kind of port.
  package var simulatedRobot: SimulatedRobot? {
    get async { try? await simulated?.parts().robot }
  }

  /// Opens the port; a cancellation of the task ends the attempts.
  ///
  /// Without a policy, a device file and a Bluetooth address have the attempts of `RetryPolicy()`, and `ble:` and `tcp:`
  /// are tried once. With a takeover, the program that holds the robot is interrupted.
  /// The caller must close the line before the next call.
  ///
  /// - Throws: `LinkError`; `PortError` if an option of the simulator is invalid;
  ///   `SimulatorFileError` if a file that the options name cannot be used;
  ///   `CaptureError` and `ReplayError` if a recording cannot be replayed; `CancellationError`.
  public func open(
    retryPolicy: RetryPolicy? = nil, takeover: Takeover? = nil
  ) async throws -> any Transport {
    // Over RFCOMM the first attempts often fail; elsewhere one attempt is sufficient.
    let (policy, single) = (retryPolicy ?? .init(), retryPolicy ?? .init(attempts: 1))
    func openLowEnergy(_ connect: (Takeover?) async throws -> any Transport) async throws -> any Transport {
      // The steps of a connection have shorter timeouts of their own.
      try await single.open(within: .seconds(60), time: time) { _, isFirst in
        // Only the first attempt interrupts the holder of the port.
        try await connect(isFirst ? takeover : nil)
      }
    }
    switch port {
    case .device(let path):
      return try await SerialDevice.open(path, retryPolicy: policy, takeover: takeover, time: time)
    case .bluetooth(let address, let channel):
      return try await StreamSocket.connect(
        to: address, channel: channel, retryPolicy: policy, takeover: takeover, time: time)
    case .lowEnergy(let address):
      return try await openLowEnergy { takeover in
        try await BluetoothLine.connect(to: address, takeover: takeover, time: time)
      }
    case .namedLowEnergy(let name):
      try NamedRobot.check(name)
      return try await openLowEnergy { takeover in
        #if canImport(CoreBluetooth)
          try await CoreBluetoothLine.connect(toRobotNamed: name, time: time)
        #else
          try await BluetoothLine.connect(to: NamedRobot.address(of: name), takeover: takeover, time: time)
        #endif
      }
    case .attributeSocket(let path):
      return try await openLowEnergy { takeover in
        try await BluetoothLine.connect(toSocket: path, takeover: takeover, time: time)
      }
    case .tcp(let address, let port):
      return try await StreamSocket.connect(
        to: address, port: port, retryPolicy: single, takeover: takeover, time: time)
    case .namedTCP(let name, let port):
      return try await StreamSocket.connect(
        toHost: name, port: port, retryPolicy: single, takeover: takeover, time: time)
    case .simulated(let options):
      return try await (simulated ?? SimulatedPort(options, time: time)).open()
    case .recording(let path): return try await ReplayTransport.open(path: path, time: time)
    }
  }
}

extension Port {
  /// Opens the port; a cancellation of the task ends the attempts.
  ///
  /// A simulated robot exists as long as the line; ``PortOpener`` keeps it for the next line.
  ///
  /// The caller must close the line.
  ///
  /// - Throws: As ``PortOpener/open(retryPolicy:takeover:)``.
  public func open(
    takeover: Takeover? = nil, time: some TimeSource = SystemTime()
  ) async throws -> any Transport {
    try await PortOpener(self, time: time).open(takeover: takeover)
  }
}

extension SimulatorOptions {
  /// Parses options like `model=ollie,seed=7,drop=1%`; the error has the position of the first invalid one.
  package init(port options: String) throws(PortError) {
    do throws(SimulatorOptionError) { try self.init(parsing: options) } catch {
      let text = "\(Port.simulated(options: options))"
      let written = text.suffix(options.count)
      let part = written.split(separator: ",").first { $0 == error.option } ?? written
      guard error.code == .invalidValue else {
        throw PortError(text: text, at: part, .simulatorOption, known: Self.names)
      }
      throw PortError(text: text, at: part, .simulatorValue, known: [Self.form(of: Self.parts(part).name)])
    }
  }
}

/// A simulated robot and its faulty port, which are created when the port is first opened.
private actor SimulatedPort {
  private let options: String
  private let time: any TimeSource
  /// The task that creates both, which concurrent callers share; nil before the first call and after an error.
  private var creation: Task<(robot: SimulatedRobot, port: FaultyPort), any Error>?

  init(_ options: String, time: any TimeSource) { (self.options, self.time) = (options, time) }

  func open() async throws -> any Transport {
    let (robot, port) = try await parts()
    let name = "\(Port.simulated(options: options))"
    return try await port.open { robot.connect(named: name) }
  }

  func parts() async throws -> (robot: SimulatedRobot, port: FaultyPort) {
    let task =
      creation
      ?? Task(executorPreference: time.executor) { [text = options, time] in
        var options = try SimulatorOptions(port: text)
        // The clock already runs at the pace.
        options.pace = 1
        let world = try await options.world(time: time)
        return (
          world.robots[0],
          FaultyPort(plan: options.faults(of: 0), name: "\(Port.simulated(options: text))", time: world.time)
        )
      }
    creation = task
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch {
      // Another call may have begun a new creation.
      if creation == task { creation = nil }
      throw error
    }
  }
}

/// A robot that is known by the name that it advertises, like `BB-D911`.
private enum NamedRobot {
  /// How long a scan takes in seconds, if the robot is not in the list.
  private static let scanTime = 5

  private static func failure(
    _ name: String, _ reason: String, _ advice: String, isTransient: Bool = false
  ) -> LinkError {
    .bluetooth("ble:" + name, reason: reason, advice: advice, isTransient: isTransient)
  }

  /// Throws an error for the name of a robot with the later protocol.
  static func check(_ name: String) throws(LinkError) {
    if case .laterProtocol(let model) = AdvertisedRobot(name: name) {
      let prefixes = AdvertisedRobot.supportedPrefixes.joined(separator: ", ")
      throw failure(
        name, "\(model) has a later protocol, which is not supported",
        "Use a robot whose name begins with one of \(prefixes).")
    }
  }

  /// Returns the address of a robot, after a scan if bluetoothctl does not list it; throws for an unknown name.
  static func address(of name: String) async throws -> BluetoothAddress {
    if let robot = try await listed(name) { return robot.address }
    _ = try await HelperProgram.bluetoothctl(
      ["--timeout", "\(scanTime)", "scan", "le"], within: .seconds(scanTime + 2))
    if let robot = try await listed(name) { return robot.address }
    throw failure(
      name, "bluetoothctl finds no robot with this name",
      "Wake the robot and keep it near; 'sphero devices' lists the names.", isTransient: true)
  }

  private static func listed(_ name: String) async throws -> PairedRobot? {
    guard let listing = try await HelperProgram.bluetoothctl(["devices"]) else {
      throw failure(
        name, "bluetoothctl, which knows the names, did not answer",
        "Install the package bluez and start its service, or write the address, as ble:C1:6E:04:5E:D9:11.")
    }
    guard !listing.contains("No default controller") else {
      throw failure(
        name, "bluetoothctl finds no Bluetooth adapter",
        "Run 'bluetoothctl power on', or use a computer with an adapter.")
    }
    return PairedRobot.robots(in: listing).first { $0.name == name }
  }
}
