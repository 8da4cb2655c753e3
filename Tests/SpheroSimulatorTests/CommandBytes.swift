// The bytes of a command, computed from the packet structure of the document.

/// FF, FF or FE without an answer, DID, CID, SEQ 1, DLEN, the payload, and 255 minus their sum (API 1.50, "Packet Structures").
func commandBytes(
  _ device: UInt8, _ command: UInt8, _ payload: [UInt8], isAnswered: Bool = true
) -> [UInt8] {
  let body = [device, command, 1, UInt8(payload.count + 1)] + payload
  return [0xFF, isAnswered ? 0xFF : 0xFE] + body + [~body.reduce(0, &+)]
}
