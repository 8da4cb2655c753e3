// A client of the Attribute Protocol that performs the operations of a link: packets and time in, packets out.

/// A robot over the Attribute Protocol, as on a kernel's L2CAP socket.
///
/// It performs the operations of a ``BluetoothLink`` by packets, of which each has at most the exchanged MTU.
/// It serves no attributes: requests of the peer are answered with an error.
public struct AttributeClient: Sendable {
  /// A characteristic of the device.
  private struct Entry: Hashable, Sendable {
    var declaration: UInt16
    var value: UInt16
    /// The variable number of the UUID; nil for another device's characteristic.
    var number: UInt16?
  }

  /// The request that awaits its answer.
  private enum Request: Hashable, Sendable {
    case exchange
    case list
    case descriptors
    case write
  }

  /// The most bytes of a packet that this side accepts.
  public static let maximumMTU = 517
  /// The most characteristics of a device; one with more is rejected.
  static let maximumEntryCount = 200
  /// The code of the error for requests that find no attribute (volume 3, part F, 3.4.1.1).
  private static let attributeNotFound: UInt8 = 0x0A

  /// The link whose operations this performs.
  public private(set) var link: BluetoothLink
  private var entries: [Entry] = []
  /// The handles that may have the client configuration of the responses.
  private var descriptors: ClosedRange<UInt16>?
  private var configuration: UInt16?
  private var request: Request?
  private var output: [[UInt8]] = []

  /// Creates a client of a connected device.
  public init(at now: Duration) {
    link = BluetoothLink(at: now)
    perform(at: now)
  }

  // MARK: The owner's side

  /// Removes and returns the packets to send, in order.
  public mutating func takeOutput() -> [[UInt8]] {
    guard !output.isEmpty else { return [] }
    defer { output = [] }
    return output
  }

  /// The events of the link.
  public mutating func takeEvents() -> [BluetoothLink.Event] { link.takeEvents() }

  /// Sends a packet of the robot's protocol, if `link.canSend`.
  public mutating func send(_ packet: [UInt8], at now: Duration) {
    link.send(packet, at: now)
    perform(at: now)
  }

  /// Ends the link if an answer is overdue.
  public mutating func advance(to now: Duration) { link.advance(to: now) }

  /// When ``advance(to:)`` must be called at the latest; nil while nothing is awaited.
  public var nextDeadline: Duration? { link.nextDeadline }

  /// Records that the connection ended.
  public mutating func disconnect() { link.disconnect() }

  /// Processes one packet of the device.
  public mutating func receive(_ bytes: [UInt8], at now: Duration) {
    guard let packet = AttributePacket(bytes) else { return link.fail(.malformed(link.step)) }
    switch packet {
    case .notification(let attribute): receive(attribute)
    case .indication(let attribute):
      output.append(AttributePacket.confirmation.encoded)
      receive(attribute)
    case .unserved(0x02):
      output.append(AttributePacket.exchangeResponse(mtu: UInt16(Self.maximumMTU)).encoded)
    case .unserved(let opcode):
      let handle = bytes.count >= 3 ? UInt16(bytes[1]) | UInt16(bytes[2]) << 8 : 0
      output.append(
        AttributePacket.error(request: opcode, handle: handle, code: Self.attributeNotFound).encoded)
    case .error(_, _, let code): fail(code: code, at: now)
    case .exchangeResponse(let mtu) where request == .exchange:
      setMTU(Int(mtu))
      list(from: 1)
    case .readByTypeResponse(let attributes) where request == .list: add(attributes, at: now)
    case .findInformationResponse(let attributes) where request == .descriptors:
      findConfiguration(in: attributes, at: now)
    case .writeResponse where request == .write: complete(at: now)
    // A late or unexpected answer belongs to no request.
    default: break
    }
    perform(at: now)
  }

  private mutating func receive(_ attribute: AttributePacket.Attribute) {
    if attribute.handle == handle(of: .responses) { link.receive(attribute.value) }
  }

  // MARK: Operations

  /// Performs the operations of the link until one awaits an answer.
  private mutating func perform(at now: Duration) {
    while let operation = link.takeOperation() {
      switch operation {
      case .discover: ask(.exchange, .exchangeRequest(mtu: UInt16(Self.maximumMTU)))
      case .write(let bytes, let characteristic, let isConfirmed):
        guard let handle = handle(of: characteristic) else {
          return link.fail(.missingCharacteristic(characteristic))
        }
        let attribute = AttributePacket.Attribute(handle: handle, value: bytes)
        guard !isConfirmed else { return ask(.write, .writeRequest(attribute)) }
        output.append(AttributePacket.writeCommand(attribute).encoded)
        link.completed(at: now)
      case .subscribe:
        guard let configuration else { return link.fail(.missingConfiguration) }
        ask(.write, .writeRequest(.init(handle: configuration, value: [1, 0])))
      }
    }
  }

  private mutating func ask(_ request: Request, _ packet: AttributePacket) {
    self.request = request
    output.append(packet.encoded)
  }

  private mutating func complete(at now: Duration) {
    request = nil
    link.completed(at: now)
  }

  private mutating func setMTU(_ mtu: Int) {
    // A write has its opcode and handle before the value.
    link.setPieceCount(min(mtu, Self.maximumMTU) - 3)
  }

  private mutating func fail(code: UInt8, at now: Duration) {
    switch request {
    // A device without the exchange keeps the default MTU.
    case .exchange: list(from: 1)
    case .list where code == Self.attributeNotFound: finishList(at: now)
    case .descriptors where code == Self.attributeNotFound: complete(at: now)
    case .list, .descriptors, .write: link.fail(.refused(link.step, code: code))
    case nil: break
    }
  }

  // MARK: Discovery

  private func handle(of characteristic: RobotCharacteristic) -> UInt16? {
    entries.first { $0.number == characteristic.rawValue }?.value
  }

  private mutating func list(from handle: UInt16) {
    ask(.list, .readByTypeRequest(handle...UInt16.max, type: AttributePacket.characteristicDeclaration))
  }

  /// Adds characteristics: properties of 1 byte, the handle of the value, and a UUID of 2 or 16 bytes.
  private mutating func add(_ attributes: [AttributePacket.Attribute], at now: Duration) {
    var next = (entries.last?.declaration).map { Int($0) + 1 } ?? 1
    for attribute in attributes {
      guard Int(attribute.handle) >= next, attribute.value.count >= 5, entries.count < Self.maximumEntryCount
      else { return link.fail(.malformed(.discover)) }
      next = Int(attribute.handle) + 1
      entries.append(
        Entry(
          declaration: attribute.handle,
          value: UInt16(attribute.value[1]) | UInt16(attribute.value[2]) << 8,
          number: RobotService.number(ofWireBytes: attribute.value.dropFirst(3))))
    }
    if next > Int(UInt16.max) { finishList(at: now) } else { list(from: UInt16(next)) }
  }

  private mutating func finishList(at now: Duration) {
    for required: RobotCharacteristic in [.commands, .responses, .antiDOS, .wake]
    where handle(of: required) == nil {
      return link.fail(.missingCharacteristic(required))
    }
    guard let index = entries.firstIndex(where: { $0.number == RobotCharacteristic.responses.rawValue }),
      entries[index].value < .max
    else { return link.fail(.missingConfiguration) }
    // The descriptors of a characteristic precede the declaration of the next one.
    let first = entries[index].value + 1
    let last = index + 1 < entries.count ? entries[index + 1].declaration - 1 : .max
    guard first <= last else { return link.fail(.missingConfiguration) }
    findDescriptors(in: first...last)
  }

  private mutating func findDescriptors(in handles: ClosedRange<UInt16>) {
    descriptors = handles
    ask(.descriptors, .findInformationRequest(handles))
  }

  private mutating func findConfiguration(in attributes: [AttributePacket.Attribute], at now: Duration) {
    guard let range = descriptors else { return }
    var next = Int(range.lowerBound)
    for attribute in attributes {
      guard Int(attribute.handle) >= next, attribute.handle <= range.upperBound else {
        return link.fail(.malformed(.discover))
      }
      next = Int(attribute.handle) + 1
      guard attribute.value.count == 2 else { continue }
      switch UInt16(attribute.value[0]) | UInt16(attribute.value[1]) << 8 {
      case AttributePacket.clientConfiguration:
        configuration = attribute.handle
        return complete(at: now)
      // The declaration of the next service.
      case 0x2800, 0x2801, AttributePacket.characteristicDeclaration: return complete(at: now)
      default: break
      }
    }
    if next > Int(range.upperBound) {
      complete(at: now)
    } else {
      findDescriptors(in: UInt16(next)...range.upperBound)
    }
  }
}
