// Generates sensor packets from a seed.

import SpheroProtocol

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The bytes of a stream with accelerometer, angles and quaternion: ten values per frame.
struct SensorBytes {
  /// The fields of a frame.
  static let mask: SensorMask = [.accel, .imu, .quat]
  /// The fields of a frame in wire order.
  static let fields = mask.fields

  let bytes: [UInt8]
  /// The bytes split into reads.
  let pieces: [[UInt8]]
  let packets: Int
  /// The number of frames per packet.
  let frames: Int

  /// Generates packets of 26 bytes with one frame, or 86 bytes with four frames.
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

  /// The number of values per packet.
  var width: Int { 10 * frames }
}

/// Recordings for programs that read a file.
public enum SensorFile {
  /// Writes packets of 26 bytes to stdout: raw, or as a capture with a packet every 2.5 ms.
  public static func write(packets: Int, isCapture: Bool) {
    let stream = SensorBytes(packets: packets)
    guard isCapture else {
      return write(stream.bytes)
    }
    var text: [UInt8] = []
    let digits = Array("0123456789ABCDEF".utf8)
    for index in 0..<packets {
      let time = Double(index) / 400
      var line = Array("\(Int(time)).".utf8)
      line += String(1_000_000 + Int(((time - time.rounded(.down)) * 1e6).rounded())).utf8.dropFirst()
      line += " <".utf8
      for byte in stream.bytes[(26 * index)..<(26 * index + 26)] {
        line += [0x20, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
      line.append(0x0A)
      text += line
    }
    write(text)
  }

  private static func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { unistdWrite(1, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

/// The system call `write`, under a name that the method above does not shadow.
private let unistdWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
