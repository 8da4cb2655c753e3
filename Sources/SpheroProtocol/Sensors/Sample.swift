// One moment of the streamed sensors, the format of a stream, and the layout of the sensor packets of a mask.

/// One frame of a sensor stream: the mask and the words of the wire; values in units are computed on access.
public struct Sample: Hashable, Sendable, CustomStringConvertible {
  /// The fields of the sample.
  public let mask: SensorMask
  /// The words in wire order; those after ``SensorMask/wordCount`` are zero.
  @usableFromInline package var words = SIMD64<Int16>()

  @inlinable package init(mask: SensorMask) { self.mask = mask }

  /// Creates a sample from words in wire order; missing ones are zero, surplus ones are ignored.
  @inlinable public init(mask: SensorMask, words: some Sequence<Int16>) {
    self.mask = mask
    for (index, word) in words.prefix(mask.wordCount).enumerated() { self.words[index] = word }
  }

  /// Creates a sample from the big-endian words of a frame; missing ones are zero.
  @inline(__always) package init(mask: SensorMask, bytes: Span<UInt8>) {
    self.init(mask: mask)
    let count = min(mask.wordCount, bytes.count / 2, words.scalarCount)
    // A store of bytes compiles to one vector store. Every bit pattern is a word, and the offset is checked.
    unsafe withUnsafeMutableBytes(of: &words) { output in
      var index = 0
      while count &- index >= 8 {
        let eight = Self.eightWords(bytes.extracting((2 &* index)..<(2 &* index &+ 16)))
        unsafe output.storeBytes(of: eight, toByteOffset: 2 &* index, as: SIMD8<Int16>.self)
        index &+= 8
      }
      while index < count {
        let word = bytes.extracting((2 &* index)..<(2 &* index &+ 2))
        let bits = UInt16(word[0]) << 8 | UInt16(word[1])
        unsafe output.storeBytes(of: bits, toByteOffset: 2 &* index, as: UInt16.self)
        index &+= 1
      }
    }
  }

  @inline(__always) private static func eightWords(_ bytes: Span<UInt8>) -> SIMD8<Int16> {
    var block = SIMD16<UInt8>()
    for lane in 0..<16 { block[lane] = bytes[lane] }
    let upper = SIMD8<UInt16>(truncatingIfNeeded: block.evenHalf) &<< 8
    return SIMD8<Int16>(truncatingIfNeeded: upper | SIMD8<UInt16>(truncatingIfNeeded: block.oddHalf))
  }

  /// The word of the wire, or nil if the mask does not contain the field.
  public func word(_ field: SensorField) -> Int16? { mask.index(of: field).map { words[$0] } }

  /// The value in its unit, or nil if the mask does not contain the field.
  public subscript(field: SensorField) -> Double? { word(field).map { Double($0) * field.perCount } }

  /// All words in wire order, reserved ones included.
  public var rawWords: [Int16] { (0..<mask.wordCount).map { words[$0] } }

  /// Splits the payload of a sensor packet into its frames, the oldest first.
  ///
  /// Nil if the length does not fit the mask and the number of frames, since packets of a former request may still arrive;
  /// `frames` nil allows any number. A ``SampleLayout``, created once, reads many packets faster.
  public static func samples(in payload: [UInt8], mask: SensorMask, frames: Int? = nil) -> [Sample]? {
    guard let count = StreamFormat(mask: mask).frameCount(in: payload.count), frames == nil || frames == count
    else { return nil }
    let (bytes, size) = (payload[...], payload.count / count)
    return (0..<count).map { frame in
      Sample(mask: mask, bytes: bytes.span.extracting((frame * size)..<((frame + 1) * size)))
    }
  }

  /// The word at an index in wire order; 0 after the last one.
  package func rawWord(at index: Int) -> Int16 {
    (0..<words.scalarCount).contains(index) ? words[index] : 0
  }

  /// Each field with its unit: `accel_x=0.0120 g yaw=-90°`.
  public var description: String { String.text { append(readable: &$0) } }
}

/// The layout of the frames of a stream: the field of each word, and its scale.
///
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
  /// The amount of the unit in one count, for each word of a frame and the seven after it: eight follow any word.
  private let scales: ContiguousArray<Double>
  /// The number of bytes of a frame.
  public let byteCount: Int

  /// Creates the layout of the fields of a mask.
  public init(_ mask: SensorMask) {
    self.mask = mask
    // The bits of MASK, and the ten upper bits of MASK2, as in ``SensorMask/wordCount``.
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

  /// Replaces `values` by those of all frames of ``Sensing/SensorData``, each in its unit, in the order of ``columns``;
  /// the oldest frame is the first. The value of a reserved word is its count.
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
      // Fewer than eight scales are left only after a whole frame: goes back to the same scales of that frame.
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

/// The format of the sensor packets of a stream, which only the request that was answered contains.
public struct StreamFormat: Hashable, Sendable {
  /// The fields of a frame.
  public var mask: SensorMask
  /// The robot measures a frame every `divisor`/400 s; nil if unknown.
  public var divisor: UInt16?
  /// The number of frames in a packet; nil if a packet may have any number.
  public var frames: UInt16?

  public init(mask: SensorMask, divisor: UInt16? = nil, frames: UInt16? = nil) {
    (self.mask, self.divisor, self.frames) = (mask, divisor, frames)
  }

  /// The format that a request sets; its mask is empty if the request ends the stream.
  package init(_ request: Sensing.SetDataStreaming) {
    self.init(
      mask: request.sensorMask, divisor: request.divisor > 0 ? request.divisor : nil,
      frames: request.frames > 0 ? request.frames : nil)
  }

  /// The number of frames in a payload of `byteCount` bytes; nil if it has another format.
  package func frameCount(in byteCount: Int) -> Int? {
    let size = mask.wordCount * 2
    guard size > 0, byteCount > 0, byteCount.isMultiple(of: size) else { return nil }
    let count = byteCount / size
    return frames.map { Int($0) == count } ?? true ? count : nil
  }

  /// The possible payload lengths in bytes. Without ``frames``, they are at most 4,095: the LEN of an event, with CHK, is
  /// at most 4,096.
  package var payloadCounts: Set<Int> {
    let size = mask.wordCount * 2
    if let frames { return size > 0 ? [size * Int(frames)] : [] }
    return size > 0 ? Set(stride(from: size, through: 4_095, by: size)) : []
  }

  /// The time between two frames at the nominal 400 Hz, in seconds; 1/400 s if the divisor is unknown.
  package var framePeriod: Double { 0.0025 * Double(divisor ?? 1) }
}
