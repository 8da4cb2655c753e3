// A replay whose host must send what was recorded.

import SpheroProtocol

/// Follows a recording command by command.
///
/// An answer waits for its command, and what the robot sent by itself for the command before it;
/// both keep their recorded distance from that command, and their order.
struct StrictConversation: ReplayConversation {
  private let script: ReplayScript
  private let pace: ReplayPace
  /// The steps of the host, without pings, and how many of them have been sent.
  private let gates: [Int]
  private var passed = 0
  /// The steps that answer a command.
  private let responses: [Int: [Int]]
  private var pings: ReplayAnswers
  private var outbox = ReplayOutbox()
  /// The answers to pings, which stand beside the order of the recording.
  private var pongs = ReplayOutbox()
  private var pingCount = 0
  private var hasBegun = false

  init(_ script: ReplayScript, _ pace: ReplayPace) {
    (self.script, self.pace) = (script, pace)
    pings = ReplayAnswers(script, pace)
    var gates: [Int] = []
    var responses: [Int: [Int]] = [:]
    for (index, step) in script.steps.enumerated() {
      switch step.content {
      case .command(let packet): if packet.id != Core.Ping.id { gates.append(index) }
      case .hostBytes: gates.append(index)
      case .response(_, let command): responses[command, default: []].append(index)
      case .robotBytes: break
      }
    }
    (self.gates, self.responses) = (gates, responses)
  }

  mutating func begin(at time: Duration) {
    hasBegun = true
    release(behind: nil, at: time)
  }

  mutating func receive(_ packet: CommandPacket, _ bytes: [UInt8], at time: Duration) throws(ReplayError) {
    if packet.id == Core.Ping.id {
      guard let answer = pings.answer(to: packet) else { return }
      pingCount += 1
      return pongs.insert(
        answer.bytes(sequence: packet.sequence), order: pingCount, due: time + answer.delay)
    }
    guard passed < gates.count, case .command(let expected) = script.steps[gates[passed]].content,
      expected.id == packet.id, expected.options == packet.options, expected.payload == packet.payload
    else { throw unexpected(bytes) }
    let gate = gates[passed]
    passed += 1
    for index in responses[gate] ?? [] {
      guard case .response(var response, _) = script.steps[index].content else { continue }
      response.sequence = packet.sequence
      // What was decoded from a packet fits one.
      guard let bytes = try? Packet.response(response).encoded() else { continue }
      outbox.insert(bytes, order: index, due: time + span(from: gate, to: index))
    }
    release(behind: gate, at: time)
  }

  mutating func receiveNoise(_ bytes: [UInt8], at time: Duration) throws(ReplayError) {
    guard passed < gates.count, case .hostBytes(bytes) = script.steps[gates[passed]].content else {
      throw unexpected(bytes)
    }
    let gate = gates[passed]
    passed += 1
    release(behind: gate, at: time)
  }

  /// Lets the robot say what it said by itself between a step of the host and the next.
  private mutating func release(behind gate: Int?, at time: Duration) {
    let end = passed < gates.count ? gates[passed] : script.steps.count
    for index in ((gate ?? -1) + 1)..<end {
      guard case .robotBytes(let bytes, _) = script.steps[index].content else { continue }
      outbox.insert(bytes, order: index, due: time + span(from: gate, to: index))
    }
  }

  private func span(from gate: Int?, to index: Int) -> Duration {
    pace.span(from: gate.map { script.steps[$0].time } ?? .zero, to: script.steps[index].time)
  }

  private func unexpected(_ bytes: [UInt8]) -> ReplayError {
    guard passed < gates.count else { return .unexpected(seen: bytes, expected: nil) }
    switch script.steps[gates[passed]].content {
    case .command(let packet):
      return .unexpected(seen: bytes, expected: (try? Packet.command(packet).encoded()) ?? [])
    case .hostBytes(let expected): return .unexpected(seen: bytes, expected: expected)
    case .response, .robotBytes: return .unexpected(seen: bytes, expected: nil)
    }
  }

  mutating func next(at time: Duration) -> [UInt8]? {
    pongs.next(at: time) ?? outbox.next(at: time)
  }

  var nextDeadline: Duration? {
    [pongs.nextDeadline, outbox.nextDeadline].compactMap { $0 }.min()
  }

  var isPlayed: Bool { hasBegun && passed == gates.count && outbox.nextDeadline == nil }
}
