// Performs the steps of a survey with a robot and a person.

import SpheroOrientation
import SpheroProtocol
public import SpheroSession
import SpheroTransport

/// The person with the ball.
public struct SurveyPerson: Sendable {
  /// What the person says.
  public enum Answer: Hashable, Sendable {
    /// The ball is where it should be.
    case done
    /// Not this step.
    case skip
  }

  /// Whether the person answers; where nobody does, the ball's own stillness tells that they are done.
  public var answers: Bool
  /// Whether the ball may roll where nobody answers.
  public var letsRoll: Bool
  /// How long to wait for the person where nobody answers.
  public var patience: Duration
  /// The next thing that the person has said, or nil.
  public var nextAnswer: @Sendable () -> Answer?

  /// Makes a person.
  public init(
    answers: Bool, letsRoll: Bool = false, patience: Duration = .seconds(60),
    nextAnswer: @escaping @Sendable () -> Answer? = { nil }
  ) {
    (self.answers, self.letsRoll, self.patience) = (answers, letsRoll, patience)
    self.nextAnswer = nextAnswer
  }
}

/// A survey that is being made.
///
/// Connect the robot over a ``SurveyTransport``, with `HostSettings.endsStrayStreams` off:
/// the survey asks for streams as no session would.
public struct SurveyRun: Sendable {
  /// What happens, for whoever tells the person and keeps the capture.
  public enum News: Sendable {
    /// A step begins.
    case began(SurveyStep)
    /// A step is over.
    case ended(SurveyStep, SurveyLog.Outcome)
  }

  private struct Skip: Error {}
  private struct Abandon: Error {}

  /// How often it looks whether something has come.
  private static let tick = Duration.milliseconds(50)
  /// A stream that is kept is asked for anew after this; its count lasts for 12 s.
  private static let renewal = Duration.seconds(8)
  /// A kept stream that is silent for so long has run out, whatever a renewal does to its count.
  private static let silence = Duration.milliseconds(600)
  /// How long the ball waits before it rolls where nobody was asked.
  private static let warning = Duration.seconds(10)
  /// How long a person may think.
  private static let longest = Duration.seconds(86_400)

  private let robot: Robot
  private let notebook: SurveyNotebook
  private let person: SurveyPerson
  private let tell: @Sendable (News) async -> Void
  private var time: any TimeSource { robot.time }
  /// How the ball lay at the end of the previous step.
  private var attitude: Rotation?
  /// Whether the control system was switched off, and the tail light on.
  private var wasHeld = false

  /// Makes a run.
  ///
  /// - Parameters:
  ///   - robot: The robot.
  ///   - notebook: The notebook of its line.
  ///   - person: Who has the ball.
  ///   - tell: Called with what happens.
  public init(
    _ robot: Robot, notebook: SurveyNotebook, person: SurveyPerson,
    tell: @escaping @Sendable (News) async -> Void = { _ in }
  ) {
    (self.robot, self.notebook, self.person, self.tell) = (robot, notebook, person, tell)
  }

  /// Performs steps, one after the other.
  ///
  /// Where a step fails, what was found before stays in the notebook;
  /// closing the robot stops the ball and switches the control system on.
  ///
  /// - Throws: `SessionError`, `LinkError`, `CancellationError`.
  public mutating func perform(_ steps: [SurveyStep]) async throws {
    do {
      for step in steps { try await perform(step) }
      if wasHeld { for command in SurveyStep.closing { try await send(command) } }
    } catch {
      guard wasHeld else { throw error }
      await putOut()
      throw error
    }
  }

  /// Puts the tail light out where the survey ends early; the rest is put back by leaving.
  private func putOut() async {
    let (robot, time) = (robot, time)
    // In a task of its own, since this one may be cancelled, and not for long: the line may be dead.
    let light = time.start {
      try? await robot.post(Lights.SetBackLED.id, payload: Lights.SetBackLED(brightness: 0).payload())
    }
    let limit = time.start {
      try? await time.sleep(for: .milliseconds(100))
      light.cancel()
    }
    await light.value
    limit.cancel()
  }

  private mutating func perform(_ step: SurveyStep) async throws {
    // What was typed before a question was asked is not an answer to it.
    for _ in 0..<100 where person.nextAnswer() == nil { break }
    notebook.begin(step.name)
    await tell(.began(step))
    var play = Play(step: step)
    var outcome = SurveyLog.Outcome.done
    do {
      for action in step.actions { try await perform(action, &play) }
    } catch is Skip { outcome = .skipped } catch is Abandon { outcome = .abandoned }
    if play.hasRolled, outcome != .done { try await robot.stop() }
    for command in step.closing { try await send(command) }
    if outcome == .done { attitude = play.attitude ?? attitude }
    notebook.end(outcome)
    await tell(.ended(step, outcome))
  }

  /// A step that is going on.
  private struct Play {
    let step: SurveyStep
    var hasRolled = false
    var entryCount = 0
    var packetCount = 0
    var sampler = SurveySampler()
    var kept: Sensing.SetDataStreaming?
    var renewAt = Duration.zero
    /// When a packet came last.
    var packetAt = Duration.zero
    var watch: HandWatch?
    /// How the ball lies, by any reading of its words.
    var attitude: Rotation?
  }

  private mutating func perform(_ action: SurveyStep.Action, _ play: inout Play) async throws {
    switch action {
    case .send(let command):
      play.hasRolled = play.hasRolled || command is Motion.Roll
      wasHeld = wasHeld || command is Motion.SetStabilization
      try await send(command)
    case .wait(let duration): try await pause(until: time.now + duration, &play) { _ in false }
    case .packets(let count, let limit):
      try await pause(until: time.now + limit, &play) { $0.packetCount >= count }
    case .keep(let request):
      try await send(request)
      (play.kept, play.renewAt, play.packetAt) = (request, time.now + Self.renewal, time.now)
    case .person(let sign): try await wait(for: sign, &play)
    }
  }

  private func wait(for sign: SurveyStep.Sign, _ play: inout Play) async throws {
    if sign == .consent, !person.answers {
      guard person.letsRoll else { throw Skip() }
      // Whoever hears of it has a moment to put the ball on the floor.
      return try await pause(until: time.now + Self.warning, &play) { _ in false }
    }
    if person.answers {
      return try await pause(until: time.now + Self.longest, &play, untilDone: true) { _ in false }
    }
    play.watch = HandWatch(sign, from: attitude)
    try await pause(until: time.now + person.patience, &play) { $0.watch?.isDone == true }
    guard play.watch?.isDone == true else { throw Abandon() }
  }

  /// Lets time pass, until something has happened or the person says so.
  private func pause(
    until deadline: Duration, _ play: inout Play, untilDone: Bool = false, or isOver: (Play) -> Bool
  ) async throws {
    while true {
      // A lost line would be noticed by the next command alone; its error is that of any command.
      if await robot.isClosed { try await robot.ping() }
      take(&play)
      if isOver(play) { return }
      switch person.nextAnswer() {
      case .skip?: throw Skip()
      case .done? where untilDone: return
      case .done?, nil: break
      }
      if let kept = play.kept, time.now >= play.renewAt || time.now >= play.packetAt + Self.silence {
        (play.renewAt, play.packetAt) = (time.now + Self.renewal, time.now)
        try await send(kept)
      }
      guard time.now < deadline else { return }
      try await time.sleep(until: min(deadline, time.now + Self.tick))
    }
  }

  /// Takes what has come since the last look.
  private func take(_ play: inout Play) {
    for entry in notebook.entries(of: play.step.name, from: play.entryCount) {
      play.entryCount += 1
      if case .event(let event) = entry.item, event.id == Sensing.SensorData.id {
        play.packetCount += 1
        play.packetAt = time.now
      }
      for (moment, sample) in play.sampler(entry) {
        play.watch?.take(sample, at: moment)
        play.attitude = HandWatch.attitude(of: sample) ?? play.attitude
      }
    }
  }

  /// Sends a command once: a repetition would be measured along with it.
  ///
  /// A lost answer is judged later; a robot that is silent altogether ends the survey.
  private func send(_ command: any Command) async throws {
    if let roll = command as? Motion.Roll, roll.state == .stop {
      // The ball must stop: this one is repeated until the robot has confirmed it.
      try await robot.send(roll)
      return
    }
    if let stabilization = command as? Motion.SetStabilization, stabilization.mode != .off {
      // So must the control system come on.
      do { try await robot.send(stabilization) } catch SessionError.refused {}
      return
    }
    do {
      _ = try await robot.exchange(type(of: command).id, payload: command.payload())
    } catch let error as SessionError where error.isOfLink {
      try await robot.send(Core.Ping())
    }
  }
}
