// A client of the Attribute Protocol that performs the operations of a link: packets and time in, packets out.

/// A client of the Attribute Protocol (ATT), for an L2CAP socket of the kernel.
///
/// It performs the operations of a ``BluetoothLink`` by packets of at most the exchanged MTU.
/// It serves no attributes: it answers requests of the device with an error.
/// Numbers of sections refer to the Bluetooth Core Specification, volume 3, part F.
public struct AttributeClient: Sendable {
  /// The handle of an attribute, 1...FFFFh, and its type or its value.
  private typealias Attribute = (handle: UInt16, value: ArraySlice<UInt8>)

  /// The handles of a characteristic, and its kind, which is nil for one that the link does not use.
  private typealias Characteristic = (declaration: UInt16, value: UInt16, kind: RobotCharacteristic?)

  /// A request of this side, by its opcode; the opcode of its answer follows.
  private enum Request: UInt8 {
    case exchangeMTU = 0x02
    case findInformation = 0x04
    case readByType = 0x08
    case write = 0x12
  }

  /// The maximum size in bytes of a packet that this side accepts: a value of 512 and the longest header, 5.
  public static let maximumMTU = 517
  /// The size in bytes of the largest packet before an exchange.
  private static let defaultMTU = 23
  /// The maximum number of characteristics; a device with more is rejected.
  private static let maximumCharacteristicCount = 200
  /// The type of the attribute that declares a characteristic.
  private static let characteristicDeclaration: UInt16 = 0x2803
  /// The code of the error for requests that find no attribute (3.4.1.1).
  private static let attributeNotFound: UInt8 = 0x0A
  /// The opcodes of requests that a server would answer, except an exchange of the MTU.
  private static let unservedRequests: [UInt8] = [
    0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20,
  ]

  /// The link whose operations this performs.
  public private(set) var link: BluetoothLink
  /// The characteristics that have been found, in ascending order of their handles.
  private var characteristics: [Characteristic] = []
  /// The handles among which the client configuration of the responses is searched.
  private var descriptors: ClosedRange<UInt16> = 1...1
  /// The handle of that configuration.
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
    guard process(bytes[...], at: now) else { return link.fail(.malformed(link.step)) }
    perform(at: now)
  }

  /// Processes a packet, and returns whether it is valid; a late or unexpected answer belongs to no request.
  private mutating func process(_ bytes: ArraySlice<UInt8>, at now: Duration) -> Bool {
    guard let opcode = bytes.first else { return false }
    let rest = bytes.dropFirst()
    switch opcode {
    // An error: the opcode of the request, a handle and a code.
    case 0x01:
      guard rest.count == 4, let failed = rest.first, let code = rest.last else { return false }
      if failed == request?.rawValue { fail(code: code, at: now) }
    // A request to exchange the MTU, and its answer.
    case 0x02: output.append([0x03] + Self.bytes(UInt16(Self.maximumMTU)))
    // The answer to our exchange: the size in bytes of the largest packet that the device accepts.
    case 0x03:
      guard rest.count == 2, Self.number(rest) >= Self.defaultMTU else { return false }
      if request == .exchangeMTU {
        // A write has its opcode and its handle before the value.
        link.setPieceCount(min(Int(Self.number(rest)), Self.maximumMTU) - 3)
        findCharacteristics(from: 1)
      }
    // Handles and types; a type has 2 or 16 bytes.
    case 0x05:
      guard let format = rest.first, format == 1 || format == 2,
        let list = Self.attributes(rest.dropFirst(), each: format == 1 ? 4 : 18)
      else { return false }
      if request == .findInformation { findConfiguration(in: list, at: now) }
    // Handles and values, which have one length.
    case 0x09:
      guard let count = rest.first, count >= 2, let list = Self.attributes(rest.dropFirst(), each: Int(count))
      else { return false }
      if request == .readByType { add(list) }
    // The answer to a write request.
    case 0x13:
      guard rest.isEmpty else { return false }
      if request == .write { complete(at: now) }
    // A notification, or an indication, which is confirmed.
    case 0x1B, 0x1D:
      guard rest.count >= 2 else { return false }
      if opcode == 0x1D { output.append([0x1E]) }
      if Self.number(rest) == handle(of: .responses) { link.receive(Array(rest.dropFirst(2))) }
    case _ where Self.unservedRequests.contains(opcode):
      output.append([0x01, opcode] + (rest.count >= 2 ? rest.prefix(2) : [0, 0]) + [Self.attributeNotFound])
    default: break
    }
    return true
  }

  private static func bytes(_ number: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
  }

  /// The little-endian number at the beginning of at least two bytes.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    UInt16(bytes[bytes.startIndex]) | UInt16(bytes[bytes.startIndex + 1]) << 8
  }

  /// Splits a list into attributes of `count` bytes, at least 2; nil for an incomplete or empty list.
  private static func attributes(_ bytes: ArraySlice<UInt8>, each count: Int) -> [Attribute]? {
    guard !bytes.isEmpty, bytes.count % count == 0 else { return nil }
    return stride(from: bytes.startIndex, to: bytes.endIndex, by: count).map { start in
      (number(bytes[start...]), bytes[(start + 2)..<(start + count)])
    }
  }

  // MARK: Operations

  /// Performs the operations of the link until one awaits an answer.
  private mutating func perform(at now: Duration) {
    while let operation = link.takeOperation() {
      switch operation {
      case .discover: ask(.exchangeMTU, Self.bytes(UInt16(Self.maximumMTU)))
      case .write(let bytes, let characteristic, let isConfirmed):
        guard let handle = handle(of: characteristic) else {
          return link.fail(.missingCharacteristic(characteristic))
        }
        guard !isConfirmed else { return ask(.write, Self.bytes(handle) + bytes) }
        // A write command, which the device does not answer.
        output.append([0x52] + Self.bytes(handle) + bytes)
        link.completed(at: now)
      case .subscribe:
        guard let configuration else { return link.fail(.missingConfiguration) }
        // Bit 0 switches notifications on (volume 3, part G, 3.3.3.3).
        ask(.write, Self.bytes(configuration) + [1, 0])
      }
    }
  }

  private mutating func ask(_ request: Request, _ parameters: [UInt8]) {
    self.request = request
    output.append([request.rawValue] + parameters)
  }

  private mutating func complete(at now: Duration) {
    request = nil
    link.completed(at: now)
  }

  private mutating func fail(code: UInt8, at now: Duration) {
    switch request {
    // A device that does not support the exchange keeps the default MTU.
    case .exchangeMTU: findCharacteristics(from: 1)
    case .readByType where code == Self.attributeNotFound: finishCharacteristics()
    case .findInformation where code == Self.attributeNotFound: complete(at: now)
    default: link.fail(.refused(link.step, code: code))
    }
  }

  // MARK: Discovery

  private func handle(of characteristic: RobotCharacteristic) -> UInt16? {
    characteristics.first { $0.kind == characteristic }?.value
  }

  private mutating func findCharacteristics(from handle: UInt16) {
    ask(.readByType, Self.bytes(handle) + Self.bytes(.max) + Self.bytes(Self.characteristicDeclaration))
  }

  /// Adds characteristics by their declarations: 1 byte of properties, the handle of the value, a UUID of 2 or 16 bytes.
  private mutating func add(_ attributes: [Attribute]) {
    var next = (characteristics.last?.declaration).map { Int($0) + 1 } ?? 1
    for (handle, value) in attributes {
      guard Int(handle) >= next, value.count >= 5, characteristics.count < Self.maximumCharacteristicCount
      else { return link.fail(.malformed(.discover)) }
      next = Int(handle) + 1
      let kind = RobotCharacteristic(wireBytes: value.dropFirst(3))
      characteristics.append((handle, Self.number(value.dropFirst()), kind))
    }
    if next > Int(UInt16.max) { finishCharacteristics() } else { findCharacteristics(from: UInt16(next)) }
  }

  /// Checks that all characteristics of a robot exist, and finds the descriptors of the responses.
  private mutating func finishCharacteristics() {
    if let missing = RobotCharacteristic.allCases.first(where: { handle(of: $0) == nil }) {
      return link.fail(.missingCharacteristic(missing))
    }
    // The descriptors of a characteristic follow its value, and precede the declaration of the next characteristic.
    let found = characteristics.drop { $0.kind != .responses }
    let last = found.dropFirst().first.map { $0.declaration &- 1 } ?? .max
    guard let value = found.first?.value, value < last else { return link.fail(.missingConfiguration) }
    findDescriptors((value + 1)...last)
  }

  private mutating func findDescriptors(_ handles: ClosedRange<UInt16>) {
    descriptors = handles
    ask(.findInformation, Self.bytes(handles.lowerBound) + Self.bytes(handles.upperBound))
  }

  /// Searches descriptors for the client configuration, and then those after them.
  private mutating func findConfiguration(in attributes: [Attribute], at now: Duration) {
    var next = Int(descriptors.lowerBound)
    for (handle, type) in attributes {
      guard Int(handle) >= next, handle <= descriptors.upperBound else {
        return link.fail(.malformed(.discover))
      }
      next = Int(handle) + 1
      guard type.count == 2 else { continue }
      switch Self.number(type) {
      // The client characteristic configuration, which switches notifications on.
      case 0x2902:
        configuration = handle
        return complete(at: now)
      // The declaration of the next service, primary or secondary, or of its first characteristic.
      case 0x2800, 0x2801, Self.characteristicDeclaration: return complete(at: now)
      default: break
      }
    }
    if next > Int(descriptors.upperBound) {
      complete(at: now)
    } else {
      findDescriptors(UInt16(next)...descriptors.upperBound)
    }
  }
}
