// The line to a robot over Bluetooth LE on Apple's systems, by a delegate of CoreBluetooth.

#if canImport(CoreBluetooth)
  import CoreBluetooth
  import Dispatch
  import SpheroBluetooth
  import SpheroSerial
  import SpheroSystem
  public import SpheroTransport

  /// Finds one robot by its name, connects it, and performs the operations of its `BluetoothLink`.
  ///
  /// It is `Sendable`, because all properties are used on its serial queue only, on which CoreBluetooth calls it.
  private final class Central: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    private let queue = DispatchQueue(label: "sphero.bluetooth")
    private let name: String
    private let time: any TimeSource
    private let waits: ConfirmedLine
    private var manager: CBCentralManager?
    private var peripheral: CBPeripheral?
    private var characteristics: [RobotCharacteristic: CBCharacteristic] = [:]
    /// The services whose characteristics are not listed yet.
    private var pendingServices = 0
    /// Nil until Bluetooth is on, since the user may have to permit it first.
    private var link: BluetoothLink?
    /// A piece that waits until the radio accepts it.
    private var waitingPiece: (bytes: [UInt8], characteristic: CBCharacteristic)?

    init(name: String, time: any TimeSource, waits: ConfirmedLine) {
      (self.name, self.time, self.waits) = (name, time, waits)
    }

    func start() {
      queue.async { self.manager = CBCentralManager(delegate: self, queue: self.queue) }
    }

    func send(_ packet: [UInt8]) { queue.async { self.change { $0.send(packet, at: $1) } } }

    /// Sends a piece that the radio accepts by now, and ends the link if it is overdue.
    func advance() {
      queue.async {
        self.sendWaitingPiece()
        self.change { $0.advance(to: $1) }
      }
    }

    func close() {
      queue.async {
        if let peripheral = self.peripheral { self.manager?.cancelPeripheralConnection(peripheral) }
        self.manager?.stopScan()
        (self.manager, self.peripheral, self.link) = (nil, nil, nil)
      }
    }

    // MARK: The link

    /// Changes the link, performs its operations and reports its events; call it on the queue.
    private func change(_ change: (inout BluetoothLink, Duration) -> Void) {
      guard var link else { return }
      change(&link, time.now)
      while let operation = link.takeOperation() { perform(operation, &link) }
      let events = link.takeEvents()
      self.link = link
      waits.process(events)
    }

    private func end(_ reason: String, _ advice: String) {
      waits.finish(throwing: .bluetooth(waits.port, reason: reason, advice: advice))
    }

    private func perform(_ operation: BluetoothLink.Operation, _ link: inout BluetoothLink) {
      switch operation {
      case .discover: manager?.scanForPeripherals(withServices: nil)
      case .write(let bytes, let number, let isConfirmed):
        guard let peripheral, let characteristic = characteristics[number] else { return link.disconnect() }
        if isConfirmed {
          peripheral.writeValue(Data(bytes), for: characteristic, type: .withResponse)
        } else if peripheral.canSendWriteWithoutResponse {
          peripheral.writeValue(Data(bytes), for: characteristic, type: .withoutResponse)
          link.completed(at: time.now)
        } else {
          waitingPiece = (bytes, characteristic)
        }
      case .subscribe(let number):
        guard let peripheral, let characteristic = characteristics[number] else { return link.disconnect() }
        peripheral.setNotifyValue(true, for: characteristic)
      }
    }

    private func complete(_ error: (any Error)?) {
      change { link, now in
        guard let error else { return link.completed(at: now) }
        // Codes of `CBATTError` are those of the Attribute Protocol; other errors count as unlikely error (0Eh).
        let code = (error as? CBATTError).flatMap { UInt8(exactly: $0.code.rawValue) } ?? 0x0E
        link.fail(.refused(link.step, code: code))
      }
    }

    // MARK: Delegate of the manager

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
      switch central.state {
      case .poweredOn:
        if link == nil { link = BluetoothLink(at: time.now) }
        change { _, _ in }
      case .poweredOff: end("Bluetooth is off", "Turn it on in the settings of the system, then try again.")
      case .unauthorized:
        end(
          "the system forbids Bluetooth to this program",
          "Permit it in the privacy settings, then try again.")
      case .unsupported: end("this computer has no Bluetooth LE", "Use another computer, or '--port sim:'.")
      // The system reports the next state soon; a reset has disconnected the robot without another call.
      default: change { link, _ in link.disconnect() }
      }
    }

    func centralManager(
      _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
      rssi: NSNumber
    ) {
      let advertised = advertisementData[CBAdvertisementDataLocalNameKey] as? String
      guard self.peripheral == nil, (advertised ?? peripheral.name) == name else { return }
      central.stopScan()
      self.peripheral = peripheral
      peripheral.delegate = self
      central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
      peripheral.discoverServices(RobotService.allCases.map { CBUUID(string: $0.uuid) })
    }

    func centralManager(
      _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) { change { link, _ in link.disconnect() } }

    func centralManager(
      _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) { change { link, _ in link.disconnect() } }

    // MARK: Delegate of the robot

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
      let services = peripheral.services ?? []
      pendingServices = services.count
      // A failed request is no evidence of a missing service.
      if error != nil { return change { link, _ in link.disconnect() } }
      guard !services.isEmpty else { return finishDiscovery(peripheral) }
      for service in services { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(
      _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
      if error != nil { return change { link, _ in link.disconnect() } }
      for characteristic in service.characteristics ?? [] {
        let uuid = characteristic.uuid.uuidString
        if let known = RobotCharacteristic.allCases.first(where: { $0.uuid.uppercased() == uuid.uppercased() }
        ) {
          characteristics[known] = characteristic
        }
      }
      pendingServices -= 1
      if pendingServices == 0 { finishDiscovery(peripheral) }
    }

    private func finishDiscovery(_ peripheral: CBPeripheral) {
      if let missing = RobotCharacteristic.allCases.first(where: { characteristics[$0] == nil }) {
        return change { link, _ in link.fail(.missingCharacteristic(missing)) }
      }
      let count = peripheral.maximumWriteValueLength(for: .withoutResponse)
      change { link, now in
        link.setPieceCount(count)
        link.completed(at: now)
      }
    }

    func peripheral(
      _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { complete(error) }

    func peripheral(
      _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
      error: (any Error)?
    ) {
      guard error == nil || characteristic.properties.contains(.notify) else {
        return change { link, _ in link.fail(.missingConfiguration) }
      }
      complete(error)
    }

    func peripheral(
      _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
      guard error == nil, let value = characteristic.value else { return }
      change { link, _ in link.receive(Array(value)) }
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { sendWaitingPiece() }

    private func sendWaitingPiece() {
      guard let (bytes, characteristic) = waitingPiece, let peripheral, peripheral.canSendWriteWithoutResponse
      else { return }
      waitingPiece = nil
      peripheral.writeValue(Data(bytes), for: characteristic, type: .withoutResponse)
      change { link, now in link.completed(at: now) }
    }
  }

  /// The line to an Ollie, BB-8 or SPRK+ over CoreBluetooth.
  ///
  /// An app needs `NSBluetoothAlwaysUsageDescription` in its Info.plist. The line was type-checked with declarations from
  /// Apple's documentation; it has been neither built nor run on Apple's systems.
  public final class CoreBluetoothLine: Transport {
    private let central: Central
    private let waits: ConfirmedLine
    private let timer = Locked<Task<Void, Never>?>(nil)

    private init(name: String, time: any TimeSource) {
      waits = ConfirmedLine(port: "ble:" + name)
      central = Central(name: name, time: time, waits: waits)
    }

    /// Connects a robot by the name that it advertises, such as `BB-D911`; CoreBluetooth hides addresses.
    ///
    /// - Throws: `LinkError.bluetooth(_:reason:advice:isTransient:)` if Bluetooth is off or forbidden, or if the robot is
    ///   absent or refuses the connection; `CancellationError`.
    public static func connect(
      toRobotNamed name: String, time: some TimeSource = SystemTime()
    ) async throws -> CoreBluetoothLine {
      let line = CoreBluetoothLine(name: name, time: time)
      line.start(time)
      do {
        try await line.waits.waitForConnection()
        return line
      } catch {
        await line.close()
        throw error
      }
    }

    private func start(_ time: some TimeSource) {
      central.start()
      let task = ConfirmedLine.startTimer(time) { [weak central] in central?.advance() != nil }
      timer.withLock { $0 = task }
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
