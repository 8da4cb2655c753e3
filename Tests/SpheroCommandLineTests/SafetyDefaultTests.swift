// The defaults of the command line that keep a ball from moving by accident, each with a value written by hand.

import SpheroControls
import Testing

@testable import sphero

@Suite struct SafetyDefaultTests {
  /// 80 of 255 is about 60 cm/s; nothing rolls on without '--keep'.
  @Test func theSpeedsOfMotions() throws {
    #expect(Roll().speed.value == 80 && !Roll().isKept && Roll.usualTime == .seconds(1))
    #expect(DriveCommand().speed.value == 80)
    #expect(Rolling().speed.value == 120 && Rolling().tolerance.value == 3)
    #expect(Turn().tolerance.value == 1)
  }

  /// What can do harm is refused unless the user accepts it.
  @Test func harmIsRefused() { #expect(!Raw().acceptsHazard) }

  /// The whole of leaving takes less than a second, of which the robot gets most.
  @Test func theTimesOfLeaving() {
    #expect(Departure.robotLimit == .milliseconds(600))
    #expect(Departure().rest <= .milliseconds(900) && Departure().rest > .milliseconds(600))
    #expect(Connection().timeout.duration == .seconds(1))
  }

  /// A key that is held drives for so long after its last repetition.
  @Test func theDeadMansSwitch() {
    #expect(KeyStick.firstHold == .milliseconds(700) && KeyStick.repeatHold == .milliseconds(250))
  }
}
