// A survey of a simulated robot by a simulated person, on one virtual clock.

import SpheroModel
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroSurvey
import SpheroSystem
import SpheroTransport

/// The result of a survey.
struct SurveyResult: Sendable {
  var log: SurveyLog
  /// The bytes on the line and the beginnings and ends of steps, in their order.
  var tape: [Tape.Item]
  /// The error with which the survey failed.
  var error: (any Error)?
  var robot: RobotModel

  /// The finding about a question as one line.
  subscript(question: String) -> String {
    guard let finding = log.findings.first(where: { $0.question == question }) else {
      return "no such question"
    }
    switch finding.verdict {
    case .decided(let side): return side
    case .undecided(let sides, let why):
      return "undecided: " + (sides.isEmpty ? "" : sides.joined(separator: " or ") + ", ") + why
    case .notMeasured(let why): return "not tried: \(why)"
    }
  }

  func finding(_ question: String) -> SurveyFinding? { log.findings.first { $0.question == question } }

  /// The packets that the host sent.
  var sent: [[UInt8]] {
    tape.compactMap { if case .bytes(let bytes, .host, _) = $0 { bytes } else { nil } }
  }
}

/// The events of a survey in their order.
actor Tape {
  enum Item: Sendable {
    case bytes([UInt8], Sender, Duration)
    case began(String)
    case ended(SurveyLog.Outcome)
  }
  var items: [Item] = []
  func add(_ item: Item) { items.append(item) }
}

private struct TapedTransport: Transport {
  let line: any Transport
  let tape: Tape
  let time: VirtualTime
  func read() async throws -> [UInt8]? {
    let bytes = try await line.read()
    if let bytes { await tape.add(.bytes(bytes, .robot, time.now)) }
    return bytes
  }
  func write(_ bytes: [UInt8]) async throws {
    await tape.add(.bytes(bytes, .host, time.now))
    try await line.write(bytes)
  }
  func close() async { await line.close() }
}

/// A robot, a simulated hand that follows the instructions of each step, and an optional typing person.
struct SurveyGame: Sendable {
  var configuration = SimulatedRobot.Configuration()
  var faults: [Fault] = []
  var outage: FaultPlan.Outage?
  /// The script of the hand for a step, half a second after its beginning.
  var hands: [String: String] = [
    "turned": "hold yaw 90", "nose-up": "hold pitch 45", "right-side-down": "hold roll 45",
    "mixed": "hold yaw 90 pitch 30 roll 30",
    "turn": "hold level\nwait 200ms\nhold yaw 120\nhold yaw 240\nhold yaw 360", "roll": "put down",
  ]
  /// The answer of the person in a step; nil if no person types.
  var typed: (@Sendable (String) -> SurveyOperator.Answer?)?
  /// The number of times that the person pressed Enter before the first question.
  var stale = 0
  var letsRoll = true
  var timeout = Duration.seconds(20)
  /// How long a step waits for a typed answer.
  var answerTimeout = Duration.seconds(60)

  init(_ configure: (inout SimulatedRobot.Configuration) -> Void = { _ in }) { configure(&configuration) }

  /// Performs some steps, or all, and interrupts the survey after a limit.
  func survey(_ names: String..., within limit: Duration? = nil) async throws -> SurveyResult {
    let steps = SurveyStep.all.filter { names.isEmpty || names.contains($0.name) }
    let time = VirtualTime()
    let (game, tape, recorder) = (self, Tape(), SurveyRecorder())
    let simulated = SimulatedRobot(configuration, time: time)
    let step = StepName()
    let stale = Locked(game.stale)
    var person = SurveyOperator(answers: typed != nil, letsRoll: letsRoll, timeout: timeout) {
      let isStale = stale.withLock { count in
        count -= 1
        return count >= 0
      }
      return isStale ? .done : step.take().flatMap { game.typed?($0) }
    }
    person.answerTimeout = answerTimeout
    let error = try await time.run { [person] () -> (any Error)? in
      let (host, device) = MemoryTransport.pair()
      let server = Task(executorPreference: time) { await simulated.serve(device) }
      let faulty = FaultyTransport(
        host, plan: FaultPlan(game.faults, outage: game.outage, seed: 1), time: time)
      var settings = Robot.Settings()
      settings.stopsStrayStreams = false
      let work = Task(executorPreference: time) { [settings] in
        let line = SurveyTransport(
          TapedTransport(line: faulty, tape: tape, time: time), to: recorder, time: time)
        try await Robot.withRobot(on: line, time: time, settings: settings) { robot in
          var run = SurveyRun(robot, recorder: recorder, person: person) { event in
            switch event {
            case .began(let begun):
              await tape.add(.began(begun.name))
              step.set(begun.name)
              guard let hand = game.hands[begun.name] else { return }
              Task(executorPreference: time) {
                try await time.sleep(for: .milliseconds(500))
                await simulated.perform(try HandScript(parsing: hand))
              }
            case .ended(_, let outcome): await tape.add(.ended(outcome))
            }
          }
          try await run.perform(steps)
        }
      }
      let alarm = limit.map { limit in
        Task(executorPreference: time) {
          try await time.sleep(for: limit)
          work.cancel()
        }
      }
      var failure: (any Error)?
      do { try await work.value } catch { failure = error }
      alarm?.cancel()
      await faulty.close()
      device.close()
      await server.value
      return failure
    }
    return SurveyResult(
      log: recorder.log, tape: await tape.items, error: error, robot: await simulated.model)
  }
}

/// The current step, until the person has answered it.
private final class StepName: Sendable {
  private let name = Locked<String?>(nil)
  func set(_ new: String) { name.withLock { $0 = new } }
  func take() -> String? { name.withLock { $0.take() } }
}
