// The layout of sensor packets: the fields of their words, and the scales.

/// The layout of the frames of a stream: the field of each word, and its scale.
///
/// A sensor packet does not contain its mask; the request that was answered does.
/// Create a layout once for a mask, then read packets in place:
///
///     let layout = SampleLayout(mask)
///     var values: [Double] = []
///     decoder.append(bytes)
///     decoder.readValues(of: layout, into: &values)
///     // A row of layout.columns.count values for each frame, each value in its unit.
///
/// The words are signed 16-bit integers, big-endian (Sphero API 1.50, "Set Data Streaming").
public struct SampleLayout: Hashable, Sendable {
  /// The fields of the stream.
  public let mask: SensorMask
  /// The field of each word of a frame, in wire order; nil for a reserved bit of the mask.
  public let columns: [SensorField?]
  /// The amount of the unit in one count, for each word and for the seven words after the frame.
  private let scales: ContiguousArray<Double>
  /// The number of bytes of a frame.
  public let byteCount: Int

  public init(_ mask: SensorMask) {
    self.mask = mask
    columns = (22...63).reversed().filter { mask.rawValue & 1 << UInt64($0) != 0 }
      .map { SensorField(rawValue: UInt8($0)) }
    let scales = columns.map { $0?.scale.perCount ?? 1 }
    self.scales =
      scales.isEmpty ? [] : ContiguousArray((0..<(scales.count + 7)).map { scales[$0 % scales.count] })
    byteCount = 2 * columns.count
  }

  /// The number of frames in a payload, or nil if it does not consist of whole frames: a packet of another stream.
  public func frameCount(in payload: Span<UInt8>) -> Int? {
    // Most packets have one frame, and a division costs as much as reading its values.
    if payload.count == byteCount, byteCount > 0 { return 1 }
    let (quotient, remainder) = payload.count.quotientAndRemainder(dividingBy: max(byteCount, 1))
    return remainder == 0 && quotient > 0 && byteCount > 0 ? quotient : nil
  }

  /// Reads a frame of the bytes of ``Sensing/SensorData``; the oldest frame is 0. Nil if there is no such frame.
  public func sample(in payload: Span<UInt8>, frame: Int = 0) -> Sample? {
    guard let count = frameCount(in: payload), (0..<count).contains(frame) else { return nil }
    return Sample(mask: mask, bytes: payload.extracting((frame &* byteCount)..<((frame &+ 1) &* byteCount)))
  }

  /// Reads the values of all frames of ``Sensing/SensorData``, each in its unit, without creating a ``Sample``.
  ///
  /// Replaces `values` by those of all frames, the oldest first, each frame in the order of ``columns``.
  /// The value of a reserved word is its count. Reuse the array for the next packet to avoid an allocation.
  /// Returns the number of frames, or nil if the payload does not consist of whole frames; `values` is then unchanged.
  public func read(_ payload: Span<UInt8>, into values: inout [Double]) -> Int? {
    guard let frames = frameCount(in: payload) else { return nil }
    values.removeAll(keepingCapacity: true)
    values.append(addingCapacity: payload.count / 2) { append(payload, to: &$0) }
    return frames
  }

  /// Appends the values of a sensor packet of whole frames, for which there must be room; returns whether it is one.
  @inline(__always) func append(
    _ header: PacketHeader, _ payload: Span<UInt8>, to values: inout OutputSpan<Double>
  ) -> Bool {
    guard case .event(Sensing.SensorData.id) = header, frameCount(in: payload) != nil else { return false }
    append(payload, to: &values)
    return true
  }

  @inline(__always) private func append(_ payload: Span<UInt8>, to values: inout OutputSpan<Double>) {
    let scales = scales.span
    var (words, scale) = (payload, scales)
    while words.count >= 16, scale.count >= 8 {
      // Conversions of whole vectors are not always inlined.
      var eight = SIMD8<Double>()
      for lane in 0..<8 {
        let word = UInt16(words[2 &* lane]) << 8 | UInt16(words[2 &* lane &+ 1])
        eight[lane] = Double(Int16(bitPattern: word)) * scale[lane]
      }
      values.append(eight)
      words = words.extracting(droppingFirst: 16)
      scale = scale.extracting(droppingFirst: 8)
      // The scales are shorter than the seven surplus ones, so the next word belongs to the next frame.
      while scale.count < 8 { scale = scales.extracting(droppingFirst: 7 &- scale.count) }
    }
    while words.count >= 2, scale.count >= 1 {
      values.append(Double(Int16(bitPattern: UInt16(words[0]) << 8 | UInt16(words[1]))) * scale[0])
      words = words.extracting(droppingFirst: 2)
      scale = scale.extracting(droppingFirst: 1)
    }
  }
}

extension OutputSpan<Double> {
  /// Appends eight numbers at once; the span must have room for them.
  @inline(__always) fileprivate mutating func append(_ eight: SIMD8<Double>) {
    precondition(freeCapacity >= 8)
    // A store of bytes compiles to one vector store.
    unsafe withUnsafeMutableBufferPointer { buffer, filled in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      unsafe bytes.storeBytes(of: eight, toByteOffset: 8 &* filled, as: SIMD8<Double>.self)
      filled &+= 8
    }
  }
}
