// A robot, a program and a line between them with faults, on one virtual clock; and who listens in.

import SpheroModel
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport

/// A robot and a program on the same virtual clock, with a line between them that is listened to.
struct Game: Sendable {
  let time = VirtualTime()
  let robot: SimulatedRobot
  let tap = Tap()

  init(on floor: Floor = Floor(), _ configure: (inout SimulatedRobot.Configuration) -> Void = { _ in }) {
    var configuration = SimulatedRobot.Configuration()
    configure(&configuration)
    robot = SimulatedRobot(configuration, on: floor, time: time)
  }

  /// Settings under which nothing is sent but what is asked for, in numbers from 1 after the handshake.
  static let plain: Robot.Settings = {
    var settings = Robot.Settings()
    settings.firstSequence = 158
    settings.stopsOnDisconnect = false
    settings.motionTimeout = nil
    settings.keepAlive = nil
    return settings
  }()

  /// How fast the ball rolls once all that was under way is over, in m/s: free, it slows down by 0.15 m/s each second.
  var speedLater: Double {
    get async throws {
      try await time.run { try await time.sleep(for: .seconds(20)) }
      return await robot.speed
    }
  }

  /// Plays a program against the robot over a line with faults; what crosses it before it begins is not noted.
  ///
  /// `wrap` gets the line as the robot's owner sees it.
  func play<Result: Sendable>(
    faults: [Fault] = [], seed: UInt64 = 1, settings: Robot.Settings = plain,
    wrap: @escaping @Sendable (any Transport) -> any Transport = { $0 },
    _ body: @escaping @Sendable (Robot) async throws -> Result
  ) async throws -> Result {
    try await time.run {
      let (host, device) = MemoryTransport.pair()
      let life = Task(executorPreference: time) { await robot.serve(device) }
      let faulty = FaultyTransport(host, plan: FaultPlan(faults, seed: seed), time: time)
      let result: Swift.Result<Result, any Error>
      do {
        result = .success(
          try await Robot.withRobot(
            on: wrap(TappedTransport(line: faulty, tap: tap)), time: time, settings: settings
          ) { robot in
            await tap.begin()
            return try await body(robot)
          })
      } catch { result = .failure(error) }
      await faulty.close()
      device.close()
      await life.value
      return try result.get()
    }
  }
}

/// A line whose packets are noted as the host sees them.
struct TappedTransport: Transport {
  let line: any Transport
  let tap: Tap
  func read() async throws -> [UInt8]? {
    let bytes = try await line.read()
    if let bytes { await tap.read(bytes) }
    return bytes
  }
  func write(_ bytes: [UInt8]) async throws {
    await tap.wrote(bytes)
    try await line.write(bytes)
  }
  func close() async { await line.close() }
}

/// A line that loses all bytes for a while, in one direction or in both.
struct SilencedTransport: Transport {
  enum Loss: Sendable { case reads, writes, both }

  let line: any Transport
  let time: VirtualTime
  let silence: Range<Duration>
  let loss: Loss

  init(line: any Transport, time: VirtualTime, silence: Range<Duration>, _ loss: Loss) {
    (self.line, self.time, self.silence, self.loss) = (line, time, silence, loss)
  }

  func read() async throws -> [UInt8]? {
    while let bytes = try await line.read() {
      if loss == .writes || !silence.contains(time.now) { return bytes }
    }
    return nil
  }
  func write(_ bytes: [UInt8]) async throws {
    if loss == .reads || !silence.contains(time.now) { try await line.write(bytes) }
  }
  func close() async { await line.close() }
}

/// What crossed a line, as packets.
actor Tap {
  private(set) var commands: [CommandPacket] = []
  private(set) var sensorWords: [[Int16]] = []
  private var fromHost = PacketDecoder(from: .host)
  private var fromRobot = PacketDecoder(from: .robot)
  private var mask: SensorMask = []

  /// Forgets what crossed the line so far.
  func begin() { (commands, sensorWords) = ([], []) }

  func wrote(_ bytes: [UInt8]) {
    fromHost.append(bytes)
    while case .command(let command)? = fromHost.next() {
      commands.append(command)
      if let request = try? Sensing.SetDataStreaming(request: command.payload),
        command.id == Sensing.SetDataStreaming.id,
        !request.sensorMask.isEmpty
      {
        mask = request.sensorMask
      }
    }
  }

  func read(_ bytes: [UInt8]) {
    fromRobot.append(bytes)
    while let packet = fromRobot.next() {
      guard case .event(let event) = packet, event.id == Sensing.SensorData.id else { continue }
      sensorWords += Sample.samples(in: event.payload, mask: mask)?.map(\.rawWords) ?? []
    }
  }
}
