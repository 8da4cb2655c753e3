// Times as durations, beside the integers of the wire; setting one takes the nearest count that the wire has.

extension Duration {
  /// The nearest count of a unit, at the end of the integer's range where it lies beyond.
  fileprivate func count<Count: WireInteger>(of unit: Duration) -> Count {
    let count = (inSeconds / unit.inSeconds).rounded()
    return count <= 0 ? 0 : count >= Double(Count.max) ? Count.max : Count(count)
  }
}

extension Core.SetInactivityTimeout {
  /// How long the robot stays awake without a command, to 65,535 s; see ``seconds``.
  public var inactivityTimeout: Duration {
    get { .seconds(1) * Int(seconds) }
    set { seconds = newValue.count(of: .seconds(1)) }
  }

  /// Makes the command for a duration; less than a minute is refused when it is sent.
  public init(inactivityTimeout: Duration) {
    self.init()
    self.inactivityTimeout = inactivityTimeout
  }
}

extension Core.Sleep {
  /// How long the robot sleeps, to 65,534 s; zero is until it is shaken; see ``wakeup``.
  public var wakeupDelay: Duration {
    get { .seconds(1) * Int(wakeup) }
    set { wakeup = min(0xFFFE, newValue.count(of: .seconds(1))) }
  }
}

extension Core.SetAutoReconnect {
  /// How long after power-up the robot connects, to 255 s; see ``seconds``.
  public var delay: Duration {
    get { .seconds(1) * Int(seconds) }
    set { seconds = newValue.count(of: .seconds(1)) }
  }
}

extension Core.GetAutoReconnect.Response {
  /// How long after power-up the robot connects; see ``seconds``.
  public var delay: Duration {
    get { .seconds(1) * Int(seconds) }
    set { seconds = newValue.count(of: .seconds(1)) }
  }
}

extension Core.GetPowerState.Response {
  /// How long ago the battery was charged; see ``secondsSinceCharge``.
  public var timeSinceCharge: Duration {
    get { .seconds(1) * Int(secondsSinceCharge) }
    set { secondsSinceCharge = newValue.count(of: .seconds(1)) }
  }
}

extension Core.AssignTime {
  /// What the robot's clock shall show; see ``time``.
  public var clock: Duration {
    get { .milliseconds(1) * Int64(time) }
    set { time = newValue.count(of: .milliseconds(1)) }
  }
}

extension Motion.SelfLevel {
  /// When to give up, to 255 s; zero is 15 s; see ``timeout``.
  public var timeLimit: Duration {
    get { .seconds(1) * Int(timeout) }
    set { timeout = newValue.count(of: .seconds(1)) }
  }

  /// How long it must be upright, to 2.55 s; zero is 0.3 s; see ``trueTime``.
  public var levelTime: Duration {
    get { .milliseconds(10) * Int(trueTime) }
    set { trueTime = newValue.count(of: .milliseconds(10)) }
  }
}

extension Motion.SetMotionTimeout {
  /// After how long without a motion command the robot stops, to 65.535 s; see ``time``.
  public var motionTimeout: Duration {
    get { .milliseconds(1) * Int(time) }
    set { time = newValue.count(of: .milliseconds(1)) }
  }

  /// Makes the command for a duration; the nearest count that the wire has.
  public init(motionTimeout: Duration) {
    self.init()
    self.motionTimeout = motionTimeout
  }
}

extension Sensing.ConfigureCollisionDetection {
  /// How long after an impact none is reported, to 2.55 s; see ``deadTime``.
  public var quietTime: Duration {
    get { .milliseconds(10) * Int(deadTime) }
    set { deadTime = newValue.count(of: .milliseconds(10)) }
  }
}

extension Sensing.SetDataStreaming {
  /// The time from one frame to the next, in steps of 2.5 ms; see ``divisor``.
  public var framePeriod: Duration {
    get { .microseconds(2_500) * Int(divisor) }
    set { divisor = newValue.count(of: .microseconds(2_500)) }
  }
}

extension Sensing.Collision {
  /// When it happened by the robot's clock; see ``timestamp``.
  public var time: Duration {
    get { .milliseconds(1) * Int64(timestamp) }
    set { timestamp = newValue.count(of: .milliseconds(1)) }
  }
}

extension Macro.Stabilization {
  /// How long the macro waits afterwards, to 255 ms; see ``delay``.
  public var pause: Duration {
    get { .milliseconds(1) * Int(delay) }
    set { delay = newValue.count(of: .milliseconds(1)) }
  }
}

extension Macro.SetHeading {
  /// How long the macro waits afterwards, to 255 ms; see ``delay``.
  public var pause: Duration {
    get { .milliseconds(1) * Int(delay) }
    set { delay = newValue.count(of: .milliseconds(1)) }
  }
}

extension Macro.Roll {
  /// How long the macro waits afterwards, to 255 ms; see ``delay``.
  public var pause: Duration {
    get { .milliseconds(1) * Int(delay) }
    set { delay = newValue.count(of: .milliseconds(1)) }
  }
}

extension Macro.RawMotors {
  /// How long the macro waits afterwards, to 255 ms; see ``delay``.
  public var pause: Duration {
    get { .milliseconds(1) * Int(delay) }
    set { delay = newValue.count(of: .milliseconds(1)) }
  }
}

extension Macro.SetSpeed {
  /// How long the macro waits afterwards, to 255 ms; see ``delay``.
  public var pause: Duration {
    get { .milliseconds(1) * Int(delay) }
    set { delay = newValue.count(of: .milliseconds(1)) }
  }
}

extension Macro.RGB {
  /// How long the macro waits afterwards, to 255 ms; see ``delay``.
  public var pause: Duration {
    get { .milliseconds(1) * Int(delay) }
    set { delay = newValue.count(of: .milliseconds(1)) }
  }
}

extension Macro.BackLED {
  /// How long the macro waits afterwards, to 255 ms; see ``delay``.
  public var pause: Duration {
    get { .milliseconds(1) * Int(delay) }
    set { delay = newValue.count(of: .milliseconds(1)) }
  }
}

extension Macro.Rotate {
  /// How long the turn takes, to 65.535 s; see ``time``.
  public var duration: Duration {
    get { .milliseconds(1) * Int(time) }
    set { time = newValue.count(of: .milliseconds(1)) }
  }
}

extension Macro.RollLong {
  /// How long the macro waits afterwards, to 65.535 s; see ``time``.
  public var duration: Duration {
    get { .milliseconds(1) * Int(time) }
    set { time = newValue.count(of: .milliseconds(1)) }
  }
}

extension Macro.SetSystemDelay1 {
  /// The delay, to 65.535 s; see ``time``.
  public var duration: Duration {
    get { .milliseconds(1) * Int(time) }
    set { time = newValue.count(of: .milliseconds(1)) }
  }
}

extension Macro.SetSystemDelay2 {
  /// The delay, to 65.535 s; see ``time``.
  public var duration: Duration {
    get { .milliseconds(1) * Int(time) }
    set { time = newValue.count(of: .milliseconds(1)) }
  }
}

extension Macro.Fade {
  /// How long the change takes, to 65.535 s; see ``time``.
  public var duration: Duration {
    get { .milliseconds(1) * Int(time) }
    set { time = newValue.count(of: .milliseconds(1)) }
  }
}

extension Macro.Wait {
  /// How long the macro waits, to 65.535 s; see ``time``.
  public var duration: Duration {
    get { .milliseconds(1) * Int(time) }
    set { time = newValue.count(of: .milliseconds(1)) }
  }
}

extension Macro.WaitUntilStopped {
  /// How long the macro waits at most, to 65.535 s; see ``limit``.
  public var timeLimit: Duration {
    get { .milliseconds(1) * Int(limit) }
    set { limit = newValue.count(of: .milliseconds(1)) }
  }
}
