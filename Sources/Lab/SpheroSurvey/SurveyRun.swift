// Performs the steps of a survey with a robot and a person, and records the packets.

import SpheroMotion
import SpheroOrientation
import SpheroProtocol
public import SpheroSession
import SpheroSystem
public import SpheroTransport

/// Records the packets of a survey, also of an interrupted one.
public final class SurveyRecorder: Sendable {
  fileprivate let state = Locked(SurveyLog())

  public init() {}

  /// The recorded steps and packets so far.
  public var log: SurveyLog { state.withLock { $0 } }
}

/// A transport whose bytes are recorded.
public struct SurveyTransport: Transport {
  private let line: any Transport
  private let recorder: SurveyRecorder
  private let time: any TimeSource
  public var clock: (any TimeSource)? { line.clock }

  /// Creates a line that passes and records the bytes of another line.
  public init(_ line: some Transport, to recorder: SurveyRecorder, time: any TimeSource = SystemTime()) {
    (self.line, self.recorder, self.time) = (line, recorder, time)
  }

  public func read() async throws -> [UInt8]? {
    let bytes = try await line.read()
    if let bytes { recorder.state.withLock { $0.append(bytes, from: .robot, at: time.now) } }
    return bytes
  }

  /// Records bytes before it writes them, so that a response always follows its command.
  public func write(_ bytes: [UInt8]) async throws {
    recorder.state.withLock { $0.append(bytes, from: .host, at: time.now) }
    try await line.write(bytes)
  }

  public func close() async { await line.close() }
}

/// The person who handles the ball.
public struct SurveyOperator: Sendable {
  /// The reply of a person to an instruction.
  public enum Answer: Hashable, Sendable {
    /// The ball is in the requested pose.
    case done
    case skip
  }

  /// Whether the person types answers; otherwise a ball at rest completes a step.
  public var answers: Bool
  /// Whether the ball may roll without consent if the person types no answers.
  public var letsRoll: Bool
  /// How long a step waits if the person does not type answers.
  public var timeout: Duration
  /// How long a step waits for a typed answer.
  package var answerTimeout = Duration.seconds(86_400)
  /// Removes and returns the next answer; nil if there is none.
  public var nextAnswer: @Sendable () -> Answer?

  public init(
    answers: Bool, letsRoll: Bool = false, timeout: Duration = .seconds(60),
    nextAnswer: @escaping @Sendable () -> Answer? = { nil }
  ) {
    (self.answers, self.letsRoll, self.timeout) = (answers, letsRoll, timeout)
    self.nextAnswer = nextAnswer
  }
}

/// A survey in progress.
///
/// Connect the robot over a ``SurveyTransport`` with `HostSettings.stopsStrayStreams` off,
/// because the survey requests streams outside of the session.
public struct SurveyRun: Sendable {
  /// The progress of a survey.
  public enum Event: Sendable {
    case began(SurveyStep)
    case ended(SurveyStep, SurveyLog.Outcome)
  }

  private struct EarlyEnd: Error { let outcome: SurveyLog.Outcome }

  private static let pollingInterval = Duration.milliseconds(50)
  /// The interval at which a continuous stream is requested again; its packet count lasts 12 s.
  private static let renewal = Duration.seconds(8)
  /// A continuous stream that is silent for this long has ended.
  private static let silence = Duration.milliseconds(600)
  /// The delay before the ball rolls without consent.
  private static let warning = Duration.seconds(10)

  private let robot: Robot
  private let recorder: SurveyRecorder
  private let person: SurveyOperator
  private let report: @Sendable (Event) async -> Void
  private var time: any TimeSource { robot.time }
  /// The attitude at the end of the previous step.
  private var attitude: Rotation?
  /// Whether a step has changed the mode of the control system, and may have switched the tail light on.
  private var wasHeld = false

  /// Makes a survey that calls `report` at the beginning and the end of each step.
  public init(
    _ robot: Robot, recorder: SurveyRecorder, person: SurveyOperator,
    report: @escaping @Sendable (Event) async -> Void = { _ in }
  ) {
    (self.robot, self.recorder, self.person, self.report) = (robot, recorder, person, report)
  }

  /// Performs steps in order.
  ///
  /// If a step fails, closing the robot stops the ball and switches the control system on.
  ///
  /// - Throws: `SessionError`, `LinkError`, `CancellationError`.
  public mutating func perform(_ steps: [SurveyStep]) async throws {
    do {
      for step in steps { try await perform(step) }
      if wasHeld { for command in SurveyStep.closing { try await send(command) } }
    } catch {
      if wasHeld { await switchTailLightOff() }
      throw error
    }
  }

  /// Switches the tail light off after an early end; leaving the session restores the other settings.
  private func switchTailLightOff() async {
    let (robot, time) = (robot, time)
    // A separate task, because this one may be cancelled, with a time limit, because the link may be lost.
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
    // Answers that were typed before the question do not count.
    var limit = 100
    while limit > 0, person.nextAnswer() != nil { limit -= 1 }
    recorder.state.withLock { $0.begin(step.name) }
    await report(.began(step))
    var progress = Progress(step: step)
    var outcome = SurveyLog.Outcome.done
    do {
      for action in step.actions { try await perform(action, &progress) }
    } catch let end as EarlyEnd { outcome = end.outcome }
    if progress.hasRolled, outcome != .done { try await robot.stop() }
    for command in step.closing { try await send(command) }
    if outcome == .done { attitude = progress.attitude ?? attitude }
    recorder.state.withLock { $0.end(outcome) }
    await report(.ended(step, outcome))
  }

  private struct Progress {
    let step: SurveyStep
    var hasRolled = false
    var entryCount = 0
    var packetCount = 0
    var sampler = SurveySampler()
    /// The continuous stream, with the times of its renewal and its last packet.
    var stream: Sensing.SetDataStreaming?
    var renewAt = Duration.zero
    var packetAt = Duration.zero
    var detector: HandlingDetector?
    var attitude: Rotation?
  }

  private mutating func perform(_ action: SurveyStep.Action, _ progress: inout Progress) async throws {
    switch action {
    case .send(let command):
      progress.hasRolled = progress.hasRolled || command is Motion.Roll
      wasHeld = wasHeld || command is Motion.SetStabilization
      try await send(command)
    case .wait(let duration): _ = try await pause(for: duration, &progress)
    case .packets(let count, let limit):
      _ = try await pause(for: limit, &progress) { progress, _ in progress.packetCount >= count }
    case .stream(let request):
      try await send(request)
      (progress.stream, progress.renewAt) = (request, time.now + Self.renewal)
      progress.packetAt = time.now
    case .person(let cue): try await wait(for: cue, &progress)
    }
  }

  private func wait(for cue: SurveyStep.Cue, _ progress: inout Progress) async throws {
    let isDone: Bool
    if person.answers {
      isDone = try await pause(for: person.answerTimeout, &progress) { _, answer in answer == .done }
    } else if cue == .consent {
      guard person.letsRoll else { throw EarlyEnd(outcome: .skipped) }
      // Time for the person to put the ball on the floor.
      _ = try await pause(for: Self.warning, &progress)
      isDone = true
    } else {
      progress.detector = HandlingDetector(cue, from: attitude)
      isDone = try await pause(for: person.timeout, &progress) { progress, _ in
        progress.detector?.isDone == true
      }
    }
    guard isDone else { throw EarlyEnd(outcome: .abandoned) }
  }

  /// Waits for a time or a condition, and returns whether the condition ended the wait; the person may skip it.
  private func pause(
    for limit: Duration, _ progress: inout Progress,
    or isOver: (Progress, SurveyOperator.Answer?) -> Bool = { _, _ in false }
  ) async throws -> Bool {
    let deadline = time.now + limit
    while true {
      // Only a command throws the error of a lost link.
      if await robot.isClosed { try await robot.ping() }
      update(&progress)
      let answer = person.nextAnswer()
      if answer == .skip { throw EarlyEnd(outcome: .skipped) }
      if isOver(progress, answer) { return true }
      if let stream = progress.stream,
        time.now >= progress.renewAt || time.now >= progress.packetAt + Self.silence
      {
        (progress.renewAt, progress.packetAt) = (time.now + Self.renewal, time.now)
        try await send(stream)
      }
      guard time.now < deadline else { return false }
      try await time.sleep(until: min(deadline, time.now + Self.pollingInterval))
    }
  }

  private func update(_ progress: inout Progress) {
    let entries = recorder.state.withLock {
      Array($0.steps[progress.step.name]?.entries(after: progress.entryCount) ?? [])
    }
    for entry in entries {
      progress.entryCount += 1
      if case .event(let event) = entry.item, event.id == Sensing.SensorData.id {
        progress.packetCount += 1
        progress.packetAt = time.now
      }
      for (moment, sample) in progress.sampler(entry) {
        progress.detector?.update(with: sample, at: moment)
        progress.attitude = HandlingDetector.attitude(of: sample) ?? progress.attitude
      }
    }
  }

  /// Sends a command once, because a repetition would distort the measurement. The analysis of the log judges a lost
  /// response.
  private func send(_ command: any Command) async throws {
    // A stop and the control system are exceptions: they must take effect and are repeated until confirmed.
    if let roll = command as? Motion.Roll, roll.state == .stop {
      try await robot.send(roll)
    } else if let stabilization = command as? Motion.SetStabilization, stabilization.mode != .off {
      do { try await robot.send(stabilization) } catch SessionError.refused {}
    } else {
      do {
        _ = try await robot.exchange(type(of: command).id, payload: command.payload())
      } catch let error as SessionError where error.isLinkError {
        // Throws if the robot does not answer at all.
        try await robot.send(Core.Ping())
      }
    }
  }
}

/// Detects from samples that a person has turned the ball and laid it down, for a survey without a keyboard.
private struct HandlingDetector: Sendable {
  private static let minimumTurn = Angle.degrees(20)
  /// The total rotation of a full turn by hand, which has an error of up to a quarter.
  private static let fullTurn = Angle.degrees(270)

  private let cue: SurveyStep.Cue
  /// The attitude at the end of the previous step; without one, the first of this step.
  private var start: Rotation?
  private var last: Rotation?
  private var rotation = Angle.zero
  private var restDetector = RestDetector()
  private(set) var isDone = false

  init(_ cue: SurveyStep.Cue, from start: Rotation?) { (self.cue, self.start) = (cue, start) }

  /// The attitude by one of the conventions; angles between attitudes are the same in all of them.
  static func attitude(of sample: Sample) -> Rotation? {
    sample.quaternionWords.flatMap { QuaternionLayout.all[0].rotation(of: $0) }
  }

  mutating func update(with sample: Sample, at time: Duration) {
    guard let attitude = Self.attitude(of: sample),
      let reading = sample.inertialSample(at: time / .seconds(1), by: .sphero)
    else { return }
    let start = start ?? attitude
    self.start = start
    rotation = rotation + attitude.angle(to: last ?? attitude)
    last = attitude
    guard restDetector(reading) else { return }
    switch cue {
    case .consent, .rest: isDone = true
    case .pose: isDone = isDone || start.angle(to: attitude) >= Self.minimumTurn
    case .turn: isDone = isDone || rotation >= Self.fullTurn
    }
  }
}
