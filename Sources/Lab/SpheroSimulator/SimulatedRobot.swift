// A robot in software: it answers, moves, senses and streams behind any transport.

public import SpheroModel
public import SpheroTransport

/// A robot in software, as API 1.50 and the recordings describe a Sphero 2.0.
///
/// It keeps its state over connections, like a robot that stays awake.
/// Run `serve` for each connection, one at a time, or once for a listener.
/// What it does is decided by a `RobotModel`; robots that meet each other live in one ``SimulatedWorld``.
public struct SimulatedRobot: Sendable {
  /// What differs from robot to robot.
  public struct Configuration: Sendable {
    /// What the robot itself is like.
    public var model = RobotModel.Configuration()
    /// How long a command is on its way: a slow robot or a slow link. Commands keep their order.
    public var latency: Duration = .zero
    /// Whether falling asleep closes the line, as a real link does, or leaves it silent.
    ///
    /// Who connects while it sleeps finds a silent line where bytes wake it, and sees a hang-up where they do not.
    public var hangsUpToSleep = true
    /// How long after its first client came it falls asleep, whatever it does; nil for never.
    public var napDelay: Duration?
    /// A robot as it comes from the shop.
    public init() {}

    /// The Bluetooth name, at most 16 bytes.
    public var name: String {
      get { model.name }
      set { model.name = newValue }
    }
    /// Bytes that the robot sends first on a connection, like `u>` of the user hack shell.
    public var greeting: [UInt8] {
      get { model.greeting }
      set { model.greeting = newValue }
    }
    /// Whether the version record has 10 bytes, as the document says, or 8, as robots send.
    public var hasLongVersionRecord: Bool {
      get { model.hasLongVersionRecord }
      set { model.hasLongVersionRecord = newValue }
    }
    /// How fast the robot's clock runs, sample clock included: 1 is right, 0.95...1.05 has been seen.
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

  /// What has crossed the line so far.
  public struct Statistics: Sendable, Hashable {
    /// Commands received.
    public var commands: Int
    /// Sensor frames sent.
    public var frames: Int
    /// Sensor packets sent.
    public var packets: Int
    /// Requests for a stream.
    public var streamRequests: Int
  }

  private let number: Int
  private let world: SimulatedWorld

  /// Makes a robot that lies still, awake, alone on its floor.
  ///
  /// - Parameters:
  ///   - configuration: What differs from robot to robot.
  ///   - floor: Where it lies.
  ///   - script: What a hand does with it; its times count from the first bytes that it hears.
  ///   - time: The clock it lives by.
  public init(
    _ configuration: Configuration = Configuration(), on floor: Floor = Floor(),
    script: HandScript = HandScript(), time: any TimeSource = SystemTime()
  ) {
    self.init(number: 0, in: SimulatedWorld([configuration], on: floor, script: script, time: time))
  }

  package init(number: Int, in world: SimulatedWorld) { (self.number, self.world) = (number, world) }

  /// The clock it lives by.
  public var time: any TimeSource { world.time }

  /// Lives at the end of a line until the line ends or the task is cancelled.
  public func serve(_ transport: some Transport) async { await world.serve(transport, number) }

  /// Lives behind a place where clients come to, one after another, until that is closed.
  ///
  /// Between clients its time goes on: it rolls, its programs run, its battery drains.
  ///
  /// - Parameters:
  ///   - listener: Where clients come to.
  ///   - faults: What goes wrong on their lines; it goes on from one line to the next.
  /// - Throws: `CancellationError`; what the listener throws where no client can come any more.
  public func serve(_ listener: some Listener, faults: FaultPlan = FaultPlan()) async throws {
    try await world.serve(listener, number, faults)
  }

  /// What has crossed the line so far.
  public var statistics: Statistics {
    get async {
      let counts = await model.statistics
      return Statistics(
        commands: counts.commands, frames: counts.frames, packets: counts.packets,
        streamRequests: counts.streamRequests)
    }
  }

  /// What the lights show: the colour and the tail light, 0...255.
  public var lights: (red: UInt8, green: UInt8, blue: UInt8, tail: UInt8) {
    get async { await model.lights }
  }

  /// Whether it sleeps: it hears nothing but a knock.
  public var isAsleep: Bool { get async { await model.isAsleep } }

  /// Where the wheels say it is: centimetres to the right and ahead of its start, and degrees clockwise.
  public var place: (x: Double, y: Double, heading: Double) { get async { await model.place } }

  /// Metres a second over the floor.
  public var speed: Double {
    get async {
      let velocity = await model.body.velocity
      return (velocity * velocity).sum().squareRoot()
    }
  }

  /// The robot itself, as it is now.
  public var model: RobotModel {
    get async { await world.robot(number) ?? RobotModel() }
  }

  /// Does what a script says with this robot, from now on, and returns when it is over or the task is cancelled.
  ///
  /// - Parameter script: What a hand does; robots that its lines name are ignored.
  public func perform(_ script: HandScript) async {
    await world.perform(
      HandScript(script.steps.map { HandScript.Step(robot: number, at: $0.time, $0.action) }))
  }

  /// Does something with it: takes it up, shakes it, knocks against it.
  ///
  /// - Parameter body: What is done; it gets the robot and the time.
  public func change(_ body: @escaping @Sendable (inout RobotModel, Duration) -> Void) async {
    await world.change(number, body)
  }
}
