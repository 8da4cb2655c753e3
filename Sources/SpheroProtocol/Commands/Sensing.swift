// Sensing commands (DID 02h): what the robot measures and reports.

/// What the robot measures (DID 02h).
public enum Sensing {
  /// The commands of this file, in the order of their IDs.
  public static let commands: [any Command.Type] = [SetDataStreaming.self]
}

extension Sensing {
  /// Starts, replaces or ends the stream of ``SensorData``.
  ///
  /// A second request replaces the first and its count begins anew; the robot stops silently behind the last packet.
  /// Both masks zero switch off.
  /// Sphero API 1.50, "Set Data Streaming" (DID 02h, CID 11h).
  public struct SetDataStreaming: Command {
    /// 02:11.
    public static let id = CommandID(0x02, 0x11)
    /// N: a frame is taken every N/400 s.
    public var divisor: UInt16 = 0
    /// M: frames in a packet.
    public var frames: UInt16 = 0
    /// MASK: the first set of values.
    public var mask: UInt32 = 0
    /// PCNT: packets to send, 1...255; 0 is without end.
    public var packetCount: UInt8 = 0
    /// MASK2: the second set of values; nil in the 9-byte form for firmware before 1.15.
    public var mask2: UInt32? = 0
    /// Makes the command that switches streaming off.
    public init() {}
    /// Asks for a stream.
    public init(divisor: UInt16, frames: UInt16 = 1, mask: SensorMask, packetCount: UInt8) {
      (self.divisor, self.frames, self.packetCount) = (divisor, frames, packetCount)
      (self.mask, self.mask2) = (mask.mask, mask.mask2)
    }
    /// Both masks laid end to end.
    public var sensorMask: SensorMask { SensorMask(mask: mask, mask2: mask2 ?? 0) }
    /// Visits 13 bytes, or 9 without the second mask.
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("divisor", &divisor)
      try wire.field("frames", &frames)
      try wire.field("mask", &mask)
      try wire.field("packetCount", &packetCount)
      try wire.trailing("mask2", &mask2)
    }
  }
}
