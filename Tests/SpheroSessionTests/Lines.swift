// Lines that listen in, lie or fail, for sessions under test.

import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import Testing

/// A robot and a program on the same virtual clock, with a line between them that is listened to.
struct Game: Sendable {
  let time = VirtualTime()
  let robot: SimulatedRobot
  let tap = Tap()

  init(_ configure: (inout SimulatedRobot.Configuration) -> Void = { _ in }) {
    var configuration = SimulatedRobot.Configuration()
    configure(&configuration)
    robot = SimulatedRobot(configuration, time: time)
  }

  /// Settings under which nothing is sent but what is asked for, in numbers from 1 behind the handshake.
  static let plain: Robot.Settings = {
    var settings = Robot.Settings()
    settings.firstSequence = 255
    settings.stopsOnDisconnect = false
    settings.motionTimeout = nil
    settings.keepAlive = nil
    return settings
  }()

  /// Plays a program against the robot; what crosses the line before it begins is not noted.
  func play<Result: Sendable>(
    settings: Robot.Settings = plain, faults: Faults = Faults(),
    _ body: @escaping @Sendable (Robot) async throws -> Result
  ) async throws -> Result {
    try await time.run {
      let (host, device) = MemoryTransport.pair()
      let life = Task(executorPreference: time) { await robot.serve(device) }
      let line = TappedTransport(host, tap: tap, faults: faults, time: time)
      let result: Swift.Result<Result, any Error>
      do {
        result = .success(
          try await Robot.withRobot(on: line, time: time, settings: settings) { robot in
            await tap.begin()
            await line.begin()
            return try await body(robot)
          })
      } catch {
        result = .failure(error)
      }
      await life.value
      return try result.get()
    }
  }
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

/// What goes wrong on a line.
struct Faults: Sendable {
  /// Bytes that lie in the line before the robot says anything.
  var stray: [UInt8] = []
  /// Pieces that the host reads; nil for as they come.
  var pieceCount: Int?
  /// Which writes of the host are lost, from 0 behind the handshake.
  var lostWrites: Set<Int> = []
  /// Which packets of the robot are lost, by what they are.
  var isLost: (@Sendable (Packet) -> Bool)?
}

/// A line that is listened to, and that fails as told.
final class TappedTransport: Transport {
  private actor State {
    var writes: Int?
    var stray: [UInt8]
    var queue: ArraySlice<UInt8> = []
    var decoder = PacketDecoder(from: .robot)
    init(stray: [UInt8]) { self.stray = stray }

    func begin() { writes = 0 }
    func nextWrite() -> Int? {
      defer { writes = writes.map { $0 + 1 } }
      return writes
    }
    func takeStray() -> [UInt8] {
      defer { stray = [] }
      return stray
    }
    func takePiece(_ count: Int) -> [UInt8] {
      defer { queue = queue.dropFirst(count) }
      return Array(queue.prefix(count))
    }
    func fill(_ bytes: [UInt8]) { queue += bytes }
    func sift(_ bytes: [UInt8], _ isLost: @Sendable (Packet) -> Bool) -> [UInt8] {
      decoder.append(bytes)
      var kept: [UInt8] = []
      while let packet = decoder.next() {
        if !isLost(packet) { kept += (try? packet.encoded()) ?? [] }
      }
      return kept
    }
  }

  private let line: MemoryTransport
  private let tap: Tap
  private let faults: Faults
  private let state: State

  init(_ line: MemoryTransport, tap: Tap, faults: Faults, time: any TimeSource) {
    (self.line, self.tap, self.faults) = (line, tap, faults)
    state = State(stray: faults.stray)
  }

  func read() async throws -> [UInt8]? {
    let stray = await state.takeStray()
    if !stray.isEmpty { return stray }
    while true {
      if let count = faults.pieceCount {
        let piece = await state.takePiece(count)
        if !piece.isEmpty { return piece }
      }
      guard var bytes = try await line.read() else { return nil }
      await tap.read(bytes)
      if let isLost = faults.isLost { bytes = await state.sift(bytes, isLost) }
      guard faults.pieceCount != nil else {
        if bytes.isEmpty { continue }
        return bytes
      }
      await state.fill(bytes)
    }
  }

  func write(_ bytes: [UInt8]) async throws {
    await tap.wrote(bytes)
    if let number = await state.nextWrite(), faults.lostWrites.contains(number) { return }
    line.write(bytes)
  }

  func close() async { line.close() }

  /// Counts writes from now on.
  func begin() async { await state.begin() }
}
