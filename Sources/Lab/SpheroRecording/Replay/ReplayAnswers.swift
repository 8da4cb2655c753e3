// Which recorded answer a command gets.

import SpheroProtocol

/// The recorded answers, by command.
struct ReplayAnswers: Sendable {
  /// A recorded answer.
  struct Answer: Sendable {
    var status: Status
    var payload: [UInt8]
    /// From the command to the answer.
    var delay: Duration

    /// The answer as the bytes of the wire, under the number that the host used now.
    func bytes(sequence: UInt8) -> [UInt8] {
      let packet = ResponsePacket(status: status, sequence: sequence, payload: payload)
      // What was decoded from a packet fits one.
      return (try? Packet.response(packet).encoded()) ?? []
    }
  }

  private struct Key: Hashable, Sendable {
    var id: CommandID
    /// Nil for the answers to all commands of the ID.
    var payload: [UInt8]?
  }

  /// The answers to equal commands in the order of the recording, and how many of them were given.
  private var answers: [Key: (all: [Answer], given: Int)] = [:]
  /// Whether the recording has no commands, so that it cannot answer any.
  private let isOneSided: Bool

  init(_ script: ReplayScript, _ pace: ReplayPace) {
    isOneSided = !script.hasHost
    for step in script.steps {
      guard case .response(let response, let index) = step.content, script.steps.indices.contains(index),
        case .command(let command) = script.steps[index].content
      else { continue }
      let answer = Answer(
        status: response.status, payload: response.payload,
        delay: pace.span(from: script.steps[index].time, to: step.time))
      for payload in [command.payload, nil] {
        answers[Key(id: command.id, payload: payload), default: ([], 0)].all.append(answer)
      }
    }
  }

  /// The answer to a command: that to the next equal one, or else to the next with its ID;
  /// where all were given, the last one again.
  ///
  /// - Returns: Nil where the recording has none; a ping always has one,
  ///   and where no commands were recorded, so has whatever is answered with a plain ok.
  mutating func answer(to command: CommandPacket) -> Answer? {
    guard command.options.contains(.answer) else { return nil }
    for payload in [command.payload, nil] {
      let key = Key(id: command.id, payload: payload)
      guard let (all, given) = answers[key], let last = all.last else { continue }
      answers[key]?.given = given + 1
      return given < all.count ? all[given] : last
    }
    let isAcknowledged = isOneSided && Catalogue.command(command.id).map { Self.isAcknowledged($0) } == true
    guard command.id == Core.Ping.id || isAcknowledged else { return nil }
    return Answer(status: .ok, payload: [], delay: .zero)
  }

  private static func isAcknowledged<R: Request>(_ type: R.Type) -> Bool {
    R.Response.self == Acknowledgement.self
  }
}
