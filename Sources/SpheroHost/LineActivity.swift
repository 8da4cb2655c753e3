// What a line delivered while a request waited for its answer.

import SpheroProtocol

/// What a line delivered while a request waited for its answer, for the error of its time-out.
public struct LineActivity: Hashable, Sendable {
  /// The kind of a received packet.
  public enum PacketKind: Hashable, Sendable {
    /// A packet that answers a command.
    case response
    /// A packet of a sensor stream.
    case sensorData
    /// Another packet that the robot sends by itself.
    case event
  }

  /// The last packet with a correct checksum.
  public struct LastPacket: Hashable, Sendable {
    /// The kind of the packet.
    public let kind: PacketKind
    /// The time since its arrival.
    public let age: Duration
  }

  /// The number of bytes received since the request was sent for the first time.
  public let bytes: Int
  /// The last intact packet, which may have arrived before the request was sent; nil if there was none on this line.
  public let lastPacket: LastPacket?
}

extension LineActivity: CustomStringConvertible {
  /// A clause like `48 bytes arrived meanwhile, and the last intact packet, sensor data, 0.02 s ago`.
  public var description: String {
    let count = bytes == 0 ? "no byte" : "\(bytes) byte\(bytes == 1 ? "" : "s")"
    guard let lastPacket else { return "\(count) arrived meanwhile" }
    let kind =
      switch lastPacket.kind {
      case .response: "an answer"
      case .sensorData: "sensor data"
      case .event: "an event"
      }
    let age = lastPacket.age.secondsText
    return "\(count) arrived meanwhile, and the last intact packet, \(kind), \(age) ago"
  }
}
