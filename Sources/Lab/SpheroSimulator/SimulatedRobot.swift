// A simulated robot, and an in-memory line to it.

// Configurations, states and remarks have types of SpheroModel.
@_exported public import SpheroModel
import SpheroSystem
public import SpheroTransport

/// A simulated robot, whose behaviour a `RobotModel` defines; a ``SimulatedWorld`` holds several robots on one floor.
///
/// The robot keeps its state between connections. Run `serve` for each of them, one at a time, or once for a listener.
public struct SimulatedRobot: Sendable {
  /// The properties of one robot and its link; those of ``model`` are also direct members.
  @dynamicMemberLookup public struct Configuration: Sendable {
    public var model = RobotModel.Configuration()
    /// The delay of each command on the link; commands keep their order.
    public var latency: Duration = .zero
    /// Whether a robot that falls asleep closes the line, as a real link does, or leaves it silent. If true, a client that
    /// connects to a sleeping robot gets a silent line if bytes wake the robot, and a hang-up if not.
    public var hangsUpToSleep = true
    /// The time from the first connection to a forced sleep; nil for never.
    public var napDelay: Duration?

    public init() {}

    public subscript<Value>(
      dynamicMember property: WritableKeyPath<RobotModel.Configuration, Value>
    ) -> Value {
      get { model[keyPath: property] }
      set { model[keyPath: property] = newValue }
    }
  }

  let number: Int
  let world: SimulatedWorld

  init(number: Int, in world: SimulatedWorld) { (self.number, self.world) = (number, world) }

  /// Creates an awake robot at rest, alone on its floor; the script starts with the first bytes that it receives.
  public init(
    _ configuration: Configuration = Configuration(), on floor: Floor = Floor(),
    script: HandScript = HandScript(), time: any TimeSource = SystemTime()
  ) {
    self.init(number: 0, in: SimulatedWorld([configuration], on: floor, script: script, time: time))
  }

  /// The clock of the robot.
  public var time: any TimeSource { world.time }

  /// Opens a line to the robot, which serves one line at a time; `name` is that of the line in errors.
  public func connect(named name: String = "the simulated robot") -> SimulatedLine {
    SimulatedLine(self, name: name, time: time)
  }

  /// Serves a line until the line ends or the task is cancelled.
  public func serve(_ transport: some Transport) async { await world.serve(transport, number) }

  /// Serves the clients of a listener, one after another, until the listener is closed.
  ///
  /// The simulation continues between clients, and the plan of the faults from one line to the next.
  ///
  /// - Throws: `CancellationError`; an error of the listener.
  public func serve(_ listener: some Listener, faults: FaultPlan = FaultPlan()) async throws {
    try await world.serve(listener, number, faults)
  }

  public var statistics: RobotModel.Statistics { get async { await model.statistics } }

  /// The visible colour and tail light, 0...255.
  public var lights: (red: UInt8, green: UInt8, blue: UInt8, tail: UInt8) {
    get async { await model.lights }
  }

  /// Whether the robot sleeps and receives no commands.
  public var isAsleep: Bool { get async { await model.isAsleep } }

  /// The position by the locator: centimetres to the right and ahead, and degrees clockwise.
  public var locatorPosition: (x: Double, y: Double, heading: Double) {
    get async { await model.locatorPosition }
  }

  /// The true speed over the floor, in m/s.
  public var speed: Double { get async { await model.body.velocity.length } }

  public var model: RobotModel {
    get async { await world.robot(number) ?? RobotModel() }
  }

  /// Performs a script with this robot, whatever robots its lines name; returns at its end or cancellation.
  public func perform(_ script: HandScript) async {
    await world.perform(
      HandScript(script.steps.map { HandScript.Step(robot: number, at: $0.time, $0.action) }))
  }

  /// Changes the state of the robot, for example to shake it; `body` receives the robot and the time.
  public func withModel(_ body: @escaping @Sendable (inout RobotModel, Duration) -> Void) async {
    await world.withRobot(number, body)
  }
}

/// An in-memory line to a simulated robot. It ends when it is closed, or when the robot falls asleep unless
/// ``SimulatedRobot/Configuration/hangsUpToSleep`` is false.
public final class SimulatedLine: Transport {
  private let host: MemoryTransport
  /// The task in which the robot serves the line; its value is false if the robot serves another line.
  private let service: Task<Bool, Never>
  private let name: String
  private let isClosed = Locked(false)
  /// The clock of the robot.
  public let clock: (any TimeSource)?

  init(_ robot: SimulatedRobot, name: String, time: any TimeSource) {
    let (host, device) = MemoryTransport.pair()
    (self.host, self.name, clock) = (host, name, time)
    service = Task(executorPreference: time.executor) { await robot.world.serve(device, robot.number) }
  }

  // Ends the service of a line that was not closed.
  deinit { host.close() }

  /// Waits for bytes from the robot; returns nil after ``close()``.
  ///
  /// - Throws: `LinkError.lost(_:)` if the robot has fallen asleep, `LinkError.refused(_:)` if it serves another line.
  public func read() async throws -> [UInt8]? {
    let bytes = try await host.read()
    if bytes == nil, !isClosed.withLock({ $0 }) {
      throw await service.value ? LinkError.lost(name) : .refused(name)
    }
    return bytes
  }

  public func write(_ bytes: [UInt8]) { host.write(bytes) }

  /// Closes the line, and waits until the robot has processed the disconnection.
  public func close() async {
    isClosed.withLock { $0 = true }
    host.close()
    _ = await service.value
  }
}
