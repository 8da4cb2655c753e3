// The robot's half of the conversation: bytes and the time go in, bytes and the next deadline come out.

import SpheroOrientation
public import SpheroProtocol

/// The robot's half of the conversation, as a value without clock or line.
///
/// Give it what arrives with ``receive(_:at:)``, let time pass with ``tick(at:)`` by ``nextDeadline`` at the latest,
/// and write what ``takeOutput()`` returns. The same calls give the same bytes;
/// further calls of ``tick(at:)`` between them change nothing.
/// Times are those of any clock that never runs backwards.
///
/// Several robots on one floor live in a ``World``.
public struct RobotModel: Sendable {
  /// What differs from robot to robot.
  public struct Configuration: Sendable {
    /// The kind of robot.
    public var profile = Profile.sphero2
    /// The name that ``Core/GetBluetoothInfo`` gives; 16 bytes of it are told.
    public var name = "Sphero-SIM"
    /// Bytes that the robot sends first on a connection, like `u>` of the user hack shell.
    public var greeting: [UInt8] = []
    /// Whether the version record has 10 bytes, as the document says, or 8, as robots send.
    public var hasLongVersionRecord = false
    /// Where the noise of the sensors and the numbers of `rnd` begin.
    public var seed: UInt64 = 1
    /// How fast the robot's clock runs, sample clock included: 1 is right, 0.95...1.05 has been seen; cut to 0.5...2.
    public var clockRate = 1.0
    /// How full the battery is, 0...1.
    public var charge = 0.7
    /// The gap between a response and the event that its command causes; no document says how long it is.
    public var eventGap = Duration.milliseconds(4)
    /// How quaternion and accelerometer are to be read.
    public var reading = SensorReading.c
    /// How good the sensors are.
    public var errors = SensorErrors()
    /// The options in flash, as a Sphero 2.0 was recorded with them.
    ///
    /// With ``Settings/PermanentOptions/motionTimeouts`` the ball stops 2 s after the last command to drive,
    /// unless ``Motion/SetMotionTimeout`` says otherwise: such a robot needs a roll now and then.
    public var permanentOptions: Settings.PermanentOptions = [.vectorDrive, .motionTimeouts]
    /// Whether bytes wake it; a real one is shaken or taken out of its charger.
    ///
    /// Those of a client that was there when it fell asleep do so after 2 s, those of a later one at once.
    public var wakesByBytes = true
    /// What the request for the stream that is on does, sent again; no document says it.
    public var renewal = StreamRenewal.count
    /// Whether reserved mask bits stream zeros, as on the robots that were recorded, or nothing.
    public var streamsReservedBits = true
    /// Whether a stream goes on when the client goes, as after a crash of a program.
    public var keepsStreaming = false
    /// What it does for commands of your own, of any device; they go before its own, and the last of several with one ID counts.
    public var handlers: [CommandHandler] = []
    /// A robot as it comes from the shop.
    public init() {}
  }

  /// What has crossed the line so far.
  public struct Statistics: Sendable, Hashable {
    /// Commands received.
    public var commands = 0
    /// Sensor frames sent.
    public var frames = 0
    /// Sensor packets sent.
    public var packets = 0
    /// Requests for a stream.
    public var streamRequests = 0
    /// Commands with a wrong checksum.
    public var badChecksums = 0
    /// Commands for a device that there is not.
    public var badDevices = 0
    /// Commands that are not known.
    public var badCommands = 0
    /// Commands of the wrong length.
    public var badLengths = 0
  }

  /// A sleep: when it began, when it ends, and what runs then.
  struct Nap: Sendable {
    var since: Duration
    var ends: Duration?
    /// Whether a client has come since, whose bytes wake it at once where bytes do.
    var isVisited = false
    var macro: UInt8 = 0
    var line: UInt16 = 0
  }

  /// What differs from robot to robot.
  public let configuration: Configuration
  /// What has crossed the line so far.
  public internal(set) var statistics = Statistics()
  var machine: Machine
  var macros = MacroExecutive()
  var orbBasic: OrbBasicInterpreter
  var soul: SoulStore
  var stream: SensorStream?
  var input = LineInput()
  var levelling: Levelling?
  var nap: Nap?
  /// The time of the last ``Core/Sleep`` command, for macros that ask for it.
  var commandedNap: UInt16 = 0
  /// Whether the bootloader answers instead of the main application.
  var isInBootloader = false
  var lastActivity: Duration
  var hasWarnedOfSleep = false
  var criticalSince: Duration?
  var nextBatteryCheck: Duration
  var hasGyroLimit = true
  /// Milliseconds that the client added to the clock.
  var clockOffset: UInt32 = 0
  var wokeAt: Duration

  private let start: Duration
  /// Ticks of the control loop that are over, by the robot's own clock.
  var tick: Int64 = 0
  /// Steps of the body that are over.
  private var steps: Int64 = 0

  /// Makes a robot that lies still, awake.
  ///
  /// - Parameters:
  ///   - configuration: What differs from robot to robot.
  ///   - floor: Where it lies.
  ///   - index: Which of the floor's starting places it takes.
  ///   - now: The time.
  public init(
    _ configuration: Configuration = Configuration(), on floor: Floor = Floor(), index: Int = 0,
    at now: Duration = .zero
  ) {
    let places = floor.starts(for: max(index, 0) + 1)
    self.init(configuration, on: floor, startingAt: places[max(index, 0)], at: now)
  }

  init(_ configuration: Configuration, on floor: Floor, startingAt place: Planar, at now: Duration) {
    var configuration = configuration
    let rate = configuration.clockRate
    configuration.clockRate = rate.isFinite ? min(max(rate, 0.5), 2) : 1
    self.configuration = configuration
    machine = Machine(
      now: now, body: Body(at: place), floor: floor,
      battery: Battery(charge: configuration.charge, at: now), thermometer: Thermometer(at: now),
      senses: Senses(
        seed: configuration.seed, errors: configuration.errors, reading: configuration.reading,
        hasQuaternion: configuration.profile.hasQuaternion),
      settings: SettingsStore(
        name: configuration.name, permanentOptions: configuration.permanentOptions))
    orbBasic = OrbBasicInterpreter(seed: configuration.seed)
    soul = SoulStore(seed: UInt32(truncatingIfNeeded: configuration.seed &* 2_654_435_761))
    (start, wokeAt, lastActivity) = (now, now, now)
    nextBatteryCheck = now + Self.batteryPeriod
  }

  static let batteryPeriod = Duration.seconds(10)
  private static let stepLength = Duration.microseconds(2_500)

  // MARK: Conversation

  /// Takes bytes that arrive.
  public mutating func receive(_ bytes: [UInt8], at now: Duration) {
    tick(at: now)
    machine.now = max(machine.now, now)
    guard machine.isConnected, !sleepsThrough(bytes) else { return }
    input.append(bytes, at: machine.now)
    answerAll()
  }

  /// Lets time pass; what is due until then happens, in its order.
  public mutating func tick(at now: Duration) {
    while nextStepTime <= now {
      if isResting { skipSteps(to: now) }
      beginStep()
      endStep()
    }
    think(until: now)
  }

  /// The next time at which it has something to do by itself, or nil where it waits for bytes alone.
  public var nextDeadline: Duration? { nextBusyTick.map(time(ofTick:)) }

  /// Takes what it sends, in the order of the line.
  public mutating func takeOutput() -> [OutputPiece] { machine.output.take() }

  // MARK: Time

  /// Whether a step of the body would change nothing.
  var isResting: Bool { machine.isResting }

  private func time(ofStep step: Int64) -> Duration { start + Self.stepLength * step }

  private func time(ofTick tick: Int64) -> Duration {
    if configuration.clockRate == 1 { return start + Self.stepLength * tick }
    return start + Duration(seconds: Double(tick) * Body.stepLength / configuration.clockRate)
  }

  /// The first tick at a time or after it.
  private func tick(at deadline: Duration, after tick: Int64) -> Int64 {
    let estimate = (deadline - start).seconds * configuration.clockRate / Body.stepLength
    var found = max(tick + 1, Int64(min(estimate.rounded(.down), 1e15)))
    while time(ofTick: found) < deadline { found += 1 }
    return found
  }

  /// How many ticks the robot's clock has counted at a time, in its milliseconds.
  var clock: UInt32 {
    let awake = machine.now - wokeAt
    // Whole milliseconds, which a product of floating-point numbers may miss by one.
    if configuration.clockRate == 1 { return clockOffset &+ UInt32(truncatingIfNeeded: awake.milliseconds) }
    let count = awake.seconds * 1_000 * configuration.clockRate
    return clockOffset &+ UInt32(truncatingIfNeeded: Int64(min(max(count, 0), 9e18)))
  }

  /// The steps of the body that lie before a time, as far as they can be skipped.
  mutating func skipSteps(to now: Duration) {
    let until = nextBusyTick.map { min(time(ofTick: $0), now) } ?? now
    let whole = Int64(((until - start).seconds / Body.stepLength).rounded(.down))
    if steps < whole - 1 { steps = whole - 1 }
  }

  /// Moves the body by a step, once all is done that is due before.
  mutating func beginStep() {
    // Only another clock ticks between two steps.
    if configuration.clockRate != 1 { think(until: nextStepTime - .nanoseconds(1)) }
    steps += 1
    machine.now = max(machine.now, time(ofStep: steps))
    machine.moveBody()
  }

  /// Does what is due until the end of the step.
  mutating func endStep() { think(until: time(ofStep: steps)) }

  /// The time of the next step.
  var nextStepTime: Duration { time(ofStep: steps + 1) }

  /// Seconds since the last step of the body.
  var ahead: Double { max(0, (machine.now - time(ofStep: steps)).seconds) }

  /// Does what is due on the ticks until a time.
  mutating func think(until now: Duration) {
    while let busy = nextBusyTick, time(ofTick: busy) <= now {
      tick = busy
      machine.now = max(machine.now, time(ofTick: busy))
      work()
      machine.updateEffort()
    }
    let latest = tick(at: now, after: tick - 1)
    tick = max(tick, time(ofTick: latest) > now ? latest - 1 : latest)
  }

  /// The next tick on which something is to be done.
  private var nextBusyTick: Int64? {
    if needsEveryTick { return tick + 1 }
    var next: Int64?
    if let stream, nap == nil, !stream.isOver { next = stream.nextTick(after: tick) }
    if let timer = nextTimer { next = min(next ?? .max, tick(at: timer, after: tick)) }
    return next
  }
}
