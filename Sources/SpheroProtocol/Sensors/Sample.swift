// A sample: one frame of a sensor stream.

/// One frame of a sensor stream.
///
/// It stores the mask and the words of the wire; values in units are computed on access.
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
  /// A sensor packet does not contain its mask, and packets of a former request may still arrive.
  /// Nil if the length does not fit the mask and the number of frames of the request; `frames` nil allows any number.
  /// A ``SampleLayout``, created once, reads many packets faster.
  public static func samples(in payload: [UInt8], mask: SensorMask, frames: Int? = nil) -> [Sample]? {
    let stride = mask.wordCount * 2
    guard stride > 0, !payload.isEmpty, payload.count.isMultiple(of: stride) else { return nil }
    let count = payload.count / stride
    guard frames == nil || frames == count else { return nil }
    let bytes = payload[...]
    return (0..<count).map { frame in
      Sample(mask: mask, bytes: bytes.span.extracting((frame * stride)..<((frame + 1) * stride)))
    }
  }

  /// The word at a place in wire order; 0 after the last one.
  package func rawWord(at place: Int) -> Int16 {
    (0..<words.scalarCount).contains(place) ? words[place] : 0
  }

  /// Each field with its unit: `accel_x=0.0120 g yaw=-90°`.
  public var description: String {
    mask.fields.map { $0.name + "=" + Dissection.text($0, self) }.joined(separator: " ")
  }
}
