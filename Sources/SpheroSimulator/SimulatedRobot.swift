// A robot in software: it answers, moves, senses and streams behind any transport.

import SpheroProtocol
public import SpheroTransport

/// A robot in software, as API 1.50 and the recordings describe a Sphero 2.0.
///
/// It keeps its state over connections, like a robot that stays awake.
/// Run ``serve(_:)`` for each connection; one at a time.
public actor SimulatedRobot {
  /// What differs from robot to robot.
  public struct Configuration: Sendable {
    /// The Bluetooth name, at most 16 bytes.
    public var name = "Sphero-SIM"
    /// How long a command waits before it is executed: a slow robot or a slow link.
    public var latency: Duration = .zero
    /// Bytes that come first on a connection, like `u>` of the user hack shell.
    public var greeting: [UInt8] = []
    /// Whether the version record has 10 bytes, as the document says, or 8, as robots send.
    public var hasLongVersionRecord = false
    /// How fast the robot's clock runs, sample clock included: 1 is right, 0.95...1.05 has been seen.
    public var clockRate = 1.0
    /// Where the noise of the sensors begins.
    public var seed: UInt64 = 1
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
  }

  /// What has crossed the line so far.
  public private(set) var statistics = Statistics()
  /// What the lights show: the colour and the tail light, 0...255.
  public internal(set) var lights = (red: UInt8(0), green: UInt8(0), blue: UInt8(0), tail: UInt8(0))
  /// The colour that is kept over power cycles.
  var userColor = (red: UInt8(0), green: UInt8(0), blue: UInt8(255))
  var stabilization = Motion.SetStabilization.Mode.on
  var temporaryOptions: Settings.TemporaryOptions = []
  var permanentOptions = Settings.PermanentOptions(rawValue: 0x12)
  var hasPowerNotification = false
  let configuration: Configuration

  private let time: any TimeSource
  private var body: Body
  private var outgoing: Mailbox<[UInt8]>?
  /// Events that a command causes, held until its response is out; nil while no command is being executed.
  private var held: [Packet]?
  private var stream: Stream?
  private var streamTask: Task<Void, Never>?
  private var sleepsSince: Duration?
  private var wakesAt: Duration?
  private var lastActivity: Duration
  private var wokeAt: Duration

  /// A stream as it was asked for, and what is left of it.
  private struct Stream {
    var request: Sensing.SetDataStreaming
    /// Packets still to come, or nil without end.
    var packetsLeft: Int?
  }

  /// The inactivity after which the robot sleeps, and how long before it warns (API 1.50, "Set Inactivity Timeout").
  private static let inactivity = (timeout: Duration.seconds(600), warning: Duration.seconds(10))
  private static let powerPeriod = Duration.seconds(10)

  /// Makes a robot that lies still, awake.
  ///
  /// - Parameters:
  ///   - configuration: What differs from robot to robot.
  ///   - time: The clock it lives by.
  public init(_ configuration: Configuration = Configuration(), time: any TimeSource = SystemTime()) {
    (self.configuration, self.time) = (configuration, time)
    body = Body(at: time.now, seed: configuration.seed)
    lastActivity = time.now
    wokeAt = time.now
  }

  /// Whether it sleeps: it hears nothing but a knock.
  public var isAsleep: Bool { sleepsSince != nil }

  /// Where it is: centimetres to the right and ahead of its start, and degrees clockwise.
  public var place: (x: Double, y: Double, heading: Double) {
    body.advance(to: time.now)
    return (body.position.x * 100, body.position.y * 100, body.heading)
  }

  /// Metres a second.
  public var speed: Double {
    body.advance(to: time.now)
    return body.speed
  }

  /// Lives at the end of a line until the line ends or the task is cancelled.
  public func serve(_ transport: some Transport) async {
    let outgoing = Mailbox<[UInt8]>(capacity: 1024)
    self.outgoing = outgoing
    if !configuration.greeting.isEmpty { outgoing.push([configuration.greeting]) }
    // Packets leave in the order in which they were made, whoever made them.
    let writer = time.start {
      while let packets = try? await outgoing.receive() {
        for packet in packets { try? await transport.write(packet) }
      }
    }
    let housekeeper = time.start { await self.keepHouse() }
    var decoder = PacketDecoder(from: .host)
    while let bytes = try? await transport.read() {
      guard !hasSlept(through: bytes) else { continue }
      decoder.append(bytes)
      while let packet = decoder.next() {
        guard case .command(let command) = packet else { continue }
        if configuration.latency > .zero { try? await time.sleep(for: configuration.latency) }
        answer(command)
      }
    }
    stopStreaming()
    if temporaryOptions.remove(.stopOnDisconnect) != nil { drive(speed: 0) }
    housekeeper.cancel()
    outgoing.finish()
    await writer.value
    self.outgoing = nil
  }

  private func send(_ packet: Packet) {
    // A packet of our own always fits its length field; one that did not would be lost, like on the air.
    if let bytes = try? packet.encoded() { outgoing?.push([bytes]) }
  }

  /// Sends an event; behind the response, where a command causes it.
  func send(_ event: some Event) {
    guard let payload = try? event.payload() else { return }
    let packet = Packet.event(EventPacket(id: type(of: event).id, payload: payload))
    if held == nil { send(packet) } else { held?.append(packet) }
  }

  private func answer(_ command: CommandPacket) {
    statistics.commands += 1
    if command.options.contains(.resetTimeout) { lastActivity = time.now }
    body.advance(to: time.now)
    held = []
    let (status, payload) = respond(to: command)
    if command.options.contains(.answer) {
      send(.response(ResponsePacket(status: status, sequence: command.sequence, payload: payload)))
    }
    for packet in held ?? [] { send(packet) }
    held = nil
  }
}

// What its commands change.
extension SimulatedRobot {
  /// Rolls on the heading it has, or on a new one.
  func drive(speed: UInt8, heading: UInt16? = nil) {
    body.targetSpeed = Double(speed) / 255
    if let heading { body.targetHeading = Double(heading) }
  }

  /// The robot's own clock: milliseconds since it woke.
  var awakeMilliseconds: Int64 {
    let (seconds, attoseconds) = ((time.now - wokeAt) * configuration.clockRate).components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }

  func setHeading(_ degrees: UInt16) { body.setHeading(Double(degrees)) }

  func setStabilization(_ mode: Motion.SetStabilization.Mode) {
    stabilization = mode
    body.isStabilized = mode != .off
    if mode == .on { drive(speed: 0) }
  }

  /// Falls asleep, once the response is out; with a time, wakes by itself.
  func fallAsleep(for seconds: UInt16) {
    sleepsSince = time.now
    wakesAt = seconds == 0 || seconds == .max ? nil : time.now + .seconds(Int(seconds))
    hasPowerNotification = false
    stopStreaming()
    drive(speed: 0)
    lights = (0, 0, 0, 0)
  }

  /// Whether the robot was asleep and these bytes did not wake it.
  ///
  /// A real one is shaken awake; this one takes bytes that come 2 s later for a knock.
  private func hasSlept(through bytes: [UInt8]) -> Bool {
    guard let since = sleepsSince else { return false }
    let isAwake = wakesAt.map { time.now >= $0 } ?? (time.now - since >= .seconds(2))
    if isAwake {
      sleepsSince = nil
      (lastActivity, wokeAt) = (time.now, time.now)
    }
    return !isAwake
  }

  /// Sends power notifications and falls asleep when nobody cares.
  private func keepHouse() async {
    var nextPower = time.now + Self.powerPeriod
    var hasWarned = false
    while (try? await time.sleep(for: .seconds(1))) != nil {
      guard sleepsSince == nil else { continue }
      if time.now >= nextPower {
        nextPower += Self.powerPeriod
        if hasPowerNotification { send(Core.PowerNotification(state: .ok)) }
      }
      let idle = time.now - lastActivity
      if idle >= Self.inactivity.timeout {
        fallAsleep(for: 0)
      } else if idle >= Self.inactivity.timeout - Self.inactivity.warning {
        if !hasWarned { send(Core.PreSleepWarning()) }
        hasWarned = true
      } else {
        hasWarned = false
      }
    }
  }
}

// Its stream.
extension SimulatedRobot {
  /// Starts a stream, replaces it or, where both masks are zero, ends it.
  ///
  /// Where only the count begins anew the rhythm goes on, so that a renewal neither loses nor doubles a frame.
  func startStreaming(_ request: Sensing.SetDataStreaming) {
    statistics.streamRequests += 1
    let packetsLeft = request.packetCount == 0 ? nil : Int(request.packetCount)
    if let running = stream, running.request.hasLayout(of: request), streamTask != nil {
      stream = Stream(request: request, packetsLeft: packetsLeft)
      return
    }
    stopStreaming()
    guard !request.sensorMask.isEmpty else { return }
    stream = Stream(request: request, packetsLeft: packetsLeft)
    streamTask = time.start { await self.pour() }
  }

  private func stopStreaming() {
    streamTask?.cancel()
    streamTask = nil
    stream = nil
  }

  private func pour() async {
    guard let request = stream?.request else { return }
    // The control loop runs at 400 Hz (API 1.50); deadlines are absolute, so that delays do not add up.
    let framePeriod = Duration.microseconds(2_500) * Int(request.divisor) / configuration.clockRate
    var frameTime = time.now
    while let packetsLeft = stream.map({ $0.packetsLeft ?? .max }), packetsLeft > 0 {
      var samples: [Sample] = []
      guard (try? await time.sleep(until: frameTime + framePeriod * Int(request.frames))) != nil else {
        return
      }
      // Asked for something else while it slept.
      guard let current = stream, current.request.hasLayout(of: request), !Task.isCancelled else { return }
      for _ in 0..<request.frames {
        frameTime += framePeriod
        body.advance(to: frameTime)
        samples.append(body.sample(request.sensorMask))
      }
      send(Sensing.SensorData(samples))
      statistics.frames += samples.count
      statistics.packets += 1
      if let left = stream?.packetsLeft { stream?.packetsLeft = left - 1 }
      // After a pause of the whole machine, a robot would not have sent its past either.
      if time.now - frameTime > .seconds(1) { frameTime = time.now }
    }
    // Silently: there is no message at the end.
    streamTask = nil
  }
}

extension Sensing.SetDataStreaming {
  /// Whether both ask for the same frames at the same rate.
  fileprivate func hasLayout(of other: Self) -> Bool {
    divisor == other.divisor && frames == other.frames && sensorMask == other.sensorMask
  }
}
