// Where the values of a stream lie in its packets, worked out once for each mask.

/// The layout of the frames of a stream: which word is what, and how much one count of it is.
///
/// A sensor packet does not say which fields it has; the mask that was asked for does.
/// Make a layout once for a mask, then read packets where they lie:
///
///     let layout = SampleLayout(mask)
///     var values: [Double] = []
///     decoder.forEachPacket { header, payload in
///       guard header == .event(Sensing.SensorData.id) else { return }
///       for frame in 0..<(layout.frameCount(in: payload) ?? 0) where layout.read(payload, frame: frame, into: &values) {
///         // values[0] is the first field of the mask, in its unit.
///       }
///     }
///
/// The words are signed 16-bit integers, big-endian (Sphero API 1.50, "Set Data Streaming").
public struct SampleLayout: Hashable, Sendable {
  /// The fields of the stream.
  public let mask: SensorMask
  /// What each word of a frame is, in the order of the wire; nil for a reserved bit of the mask.
  public let columns: [SensorField?]
  /// How much of its unit one count of each word is; 1 for a reserved one.
  public let scales: [Double]

  /// How many bytes a frame has.
  public let byteCount: Int

  /// Works out the layout of a mask.
  public init(_ mask: SensorMask) {
    self.mask = mask
    columns = (22...63).reversed().filter { mask.rawValue & 1 << UInt64($0) != 0 }
      .map { SensorField(rawValue: UInt8($0)) }
    scales = columns.map { $0?.scale.perCount ?? 1 }
    byteCount = 2 * columns.count
  }

  /// How many frames a payload has, or nil where it does not consist of whole frames: a packet of another stream.
  @inlinable public func frameCount(in payload: Span<UInt8>) -> Int? {
    // Most packets have one, and a division takes as long as reading its values.
    if payload.count == byteCount, byteCount > 0 { return 1 }
    let (quotient, remainder) = payload.count.quotientAndRemainder(dividingBy: max(byteCount, 1))
    return remainder == 0 && quotient > 0 && byteCount > 0 ? quotient : nil
  }

  /// Takes a frame from a payload.
  ///
  /// - Parameters:
  ///   - payload: The bytes of ``Sensing/SensorData``.
  ///   - frame: Which frame, the oldest being 0.
  /// - Returns: The sample, or nil where the payload does not have that frame.
  public func sample(in payload: Span<UInt8>, frame: Int = 0) -> Sample? {
    guard let place = place(of: frame, in: payload) else { return nil }
    return Sample(mask: mask, bytes: payload.extracting(place))
  }

  /// Where a frame lies.
  @inlinable @inline(__always) func place(of frame: Int, in payload: Span<UInt8>) -> Range<Int>? {
    guard let count = frameCount(in: payload), frame >= 0, frame < count else { return nil }
    return (frame &* byteCount)..<((frame &+ 1) &* byteCount)
  }

  /// Reads the values of a frame, each in its unit, without making a ``Sample``.
  ///
  /// - Parameters:
  ///   - payload: The bytes of ``Sensing/SensorData``.
  ///   - frame: Which frame, the oldest being 0.
  ///   - values: Becomes as long as ``columns``. Keep it for the next frame: then nothing is allocated.
  /// - Returns: Whether the payload has that frame; where not, `values` stays as it is.
  @inlinable @inline(__always) public func read(
    _ payload: Span<UInt8>, frame: Int = 0, into values: inout [Double]
  ) -> Bool {
    guard let place = place(of: frame, in: payload) else { return false }
    if values.count != scales.count { values = scales }
    var output = values.mutableSpan
    let (scales, count) = (scales.span, scales.count)
    let words = payload.extracting(place)
    var index = 0
    // Eight at a time, as vectors.
    while count &- index >= 8 {
      let scale = scales.extracting(index..<(index &+ 8))
      var factors = SIMD8<Double>()
      for lane in 0..<8 { factors[lane] = scale[lane] }
      let counts = Self.counts(words.extracting((2 &* index)..<(2 &* index &+ 16)))
      let scaled = SIMD8<Double>(SIMD8<Int32>(truncatingIfNeeded: counts)) * factors
      for lane in 0..<8 { output[index &+ lane] = scaled[lane] }
      index &+= 8
    }
    while index < count {
      let count = Int16(bitPattern: UInt16(words[2 &* index]) << 8 | UInt16(words[2 &* index &+ 1]))
      output[index] = Double(count) * scales[index]
      index &+= 1
    }
    return true
  }

  /// Eight big-endian words.
  @inlinable @inline(__always) static func counts(_ bytes: Span<UInt8>) -> SIMD8<Int16> {
    var block = SIMD16<UInt8>()
    for lane in 0..<16 { block[lane] = bytes[lane] }
    let upper = SIMD8<UInt16>(truncatingIfNeeded: block.evenHalf) &<< 8
    return SIMD8<Int16>(truncatingIfNeeded: upper | SIMD8<UInt16>(truncatingIfNeeded: block.oddHalf))
  }
}
