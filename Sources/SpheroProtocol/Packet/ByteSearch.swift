// Where a byte is.

extension Span<UInt8> {
  /// How many bytes lie before the first one of a value; all, where there is none.
  package func count(before byte: UInt8) -> Int {
    var place = 0
    while place < count, self[place] != byte { place &+= 1 }
    return place
  }
}
