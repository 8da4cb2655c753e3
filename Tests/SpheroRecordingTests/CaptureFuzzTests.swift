// A short random search for counterexamples; Tests/Tools/fuzz searches with coverage.

import SpheroProtocol
import SpheroRecording
import TestSupport
import Testing

@Suite(.ownThread) struct CaptureFuzzTests {
  static let seed: UInt64 = 0x5EED_0031

  @Test(arguments: CaptureFuzzTarget.allCases) func allPropertiesHold(_ target: CaptureFuzzTarget) {
    var random = SeededGenerator(seed: Self.seed)
    let text = Array("0123456789abcdefFF <>|#*:.,()x\n\n\"\\=gap".utf8)
    for round in 0..<1_500 {
      var input = (0..<(24 * Int.random(in: 1...4, using: &random))).map { _ in
        target == .replay
          ? UInt8.random(in: 0...255, using: &random) : text.randomElement(using: &random) ?? 0
      }
      if let index = input.indices.randomElement(using: &random), Bool.random(using: &random) {
        input[index] = UInt8.random(in: 0...255, using: &random)
      }
      let complaint = target.complaint(about: input)
      #expect(complaint == nil, "seed \(Self.seed), round \(round): \(Hexadecimal.text(input))")
    }
  }
}
