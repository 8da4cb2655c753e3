// Guided motion of the page: going to a place, turning, and following a path on the floor.

import SpheroControls
import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

extension Page {
  struct Guidance: Sendable {
    var run: GuidedRun?
    var subscription: SubscriptionID?
  }

  mutating func guide(_ words: inout CommandParser) throws(PageError) {
    let bounds = -FloorPath.maximumCoordinate...FloorPath.maximumCoordinate
    switch words.first {
    case "turn":
      guard words.skip("towards") else {
        return try guide(to: .turn(.degrees(try words.lastNumber(in: -36_000...36_000))))
      }
      let target = Position(x: try words.number(in: bounds), y: try words.lastNumber(in: bounds))
      if let odometry = robot.odometry, odometry.position.heading(to: target) == nil {
        throw PageError("the ball is at this place already, so it has no direction")
      }
      try guide(to: .turnTowards(target))
    default:
      var points: [Position] = []
      repeat {
        points.append(Position(x: try words.number(in: bounds), y: try words.number(in: bounds)))
      } while words.first == "follow" && !words.isAtEnd && points.count < FloorPath.maximumPointCount - 1
      try words.end {}
      guard let path = FloorPath(points) else { throw PageError(MotionError.unusablePath.description) }
      try guide(to: .path(path, speed: stick.speed))
    }
  }

  mutating func guide(to goal: GuidedRun.Goal) throws(PageError) {
    guard connection.isOpen else {
      throw PageError("there is no robot that could move: connect one, or simulate it")
    }
    guard !aiming.isActive else { throw PageError("the robot is being aimed: end that first") }
    endGuidance(reporting: "replaced by another motion")
    endProgram(reporting: "replaced by a guided motion")
    endRobotGame()
    release()
    // A tilted device or a gamepad must return to the centre before it takes over.
    tilt?.control.interrupt()
    gamepad.mustCentre = true
    do throws(SessionError) {
      // A separate subscription, since the user's stream may be off or too slow.
      guidance.subscription = try conversation?.subscribe(StreamRequest(mask: Odometry.mask), at: now)
    } catch { throw PageError(error.description) }
    guidance.run = GuidedRun(goal, at: now)
  }

  mutating func stepGuidance() {
    guard var run = guidance.run, run.nextStep <= now else { return }
    let roundTrip = conversation?.statistics.roundTrip.estimate ?? .zero
    let action = run.step(roundTrip: roundTrip, at: now)
    guidance.run = run
    switch action {
    case .wait: break
    case .send(let roll):
      guard let encoded = try? EncodedRequest(roll) else { return }
      // A lost stop must be repeated sooner than other commands.
      let timeout = conversation?.statistics.roundTrip.shortTimeout
      if let id = conversation?.enqueue(encoded, timeout: timeout, at: now) {
        requests[id] = (.guidance, Motion.Roll.name)
      }
    case .arrived:
      finishGuidance("arrived", "\(run.remainingText() ?? "nothing") from the goal")
    case .failed(let error): finishGuidance("failed", error.message, error.advice)
    }
  }

  mutating func handleGuidance(_ error: SessionError) {
    guard let run = guidance.run else { return }
    switch error {
    case .superseded, .leaving: break
    // A later command replaces a lost one.
    case _ where error.isLinkError && run.hasSentGuidance: break
    default: finishGuidance("failed", error.message, error.advice)
    }
  }

  /// Ends the guided motion in progress, if any, and stops the ball.
  mutating func endGuidance(reporting reason: String) {
    if guidance.run != nil { finishGuidance("stopped", reason) }
  }

  private mutating func finishGuidance(_ state: String, _ message: String, _ advice: String? = nil) {
    if let subscription = guidance.subscription { conversation?.unsubscribe(subscription, at: now) }
    guidance = Guidance()
    // Without a line nothing can be sent; the next one begins with a stop.
    try? conversation?.stopDriving(at: now)
    events.append("guidance", state: state, message, advice: advice)
  }

  var guidanceView: FieldValue {
    guard let run = guidance.run else { return .missing }
    let remaining = run.remaining
    return [
      "goal": .text(run.goal.name), "remaining": .decimal(remaining?.value, digits: 0),
      "unit": .text(remaining?.unit),
    ]
  }
}
