// Sensor packets to decode, made by a seed.

import SpheroProtocol

/// Bytes of a robot that streams accelerometer, angles and quaternion, ten values a frame.
struct SensorBytes {
  /// What a frame holds.
  static let mask: SensorMask = [.accel, .imu, .quat]
  /// The fields of a frame in wire order.
  static let fields = mask.fields

  let bytes: [UInt8]
  /// The same in reads.
  let pieces: [[UInt8]]
  let packets: Int
  /// The frames of a packet.
  let frames: Int

  /// Makes packets of 26 bytes for one frame, of 86 for four.
  init(packets: Int, frames: Int = 1, reads size: Int = 4096, corrupted: Double = 0, seed: UInt64 = 1) {
    var numbers = SeededNumbers(seed: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(packets * (6 + 20 * frames))
    for _ in 0..<packets {
      let payload = (0..<(20 * frames)).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      bytes += (try? Packet.event(EventPacket(id: EventID(3), payload: payload)).encoded()) ?? []
    }
    for place in bytes.indices where corrupted > 0 && Double.random(in: 0..<1, using: &numbers) < corrupted {
      bytes[place] ^= UInt8.random(in: 1...255, using: &numbers)
    }
    self.bytes = bytes
    (self.packets, self.frames) = (packets, frames)
    pieces = stride(from: 0, to: bytes.count, by: size).map {
      Array(bytes[$0..<min($0 + size, bytes.count)])
    }
  }

  /// The values of a packet.
  var width: Int { 10 * frames }
}
