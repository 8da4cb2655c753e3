// Tests of battery, charger and sleep, and of the state after wake-up.

import SpheroOrientation
import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroModel

@Suite(.ownThread) struct PowerTests {
  /// A robot that sleeps only after eighteen hours and drives on without commands.
  private func talk(charge: Double = 0.7) -> Talk {
    var talk = Talk {
      $0.charge = charge
      $0.wakesByBytes = false
    }
    _ = talk.send(0x00, 0x25, [0xFF, 0xFF])
    _ = talk.send(0x02, 0x35, [0, 0, 0, 0x02])
    return talk
  }

  // MARK: Charger

  @Test func connectedWithTheOptionItStaysAwakeInTheCharger() throws {
    var talk = talk()
    _ = talk.send(0x02, 0x35, [0, 0, 0, 0x03])
    #expect(talk.ask(0x00, 0x26) == [0])
    let first = talk.ask(0x00, 0x20)
    let charges = try #require(first)[5]
    _ = talk.send(0x00, 0x21, [1])
    talk.robot.setCharger(true, at: talk.now)
    #expect(events(talk.robot.takeOutput(), 0x01) == [[1]], "at once")
    #expect(talk.ask(0x00, 0x26) == [1])
    let before = talk.robot.batteryVoltage
    talk.roll(200, 0)
    let pieces = talk.wait(.seconds(1_080))
    #expect(events(pieces, 0x01) == Array(repeating: [1], count: 108), "every 10 s")
    #expect(talk.robot.body.position == .zero, "it drives nowhere")
    // A tenth of three hours is a tenth of 2 V.
    #expect(talk.robot.batteryVoltage == before + 20)
    let second = talk.ask(0x00, 0x20)
    let state = try #require(second)
    #expect(state[1] == 1 && state[6...7] == [0, 0])
    #expect(state[5] == charges + 1, "one charge more")
    talk.robot.setCharger(false, at: talk.now)
    #expect(events(talk.robot.takeOutput(), 0x01) == [[2]])
    #expect(talk.ask(0x00, 0x26) == [0])
    _ = talk.wait(.seconds(30))
    #expect(talk.ask(0x00, 0x20)?[6...7] == [0, 30], "seconds awake since")
  }

  @Test func withoutTheOptionItSleepsInTheChargerAndWakesOutOfIt() {
    var talk = talk(charge: 0.5)
    _ = talk.send(0x00, 0x21, [1])
    talk.robot.setCharger(true, at: talk.now)
    #expect(events(talk.robot.takeOutput(), 0x01) == [[1]], "its last word")
    #expect(talk.robot.isAsleep)
    #expect(talk.wait(.seconds(1_080)).isEmpty)
    talk.robot.setCharger(false, at: talk.now)
    #expect(!talk.robot.isAsleep && talk.robot.batteryVoltage == 760)
    talk.robot.disconnect(at: talk.now)
    _ = talk.send(0x02, 0x35, [0, 0, 0, 0x03])
    talk.robot.setCharger(true, at: talk.now)
    #expect(talk.robot.isAsleep, "the option is for a robot that is connected")
  }

  // MARK: Battery

  @Test func theTripPointsDecideAndAChangeIsToldAtOnce() {
    // 8.4 V full and 6.4 V empty: 0.35 is 7.1 V.
    var talk = talk(charge: 0.35)
    _ = talk.send(0x00, 0x21, [1])
    _ = talk.wait(.seconds(5))
    for (points, state) in [
      ([0x02, 0xD5, 0x02, 0x8A], 3), ([0x02, 0xBC, 0x02, 0x8A], 2),
    ] as [([UInt8], UInt8)] {
      // 7.25 V, then 7.00 V.
      let pieces = talk.send(0x00, 0x24, points)
      #expect(events(pieces, 0x01) == [[state]])
      #expect(talk.ask(0x00, 0x20)?[1] == state)
    }
    #expect(talk.status(0x00, 0x24, [0x02, 0xA3, 0x02, 0x8B]) == 7, "closer than 25")
    #expect(talk.status(0x00, 0x24, [0x02, 0xD6, 0x02, 0x8A]) == 7, "726")
    #expect(talk.status(0x00, 0x24, [0x02, 0xBC, 0x02, 0x70]) == 7, "624")
    _ = talk.send(0x00, 0x21, [0])
    #expect(talk.send(0x00, 0x24, [0x02, 0xD5, 0x02, 0x8A]).count == 1, "switched off")
  }

  /// Full power takes 5.6 hundredths of a volt in ten seconds.
  @Test(arguments: [(0.301, [2, 3], false), (0.052, [3, 4], true)] as [(Double, [UInt8], Bool)])
  func lowIsToldAndCriticalEndsInSleep(_ charge: Double, _ expected: [UInt8], _ sleeps: Bool) {
    // 7.00 V, and 6.50 V.
    var talk = talk(charge: charge)
    var pieces = talk.send(0x00, 0x21, [1]) + talk.send(0x02, 0x33, [1, 255, 2, 255])
    pieces += talk.wait(.seconds(60))
    var states: [UInt8] = []
    for state in events(pieces, 0x01).map({ $0[0] }) where states.last != state { states.append(state) }
    #expect(states == expected && talk.robot.isAsleep == sleeps)
    guard sleeps else { return }
    let critical = pieces.first { event($0.bytes)?.payload == [4] }?.notBefore ?? .zero
    #expect(pieces.allSatisfy { $0.notBefore <= critical + .seconds(10) })
    talk.robot.shake(Vector3(5, 0, 0), at: talk.now)
    #expect(talk.ask(0x00, 0x20)?[1] == 4)
    _ = talk.wait(.seconds(25))
    #expect(talk.robot.isAsleep, "it does not stay awake for long")
  }

  @Test func whatTheMotorsDoBetweenTwoLooksCounts() {
    func voltage(driving: Bool) -> UInt16 {
      var talk = talk()
      for _ in 0..<18 {
        // Half of the time, and never while the battery is looked at.
        _ = talk.send(0x02, 0x33, driving ? [1, 255, 1, 255] : [3, 0, 3, 0])
        _ = talk.wait(.seconds(5))
        _ = talk.send(0x02, 0x33, [3, 0, 3, 0])
        _ = talk.wait(.seconds(5))
      }
      return talk.robot.batteryVoltage
    }
    // A minute and a half of full power is a fortieth of an hour: 0.05 V.
    #expect(Int(voltage(driving: false)) - Int(voltage(driving: true)) == 5)
  }

  @Test(arguments: [
    ("sphero2", UInt8(0x03), UInt16(640), UInt16(840)), ("ollie", 0x0A, 640, 840), ("bb8", 0x1E, 650, 780),
    ("sprkplus", 0x32, 650, 780),
  ]) func modelsHaveTheirCodeAndTheirBattery(
    _ name: String, _ code: UInt8, _ empty: UInt16, _ full: UInt16
  ) throws {
    let profile = try #require(Profile.all.first { $0.name == name })
    for (charge, voltage) in [(0.0, empty), (1, full)] {
      var talk = Talk { ($0.profile, $0.charge) = (profile, charge) }
      #expect(talk.ask(0x00, 0x02)?[1] == code)
      #expect(talk.ask(0x00, 0x20)?[2...3] == [UInt8(voltage >> 8), UInt8(voltage & 0xFF)])
    }
  }

  @Test func asleepItHardlyDrains() {
    var talk = talk()
    let before = talk.robot.batteryVoltage
    _ = talk.send(0x00, 0x22, [0, 0, 0, 0, 0])
    _ = talk.wait(.seconds(86_400))
    talk.robot.shake(Vector3(5, 0, 0), at: talk.now)
    // A sixtieth of 2 V; awake it would be empty.
    #expect(talk.robot.batteryVoltage == before - 3)
  }

  @Test func motorsWarmItAndTheAirCoolsIt() {
    var talk = talk()
    #expect(talk.ask(0x02, 0x16) == [24, 5])
    _ = talk.send(0x02, 0x33, [1, 255, 2, 255])
    _ = talk.wait(.seconds(300))
    // 15 degrees times 1 - exp(-1/2) are 5.90.
    #expect(talk.ask(0x02, 0x16) == [30, 4])
    _ = talk.send(0x02, 0x33, [3, 0, 3, 0])
    _ = talk.wait(.seconds(600))
    // 5.90 degrees over e.
    #expect(talk.ask(0x02, 0x16) == [26, 7])
  }

  // MARK: Sleep

  @Test func theInactivityTimeIsObeyedAndACommandKeepsItAwake() {
    var talk = Talk { $0.wakesByBytes = false }
    _ = talk.send(0x00, 0x25, [0, 60])
    var pieces = talk.wait(.seconds(55))
    #expect(events(pieces, 0x05) == [[]])
    _ = talk.send(0x00, 0x01)
    pieces = talk.wait(.seconds(59))
    #expect(events(pieces, 0x05) == [[]] && !talk.robot.isAsleep)
    _ = talk.wait(.seconds(2))
    #expect(talk.robot.isAsleep)
  }

  /// The option bit of the timeout has a meaning since firmware 1.26; before, every command restarts the timeout.
  @Test(arguments: [(Profile.sphero1, true), (.sphero2, false)])
  func aCommandWithoutTheOptionKeepsOnlyTheFirstFirmwareAwake(_ profile: Profile, _ staysAwake: Bool) {
    var talk = Talk {
      $0.profile = profile
      $0.wakesByBytes = false
    }
    _ = talk.send(0x00, 0x25, [0, 60])
    for _ in 0..<4 {
      _ = talk.wait(.seconds(30))
      // Ping with an answer, and without the bit that restarts the timeout.
      _ = talk.send(0x00, 0x01, sop2: 0xFD)
    }
    #expect(talk.robot.isAsleep != staysAwake)
  }

  @Test(arguments: [(UInt8(0x00), true), (0x20, false)])
  func aMacroKeepsItAwakeUnlessItIsStealthy(_ flags: UInt8, _ staysAwake: Bool) {
    var talk = Talk { $0.wakesByBytes = false }
    _ = talk.send(0x00, 0x25, [0, 60])
    // Two delays of 65 s.
    _ = talk.send(0x02, 0x51, [255, flags, 0x0B, 0xFD, 0xE8, 0x0B, 0xFD, 0xE8, 0])
    _ = talk.send(0x02, 0x50, [255])
    let pieces = talk.wait(.seconds(120))
    #expect(talk.robot.isAsleep != staysAwake && events(pieces, 0x05).isEmpty == staysAwake)
  }

  /// A command that ends a macro also ends its colour, which would hide that of the client.
  @Test(
    arguments: [
      (0x51, [255, 0, 0]), (0x58, [0x0B, 0x03, 0xE8]), (0x54, []), (0x55, []),
    ] as [(UInt8, [UInt8])])
  func theColorOfAMacroEndsWithIt(_ command: UInt8, _ payload: [UInt8]) {
    var talk = talk()
    _ = talk.send(0x02, 0x20, [9, 8, 7, 0])
    // Red, then a delay of 65 s.
    _ = talk.send(0x02, 0x51, [255, 0, 0x07, 255, 0, 0, 0, 0x0B, 0xFD, 0xE8, 0])
    _ = talk.send(0x02, 0x50, [255])
    _ = talk.wait(.seconds(1))
    #expect(talk.robot.lights.red == 255)
    #expect(talk.status(0x02, command, payload) == 0)
    _ = talk.wait(.milliseconds(100))
    #expect(talk.robot.lights.red == 9 && talk.robot.lights.blue == 7)
  }

  @Test func sleepForgetsWhatIsNotInFlash() {
    var talk = talk()
    _ = talk.send(0x00, 0x10, Array("kept".utf8))
    _ = talk.send(0x02, 0x20, [9, 8, 7, 1])
    _ = talk.send(0x02, 0x61, [1] + Array("10 print 1\n".utf8) + [0])
    _ = talk.send(0x02, 0x61, [0] + Array("10 print 2\n".utf8) + [0])
    // A macro of the user, the temporary one and a parameter.
    #expect(talk.status(0x02, 0x52, [40, 0, 0]) == 0)
    #expect(talk.status(0x02, 0x51, [255, 0, 0]) == 0)
    #expect(talk.status(0x02, 0x50, [40]) == 0)
    _ = talk.send(0x02, 0x37, [0, 0, 0, 1])
    _ = talk.send(0x02, 0x42, [1])
    _ = talk.send(0x02, 0x03, [1])
    _ = talk.send(0x02, 0x12, [1, 10, 10, 10, 10, 10])
    _ = talk.send(0x02, 0x11, [0, 10, 0, 1, 0, 7, 0, 0, 0])
    _ = talk.send(0x02, 0x4F, [1])
    _ = talk.send(0x00, 0x21, [1])
    talk.roll(100, 90)
    _ = talk.wait(.seconds(1))
    _ = talk.send(0x02, 0x02, [0])
    #expect(talk.status(0x00, 0x22, [0, 0, 0, 0, 0]) == 0)
    #expect(talk.wait(.seconds(5)).isEmpty, "no stream, no power notification")
    talk.robot.shake(Vector3(5, 0, 0), at: talk.now)
    talk.robot.shake(.zero, at: talk.now)

    // The clock begins anew; where it lies is 0, 0, and where it points is ahead.
    #expect(talk.ask(0x00, 0x51, [0, 0, 0, 0])?[4...7] == [0, 0, 0, 0])
    #expect(talk.ask(0x02, 0x15)?.prefix(4) == [0, 0, 0, 0])
    #expect(abs(talk.robot.locatorPosition.heading) < 1e-6)
    #expect(talk.ask(0x02, 0x38) == [0, 0, 0, 0] && talk.ask(0x02, 0x44) == [0])
    for macro in [40, 255] as [UInt8] { #expect(talk.status(0x02, 0x50, [macro]) == 7) }
    #expect(talk.ask(0x02, 0x36) == [0, 0, 0, 2] && talk.ask(0x02, 0x22) == [9, 8, 7])
    #expect(talk.ask(0x00, 0x11)?.prefix(4) == Array("kept".utf8)[...])
    for (area, text) in [(1, "1\n"), (0, "")] as [(UInt8, String)] {
      let pieces = talk.send(0x02, 0x62, [area, 0, 10]) + talk.wait(.seconds(1))
      #expect(events(pieces, 0x08) == (text.isEmpty ? [] : [Array(text.utf8)]))
    }
    talk.robot.knock(Planar(1, 0), at: talk.now)
    #expect(talk.wait(.seconds(2)).isEmpty, "collision detection is off")

    // Stabilisation is on, and the rotation rate is that of the factory: 157 degrees a second.
    let start = talk.robot.body.position
    talk.roll(100, 0)
    _ = talk.wait(.seconds(2))
    #expect(talk.robot.locatorPosition.y > 100 && abs(talk.robot.locatorPosition.x) < 1)
    #expect(talk.robot.body.position.x - start.x > 1, "what was 90 before is 0")
    talk.roll(100, 90)
    _ = talk.wait(.milliseconds(400))
    #expect((50...70).contains(talk.robot.locatorPosition.heading))
  }

  @Test func itWakesAtItsTimeAndRunsTheProgramInFlash() {
    var talk = talk()
    _ = talk.send(0x02, 0x61, [1] + Array("10 print 1\n20 print 2\n".utf8) + [0])
    // Two seconds, no macro, line 20.
    _ = talk.send(0x00, 0x22, [0, 2, 0, 0, 20])
    #expect(events(talk.wait(.milliseconds(1_990)), 0x08).isEmpty && talk.robot.isAsleep)
    #expect(events(talk.wait(.milliseconds(100)), 0x08) == [Array("2\n".utf8)])
  }

  @Test func inTheChargerItKeepsTheTimeAndTheProgramOfItsSleep() {
    var talk = Talk()
    _ = talk.send(0x02, 0x61, [1] + Array("10 print 1\n".utf8) + [0])
    _ = talk.send(0x00, 0x22, [0, 2, 0, 0, 10])
    _ = talk.wait(.seconds(1))
    talk.robot.setCharger(true, at: talk.now)
    #expect(events(talk.wait(.milliseconds(990)), 0x08).isEmpty && talk.robot.isAsleep)
    #expect(events(talk.wait(.milliseconds(100)), 0x08) == [Array("1\n".utf8)])
  }

  @Test func bytesWakeItTwoSecondsAfterItFellAsleep() {
    var talk = Talk()
    _ = talk.send(0x00, 0x22, [0, 0, 0, 0, 0])
    _ = talk.wait(.milliseconds(1_999))
    _ = talk.send(0x00, 0x01)
    #expect(talk.robot.isAsleep)
    _ = talk.wait(.milliseconds(1))
    _ = talk.send(0x00, 0x01)
    #expect(!talk.robot.isAsleep)
  }

  @Test func theInactivityTimeoutStartsAgainAfterANap() {
    var talk = Talk()
    _ = talk.send(0x00, 0x25, [0, 60])
    _ = talk.send(0x00, 0x22, [0, 100, 0, 0, 0])
    _ = talk.wait(.seconds(159))
    #expect(!talk.robot.isAsleep, "it has been awake for 59 s")
    _ = talk.wait(.seconds(2))
    #expect(talk.robot.isAsleep)
  }

  @Test func deepSleepHasNoEnd() {
    var talk = talk()
    _ = talk.send(0x00, 0x22, [0xFF, 0xFF, 0, 0, 0])
    _ = talk.wait(.seconds(65_536))
    #expect(talk.robot.isAsleep)
  }

  @Test func stopOnDisconnectIsValidOnce() {
    var talk = Talk()
    _ = talk.send(0x02, 0x37, [0, 0, 0, 1])
    #expect(talk.ask(0x02, 0x38) == [0, 0, 0, 1])
    talk.robot.disconnect(at: talk.now)
    talk.robot.connect(at: talk.now)
    #expect(talk.ask(0x02, 0x38) == [0, 0, 0, 0])
  }
}
