// Tests of invalid input, and of the times of the output.

import SpheroOrientation
import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroModel

/// Behaviours of streams that the documents do not define.
@Suite struct StreamVariantTests {
  /// Packets of a stream of 10 at 20 Hz that is asked for again after 4 of them, and when they come.
  private func packets(_ renewal: StreamRenewal) -> (before: Int, after: Int, wait: Duration) {
    var talk = Talk { $0.renewal = renewal }
    let request: [UInt8] = [0, 20, 0, 1, 0, 0, 0x20, 0, 10]
    _ = talk.send(0x02, 0x11, request)
    let before = frames(talk.wait(.milliseconds(225))).count
    _ = talk.send(0x02, 0x11, request)
    var (wait, after) = (Duration.zero, 0)
    for step in 1...600 {
      let count = frames(talk.wait(.milliseconds(5))).count
      if count > 0, after == 0 { wait = .milliseconds(5 * step) }
      after += count
    }
    return (before, after, wait)
  }

  @Test(arguments: [
    (StreamRenewal.count, 10, 25), (.restart, 10, 50), (.nothing, 6, 25), (.sum, 16, 25),
  ])
  func aRequestSentAgain(_ renewal: StreamRenewal, _ after: Int, _ milliseconds: Int) {
    let found = packets(renewal)
    #expect(found.before == 4 && found.after == after)
    #expect(found.wait == .milliseconds(milliseconds))
  }

  @Test(arguments: [(true, 42), (false, 30)])
  func reservedBits(_ streams: Bool, _ words: Int) {
    var talk = Talk { $0.streamsReservedBits = streams }
    _ = talk.send(0x02, 0x11, [0, 20, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0xFF, 0xFF, 0xFF, 0xFF])
    #expect(frames(talk.wait(.seconds(1))).map(\.count) == [words])
    // A stream of nothing but reserved bits.
    _ = talk.send(0x02, 0x11, [0, 20, 0, 1, 0x03, 0x80, 0, 0, 1])
    #expect(frames(talk.wait(.seconds(1))).map(\.count) == (streams ? [3] : []))
  }
}

@Suite(.ownThread) struct LineTests {
  private static let ping: [UInt8] = [0xFF, 0xFF, 0x00, 0x01, 0x52, 0x01, 0xAB]
  private static let pong: [UInt8] = [0xFF, 0xFF, 0x00, 0x52, 0x01, 0xAC]

  @Test func aWrongChecksumIsRefusedAndTheNextCommandObeyed() {
    var talk = Talk()
    var broken = Self.ping
    broken[6] = 0x00
    talk.robot.receive(broken + Self.ping, at: .zero)
    #expect(talk.robot.takeOutput().map(\.bytes) == [[0xFF, 0xFF, 0x02, 0x52, 0x01, 0xAA], Self.pong])
    #expect(talk.robot.statistics.badChecksums == 1)
  }

  @Test func aWrongChecksumIsSilentWhereNoAnswerIsWanted() {
    var talk = Talk()
    talk.robot.receive([0xFF, 0xFE, 0x00, 0x01, 0x52, 0x01, 0x00], at: .zero)
    #expect(talk.robot.takeOutput().isEmpty)
  }

  @Test func aFragmentIsDroppedAfterASecond() {
    var talk = Talk()
    // The head of a packet that claims 240 bytes, and pings that it would swallow.
    talk.robot.receive([0xFF, 0xFF, 0x02, 0x51, 0x01, 0xF0], at: .zero)
    talk.robot.receive(Self.ping, at: .milliseconds(500))
    #expect(talk.robot.takeOutput().isEmpty)
    #expect(talk.wait(.milliseconds(999)).isEmpty)
    #expect(talk.wait(.milliseconds(2)).map(\.bytes) == [Self.pong])
    talk.robot.receive(Self.ping, at: talk.now)
    #expect(talk.robot.takeOutput().map(\.bytes) == [Self.pong])
  }

  /// A second head came with the first one, so that its second is over at the same time.
  @Test func twoFragmentsTakeASecondTogether() {
    var talk = Talk()
    talk.robot.receive([0xFF, 0xFF, 0x02, 0x51, 0x01, 0xF0, 0xFF, 0xFF, 0x02, 0x51, 0x02, 0x80], at: .zero)
    talk.robot.receive(Self.ping, at: .milliseconds(500))
    #expect(talk.wait(.milliseconds(999)).isEmpty)
    #expect(talk.wait(.milliseconds(2)).map(\.bytes) == [Self.pong])
  }

  @Test(
    arguments: [(0x03, 0x01, 0x09), (0xEF, 0x01, 0x09), (0x02, 0xEE, 0x04), (0x00, 0xEE, 0x04)]
      as [(UInt8, UInt8, UInt8)])
  func whatIsUnknownIsRefused(_ device: UInt8, _ command: UInt8, _ status: UInt8) {
    var talk = Talk()
    #expect(talk.send(device, command).first.flatMap { response($0.bytes)?.status } == status)
  }

  @Test func severalCommandsInOneWriteAreAnsweredInOrder() {
    var talk = Talk()
    talk.robot.receive(Self.ping + Talk.packet(0x02, 0x22) + [0x75, 0x3E] + Self.ping, at: .zero)
    let pieces = talk.robot.takeOutput()
    #expect(pieces.map { response($0.bytes)?.payload.count } == [0, 3, 0])
  }

  @Test func aStreamKeepsItsRhythm() {
    var talk = Talk()
    _ = talk.wait(.seconds(1))
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0, 7, 0, 0, 5])
    let pieces = talk.wait(.seconds(1))
    // 400 Hz, the first frame at least 4 ms after the response.
    #expect(pieces.map(\.notBefore) == (402...406).map { .microseconds($0 * 2_500) })
    #expect(pieces.allSatisfy { event($0.bytes)?.payload == [0, 0, 0, 0, 0, 0] })
  }

  @Test(arguments: [0.95, 1.0, 1.05]) func theClockRunsAsItIsTold(_ rate: Double) {
    var talk = Talk { $0.clockRate = rate }
    _ = talk.send(0x02, 0x11, [0, 40, 0, 1, 0, 7, 0, 0, 0])
    let pieces = talk.wait(.seconds(100))
    #expect(abs(Double(pieces.count) - 1_000 * rate) <= 1)
  }

  @Test func tickingMoreOftenChangesNothing() {
    func run(_ steps: Int) -> [OutputPiece] {
      var talk = Talk { $0.seed = 7 }
      var pieces = talk.send(0x02, 0x11, [0, 3, 0, 2, 0xFC, 0x7F, 0xFC, 0x60, 0, 0xFF, 0x80, 0, 0])
      pieces += talk.send(0x02, 0x30, [128, 0, 90, 1])
      for _ in 0..<steps { pieces += talk.wait(.milliseconds(2_800) / steps) }
      return pieces
    }
    let coarse = run(1)
    #expect(coarse.count > 180)
    for steps in [7, 1_000] {
      let fine = run(steps)
      #expect(fine.count == coarse.count)
      #expect(zip(fine, coarse).first { $0 != $1 } == nil)
    }
  }

  @Test func finiteCountsAreObeyedAndRenewalsKeepTheRhythm() {
    var talk = Talk()
    let request: [UInt8] = [0, 20, 0, 1, 0, 7, 0, 0, 10]
    _ = talk.send(0x02, 0x11, request)
    #expect(talk.wait(.milliseconds(260)).count == 5)
    _ = talk.send(0x02, 0x11, request)
    let pieces = talk.wait(.seconds(60))
    #expect(
      pieces.filter { event($0.bytes)?.id == 0x03 }.map(\.notBefore)
        == (6...15).map { .milliseconds($0 * 50) })
  }

  @Test func sleepWarnsAndSilences() {
    var talk = Talk()
    let pieces = talk.wait(.seconds(700))
    #expect(pieces.map(\.bytes) == [[0xFF, 0xFE, 0x05, 0x00, 0x01, 0xF9]])
    #expect(pieces.first.map { abs(($0.notBefore - .seconds(590)).inSeconds) < 0.01 } == true)
    #expect(talk.robot.isAsleep)
    talk.robot.shake(Vector3(5, 0, 0), at: talk.now)
    #expect(!talk.robot.isAsleep)
    #expect(talk.send(0x00, 0x01).map(\.bytes) == [Self.pong])
  }

  @Test func commandsWithoutTheBitLetItSleep() {
    var talk = Talk { $0.wakesByBytes = false }
    for _ in 0..<70 {
      _ = talk.wait(.seconds(10))
      _ = talk.send(0x00, 0x01, sop2: 0xFD)
    }
    let isAsleep = talk.robot.isAsleep
    #expect(isAsleep)
  }

  @Test func aSleeperWakesWhenItIsTold() {
    var talk = Talk()
    #expect(talk.send(0x00, 0x22, [0, 5, 0, 0, 0]).map(\.bytes) == [Self.pong])
    #expect(talk.robot.isAsleep)
    _ = talk.wait(.milliseconds(4_990))
    #expect(talk.send(0x00, 0x01).isEmpty)
    _ = talk.wait(.milliseconds(20))
    #expect(talk.send(0x00, 0x01).map(\.bytes) == [Self.pong])
  }

  @Test func theNextClientWakesASleeperAtOnce() {
    var talk = Talk()
    #expect(talk.send(0x00, 0x22, [0, 0, 0, 0, 0]).map(\.bytes) == [Self.pong])
    // Who was there is not heard before 2 s have passed.
    _ = talk.wait(.milliseconds(100))
    #expect(talk.send(0x00, 0x01).isEmpty)
    talk.robot.disconnect(at: talk.now)
    talk.robot.connect(at: talk.now)
    #expect(talk.robot.isAsleep)
    #expect(talk.send(0x00, 0x01).map(\.bytes) == [Self.pong])
  }

  @Test func aDroppedLinkStopsTheBallWhereThatWasAskedFor() {
    for asks in [true, false] {
      var talk = Talk()
      // Without motion time-outs.
      _ = talk.send(0x02, 0x35, [0, 0, 0, 0x02])
      if asks { _ = talk.send(0x02, 0x37, [0, 0, 0, 1]) }
      _ = talk.send(0x02, 0x30, [200, 0, 0, 1])
      _ = talk.wait(.seconds(2))
      talk.robot.disconnect(at: talk.now)
      _ = talk.wait(.seconds(3))
      #expect((talk.robot.body.velocity.length < 0.01) == asks)
    }
  }

  @Test func motionTimesOutWhereItIsSwitchedOn() {
    var talk = Talk()
    _ = talk.send(0x02, 0x35, [0, 0, 0, 0x12])
    _ = talk.send(0x02, 0x34, [0x03, 0xE8])
    _ = talk.send(0x02, 0x30, [200, 0, 0, 1])
    _ = talk.wait(.milliseconds(990))
    #expect(talk.robot.body.velocity.length > 1)
    _ = talk.wait(.seconds(2))
    #expect(talk.robot.body.velocity.length < 0.01)
  }

  @Test func powerIsToldEveryTenSecondsAndOnChanges() {
    var talk = Talk { $0.charge = 0.301 }
    // Without motion time-outs.
    _ = talk.send(0x02, 0x35, [0, 0, 0, 0x02])
    _ = talk.send(0x00, 0x21, [1])
    _ = talk.send(0x02, 0x33, [1, 255, 1, 255])
    let pieces = talk.wait(.seconds(60))
    #expect(pieces.count >= 6)
    #expect(Set(pieces.compactMap { event($0.bytes)?.payload }) == [[2], [3]], "ok, then low")
  }

  @Test func aMacroRollsLikeAPacket() {
    var one = Talk()
    var other = Talk()
    _ = one.send(0x02, 0x30, [100, 0, 45, 1])
    // Roll 100 at 45 degrees, no delay; end.
    _ = other.send(0x02, 0x51, [255, 0, 0x05, 100, 0, 45, 0, 0x00])
    _ = other.send(0x02, 0x50, [255])
    _ = one.wait(.seconds(2))
    _ = other.wait(.seconds(2))
    #expect(one.robot.body.position == other.robot.body.position)
    #expect(one.robot.body.position.y > 0.5)
  }

  @Test func aMacroBrakesOnARamp() {
    var talk = Talk()
    // Without motion time-outs: roll 255 ahead, 3 s, roll 0, end.
    _ = talk.send(0x02, 0x35, [0, 0, 0, 0x02])
    _ = talk.send(0x02, 0x51, [255, 0, 0x05, 255, 0, 0, 0, 0x0B, 0x0B, 0xB8, 0x05, 0, 0, 0, 0, 0x00])
    _ = talk.send(0x02, 0x50, [255])
    _ = talk.wait(.seconds(6))
    let place = talk.robot.body.position.y
    // Nothing skids, unlike under a packet of speed 0: wheels and floor agree.
    #expect(talk.robot.body.isResting && place > 5 && abs(talk.robot.locatorPosition.y / 100 - place) < 0.01)
  }

  @Test func eventsDoNotWaitForTheAnswersToAFormerClient() {
    var talk = Talk()
    // Pings, whose answers take four seconds.
    for _ in 0..<2_000 { _ = talk.send(0x00, 0x01) }
    talk.robot.disconnect(at: talk.now)
    talk.robot.connect(at: talk.now)
    _ = talk.send(0x02, 0x51, [255, 0, 0x15, 1, 0])
    let pieces = talk.send(0x02, 0x50, [255]) + talk.wait(.milliseconds(20))
    #expect(events(pieces, 0x06) == [[1, 255, 0, 1]])
  }

  @Test func orbBasicPrints() {
    var talk = Talk()
    _ = talk.send(0x02, 0x61, [0] + Array("10 print 6 * 7\n".utf8) + [0])
    let pieces = talk.send(0x02, 0x62, [0, 0, 10]) + talk.wait(.seconds(1))
    #expect(
      pieces.compactMap { event($0.bytes) }.filter { $0.id == 0x08 }.map(\.payload) == [Array("42\n".utf8)])
  }
}
