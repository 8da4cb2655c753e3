// Benchmarks decoding of sensor packets, in WebAssembly and natively.

import SpheroProtocol

/// 20,000 packets of 26 bytes in pieces of 4096 bytes; each packet decodes to ten scaled values.
private struct Stream {
  static let packets = 20_000
  static let mask: SensorMask = [.imu, .accel, .gyro, SensorMask(.q0)]
  let pieces: [[UInt8]]

  init() {
    var (bytes, state) = ([] as [UInt8], 1 as UInt32)
    for _ in 0..<Self.packets {
      let payload = (0..<20).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return UInt8(truncatingIfNeeded: state >> 24)
      }
      bytes += (try? Packet.event(EventPacket(id: Sensing.SensorData.id, payload: payload)).encoded()) ?? []
    }
    pieces = stride(from: 0, to: bytes.count, by: 4096).map { Array(bytes[$0..<min($0 + 4096, bytes.count)]) }
  }

  /// Decodes the stream and returns the sum of all values.
  func decode() -> Double {
    let layout = SampleLayout(Self.mask)
    var decoder = PacketDecoder(from: .robot)
    var (values, sum) = ([] as [Double], 0.0)
    for piece in pieces {
      decoder.append(piece)
      values.removeAll(keepingCapacity: true)
      decoder.readValues(of: layout, into: &values)
      for value in values { sum += value }
    }
    return sum
  }
}

#if arch(wasm32)
  private let stream = Stream()

  /// Decodes the stream, and returns the sum of its values.
  @_expose(wasm, "decode_stream") @_cdecl("sphero_decode_stream")
  public func decodeStream() -> Double { stream.decode() }
#else
  @main struct Speed {
    static func main() {
      let (stream, clock) = (Stream(), ContinuousClock())
      var (times, sum) = ([] as [Double], 0.0)
      for _ in 0..<50 {
        let time = clock.measure { sum = stream.decode() }
        times.append(time / .nanoseconds(1) / Double(Stream.packets))
      }
      let median = times.sorted()[times.count / 2]
      print("native \(median) ns a packet, sum \(sum)")
    }
  }
#endif
