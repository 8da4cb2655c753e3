// What leaving undoes, and in which order.

import SpheroProtocol

/// What the program has begun and leaving must undo.
///
/// Every command that the program sends passes through ``note(_:)``.
struct Obligations: Hashable, Sendable {
  /// The heading to stop on, where something was told to move.
  private(set) var heading: UInt16?
  /// Raw motors drive without the control system, which then has to be switched on again.
  private(set) var hasRawMotors = false
  /// The control system was switched off.
  private(set) var isUnstabilized = false
  private(set) var detectsCollisions = false
  private(set) var notifiesPower = false
  /// The robot may be streaming.
  var mayStream = false
  /// The program streams beside the session.
  var streamsItself = false
  /// The program lets the ball roll on.
  var keepsRolling = false

  /// Remembers what a command of the program begins or ends.
  mutating func note(_ request: EncodedRequest) {
    switch request.effect {
    case .roll(let heading), .stop(let heading): self.heading = heading
    // Headings count from the new aim now, also the one to stop on.
    case .aim(let aim): if heading != nil { heading = aim }
    case .drive(let isStabilized):
      heading = heading ?? 0
      if !isStabilized { hasRawMotors = true }
    case .stabilization(let mode):
      isUnstabilized = mode == .off
      if mode != .off { hasRawMotors = false }
    case .collisionDetection(let isOn): detectsCollisions = isOn
    case .powerNotification(let isOn): notifiesPower = isOn
    case .runProgram, nil: break
    }
  }

  /// Forgets what moved, since the robot has confirmed that it stops.
  mutating func stopped() { if !hasRawMotors { heading = nil } }

  /// Forgets what a robot does not keep over a lost line.
  mutating func lostLine() { (heading, hasRawMotors) = (nil, false) }

  /// What stops the ball; empty where nothing was told to move, or it shall roll on.
  var stopping: [EncodedRequest] {
    guard !keepsRolling else { return [] }
    var requests: [EncodedRequest] = []
    // Free motors brake only once the control system is back.
    if hasRawMotors, let on = try? EncodedRequest(Motion.SetStabilization(mode: .on)) { requests.append(on) }
    if let heading, let stop = try? EncodedRequest(Motion.Roll(speed: 0, heading: heading, state: .stop)) {
      requests.append(stop)
    }
    return requests
  }

  /// Everything that leaving sends, the most urgent first.
  var undoing: [EncodedRequest] {
    var requests = stopping
    if isUnstabilized, !hasRawMotors,
      let on = try? EncodedRequest(Motion.SetStabilization(mode: .onWithoutReset))
    {
      requests.append(on)
    }
    if mayStream || streamsItself, let off = try? EncodedRequest(Sensing.SetDataStreaming()) {
      requests.append(off)
    }
    if detectsCollisions {
      var command = Sensing.ConfigureCollisionDetection()
      command.method = .off
      if let off = try? EncodedRequest(command) { requests.append(off) }
    }
    if notifiesPower, let off = try? EncodedRequest(Core.SetPowerNotification(isOn: false)) {
      requests.append(off)
    }
    return requests
  }
}
