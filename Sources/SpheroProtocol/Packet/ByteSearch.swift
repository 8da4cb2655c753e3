// Where a byte is, eight of them looked at together.

extension Span<UInt8> {
  /// How many bytes lie before the first one of a value; all, where there is none.
  package func count(before byte: UInt8) -> Int {
    var place = 0
    guard count >= 8 else {
      while place < count, self[place] != byte { place &+= 1 }
      return place
    }
    // Four words at each step, as long as there are so many.
    while count &- place >= 32 {
      let bytes = extracting(place..<(place &+ 32))
      let (first, second) = (bytes.marks(of: byte, at: 0), bytes.marks(of: byte, at: 8))
      let (third, fourth) = (bytes.marks(of: byte, at: 16), bytes.marks(of: byte, at: 24))
      if first | second | third | fourth != 0 {
        if first != 0 { return place &+ first.trailingZeroBitCount / 8 }
        if second != 0 { return place &+ 8 &+ second.trailingZeroBitCount / 8 }
        if third != 0 { return place &+ 16 &+ third.trailingZeroBitCount / 8 }
        return place &+ 24 &+ fourth.trailingZeroBitCount / 8
      }
      place &+= 32
    }
    while place < count {
      // The last eight may have been looked at in part.
      place = min(place, count &- 8)
      let marks = marks(of: byte, at: place)
      if marks != 0 { return place &+ marks.trailingZeroBitCount / 8 }
      place &+= 8
    }
    return count
  }

  /// Marks, by their highest bits, those of eight bytes that equal `byte`; only the first mark is certain.
  @inline(__always) private func marks(of byte: UInt8, at place: Int) -> UInt64 {
    let (ones, highs) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    let bytes = extracting(place..<(place &+ 8))
    var word: UInt64 = 0
    for index in 0..<8 { word |= UInt64(bytes[index]) << UInt64(8 &* index) }
    // The byte becomes zero, and of the bytes below the first zero none borrows from its neighbour.
    word ^= ones &* UInt64(byte)
    return (word &- ones) & ~word & highs
  }
}
