// The axes of position and velocity, which depend on the model of the robot.

import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroHost

/// The version record of a model, by hand: record 2, model, hardware, firmware 5.34, bootloader, BASIC, macros.
private func version(_ model: UInt8) -> Reaction { .answer(.ok, [2, model, 1, 5, 34, 0x48, 3, 3]) }

/// A conversation whose robot reacts to the query for its version.
private func play(_ reaction: Reaction) -> Play {
  var play = Play.connected()
  play.robot.script = { command, _ in command.id == CommandID(0, 2) ? reaction : nil }
  return play
}

/// The word that the scripted robot streams for a field.
private func raw(_ field: SensorField, of frame: Int16) -> Int16 {
  Int16(bitPattern: UInt16(field.rawValue) << 10 | UInt16(bitPattern: frame))
}

@Suite struct ModelAxesTests {
  private let query: [UInt8] = [0, 2]
  /// Divisor 20, one frame, 200 packets; odometer is bits 27 and 26, velocity bits 24 and 23 of the second mask.
  private let odometer: [UInt8] = [2, 0x11, 0, 20, 0, 1, 0, 0, 0, 0, 200, 0x0C, 0, 0, 0]
  private let velocity: [UInt8] = [2, 0x11, 0, 20, 0, 1, 0, 0, 0, 0, 200, 0x01, 0x80, 0, 0]

  /// x of an Ollie points ahead and y left: to the right is -y, ahead is x.
  @Test(arguments: [0x0A, 0x01] as [UInt8]) func thePositionOfAnOllieIsTurned(model: UInt8) throws {
    var play = play(version(model))
    let id = try play.subscribe(StreamRequest(mask: .odometer))
    play.run(.seconds(1))
    #expect(Array(play.wire.prefix(2)) == [query, odometer])
    let samples = play.samples(of: id).map { $0.sample.sample }
    #expect(samples.count >= 18)
    for (frame, sample) in zip((1 as Int16)..., samples) {
      #expect(sample.word(.odometerX) == -raw(.odometerY, of: frame))
      #expect(sample.word(.odometerY) == raw(.odometerX, of: frame))
    }
    #expect(play.spins == 0)
  }

  @Test func aSingleFieldOfAnOllieNeedsItsPair() throws {
    var play = play(version(0x0A))
    let id = try play.subscribe(StreamRequest(mask: SensorMask(.velocityX)))
    play.run(.seconds(1))
    #expect(Array(play.wire.prefix(2)) == [query, velocity])
    let first = try #require(play.samples(of: id).first).sample.sample
    #expect(first.mask == SensorMask(.velocityX) && first.word(.velocityX) == -raw(.velocityY, of: 1))
  }

  @Test(
    "other models, and robots that do not state their model, count to the right and ahead",
    arguments: [
      version(0x03), version(0x1E), version(0xEE), .answer(.ok, []), .answer(.unknownCommand), .lost,
      .answerLost,
    ])
  private func otherModelsAreNotTurned(reaction: Reaction) throws {
    var play = play(reaction)
    let id = try play.subscribe(StreamRequest(mask: .odometer))
    // Three attempts of a quarter of a second, and a little more.
    play.run(.seconds(1))
    #expect(play.wire.contains(odometer))
    play.run(.seconds(1))
    let first = try #require(play.samples(of: id).first).sample.sample
    #expect(first.word(.odometerX) == raw(.odometerX, of: 1))
    #expect(first.word(.odometerY) == raw(.odometerY, of: 1))
    #expect(play.spins == 0)
  }

  @Test func onlyPositionAndVelocityAskForTheModelAndOnlyOnce() throws {
    var play = play(version(0x0A))
    _ = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.seconds(1))
    #expect(!play.wire.contains(query))
    _ = try play.subscribe(StreamRequest(mask: .velocity))
    play.run(.seconds(1))
    _ = try play.subscribe(StreamRequest(mask: .odometer))
    play.run(.seconds(1))
    #expect(play.wire.filter { $0 == query }.count == 1)
  }

  @Test func anAnswerToTheProgramIsEnough() throws {
    var play = play(version(0x0A))
    _ = try play.enqueue(Core.GetVersioning())
    play.run(.seconds(1))
    let id = try play.subscribe(StreamRequest(mask: .odometer))
    play.run(.seconds(1))
    #expect(play.wire.filter { $0 == query }.count == 1)
    let first = try #require(play.samples(of: id).first).sample.sample
    #expect(first.word(.odometerY) == raw(.odometerX, of: 1))
  }

  @Test func aNewLineAsksAgain() throws {
    var play = play(version(0x0A))
    play.losesCommands = true
    let id = try play.subscribe(StreamRequest(mask: .odometer))
    play.run(.milliseconds(500))
    play.drop()
    play.losesCommands = false
    play.reconnect()
    play.run(.seconds(1))
    let first = try #require(play.samples(of: id).first).sample.sample
    #expect(first.word(.odometerY) == raw(.odometerX, of: 1))
  }

  /// A query without an answer leaves the model unknown on that line only.
  @Test func aNewLineAsksAgainAfterAQueryWithoutAnAnswer() throws {
    var play = play(.lost)
    let id = try play.subscribe(StreamRequest(mask: .odometer))
    play.run(.seconds(2))
    #expect(!play.samples(of: id).isEmpty)
    play.drop()
    play.robot.script = { command, _ in command.id == CommandID(0, 2) ? version(0x0A) : nil }
    play.reconnect()
    play.clearRecords()
    play.run(.seconds(2))
    let samples = play.samples(of: id).map { $0.sample.sample }
    #expect(play.wire.contains(query) && samples.count >= 18)
    #expect(samples.allSatisfy { $0.word(.odometerX) ?? 0 < 0 }, "x is -y of the wire")
  }

  /// A robot that was put to sleep ends its link, which is no reason for a remark; another loss is.
  @Test(arguments: [true, false]) func theLossAfterSleepIsExpected(sleeps: Bool) throws {
    var play = Play.connected()
    if sleeps { _ = try play.enqueue(Core.Sleep(wakeup: 0)) }
    play.run(.seconds(1))
    play.drop()
    #expect(play.notices.contains(.disconnected) == !sleeps)
    play.reconnect()
    play.run(.seconds(1))
    play.clearRecords()
    play.drop()
    #expect(play.notices.contains(.disconnected))
  }

  /// -(-32768) does not fit a word.
  @Test func theLowestWordIsClamped() {
    var sample = Sample(mask: .odometer, words: [7, .min])
    sample.turn(ModelTraits.LocatorAxes.aheadLeft.turnedPairs(in: .odometer))
    #expect(sample.word(.odometerX) == 32_767 && sample.word(.odometerY) == 7)
  }

  /// The model of a recording is known after its version record; both pairs and another field between them.
  @Test func aRecordingIsTurnedByTheSameRules() throws {
    let mask = SensorMask.odometer.union([.velocity]).union([.accelOne])
    var recorded = RecordedSamples()
    func feed(_ bytes: [UInt8], from sender: Sender, at time: Duration) {
      let piece = bytes[...]
      recorded.feed(piece.span, from: sender, at: time)
    }
    func command(_ sequence: UInt8, _ request: some Request) throws -> [UInt8] {
      let encoded = try EncodedRequest(request)
      let packet = CommandPacket(
        id: encoded.command, options: .standard, sequence: sequence, payload: encoded.payload)
      return try Packet.command(packet).encoded()
    }
    feed(try command(1, Core.GetVersioning()), from: .host, at: .zero)
    feed(
      ScriptedRobot.response(1, .ok, [2, 0x0A, 1, 5, 34, 0x48, 3, 3]), from: .robot, at: .milliseconds(10))
    feed(
      try command(
        2, Sensing.SetDataStreaming(divisor: 20, mask: mask, packetCount: 200)),
      from: .host, at: .milliseconds(20))
    feed(ScriptedRobot.response(2), from: .robot, at: .milliseconds(30))
    // In wire order: odometer x and y, accelOne, velocity x and y.
    feed(
      ScriptedRobot.event(3, [0, 1, 0, 2, 0, 3, 0, 4, 0xFF, 0xFB]), from: .robot, at: .milliseconds(80))
    recorded.end()
    let timed = recorded.next()
    let sample = try #require(timed).sample
    #expect(sample.mask == mask)
    #expect(sample.word(.odometerX) == -2 && sample.word(.odometerY) == 1)
    #expect(sample.word(.velocityX) == 5 && sample.word(.velocityY) == 4)
    #expect(sample.word(.accelOne) == 3)
  }
}
