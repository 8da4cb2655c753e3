// Device files that may be robots, and paired robots in a listing.

import SpheroTransport
import Testing

@testable import SpheroSerial

@Suite struct CandidateTests {
  /// macOS has two files for each robot; the one that waits for a carrier is left out where the other is there.
  @Test func oneFileOfTwins() {
    #expect(
      SerialDevice.preferringCallOutDevices([
        "cu.Sphero-RGB-AMP-SPP", "rfcomm0", "tty.Sphero-RGB-AMP-SPP", "tty.Sphero-YBR-AMP-SPP",
      ]) == ["cu.Sphero-RGB-AMP-SPP", "rfcomm0", "tty.Sphero-YBR-AMP-SPP"])
    #expect(SerialDevice.preferringCallOutDevices(["tty.Sphero"]) == ["tty.Sphero"])
  }

  @Test func pairedRobots() {
    let listing = """
      Agent registered
      Device 68:86:E7:01:02:03 Sphero-RGB
      \u{1B}[0;94m[Sphero-YBR]\u{1B}[0m# Device 00:11:22:33:44:55 Sphero\u{7}-GRB\r
      Device 00:11:22:33:44:56 Keyboard
      Device 68:86:E7:01:02:04
      [\u{1B}[0;93mCHG\u{1B}[0m] Device 68:86:E7:01:02:03 Connected: yes
      Device 68-86-E7-01-02-05 Ball
      Device 68:86:E7:01:02 Sphero
      Device
      """
    let robots = PairedRobot.robots(in: listing)
    #expect(
      robots.map { "\($0.address) \($0.name)" } == [
        "68:86:E7:01:02:03 Sphero-RGB", "00:11:22:33:44:55 Sphero-GRB", "68:86:E7:01:02:04 ",
        "68:86:E7:01:02:05 Ball",
      ])
    // Long listings and long names.
    let long = "Device 68:86:E7:01:02:03 " + String(repeating: "x", count: 10_000)
    #expect(PairedRobot.robots(in: long).first?.name.count == 248)
    let many = String(repeating: "Device 68:86:E7:01:02:03 Sphero\n", count: 5_000)
    #expect(PairedRobot.robots(in: many).count == 1_000)
  }
}
