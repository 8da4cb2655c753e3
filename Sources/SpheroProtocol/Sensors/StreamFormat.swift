// How the sensor packets of a stream are laid out, which only its request tells.

/// How the sensor packets of a stream are laid out.
///
/// A sensor packet does not carry its format; the request that was answered does
/// (Sphero API 1.50, "Set Data Streaming").
public struct StreamFormat: Hashable, Sendable {
  /// The fields of a frame.
  public var mask: SensorMask
  /// A frame is taken every `divisor`/400 s; nil where that is not known.
  public var divisor: UInt16?
  /// The frames in a packet; nil where a packet may have any number.
  public var frames: UInt16?

  /// Makes a format from its parts.
  public init(mask: SensorMask, divisor: UInt16? = nil, frames: UInt16? = nil) {
    (self.mask, self.divisor, self.frames) = (mask, divisor, frames)
  }

  /// The format that a request asks for; its mask is empty where it ends the stream.
  package init(_ request: Sensing.SetDataStreaming) {
    self.init(
      mask: request.sensorMask, divisor: request.divisor > 0 ? request.divisor : nil,
      frames: request.frames > 0 ? request.frames : nil)
  }

  /// How many frames a payload of so many bytes has; nil where it has another format.
  package func frameCount(in byteCount: Int) -> Int? {
    let size = mask.wordCount * 2
    guard size > 0, byteCount > 0, byteCount.isMultiple(of: size) else { return nil }
    let count = byteCount / size
    return frames.map { Int($0) == count } ?? true ? count : nil
  }

  /// How long the payloads of its packets can be, in bytes, as far as a decoder takes them.
  package var payloadCounts: Set<Int> {
    let size = mask.wordCount * 2
    if let frames { return size > 0 ? [size * Int(frames)] : [] }
    return size > 0 ? Set(stride(from: size, through: 4_095, by: size)) : []
  }

  /// The time between two frames by the nominal 400 Hz, in seconds; 1/400 s where the divisor is not known.
  package var framePeriod: Double { 0.0025 * Double(divisor ?? 1) }
}
