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
    var roll = Motion.Roll(speed: 51, heading: 270)
    #expect(roll.direction.degrees == 270 && roll.drive == Drive(heading: roll.direction, speed: 0.2))
    roll.direction = try #require(Heading(degrees: 359.6))
    #expect(roll.heading == 0)
    #expect(
      Motion.Roll(Drive(heading: right, speed: 1), holding: .ahead) == Motion.Roll(speed: 255, heading: 90))
    #expect(Motion.Roll(.stop, holding: right) == Motion.Roll(speed: 0, heading: 90))
    var hold = HeadingHold(heading: right)
    #expect(Motion.Roll(hold.command(for: .stop)) == Motion.Roll(speed: 0, heading: 90))
  }

  @Test func anglesOfOtherCommands() throws {
    var heading = Motion.SetHeading(Heading(degrees: 45))
    #expect(heading == Motion.SetHeading(heading: 45) && heading.direction.degrees == 45)
    heading.direction = .ahead
    #expect(heading.heading == 0)
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
    var level = Motion.SelfLevel()
    level.tiltLimit = .degrees(30)
    #expect(level.angleLimit == 30 && abs(level.tiltLimit.degrees - 30) < 1e-12)
    level.tiltLimit = .degrees(0.3)
    #expect(level.angleLimit == 1)
    level.tiltLimit = .degrees(1000)
    #expect(level.angleLimit == 90)
    level.tiltLimit = .degrees(-1)
    #expect(level.angleLimit == 0)
  }

  @Test func lights() {
    let coral = RGB(red: 255, green: 127, blue: 80)
    var led = Lights.SetRGBLED(coral)
    #expect(led == Lights.SetRGBLED(red: 255, green: 127, blue: 80) && led.color == coral)
    #expect(Lights.SetRGBLED(coral, persist: true).persist == true)
    led.color = RGB(red: 1, green: 2, blue: 3)
    #expect((led.red, led.green, led.blue) == (1, 2, 3))
    var response = Lights.GetRGBLED.Response()
    (response.red, response.green, response.blue) = (4, 5, 6)
    #expect(RGB(response) == RGB(red: 4, green: 5, blue: 6))
    #expect(
      Lights.SetBackLED(fraction: 0.5).brightness == 128 && Lights.SetBackLED(fraction: .nan).brightness == 0)
  }
}
