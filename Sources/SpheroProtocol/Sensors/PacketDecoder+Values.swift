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
    guard mayHavePackets else { return 0 }
    let first = values.count
    // A packet that overlaps others, for which there was no room.
    var waiting: Frame?
    repeat {
      // Packets that are not doubted do not overlap, so all their words have room.
      let room = (pendingCount + (waiting.map { $0.end - $0.payload } ?? 0)) / 2
      values.append(addingCapacity: room) {
        waiting = appendValues(of: layout, to: &$0, beginningWith: waiting, others: others)
      }
    } while waiting != nil
    return values.count == first ? 0 : (values.count - first) / layout.columns.count
  }

  /// Does what `readValues(of:into:others:)` does, until there is no more room.
  ///
  /// A function of its own, so that what it needs is not retained for a closure again and again.
  ///
  /// - Returns: The packet for which there is no room.
  private mutating func appendValues(
    of layout: SampleLayout, to values: inout OutputSpan<Double>, beginningWith waiting: Frame?,
    others: (PacketHeader, Span<UInt8>) -> Void
  ) -> Frame? {
    var waiting = waiting
    while waiting != nil || mayHavePackets {
      if waiting == nil {
        let goesOn = takeUndoubted { _, header, payload in
          if !layout.append(header, payload, to: &values) { others(header, payload) }
          return true
        }
        if goesOn { continue }
      }
      guard let frame = waiting ?? search() else { return nil }
      waiting = nil
      let (header, place) = parts(of: frame)
      guard values.freeCapacity >= place.count / 2 else { return frame }
      let payload = window.kept.bytes.span.extracting(place)
      if !layout.append(header, payload, to: &values) { others(header, payload) }
    }
    return nil
  }
}
