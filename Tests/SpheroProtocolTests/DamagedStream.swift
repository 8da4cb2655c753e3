// Streams of sensor packets, damaged in four ways, with a record of the intact packets.

import SpheroProtocol
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A stream of sensor packets, some of which are damaged.
///
/// Each packet has ten words: two contain its index, the others a smooth motion, whose small negative values
/// fill the payloads with FFh.
struct DamagedStream {
  /// The kind of damage.
  enum Damage: String, CaseIterable {
    case clean
    /// One byte in 5000 is changed.
    case light
    /// One byte in 100 is changed.
    case corrupt
    /// One byte in 1000 is lost, and one is inserted before one in 1000.
    case slip
    /// One packet in 50 is truncated.
    case trunc
  }

  /// The bytes received.
  var bytes: [UInt8] = []
  /// The packets sent.
  let packets: [EventPacket]
  /// Whether a packet arrived with all its bytes, and no others between them.
  var isIntact: [Bool]

  init(_ damage: Damage, packets count: Int, seed: UInt64) {
    packets = (0..<count).map(Self.packet)
    isIntact = Array(repeating: true, count: count)
    var random = SeededGenerator(seed: seed)
    for (index, packet) in packets.enumerated() {
      let wire = (try? Packet.event(packet).encoded()) ?? []
      if damage == .trunc, Int.random(in: 0..<50, using: &random) == 0 {
        isIntact[index] = false
        bytes += wire.prefix(Int.random(in: 1..<wire.count, using: &random))
        continue
      }
      for (place, byte) in wire.enumerated() {
        let isHit =
          switch damage {
          case .clean, .trunc: false
          case .light: Int.random(in: 0..<5000, using: &random) == 0
          case .corrupt: Int.random(in: 0..<100, using: &random) == 0
          case .slip: Int.random(in: 0..<500, using: &random) == 0
          }
        guard isHit else {
          bytes.append(byte)
          continue
        }
        if damage != .slip {
          isIntact[index] = false
          bytes.append(byte &+ UInt8.random(in: 1...255, using: &random))
        } else if Bool.random(using: &random) {
          isIntact[index] = false
        } else {
          bytes.append(UInt8.random(in: 0...255, using: &random))
          bytes.append(byte)
          if place > 0 { isIntact[index] = false }
        }
      }
    }
  }

  static let mask: SensorMask = [.imu, .accel, .quat]

  private static func packet(_ index: Int) -> EventPacket {
    let time = Double(index) / 400
    let roll = 0.4 * sin(time)
    let pitch = 0.3 * cos(0.7 * time)
    let yaw = 0.2 * sin(0.3 * time)
    let (cy, sy) = (cos(yaw / 2), sin(yaw / 2))
    let (cp, sp) = (cos(pitch / 2), sin(pitch / 2))
    let (cr, sr) = (cos(roll / 2), sin(roll / 2))
    let quaternion = [
      cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy,
      cr * cp * sy - sr * sp * cy,
    ]
    let acceleration = [sin(pitch), -sin(roll) * cos(pitch), cos(roll) * cos(pitch)]
    var words = [Int16(truncatingIfNeeded: index >> 8), Int16(index & 255) - 128, Int16(yaw * 180 / .pi)]
    words += acceleration.map { Int16(4096 * $0) }
    words += quaternion.map { Int16(10_000 * $0) }
    return EventPacket(
      id: Sensing.SensorData.id, payload: Sensing.SensorData([Sample(mask: mask, words: words)]).frames)
  }

  /// The errors of a decoder.
  struct Score: Equatable {
    /// Intact packets that were not delivered.
    var lost = 0
    /// Sensor packets delivered that did not arrive intact.
    var wrong = 0
    /// Packets delivered twice or after a later one.
    var outOfOrder = 0
  }

  func score(_ delivered: [Packet]) -> Score {
    var score = Score()
    var isFound = Array(repeating: false, count: packets.count)
    var last = -1
    for case .event(let event) in delivered where event.id == Sensing.SensorData.id {
      guard let sample = Sample.samples(in: event.payload, mask: Self.mask, frames: 1)?.first else {
        score.wrong += 1
        continue
      }
      let index = Int(sample.rawWords[0]) << 8 + Int(sample.rawWords[1]) + 128
      guard packets.indices.contains(index), packets[index] == event, isIntact[index] else {
        score.wrong += 1
        continue
      }
      if index <= last { score.outOfOrder += 1 }
      isFound[index] = true
      last = index
    }
    score.lost = zip(isIntact, isFound).filter { $0 && !$1 }.count
    return score
  }

  /// The bytes in reads of 64 to 1024.
  func reads(seed: UInt64) -> [[UInt8]] {
    var random = SeededGenerator(seed: seed)
    var reads: [[UInt8]] = []
    var place = 0
    while place < bytes.count {
      let end = min(bytes.count, place + Int.random(in: 64...1024, using: &random))
      reads.append(Array(bytes[place..<end]))
      place = end
    }
    return reads
  }
}
