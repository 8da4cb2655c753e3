// Tests of several faults of the same packet, which apply one after the other.

import SpheroProtocol
import Testing

@testable import SpheroSimulator

@Suite(.timeLimit(.minutes(5))) struct FaultCombinationTests {
  private static let ping: [UInt8] = [0xFF, 0xFF, 0x00, 0x01, 0x52, 0x01, 0xAB]
  private static let pong: [UInt8] = [0xFF, 0xFF, 0x00, 0x52, 0x01, 0xAC]

  private static let kinds: [Fault.Kind] = [
    .drop, .corrupt, .cut, .duplicate, .delay(.seconds(1)), .reorder(.seconds(1)), .split,
    .burst(.seconds(1)),
    .stall(.seconds(1)), .changeSequence, .refuse(.badChecksum), .stray, .stale,
  ]

  /// The bytes that the other side gets of one packet.
  private func arrived(_ packet: [UInt8], from sender: Sender, _ kinds: [Fault.Kind], seed: UInt64) -> [UInt8]
  {
    var injector = FaultInjector(FaultPlan(kinds.map { Fault($0) }, seed: seed))
    return injector.pass(packet, from: sender, at: .zero).filter { $0.recipient == sender.opposite }
      .flatMap(\.bytes)
  }

  @Test(arguments: kinds)
  func threeFaultsOfOnePacket(_ first: Fault.Kind) {
    for second in Self.kinds {
      for third in Self.kinds {
        let kinds = [first, second, third]
        for seed in 1...12 as ClosedRange<UInt64> {
          let reply = arrived(Self.pong, from: .robot, kinds, seed: seed)
          let command = arrived(Self.ping, from: .host, kinds, seed: seed)
          let strays = kinds.count { $0 == .stray }
          let copies = kinds.contains(.drop) ? 0 : 1 << kinds.count { $0 == .duplicate }
          // A stray is up to eight bytes; a packet is six or seven, and cuts leave at least one of each copy.
          #expect((strays + copies...8 * strays + 6 * copies).contains(reply.count), "\(kinds), seed \(seed)")
          let heard = kinds.contains(.refuse(.badChecksum)) ? 0 : copies
          #expect((strays + heard...8 * strays + 7 * heard).contains(command.count), "\(kinds), seed \(seed)")
        }
      }
    }
  }

  @Test func cutsEndAtOneByte() {
    for seed in 1...50 as ClosedRange<UInt64> {
      let left = arrived(Self.pong, from: .robot, Array(repeating: .cut, count: 6) + [.corrupt], seed: seed)
      #expect(left.count == 1 && left != [0xFF], "seed \(seed)")
    }
  }

  @Test func aWrongNumberKeepsWhatWasDoneBefore() {
    for seed in 1...200 as ClosedRange<UInt64> {
      let corrupt = arrived(Self.pong, from: .robot, [.corrupt, .changeSequence], seed: seed)
      // The sum of all but SOP, with CHK, is FFh in a good packet: one that arrives otherwise was corrupted.
      #expect(
        corrupt.prefix(2) != [0xFF, 0xFF] || corrupt.dropFirst(2).reduce(0, &+) != 0xFF, "seed \(seed)")
      let cut = arrived(Self.pong, from: .robot, [.cut, .changeSequence], seed: seed)
      #expect((1..<6).contains(cut.count), "seed \(seed)")
      #expect(cut.count < 4 || cut[3] != 0x52, "seed \(seed)")
      for (place, byte) in cut.enumerated() where place != 3 { #expect(byte == Self.pong[place]) }
    }
  }

  @Test func aWrongNumberOfACommandIsInItsPlace() {
    for seed in 1...50 as ClosedRange<UInt64> {
      let bytes = arrived(Self.ping, from: .host, [.changeSequence], seed: seed)
      #expect(bytes.count == 7 && bytes[4] != 0x52 && bytes[2...].reduce(0, &+) == 0xFF, "seed \(seed)")
      for place in [0, 1, 2, 3, 5] { #expect(bytes[place] == Self.ping[place]) }
    }
  }
}
