// What a request starts or ends that a session must know, to stop the ball and to undo what was started.

/// What a request starts or ends, as far as a session acts on it.
///
/// A session sends a stop ahead of all other requests, drops waiting motion for it, and undoes what was started when it leaves.
/// Later versions of the library may have more cases, so a switch has a `default`.
public enum RequestEffect: Hashable, Sendable {
  /// The ball rolls on a heading, in degrees.
  case roll(heading: UInt16)
  /// The ball stops on a heading, in degrees.
  case stop(heading: UInt16)
  /// The motors drive the ball, without a heading; `isStabilized` where the control system stays on.
  case drive(isStabilized: Bool)
  /// A program inside the robot runs, and may move the ball.
  case runProgram
  /// The present orientation becomes a heading, in degrees.
  case aim(heading: UInt16)
  /// The control system is switched.
  case stabilization(Motion.SetStabilization.Mode)
  /// Collisions are reported, or no longer.
  case collisionDetection(isOn: Bool)
  /// Power notifications come, or no longer.
  case powerNotification(isOn: Bool)

  /// Whether the ball may move afterwards.
  package var moves: Bool {
    switch self {
    case .roll, .drive, .runProgram: true
    default: false
    }
  }
}

extension Request {
  /// A request has no effect that a session must know unless its type says otherwise.
  public var effect: RequestEffect? { nil }
}

extension Motion.Roll {
  /// A roll or a stop.
  public var effect: RequestEffect? { state == .stop ? .stop(heading: heading) : .roll(heading: heading) }
}

extension Motion.Boost {
  /// The control system stays on.
  public var effect: RequestEffect? { .drive(isStabilized: true) }
}

extension Motion.SetRawMotors {
  /// The control system is off afterwards.
  public var effect: RequestEffect? { .drive(isStabilized: false) }
}

extension Macros.RunMacro {
  /// A macro may move the ball.
  public var effect: RequestEffect? { .runProgram }
}

extension OrbBasic.Execute {
  /// A program may move the ball.
  public var effect: RequestEffect? { .runProgram }
}

extension Motion.SetHeading {
  /// The aim.
  public var effect: RequestEffect? { .aim(heading: heading) }
}

extension Motion.SetStabilization {
  /// The control system.
  public var effect: RequestEffect? { .stabilization(mode) }
}

extension Sensing.ConfigureCollisionDetection {
  /// Collision reports.
  public var effect: RequestEffect? { .collisionDetection(isOn: method != .off) }
}

extension Core.SetPowerNotification {
  /// Power notifications.
  public var effect: RequestEffect? { .powerNotification(isOn: isOn) }
}

extension RequestEffect {
  /// The effect of a command of which only the bytes are known; nil where it has none.
  ///
  /// A roll that does not fit its layout may move the ball all the same.
  package init?(of command: CommandID, payload: [UInt8]) {
    let effect: RequestEffect?
    switch command {
    case Motion.Roll.id: effect = (try? Motion.Roll(payload: payload))?.effect ?? .runProgram
    case Motion.Boost.id: effect = .drive(isStabilized: true)
    case Motion.SetRawMotors.id: effect = .drive(isStabilized: false)
    case Macros.RunMacro.id, OrbBasic.Execute.id: effect = .runProgram
    case Motion.SetHeading.id: effect = (try? Motion.SetHeading(payload: payload))?.effect
    case Motion.SetStabilization.id: effect = (try? Motion.SetStabilization(payload: payload))?.effect
    case Sensing.ConfigureCollisionDetection.id:
      effect = (try? Sensing.ConfigureCollisionDetection(payload: payload))?.effect
    case Core.SetPowerNotification.id: effect = (try? Core.SetPowerNotification(payload: payload))?.effect
    default: effect = nil
    }
    guard let effect else { return nil }
    self = effect
  }
}
