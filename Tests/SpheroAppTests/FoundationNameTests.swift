// The README's first call in a file that imports Foundation, which has a type with the name `Port`, too.

import Foundation
import SpheroControls
import SpheroPort
import SpheroSession
import SpheroTransport
import Testing

@Suite struct FoundationNameTests {
  @Test func aPortIsParsedBesideThatOfFoundation() async throws {
    try await Robot.withRobot(on: Port(parsing: "sim:pace=10").open()) { robot in
      try await robot.setColor(.red)
    }
    #expect(Date.now > .distantPast)
  }
}
