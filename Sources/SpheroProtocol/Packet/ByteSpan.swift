// Search and checksum of bytes.

extension Span<UInt8> {
  /// The number of bytes before the first one that equals `byte`; all if there is none.
  package func count(before byte: UInt8) -> Int {
    var place = 0
    while place < count, self[place] != byte { place &+= 1 }
    return place
  }

  /// The sum of all bytes, modulo 256.
  ///
  /// CHK is the inverted sum of the bytes between SOP2 and CHK, so that together they add up to FFh
  /// (Sphero API 1.50, "Packet structures").
  @inlinable @inline(__always) var byteSum: UInt8 {
    var rest = self
    var lanes = SIMD16<UInt8>()
    while rest.count >= 16 {
      for lane in 0..<16 { lanes[lane] &+= rest[lane] }
      rest = rest.extracting(droppingFirst: 16)
    }
    var half = lanes.lowHalf &+ lanes.highHalf
    if rest.count >= 8 {
      for lane in 0..<8 { half[lane] &+= rest[lane] }
      rest = rest.extracting(droppingFirst: 8)
    }
    var sum = half.wrappedSum()
    for index in rest.indices { sum &+= rest[index] }
    return sum
  }
}
