// The values of a stream, taken out of its packets where they lie.

extension PacketDecoder {
  /// Takes all whole packets, and appends the values of a stream.
  ///
  /// This is the fastest way to read a stream or a recording: one call for whatever was appended, and nothing is made for a packet.
  /// Which packets there are, and in which order, is as with ``next()``.
  ///
  /// - Parameters:
  ///   - layout: What the stream has.
  ///   - values: Gets a row for each frame, the oldest first: a value for each of ``SampleLayout/columns``, in its unit;
  ///     a reserved word is worth its count.
  ///   - others: Gets the header of each packet that is not one of ``Sensing/SensorData`` with whole frames,
  ///     and the bytes between it and CHK.
  /// - Returns: How many frames were appended.
  @discardableResult public mutating func readValues(
    of layout: SampleLayout, into values: inout [Double],
    others: (PacketHeader, Span<UInt8>) -> Void = { _, _ in }
  ) -> Int {
    let first = values.count
    var count = first
    while mayHavePackets {
      // Packets that were not doubted do not overlap, so all their words have room.
      values.grow(to: count + pendingCount / 2)
      var numbers = values.mutableSpan
      // Any bytes are numbers.
      var output = unsafe numbers.mutableBytes
      let goesOn = takeUndoubted { _, header, payload in
        if let stored = layout.store(header, payload, in: &output, at: count) {
          count &+= stored
        } else {
          others(header, payload)
        }
        return true
      }
      if goesOn { continue }
      guard let frame = search() else { break }
      let (header, place) = parts(of: frame)
      values.grow(to: count + place.count / 2)
      var moreNumbers = values.mutableSpan
      var moreOutput = unsafe moreNumbers.mutableBytes
      let payload = window.kept.bytes.span.extracting(place)
      if let stored = layout.store(header, payload, in: &moreOutput, at: count) {
        count &+= stored
      } else {
        others(header, payload)
      }
    }
    if values.count > count { values.removeLast(values.count - count) }
    return count == first ? 0 : (count - first) / layout.columns.count
  }
}

extension [Double] {
  /// Appends zeros until there are `count` numbers.
  fileprivate mutating func grow(to count: Int) {
    if self.count < count { append(contentsOf: repeatElement(0, count: count - self.count)) }
  }
}
