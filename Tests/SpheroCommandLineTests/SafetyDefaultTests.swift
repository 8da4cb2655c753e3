// The defaults that prevent accidental motion, compared with values written by hand.

import SpheroControls
import Testing

@testable import sphero

@Suite struct SafetyDefaultTests {
  /// 80 of 255 is about 60 cm/s, and 153 is the velocity scale 0.6; without '--keep', every roll ends.
  @Test func theSpeedsOfMotions() throws {
    #expect(Roll().speed.count == 80 && !Roll().keepsRolling && Roll.defaultTime == .seconds(1))
    #expect(DriveCommand().speed.count == 153)
    #expect(Go().speed.count == 120 && Go().tolerance == 3)
    #expect(Turn().tolerance == 1)
  }

  /// Commands that can do harm need a flag.
  @Test func hazardsAreRefused() { #expect(!Raw().acceptsHazard) }

  /// The shutdown takes less than a second; the robot gets most of it.
  @Test func theTimesOfLeaving() {
    #expect(ShutdownDeadline.robotLimit == .milliseconds(600))
    #expect(
      ShutdownDeadline().remaining <= .milliseconds(900)
        && ShutdownDeadline().remaining > .milliseconds(600))
    #expect(Connection().timeout == .seconds(1))
  }

  /// The time for which a held key drives after its last repetition.
  @Test func theDeadMansSwitch() {
    #expect(KeyStick.pressTimeout == .milliseconds(700) && KeyStick.repeatTimeout == .milliseconds(250))
  }
}
