// A short search for counterexamples without coverage; Tests/Tools/fuzz uses coverage.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct FuzzTests {
  static let seed: UInt64 = 0x5EED_0030

  @Test(arguments: FuzzTarget.allCases) func propertiesHold(_ target: FuzzTarget) {
    var random = SeededGenerator(seed: Self.seed)
    let vectors = Vector.all.map { bytes($0.hex) }.filter { $0.count < 300 }
    for round in 0..<1_500 {
      var input: [UInt8] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: input += (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        case 1: input += (0..<8).map { _ in Bool.random(using: &random) ? 0xFF : 0xFE }
        default: input += vectors.randomElement(using: &random) ?? []
        }
        if let place = input.indices.randomElement(using: &random), Bool.random(using: &random) {
          input[place] = UInt8.random(in: 0...255, using: &random)
        }
        if Bool.random(using: &random) { input.removeLast(Int.random(in: 0..<3, using: &random)) }
      }
      let complaint = target.complaint(about: input)
      #expect(complaint == nil, "seed \(Self.seed), round \(round): \(Hexadecimal.text(input))")
    }
  }
}
