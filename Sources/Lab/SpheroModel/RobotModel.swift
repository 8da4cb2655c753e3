// The robot's half of the conversation: its state, its bytes and its time.

import SpheroOrientation
public import SpheroProtocol

/// The robot's half of the conversation, as a value without clock or line.
///
/// Begin with ``connect(at:)``, since a robot without a client ignores bytes; pass received bytes to ``receive(_:at:)``, call ``tick(at:)`` by ``nextDeadline``,
/// and write the result of ``takeOutput()`` after each of them. Times are those of any monotonic clock.
/// The same calls produce the same bytes; additional calls of ``tick(at:)`` between them change nothing.
public struct RobotModel: Sendable {
  /// The properties of one robot.
  public struct Configuration: Sendable {
    /// The kind of robot.
    public var profile = Profile.sphero2
    /// The name in `Core.GetBluetoothInfo`, which carries at most 16 bytes.
    public var name = "Sphero-SIM"
    /// The first bytes of each connection, such as `u>` of the user hack shell.
    public var greeting: [UInt8] = []
    /// Whether the version record has 10 bytes, as in the document, or 8, as recorded robots send.
    public var hasLongVersionRecord = false
    /// The seed of the noise and the offsets of the sensors, of `rnd`, and of the password of the soul block.
    public var seed: UInt64 = 1
    /// The rate of the robot's clock and of its samples, clamped to 0.5...2; recorded robots have 0.95...1.05.
    public var clockRate = 1.0
    /// The charge of the battery, 0...1.
    public var charge = 0.7
    /// The gap between a response and the event that its command causes; the documents do not define it.
    public var eventGap = Duration.milliseconds(4)
    /// The axes of quaternion and sensors.
    public var sensorAxes = SensorAxes.c
    /// The errors of gyroscope and accelerometer.
    public var errors = SensorErrors()
    /// The options in flash; the default is that of a recorded Sphero 2.0.
    public var permanentOptions: Settings.PermanentOptions = [.vectorDrive, .motionTimeouts]
    /// Whether bytes wake the robot, unless it sleeps for a set time; a real one is shaken or taken out of its charger.
    /// Bytes of the client that was connected when it fell asleep wake it after 2 s at the earliest.
    public var wakesByBytes = true
    /// The effect of a repeated stream request; the documents do not define it.
    public var renewal = StreamRenewal.count
    /// Whether reserved mask bits stream zeros, as recorded robots do, or nothing.
    public var streamsReservedBits = true
    /// Whether a stream continues for the next client, as that of a real robot does.
    public var keepsStreaming = false
    /// Whether motors that are off measure only backward motion once a command has driven them: locator and back EMF
    /// then miss a push ahead. Observed on an Ollie (Sphero-Android-SDK, issue 17).
    public var missesForwardPushes = false
    /// The Bluetooth address in `Core.GetBluetoothInfo`, 12 hexadecimal digits; nil for that of ``profile``.
    public var address: String?
    /// Additional handlers, for any device; the last one with an ID takes precedence, also over the built-in one.
    public var handlers: [CommandHandler] = []

    public init() {}

    var reportedAddress: String { address ?? profile.address }
  }

  /// Counters since the model was created.
  public struct Statistics: Sendable, Hashable {
    public var commands = 0
    public var frames = 0
    public var packets = 0
    public var streamRequests = 0
    /// Commands with a wrong checksum.
    public var badChecksums = 0
    /// Commands for an unknown device.
    public var badDevices = 0
    /// Unknown commands for a known device.
    public var badCommands = 0
    /// Commands of a wrong length.
    public var badLengths = 0
  }

  /// The configuration at the start.
  public let configuration: Configuration
  /// The counts of packets and refusals since the start.
  public internal(set) var statistics = Statistics()
  var hardware: Hardware
  var macros = MacroExecutive()
  var orbBasic: OrbBasicInterpreter
  var soul: SoulStore
  var stream: SensorStream?
  var input = LineInput()
  var remarks: [TimedRobotRemark] = []
  var levelling: Levelling?
  /// The wake-up time of the last `Core.Sleep` command, which macros may use.
  var commandedNap: UInt16 = 0
  var isInBootloader = false
  var lastActivity: Duration
  var hasWarnedOfSleep = false
  var criticalSince: Duration?
  /// The time up to which charge and temperature are computed.
  var batteryUpdated: Duration
  /// Whether the next excessive rate is reported as `Sensing.GyroLimit`.
  var isGyroLimitArmed = true
  /// The setting of `Core.AssignTime` in milliseconds.
  var clockOffset: UInt32 = 0
  var wokeAt: Duration

  private let start: Duration
  /// The completed ticks of the control loop, one every 2.5 ms of the robot's clock.
  var tick: Int64 = 0
  /// The completed steps of the body, one every 2.5 ms of the caller's clock.
  private var steps: Int64 = 0

  /// Creates an awake robot at rest, on the first of the floor's starting places.
  public init(
    _ configuration: Configuration = Configuration(), on floor: Floor = Floor(), at now: Duration = .zero
  ) {
    let floor = floor.bounded
    self.init(configuration, on: floor, startingAt: floor.starts(for: 1)[0], at: now)
  }

  init(_ configuration: Configuration, on floor: Floor, startingAt place: Planar, at now: Duration) {
    var configuration = configuration
    let rate = configuration.clockRate
    configuration.clockRate = rate.isFinite ? min(max(rate, 0.5), 2) : 1
    configuration.eventGap = min(max(configuration.eventGap, .zero), .seconds(60))
    self.configuration = configuration
    hardware = Hardware(
      now: now, body: Body(at: place), floor: floor,
      locator: Locator(axes: configuration.profile.traits.locatorAxes, at: place),
      battery: Battery(charge: configuration.charge, voltage: configuration.profile.batteryVoltage),
      senses: Senses(
        seed: configuration.seed, errors: configuration.errors, axes: configuration.sensorAxes,
        hasQuaternion: configuration.profile.hasQuaternion),
      settings: SettingsStore(
        name: configuration.name, permanentOptions: configuration.permanentOptions),
      missesForwardPushes: configuration.missesForwardPushes)
    orbBasic = OrbBasicInterpreter(seed: configuration.seed)
    soul = SoulStore(seed: UInt32(truncatingIfNeeded: configuration.seed &* 2_654_435_761))
    (start, wokeAt, lastActivity, batteryUpdated) = (now, now, now, now)
  }

  static let batteryPeriod = Duration.seconds(10)
  private static let stepLength = Duration.microseconds(2_500)

  // MARK: Conversation

  public mutating func receive(_ bytes: [UInt8], at now: Duration) {
    advance(to: now)
    guard hardware.isConnected, !sleepsThroughBytes() else { return }
    input.append(bytes, at: hardware.now)
    answerAll()
  }

  /// Advances the time; pending actions run in order.
  public mutating func tick(at now: Duration) {
    while nextStepTime <= now {
      if hardware.isResting { skipSteps(to: now) }
      beginStep()
      endStep()
    }
    runTicks(until: now)
  }

  /// The time of the next pending action, or nil if the robot waits only for bytes.
  public var nextDeadline: Duration? {
    // Not `map`, whose closure would copy the whole robot.
    if let busy = nextBusyTick { time(ofTick: busy) } else { nil }
  }

  /// Removes and returns the pending output, in order.
  public mutating func takeOutput() -> [OutputPiece] {
    defer { hardware.output.pieces = [] }
    return hardware.output.pieces
  }

  /// How much later than scheduled the last piece of output was written; the owner of a slow line sets it, so that a
  /// program inside the robot waits for the line before it prints more.
  public var outputLateness: Duration {
    get { hardware.output.lateness }
    set { hardware.output.lateness = newValue }
  }

  // MARK: Time

  /// Advances the time, and makes it the time of the external event that follows.
  mutating func advance(to now: Duration) {
    tick(at: now)
    hardware.now = max(hardware.now, now)
  }

  private func time(ofStep step: Int64) -> Duration { start + Self.stepLength * step }

  private func time(ofTick tick: Int64) -> Duration {
    if configuration.clockRate == 1 { return start + Self.stepLength * tick }
    return start + Duration(seconds: Double(tick) * Body.stepLength / configuration.clockRate)
  }

  /// Returns the first tick at or after a time that follows `tick`.
  private func firstTick(at deadline: Duration, after tick: Int64) -> Int64 {
    let estimate = (deadline - start).inSeconds * configuration.clockRate / Body.stepLength
    var found = max(tick + 1, Int64(min(estimate.rounded(.down), 1e15)))
    while time(ofTick: found) < deadline { found += 1 }
    return found
  }

  /// The robot's clock in milliseconds since wake-up, plus the offset that the client has set.
  var clock: UInt32 {
    let awake = hardware.now - wokeAt
    // Integer arithmetic: a product of floating-point numbers may be off by one.
    if configuration.clockRate == 1 {
      return clockOffset &+ UInt32(truncatingIfNeeded: awake.wholeMilliseconds)
    }
    let count = awake.inSeconds * 1_000 * configuration.clockRate
    return clockOffset &+ UInt32(truncatingIfNeeded: Int64(min(max(count, 0), 9e18)))
  }

  /// Skips the steps of a resting body before a time, up to the next busy tick.
  mutating func skipSteps(to now: Duration) {
    let until = min(nextDeadline ?? now, now)
    steps = max(steps, Int64(((until - start).inSeconds / Body.stepLength).rounded(.down)) - 1)
  }

  /// Runs the pending ticks, then moves the body by a step.
  mutating func beginStep() {
    // Ticks lie between steps only if the robot's clock runs at another rate.
    if configuration.clockRate != 1 { runTicks(until: nextStepTime - .nanoseconds(1)) }
    steps += 1
    hardware.now = max(hardware.now, time(ofStep: steps))
    hardware.moveBody()
  }

  mutating func endStep() {
    remarkOnImpact()
    runTicks(until: time(ofStep: steps))
  }

  var nextStepTime: Duration { time(ofStep: steps + 1) }

  /// Seconds since the last step of the body.
  var timeSinceStep: Double { max(0, (hardware.now - time(ofStep: steps)).inSeconds) }

  mutating func runTicks(until now: Duration) {
    while let busy = nextBusyTick, time(ofTick: busy) <= now {
      tick = busy
      hardware.now = max(hardware.now, time(ofTick: busy))
      runTick()
      hardware.updateEffort()
    }
    let latest = firstTick(at: now, after: tick - 1)
    tick = max(tick, time(ofTick: latest) > now ? latest - 1 : latest)
  }

  private var nextBusyTick: Int64? {
    if needsEveryTick { return tick + 1 }
    var next: Int64?
    if let stream, !isAsleep { next = stream.nextTick(after: tick) }
    if let timer = nextTimer { next = min(next ?? .max, firstTick(at: timer, after: tick)) }
    return next
  }
}
