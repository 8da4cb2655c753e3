// The format of a sensor stream.

/// The format of the sensor packets of a stream.
///
/// A sensor packet does not contain its format; the request that was answered does
/// (Sphero API 1.50, "Set Data Streaming").
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

  /// The possible payload lengths, in bytes, up to the maximum of a decoder.
  package var payloadCounts: Set<Int> {
    let size = mask.wordCount * 2
    if let frames { return size > 0 ? [size * Int(frames)] : [] }
    return size > 0 ? Set(stride(from: size, through: 4_095, by: size)) : []
  }

  /// The time between two frames at the nominal 400 Hz, in seconds; 1/400 s if the divisor is unknown.
  package var framePeriod: Double { 0.0025 * Double(divisor ?? 1) }
}
