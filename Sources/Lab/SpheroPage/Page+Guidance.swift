// Guided motion of the page: going to a place, turning, and following a path on the floor.

import SpheroControls
import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

extension Page {
  /// The guided motion in progress, and its stream.
  struct Guidance: Sendable {
    var run: GuidedRun?
    var subscription: SubscriptionID?
  }

  /// How long a guided motion waits for the first reading.
  private static let firstReadingTimeout = Duration.seconds(3)

  mutating func guide(_ words: inout CommandParser) throws(PageError) {
    let limit = -FloorPath.maximumCoordinate...FloorPath.maximumCoordinate
    switch words.first {
    case "turn":
      guard words.skip("towards") else {
        return try guide(to: .turn(.degrees(try words.lastNumber(in: -36_000...36_000))))
      }
      let (x, y) = (try words.number(in: limit), try words.lastNumber(in: limit))
      if let odometry = robot.odometry, Aim(from: odometry.position, to: Position(x: x, y: y))?.heading == nil
      {
        throw PageError("the ball is at this place already, so it has no direction")
      }
      try guide(to: .turnTowards(Position(x: x, y: y)))
    default:
      var points: [Position] = []
      repeat {
        points.append(Position(x: try words.number(in: limit), y: try words.number(in: limit)))
      } while words.first == "follow" && !words.isAtEnd && points.count < FloorPath.maximumPointCount
      try words.end {}
      guard let path = FloorPath(points) else { throw PageError(MotionError.unusablePath.description) }
      try guide(to: .path(path, speed: stick.speed))
    }
  }

  /// Begins a guided motion in place of the current one.
  mutating func guide(to goal: GuidedRun.Goal) throws(PageError) {
    guard connection.isOpen else {
      throw PageError("there is no robot that could move: connect one, or simulate it")
    }
    guard !aiming.isActive else { throw PageError("the robot is being aimed: end that first") }
    endGuidance(reporting: "replaced by another motion")
    endProgram(reporting: "replaced by a guided motion")
    endRobotGame()
    release()
    do throws(SessionError) {
      // A stream of its own, because the selected one may be off or too slow.
      guidance.subscription = try conversation?.subscribe(StreamRequest(mask: Odometry.mask), at: now)
    } catch { throw PageError(error.description) }
    guidance.run = GuidedRun(goal, at: now)
  }

  /// Performs the step that is due.
  mutating func stepGuidance() {
    guard var run = guidance.run, run.nextStep <= now else { return }
    let roundTrip = conversation?.statistics.roundTrip.estimate ?? .zero
    if run.reading == nil, now - run.begun >= Self.firstReadingTimeout { return fail(.noReadings) }
    let action = run.step(roundTrip: roundTrip, at: now)
    guidance.run = run
    switch action {
    case .wait: break
    case .send(let roll):
      guard let encoded = try? EncodedRequest(roll) else { return }
      // A lost stop must be repeated sooner than other commands.
      let timeout = max(roundTrip * 3, .milliseconds(250))
      if let id = conversation?.enqueue(encoded, timeout: timeout, at: now) {
        requests.add(id, for: .guidance)
      }
    case .arrived:
      let error = run.remaining.map { "\(Int($0.value.rounded())) \($0.unit)" } ?? "nothing"
      stopGuidance()
      reportGuidance("arrived", "\(error) from the goal")
    case .failed(let error): fail(error)
    }
  }

  /// Handles the failure of a command of the guidance.
  mutating func handleGuidance(_ error: SessionError) {
    switch error {
    // Later commands replace earlier ones.
    case .superseded, .leaving: break
    case _ where error.isLinkError && guidance.run?.hasSent == true: break
    default:
      guard guidance.run != nil else { return }
      stopGuidance()
      reportGuidance("failed", error.message, advice: error.advice)
    }
  }

  private mutating func fail(_ error: MotionError) {
    stopGuidance()
    reportGuidance("failed", error.message, advice: error.advice)
  }

  /// Ends the guidance without a command to the ball; does nothing without one.
  mutating func endGuidance(reporting reason: String) {
    guard guidance.run != nil else { return }
    discardGuidance()
    reportGuidance("stopped", reason)
  }

  private mutating func stopGuidance() {
    discardGuidance()
    do throws(SessionError) { try conversation?.stopDriving(at: now) } catch { report(error) }
  }

  private mutating func discardGuidance() {
    if let subscription = guidance.subscription { conversation?.unsubscribe(subscription, at: now) }
    guidance = Guidance()
  }

  private mutating func reportGuidance(_ state: String, _ message: String, advice: String? = nil) {
    events.append(
      "guidance",
      [
        Field("state", .text(state)), Field("message", .text(message)), Field("advice", .text(advice)),
        Field("weight", .text(state == "failed" ? "warning" : "note")),
      ])
  }

  var guidanceView: FieldValue {
    guard let run = guidance.run else { return .missing }
    let remaining = run.remaining
    return .record([
      Field("goal", .text(run.goal.name)),
      Field("remaining", .decimal(remaining?.value, digits: 0)), Field("unit", .text(remaining?.unit)),
    ])
  }
}
