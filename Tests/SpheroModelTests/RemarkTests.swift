// Tests of the remarks of a robot: what happens to it, with its time, in the order of events.

import SpheroOrientation
import TestSupport
import Testing

@testable import SpheroModel

@Suite(.ownThread) struct RemarkTests {
  private func remarks(_ talk: inout Talk) -> [RobotRemark] { talk.robot.takeRemarks().map(\.remark) }

  @Test func clientsAndSleepAreRemarkedWithTheirTimes() {
    var talk = Talk()
    _ = talk.wait(.seconds(1))
    // Core.Sleep for two seconds.
    _ = talk.send(0x00, 0x22, [0, 2, 0, 0, 0])
    _ = talk.wait(.seconds(3))
    talk.robot.disconnect(at: talk.now)
    let all = talk.robot.takeRemarks()
    #expect(
      all.map(\.remark) == [
        .clientConnected, .fellAsleep(.command), .wokeUp(.timer), .clientDisconnected,
      ])
    #expect(all.map(\.time) == [.zero, .seconds(1), .seconds(3), .seconds(4)])
    #expect(talk.robot.takeRemarks().isEmpty)
  }

  @Test func eachReasonOfSleepAndWakeUpIsNamed() {
    var talk = Talk()
    // Set Inactivity Timeout: 60 s.
    _ = talk.send(0x00, 0x25, [0, 60])
    _ = talk.wait(.seconds(61))
    talk.robot.shake(Vector3(0, 0, 20), for: .seconds(1), at: talk.now)
    talk.robot.setCharger(true, at: talk.now)
    talk.robot.setCharger(false, at: talk.now)
    talk.robot.fallAsleep(at: talk.now)
    talk.robot.disconnect(at: talk.now)
    talk.robot.connect(at: talk.now)
    _ = talk.send(0x00, 0x01)
    #expect(
      remarks(&talk) == [
        .clientConnected, .fellAsleep(.inactivity(seconds: 60)), .wokeUp(.shaking), .putIntoCharger,
        .fellAsleep(.charger), .takenOutOfCharger, .wokeUp(.charger), .fellAsleep(.simulation),
        .clientDisconnected, .clientConnected, .wokeUp(.bytes),
      ])
    talk.robot.fallAsleep(at: talk.now)
    talk.robot.setCharger(true, at: talk.now)
    #expect(remarks(&talk) == [.fellAsleep(.simulation), .putIntoCharger])
    var weak = Talk { $0.charge = 0.001 }
    _ = weak.wait(.seconds(60))
    #expect(remarks(&weak).last == .fellAsleep(.criticalBattery))
  }

  @Test func aStopByDisconnectionIsRemarked() {
    var talk = Talk()
    // Set Temporary Options: stop on disconnect.
    _ = talk.send(0x02, 0x37, [0, 0, 0, 1])
    talk.roll(100, 0)
    _ = talk.wait(.milliseconds(500))
    talk.robot.disconnect(at: talk.now)
    #expect(remarks(&talk) == [.clientConnected, .clientDisconnected, .stoppedByDisconnection])
  }

  @Test func aRobotThatSleepsIsNotStoppedByTheEndOfItsLine() {
    var talk = Talk()
    // Set Temporary Options: stop on disconnect; then Core.Sleep.
    _ = talk.send(0x02, 0x37, [0, 0, 0, 1])
    _ = talk.send(0x00, 0x22, [0, 0, 0, 0, 0])
    talk.robot.disconnect(at: talk.now)
    #expect(remarks(&talk) == [.clientConnected, .fellAsleep(.command), .clientDisconnected])
  }

  @Test func aWallThatTheBallRunsIntoIsOneImpact() throws {
    var talk = Talk(on: Floor(width: 1, depth: 1))
    talk.roll(255, 0)
    var struck: [RobotRemark] = []
    for _ in 0..<8 {
      _ = talk.wait(.milliseconds(250))
      struck += remarks(&talk)
    }
    let changes = struck.compactMap { if case .struck(let change) = $0 { change } else { nil } }
    // 0.5 m less the radius at 4 m/s² is 1.92 m/s at most, and a wall gives half of it back.
    #expect(changes.count >= 1 && changes.count <= 6, "\(changes)")
    #expect(try #require(changes.first) > 1.5 && changes[0] <= 1.5 * 1.93)
    #expect(changes == changes.sorted(by: >), "each bounce is weaker")
  }

  @Test func aKnockIsRemarkedAndTheQueueIsBounded() {
    var talk = Talk()
    talk.robot.knock(Planar(0, -1), at: talk.now)
    _ = talk.wait(.milliseconds(10))
    #expect(remarks(&talk) == [.clientConnected, .struck(speedChange: 1)])
    for _ in 0..<300 {
      talk.robot.setCharger(true, at: talk.now)
      talk.robot.setCharger(false, at: talk.now)
    }
    let last = remarks(&talk)
    #expect(last.count == 256 && last.last == .wokeUp(.charger))
  }

  @Test func aStreamContinuesForTheNextClientOnlyIfConfigured() {
    for keeps in [false, true] {
      var talk = Talk { $0.keepsStreaming = keeps }
      // 10 Hz, without end, accelerometer.
      _ = talk.send(0x02, 0x11, [0, 40, 0, 1, 0, 0, 0xE0, 0, 0])
      _ = talk.wait(.seconds(1))
      talk.robot.disconnect(at: talk.now)
      #expect(talk.wait(.seconds(1)).isEmpty)
      talk.robot.connect(at: talk.now)
      #expect(talk.wait(.seconds(1)).count == (keeps ? 10 : 0))
      let expected: [RobotRemark] =
        [.clientConnected, .clientDisconnected] + (keeps ? [.streamContinues] : []) + [.clientConnected]
      #expect(remarks(&talk) == expected)
    }
  }

  @Test func everyRemarkIsASentenceInThePresentTense() {
    let cases: [(RobotRemark, String)] = [
      (.clientConnected, "a client connects"), (.clientDisconnected, "the client disconnects"),
      (.stoppedByDisconnection, "stops, as the client that disconnected had requested"),
      (.streamContinues, "keeps streaming for the next client"),
      (.fellAsleep(.command), "falls asleep: its client commanded it"),
      (.fellAsleep(.program), "falls asleep: its program commanded it"),
      (.fellAsleep(.inactivity(seconds: 600)), "falls asleep: no command arrived for 600 s"),
      (.fellAsleep(.criticalBattery), "falls asleep: its battery is critical"),
      (.fellAsleep(.charger), "falls asleep: it is in its charger"),
      (.fellAsleep(.simulation), "falls asleep: the options of the simulation demand it"),
      (.wokeUp(.shaking), "wakes up: it is shaken"),
      (.wokeUp(.charger), "wakes up: it is taken out of its charger"),
      (.wokeUp(.bytes), "wakes up: bytes arrive, which wake a simulated robot"),
      (.wokeUp(.timer), "wakes up: the time of its sleep is over"),
      (.putIntoCharger, "is put into its charger"), (.takenOutOfCharger, "is taken out of its charger"),
      (.struck(speedChange: 1.5), "is struck: its velocity changes by 1.50 m/s"),
    ]
    for (remark, text) in cases { #expect("\(remark)" == text) }
  }
}
