// Where the values of a stream lie in its packets, worked out once for each mask.

/// The layout of the frames of a stream: which word is what, and how much one count of it is.
///
/// A sensor packet does not say which fields it has; the mask that was asked for does.
/// Make a layout once for a mask, then read packets where they lie:
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
  /// What each word of a frame is, in the order of the wire; nil for a reserved bit of the mask.
  public let columns: [SensorField?]
  /// How much of its unit one count of each word is, and seven more words of the frame after it.
  private let scales: ContiguousArray<Double>

  /// How many bytes a frame has.
  public let byteCount: Int

  /// Works out the layout of a mask.
  public init(_ mask: SensorMask) {
    self.mask = mask
    columns = (22...63).reversed().filter { mask.rawValue & 1 << UInt64($0) != 0 }
      .map { SensorField(rawValue: UInt8($0)) }
    let scales = columns.map { $0?.scale.perCount ?? 1 }
    self.scales =
      scales.isEmpty ? [] : ContiguousArray((0..<(scales.count + 7)).map { scales[$0 % scales.count] })
    byteCount = 2 * columns.count
  }

  /// How many frames a payload has, or nil where it does not consist of whole frames: a packet of another stream.
  public func frameCount(in payload: Span<UInt8>) -> Int? {
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
    guard let count = frameCount(in: payload), (0..<count).contains(frame) else { return nil }
    return Sample(mask: mask, bytes: payload.extracting((frame &* byteCount)..<((frame &+ 1) &* byteCount)))
  }

  /// Reads the values of all frames, each in its unit, without making a ``Sample``.
  ///
  /// - Parameters:
  ///   - payload: The bytes of ``Sensing/SensorData``.
  ///   - values: Becomes the values of all frames, the oldest first, each in the order of ``columns``.
  ///     A reserved word is worth its count. Keep the array for the next packet: then nothing is allocated.
  /// - Returns: How many frames there are, or nil where the payload does not consist of whole frames; `values` then stays as it is.
  public func read(_ payload: Span<UInt8>, into values: inout [Double]) -> Int? {
    guard let frames = frameCount(in: payload) else { return nil }
    values.removeAll(keepingCapacity: true)
    values.append(addingCapacity: payload.count / 2) { append(payload, to: &$0) }
    return frames
  }

  /// Appends the values of a sensor packet, for which there must be room.
  ///
  /// - Parameters:
  ///   - header: The header of any packet.
  ///   - payload: The bytes after it.
  ///   - values: Gets the values of all frames.
  /// - Returns: Whether it is a packet of whole frames; where not, nothing is appended.
  @inline(__always) func append(
    _ header: PacketHeader, _ payload: Span<UInt8>, to values: inout OutputSpan<Double>
  ) -> Bool {
    guard case .event(Sensing.SensorData.id) = header, frameCount(in: payload) != nil else { return false }
    append(payload, to: &values)
    return true
  }

  /// Appends the values of whole frames.
  @inline(__always) private func append(_ payload: Span<UInt8>, to values: inout OutputSpan<Double>) {
    let scales = scales.span
    var (words, scale) = (payload, scales)
    while words.count >= 16, scale.count >= 8 {
      // No conversions of whole vectors: those are calls in one place and not in another.
      var eight = SIMD8<Double>()
      for lane in 0..<8 {
        let word = UInt16(words[2 &* lane]) << 8 | UInt16(words[2 &* lane &+ 1])
        eight[lane] = Double(Int16(bitPattern: word)) * scale[lane]
      }
      values.append(eight)
      words = words.extracting(droppingFirst: 16)
      scale = scale.extracting(droppingFirst: 8)
      // Fewer are left than lie after the last column, so this is a column of the next frame.
      while scale.count < 8 { scale = scales.extracting(droppingFirst: 7 &- scale.count) }
    }
    while words.count >= 2, scale.count >= 1 {
      values.append(Double(Int16(bitPattern: UInt16(words[0]) << 8 | UInt16(words[1]))) * scale[0])
      words = words.extracting(droppingFirst: 2)
      scale = scale.extracting(droppingFirst: 1)
    }
  }

  /// Eight big-endian words.
  @inline(__always) static func counts(_ bytes: Span<UInt8>) -> SIMD8<Int16> {
    var block = SIMD16<UInt8>()
    for lane in 0..<16 { block[lane] = bytes[lane] }
    let upper = SIMD8<UInt16>(truncatingIfNeeded: block.evenHalf) &<< 8
    return SIMD8<Int16>(truncatingIfNeeded: upper | SIMD8<UInt16>(truncatingIfNeeded: block.oddHalf))
  }
}

extension OutputSpan<Double> {
  /// Appends eight numbers at once; room for them must be there.
  @inline(__always) fileprivate mutating func append(_ eight: SIMD8<Double>) {
    precondition(freeCapacity >= 8)
    // Stored as bytes, they stay one vector.
    unsafe withUnsafeMutableBufferPointer { buffer, filled in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      unsafe bytes.storeBytes(of: eight, toByteOffset: 8 &* filled, as: SIMD8<Double>.self)
      filled &+= 8
    }
  }
}
