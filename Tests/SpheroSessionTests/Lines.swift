// A robot, a program and a recorded line with faults, on one virtual clock.

import SpheroModel
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport

/// A robot and a program on the same virtual clock, with a recorded line between them.
struct Game: Sendable {
  let time = VirtualTime()
  let robot: SimulatedRobot
  let tap = Tap()

  init(on floor: Floor = Floor(), _ configure: (inout SimulatedRobot.Configuration) -> Void = { _ in }) {
    var configuration = SimulatedRobot.Configuration()
    configure(&configuration)
    robot = SimulatedRobot(configuration, on: floor, time: time)
  }

  /// Settings without commands of the session's own, with sequence numbers from 1 after the handshake.
  static let plain: Robot.Settings = {
    var settings = Robot.Settings()
    settings.firstSequence = 158
    settings.stopsOnDisconnect = false
    settings.motionTimeout = nil
    settings.keepAlive = nil
    return settings
  }()

  /// The final speed of the ball in m/s; without drive it decelerates by 0.15 m/s each second.
  var speedLater: Double {
    get async throws {
      try await time.run { try await time.sleep(for: .seconds(20)) }
      return await robot.speed
    }
  }

  /// Runs a program with the robot over a line with faults; the bytes before its start are not recorded.
  ///
  /// `wrap` receives the host's end of the line.
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

/// A line that records the packets at the host's end.
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

/// A line that loses all bytes for a time, in one direction or both.
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

/// The packets on a line.
actor Tap {
  private(set) var commands: [CommandPacket] = []
  private(set) var sensorWords: [[Int16]] = []
  private var fromHost = PacketDecoder(from: .host)
  private var fromRobot = PacketDecoder(from: .robot)
  private var mask: SensorMask = []

  /// Discards the packets so far.
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
