// Where a byte is, eight of them looked at together.

extension Span<UInt8> {
  /// How many bytes lie before the first one of a value; all, where there is none.
  package func count(before byte: UInt8) -> Int {
    var place = 0
    guard count >= 8 else {
      while place < count, self[place] != byte { place &+= 1 }
      return place
    }
    let (ones, highs) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    while true {
      let bytes = extracting(place..<(place &+ 8))
      var word: UInt64 = 0
      for index in 0..<8 { word |= UInt64(bytes[index]) << UInt64(8 &* index) }
      // The byte becomes zero, and of the bytes below the first zero none borrows from its neighbour.
      word ^= ones &* UInt64(byte)
      let zeros = (word &- ones) & ~word & highs
      if zeros != 0 { return place &+ zeros.trailingZeroBitCount / 8 }
      let last = count &- 8
      if place == last { return count }
      // The last eight may have been looked at in part.
      place = min(place &+ 8, last)
    }
  }
}
