// A simulated robot on any transport.

public import SpheroModel
public import SpheroTransport

/// A simulated robot, as API 1.50 and the recordings describe a Sphero 2.0.
///
/// The robot keeps its state between connections.
/// Run `serve` for each connection, one at a time, or once for a listener.
/// A `RobotModel` defines the behaviour; a ``SimulatedWorld`` holds several robots on one floor.
public struct SimulatedRobot: Sendable {
  /// The properties of one robot and its link.
  public struct Configuration: Sendable {
    /// The properties of the robot.
    public var model = RobotModel.Configuration()
    /// The delay of each command on the link; commands keep their order.
    public var latency: Duration = .zero
    /// Whether a robot that falls asleep closes the line, as a real link does, or leaves it silent.
    ///
    /// A client that connects to a sleeping robot gets a silent line if bytes wake the robot, and a hang-up if not.
    public var hangsUpToSleep = true
    /// The time from the first connection to a forced sleep; nil for never.
    public var napDelay: Duration?

    public init() {}

    /// The Bluetooth name, at most 16 bytes.
    public var name: String {
      get { model.name }
      set { model.name = newValue }
    }
    /// The first bytes of each connection, such as `u>` of the user hack shell.
    public var greeting: [UInt8] {
      get { model.greeting }
      set { model.greeting = newValue }
    }
    /// Whether the version record has 10 bytes, as in the document, or 8, as recorded robots send.
    public var hasLongVersionRecord: Bool {
      get { model.hasLongVersionRecord }
      set { model.hasLongVersionRecord = newValue }
    }
    /// The rate of the robot's clock and of its samples; recorded robots have 0.95...1.05.
    public var clockRate: Double {
      get { model.clockRate }
      set { model.clockRate = newValue }
    }
    /// The seed of the sensor noise.
    public var seed: UInt64 {
      get { model.seed }
      set { model.seed = newValue }
    }
  }

  // A type of this module: `RobotModel.Statistics` would require clients to import SpheroModel.
  /// Counters since the robot was created.
  public struct Statistics: Sendable, Hashable {
    /// Commands received.
    public var commands: Int
    /// Sensor frames sent.
    public var frames: Int
    /// Sensor packets sent.
    public var packets: Int
    /// Stream requests received.
    public var streamRequests: Int
  }

  let number: Int
  let world: SimulatedWorld

  /// Creates an awake robot at rest, alone on its floor.
  ///
  /// - Parameters:
  ///   - configuration: The properties of the robot and its link.
  ///   - floor: The floor.
  ///   - script: The actions of a hand; their times count from the first bytes that the robot receives.
  ///   - time: The clock of the robot.
  public init(
    _ configuration: Configuration = Configuration(), on floor: Floor = Floor(),
    script: HandScript = HandScript(), time: any TimeSource = SystemTime()
  ) {
    self.init(number: 0, in: SimulatedWorld([configuration], on: floor, script: script, time: time))
  }

  package init(number: Int, in world: SimulatedWorld) { (self.number, self.world) = (number, world) }

  /// The clock of the robot.
  public var time: any TimeSource { world.time }

  /// Serves a line until the line ends or the task is cancelled.
  public func serve(_ transport: some Transport) async { await world.serve(transport, number) }

  /// Serves the clients of a listener, one after another, until the listener is closed.
  ///
  /// Between clients the simulation continues: the robot rolls, its programs run, its battery drains.
  ///
  /// - Parameters:
  ///   - listener: The listener.
  ///   - faults: The faults of the lines; the plan continues from one line to the next.
  /// - Throws: `CancellationError`; an error of the listener.
  public func serve(_ listener: some Listener, faults: FaultPlan = FaultPlan()) async throws {
    try await world.serve(listener, number, faults)
  }

  /// The counts of commands, frames and packets since the start.
  public var statistics: Statistics {
    get async {
      let counts = await model.statistics
      return Statistics(
        commands: counts.commands, frames: counts.frames, packets: counts.packets,
        streamRequests: counts.streamRequests)
    }
  }

  /// The visible colour and tail light, 0...255.
  public var lights: (red: UInt8, green: UInt8, blue: UInt8, tail: UInt8) {
    get async { await model.lights }
  }

  /// Whether the robot sleeps and receives no commands.
  public var isAsleep: Bool { get async { await model.isAsleep } }

  /// The position according to the locator: centimetres to the right and ahead of the start, and degrees clockwise.
  public var locatorPosition: (x: Double, y: Double, heading: Double) {
    get async { await model.locatorPosition }
  }

  /// The true speed in m/s.
  public var speed: Double {
    get async {
      let velocity = await model.body.velocity
      return (velocity * velocity).sum().squareRoot()
    }
  }

  /// A copy of the present state.
  public var model: RobotModel {
    get async { await world.robot(number) ?? RobotModel() }
  }

  /// Performs a script with this robot, and returns at its end or when the task is cancelled.
  ///
  /// - Parameter script: The actions of a hand; the robot numbers of its lines are ignored.
  public func perform(_ script: HandScript) async {
    await world.perform(
      HandScript(script.steps.map { HandScript.Step(robot: number, at: $0.time, $0.action) }))
  }

  /// Changes the state of the robot, for example to shake it.
  ///
  /// - Parameter body: The change, which receives the robot and the time.
  public func withModel(_ body: @escaping @Sendable (inout RobotModel, Duration) -> Void) async {
    await world.withRobot(number, body)
  }
}
