// A running macro: its position, its control flow, and the effects of its steps on the robot.

import SpheroProtocol

struct MacroRun: Hashable, Sendable {
  /// The interval of the checks while a macro waits for the robot to stop or for space in the queue of events.
  static let pollInterval = Duration.milliseconds(10)

  private struct Frame: Hashable, Sendable {
    var macro: LoadedMacro
    var next = 0
    /// The number of executed steps that were removed from a stream.
    var dropped: UInt16 = 0
    /// The number of the last executed step, from 1; the wire calls it the command number.
    var number: UInt16 { max(1, dropped &+ UInt16(clamping: next)) }
  }

  private struct Loop: Hashable, Sendable {
    var macro: UInt8
    /// The index of the first step, and the number of iterations after the present one.
    var first: Int
    var left: UInt8
  }

  /// The time at which the next command is due; nil while a stream waits for its next piece.
  private(set) var due: Duration?
  /// The flags of the macro that was started, or of the target of the last `goto` or branch.
  private(set) var flags: Macro.Flags
  private var frame: Frame
  /// The macro that continues after a `gosub`, and its position; nil outside of a `gosub`.
  private var caller: Frame?
  private var loop: Loop?
  /// The macro to which a collision branches; 0 for none.
  private var collisionTarget: UInt8 = 0
  private var stopLimit: Duration?
  /// The number of steps executed since the last pause.
  private var burst = 0

  init(_ macro: LoadedMacro, at now: Duration) {
    (frame, flags, due) = (Frame(macro: macro), macro.flags, now)
  }

  var macro: UInt8 { frame.macro.id }
  var number: UInt16 { frame.number }
  /// Whether the host cannot abort the macro; the flag has this effect only in macros of the system.
  var isUnkillable: Bool { macro < MacroStore.userIDs.lowerBound && flags.contains(.unkillable) }
  private var isStream: Bool { macro == Macro.streamID }

  /// Whether a macro is running, or waits for the macro that it has called.
  func uses(_ id: UInt8) -> Bool { macro == id || caller?.macro.id == id }

  /// Appends a piece to the stream, and removes the executed steps that no loop repeats; false if it cannot.
  mutating func feed(_ piece: LoadedMacro, at now: Duration) -> Bool {
    guard isStream else { return false }
    let open = loop?.macro == macro ? loop?.first : nil
    let done = min(open ?? frame.next, frame.next)
    frame.macro.steps.removeFirst(done)
    frame.next -= done
    frame.dropped &+= UInt16(truncatingIfNeeded: done)
    if open != nil { loop?.first -= done }
    // A command is its opcode and its operands.
    let size = (frame.macro.steps + piece.steps).reduce(0) { $0 + 1 + $1.operands.count }
    guard size <= Macro.maximumTemporaryLength else { return false }
    if !frame.macro.isBroken {
      frame.macro.steps += piece.steps
      frame.macro.isBroken = piece.isBroken
    }
    due = due ?? now
    return true
  }

  /// Branches because of a collision; returns false if this ends the macro.
  mutating func branch(in store: MacroStore, at now: Duration) -> Bool {
    guard collisionTarget != 0 else { return true }
    (due, stopLimit) = (now, nil)
    return goto(collisionTarget, in: store)
  }

  private mutating func goto(_ id: UInt8, in store: MacroStore) -> Bool {
    guard let target = store.load(id) else { return false }
    (frame, flags) = (Frame(macro: target), target.flags)
    return true
  }

  /// Executes the step that is due; returns false if this ends the macro.
  mutating func step(
    _ store: MacroStore, _ parameters: inout MacroParameters, _ actions: inout some Actuators
  ) -> Bool {
    guard let now = due else { return true }
    if flags.contains(.onlyAlone), actions.read(.isConnected) != 0 { return false }
    if let limit = stopLimit {
      guard now >= limit || actions.isStopped else {
        pause(min(Self.pollInterval, limit - now))
        return true
      }
      stopLimit = nil
    }
    guard burst < MacroExecutive.maximumCommandsPerInstant else {
      pause(.milliseconds(1))
      return true
    }
    guard frame.next < frame.macro.steps.count else {
      due = nil
      return isStream && !frame.macro.isBroken
    }
    let command = frame.macro.steps[frame.next]
    guard !sendsEvent(command) || actions.hasRoomForEvents else {
      pause(Self.pollInterval)
      return true
    }
    frame.next += 1
    burst += 1
    switch command.opcode {
    case Macro.End.opcode:
      guard let caller else { return end(&actions) }
      (frame, self.caller) = (caller, nil)
    case Macro.StreamEnd.opcode: return isStream ? end(&actions) : false
    case Macro.LoopStartSystem.opcode: startLoop(parameters.loopCount)
    case Macro.LoopEnd.opcode: endLoop()
    default: return perform(command, at: now, store, &parameters, &actions)
    }
    return true
  }

  /// Executes a step that has operands; returns false if this ends the macro.
  private mutating func perform(
    _ command: MacroCommand, at now: Duration, _ store: MacroStore, _ parameters: inout MacroParameters,
    _ actions: inout some Actuators
  ) -> Bool {
    if let step = command.step(as: Macro.Goto.self) { return goto(step.macro, in: store) }
    if let step = command.step(as: Macro.Gosub.self) {
      guard caller == nil, !isStream else { return true }
      guard let target = store.load(step.macro) else { return false }
      (caller, frame) = (frame, Frame(macro: target))
    } else if let step = command.step(as: Macro.LoopStart.self) {
      startLoop(step.count)
    } else if let step = command.step(as: Macro.BranchOnCollision.self) {
      collisionTarget = step.macro
    } else if let step = command.step(as: Macro.WaitUntilStopped.self) {
      let limit = Duration.milliseconds(step.limit)
      stopLimit = now + limit
      // The motion of the previous command has not begun yet.
      pause(min(Self.pollInterval, limit))
    } else if let step = command.step(as: Macro.Marker.self) {
      send(step.marker, &actions)
    } else if let step = command.step(as: Macro.Sleep.self) {
      let time = step.time
      let wakeup: Wakeup = time == 0 ? .shaken : time == .max ? .asCommanded : .after(.milliseconds(time))
      actions.sleep(until: wakeup, macro: 0, orbBasicLine: 0)
      return false
    } else {
      pause(command.perform(&parameters, &actions))
    }
    return true
  }

  /// Delays the next step by a time; a time of zero does nothing.
  private mutating func pause(_ time: Duration) {
    guard let now = due, time > .zero else { return }
    due = now + time
    burst = 0
  }

  private func sendsEvent(_ command: MacroCommand) -> Bool {
    switch command.opcode {
    case Macro.Marker.opcode: true
    case Macro.End.opcode: caller == nil && flags.contains(.markEnd)
    case Macro.StreamEnd.opcode: flags.contains(.markEnd)
    default: false
    }
  }

  private func send(_ marker: UInt8, _ actions: inout some Actuators) {
    actions.send(Macros.Marker { ($0.marker, $0.macro, $0.command) = (marker, macro, number) })
  }

  /// Applies the flags for the end of the macro; returns false.
  private func end(_ actions: inout some Actuators) -> Bool {
    if flags.contains(.stopAtEnd) { actions.stop() }
    if flags.contains(.markEnd) { send(0, &actions) }
    return false
  }

  private mutating func startLoop(_ count: UInt8) {
    loop = Loop(macro: macro, first: frame.next, left: max(1, count) - 1)
  }

  private mutating func endLoop() {
    guard let open = loop, open.macro == macro else { return }
    guard open.left > 0 else {
      loop = nil
      return
    }
    loop?.left -= 1
    frame.next = open.first
  }
}

extension MacroCommand {
  /// Executes a step on the robot or on a parameter, but not one of control flow; returns the delay before the next step.
  fileprivate func perform(_ parameters: inout MacroParameters, _ actions: inout some Actuators) -> Duration {
    if let step = step(as: Macro.SetSystemDelay1.self) {
      parameters.delay1 = step.time
    } else if let step = step(as: Macro.SetSystemDelay2.self) {
      parameters.delay2 = step.time
    } else if let step = step(as: Macro.SetSystemSpeed1.self) {
      parameters.speed1 = UInt8(clamping: step.speed)
    } else if let step = step(as: Macro.SetSystemSpeed2.self) {
      parameters.speed2 = UInt8(clamping: step.speed)
    } else if let step = step(as: Macro.Wait.self) {
      return .milliseconds(step.time)
    } else if let step = step(as: Macro.Stabilization.self) {
      actions.setStabilization(step.mode)
      return .milliseconds(step.delay)
    } else if let step = step(as: Macro.SetHeading.self) {
      actions.setHeading(step.heading)
      return .milliseconds(step.delay)
    } else if let step = step(as: Macro.Roll.self) {
      actions.roll(speed: step.speed, heading: step.heading, state: .drive)
      return .milliseconds(step.delay)
    } else if let step = step(as: Macro.RollLong.self) {
      actions.roll(speed: step.speed, heading: step.heading, state: .drive)
      return .milliseconds(step.time)
    } else if let step = step(as: Macro.RollSystemDelay1.self) {
      actions.roll(speed: step.speed, heading: step.heading, state: .drive)
      return .milliseconds(parameters.delay1)
    } else if let step = step(as: Macro.RollSystemSpeed1.self) {
      actions.roll(speed: parameters.speed1, heading: step.heading, state: .drive)
      return .milliseconds(parameters.delay1)
    } else if let step = step(as: Macro.RollSystemSpeed2.self) {
      actions.roll(speed: parameters.speed2, heading: step.heading, state: .drive)
      return .milliseconds(parameters.delay1)
    } else if let step = step(as: Macro.SetSpeed.self) {
      actions.setSpeed(step.speed)
      return .milliseconds(step.delay)
    } else if let step = step(as: Macro.RotationRate.self) {
      actions.setRotationRate(step.rate)
    } else if let step = step(as: Macro.Rotate.self) {
      actions.rotate(byDegrees: step.angle, overMilliseconds: step.time)
    } else if let step = step(as: Macro.RotateSystemDelay1.self) {
      actions.rotate(byDegrees: step.angle, overMilliseconds: parameters.delay1)
    } else if let step = step(as: Macro.RotateSystemDelay2.self) {
      actions.rotate(byDegrees: step.angle, overMilliseconds: parameters.delay2)
    } else if let step = step(as: Macro.RawMotors.self) {
      actions.setRawMotors(step.motors)
      return .milliseconds(step.delay)
    } else if let step = step(as: Macro.RGB.self) {
      actions.setColor(red: step.red, green: step.green, blue: step.blue)
      return .milliseconds(step.delay)
    } else if let step = step(as: Macro.RGBSystemDelay2.self) {
      actions.setColor(red: step.red, green: step.green, blue: step.blue)
      return .milliseconds(parameters.delay2)
    } else if let step = step(as: Macro.Fade.self) {
      actions.fadeColor(
        red: step.red, green: step.green, blue: step.blue, overMilliseconds: step.time)
    } else if let step = step(as: Macro.BackLED.self) {
      actions.setBackLight(step.brightness)
      return .milliseconds(step.delay)
    } else if let step = step(as: Macro.ConfigureCollision.self) {
      actions.configureCollisions(step.detection)
    }
    return .zero
  }
}
