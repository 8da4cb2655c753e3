// The effects of the program's commands: what a shutdown undoes, what a lost line stops, and what a new line restores.

import SpheroProtocol

/// Every command of the program passes through ``record(_:)``, and through ``confirm(_:)`` once the robot executed it.
struct Cleanup: Sendable {
  /// The commands whose effect a robot may lose with its line. Motion is not among them.
  private static let restorable: [CommandID] = [
    Settings.SetTemporaryOptions.id, Sensing.ConfigureCollisionDetection.id, Sensing.ConfigureLocator.id,
    Core.SetPowerNotification.id, Motion.SetRotationRate.id, Motion.SetMotionTimeout.id,
  ]

  /// The commands without a coalescing key that set one state, of which only the newest value counts.
  static let settings =
    restorable + [
      Motion.SetStabilization.id, Motion.SetVectorDriveLimit.id, Sensing.SetAccelerometerRange.id,
      Settings.SetPermanentOptions.id, Settings.SetDeviceMode.id, Core.SetInactivityTimeout.id,
      Core.SetDeviceName.id, Core.SetAutoReconnect.id, Soul.EnableSSBEvents.id,
    ]

  /// The configuration of the locator that an aim sends.
  private static let aimOrigin = EncodedRequest(valid: Sensing.ConfigureLocator(x: 0, y: 0))

  private let settings: HostSettings
  /// The heading of a stop; nil while the ball is at rest.
  private(set) var heading: UInt16?
  /// The heading of the last motion, also while the ball is at rest; nil once a program inside the robot may have turned it.
  private(set) var lastHeading: UInt16?
  /// The mode in which the control system must be switched on before a stop; nil if it is on. Raw motor power switches it off.
  private var modeForStop: Motion.SetStabilization.Mode?
  /// Whether the newest command for the control system switches it on; the answer to an earlier one does not prove that it
  /// is on.
  private var hasRequestedControl = false
  /// Whether the program has switched the control system off, and no answer confirms that it is on again.
  private var isUnstabilized = false
  /// The aborts of programs inside the robot that it has not answered: the programs may still move the ball.
  private(set) var unconfirmedAborts: [EncodedRequest] = []
  /// The languages of the programs of the session that may still move the ball.
  private var runningLanguages: [ProgramLanguage] = []
  /// Whether a macro that runs may be one that a program in BASIC has started, so that both are aborted together.
  private(set) var isMacroOfBASIC = false
  private var detectsCollisions = false
  private var notifiesPower = false
  /// Whether the robot may be streaming for the session.
  var mayStream = false
  /// Whether the program starts streams by commands of its own.
  private var streamsItself = false
  var keepsRolling = false
  /// Whether the next motion has to be preceded by the option that stops the ball when the link drops.
  var needsStopOnDisconnect: Bool
  /// Whether the session, and not the program, sets the motion timeout.
  private var setsMotionTimeout: Bool
  /// Whether the newest motion requires the longest motion timeout; nil before the first motion.
  private var hasLongMotion: Bool?
  /// Whether the robot may have the longest motion timeout.
  private var mayHaveLongTimeout = false
  /// The commands that stop what a lost line left moving.
  private(set) var stopsAfterReconnect: [EncodedRequest] = []
  /// The settings to send on a new line, in the order in which they were last confirmed.
  private(set) var confirmedSettings: [EncodedRequest] = []

  init(_ settings: HostSettings) {
    self.settings = settings
    (needsStopOnDisconnect, setsMotionTimeout) = (settings.stopsOnDisconnect, settings.motionTimeout != nil)
  }

  mutating func record(_ request: EncodedRequest) {
    switch request.command {
    case Sensing.SetDataStreaming.id where !settings.stopsStrayStreams: streamsItself = true
    case Settings.SetTemporaryOptions.id: needsStopOnDisconnect = false
    case Motion.SetMotionTimeout.id:
      (setsMotionTimeout, mayHaveLongTimeout) = (false, false)
    default: break
    }
    switch request.effect {
    case .roll(let heading), .stop(let heading): (self.heading, lastHeading) = (heading, heading)
    case .aim(let aim): recordAim(aim)
    case .drive(let isStabilized):
      heading = lastHeading ?? 0
      if !isStabilized { (modeForStop, hasRequestedControl) = (.on, false) }
    case .stabilization(let mode):
      hasRequestedControl = mode != .off
      if mode == .off { isUnstabilized = true }
    case .collisionDetection(let isOn): detectsCollisions = isOn
    case .powerNotification(let isOn): notifiesPower = isOn
    case .runProgram:
      let started = request.startedLanguages
      lastHeading = nil
      // The abort of another language is still needed.
      let replaced = request.abortsOfStartedPrograms
      unconfirmedAborts.removeAll { replaced.contains($0.command) }
      runningLanguages = started + runningLanguages.filter { !started.contains($0) }
      if !started.isEmpty { isMacroOfBASIC = started == [.basic, .macro] }
    case .abortProgram:
      runningLanguages.removeAll { $0.abort.command == request.command }
      unconfirmedAborts = unconfirmedAborts.filter { $0.command != request.command } + [request]
      // The program may have switched the control system off, also after a command that switched it on. If the user's
      // program has left it off, a stop does not change that.
      if !isUnstabilized || hasRequestedControl {
        (modeForStop, hasRequestedControl) = (modeForStop ?? .onWithoutReset, false)
      }
    case nil: break
    }
  }

  /// Records a command of the program whose effect the shutdown does not undo, but which changes how a stop is sent.
  mutating func recordPosted(_ request: EncodedRequest) {
    switch request.effect {
    case .drive(isStabilized: false): (modeForStop, hasRequestedControl) = (.on, false)
    case .roll(let heading), .stop(let heading):
      if self.heading != nil { self.heading = heading }
      lastHeading = heading
    case .aim(let aim): recordAim(aim)
    case .runProgram: lastHeading = nil
    default: break
    }
  }

  /// Records that the present orientation now has another heading.
  private mutating func recordAim(_ aim: UInt16) {
    if heading != nil { heading = aim }
    if lastHeading != nil { lastHeading = aim }
  }

  mutating func confirm(_ request: EncodedRequest) {
    if case .stabilization(let mode) = request.effect, mode != .off, hasRequestedControl {
      (modeForStop, isUnstabilized) = (nil, false)
    }
    guard Self.restorable.contains(request.command) else { return }
    if request.command == Motion.SetMotionTimeout.id, setsMotionTimeout {
      mayHaveLongTimeout = request.payload == motionTimeout(isLong: true)?.payload
      // The next motion on a new line sets it.
      return
    }
    confirmedSettings.removeAll { $0.command == request.command }
    // The configuration of an aim makes the ball the origin: on a new line, it would move the origin.
    if request.command == Sensing.ConfigureLocator.id, request.payload == Self.aimOrigin.payload { return }
    confirmedSettings.append(request)
  }

  /// Records that the robot answered an abort; one that refuses it runs no program of that language.
  mutating func confirmAbort(_ request: EncodedRequest) {
    unconfirmedAborts.removeAll { $0.command == request.command }
  }

  /// Records and returns the aborts of the programs of the session that may still move the ball.
  mutating func takeAborts() -> [EncodedRequest] {
    let aborts = runningLanguages.map { $0.abort }
    for abort in aborts { record(abort) }
    return aborts
  }

  /// Records that the robot executed a stop, which has no effect unless the control system is on.
  mutating func confirmStop() { if modeForStop == nil { heading = nil } }

  /// The next line stops the motion. The next motion enables the stop on disconnect and the motion timeout again,
  /// unless the confirmed settings restore them.
  /// `measured` is the heading that the robot has streamed last; nil if unknown.
  mutating func lineLost(heading measured: UInt16?) {
    lastHeading = lastHeading ?? measured
    if !keepsRolling { _ = takeAborts() }
    // The stops of an earlier line are still due if no robot has received them.
    if stopsAfterReconnect.isEmpty { stopsAfterReconnect = unconfirmedAborts + stopCommands }
    (heading, lastHeading, modeForStop, unconfirmedAborts) = (nil, nil, nil, [])
    stopOnDisconnectLost()
    // The restored timeout may be that of an earlier motion.
    hasLongMotion = nil
    if !isRestored(Motion.SetMotionTimeout.id) { setsMotionTimeout = settings.motionTimeout != nil }
  }

  /// Records the motion timeout that a motion requires; returns whether it differs from that of the motion before.
  mutating func needsMotionTimeout(isLong: Bool) -> Bool {
    guard setsMotionTimeout, hasLongMotion != isLong else { return false }
    hasLongMotion = isLong
    return true
  }

  /// Records that the supervised program has ended; returns whether the robot needs the short motion timeout again.
  mutating func programEnded(_ language: ProgramLanguage) -> Bool {
    // A macro that a program in BASIC has started may continue.
    runningLanguages.removeAll { $0 == language }
    return hasLongMotion == true && needsMotionTimeout(isLong: keepsRolling)
  }

  /// Records that no answer confirms the motion timeout: the next motion sets it again.
  mutating func motionTimeoutLost() { hasLongMotion = nil }

  /// Records that no answer confirms the stop on disconnect: the next motion sets it again, unless other options are set.
  mutating func stopOnDisconnectLost() {
    needsStopOnDisconnect = settings.stopsOnDisconnect && !isRestored(Settings.SetTemporaryOptions.id)
  }

  private func isRestored(_ id: CommandID) -> Bool { confirmedSettings.contains { $0.command == id } }

  /// The command that sets the motion timeout of the newest motion; nil without a timeout.
  mutating func motionTimeout() -> EncodedRequest? {
    let isLong = hasLongMotion == true
    if isLong { mayHaveLongTimeout = true }
    return motionTimeout(isLong: isLong)
  }

  private func motionTimeout(isLong: Bool) -> EncodedRequest? {
    guard let timeout = settings.motionTimeout else { return nil }
    let milliseconds = min(max((timeout.inSeconds * 1_000).rounded(), 1), Double(UInt16.max))
    return EncodedRequest(valid: Motion.SetMotionTimeout(time: isLong ? .max : UInt16(milliseconds)))
  }

  /// Removes and returns the commands that stop what a lost line left moving; they stay due until the robot confirms them.
  mutating func takeStopsAfterReconnect() -> [EncodedRequest] {
    defer { stopsAfterReconnect = [] }
    for request in stopsAfterReconnect {
      switch request.effect {
      // Raw motors that were requested meanwhile start after this command, whose answer proves nothing about them.
      case .stabilization(let mode) where modeForStop != .on:
        (modeForStop, hasRequestedControl) = (mode, true)
      // A roll that was requested meanwhile has a newer heading.
      case .stop(let stop): heading = heading ?? stop
      case .abortProgram: unconfirmedAborts.append(request)
      default: break
      }
    }
    return stopsAfterReconnect
  }

  /// Records that the robot has confirmed the last stop.
  mutating func forgetStopsAfterReconnect() { stopsAfterReconnect = [] }

  /// The commands that stop the ball, in order; empty if it is at rest or shall roll on.
  var stopCommands: [EncodedRequest] {
    // A program whose abort is not confirmed may have moved the ball after the last stop.
    guard let heading = heading ?? (unconfirmedAborts.isEmpty ? nil : lastHeading ?? 0), !keepsRolling
    else { return [] }
    return [commandBeforeStop, EncodedRequest(valid: Motion.Roll.stop(on: heading))].compactMap { $0 }
  }

  /// The command that has to precede a stop: free motors brake only once the control system is on. Nil if it is on.
  var commandBeforeStop: EncodedRequest? {
    modeForStop.flatMap { EncodedRequest(valid: Motion.SetStabilization(mode: $0)) }
  }

  var shutdownCommands: [EncodedRequest] {
    var collisionsOff = Sensing.ConfigureCollisionDetection()
    collisionsOff.method = .off
    let stops = stopCommands
    let isSwitchedByStop = modeForStop != nil && !stops.isEmpty
    let runsOnRawMotors = modeForStop != nil && stops.isEmpty && heading != nil
    let switchesOn = isUnstabilized && !isSwitchedByStop && !runsOnRawMotors
    return unconfirmedAborts + stopsAfterReconnect + stops
      + [
        switchesOn ? EncodedRequest(valid: Motion.SetStabilization(mode: .onWithoutReset)) : nil,
        mayHaveLongTimeout && !keepsRolling ? motionTimeout(isLong: false) : nil,
        mayStream || streamsItself ? EncodedRequest(valid: Sensing.SetDataStreaming()) : nil,
        detectsCollisions ? EncodedRequest(valid: collisionsOff) : nil,
        notifiesPower ? EncodedRequest(valid: Core.SetPowerNotification(isOn: false)) : nil,
        settings.sleepsAtShutdown ? EncodedRequest(valid: Core.Sleep()) : nil,
      ].compactMap { $0 }
  }
}
