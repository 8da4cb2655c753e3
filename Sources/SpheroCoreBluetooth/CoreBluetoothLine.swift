// The line to a robot over Bluetooth LE on Apple's systems.

#if canImport(CoreBluetooth)
  import SpheroBluetooth
  import SpheroSystem
  public import SpheroTransport

  /// The line to an Ollie, BB-8 or SPRK+ over CoreBluetooth.
  ///
  /// An app needs `NSBluetoothAlwaysUsageDescription` in its Info.plist. The line was type-checked with declarations from
  /// Apple's documentation; it has been neither built nor run on Apple's systems.
  public final class CoreBluetoothLine: Transport {
    /// The interval between checks of the link's deadlines, which are seconds long.
    private static let checkInterval = Duration.milliseconds(250)

    private let central: Central
    private let incoming: Mailbox<UInt8>
    private let connected: AutoResetEvent
    private let writes: ConfirmedWrites
    private let timer = Locked<Task<Void, Never>?>(nil)

    private init(name: String, time: any TimeSource) {
      let incoming = Mailbox<UInt8>(capacity: 1 << 20)
      let (connected, writes) = (AutoResetEvent(), ConfirmedWrites())
      (self.incoming, self.connected, self.writes) = (incoming, connected, writes)
      central = Central(name: name, time: time) { event in
        switch event {
        case .connected: connected.signal()
        case .sent: writes.confirm()
        case .received(let bytes): incoming.push(bytes)
        case .ended(let error):
          connected.finish(throwing: error)
          writes.finish(throwing: error)
          incoming.finish(throwing: error)
        }
      }
    }

    /// Connects a robot by the name that it advertises, such as `BB-D911`; CoreBluetooth hides addresses.
    ///
    /// - Parameters:
    ///   - name: The name, which begins with 2B-, BB-, SK- or 1C-.
    ///   - time: The clock for the waits.
    /// - Returns: The open line, after the handshake of the link.
    /// - Throws: `LinkError.bluetooth(_:reason:advice:isTransient:)` if Bluetooth is off or forbidden, or if the robot is
    ///   absent or refuses the connection; `CancellationError`.
    public static func connect(
      toRobotNamed name: String, time: some TimeSource = SystemTime()
    ) async throws -> CoreBluetoothLine {
      let line = CoreBluetoothLine(name: name, time: time)
      line.start(time)
      do {
        guard try await line.connected.wait() else { throw LinkError.closed }
        return line
      } catch {
        await line.close()
        throw error
      }
    }

    private func start(_ time: some TimeSource) {
      central.start()
      timer.withLock { timer in
        timer = time.start { [weak central] in
          while !Task.isCancelled {
            do { try await time.sleep(for: Self.checkInterval) } catch { return }
            guard let central else { return }
            central.advance()
          }
        }
      }
    }

    /// Waits for bytes from the robot; returns nil after ``close()``.
    nonisolated(nonsending) public func read() async throws -> [UInt8]? { try await incoming.receive() }

    /// Sends a packet, and returns when the robot has confirmed it. Calls must not overlap.
    public func write(_ packet: [UInt8]) async throws {
      guard !packet.isEmpty else { return }
      try await writes.write { central.send(packet) }
    }

    /// Disconnects the robot.
    public func close() async {
      connected.finish()
      writes.finish()
      incoming.finish()
      timer.withLock { $0?.cancel() }
      central.close()
    }
  }
#endif
