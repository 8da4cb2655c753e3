// One moment of the streamed sensors, and the frames of a sensor packet.

/// One moment of the streamed sensors.
///
/// It holds the words of the wire and the mask; values in units are computed on access.
public struct Sample: Hashable, Sendable {
  /// Which fields the sample has.
  public let mask: SensorMask
  /// The words in wire order; those after ``SensorMask/wordCount`` are zero.
  @usableFromInline private(set) var words = SIMD64<Int16>()

  /// Makes a sample of zeros.
  @inlinable package init(mask: SensorMask) { self.mask = mask }

  /// Makes a sample from words in wire order; missing ones are zero, surplus ones are ignored.
  public init(mask: SensorMask, words: some Sequence<Int16>) {
    self.mask = mask
    for (index, word) in words.prefix(mask.wordCount).enumerated() { self.words[index] = word }
  }

  /// Makes a sample of the big-endian words of a frame; missing ones are zero.
  @inline(__always) package init(mask: SensorMask, bytes: Span<UInt8>) {
    self.init(mask: mask)
    read(bytes)
  }

  /// Takes the big-endian words of a frame; those that it does not have are left.
  @inline(__always) package mutating func read(_ bytes: Span<UInt8>) {
    let count = min(mask.wordCount, bytes.count / 2, words.scalarCount)
    // Stored as bytes, eight words stay one vector; any bytes are words, and the offset is checked.
    unsafe withUnsafeMutableBytes(of: &words) { output in
      var index = 0
      while count &- index >= 8 {
        let eight = SampleLayout.counts(bytes.extracting((2 &* index)..<(2 &* index &+ 16)))
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

  /// The same of an array, for other modules, in which the generic one would not be specialised.
  package init(mask: SensorMask, words: [Int16]) { self.init(mask: mask, words: words[...]) }

  /// The word of the wire, or nil where the field was not asked for.
  public func word(_ field: SensorField) -> Int16? { mask.index(of: field).map { words[$0] } }

  /// The value in its unit, or nil where the field was not asked for.
  public subscript(field: SensorField) -> Double? { word(field).map { Double($0) * field.perCount } }

  /// All words in wire order, reserved ones included.
  public var rawWords: [Int16] { (0..<mask.wordCount).map { words[$0] } }

  /// Cuts the payload of a sensor packet into its frames.
  ///
  /// A sensor packet does not carry its mask, so one that was asked for before may still come.
  /// A ``SampleLayout``, made once, reads many packets faster.
  ///
  /// - Parameters:
  ///   - payload: The bytes of ``Sensing/SensorData``: big-endian 16-bit words.
  ///   - mask: What was asked for.
  ///   - frames: How many frames a packet has, or nil for any number.
  /// - Returns: The samples, oldest first, or nil where the length does not fit: a packet of another request.
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
}

extension Sample {
  /// The word at a place in wire order; 0 after the last one.
  package func rawWord(at place: Int) -> Int16 {
    (0..<words.scalarCount).contains(place) ? words[place] : 0
  }
}

extension Sample: CustomStringConvertible {
  /// Each field with its unit: `accel_x=0.0120 g yaw=-90°`.
  public var description: String {
    mask.fields.map { $0.name + "=" + Dissection.text($0, self) }.joined(separator: " ")
  }
}
