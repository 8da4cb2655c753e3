// Defines the rows of the packet decoder.

import CBaseline
import SpheroProtocol

extension Comparison {
  static func decoding(_ divisor: Int) -> [(name: String, make: () -> Comparison)] {
    [
      ("values", { values("values", SensorBytes(packets: 20_000 / divisor), times: 1 / 0.6) }),
      ("values-86", { values("values-86", SensorBytes(packets: 6000 / divisor, frames: 4), times: 1 / 0.8) }),
      ("framing", { framing(divisor) }),
      (
        "damage",
        { values("damage", SensorBytes(packets: 20_000 / divisor, corrupted: 0.01), times: 1 / 0.6) }
      ),
      ("slice", { appending(divisor, "slice", "`ArraySlice`", as: { $0[...] }, with: { $0.append($1) }) }),
      (
        "contiguous",
        {
          appending(
            divisor, "contiguous", "`ContiguousArray`", as: ContiguousArray.init, with: { $0.append($1) })
        }
      ),
      (
        "lazy",
        {
          // Compared with an array of the sequence, because iterating the sequence takes most of the time.
          appending(
            divisor, "lazy", "a lazy sequence", as: \.self, with: { $0.append($1.lazy.map { $0 }) },
            beside: "an array made of it", { $0.append(Array($1.lazy.map { $0 })) })
        }
      ),
      ("span", { appending(divisor, "span", "`Span`", as: \.self, with: { $0.append($1.span) }) }),
      ("single", { single(divisor) }),
    ]
  }

  /// Decodes bytes to scaled values.
  private static func values(_ name: String, _ stream: SensorBytes, times: Double) -> Comparison {
    let isDamaged = name == "damage"
    let what = "\(6 + 2 * stream.width)-byte packets to \(stream.width) scaled values"
    let width = stream.width
    let output = UnsafeMutablePointer<Double>.allocate(capacity: 256 * width)
    let scales = SensorBytes.fields.map(\.scale.perCount)
    func baseline(_ output: UnsafeMutablePointer<Double>, ring: Int) -> Int {
      let decoder = baseline_decoder_new()
      defer { baseline_decoder_free(decoder) }
      var packets = 0
      for piece in stream.pieces {
        baseline_values(decoder, piece, piece.count, scales, scales.count, width, output, ring, &packets)
      }
      return packets
    }
    return Comparison(
      name, isDamaged ? "the same with 1 % of the bytes corrupted" : what, unit: "packet",
      count: stream.packets,
      limit: times,
      ours: {
        var sum = 0.0
        readValues(stream.pieces, frames: stream.frames) { sum += $0[0] }
        keep(sum)
      },
      baseline: { keep(baseline(output, ring: 255)) },
      difference: {
        var lists: [[Double]] = [[], []]
        readValues(stream.pieces, frames: stream.frames) {
          for place in $0.indices { lists[0].append($0[place]) }
        }
        // Has room for false packets, so that the ring does not wrap around.
        let ring = (2 * stream.packets).nextPowerOfTwo
        let all = UnsafeMutablePointer<Double>.allocate(capacity: ring * width)
        defer { all.deallocate() }
        let packets = baseline(all, ring: ring - 1)
        lists[1] = Array(UnsafeBufferPointer(start: all, count: packets * width))
        guard isDamaged else {
          if lists[1].count != stream.packets * width {
            return "the baseline found \(lists[1].count / width) packets"
          }
          return firstDifference(lists[0], lists[1], tolerance: 0)
        }
        return missing(from: lists[0], of: lists[1], width: width)
      })
  }

  /// Describes the packets that the baseline decodes and the library does not, in order.
  private static func missing(from ours: [Double], of baseline: [Double], width: Int) -> String? {
    func rows(_ values: [Double]) -> [ArraySlice<Double>] {
      stride(from: 0, to: values.count, by: width).map { values[$0..<($0 + width)] }
    }
    let (ours, baseline) = (rows(ours), rows(baseline))
    var place = 0
    var lost = 0
    for packet in baseline {
      if let found = ours[place...].prefix(1000).firstIndex(where: { $0.elementsEqual(packet) }) {
        place = found + 1
      } else {
        lost += 1
      }
    }
    return lost == 0 && ours.count > baseline.count / 2
      ? nil : "\(lost) of the \(baseline.count) packets that C finds are lost"
  }

  /// The sum of the first byte of each payload: framing and checksum only.
  @inline(__always) private static func firstBytes(_ pieces: [[UInt8]]) -> UInt64 {
    var decoder = PacketDecoder(from: .robot)
    var sum = 0 as UInt64
    for piece in pieces {
      decoder.append(piece)
      decoder.forEachPacket { _, payload in sum &+= UInt64(payload[0]) }
    }
    return sum
  }

  /// The same sum, computed by the baseline.
  private static func firstBytesOfBaseline(_ pieces: [[UInt8]]) -> UInt64 {
    let decoder = baseline_decoder_new()
    defer { baseline_decoder_free(decoder) }
    var sum = 0 as UInt64
    for piece in pieces { baseline_frames(decoder, piece, piece.count, &sum) }
    return sum
  }

  /// Framing and checksum only.
  private static func framing(_ divisor: Int) -> Comparison {
    let stream = SensorBytes(packets: 20_000 / divisor)
    func ours() -> UInt64 { firstBytes(stream.pieces) }
    func baseline() -> UInt64 { firstBytesOfBaseline(stream.pieces) }
    return Comparison(
      "framing", "framing and checksum of 26-byte packets", unit: "packet", count: stream.packets,
      limit: 1 / 0.8, ours: { keep(ours()) }, baseline: { keep(baseline()) },
      difference: {
        ours() == baseline() ? nil : "the sums of the first bytes are \(ours()) and \(baseline())"
      })
  }

  /// Appending pieces that are not arrays, compared with arrays or with `other`.
  private static func appending<Piece>(
    _ divisor: Int, _ name: String, _ what: String, as made: ([UInt8]) -> Piece,
    with append: @escaping (inout PacketDecoder, Piece) -> Void, beside other: String = "array",
    _ appendArray: @escaping (inout PacketDecoder, [UInt8]) -> Void = { $0.append($1) }
  ) -> Comparison {
    let stream = SensorBytes(packets: 20_000 / divisor)
    let pieces = stream.pieces.map(made)
    // Both use a closure, so that arrays have no advantage.
    func run<P>(_ pieces: [P], _ append: (inout PacketDecoder, P) -> Void) -> UInt64 {
      var decoder = PacketDecoder(from: .robot)
      var sum = 0 as UInt64
      for piece in pieces {
        append(&decoder, piece)
        decoder.forEachPacket { _, payload in sum &+= UInt64(payload[0]) }
      }
      return sum
    }
    func array() -> UInt64 { run(stream.pieces, appendArray) }
    return Comparison(
      name, "`append` of \(what), framing", unit: "packet", count: stream.packets, limit: 1.1,
      baselineName: other, ours: { keep(run(pieces, append)) }, baseline: { keep(array()) },
      difference: { run(pieces, append) == array() ? nil : "the sums of the first bytes differ" })
  }

  /// Reads of one byte.
  private static func single(_ divisor: Int) -> Comparison {
    let stream = SensorBytes(packets: 2000 / divisor, frames: 4, reads: 1)
    func ours() -> UInt64 { firstBytes(stream.pieces) }
    func baseline() -> UInt64 { firstBytesOfBaseline(stream.pieces) }
    return Comparison(
      "single", "86-byte packets in reads of 1 byte", unit: "byte", count: stream.bytes.count,
      limit: 1.25, ours: { keep(ours()) }, baseline: { keep(baseline()) },
      difference: { ours() == baseline() ? nil : "the sums of the first bytes differ" })
  }
}

extension Int {
  fileprivate var nextPowerOfTwo: Int { 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}

/// Prevents the compiler from removing an unused computation.
@inline(never) func keep<Value>(_ value: Value) {}
