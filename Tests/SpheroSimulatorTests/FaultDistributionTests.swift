// Tests of the frequency of faults, for each seed and each division of the bytes.

import SpheroModel
import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroSimulator

private let ping: [UInt8] = [0xFF, 0xFF, 0x00, 0x01, 0x52, 0x01, 0xAB]
private let pong: [UInt8] = [0xFF, 0xFF, 0x00, 0x52, 0x01, 0xAC]
private let frame: [UInt8] = [0xFF, 0xFE, 0x03, 0x00, 0x07, 0xFF, 0xFB, 0x00, 0x01, 0x00, 0xB4, 0x46]

/// A fault, and its visible effect on a packet.
private struct Sign: CustomTestStringConvertible, Sendable {
  var kind: Fault.Kind
  var traffic = Traffic.responses
  var shows: @Sendable ([FaultInjector.Delivery], Duration) -> Bool
  var testDescription: String { "\(kind)" }
}

@Suite(.ownThread) struct FaultDistributionTests {
  private static let signs: [Sign] = [
    Sign(kind: .drop) { deliveries, _ in deliveries.isEmpty },
    Sign(kind: .corrupt) { deliveries, _ in zip(deliveries[0].bytes, pong).count { $0 != $1 } == 1 },
    Sign(kind: .cut) { deliveries, _ in (1..<6).contains(deliveries[0].bytes.count) },
    Sign(kind: .duplicate) { deliveries, _ in deliveries[0].bytes == pong + pong },
    Sign(kind: .delay(.seconds(2))) { deliveries, now in deliveries[0].due == now + .seconds(2) },
    Sign(kind: .reorder(.seconds(2))) { deliveries, now in
      deliveries[0].due == now + .seconds(2) && deliveries[0].mayBeOvertaken
    },
    Sign(kind: .split) { deliveries, _ in deliveries.count == 2 && deliveries[1].beginsRead },
    Sign(kind: .burst(.seconds(2))) { deliveries, now in deliveries[0].due == now + .seconds(2) },
    Sign(kind: .stall(.seconds(2))) { deliveries, now in deliveries[0].due == now + .seconds(2) },
    Sign(kind: .changeSequence) { deliveries, _ in
      deliveries[0].bytes[3] != 0x52 && deliveries[0].bytes[2...].reduce(0, &+) == 0xFF
    },
    Sign(kind: .refuse(.badChecksum), traffic: .commands) { deliveries, _ in
      deliveries[0].bytes == [0xFF, 0xFF, 0x02, 0x52, 0x01, 0xAA]
    },
    Sign(kind: .stray) { deliveries, _ in
      deliveries[0].bytes.count > 6 && deliveries[0].bytes.suffix(6) == pong[...]
    },
    Sign(kind: .stale) { deliveries, _ in deliveries[0].bytes == pong + frame },
  ]

  /// 4.5 standard deviations of a binomial distribution.
  private func isLikely(_ count: Int, of total: Int, at chance: Double) -> Bool {
    abs(Double(count) - Double(total) * chance) <= 4.5 * (Double(total) * chance * (1 - chance)).squareRoot()
  }

  @Test(arguments: signs, [0.0, 0.02, 0.3, 1.0])
  private func packetsAreStruckAsOftenAsAskedFor(_ sign: Sign, chance: Double) {
    let total = 4_000
    let seed = UInt64.random(in: 0 ... .max)
    var injector = FaultInjector(FaultPlan([Fault(sign.kind, chance: chance, of: sign.traffic)], seed: seed))
    _ = injector.pass(frame, from: .robot, at: .zero)
    // So far apart that no packet waits for the one before it.
    let struck = (1...total).count { number in
      let now = Duration.seconds(10 * number)
      let isCommand = sign.traffic == .commands
      return sign.shows(
        injector.pass(isCommand ? ping : pong, from: isCommand ? .host : .robot, at: now), now)
    }
    #expect(isLikely(struck, of: total, at: chance), "\(struck) of \(total), seed \(seed)")
  }

  @Test(arguments: [
    Fault.Kind.drop, .corrupt, .duplicate, .delay(.seconds(2)), .split, .burst(.seconds(2)),
    .stall(.seconds(2)),
    .stray,
  ])
  func bytesAreStruckAsOftenAsAskedFor(_ kind: Fault.Kind) {
    let (total, chance, seed) = (20_000, 0.05, UInt64.random(in: 0 ... .max))
    var injector = FaultInjector(FaultPlan([Fault(kind, chance: chance, of: .robotBytes)], seed: seed))
    var struck = 0
    for number in 1...total {
      let now = Duration.seconds(10 * number)
      let deliveries = injector.pass([0x55], from: .robot, at: now)
      let bytes = deliveries.flatMap(\.bytes)
      let isStruck = deliveries != [.init(recipient: .host, due: now, bytes: [0x55])]
      if isStruck { struck += 1 }
      switch kind {
      case .drop: #expect(bytes == (isStruck ? [] : [0x55]))
      case .corrupt: #expect(bytes.count == 1 && (bytes[0] ^ 0x55).nonzeroBitCount == (isStruck ? 1 : 0))
      case .duplicate: #expect(bytes == (isStruck ? [0x55, 0x55] : [0x55]))
      case .split: #expect(bytes == [0x55] && deliveries[0].beginsRead == isStruck)
      case .stray: #expect(isStruck ? (2...9).contains(bytes.count) && bytes.last == 0x55 : bytes == [0x55])
      default: #expect(bytes == [0x55] && deliveries[0].due == (isStruck ? now + .seconds(2) : now))
      }
    }
    #expect(isLikely(struck, of: total, at: chance), "\(struck) of \(total), seed \(seed)")
  }

  @Test func aCutTakesUpToSixteenBytes() {
    var injector = FaultInjector(FaultPlan([Fault(.cut, of: .robotBytes, at: 10..<11)], seed: 5))
    let sent = (0..<UInt8(100)).map { $0 }
    let arrived = injector.pass(sent, from: .robot, at: .zero).flatMap(\.bytes)
    let lost = sent.filter { !arrived.contains($0) }
    #expect(lost.first == 10 && (1...16).contains(lost.count))
    #expect(lost == Array(10..<UInt8(10 + lost.count)))
  }

  @Test func faultsOfBytesKeepToTheirDirection() {
    var injector = FaultInjector(FaultPlan([Fault(.drop, of: .hostBytes)]))
    #expect(injector.pass(ping, from: .host, at: .zero).isEmpty)
    #expect(injector.pass(pong, from: .robot, at: .zero).flatMap(\.bytes) == pong)
  }

  // MARK: Division of the bytes

  private static let everything: [Fault] = [
    Fault(.drop, chance: 0.1), Fault(.corrupt, chance: 0.1), Fault(.cut, chance: 0.1),
    Fault(.duplicate, chance: 0.1),
    Fault(.reorder(.milliseconds(7)), chance: 0.1), Fault(.split, chance: 0.1),
    Fault(.delay(.seconds(1)), chance: 0.01),
    Fault(.changeSequence, chance: 0.1), Fault(.stray, chance: 0.1),
    Fault(.stale, chance: 0.1, of: .responses),
    Fault(.burst(.seconds(2)), chance: 0.01, of: .bytes), Fault(.corrupt, chance: 0.01, of: .bytes),
    Fault(.split, chance: 0.01, of: .bytes), Fault(.cut, chance: 0.01, of: .bytes),
  ]

  /// Output of a robot: packets, complete and truncated, and bytes between them.
  private func talk(_ chance: inout SplitMix64) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<300 {
      switch Int.random(in: 0..<8, using: &chance) {
      case 0: bytes += (0..<5).map { _ in UInt8.random(in: 0...255, using: &chance) }
      case 1: bytes += frame.prefix(Int.random(in: 1..<12, using: &chance))
      case 2...4: bytes += frame
      default: bytes += pong
      }
    }
    return bytes
  }

  /// What arrives, where neighbours that may share a read do.
  private func arrivals(_ bytes: [UInt8], longestPiece: Int, _ plan: FaultPlan, _ chance: inout SplitMix64)
    -> [FaultInjector.Delivery]
  {
    var injector = FaultInjector(plan)
    var rest = bytes[...]
    var all: [FaultInjector.Delivery] = []
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...longestPiece, using: &chance))
      rest = rest.dropFirst(piece.count)
      all += injector.pass(Array(piece), from: .robot, at: .zero)
    }
    all += injector.release(.robot, at: .zero)
    return all.reduce(into: []) { joined, next in
      if let last = joined.last, !next.beginsRead, !last.mayBeOvertaken, last.due == next.due {
        joined[joined.count - 1].bytes += next.bytes
      } else {
        joined.append(next)
      }
    }
  }

  @Test func cutsChangeNothing() {
    for seed in 1...20 as ClosedRange<UInt64> {
      var chance = SplitMix64(seed: seed)
      let bytes = talk(&chance)
      let plan = FaultPlan(Self.everything, seed: seed)
      let whole = arrivals(bytes, longestPiece: bytes.count, plan, &chance)
      for longest in [1, 3, 40] {
        let cut = arrivals(bytes, longestPiece: longest, plan, &chance)
        #expect(cut == whole, "seed \(seed), pieces of up to \(longest) bytes")
        if cut != whole { return }
      }
      #expect(arrivals(bytes, longestPiece: 9, FaultPlan(Self.everything, seed: seed &+ 1), &chance) != whole)
    }
  }

  @Test func withoutAStruckPacketNothingIsLostOrReordered() {
    // Every packet is looked at, and none is struck.
    let plan = FaultPlan([Fault(.drop, at: Int.max - 1..<Int.max)])
    for seed in 1...50 as ClosedRange<UInt64> {
      var chance = SplitMix64(seed: seed)
      let bytes = talk(&chance)
      let arrived = arrivals(bytes, longestPiece: 30, plan, &chance).flatMap(\.bytes)
      #expect(arrived == bytes, "seed \(seed)")
    }
  }

  // MARK: Incomplete packets

  @Test func aHeadWaitsForASecondAtMost() {
    var injector = FaultInjector(FaultPlan([Fault(.drop)]))
    #expect(injector.nextDeadline == nil)
    // The head of an event of 32 767 bytes that never come, and a good packet after it.
    let head: [UInt8] = [0xFF, 0xFE, 0x03, 0x7F, 0xFF]
    #expect(injector.pass(head + pong, from: .robot, at: .seconds(5)).isEmpty)
    #expect(injector.nextDeadline == .seconds(6))
    #expect(injector.advance(to: .milliseconds(5_999)).isEmpty)
    #expect(injector.advance(to: .seconds(6)).flatMap(\.bytes) == head, "the packet is found and dropped")
    #expect(injector.nextDeadline == nil)
  }

  @Test func anotherLineBeginsWithoutTheRestOfTheLast() {
    var injector = FaultInjector(FaultPlan([Fault(.drop, at: 1..<2)]))
    #expect(injector.pass(pong + pong.prefix(4), from: .robot, at: .zero).flatMap(\.bytes) == pong)
    injector.beginLine()
    #expect(
      injector.pass(pong, from: .robot, at: .zero).isEmpty, "the second packet, though the line is another")
    #expect(injector.pass(pong, from: .robot, at: .zero).flatMap(\.bytes) == pong)
  }
}
