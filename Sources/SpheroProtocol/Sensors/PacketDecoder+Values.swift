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
    while mayHavePackets {
      var goesOn = false
      // Packets that are not doubted do not overlap, so all their words have room.
      values.append(addingCapacity: pendingCount / 2) { values in
        goesOn = takeUndoubted { _, header, payload in
          if !layout.append(header, payload, to: &values) { others(header, payload) }
          return true
        }
      }
      if goesOn { continue }
      guard let frame = search() else { break }
      let (header, place) = parts(of: frame)
      let payload = window.kept.bytes.span.extracting(place)
      values.append(addingCapacity: place.count / 2) { values in
        if !layout.append(header, payload, to: &values) { others(header, payload) }
      }
    }
    return values.count == first ? 0 : (values.count - first) / layout.columns.count
  }
}
