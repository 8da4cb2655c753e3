// Reads the values of a sensor stream directly from the packets in a decoder.

extension PacketDecoder {
  /// Delivers all complete packets in the order of ``next()``, and appends the values of a sensor stream.
  ///
  /// This is the fastest way to read a stream or a recording, without an allocation per packet.
  ///
  /// - Parameters:
  ///   - layout: The layout of the stream.
  ///   - values: Receives a row for each frame of the stream, the oldest first: a value for each of ``SampleLayout/columns``, in its unit.
  ///     The value of a reserved word is its count.
  ///   - others: Receives the header of each packet that is not a ``Sensing/SensorData`` of whole frames,
  ///     and the bytes between the header and CHK.
  /// - Returns: The number of rows appended.
  @discardableResult public mutating func readValues(
    of layout: SampleLayout, into values: inout [Double],
    others: (PacketHeader, Span<UInt8>) -> Void = { _, _ in }
  ) -> Int {
    guard mayContainPacket else { return 0 }
    let first = values.count
    // A packet that did not fit into the room below, because it overlaps packets that did.
    var waiting: Frame?
    repeat {
      let room = maximumWordCount(with: waiting)
      values.append(addingCapacity: room) {
        waiting = appendValues(of: layout, to: &$0, beginningWith: waiting, others: others)
      }
    } while waiting != nil
    return values.count == first ? 0 : (values.count - first) / layout.columns.count
  }

  /// Appends values, and returns the packet for which there is not enough room. In the closure of its caller, the loop would
  /// retain the captures repeatedly.
  private mutating func appendValues(
    of layout: SampleLayout, to values: inout OutputSpan<Double>, beginningWith waiting: Frame?,
    others: (PacketHeader, Span<UInt8>) -> Void
  ) -> Frame? {
    var waiting = waiting
    while waiting != nil || mayContainPacket {
      if waiting == nil {
        let run = framing.run(in: window.bytes.span, at: fastPathPlaces) { header, payload in
          if !layout.append(header, payload, to: &values) { others(header, payload) }
        }
        if record(run) { continue }
      }
      guard let frame = waiting ?? search() else { return nil }
      waiting = nil
      guard values.freeCapacity >= maximumWordCount(with: frame) else { return frame }
      let header = framing.header(frame, in: window.bytes.span)
      let payload = window.bytes.span.extracting(frame.content)
      if !layout.append(header, payload, to: &values) { others(header, payload) }
    }
    return nil
  }

  /// The maximum number of words in a packet and in the pending bytes; the packets of the fast path do not overlap.
  private func maximumWordCount(with frame: Frame?) -> Int {
    (pendingCount + (frame?.content.count ?? 0) + 1) / 2
  }
}
