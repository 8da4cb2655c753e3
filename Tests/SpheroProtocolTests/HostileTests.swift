// Streams made to exhaust a decoder: overlapping packets, each with a correct checksum.

import SpheroProtocol
import TestSupport
import Testing

/// A stream of overlapping packets, each with a correct checksum.
///
/// A header is repeated at a fixed distance; one byte between two headers is the CHK of the packet that ends there.
struct HostileStream {
  var bytes: [UInt8] = []

  /// Writes the headers, then the checksums.
  ///
  /// - Parameters:
  ///   - header: SOP1 to the byte before the length.
  ///   - lengthBytes: The number of bytes of the length.
  ///   - junk: Bytes after CHK that begin no packet, so that the decoder resynchronises.
  ///   - places: The number of headers.
  ///   - fixedLength: The length for which DLEN FFh stands.
  ///   - spans: Otherwise, the number of headers that the packet at the n-th place contains.
  init(
    header: [UInt8], lengthBytes: Int, junk: [UInt8], places: Int, fixedLength: Int? = nil,
    spans: (Int) -> Int
  ) {
    let headerCount = header.count + lengthBytes
    let period = headerCount + 1 + junk.count
    var ends: [Int: Int] = [:]
    for place in 0..<places {
      let start = bytes.count
      let length = fixedLength ?? (1 + period * spans(place))
      let claimed = fixedLength == nil ? length : 0xFF
      bytes += header
      if lengthBytes == 2 { bytes.append(UInt8(claimed >> 8)) }
      bytes.append(UInt8(claimed & 0xFF))
      bytes.append(0)
      bytes += junk
      let last = start + headerCount + length - 1
      // Of several packets that end at one place, the longest has a correct checksum.
      if ends[last] == nil { ends[last] = start }
    }
    for (last, start) in ends.sorted(by: { $0.key < $1.key }) where last < bytes.count {
      bytes[last] = ~bytes[(start + 2)..<last].reduce(0, &+)
    }
  }
}

@Suite(.ownThread) struct HostileTests {
  /// Streams of every kind, about 16 KB each.
  private static let streams: [(name: String, sender: Sender, bytes: [UInt8])] = {
    let event: [UInt8] = [0xFF, 0xFE, 0x08]
    let seed: UInt64 = 0x5EED_0050
    var random = SeededGenerator(seed: seed)
    let drawn = (0..<20_000).map { _ in Int.random(in: 0...580, using: &random) }
    let bursts = (0..<20_000).map { _ in Bool.random(using: &random) ? 1 : 580 }
    func events(_ junk: [UInt8], _ spans: (Int) -> Int) -> [UInt8] {
      HostileStream(header: event, lengthBytes: 2, junk: junk, places: 2_300, spans: spans).bytes
    }
    func responses(_ junk: [UInt8], _ spans: (Int) -> Int) -> [UInt8] {
      HostileStream(
        header: [0xFF, 0xFF, 0x00, 0x01], lengthBytes: 1, junk: junk, places: 2_300, spans: spans
      )
      .bytes
    }
    return [
      ("longest", .robot, events([0x00]) { _ in 584 }),
      ("longest, no junk", .robot, events([]) { _ in 682 }),
      ("longest, much junk", .robot, events([0x0D, 0x0D, 0x0D, 0x0D]) { _ in 409 }),
      ("growing", .robot, events([0x00]) { $0 % 584 }),
      ("shrinking", .robot, events([0x00]) { 583 - $0 % 584 }),
      ("of any length", .robot, events([0x00]) { drawn[$0] }),
      ("short and long", .robot, events([0x00]) { bursts[$0] }),
      ("nested about one end", .robot, events([0x00]) { 583 - ($0 * 2) % 583 }),
      ("followed by FFh", .robot, events([0xFF]) { _ in 584 }),
      ("responses", .robot, responses([0x00]) { _ in 36 }),
      ("responses of any length", .robot, responses([0x00]) { drawn[$0] % 36 }),
      ("headers alone", .robot, (0..<3_000).flatMap { _ in event + [0x0F, 0xFF] }),
      ("FFh alone", .robot, Array(repeating: 0xFF, count: 15_000)),
      (
        "commands", .host,
        HostileStream(
          header: [0xFF, 0xFF, 0x02, 0x30, 0x01], lengthBytes: 1, junk: [0x00], places: 2_000,
          spans: { _ in 31 }
        ).bytes
      ),
      (
        "long commands", .host,
        HostileStream(
          header: [0xFF, 0xFF, 0x02, 0x43, 0x01], lengthBytes: 1, junk: [0x00], places: 2_000,
          fixedLength: 0x401, spans: { _ in 0 }
        ).bytes
      ),
    ]
  }()

  /// Checks the limits stated in the documentation of ``PacketDecoder``; returns the one that is exceeded.
  private static func complaint(
    _ bytes: [UInt8], from sender: Sender, maximumEventLength: Int, size: Int,
    expected: [EventID: Set<Int>] = [:], givesUp: Bool = false, isInPlace: Bool = false
  ) -> String? {
    var decoder = PacketDecoder(from: sender, maximumEventLength: maximumEventLength)
    decoder.expectedPayloadCounts = expected
    var (delivered, calls) = (0, 0)
    func drain() {
      calls += 1
      if isInPlace {
        decoder.forEachPacket { header, payload in
          calls += 1
          let packet = Packet(header, payload: payload.indices.map { payload[$0] })
          delivered += (try? packet.encoded().count) ?? 0
        }
      }
      while let packet = decoder.next() {
        calls += 1
        delivered += (try? packet.encoded().count) ?? 0
      }
    }
    var place = 0
    while place < bytes.count {
      decoder.append(bytes[place..<min(place + size, bytes.count)])
      place += size
      drain()
      if givesUp {
        decoder.discardIncomplete()
        drain()
      }
    }
    while decoder.pendingCount > 0 {
      decoder.discardIncomplete()
      drain()
    }
    if delivered > PacketDecoder.maximumDeliveries * bytes.count {
      return "\(delivered) bytes delivered of \(bytes.count)"
    }
    if decoder.examined > 12 * bytes.count + calls {
      return "\(decoder.examined) places looked at in \(bytes.count) bytes and \(calls) calls"
    }
    if decoder.summed > 3 * bytes.count { return "\(decoder.summed) added up of \(bytes.count) bytes" }
    return nil
  }

  @Test(arguments: streams.indices) func workAndOutputAreBounded(_ index: Int) {
    let stream = Self.streams[index]
    for longest in [0, 1, 16, 260, 1509, 4096, 65_535, .max] {
      for size in [longest == 4096 ? 1 : 61, 100_000] {
        for isInPlace in [false, true] {
          let complaint = Self.complaint(
            stream.bytes, from: stream.sender, maximumEventLength: longest, size: size, isInPlace: isInPlace)
          #expect(complaint == nil, "\(stream.name), cap \(longest), pieces of \(size)")
        }
      }
    }
    let known: [EventID: Set<Int>] = [EventID(0x08): Set(0..<4096)]
    #expect(
      Self.complaint(stream.bytes, from: stream.sender, maximumEventLength: 4096, size: 7, expected: known)
        == nil)
    #expect(
      Self.complaint(stream.bytes, from: stream.sender, maximumEventLength: 4096, size: 7, givesUp: true)
        == nil)
  }

  /// The packets of the streams overlap, and their bytes are delivered more than once.
  @Test func streamsAreHostile() {
    let isAmplified = Self.streams.map { stream in
      let decoding = Decoding([stream.bytes], from: stream.sender)
      let delivered = decoding.packets.reduce(0) { $0 + $1.payload.count }
      return delivered > stream.bytes.count * 3 / 2
    }
    #expect(isAmplified.count { $0 } >= 6)
  }

  @Test func randomStreamsAreBounded() {
    let seed: UInt64 = 0x5EED_0051
    var random = SeededGenerator(seed: seed)
    for round in 0..<40 {
      let kinds: [UInt8] = [0x00, 0xFF, 0xFE, 0x55]
      let junk = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        kinds.randomElement(using: &random) ?? 0
      }
      let longest = [64, 300, 1509, 4096, 20_000].randomElement(using: &random) ?? 64
      let widest = max(1, longest / 7 - 2)
      let spans = (0..<1_500).map { _ in Int.random(in: 0...widest, using: &random) }
      let stream = HostileStream(
        header: [0xFF, 0xFE, 0x08], lengthBytes: 2, junk: junk, places: 1_500, spans: { spans[$0] })
      let size = Int.random(in: 1...9_000, using: &random)
      let complaint = Self.complaint(stream.bytes, from: .robot, maximumEventLength: longest, size: size)
      #expect(complaint == nil, "seed \(seed), round \(round)")
      let whole = Decoding([stream.bytes], from: .robot, maximumEventLength: longest)
      #expect(
        Decoding(cut(stream.bytes, into: size), from: .robot, maximumEventLength: longest) == whole,
        "seed \(seed), round \(round)")
    }
  }

  /// A dissection reports each byte a bounded number of times.
  @Test(arguments: [0, 3, 5, 11]) func dissectionsAreBounded(_ index: Int) {
    let stream = Self.streams[index]
    var dissector = Dissector()
    var reported = 0
    for (place, piece) in cut(Array(stream.bytes.prefix(8_000)), into: 3).enumerated() {
      let items = dissector.append(piece, from: stream.sender, at: .milliseconds(place))
      reported += items.reduce(0) { $0 + $1.bytes.count }
    }
    reported += dissector.finish().reduce(0) { $0 + $1.bytes.count }
    #expect(reported <= 4 * 8_000)
  }
}
