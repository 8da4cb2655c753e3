// A replay in which the host must send the recorded commands.

import SpheroProtocol

/// Replays a recording command by command.
///
/// A response is sent after its command, and an event after the command that precedes it in the recording.
/// Both keep their recorded order and delay.
struct StrictConversation: ReplayConversation {
  private let script: ReplayScript
  /// The steps of the host except pings, and how many of them have been received.
  private let expected: [Int]
  private var receivedCount = 0
  /// The steps of the responses to each command.
  private let responses: [Int: [Int]]
  private var answers: ReplayAnswers
  private var outbox = ReplayOutbox()
  /// The answers to pings, which are independent of the order of the recording.
  private var pingOutbox = ReplayOutbox()

  init(_ script: ReplayScript) {
    self.script = script
    answers = ReplayAnswers(script)
    var expected: [Int] = []
    var responses: [Int: [Int]] = [:]
    for (index, step) in script.steps.enumerated() {
      switch step.content {
      case .host(let packet, _): if packet?.id != Core.Ping.id { expected.append(index) }
      case .response(_, let command): responses[command, default: []].append(index)
      case .robot: break
      }
    }
    (self.expected, self.responses) = (expected, responses)
  }

  mutating func begin(at time: Duration) { sendEvents(after: nil, at: time) }

  mutating func receive(_ packet: CommandPacket?, _ bytes: [UInt8], at time: Duration) throws(ReplayError) {
    if let packet, packet.id == Core.Ping.id {
      guard let answer = answers.answer(to: packet) else { return }
      return pingOutbox.insert(answer.response.bytes(sequence: packet.sequence), due: time + answer.delay)
    }
    guard let step, case .host(let expectedPacket, let expectedBytes) = script.steps[step].content else {
      throw .unexpected(seen: bytes, expected: nil)
    }
    guard Self.isEqual(packet, expectedPacket), packet != nil || bytes == expectedBytes else {
      throw .unexpected(seen: bytes, expected: expectedBytes)
    }
    receivedCount += 1
    for index in responses[step] ?? [] {
      guard let packet, case .response(let response, _) = script.steps[index].content else { continue }
      outbox.insert(
        response.bytes(sequence: packet.sequence), order: index, due: time + delay(from: step, to: index))
    }
    sendEvents(after: step, at: time)
  }

  /// The next expected step of the host; nil after the last one.
  private var step: Int? { receivedCount < expected.count ? expected[receivedCount] : nil }

  /// Whether both are the same command with any sequence number, or neither is a command.
  private static func isEqual(_ packet: CommandPacket?, _ expected: CommandPacket?) -> Bool {
    guard let packet, let expected else { return packet == nil && expected == nil }
    return expected.id == packet.id && expected.options == packet.options
      && expected.payload == packet.payload
  }

  /// Sends what the robot sent without a command between a step of the host and the next one.
  private mutating func sendEvents(after start: Int?, at time: Duration) {
    for index in ((start ?? -1) + 1)..<(step ?? script.steps.count) {
      guard case .robot(let bytes, _) = script.steps[index].content else { continue }
      outbox.insert(bytes, order: index, due: time + delay(from: start, to: index))
    }
  }

  private func delay(from start: Int?, to index: Int) -> Duration {
    script.steps[index].time - (start.map { script.steps[$0].time } ?? .zero)
  }

  mutating func next(at time: Duration) -> [UInt8]? { pingOutbox.next(at: time) ?? outbox.next(at: time) }

  var nextDeadline: Duration? {
    [pingOutbox.nextDeadline, outbox.nextDeadline].compactMap { $0 }.min()
  }

  var isPlayed: Bool { step == nil && outbox.nextDeadline == nil }
}
