// Measures the packet decoder beside the same in C, in one process, on the same bytes.

@_silgen_name("twin_decode")
func twinDecode(
  _ bytes: UnsafePointer<UInt8>, _ count: Int, _ keep: CInt, _ checksum: UnsafeMutablePointer<Int>
) -> Int

/// 26-byte sensor packets; what the words are does not matter.
func stream(packets: Int, values: Int) -> [UInt8] {
  (0..<packets).flatMap { index in
    let payload = (0..<(2 * values)).map { UInt8(truncatingIfNeeded: index &* 31 &+ $0 &* 7) & 0x7F }
    return (try? Packet.event(EventPacket(id: EventID(3), payload: payload)).encoded()) ?? []
  }
}

func decodePackets(_ bytes: [UInt8], reads size: Int, _ checksum: inout Int) -> Int {
  var decoder = PacketDecoder(from: .robot)
  var place = 0
  while place < bytes.count {
    let end = min(bytes.count, place + size)
    decoder.append(bytes[place..<end])
    place = end
    while let packet = decoder.next() { checksum &+= Int(packet.payload[0]) }
  }
  return decoder.statistics.packets
}

func decodeInPlace(_ bytes: [UInt8], reads size: Int, _ checksum: inout Int) -> Int {
  var decoder = PacketDecoder(from: .robot)
  var place = 0
  while place < bytes.count {
    let end = min(bytes.count, place + size)
    decoder.append(bytes[place..<end])
    place = end
    decoder.forEachPacket { _, payload in checksum &+= Int(payload[0]) }
  }
  return decoder.statistics.packets
}

func decodeFrames(_ bytes: [UInt8], reads size: Int, _ checksum: inout Int) -> Int {
  var decoder = PacketDecoder(from: .robot)
  var place = 0
  while place < bytes.count {
    let end = min(bytes.count, place + size)
    decoder.append(bytes[place..<end])
    place = end
    while let frame = decoder.nextFrame() { checksum &+= frame.payload }
  }
  return decoder.statistics.packets
}

/// The best of some runs, in nanoseconds for a packet.
func best(_ runs: Int, _ body: () -> Int) -> Double {
  let clock = ContinuousClock()
  var best = Double.infinity
  for _ in 0..<runs {
    var packets = 0
    let time = clock.measure { packets = body() }
    best = min(best, time / .nanoseconds(1) / Double(max(packets, 1)))
  }
  return best
}

@main struct Benchmark {
  static func main() {
    var checksum = 0
    for values in [10, 40] {
      let bytes = stream(packets: 50_000, values: values)
      let size = 26 + 2 * (values - 10)
      print("\(bytes.count / size) packets of \(size) bytes; ns for a packet, ratio to C")
      let runs = 40
      let framing = best(runs) { unsafe twinDecode(bytes, bytes.count, 0, &checksum) }
      let keeping = best(runs) { unsafe twinDecode(bytes, bytes.count, 1, &checksum) }
      line("C, framing", framing, framing)
      for reads in [1 << 22, 4096, 512] {
        line(
          "Swift, framing, reads of \(reads)", best(runs) { decodeFrames(bytes, reads: reads, &checksum) },
          framing)
      }
      for reads in [1 << 22, 4096, 512] {
        line(
          "Swift, in place, reads of \(reads)", best(runs) { decodeInPlace(bytes, reads: reads, &checksum) },
          framing)
      }
      line("C, payload copied", keeping, keeping)
      for reads in [1 << 22, 4096, 512, 20, 1] {
        line(
          "Swift, packets, reads of \(reads)", best(runs) { decodePackets(bytes, reads: reads, &checksum) },
          keeping)
      }
    }
    if checksum == 42 { print() }
  }

  static func line(_ what: String, _ time: Double, _ reference: Double) {
    let name = what + String(repeating: " ", count: max(1, 36 - what.count))
    print(name + Decimal.text(time, digits: 1) + "  x" + Decimal.text(time / reference, digits: 2))
  }
}
