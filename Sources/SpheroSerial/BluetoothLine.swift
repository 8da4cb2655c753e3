// The line to a robot over Bluetooth LE: an attribute client on a socket that preserves packet boundaries.

import SpheroBluetooth
import SpheroLibc
import SpheroSystem
public import SpheroTransport

/// The line to an Ollie, BB-8 or SPRK+ over Bluetooth LE, on the kernel's L2CAP socket (Linux).
///
/// A write returns when the robot has confirmed the packet, so a session sends its newest set-point, not a queued one.
/// It has not been tested with a robot.
public final class BluetoothLine: Transport {
  /// The maximum duration of a connection attempt with one type of address; the kernel's own limit is 40 s.
  static let connectTimeout = Duration.seconds(8)

  private let line: DescriptorLine
  private let lock: AbstractSocketLock?
  private let time: any TimeSource
  private let client: Locked<AttributeClient>
  /// The client accepts a packet only after the robot has confirmed the previous one.
  private let waits: ConfirmedLine
  private let outgoing = Mailbox<[UInt8]>(capacity: 1 << 10)
  private let tasks = Locked<[Task<Void, Never>]>([])

  private init(_ line: DescriptorLine, _ lock: AbstractSocketLock?, port: String, time: any TimeSource) {
    (self.line, self.lock, self.time, waits) = (line, lock, time, ConfirmedLine(port: port))
    client = Locked(AttributeClient(at: time.now))
  }

  /// Connects a robot by its Bluetooth address; requires no privileges.
  ///
  /// An address may be public or random; the other type is tried if the more likely one gets no answer.
  /// Among the programs that use this package, one at a time holds an address; with a takeover, the holder is interrupted.
  ///
  /// - Throws: `LinkError`, `LinkError.bluetooth(_:reason:advice:isTransient:)` if the robot refuses or is connected already;
  ///   `CancellationError`.
  public static func connect(
    to address: BluetoothAddress, takeover: Takeover? = nil, time: some TimeSource = SystemTime()
  ) async throws -> BluetoothLine {
    let port = "\(Port.lowEnergy(address))"
    let lock = try await StreamSocket.acquire(
      address, for: port, retryPolicy: .init(), takeover: takeover, time: time)
    do {
      return try await connect(to: address, isRandom: address.isLikelyRandom, lock, port, time)
    } catch LinkError.timedOut, LinkError.hostDown {
      return try await connect(to: address, isRandom: !address.isLikelyRandom, lock, port, time)
    }
  }

  /// Connects a robot through a local socket that carries packets of the Attribute Protocol, such as an emulator's.
  ///
  /// The path has at most 107 bytes. Otherwise as ``connect(to:takeover:time:)``.
  public static func connect(
    toSocket path: String, takeover: Takeover? = nil, time: some TimeSource = SystemTime()
  ) async throws -> BluetoothLine {
    let port = "ble:" + path
    try await StreamSocket.release(port, takeover: takeover, time: time)
    let line = try await StreamSocket.connectOnce(
      to: .local(path: path), named: port, until: time.now + connectTimeout, time: time)
    return try await connect(over: line, port: port, time: time)
  }

  private static func connect(
    to address: BluetoothAddress, isRandom: Bool, _ lock: AbstractSocketLock, _ port: String,
    _ time: some TimeSource
  ) async throws -> BluetoothLine {
    let line: DescriptorLine
    do {
      line = try await StreamSocket.connectOnce(
        to: .lowEnergy(address, isRandom: isRandom), named: port, until: time.now + connectTimeout,
        time: time)
    } catch LinkError.busy {
      throw LinkError.bluetooth(
        port, reason: "the system or another program is connected to the robot",
        advice: "Run 'bluetoothctl disconnect \(address)', then try again.", isTransient: true)
    }
    return try await connect(over: line, lock, port: port, time: time)
  }

  /// Performs the handshake over a socket, which it owns and which preserves packet boundaries.
  package static func connect(
    over line: DescriptorLine, _ lock: AbstractSocketLock? = nil, port: String, time: any TimeSource
  ) async throws -> BluetoothLine {
    let link = BluetoothLine(line, lock, port: port, time: time)
    link.start()
    do {
      try await link.waits.waitForConnection()
      return link
    } catch {
      await link.close()
      throw error
    }
  }

  private func start() {
    let (line, outgoing) = (line, outgoing)
    let reader = time.start { [weak self] in
      do {
        while let chunks = try await line.readChunks() {
          for chunk in chunks { self?.update { $0.receive(chunk.bytes, at: $1) } }
        }
      } catch {}
      self?.update { client, _ in client.disconnect() }
    }
    let writer = time.start { [weak self] in
      do {
        while let packets = try await outgoing.receive() {
          for packet in packets { try await line.write(packet) }
        }
      } catch { self?.update { client, _ in client.disconnect() } }
    }
    let timer = ConfirmedLine.startTimer(time) { [weak self] in
      self?.update { $0.advance(to: $1) } != nil
    }
    tasks.withLock { $0 = [reader, writer, timer] }
    update { _, _ in }
  }

  private func update(_ change: (inout AttributeClient, Duration) -> Void) {
    let now = time.now
    let (packets, events) = client.withLock { client in
      change(&client, now)
      return (client.takeOutput(), client.takeEvents())
    }
    outgoing.push(packets)
    waits.process(events)
    // Nothing is sent after the end; the writer must not keep the socket open.
    if waits.incoming.hasEnded { outgoing.finish() }
  }

  /// Returns the next bytes of the robot, or nil after ``close()``; throws the error that ended the link.
  nonisolated(nonsending) public func read() async throws -> [UInt8]? { try await waits.incoming.receive() }

  /// Sends a packet, and returns when the robot has confirmed it. Calls must not overlap.
  public func write(_ packet: [UInt8]) async throws {
    try await waits.write(packet) { packet in update { $0.send(packet, at: $1) } }
  }

  /// Closes the socket, which disconnects the robot.
  public func close() async {
    _ = await line.drain()
    waits.finish()
    outgoing.finish()
    for task in tasks.withLock({ $0 }) { task.cancel() }
    line.end()
    lock?.release()
  }
}
