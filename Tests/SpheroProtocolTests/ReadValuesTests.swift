// The values read in place equal those of the packets decoded one by one.

import SpheroProtocol
import TestSupport
import Testing

@Suite struct ReadValuesTests {
  /// An event with pitch 1, roll -2 and yaw 258; the response to a ping with SEQ 52h; the event with -1, 0, 32767.
  private static let stream: [UInt8] = [
    0xFF, 0xFE, 0x03, 0x00, 0x07, 0x00, 0x01, 0xFF, 0xFE, 0x01, 0x02, 0xF4,
    0xFF, 0xFF, 0x00, 0x52, 0x01, 0xAC,
    0xFF, 0xFE, 0x03, 0x00, 0x07, 0xFF, 0xFF, 0x00, 0x00, 0x7F, 0xFF, 0x79,
  ]

  @Test func rowsAreAppendedAndOtherPacketsReported() {
    let layout = SampleLayout([.imu])
    for length in 1...Self.stream.count {
      var decoder = PacketDecoder(from: .robot)
      var values = [7.5]
      var frames: [Int] = []
      var others: [String] = []
      for start in stride(from: 0, to: Self.stream.count, by: length) {
        decoder.append(Self.stream[start..<min(start + length, Self.stream.count)])
        frames.append(
          decoder.readValues(of: layout, into: &values) { header, payload in
            others.append("\(header) \(payload.count)")
          })
      }
      #expect(values == [7.5, 1, -2, 258, -1, 0, 32_767], "in pieces of \(length)")
      #expect(frames.reduce(0, +) == 2)
      #expect(others == ["\(PacketHeader.response(.ok, sequence: 0x52)) 0"])
      #expect(decoder.statistics.packets == 3 && decoder.pendingCount == 0)
    }
  }

  /// A `SensorData` packet with its CHK, which is not FFh.
  private static func sensorData(_ words: [UInt8]) -> [UInt8] {
    let length = words.count + 1
    let counted = [0x03, UInt8(length >> 8), UInt8(length & 0xFF)] + words
    let sum = counted.reduce(0) { $0 &+ Int($1) }
    return [0xFF, 0xFE] + counted + [UInt8(~sum & 0xFF)]
  }

  @Test func packetsInsideAPacketLeaveRoomForTheNextPackets() {
    let inner = Self.sensorData([UInt8](repeating: 1, count: 10))
    let outer = Self.sensorData((0..<8).flatMap { _ in inner })
    let next = Self.sensorData([UInt8](repeating: 2, count: 134))
    #expect(outer.count == 134 && inner.last != 0xFF && outer.last != 0xFF && next.last != 0xFF)
    for layout in [SensorMask.accelOne, .emf].map({ SampleLayout($0) }) {
      for streams in 1...4 {
        for noise in 0..<4 {
          let stream = outer + [UInt8](repeating: 0, count: noise) + next
          let agree = Self.agree([(0..<streams).flatMap { _ in stream }], layout, from: .robot)
          #expect(agree, "\(streams) streams with \(noise) bytes of noise")
        }
      }
    }
  }

  @Test func packetsWithoutWholeFramesAreOtherPackets() {
    for mask: SensorMask in [.quat, []] {
      var decoder = PacketDecoder(from: .robot)
      var values: [Double] = []
      var others = 0
      decoder.append(Self.stream)
      let frames = decoder.readValues(of: SampleLayout(mask), into: &values) { _, _ in others += 1 }
      #expect(frames == 0 && values.isEmpty && others == 3)
    }
  }

  /// The values and the other packets of a stream.
  private struct Result: Equatable {
    var values: [Double] = []
    var others: [Packet] = []
    var statistics: [PacketDecoder.Statistics] = []
    var pending: [Int] = []
  }

  private static func result(
    of pieces: [[UInt8]], _ layout: SampleLayout, from sender: Sender,
    by drain: (inout PacketDecoder, inout Result) -> Void
  ) -> Result {
    var decoder = PacketDecoder(from: sender)
    var result = Result()
    for (number, piece) in pieces.enumerated() {
      decoder.append(piece)
      drain(&decoder, &result)
      if number.isMultiple(of: 7) {
        decoder.discardIncomplete()
        drain(&decoder, &result)
      }
      result.statistics.append(decoder.statistics)
      result.pending.append(decoder.pendingCount)
    }
    return result
  }

  private static func agree(_ pieces: [[UInt8]], _ layout: SampleLayout, from sender: Sender) -> Bool {
    let read = result(of: pieces, layout, from: sender) { decoder, result in
      let before = result.values.count
      var others: [Packet] = []
      let frames = decoder.readValues(of: layout, into: &result.values) { header, payload in
        others.append(Packet(header, payload: payload.indices.map { payload[$0] }))
      }
      result.others += others
      if result.values.count != before + frames * layout.columns.count { result.values = [.nan] }
    }
    let oneByOne = result(of: pieces, layout, from: sender) { decoder, result in
      while let packet = decoder.next() {
        guard case .event(let event) = packet, event.id == EventID(3),
          let samples = Sample.samples(in: event.payload, mask: layout.mask), !samples.isEmpty
        else {
          result.others.append(packet)
          continue
        }
        for sample in samples { result.values += layout.columns.map { $0.flatMap { sample[$0] } ?? .nan } }
      }
    }
    return read == oneByOne
  }

  /// `SPHERO_STEPS` is the number of streams.
  @Test func valuesEqualThoseOfThePackets() {
    var run = RandomRun(steps: 2_000, seed: 0x5EED_0112)
    for _ in 0..<run.steps {
      var random = SeededGenerator(seed: run.seed)
      let sender = random.isTrue(0.9) ? Sender.robot : .host
      let masks: [SensorMask] = [[.accel, .imu, .quat], [.imu], [.accel], .all]
      let layout = SampleLayout(masks.randomElement(using: &random) ?? [.imu])
      let pieces = WaysOfDecodingTests.pieces(
        WaysOfDecodingTests.stream(from: sender, &random), &random)
      guard Self.agree(pieces, layout, from: sender) else {
        Issue.record("values differ: \(run.repetition) SPHERO_STEPS=1")
        return
      }
      run.next()
    }
  }

  @Test(arguments: DamagedStream.Damage.allCases)
  func valuesOfDamagedStreamsEqualThoseOfThePackets(_ damage: DamagedStream.Damage) {
    let bytes = DamagedStream(damage, packets: 2_000, seed: 0x5EED_0113).bytes
    for length in [1, 25, 4096] {
      let pieces = stride(from: 0, to: bytes.count, by: length).map {
        Array(bytes[$0..<min($0 + length, bytes.count)])
      }
      #expect(Self.agree(pieces, SampleLayout([.accel, .imu, .quat]), from: .robot), "reads of \(length)")
    }
  }
}

@Suite struct ByteSearchTests {
  @Test func theFirstMatchingByteIsFound() {
    for count in 0...80 {
      let rest = (0..<count).map { [0x00, 0xFE, 0x7F, 0x0B, 0x01][$0 % 5] as UInt8 }
      for value: UInt8 in [0xFF, 0x0A, 0x80] {
        let none = rest.span.count(before: value)
        #expect(none == count)
        for place in 0..<count {
          for other in [place, min(place + 1, count - 1), (place + count) / 2, count - 1] {
            var bytes = rest
            (bytes[place], bytes[other]) = (value, value)
            let found = bytes.span.count(before: value)
            #expect(found == place, "\(value) at \(place) of \(count)")
          }
        }
      }
    }
  }
}
