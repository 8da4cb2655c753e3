// The bridges from the maths to the integers of the wire, by numbers typed by hand.
import SpheroControls
import SpheroOrientation
import SpheroProtocol
import SpheroSession
import Testing

@Suite struct BridgeTests {
  @Test func rolls() throws {
    let right = try #require(Heading(degrees: 90.4))
    #expect(Motion.Roll(right, speed: 0.5) == Motion.Roll(speed: 128, heading: 90))
    #expect(
      Motion.Roll(right, speed: 7, state: .fastRotate)
        == Motion.Roll(speed: 255, heading: 90, state: .fastRotate))
  }

  @Test func anglesOfOtherCommands() throws {
    #expect(Motion.SetHeading(Heading(degrees: 45)) == Motion.SetHeading(heading: 45))
    var rate = Motion.SetRotationRate(rate: 200)
    #expect(abs(rate.turnPerSecond.degrees - 156.8) < 1e-9)
    rate.turnPerSecond = .degrees(78.4)
    #expect(rate.rate == 100)
    rate.turnPerSecond = .degrees(1e9)
    #expect(rate.rate == 255 && rate.turnPerSecond == .degrees(400), "the maximum, of the document")
    // 254 steps of 0.784 degrees are 199.1; the middle to 400 is 299.6.
    for (degrees, step) in [(250.0, 254), (299.5, 254), (299.7, 255)] as [(Double, UInt8)] {
      rate.turnPerSecond = .degrees(degrees)
      #expect(rate.rate == step, "\(degrees)")
    }
    rate.turnPerSecond = .degrees(.nan)
    #expect(rate.rate == 0)
  }

  @Test func lights() {
    let coral = RGB(red: 255, green: 127, blue: 80)
    #expect(Lights.SetRGBLED(coral) == Lights.SetRGBLED(red: 255, green: 127, blue: 80))
    #expect(Lights.SetRGBLED(coral, persist: true).persist == true)
    var response = Lights.GetRGBLED.Response()
    (response.red, response.green, response.blue) = (4, 5, 6)
    #expect(RGB(response) == RGB(red: 4, green: 5, blue: 6))
    #expect(
      Lights.SetBackLED(fraction: 0.5).brightness == 128 && Lights.SetBackLED(fraction: .nan).brightness == 0)
  }
}
