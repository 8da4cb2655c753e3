// The packet encoder: header, payload and checksum.

/// Encodes packets.
public enum PacketEncoder {
  /// The maximum payload length of an ordinary command or response.
  static let longestPayload = 254

  /// Encodes a packet, from SOP1 to CHK.
  ///
  /// - Throws: ``WireError/wrongCount(field:count:allowed:)`` if the payload does not fit its length field.
  public static func encode(_ packet: Packet) throws(WireError) -> [UInt8] {
    switch packet {
    case .command(let packet):
      // For the commands with a longer payload, DLEN FFh is not a length.
      let long = packet.id.longPayloadCount
      let limit = long == nil ? longestPayload : longestPayload - 1
      let isLong = long == packet.payload.count
      let length = try isLong ? UInt8.max : UInt8(checkedLength(packet.payload, limit: limit))
      let (id, options) = (packet.id, packet.options)
      return sealed([0xFF, options.sop2, id.device, id.command, packet.sequence, length], packet.payload)
    case .response(let packet):
      let length = UInt8(try checkedLength(packet.payload, limit: longestPayload))
      return sealed([0xFF, 0xFF, packet.status.rawValue, packet.sequence, length], packet.payload)
    case .event(let packet):
      let length = try checkedLength(packet.payload, limit: 0xFFFE)
      let header = [0xFF, 0xFE, packet.id.rawValue, UInt8(length >> 8), UInt8(length & 0xFF)]
      return sealed(header, packet.payload)
    }
  }

  /// DLEN or LEN: the length of the payload and CHK.
  private static func checkedLength(_ payload: [UInt8], limit: Int) throws(WireError) -> Int {
    guard payload.count <= limit else {
      throw .wrongCount(field: "payload", count: payload.count, allowed: 0...limit)
    }
    return payload.count + 1
  }

  /// Joins header and payload, and appends CHK: the inverted sum of all bytes after SOP2.
  private static func sealed(_ header: [UInt8], _ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(header.count + payload.count + 1)
    bytes += header
    bytes += payload
    bytes.append(~bytes.dropFirst(2).reduce(0, &+))
    return bytes
  }
}
