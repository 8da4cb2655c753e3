// Replays of recordings in both modes: answers, times, streams, and incomplete recordings.

import SpheroProtocol
import SpheroRecording
import TestSupport
import Testing

@Suite(.ownThread) struct ReplayTests {
  // Literal packets; the checksums were calculated by hand: ~(sum of all bytes after SOP2).
  static let ping = "FF FF 00 01 05 01 F8"
  static let version = "FF FF 00 02 01 01 FB"
  static let versionAnswer = "FF FF 00 01 09 01 03 01 00 00 33 00 00 BD"
  static let roll = "FF FF 02 30 07 05 80 00 5A 01 E6"
  static let rollAnswer = "FF FF 00 07 01 F7"
  static let event = "FF FE 01 00 02 01 FB"

  static func replay(_ text: String, _ mode: Replay.Mode, speed: Double = 1) throws -> Replay {
    try Replay(CaptureReader.records(in: Array(text.utf8)), mode: mode, speed: speed)
  }

  static func seconds(_ value: Double) -> Duration { .milliseconds(Int64((value * 1_000).rounded())) }

  /// The output of the robot without further input, each with its time in seconds.
  static func play(_ replay: inout Replay, until end: Double = 100) -> [String] {
    var outputs: [String] = []
    while let deadline = replay.nextDeadline, deadline <= seconds(end), outputs.count < 1_000 {
      let bytes = replay.output(at: deadline)
      if !bytes.isEmpty { outputs.append("\(deadline.text(digits: 3)) \(Hexadecimal.text(bytes))") }
    }
    return outputs
  }

  private static let talk = """
    1.000 > \(version)
    1.030 < \(versionAnswer)
    1.500 < \(event)
    2.000 > \(roll)
    2.045 < \(rollAnswer)
    """

  /// The answer to the roll was lost, and both commands have the number 1.
  @Test func aLateAnswerBelongsToTheLaterCommand() throws {
    let text = """
      1.000 > FF FF 02 30 01 05 80 00 5A 01 EC
      4.000 > \(Self.version)
      4.030 < \(Self.versionAnswer)
      """
    var replay = try Self.replay(text, .loose)
    try replay.receive(bytes("FF FF 02 30 01 05 80 00 5A 01 EC"), at: .zero)
    #expect(replay.output(at: Self.seconds(2)).isEmpty)
    try replay.receive(bytes("FF FF 00 02 A0 01 5C"), at: Self.seconds(3))
    #expect(
      Hexadecimal.text(replay.output(at: Self.seconds(3.03))) == "FF FF 00 A0 09 01 03 01 00 00 33 00 00 1E")
  }

  @Test func anAnswerHasTheSequenceNumberOfTheCommand() throws {
    var replay = try Self.replay(Self.talk, .strict)
    #expect(replay.output(at: Self.seconds(10)).isEmpty)
    #expect(replay.nextDeadline == nil)
    // The same command with sequence number A0h.
    try replay.receive(bytes("FF FF 00 02 A0 01 5C"), at: Self.seconds(11))
    #expect(
      Self.play(&replay) == [
        "11.030 FF FF 00 A0 09 01 03 01 00 00 33 00 00 1E", "11.500 \(Self.event)",
      ])
    #expect(!replay.isAtEnd)
    try replay.receive(bytes(Self.roll), at: Self.seconds(20))
    #expect(Self.play(&replay) == ["20.045 \(Self.rollAnswer)"])
    #expect(replay.isAtEnd)
    #expect(replay.nextDeadline == nil)
  }

  @Test func theLineEndsASecondAfterTheLastOutput() throws {
    var replay = try Self.replay("> \(Self.roll)\n< \(Self.rollAnswer)", .strict)
    try replay.receive(bytes(Self.roll), at: Self.seconds(5))
    #expect(Hexadecimal.text(replay.output(at: Self.seconds(5))) == Self.rollAnswer)
    #expect(replay.nextDeadline == Self.seconds(6))
    #expect(replay.output(at: Self.seconds(5.999)).isEmpty && !replay.isAtEnd)
    #expect(replay.output(at: Self.seconds(6)).isEmpty && replay.isAtEnd)
  }

  @Test func anUnexpectedCommandIsAnError() throws {
    var replay = try Self.replay(Self.talk, .strict)
    let error = try #require(throws: ReplayError.self) {
      try replay.receive(bytes(Self.roll), at: .zero)
    }
    #expect(error == .unexpected(seen: bytes(Self.roll), expected: bytes(Self.version)))
    #expect(
      error.message
        == "the recording continues differently: expected Core.GetVersioning seq 1 (\(Self.version)), "
        + "saw Motion.Roll seq 7 speed=128 heading=90° state=drive (\(Self.roll))")
  }

  @Test(arguments: [
    "FF FF 02 30 07 05 81 00 5A 01 E5",  // another speed
    "FF FE 02 30 07 05 80 00 5A 01 E6",  // another SOP2
    "FF FF 02 31 07 05 80 00 5A 01 E5",  // another command
  ]) func allBytesExceptSequenceNumberAndChecksumAreCompared(_ packet: String) throws {
    var replay = try Self.replay("> \(Self.roll)", .strict)
    #expect(throws: ReplayError.unexpected(seen: bytes(packet), expected: bytes(Self.roll))) {
      try replay.receive(bytes(packet), at: .zero)
    }
  }

  @Test func aCommandAfterTheLastOneIsAnError() throws {
    var replay = try Self.replay("> \(Self.roll)", .strict)
    try replay.receive(bytes(Self.roll), at: .zero)
    #expect(throws: ReplayError.unexpected(seen: bytes(Self.version), expected: nil)) {
      try replay.receive(bytes(Self.version), at: .zero)
    }
  }

  @Test func bytesBetweenPacketsOfTheHostAreCompared() throws {
    var replay = try Self.replay("> 0D \(Self.roll)", .strict)
    try replay.receive(bytes("0D" + Self.roll), at: .zero)
    #expect(replay.output(at: .zero).isEmpty)
    var other = try Self.replay("> \(Self.roll)", .strict)
    #expect(throws: ReplayError.unexpected(seen: [0x0D], expected: bytes(Self.roll))) {
      try other.receive(bytes("0D" + Self.roll), at: .zero)
    }
    var different = try Self.replay("> 0D \(Self.roll)", .strict)
    #expect(throws: ReplayError.unexpected(seen: [0x0A], expected: [0x0D])) {
      try different.receive(bytes("0A" + Self.roll), at: .zero)
    }
  }

  @Test(arguments: Replay.Mode.allCases) func pingsAreAnsweredWithoutARecordedAnswer(_ mode: Replay.Mode)
    throws
  {
    var replay = try Self.replay(Self.talk, mode)
    try replay.receive(bytes(Self.ping), at: Self.seconds(3))
    #expect(replay.output(at: Self.seconds(3)) == bytes("FF FF 00 05 01 F9"))
    try replay.receive(bytes(Self.version), at: Self.seconds(4))
    #expect(Self.play(&replay, until: 4.1).last == "4.030 \(Self.versionAnswer)")
  }

  @Test func recordedPingsNeedNotBeSent() throws {
    let handshake = "0 > FF FF 00 01 51 01 AC\n0.3 > FF FF 00 01 52 01 AB\n0.32 < FF FF 00 52 01 AC\n"
    var replay = try Self.replay(handshake + Self.talk, .strict)
    try replay.receive(bytes(Self.version), at: Self.seconds(0.5))
    #expect(Self.play(&replay, until: 0.6) == ["0.530 \(Self.versionAnswer)"])
    // The answer to a ping has the delay of the recorded answer.
    try replay.receive(bytes(Self.ping), at: Self.seconds(0.7))
    #expect(Self.play(&replay, until: 0.8) == ["0.720 FF FF 00 05 01 F9"])
  }

  @Test func pipelinedCommandsKeepTheOrderOfTheRecording() throws {
    let text =
      "0 > \(Self.version)\n0.001 > \(Self.roll)\n0.030 < \(Self.versionAnswer)\n0.031 < \(Self.rollAnswer)"
    var replay = try Self.replay(text, .strict)
    // The host waits for the first answer before it sends the second command.
    try replay.receive(bytes(Self.version), at: .zero)
    #expect(Self.play(&replay) == ["0.030 \(Self.versionAnswer)"])
    try replay.receive(bytes(Self.roll), at: Self.seconds(0.04))
    #expect(Self.play(&replay) == ["0.070 \(Self.rollAnswer)"])
  }

  @Test(arguments: [0.5, 2, 10]) func speedScalesAllDelays(_ speed: Double) throws {
    var replay = try Self.replay(Self.talk, .strict, speed: speed)
    try replay.receive(bytes(Self.version), at: .zero)
    let due = [0.03, 0.5].map { Self.seconds($0 / speed).text(digits: 3) }
    #expect(Self.play(&replay) == ["\(due[0]) \(Self.versionAnswer)", "\(due[1]) \(Self.event)"])
  }

  // MARK: - Loose

  @Test func equalCommandsGetTheirAnswersInTheRecordedOrder() throws {
    // Read Locator twice with different answers, then a roll.
    let text = """
      0 > FF FF 02 15 01 01 E6
      0.01 < FF FF 00 01 03 AA 01 50
      1 > FF FF 02 15 02 01 E5
      1.02 < FF FF 00 02 03 BB 02 3D
      2 > FF FF 02 30 03 05 80 00 5A 01 EA
      2.03 < FF FF 04 03 01 F7
      """
    var replay = try Self.replay(text, .loose)
    for (sequence, time, answer) in [
      ("09", "0.010", "FF FF 00 09 03 AA 01 48"), ("09", "1.020", "FF FF 00 09 03 BB 02 36"),
      ("09", "2.020", "FF FF 00 09 03 BB 02 36"),
    ] {
      let now = Self.seconds(Double(time.prefix(1)) ?? 0)
      try replay.receive(bytes("FF FF 02 15 \(sequence) 01 DE"), at: now)
      #expect(Self.play(&replay, until: 50) == ["\(time) \(answer)"])
    }
    // A roll with another payload gets the recorded answer to a roll: status 04 after 30 ms.
    try replay.receive(bytes("FF FF 02 30 0A 05 10 00 00 01 AD"), at: Self.seconds(60))
    #expect(Self.play(&replay) == ["60.030 FF FF 04 0A 01 F0"])
    // The recording lacks this command, whose response has no content, and the query of the mode.
    try replay.receive(bytes("FF FF 02 20 0B 05 01 02 03 00 C7"), at: Self.seconds(70))
    try replay.receive(bytes("FF FF 02 44 0D 01 AB"), at: Self.seconds(70))
    // A command without the lowest bit of SOP2 requests no answer.
    try replay.receive(bytes("FF FE 02 15 0C 01 DB"), at: Self.seconds(71))
    #expect(Self.play(&replay) == ["70.000 FF FF 00 0B 01 F3 FF FF 04 0D 01 ED"])
    #expect(!replay.isAtEnd)
  }

  /// Set Data Streaming: divisor 20, one frame, pitch, 200 packets; and the request that ends it.
  static let start = "FF FF 02 11 01 0E 00 14 00 01 00 04 00 00 C8 00 00 00 00 FC"
  static let stop = "FF FF 02 11 02 0E 00 00 00 00 00 00 00 00 00 00 00 00 00 DC"
  static let first = "FF FE 03 00 03 00 01 F8"
  static let second = "FF FE 03 00 03 00 02 F7"
  private static let stream = """
    0.1 < \(event)
    5.0 > \(start)
    5.03 < FF FF 00 01 01 FD
    5.05 < \(first)
    5.10 < \(second)
    9.0 > \(stop)
    9.03 < FF FF 00 02 01 FC
    """

  @Test func aRequestJumpsToTheRecordedStartOfItsStream() throws {
    var replay = try Self.replay(Self.stream, .loose)
    #expect(Self.play(&replay, until: 0.5) == ["0.000 \(Self.event)"])
    try replay.receive(bytes(Self.start), at: Self.seconds(1))
    #expect(
      Self.play(&replay, until: 1.2) == [
        "1.030 FF FF 00 01 01 FD", "1.050 \(Self.first)", "1.100 \(Self.second)",
      ])
    #expect(replay.nextDeadline == Self.seconds(2.1))
    // A renewal is not a new stream.
    try replay.receive(bytes(Self.start), at: Self.seconds(1.5))
    #expect(Self.play(&replay, until: 2) == ["1.530 FF FF 00 01 01 FD"])
    // A command does not postpone the end.
    #expect(replay.nextDeadline == Self.seconds(2.1))
    try replay.receive(bytes(Self.stop), at: Self.seconds(2))
    #expect(Self.play(&replay, until: 50) == ["2.030 FF FF 00 02 01 FC"])
    #expect(!replay.isAtEnd, "the host may ask for more")
  }

  @Test func sensorDataIsSentToHostsThatStream() throws {
    var listening = try Self.replay(Self.stream, .loose)
    #expect(Self.play(&listening).count == 3)
    #expect(listening.isAtEnd)
    var asking = try Self.replay(Self.stream, .loose)
    try asking.receive(bytes(Self.ping), at: .zero)
    #expect(Self.play(&asking) == ["0.000 FF FF 00 05 01 F9 \(Self.event)"])
    // A request after the recorded time still starts the stream.
    try asking.receive(bytes(Self.start), at: Self.seconds(60))
    #expect(Self.play(&asking).count == 3)
    #expect(asking.isAtEnd)
  }

  /// A fast replay waits for the first command of its host, which otherwise loses the samples before it.
  @Test func aFastReplayWaitsForItsHost() throws {
    var asking = try Self.replay(Self.stream, .loose, speed: 100)
    #expect(Self.play(&asking, until: 0.455) == ["0.451 \(Self.event)"])
    try asking.receive(bytes(Self.start), at: Self.seconds(0.46))
    #expect(
      Self.play(&asking, until: 0.462) == [
        "0.460 FF FF 00 01 01 FD", "0.461 \(Self.first)", "0.461 \(Self.second)",
      ])
    var listening = try Self.replay(Self.stream, .loose, speed: 100)
    #expect(
      Self.play(&listening) == ["0.451 \(Self.event)", "0.500 \(Self.first)", "0.501 \(Self.second)"])
  }

  /// A session that was late ends its stream and requests it again.
  @Test func aStreamThatTheHostEndedContinues() throws {
    var replay = try Self.replay(Self.stream, .loose)
    try replay.receive(bytes(Self.start), at: Self.seconds(1))
    #expect(Self.play(&replay, until: 1.06).last == "1.050 \(Self.first)")
    try replay.receive(bytes(Self.stop), at: Self.seconds(1.07))
    #expect(Self.play(&replay, until: 2) == ["1.100 FF FF 00 02 01 FC"])
    try replay.receive(bytes(Self.start), at: Self.seconds(3))
    #expect(Self.play(&replay) == ["3.030 FF FF 00 01 01 FD \(Self.second)"])
    #expect(replay.isAtEnd)
  }

  /// A host that returns to the first stream receives the samples after those that it has.
  @Test func aStreamThatTheHostLeftForAnotherContinues() throws {
    // Roll instead of pitch.
    let roll = "FF FF 02 11 03 0E 00 14 00 01 00 02 00 00 C8 00 00 00 00 FC"
    let text =
      Self.stream + "\n10.00 > \(roll)\n10.03 < FF FF 00 03 01 FB\n10.05 < FF FE 03 00 03 00 09 F0"
    var replay = try Self.replay(text, .loose)
    try replay.receive(bytes(Self.start), at: Self.seconds(1))
    #expect(Self.play(&replay, until: 1.06).last == "1.050 \(Self.first)")
    try replay.receive(bytes(roll), at: Self.seconds(1.07))
    #expect(Self.play(&replay, until: 2) == ["1.100 FF FF 00 03 01 FB", "1.120 FF FE 03 00 03 00 09 F0"])
    try replay.receive(bytes(Self.start), at: Self.seconds(3))
    #expect(Self.play(&replay, until: 3.04) == ["3.030 FF FF 00 01 01 FD \(Self.second)"])
  }

  /// The host would read the roll as a pitch.
  @Test func samplesOfAnotherFormatAreWithheld() throws {
    let roll = "FF FF 02 11 03 0E 00 14 00 01 00 02 00 00 C8 00 00 00 00 FC"
    let text = Self.stream + "\n10.00 > \(roll)\n10.03 < FF FF 00 03 01 FB\n10.05 < FF FE 03 00 03 00 09 F0"
    var replay = try Self.replay(text, .loose)
    try replay.receive(bytes(Self.start), at: Self.seconds(1))
    let played = Self.play(&replay)
    #expect(played.contains("1.100 \(Self.second)") && !played.contains { $0.contains("00 09 F0") })
  }

  /// The recording begins in a stream of unknown format, which the host reads as two formats, one after the other.
  @Test func aStreamOfUnknownFormatContinuesInAnother() throws {
    let roll = "FF FF 02 11 03 0E 00 14 00 01 00 02 00 00 C8 00 00 00 00 FC"
    let gyro = "FF FF 02 11 04 0E 00 14 00 01 00 00 10 00 C8 00 00 00 00 ED"
    let packets = (0..<40).map { "\(Double($0) / 20) < \(Self.first)" }.joined(separator: "\n")
    var replay = try Self.replay(packets + "\n3.0 > \(Self.start)\n3.05 < \(Self.second)", .loose)
    try replay.receive(bytes(roll), at: .zero)
    #expect(Self.play(&replay, until: 0.5).contains { $0.contains(Self.first) })
    try replay.receive(bytes(gyro), at: Self.seconds(0.5))
    #expect(Self.play(&replay, until: 1).contains { $0.contains(Self.first) })
  }

  @Test func aRefusedRequestDoesNotChangeTheRecordedStream() throws {
    let roll = "FF FF 02 11 03 0E 00 14 00 01 00 02 00 00 C8 00 00 00 00 FC"
    let text = """
      5.0 > \(Self.start)
      5.03 < FF FF 00 01 01 FD
      5.05 < \(Self.first)
      5.06 > \(roll)
      5.07 < FF FF 07 03 01 F4
      5.10 < \(Self.second)
      """
    var replay = try Self.replay(text, .loose)
    try replay.receive(bytes(Self.start), at: Self.seconds(1))
    #expect(Self.play(&replay).last == "1.100 \(Self.second)")
  }

  // MARK: - Incomplete recordings

  @Test func bytesAfterTheLastCommandAreNotAwaited() throws {
    var replay = try Self.replay("> \(Self.roll)\n< \(Self.rollAnswer)\n> 0D", .strict)
    try replay.receive(bytes(Self.roll) + [0x0D], at: .zero)
    _ = Self.play(&replay)
    #expect(replay.isAtEnd)
    // A ping makes them known, which is no difference from the recording.
    var other = try Self.replay("> \(Self.roll)\n< \(Self.rollAnswer)\n> 0D \(Self.ping)", .strict)
    try other.receive(bytes(Self.roll + "0D" + Self.ping), at: .zero)
  }

  @Test func aPacketDoesNotContinueOnAnotherLine() throws {
    // The second half of the event comes from another line.
    let text = "0 < FF FE 01 00\n#: 0.1 reconnection\n0.2 < 02 01 FB"
    var replay = try Self.replay(text, .loose)
    #expect(Self.play(&replay) == ["0.000 FF FE 01 00", "0.200 02 01 FB"])
  }

  @Test(arguments: Replay.Mode.allCases) func aRecordingWithoutTimes(_ mode: Replay.Mode) throws {
    var replay = try Self.replay(
      "> \(Self.roll)\n< \(Self.rollAnswer)\n< \(Self.event)\n< \(Self.event)", mode)
    try replay.receive(bytes(Self.roll), at: .zero)
    #expect(
      Self.play(&replay) == ["0.000 \(Self.rollAnswer)", "0.010 \(Self.event)", "0.020 \(Self.event)"])
  }

  @Test func aRecordingOfTheRobotAlone() throws {
    let text = "7.00 < FF FF 00 01 01 FD \(Self.first)\n7.05 < 0D \(Self.second)"
    var strict = try Self.replay(text, .strict)
    #expect(strict.output(at: .zero) == bytes(Self.first))
    #expect(Self.play(&strict) == ["0.050 0D \(Self.second)"])
    #expect(strict.isAtEnd)
    // A loose replay acknowledges commands, but refuses those whose responses have content.
    var loose = try Self.replay(text, .loose)
    try loose.receive(bytes(Self.start), at: Self.seconds(3))
    #expect(Self.play(&loose, until: 3) == ["3.000 FF FF 00 01 01 FD \(Self.first)"])
    try loose.receive(bytes(Self.version), at: Self.seconds(3.01))
    #expect(
      Self.play(&loose, until: 3.1) == ["3.010 FF FF 04 01 01 F9", "3.050 0D \(Self.second)"])
  }

  @Test func aRecordingOfTheHostAlone() throws {
    var strict = try Self.replay("0 > \(Self.roll)\n1 > \(Self.version)", .strict)
    try strict.receive(bytes(Self.roll), at: .zero)
    try strict.receive(bytes(Self.version), at: .zero)
    #expect(Self.play(&strict).isEmpty)
    var loose = try Self.replay("0 > \(Self.roll)\n1 > \(Self.ping)", .loose)
    try loose.receive(bytes(Self.roll), at: .zero)
    #expect(Self.play(&loose).isEmpty)
    // A client that pings to find the robot finds it nevertheless.
    try loose.receive(bytes(Self.ping), at: Self.seconds(2))
    #expect(Self.play(&loose) == ["2.000 FF FF 00 05 01 F9"])
  }

  /// Its values would look like those requested.
  @Test func aStreamOfAnotherRateIsRefused() throws {
    var replay = try Self.replay(Self.stream, .loose)
    var request = bytes(Self.start)
    // The low byte of the divisor, and CHK.
    request[7] += 1
    request[request.count - 1] -= 1
    try replay.receive(request, at: Self.seconds(1))
    #expect(Self.play(&replay, until: 1) == ["1.000 FF FF 07 01 01 F6 \(Self.event)"])
  }

  @Test func aRecordingThatBeginsDuringAStream() throws {
    let text = """
      #: capture mask=0x00040000:0x00000000 divisor=20 frames=1
      0.00 < \(Self.first)
      0.05 < \(Self.second)
      0.08 > \(Self.roll)
      0.09 < \(Self.rollAnswer)
      """
    var replay = try Self.replay(text, .loose)
    try replay.receive(bytes(Self.start), at: Self.seconds(2))
    #expect(Self.play(&replay) == ["2.000 FF FF 00 01 01 FD \(Self.first)", "2.050 \(Self.second)"])
    // A response without its command is not replayed.
    var strict = try Self.replay("0 < FF FF 00 09 01 F5\n1 < \(Self.event)", .strict)
    #expect(strict.output(at: .zero) == bytes(Self.event))
  }

  @Test func marksEndOrPreventAStrictReplay() throws {
    let incomplete = "0 > \(Self.roll)\n#: 0.5 incomplete lines=3\n1 > \(Self.version)"
    #expect(throws: ReplayError.incomplete(CaptureMark(.incomplete, time: .milliseconds(500), lines: 3))) {
      try Self.replay(incomplete, .strict)
    }
    _ = try Self.replay(incomplete, .loose)
    var lost = try Self.replay("0 > \(Self.roll)\n#: 0.5 reconnection\n1 > \(Self.version)", .strict)
    try lost.receive(bytes(Self.roll), at: .zero)
    _ = Self.play(&lost)
    #expect(lost.isAtEnd)
    for mode in Replay.Mode.allCases {
      #expect(throws: ReplayError.empty) { try Self.replay("# nothing\n", mode) }
    }
  }

  @Test func decreasingAndExtremeTimesAreValid() throws {
    var replay = try Self.replay(
      "999999999999 < \(Self.event)\n0 < \(Self.event)\n0.5 < 0D", .strict)
    // The wrong time counts as unknown.
    #expect(replay.output(at: .zero).isEmpty)
    #expect(replay.output(at: .milliseconds(10)) == bytes(Self.event + Self.event))
    #expect(replay.nextDeadline == Self.seconds(0.5))
    var far = try Self.replay("0 < \(Self.event)\n999999999999 < \(Self.event)", .strict, speed: .nan)
    _ = far.output(at: .zero)
    #expect(far.nextDeadline == .seconds(999_999_999_999))
    var slow = try Self.replay("0 < \(Self.event)\n999999999999 < \(Self.event)", .loose, speed: -.infinity)
    _ = slow.output(at: .zero)
    #expect(try #require(slow.nextDeadline) > .seconds(999_999_999_000_000))
  }

  /// A single wrong time delays no later line, and a second recording without a header follows the first one.
  @Test func aWrongTimeDelaysNoLaterLine() throws {
    func play(_ times: [String]) throws -> [String] {
      let lines = times.map { "\($0) < \(Self.event)" }
      var replay = try Self.replay(lines.joined(separator: "\n"), .loose)
      return Self.play(&replay, until: 4).map { String($0.prefix(5)) }
    }
    let damaged = try play(["0.0", "0.1", "0.2", "60.3", "0.4", "0.5"])
    #expect(damaged == ["0.000", "0.100", "0.200", "0.210", "0.220", "0.500"])
    let two = try play(["0.0", "0.5", "1.0", "0.0", "0.5", "1.0"])
    #expect(two == ["0.000", "0.500", "1.000", "1.500", "2.000"])
  }

  @Test func packetsMayArriveInPieces() throws {
    for mode in Replay.Mode.allCases {
      var replay = try Self.replay(Self.talk, mode)
      for byte in bytes(Self.version) { try replay.receive([byte], at: Self.seconds(1)) }
      #expect(Self.play(&replay, until: 1.1).last == "1.030 \(Self.versionAnswer)")
    }
  }

  @Test(arguments: Replay.Mode.allCases) func largeTimesDoNotOverflowASlowReplay(_ mode: Replay.Mode) throws {
    // The sum of the times of many recordings.
    let times = [Duration.zero, .seconds(500_000_000_000_000_000)]
    let records = times.map {
      CaptureRecord.line(CaptureLine(time: $0, from: .robot, bytes: bytes(Self.event)))
    }
    var replay = try Replay(records, mode: mode, speed: 0.001)
    _ = replay.output(at: .zero)
    _ = Self.play(&replay, until: 1)
    #expect(try #require(replay.nextDeadline) > .seconds(1_000_000_000))
  }

  /// A search for each format among all earlier ones would take minutes.
  @Test(.timeLimit(.minutes(1))) func manyStreamsAreReadInLinearTime() throws {
    let requests = try (0..<40_000).map { number in
      let request = Sensing.SetDataStreaming(divisor: UInt16(1 + number), mask: .accel, packetCount: 0)
      return try Packet.command(request.packet(sequence: 1)).encoded()
    }
    let records = requests.map { CaptureRecord.line(CaptureLine(from: .host, bytes: $0)) }
    #expect(try Replay(records + records).streams.count == requests.count)
  }

  /// An insertion of each event before the responses that follow it would take minutes.
  @Test(.timeLimit(.minutes(1))) func manyResponsesToOneCommandAreSentInLinearTime() throws {
    let count = 60_000
    let pair = [Self.versionAnswer, Self.event].map {
      CaptureRecord.line(CaptureLine(from: .robot, bytes: bytes($0)))
    }
    let version = CaptureRecord.line(CaptureLine(from: .host, bytes: bytes(Self.version)))
    var replay = try Replay([version] + (0..<count).flatMap { _ in pair })
    try replay.receive(bytes(Self.version), at: .zero)
    var output: [UInt8] = []
    while let deadline = replay.nextDeadline { output += replay.output(at: deadline) }
    #expect(output.count == count * bytes(Self.versionAnswer + Self.event).count)
    #expect(output.starts(with: bytes(Self.versionAnswer + Self.event + Self.versionAnswer)))
  }
}
