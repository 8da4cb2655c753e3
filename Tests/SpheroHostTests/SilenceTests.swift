// A stream survives every outage: samples resume soon after it.

import Foundation
import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroHost

/// A temporary outage of samples.
private enum Outage: CaseIterable {
  /// Bytes to the robot, to the host, or both are lost.
  case commandsLost, answersLost, bothLost
  /// Only sensor packets, only stream requests, or only their answers are lost.
  case noSamples, noRequests, noAnswers
  /// Bytes of the robot arrive after the outage.
  case stalled
  /// The robot sleeps or restarts: its stream ends, and it receives nothing.
  case restart
  /// The robot refuses the stream after it returns.
  case refusal
  /// The line is lost and reopened.
  case lostLine

  mutating func begin(_ play: inout Play, until end: Duration) {
    switch self {
    case .commandsLost: play.losesCommands = true
    case .answersLost: play.losesAnswers = true
    case .bothLost: (play.losesCommands, play.losesAnswers) = (true, true)
    case .noSamples: play.losesSample = { _ in true }
    case .noRequests: play.robot.script = { command, _ in command.id == CommandID(2, 0x11) ? .lost : nil }
    case .noAnswers:
      play.robot.script = { command, _ in command.id == CommandID(2, 0x11) ? .answerLost : nil }
    case .stalled: play.stalledUntil = end
    case .restart, .refusal:
      play.losesCommands = true
      play.robot.restart()
    case .lostLine: play.drop()
    }
  }

  func end(_ play: inout Play) {
    (play.losesCommands, play.losesAnswers, play.losesSample) = (false, false, { _ in false })
    play.robot.script = { _, _ in nil }
    switch self {
    case .refusal:
      // It refuses for half a second.
      play.robot.script = { command, _ in command.id == CommandID(2, 0x11) ? .answer(.unknownDevice) : nil }
      play.run(.milliseconds(500))
      play.robot.script = { _, _ in nil }
    case .lostLine: play.reconnect()
    default: break
    }
  }
}

@Suite(.ownThread) struct SilenceTests {
  /// The maximum time from the end of an outage to a sample of each consumer, of which the slowest has a period of 0.5 s:
  /// the longest pause between two requests, a wait for another layout, and some round trips.
  private static let bound = Duration.seconds(5)

  /// SPHERO_HISTORIES is the number of outages; SPHERO_SEED is the first seed.
  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  private static let masks: [SensorMask] = [.accel, .gyro, .quat, .imu, .accelRaw]

  private func request(_ chance: inout SeededGenerator) -> StreamRequest {
    StreamRequest(
      mask: Self.masks.randomElement(using: &chance) ?? .accel,
      divisor: [4, 20, 200].randomElement(using: &chance) ?? 20,
      packets: [20, 60, 200, 255].randomElement(using: &chance) ?? 200)
  }

  @Test func samplesResumeSoonAfterAnyOutage() throws {
    let first = Self.number("SPHERO_SEED") ?? 1
    var longest = Duration.zero
    for seed in first..<first + (Self.number("SPHERO_HISTORIES") ?? 20) {
      var chance = SeededGenerator(seed: seed)
      var play = Play.connected()
      play.latency = .milliseconds(Int.random(in: 1...120, using: &chance))
      var consumers = [try play.subscribe(request(&chance))]
      // Half of them begin before the first sample.
      play.run(.milliseconds(Bool.random(using: &chance) ? 0 : Int.random(in: 0...4_000, using: &chance)))
      var story: [String] = []
      for _ in 0..<Int.random(in: 1...3, using: &chance) {
        var outage = Outage.allCases.randomElement(using: &chance) ?? .bothLost
        // A robot that answers and has never sent a sample is given up, which another test covers.
        if outage == .noSamples, !play.conversation.streaming.hasDelivered { outage = .bothLost }
        if outage == .refusal, !play.conversation.streaming.hasDelivered { outage = .restart }
        let length = Duration.milliseconds(Int.random(in: 1_000...60_000, using: &chance))
        story.append("\(outage) for \(length)")
        outage.begin(&play, until: play.now + length)
        var left = length
        // Consumers change meanwhile, for example to another rate.
        while left > .zero {
          let part = min(left, .milliseconds(Int.random(in: 100...20_000, using: &chance)))
          play.run(part)
          left -= part
          guard left > .zero, Bool.random(using: &chance) else { continue }
          if consumers.count > 1 || Bool.random(using: &chance) {
            play.conversation.unsubscribe(consumers.removeFirst(), at: play.now)
            play.flush()
          }
          if consumers.count < 2 { consumers.append(try play.subscribe(request(&chance))) }
        }
        outage.end(&play)
        let end = play.now
        play.run(Self.bound)
        for id in consumers {
          #expect(play.streamEnd(of: id) == nil, "seed \(seed): \(story)")
          let back = try #require(
            play.samples(of: id).first { $0.at > end }, "seed \(seed): \(story): samples never resume")
          longest = max(longest, back.at - end)
        }
        play.clearRecords()
      }
      // Without consumers, the host ends the stream and sends no more requests.
      for id in consumers { play.conversation.unsubscribe(id, at: play.now) }
      play.flush()
      play.run(.seconds(5))
      play.clearRecords()
      play.run(.seconds(20))
      #expect(play.sent.isEmpty && play.spins == 0, "seed \(seed): \(story)")
    }
    if Self.number("SPHERO_FIGURES") != nil { print("figure: samples resume after any outage: \(longest)") }
  }

  @Test(arguments: [1, 2, 3, 4, 10, 60, 600]) func silenceOfAnyLengthEnds(seconds: Int) throws {
    var play = Play.connected()
    let id = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.seconds(2))
    (play.losesCommands, play.losesAnswers) = (true, true)
    play.clearRecords()
    play.run(.seconds(seconds))
    // At most twenty per second, and soon one per second.
    let asked = play.sent.filter { $0.command.id == CommandID(2, 0x11) }.map { $0.at }
    #expect(asked.count <= 20 + seconds)
    if seconds >= 10 {
      let pauses = zip(asked, asked.dropFirst()).map { $1 - $0 }
      #expect(pauses.allSatisfy { $0 <= .seconds(1) } && pauses.suffix(3).allSatisfy { $0 == .seconds(1) })
    }
    (play.losesCommands, play.losesAnswers) = (false, false)
    let end = play.now
    play.run(.seconds(2))
    // A request within a second, 5 ms each way, 50 ms to the first sample.
    let back = try #require(play.samples(of: id).first { $0.at > end })
    #expect(back.at - end <= .milliseconds(1_070))
    #expect(play.notices.count { caseName(of: $0) == "silence" } == (seconds >= 2 ? 1 : 0))
    #expect(play.notices.count { caseName(of: $0) == "gap" } == 1, "the gap reports that samples resumed")
  }

  /// Anything that the robot sends makes the next request due sooner: an answer, a late answer, an event.
  @Test func anyResponseMakesTheNextRequestDueAtOnce() throws {
    for kind in 0..<3 {
      var play = Play.connected()
      let id = try play.subscribe(StreamRequest(mask: .accel))
      play.run(.seconds(2))
      play.losesCommands = true
      play.robot.restart()
      // Right after one of the requests that are sent each second.
      play.run(.seconds(20))
      play.clearRecords()
      while play.sent.isEmpty { play.run(.milliseconds(10)) }
      play.losesCommands = false
      let end = play.now
      // The request in transit is lost; the next is due in a second.
      play.run(.milliseconds(6))
      play.robot.restart()
      play.run(.milliseconds(250 - (kind == 2 ? 10 : 0)))
      switch kind {
      case 0: play.deliver(ScriptedRobot.response(0x77))
      case 1: play.deliver(ScriptedRobot.event(0x01, [2]))
      default:
        _ = try play.enqueue(Core.Ping())
      }
      play.run(.seconds(2))
      let back = try #require(
        play.samples(of: id).first { $0.at > end }, "\(kind)")
      // 260 ms to the answer, 5 ms each way once or twice, 50 ms to the first sample, some steps of 10 ms.
      #expect(back.at - end <= .milliseconds(360), "\(kind): \(back.at - end)")
    }
  }

  /// A robot that restarts after it has streamed, and refuses the stream when the requests arrive again 10 s later.
  private func refusal() throws -> (play: Play, id: SubscriptionID) {
    var play = Play.connected()
    let id = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.seconds(1))
    play.losesCommands = true
    play.robot.restart()
    play.run(.seconds(10))
    play.losesCommands = false
    play.robot.script = { command, _ in command.id == CommandID(2, 0x11) ? .answer(.unknownDevice) : nil }
    return (play, id)
  }

  @Test func aRefusalThatLastsIsAnError() throws {
    var (play, id) = try refusal()
    let start = play.now
    play.run(.seconds(10))
    let end = try #require(play.streamEnd(of: id))
    #expect(end.error == .refused(command: "Sensing.SetDataStreaming", status: .unknownDevice))
    #expect(end.at - start >= .seconds(1) && end.at - start <= .seconds(3))
  }

  /// Packets prove that the robot accepted a request whose answers are lost; a later refusal is the first one again.
  @Test func anAcceptanceEndsARefusal() throws {
    var play = Play.connected()
    let id = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.seconds(1))
    play.drop()
    play.robot.restart()
    play.run(.seconds(3))
    let request = CommandID(2, 0x11)
    let count = play.robot.received.count { $0.id == request }
    play.robot.script = { command, number in
      guard command.id == request else { return nil }
      switch number - count {
      case 0, 10: return .answer(.unknownDevice)
      case 1..<10: return .answerLost
      default: return nil
      }
    }
    play.reconnect()
    play.run(.seconds(20))
    #expect(play.robot.received.count { $0.id == request } > count + 11)
    #expect(play.streamEnd(of: id) == nil)
  }

  @Test func aSuspensionMakesNoRefusalLast() throws {
    var (play, id) = try refusal()
    let request = CommandID(2, 0x11)
    for _ in 0..<2 {
      let count = play.robot.received.count { $0.id == request }
      while play.robot.received.count(where: { $0.id == request }) == count { play.run(.milliseconds(10)) }
      play.run(.milliseconds(50))
      play.suspend(.seconds(5))
    }
    #expect(play.streamEnd(of: id) == nil)
    play.robot.script = { _, _ in nil }
    let end = play.now
    play.run(.seconds(3))
    #expect(play.streamEnd(of: id) == nil)
    #expect(play.samples(of: id).contains { $0.at > end })
  }

  /// The duration of an outage does not count as a round trip.
  @Test func aStallDoesNotCountAsARoundTrip() throws {
    var play = Play.connected()
    _ = try play.subscribe(StreamRequest(mask: .accel))
    play.run(.seconds(2))
    play.stalledUntil = play.now + .seconds(30)
    play.run(.seconds(31))
    // 5 ms each way.
    #expect(play.conversation.statistics.roundTrip.estimate <= .milliseconds(50))
  }

  @Test func theMessageDoesNotBlameTheFirmware() {
    #expect(!SessionError.silentStream.description.contains("firmware"))
  }
}
