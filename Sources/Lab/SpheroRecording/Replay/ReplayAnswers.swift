// Selects the recorded answer to a command.

import SpheroProtocol

/// The recorded answers by command.
struct ReplayAnswers: Sendable {
  struct Answer: Sendable {
    var response: ResponsePacket
    /// The time from the command to the answer.
    var delay: Duration
  }

  private struct Key: Hashable, Sendable {
    var id: CommandID
    /// Nil for the answers to all commands with the ID.
    var payload: [UInt8]?
  }

  /// The answers in the order of the recording, and how many of them have been given.
  private var answers: [Key: (all: [Answer], given: Int)] = [:]
  /// Whether the recording has no bytes of the host, and thus no answers.
  private var isOneSided = true

  init(_ script: ReplayScript) {
    for step in script.steps {
      if case .host = step.content { isOneSided = false }
      guard case .response(let response, let index) = step.content, script.steps.indices.contains(index),
        case .host(let command?, _) = script.steps[index].content
      else { continue }
      let answer = Answer(response: response, delay: step.time - script.steps[index].time)
      for payload in [command.payload, nil] {
        answers[Key(id: command.id, payload: payload), default: ([], 0)].all.append(answer)
      }
    }
  }

  /// The answer to the next equal command of the recording, or else to the next one with the same ID;
  /// after the last answer, that one again.
  ///
  /// Without a recorded answer, a ping is acknowledged; if the recording has no bytes of the host,
  /// so is each command whose response has no content. The result is nil for all other commands.
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
    return Answer(response: ResponsePacket(status: .ok, sequence: 0, payload: []), delay: .zero)
  }

  private static func isAcknowledged<R: Request>(_ type: R.Type) -> Bool {
    R.Response.self == Acknowledgement.self
  }
}
