// A client of the Attribute Protocol that performs the operations of a link: packets and time in, packets out.

/// A client of the Attribute Protocol (ATT), for an L2CAP socket of the kernel.
///
/// It performs the operations of a ``BluetoothLink`` by packets of at most the exchanged MTU.
/// It serves no attributes: it answers requests of the device with an error.
/// Numbers of sections refer to the Bluetooth Core Specification, volume 3, part F.
public struct AttributeClient: Sendable {
  private struct Characteristic: Hashable, Sendable {
    var declaration: UInt16
    var value: UInt16
    /// Nil for a characteristic that the link does not use.
    var kind: RobotCharacteristic?
  }

  /// A request of this side.
  private enum Request: Hashable, Sendable {
    case exchangeMTU
    case findCharacteristics
    /// Finds the client configuration of the responses among these handles.
    case findDescriptors(ClosedRange<UInt16>)
    case write

    /// The opcode, which the error for the request repeats (3.4.1.1).
    var opcode: UInt8 {
      switch self {
      case .exchangeMTU: 0x02
      case .findDescriptors: 0x04
      case .findCharacteristics: 0x08
      case .write: 0x12
      }
    }
  }

  /// The maximum size in bytes of a packet that this side accepts: a value of 512 and the longest header, 5.
  public static let maximumMTU = 517
  /// The maximum number of characteristics; a device with more is rejected.
  private static let maximumCharacteristicCount = 200
  /// The code of the error for requests that find no attribute (3.4.1.1).
  private static let attributeNotFound: UInt8 = 0x0A

  /// The link whose operations this performs.
  public private(set) var link: BluetoothLink
  /// The characteristics that have been found, in ascending order of their handles.
  private var characteristics: [Characteristic] = []
  /// The handle of the client configuration of the responses.
  private var configuration: UInt16?
  /// The request that awaits its answer.
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
    defer { output = [] }
    return output
  }

  /// Removes and returns the events of the link, oldest first.
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
    // An exchange of the MTU.
    case .unserved(0x02):
      output.append(AttributePacket.exchangeResponse(mtu: UInt16(Self.maximumMTU)).encoded)
    case .unserved(let opcode):
      let handle = bytes.count >= 3 ? UInt16(bytes[1]) | UInt16(bytes[2]) << 8 : 0
      output.append(
        AttributePacket.error(request: opcode, handle: handle, code: Self.attributeNotFound).encoded)
    case .error(let opcode, _, let code) where opcode == request?.opcode: fail(code: code, at: now)
    case .exchangeResponse(let mtu) where request == .exchangeMTU:
      // A write has its opcode and its handle before the value.
      link.setPieceCount(min(Int(mtu), Self.maximumMTU) - 3)
      findCharacteristics(from: 1)
    case .readByTypeResponse(let attributes) where request == .findCharacteristics:
      add(attributes)
    case .findInformationResponse(let attributes):
      guard case .findDescriptors(let handles) = request else { break }
      findConfiguration(in: attributes, of: handles, at: now)
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
      case .discover: ask(.exchangeMTU, .exchangeRequest(mtu: UInt16(Self.maximumMTU)))
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
        // Bit 0 switches notifications on (volume 3, part G, 3.3.3.3).
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

  private mutating func fail(code: UInt8, at now: Duration) {
    switch request {
    // A device that does not support the exchange keeps the default MTU.
    case .exchangeMTU: findCharacteristics(from: 1)
    case .findCharacteristics where code == Self.attributeNotFound: finishCharacteristics()
    case .findDescriptors where code == Self.attributeNotFound: complete(at: now)
    case .findCharacteristics, .findDescriptors, .write: link.fail(.refused(link.step, code: code))
    case nil: break
    }
  }

  // MARK: Discovery

  private func handle(of characteristic: RobotCharacteristic) -> UInt16? {
    characteristics.first { $0.kind == characteristic }?.value
  }

  private mutating func findCharacteristics(from handle: UInt16) {
    let type = AttributePacket.characteristicDeclaration
    ask(.findCharacteristics, .readByTypeRequest(handle...UInt16.max, type: type))
  }

  /// Adds characteristics by their declarations, and finds those after them.
  ///
  /// A declaration consists of 1 byte of properties, the handle of the value, and a UUID of 2 or 16 bytes.
  private mutating func add(_ attributes: [AttributePacket.Attribute]) {
    var next = (characteristics.last?.declaration).map { Int($0) + 1 } ?? 1
    for attribute in attributes {
      guard Int(attribute.handle) >= next, attribute.value.count >= 5,
        characteristics.count < Self.maximumCharacteristicCount
      else { return link.fail(.malformed(.discover)) }
      next = Int(attribute.handle) + 1
      let number = RobotService.number(ofWireBytes: attribute.value.dropFirst(3))
      characteristics.append(
        Characteristic(
          declaration: attribute.handle,
          value: UInt16(attribute.value[1]) | UInt16(attribute.value[2]) << 8,
          kind: number.flatMap { RobotCharacteristic(rawValue: $0) }))
    }
    if next > Int(UInt16.max) { finishCharacteristics() } else { findCharacteristics(from: UInt16(next)) }
  }

  /// Checks that all required characteristics exist, and finds the descriptors of the responses.
  private mutating func finishCharacteristics() {
    for required: RobotCharacteristic in [.commands, .responses, .antiDOS, .wake]
    where handle(of: required) == nil {
      return link.fail(.missingCharacteristic(required))
    }
    guard let index = characteristics.firstIndex(where: { $0.kind == .responses }),
      characteristics[index].value < .max
    else { return link.fail(.missingConfiguration) }
    // The descriptors of a characteristic follow its value, and precede the declaration of the next characteristic.
    let first = characteristics[index].value + 1
    let last = index + 1 < characteristics.count ? characteristics[index + 1].declaration - 1 : .max
    guard first <= last else { return link.fail(.missingConfiguration) }
    findDescriptors(first...last)
  }

  private mutating func findDescriptors(_ handles: ClosedRange<UInt16>) {
    ask(.findDescriptors(handles), .findInformationRequest(handles))
  }

  /// Searches descriptors for the client configuration, and then those after them.
  private mutating func findConfiguration(
    in attributes: [AttributePacket.Attribute], of handles: ClosedRange<UInt16>, at now: Duration
  ) {
    var next = Int(handles.lowerBound)
    for attribute in attributes {
      guard Int(attribute.handle) >= next, attribute.handle <= handles.upperBound else {
        return link.fail(.malformed(.discover))
      }
      next = Int(attribute.handle) + 1
      guard attribute.value.count == 2 else { continue }
      switch UInt16(attribute.value[0]) | UInt16(attribute.value[1]) << 8 {
      case AttributePacket.clientConfiguration:
        configuration = attribute.handle
        return complete(at: now)
      // The declaration of the next service, primary or secondary, or of its first characteristic.
      case 0x2800, 0x2801, AttributePacket.characteristicDeclaration: return complete(at: now)
      default: break
      }
    }
    if next > Int(handles.upperBound) {
      complete(at: now)
    } else {
      findDescriptors(UInt16(next)...handles.upperBound)
    }
  }
}
