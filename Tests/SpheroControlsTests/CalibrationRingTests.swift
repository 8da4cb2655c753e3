// The calibration ring: the actions of each call, also out of order.
import SpheroControls
import SpheroOrientation
import TestSupport
import Testing

@Suite(.ownThread) struct CalibrationRingTests {
  let start: Heading
  var ring = CalibrationRing()

  init() throws {
    start = Heading(degrees: 350)
  }

  func heading(_ degrees: Double) throws -> Heading { try #require(Heading(degrees: degrees)) }

  @Test mutating func endSetsHeadingZero() throws {
    #expect(ring.begin(at: start) == [.setTailLight(isOn: true)])
    #expect(ring.isActive)
    #expect(ring.turn(by: 25) == [.rotate(to: try heading(15))])
    #expect(ring.turn(by: -30) == [.rotate(to: try heading(345))])
    #expect(ring.turn(sinceBeginning: 180) == [.rotate(to: try heading(170))])
    #expect(ring.heading == (try heading(170)))
    #expect(ring.end() == [.setHeadingZero, .setTailLight(isOn: false)])
    #expect(!ring.isActive)
    #expect(ring.heading == nil)
  }

  @Test mutating func cancelRestores() throws {
    _ = ring.begin(at: start)
    _ = ring.turn(by: 100)
    #expect(ring.cancel() == [.rotate(to: start), .setTailLight(isOn: false)])
    #expect(ring == CalibrationRing())
  }

  @Test mutating func eachWholeDegreeIsSentOnce() throws {
    _ = ring.begin(at: start)
    var sent = 0
    for _ in 0..<1000 { sent += ring.turn(by: 0.01).count }
    #expect(sent == 10)
    #expect(agreeAround(try #require(ring.heading).degrees, 0))
  }

  @Test mutating func callsOutOfOrderReturnNoActions() {
    #expect(ring.turn(by: 10) == [])
    #expect(ring.turn(sinceBeginning: 10) == [])
    #expect(ring.end() == [])
    #expect(ring.cancel() == [])
    _ = ring.begin(at: start)
    _ = ring.turn(by: 40)
    #expect(ring.begin(at: .ahead) == [], "a second finger does not move where a cancel returns to")
    #expect(ring.cancel() == [.rotate(to: start), .setTailLight(isOn: false)])
  }

  @Test(arguments: extremeNumbers)
  mutating func anyAngleKeepsAValidHeading(degrees: Double) throws {
    _ = ring.begin(at: start)
    _ = ring.turn(by: degrees)
    _ = ring.turn(sinceBeginning: degrees)
    #expect((0..<360).contains(try #require(ring.heading).degrees))
    #expect(ring.turn(by: .nan) == [])
  }
}
