// The small values of a conversation: round trip, queue, numbers, handshake, cleanup, set-point.

import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroHost

private func pending(
  _ request: some Request, _ purpose: PendingRequest.Purpose = .housekeeping, isUrgent: Bool = false
) throws -> PendingRequest {
  PendingRequest(
    purpose: purpose, encoded: try EncodedRequest(request), isUrgent: isUrgent, timeout: .seconds(1),
    maximumAttempts: 3)
}

private let stop = Motion.Roll(speed: 0, heading: 5, state: .stop)

/// A command of a user, with any payload.
private struct OwnCommand: Command {
  static let id = CommandID(0x02, 0x7B)
  static let name = "Own.Command"
  var bytes: [UInt8] = []
  mutating func layout(_ wire: inout some Wire) throws(WireError) {
    for index in bytes.indices { try wire.field("bytes", &bytes[index]) }
  }
}

/// A motion that another package declares, without its effect.
private struct OwnRoll: Command {
  static let id = CommandID(0x02, 0x30)
  var (speed, heading, state): (UInt8, UInt16, UInt8) = (9, 300, 1)
  mutating func layout(_ wire: inout some Wire) throws(WireError) {
    try wire.field("speed", &speed)
    try wire.field("heading", &heading)
    try wire.field("state", &state)
  }
}

@Suite struct EncodedRequestTests {
  @Test func attemptsAreBounded() {
    var settings = HostSettings(timeout: .seconds(20), attempts: .max)
    #expect(settings.attempts == 1_000_000 && settings.timeout * settings.attempts > .zero)
    settings.attempts = .max
    #expect(settings.attempts == 1_000_000)
    settings.attempts = -3
    #expect(settings.attempts == 1)
  }

  /// The session stops the ball at its end, as after the bytes of the command.
  @Test func theIDStatesTheEffectOfAnUndeclaredMotion() throws {
    #expect(OwnRoll().effect == nil)
    #expect(try EncodedRequest(OwnRoll()).effect == .roll(heading: 300))
  }

  /// DLEN counts the checksum, too: 254 bytes fit.
  @Test func aPayloadThatFitsNoPacketIsRefused() throws {
    let longest = OwnCommand(bytes: Array(repeating: 1, count: 254))
    #expect(try EncodedRequest(longest).payload.count == 254)
    let long = OwnCommand(bytes: Array(repeating: 1, count: 255))
    #expect(throws: WireError.self) { try EncodedRequest(long) }
    #expect(throws: WireError.self) { try EncodedRequest(OwnCommand.id, name: "", payload: long.bytes) }
  }
}

@Suite struct EncodedProgramTests {
  /// Only a number that is the whole operand permits the stop on disconnect.
  @Test(arguments: [
    ("10 basflg 8", true), ("10 basflg8 ' 8 - 8", true), ("10 basflg 9\n20 goroll 0, 9, 1", true),
    ("10 basflg 8-8", false), ("10 basflg 8 - A", false), ("10 basflg A", false), ("10 basflg", false),
    ("10 basflg 8\n20 basflg 0", false), ("10 if A then basflg 8 else basflg 0", false),
    ("10 print \"basflg 8\"", false), ("10 goroll 0, 9, 1\n20 basflg 8", false),
    ("10 if A > 0 then basflg 8", false), ("10 goto 30\n20 basflg 8\n30 goroll 0, 9, 1", false),
  ]) func theFlagsThatPermitAStopOnDisconnect(_ text: String, isPermitted: Bool) throws {
    let start = EncodedProgram(try OrbBasicProgram(text)).requests.last
    #expect(start?.effect == .runProgram(stopsOnDisconnect: isPermitted))
  }
}

@Suite(.ownThread) struct RoundTripTests {
  @Test func theFirstAnswerIsTheEstimateAndLaterOnesHaveAWeightOfAnEighth() {
    var roundTrip = RoundTrip()
    #expect(roundTrip.estimate == .milliseconds(50) && roundTrip.median == .zero)
    roundTrip.record(.milliseconds(80))
    #expect(roundTrip.estimate == .milliseconds(80))
    roundTrip.record(.milliseconds(160))
    #expect(roundTrip.estimate == .milliseconds(90))
    #expect(roundTrip.minimum == .milliseconds(80) && roundTrip.count == 2)
  }

  /// One prompt answer in eight is sufficient to measure the link, even if the others are read late.
  @Test(arguments: [0, 600]) func theShortestOfTheLastEight(before: Int) {
    var roundTrip = RoundTrip()
    for _ in 0..<before { roundTrip.record(.milliseconds(2)) }
    for _ in 0..<8 { roundTrip.record(.milliseconds(300)) }
    #expect(roundTrip.shortest == .milliseconds(300))
    roundTrip.record(.milliseconds(10))
    for _ in 0..<7 {
      roundTrip.record(.milliseconds(400))
      #expect(roundTrip.shortest == .milliseconds(10))
    }
    roundTrip.record(.milliseconds(400))
    #expect(roundTrip.shortest == .milliseconds(400))
  }

  @Test func quantilesOfTheLast512() {
    var roundTrip = RoundTrip()
    // A thousand slow ones have left the ring after 512 of 1...512 ms.
    for _ in 0..<1_000 { roundTrip.record(.seconds(9)) }
    for number in (1...512).reversed() { roundTrip.record(.milliseconds(number)) }
    #expect(roundTrip.median == .milliseconds(257))
    #expect(roundTrip.percentile99 == .milliseconds(507))
    #expect(roundTrip.minimum == .milliseconds(1) && roundTrip.count == 1_512)
  }
}

@Suite(.ownThread) struct CommandQueueTests {
  private func names(_ queue: CommandQueue, at now: Duration = .seconds(9), allowsOrdinary: Bool = true)
    -> [String]
  {
    var queue = queue
    var names: [String] = []
    while let next = queue.next(at: now, allowsOrdinary: allowsOrdinary) { names.append(next.encoded.name) }
    return names
  }

  @Test func urgentRequestsPrecedeOthersAndAStopPrecedesThem() throws {
    var queue = CommandQueue(HostSettings())
    queue.insert(try pending(Core.Ping()))
    queue.insert(try pending(Core.GetVersioning()))
    queue.insert(try pending(Lights.GetRGBLED(), isUrgent: true))
    queue.insert(try pending(Lights.SetBackLED(), isUrgent: true))
    queue.insert(try pending(stop, isUrgent: true))
    queue.insert(try pending(Motion.Boost(), .setPoint), isNext: true)
    #expect(
      names(queue) == [
        "Motion.Roll", "Lights.GetRGBLED", "Lights.SetBackLED", "Motion.Boost", "Core.Ping",
        "Core.GetVersioning",
      ])
    #expect(names(queue, allowsOrdinary: false) == ["Motion.Roll", "Lights.GetRGBLED", "Lights.SetBackLED"])
  }

  @Test func theShutdownKeepsItsOrder() throws {
    var queue = CommandQueue(HostSettings())
    for request in [Motion.SetStabilization(), stop, Macros.AbortMacro()] as [any Command] {
      queue.insert(try pending(request, .shutdown, isUrgent: true))
    }
    #expect(names(queue) == ["Motion.SetStabilization", "Motion.Roll", "Macros.AbortMacro"])
  }

  /// A program that still runs would move the ball after a stop, and free motors do not brake.
  @Test func abortsAndTheControlSystemPrecedeAStop() throws {
    var queue = CommandQueue(HostSettings())
    queue.insert(try pending(Lights.SetBackLED(), isUrgent: true))
    queue.insert(try pending(OrbBasic.Abort(), isUrgent: true))
    queue.insert(try pending(stop, isUrgent: true))
    queue.insert(try pending(Motion.SetStabilization(), .controlSystem, isUrgent: true))
    queue.insert(try pending(Motion.SetStabilization(mode: .off), isUrgent: true))
    // A new abort does not delay the stop.
    queue.insert(try pending(Macros.AbortMacro(), isUrgent: true))
    #expect(
      names(queue) == [
        "OrbBasic.Abort", "Motion.SetStabilization", "Motion.Roll", "Macros.AbortMacro",
        "Lights.SetBackLED", "Motion.SetStabilization",
      ])
  }

  @Test func theRateLimitAppliesToOrdinaryRequestsOnly() throws {
    var settings = HostSettings()
    (settings.commandsPerSecond, settings.burst, settings.maximumWaiting) = (2, 1, 2)
    var queue = CommandQueue(settings)
    #expect(queue.due == nil)
    queue.insert(try pending(Core.Ping()))
    queue.insert(try pending(Core.Ping()))
    #expect(!queue.hasRoom)
    #expect(queue.next(at: .seconds(1), allowsOrdinary: true) != nil)
    #expect(queue.next(at: .seconds(1), allowsOrdinary: true) == nil)
    #expect(queue.due == .milliseconds(1_500) && queue.hasRoom)
    #expect(
      !queue.hasNext(at: .milliseconds(1_499), allowsOrdinary: true)
        && queue.hasNext(at: .milliseconds(1_500), allowsOrdinary: true))
    #expect(!queue.hasNext(at: .milliseconds(1_500), allowsOrdinary: false))
    queue.insert(try pending(Lights.GetRGBLED(), isUrgent: true))
    #expect(queue.next(at: .seconds(1), allowsOrdinary: false)?.encoded.name == "Lights.GetRGBLED")
  }

  @Test func aLaneIsReplacedAndTheOthersStay() throws {
    var queue = CommandQueue(HostSettings())
    queue.insert(try pending(Motion.Roll(speed: 1, heading: 1)))
    queue.insert(try pending(Lights.SetRGBLED()))
    queue.insert(try pending(Motion.SetRawMotors(), isUrgent: true))
    #expect(queue.contains(.motion) && !queue.contains(.tailLight))
    #expect(
      queue.remove { $0.coalescingKey == .motion }.map { $0.encoded.name } == [
        "Motion.SetRawMotors", "Motion.Roll",
      ])
    #expect(names(queue) == ["Lights.SetRGBLED"])
  }
}

@Suite(.ownThread) struct RequestNumberTests {
  private func response(_ number: UInt8, _ status: Status = .ok, _ payload: [UInt8] = []) -> ResponsePacket {
    ResponsePacket(status: status, sequence: number, payload: payload)
  }

  @Test func numbersCountUpAndSkipZero() throws {
    var requests = Requests(firstSequence: 254)
    let numbers = try (0..<4).map { _ in requests.send(try pending(Core.Ping()), at: .zero) }
    #expect(numbers == [254, 255, 1, 2])
    var first = Requests(firstSequence: 1)
    #expect(first.send(try pending(Core.Ping()), at: .zero) == 1)
  }

  @Test func anAnswerFindsItsRequestOnce() throws {
    var requests = Requests(firstSequence: 7)
    _ = requests.send(try pending(Core.Ping()), at: .zero)
    _ = requests.send(try pending(Lights.SetBackLED()), at: .zero)
    let answered = requests.answer(response(8))
    let flight = try #require(answered)
    #expect(flight.request.encoded.name == "Lights.SetBackLED" && requests.flights.map { $0.number } == [7])
    #expect(requests.answer(response(8)) == nil && requests.answer(response(0)) == nil)
  }

  @Test func aMismatchedAnswerLeavesTheRequestInFlight() throws {
    var requests = Requests(firstSequence: 7)
    _ = requests.send(try pending(Lights.GetRGBLED()), at: .zero)
    #expect(requests.answer(response(7, .ok, [1, 2])) == nil, "two bytes are no colour")
    #expect(requests.flights.first?.mismatch != nil)
    // A refusal has no payload, and matches.
    #expect(requests.answer(response(7, .general)) != nil)
  }

  @Test func abandonedNumbersAreRetiredUntilTheLateAnswerOr96Others() throws {
    var requests = Requests(firstSequence: 1)
    _ = requests.send(try pending(Core.Ping()), at: .zero)
    #expect(requests.expire(at: .milliseconds(999)).isEmpty)
    #expect(requests.expire(at: .seconds(1)).map { $0.number } == [1])
    // The other 254 are used in turn; 1 is skipped.
    var seen: [UInt8] = []
    for _ in 0..<254 {
      let number = try #require(requests.send(try pending(Core.Ping()), at: .zero))
      seen.append(number)
      _ = requests.answer(response(number))
    }
    #expect(!seen.contains(1) && seen.last == 255)
    #expect(requests.send(try pending(Core.Ping()), at: .zero) == 2)
    #expect(requests.answer(response(1)) == nil)
    for number: UInt8 in 3...255 {
      #expect(requests.send(try pending(Core.Ping()), at: .zero) == number)
      _ = requests.answer(response(number))
    }
    // The late answer has arrived, which frees 1.
    #expect(requests.send(try pending(Core.Ping()), at: .zero) == 1)
  }

  @Test func atMost96AreRetired() throws {
    var requests = Requests(firstSequence: 1)
    for _ in 0..<1_000 {
      #expect(requests.send(try pending(Core.Ping()), at: .zero) != nil)
      _ = requests.remove { _ in true }
    }
    // 1000 is 3 * 255 + 235: the newest number is 235, and 140...235 are retired.
    for number: UInt8 in Array(236...255) + Array(1...139) {
      #expect(requests.send(try pending(Core.Ping()), at: .zero) == number)
    }
    #expect(requests.send(try pending(Core.Ping()), at: .zero) == nil)
    requests.forgetRetiredNumbers()
    #expect(requests.send(try pending(Core.Ping()), at: .zero) == 140)
  }

  @Test func withoutADeadlineOnlyTheNewest24Wait() throws {
    var requests = Requests(firstSequence: 1)
    for _ in 0..<30 {
      _ = requests.send(try pending(Sensing.SetDataStreaming(), .stream(epoch: 1)), at: .zero)
    }
    #expect(requests.flights.map { $0.number } == Array(7...30) && requests.deadline == nil)
    #expect(requests.expire(at: .seconds(1_000)).isEmpty)
  }

  @Test func aNewerOneEndsTheRepetitionOfItsLane() throws {
    var requests = Requests(firstSequence: 1)
    _ = requests.send(try pending(Motion.Roll(speed: 9, heading: 9)), at: .zero)
    _ = requests.send(try pending(Lights.SetRGBLED()), at: .seconds(2))
    requests.stopRepeating { $0.coalescingKey == .motion }
    #expect(requests.flights.map { $0.request.mayRepeat } == [false, true])
    #expect(requests.flights.map { $0.request.wasSuperseded } == [true, false])
    #expect(requests.contains(.color) && requests.contains(.motion))
    #expect(requests.mayMove() && requests.mayMove(since: .zero) && !requests.mayMove(since: .seconds(1)))
  }

  @Test func aSuspendedHostPostponesDeadlines() throws {
    var requests = Requests(firstSequence: 1)
    _ = requests.send(try pending(Core.Ping()), at: .seconds(5))
    requests.shift(by: .seconds(100))
    #expect(requests.deadline == .seconds(106) && requests.flights.first?.sentAt == .seconds(105))
  }
}

@Suite(.ownThread) struct HandshakeTests {
  /// A ping under number 1: FF FF 00 01 01 01 FC.
  private let ping: [UInt8] = [0xFF, 0xFF, 0x00, 0x01, 0x01, 0x01, 0xFC]

  private func handshake() -> Handshake {
    var handshake = Handshake(at: .seconds(1), timeout: .seconds(15))
    handshake.sent(ping, at: .seconds(1))
    return handshake
  }

  @Test func pausesDoubleUpToASecond() {
    var handshake = Handshake(at: .seconds(1), timeout: .seconds(15))
    var times: [Duration] = []
    for _ in 0..<5 {
      times.append(handshake.due)
      handshake.sent(ping, at: handshake.due)
    }
    #expect(times == [1_000, 1_250, 1_750, 2_750, 3_750].map { .milliseconds($0) })
    #expect(handshake.deadline == .seconds(16))
  }

  @Test func oneRemarkAfterASecond() {
    var handshake = handshake()
    #expect(handshake.takeNotice(at: .milliseconds(1_999)) == nil)
    #expect(handshake.takeNotice(at: .milliseconds(2_100)) == .milliseconds(1_100))
    #expect(handshake.takeNotice(at: .seconds(9)) == nil && handshake.noticeDue == nil)
  }

  @Test func silence() { #expect(handshake().finding == .silence) }

  @Test(arguments: 0...7) func anEchoMayBeCutAnywhere(cut: Int) {
    var handshake = handshake()
    handshake.received([0x0D] + ping[..<cut])
    handshake.received(Array(ping[cut...]))
    #expect(handshake.finding == .echo && handshake.hasEcho)
  }

  @Test func anEchoMayComeByteByByte() {
    var handshake = handshake()
    for byte in ping { handshake.received([byte]) }
    #expect(handshake.finding == .echo)
  }

  @Test func noiseIsCountedAndItsBeginningKept() {
    var handshake = handshake()
    handshake.received([UInt8](0..<10))
    handshake.received([UInt8](10..<40))
    #expect(handshake.finding == .noise(count: 40, first: [UInt8](0..<16)))
    #expect(handshake.finding.description.contains("40 bytes"))
  }

  @Test func packetsButNoAnswer() {
    var handshake = handshake()
    handshake.received(ScriptedRobot.event(3, [1, 2]))
    handshake.receivedPacket()
    #expect(handshake.finding == .noAnswer(packets: 1))
    #expect(handshake.finding.description.contains("1 packet"))
  }

  @Test func aPauseOfTheHostPostponesAllDeadlines() {
    var moved = handshake()
    moved.received([1, 2])
    moved.shift(by: .seconds(100))
    #expect(moved.due == .milliseconds(101_250) && moved.deadline == .seconds(116))
    #expect(moved.noticeDue == .seconds(102) && moved.finding == .noise(count: 2, first: [1, 2]))
  }

  @Test func askingAgainIsDoneOnceAndOnlyWhereSomethingElseCame() {
    var handshake = handshake()
    handshake.receivedPacket()
    #expect(!handshake.mustAskAgain(discarded: 0))
    #expect(handshake.mustAskAgain(discarded: 1))
    handshake.receivedPacket()
    #expect(handshake.mustAskAgain(discarded: 0))
    handshake.askAgain(at: .seconds(3))
    #expect(handshake.due == .seconds(3) && !handshake.mustAskAgain(discarded: 9))
  }
}

@Suite(.ownThread) struct CleanupTests {
  private func cleanUp(after requests: [EncodedRequest]) -> Cleanup {
    requests.reduce(into: Cleanup(HostSettings())) { $0.record($1) }
  }

  private func bytes(_ requests: [EncodedRequest]) -> [[UInt8]] {
    requests.map { [$0.command.device, $0.command.command] + $0.payload.prefix(4) }
  }

  @Test func aRollIsStoppedOnItsHeading() throws {
    let cleanup = cleanUp(after: [try EncodedRequest(Motion.Roll(speed: 9, heading: 300))])
    // 300 is 01 2C.
    #expect(bytes(cleanup.shutdownCommands) == [[2, 0x30, 0, 1, 0x2C, 0]])
    #expect(cleanup.heading == 300)
  }

  @Test func aNewAimMovesTheHeadingToStopOn() throws {
    let cleanup = cleanUp(after: [
      try EncodedRequest(Motion.Roll(speed: 9, heading: 90)),
      try EncodedRequest(Motion.SetHeading(heading: 0)),
    ])
    #expect(cleanup.heading == 0)
    #expect(cleanUp(after: [try EncodedRequest(Motion.SetHeading(heading: 4))]).heading == nil)
  }

  @Test func rawMotorsNeedTheControlSystemFirst() throws {
    var cleanup = cleanUp(after: [try EncodedRequest(Motion.SetRawMotors())])
    #expect(bytes(cleanup.shutdownCommands) == [[2, 2, 1], [2, 0x30, 0, 0, 0, 0]])
    // A stop alone does not stop free motors.
    cleanup.confirmStop()
    #expect(cleanup.heading == 0)
    let stabilization = try EncodedRequest(Motion.SetStabilization(mode: .on))
    cleanup.record(stabilization)
    cleanup.confirmStop()
    #expect(cleanup.heading == 0, "the robot may not have received it")
    cleanup.confirm(stabilization)
    cleanup.confirmStop()
    #expect(cleanup.shutdownCommands.isEmpty)
  }

  /// The program may have switched the control system off, and then the stop had no effect.
  @Test func aStopAfterAnAbortNeedsTheControlSystem() throws {
    var cleanup = cleanUp(after: [
      try EncodedRequest(Motion.Roll(speed: 80, heading: 90)), try EncodedRequest(Macros.AbortMacro()),
    ])
    cleanup.confirmAbort(try EncodedRequest(Macros.AbortMacro()))
    let control = try #require(cleanup.commandBeforeStop)
    cleanup.record(control)
    cleanup.confirmStop()
    #expect(bytes(cleanup.shutdownCommands) == [[2, 2, 2], [2, 0x30, 0, 0, 90, 0]])
    cleanup.confirm(control)
    cleanup.confirmStop()
    #expect(cleanup.shutdownCommands.isEmpty)
  }

  /// A confirmation of the control system that precedes the newest raw motor power proves nothing.
  @Test func laterRawMotorsNeedTheControlSystemAgain() throws {
    let stabilization = try EncodedRequest(Motion.SetStabilization(mode: .on))
    var cleanup = cleanUp(after: [
      try EncodedRequest(Motion.SetRawMotors()), stabilization, try EncodedRequest(Motion.SetRawMotors()),
    ])
    cleanup.confirm(stabilization)
    #expect(bytes(cleanup.stopCommands) == [[2, 2, 1], [2, 0x30, 0, 0, 0, 0]])
  }

  /// A long timeout may have arrived although its answer was lost; 07 D0 are 2000 ms.
  @Test func anUnconfirmedLongTimeoutIsShortenedAgain() throws {
    var settings = HostSettings()
    settings.motionTimeout = .seconds(2)
    var cleanup = Cleanup(settings)
    let (isNew, timeout) = (cleanup.needsMotionTimeout(isLong: true), cleanup.motionTimeout())
    #expect(isNew && timeout?.payload == [0xFF, 0xFF])
    #expect(bytes(cleanup.shutdownCommands) == [[2, 0x34, 7, 0xD0]])
  }

  @Test func allOfItInOrder() throws {
    var collisions = Sensing.ConfigureCollisionDetection()
    var cleanup = cleanUp(after: [
      try EncodedRequest(collisions), try EncodedRequest(Core.SetPowerNotification(isOn: true)),
      try EncodedRequest(Motion.SetStabilization(mode: .off)), try EncodedRequest(Motion.Boost(isOn: true)),
    ])
    cleanup.mayStream = true
    #expect(
      cleanup.shutdownCommands.map { $0.name } == [
        "Motion.Roll", "Motion.SetStabilization", "Sensing.SetDataStreaming",
        "Sensing.ConfigureCollisionDetection",
        "Core.SetPowerNotification",
      ])
    // 2: on the previous heading.
    #expect(cleanup.shutdownCommands[1].payload == [2])
    collisions.method = .off
    cleanup.record(try EncodedRequest(collisions))
    cleanup.record(try EncodedRequest(Core.SetPowerNotification(isOn: false)))
    let stabilization = try EncodedRequest(Motion.SetStabilization(mode: .onWithoutReset))
    cleanup.record(stabilization)
    cleanup.confirm(stabilization)
    cleanup.mayStream = false
    cleanup.keepsRolling = true
    #expect(cleanup.shutdownCommands.isEmpty)
  }

  @Test func aLostLineMovesItsStopsToTheNextLine() throws {
    var cleanup = cleanUp(after: [
      try EncodedRequest(Motion.SetRawMotors()), try EncodedRequest(Core.SetPowerNotification(isOn: true)),
    ])
    cleanup.lineLost(heading: nil)
    #expect(
      cleanup.takeStopsAfterReconnect().map { $0.name } == ["Motion.SetStabilization", "Motion.Roll"])
    // They stay due until the robot confirms them.
    #expect(
      cleanup.shutdownCommands.map { $0.name }
        == ["Motion.SetStabilization", "Motion.Roll", "Core.SetPowerNotification"])
    cleanup.confirm(try EncodedRequest(Motion.SetStabilization(mode: .on)))
    cleanup.confirmStop()
    #expect(cleanup.shutdownCommands.map { $0.name } == ["Core.SetPowerNotification"])
  }

  /// The control system was switched on before the abort, until which the program could switch it off.
  @Test func anAbortAfterARequestForControlNeedsAnother() throws {
    var cleanup = cleanUp(after: [try EncodedRequest(Motion.SetRawMotors())])
    let control = try EncodedRequest(Motion.SetStabilization(mode: .on))
    cleanup.record(control)
    cleanup.record(try EncodedRequest(Macros.AbortMacro()))
    cleanup.confirm(control)
    #expect(cleanup.commandBeforeStop?.payload == control.payload)
  }

  /// A posted command is not undone, but a later stop must not turn the ball.
  @Test func aPostedRollHasTheHeadingOfLaterStops() throws {
    var cleanup = Cleanup(HostSettings())
    cleanup.record(try EncodedRequest(Motion.Roll(speed: 80, heading: 0)))
    cleanup.confirmStop()
    cleanup.record(try EncodedRequest(Motion.Roll(speed: 80, heading: 90)))
    cleanup.recordPosted(try EncodedRequest(Motion.Roll(speed: 80, heading: 270)))
    #expect(cleanup.stopCommands.first?.payload == [0, 1, 14, 0], "the ball is on 270 degrees")
    cleanup.confirmStop()
    cleanup.recordPosted(try EncodedRequest(Motion.Roll(speed: 80, heading: 180)))
    #expect(cleanup.lastHeading == 180 && cleanup.stopCommands.isEmpty)
    cleanup.recordPosted(try EncodedRequest(Motion.SetHeading(heading: 20)))
    #expect(cleanup.lastHeading == 20)
    cleanup.recordPosted(try EncodedRequest(Macros.RunMacro(macro: 255)))
    #expect(cleanup.lastHeading == nil)
  }
}

@Suite(.ownThread) struct ConfirmedSettingsTests {
  @Test func theNewestOfEachKindInOrderAndNoMotion() throws {
    var cleanup = Cleanup(HostSettings())
    cleanup.confirm(try EncodedRequest(Motion.Roll(speed: 9, heading: 9)))
    cleanup.confirm(try EncodedRequest(Lights.SetRGBLED()))
    cleanup.confirm(try EncodedRequest(Motion.SetRotationRate(rate: 7)))
    cleanup.confirm(try EncodedRequest(Settings.SetTemporaryOptions(flags: .stopOnDisconnect)))
    cleanup.confirm(try EncodedRequest(Motion.SetRotationRate(rate: 8)))
    #expect(
      cleanup.confirmedSettings.map { $0.name } == ["Settings.SetTemporaryOptions", "Motion.SetRotationRate"])
    #expect(cleanup.confirmedSettings.last?.payload == [8])
  }
}

@Suite(.ownThread) struct SetPointTests {
  private func roll(_ heading: UInt16, _ speed: UInt8 = 50) throws -> EncodedRequest {
    try EncodedRequest(Motion.Roll(speed: speed, heading: heading))
  }

  @Test func onlyTheNewestIsSent() throws {
    var point = SetPoint()
    #expect(point.take(at: .seconds(1)) == nil)
    point.set(try roll(1), at: .seconds(1))
    point.set(try roll(2), at: .seconds(1))
    #expect(point.take(at: .seconds(1))?.payload == [50, 0, 2, 1])
    #expect(point.take(at: .milliseconds(1_999)) == nil && point.due == .seconds(2))
    #expect(point.take(at: .seconds(2)) != nil)
  }

  @Test func theSameValueIsNotSentAgainBeforeItsTime() throws {
    var point = SetPoint()
    point.set(try roll(1), at: .seconds(1))
    _ = point.take(at: .seconds(1))
    point.set(try roll(1), at: .milliseconds(1_500))
    #expect(point.take(at: .milliseconds(1_500)) == nil)
    point.set(try roll(2), at: .milliseconds(1_500))
    #expect(point.take(at: .milliseconds(1_500)) != nil)
  }

  /// A roll that the robot has confirmed is repeated each second until its end, without a stop.
  @Test func aConfirmedRollIsOnlyRepeated() throws {
    var point = SetPoint()
    point.repeatConfirmed(try roll(1), until: .seconds(3), at: .seconds(1))
    #expect(point.take(at: .milliseconds(1_999)) == nil && point.take(at: .seconds(2)) != nil)
    #expect(!point.isUnlimited && point.take(at: .seconds(3)) == nil && point.request == nil)
  }

  @Test func atRestItIsSentOnce() throws {
    var point = SetPoint()
    point.set(try roll(1, 0), at: .seconds(1))
    #expect(point.take(at: .seconds(1)) != nil && point.due == nil && point.take(at: .seconds(9)) == nil)
    point.retry(at: .seconds(10))
    #expect(point.take(at: .seconds(10)) != nil)
    point.clear()
    point.retry(at: .seconds(11))
    #expect(point.due == nil && point.take(at: .seconds(12)) == nil)
  }
}
