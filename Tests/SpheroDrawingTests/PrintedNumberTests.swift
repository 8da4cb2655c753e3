// The number of a value is that of its printed text.

import SpheroProtocol
import Testing

@testable import SpheroDrawing

@Suite struct PrintedNumberTests {
  @Test(
    arguments: [
      (.decimal(0.00049, digits: 3), 0), (.decimal(0.0025, digits: 3), 0.003), (.decimal(2.5, digits: 0), 2),
      (.decimal(-2.5, digits: 0), -2), (.decimal(3.5, digits: 0), 4), (.decimal(-0.125, digits: 2), -0.12),
      (.decimal(1e300, digits: 9), 1e300), (.decimal(1.005, digits: 2), 1), (.number(0.5), 0.5),
      (.integer(-90, .degrees), -90), (.decimal(.nan, digits: 2), nil), (.missing, nil), (.text("1"), nil),
    ] as [(FieldValue, Double?)])
  func aValueHasTheNumberOfItsText(_ value: FieldValue, _ number: Double?) {
    #expect(value.printedNumber == number)
  }

  @Test func itMatchesThePrintedText() {
    var state: UInt64 = 1
    for _ in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let digits = Int(state >> 40 % 7)
      // Halves of the last decimal are frequent.
      let number = Double(Int64(bitPattern: state) >> 44) / 2_000
      let value = FieldValue.decimal(number, digits: digits)
      #expect(value.printedNumber == Double(value.plain), "\(number), \(digits)")
    }
  }
}
