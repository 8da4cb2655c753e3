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
  /// How much of its unit one count of each word is, and seven more words of the frame behind it.
  private let scales: [Double]

  /// How many bytes a frame has.
  public let byteCount: Int

  /// Works out the layout of a mask.
  public init(_ mask: SensorMask) {
    self.mask = mask
    columns = (22...63).reversed().filter { mask.rawValue & 1 << UInt64($0) != 0 }
      .map { SensorField(rawValue: UInt8($0)) }
    let scales = columns.map { $0?.scale.perCount ?? 1 }
    self.scales = scales.isEmpty ? [] : (0..<(scales.count + 7)).map { scales[$0 % scales.count] }
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
    let count = payload.count / 2
    if values.count != count { values = Array(repeating: 0, count: count) }
    var span = values.mutableSpan
    var output = unsafe span.mutableBytes
    store(payload, in: &output, at: 0)
    return frames
  }

  /// Stores the values of all frames of a sensor packet.
  ///
  /// - Parameters:
  ///   - header: The header of any packet.
  ///   - payload: The bytes behind it.
  ///   - output: The bytes of an array of numbers, with room.
  ///   - place: Which number of the array the first value is.
  /// - Returns: How many values there are, or nil for a packet of something else.
  @inline(__always) func store(
    _ header: PacketHeader, _ payload: Span<UInt8>, in output: inout MutableRawSpan, at place: Int
  ) -> Int? {
    guard case .event(Sensing.SensorData.id) = header, frameCount(in: payload) != nil else { return nil }
    store(payload, in: &output, at: place)
    return payload.count / 2
  }

  /// Stores the values of whole frames.
  ///
  /// They are stored as bytes, so that eight stay one vector. Numbers have no padding, any bytes are one, and offsets are checked.
  @inline(__always) private func store(
    _ payload: Span<UInt8>, in output: inout MutableRawSpan, at place: Int
  ) {
    let scales = scales.span
    var (words, scale, offset) = (payload, scales, 8 &* place)
    while words.count >= 16, scale.count >= 8 {
      // No conversions of whole vectors: those are calls in one place and not in another.
      var values = SIMD8<Double>()
      for lane in 0..<8 {
        let word = UInt16(words[2 &* lane]) << 8 | UInt16(words[2 &* lane &+ 1])
        values[lane] = Double(Int16(bitPattern: word)) * scale[lane]
      }
      output.storeBytes(of: values, toByteOffset: offset, as: SIMD8<Double>.self)
      offset &+= 64
      words = words.extracting(droppingFirst: 16)
      scale = scale.extracting(droppingFirst: 8)
      // Fewer are left than lie behind the last column, so this is a column of the next frame.
      while scale.count < 8 { scale = scales.extracting(droppingFirst: 7 &- scale.count) }
    }
    while words.count >= 2, scale.count >= 1 {
      let word = Int16(bitPattern: UInt16(words[0]) << 8 | UInt16(words[1]))
      output.storeBytes(of: Double(word) * scale[0], toByteOffset: offset, as: Double.self)
      offset &+= 8
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
