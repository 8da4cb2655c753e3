// The packets of the Attribute Protocol (Bluetooth Core Specification, volume 3, part F) that a client needs.

/// A packet of the Attribute Protocol; numbers are little-endian on the wire, and handles are 1...FFFFh.
enum AttributePacket: Hashable, Sendable {
  /// An attribute of a list: its handle, and its type or its value.
  struct Attribute: Hashable, Sendable {
    var handle: UInt16
    var value: [UInt8]
  }

  /// 01h: a request failed.
  case error(request: UInt8, handle: UInt16, code: UInt8)
  /// 02h: the size in bytes of the largest packet that the client accepts.
  case exchangeRequest(mtu: UInt16)
  /// 03h: the size in bytes of the largest packet that the server accepts.
  case exchangeResponse(mtu: UInt16)
  /// 04h: asks for the types of a range of handles.
  case findInformationRequest(ClosedRange<UInt16>)
  /// 05h: handles and types; a type has 2 or 16 bytes in wire order.
  case findInformationResponse([Attribute])
  /// 08h: asks for the attributes of a type in a range of handles.
  case readByTypeRequest(ClosedRange<UInt16>, type: UInt16)
  /// 09h: attributes, whose values have one length.
  case readByTypeResponse([Attribute])
  /// 12h: a write that the server answers.
  case writeRequest(Attribute)
  /// 13h: the answer.
  case writeResponse
  /// 52h: a write that the server does not answer.
  case writeCommand(Attribute)
  /// 1Bh: a value that the server sends.
  case notification(Attribute)
  /// 1Dh: a value that the client confirms.
  case indication(Attribute)
  /// 1Eh: the confirmation.
  case confirmation
  /// A request of the peer that this side does not serve, by its opcode.
  case unserved(UInt8)
  /// A packet without meaning for a client, by its opcode.
  case unknown(UInt8)

  /// The type of the attribute that declares a characteristic.
  static let characteristicDeclaration: UInt16 = 0x2803
  /// The type of the client characteristic configuration, which switches notifications on.
  static let clientConfiguration: UInt16 = 0x2902
  /// The size in bytes of the largest packet before an exchange.
  static let defaultMTU = 23

  /// The opcodes of requests that a server would answer.
  private static let requests: Set<UInt8> = [
    0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20,
  ]

  /// Decodes a packet; nil for one that violates the protocol.
  init?(_ bytes: [UInt8]) {
    guard let opcode = bytes.first else { return nil }
    let rest = bytes.dropFirst()
    func number(at index: Int) -> UInt16? {
      guard rest.count >= index + 2 else { return nil }
      let start = rest.startIndex + index
      return UInt16(rest[start]) | UInt16(rest[start + 1]) << 8
    }
    func attribute() -> Attribute? {
      number(at: 0).map { Attribute(handle: $0, value: Array(rest.dropFirst(2))) }
    }
    switch opcode {
    case 0x01:
      guard rest.count == 4, let request = rest.first, let handle = number(at: 1), let code = rest.last else {
        return nil
      }
      self = .error(request: request, handle: handle, code: code)
    case 0x03:
      guard rest.count == 2, let mtu = number(at: 0), mtu >= Self.defaultMTU else { return nil }
      self = .exchangeResponse(mtu: mtu)
    case 0x05:
      guard let format = rest.first, format == 1 || format == 2,
        let list = Self.attributes(rest.dropFirst(), each: format == 1 ? 4 : 18)
      else { return nil }
      self = .findInformationResponse(list)
    case 0x09:
      guard let length = rest.first, length >= 2,
        let list = Self.attributes(rest.dropFirst(), each: Int(length))
      else { return nil }
      self = .readByTypeResponse(list)
    case 0x13:
      guard rest.isEmpty else { return nil }
      self = .writeResponse
    case 0x1B, 0x1D:
      guard let attribute = attribute() else { return nil }
      self = opcode == 0x1B ? .notification(attribute) : .indication(attribute)
    case _ where Self.requests.contains(opcode): self = .unserved(opcode)
    default: self = .unknown(opcode)
    }
  }

  /// Splits a list into attributes of one length; nil for an incomplete or empty list.
  private static func attributes(_ bytes: ArraySlice<UInt8>, each count: Int) -> [Attribute]? {
    guard !bytes.isEmpty, bytes.count % count == 0 else { return nil }
    return stride(from: bytes.startIndex, to: bytes.endIndex, by: count).map { start in
      Attribute(
        handle: UInt16(bytes[start]) | UInt16(bytes[start + 1]) << 8,
        value: Array(bytes[(start + 2)..<(start + count)]))
    }
  }

  /// The bytes of a packet that a client sends; empty for a packet of a server.
  var encoded: [UInt8] {
    func number(_ value: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)] }
    return switch self {
    case .error(let request, let handle, let code): [0x01, request] + number(handle) + [code]
    case .exchangeRequest(let mtu): [0x02] + number(mtu)
    case .exchangeResponse(let mtu): [0x03] + number(mtu)
    case .findInformationRequest(let handles):
      [0x04] + number(handles.lowerBound) + number(handles.upperBound)
    case .readByTypeRequest(let handles, let type):
      [0x08] + number(handles.lowerBound) + number(handles.upperBound) + number(type)
    case .writeRequest(let attribute): [0x12] + number(attribute.handle) + attribute.value
    case .writeCommand(let attribute): [0x52] + number(attribute.handle) + attribute.value
    case .confirmation: [0x1E]
    case .findInformationResponse, .readByTypeResponse, .writeResponse, .notification, .indication, .unserved,
      .unknown:
      []
    }
  }
}
