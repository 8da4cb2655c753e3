// The line to a robot over Bluetooth LE on Apple's systems.

#if canImport(CoreBluetooth)
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
    private let waits = ConfirmedLine()
    private let timer = Locked<Task<Void, Never>?>(nil)

    private init(name: String, time: any TimeSource) {
      central = Central(name: name, time: time, waits: waits)
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
        guard try await line.waits.connected.wait() else { throw LinkError.closed }
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
    nonisolated(nonsending) public func read() async throws -> [UInt8]? { try await waits.incoming.receive() }

    /// Sends a packet, and returns when the robot has confirmed it. Calls must not overlap.
    public func write(_ packet: [UInt8]) async throws {
      try await waits.write(packet) { central.send($0) }
    }

    /// Disconnects the robot.
    public func close() async {
      waits.finish()
      timer.withLock { $0?.cancel() }
      central.close()
    }
  }
#endif
