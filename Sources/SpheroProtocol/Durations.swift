// Durations of messages and macro steps, in addition to the integers of the wire.
//
// The setters round to the nearest count, and limit it to the range of the integer.

extension Duration {
  /// The nearest count of a unit, limited to 0 and the maximum of the integer.
  fileprivate func count<Count: WireInteger>(of unit: Duration) -> Count {
    let count = (inSeconds / unit.inSeconds).rounded()
    return count <= 0 ? 0 : count >= Double(Count.max) ? Count.max : Count(count)
  }
}

extension Core.SetInactivityTimeout {
  /// The time without a command after which the robot sleeps, to 65,535 s; see ``seconds``.
  public var inactivityTimeout: Duration {
    get { .seconds(1) * Int(seconds) }
    set { seconds = newValue.count(of: .seconds(1)) }
  }

  /// Creates the command for a duration; encoding refuses less than a minute.
  public init(inactivityTimeout: Duration) {
    self.init()
    self.inactivityTimeout = inactivityTimeout
  }
}

extension Core.Sleep {
  /// The duration of the sleep, to 65,534 s; zero means until the robot is shaken; see ``wakeup``.
  public var wakeupDelay: Duration {
    get { .seconds(1) * Int(wakeup) }
    set { wakeup = min(0xFFFE, newValue.count(of: .seconds(1))) }
  }
}

extension Core.SetAutoReconnect {
  /// The time from power-up to the connection, to 255 s; see ``seconds``.
  public var delay: Duration {
    get { .seconds(1) * Int(seconds) }
    set { seconds = newValue.count(of: .seconds(1)) }
  }
}

extension Core.GetAutoReconnect.Response {
  /// The time from power-up to the connection, to 255 s; see ``seconds``.
  public var delay: Duration {
    get { .seconds(1) * Int(seconds) }
    set { seconds = newValue.count(of: .seconds(1)) }
  }
}

extension Core.GetPowerState.Response {
  /// The time since the battery was charged; see ``secondsSinceCharge``.
  public var timeSinceCharge: Duration {
    get { .seconds(1) * Int(secondsSinceCharge) }
    set { secondsSinceCharge = newValue.count(of: .seconds(1)) }
  }
}

extension Core.AssignTime {
  /// The time to which the robot's clock is set; see ``time``.
  public var clock: Duration {
    get { .milliseconds(1) * Int64(time) }
    set { time = newValue.count(of: .milliseconds(1)) }
  }
}

extension Motion.SelfLevel {
  /// The timeout, to 255 s; zero means 15 s; see ``timeout``.
  public var timeLimit: Duration {
    get { .seconds(1) * Int(timeout) }
    set { timeout = newValue.count(of: .seconds(1)) }
  }

  /// The time that the robot must be level, to 2.55 s; zero means 0.3 s; see ``trueTime``.
  public var levelTime: Duration {
    get { .milliseconds(10) * Int(trueTime) }
    set { trueTime = newValue.count(of: .milliseconds(10)) }
  }
}

extension Motion.SetMotionTimeout {
  /// The time without a motion command after which the robot stops, to 65.535 s; see ``time``.
  public var motionTimeout: Duration {
    get { .milliseconds(1) * Int(time) }
    set { time = newValue.count(of: .milliseconds(1)) }
  }

  /// Creates the command for a duration, rounded to the nearest count.
  public init(motionTimeout: Duration) {
    self.init()
    self.motionTimeout = motionTimeout
  }
}

extension Sensing.ConfigureCollisionDetection {
  /// The time after a collision during which no other one is reported, to 2.55 s; see ``deadTime``.
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
  /// The time of the collision by the robot's clock; see ``timestamp``.
  public var time: Duration {
    get { .milliseconds(1) * Int64(timestamp) }
    set { timestamp = newValue.count(of: .milliseconds(1)) }
  }
}

/// A step of a macro that waits after its action, for up to 255 ms.
public protocol MacroStepWithDelay: MacroStep {
  /// In milliseconds.
  var delay: UInt8 { get set }
}

extension MacroStepWithDelay {
  /// The time that the macro waits after the action, to 255 ms; see ``delay``.
  public var pause: Duration {
    get { .milliseconds(1) * Int(delay) }
    set { delay = newValue.count(of: .milliseconds(1)) }
  }
}

/// A step of a macro with a duration up to 65.535 s.
public protocol MacroStepWithTime: MacroStep {
  /// In milliseconds.
  var time: UInt16 { get set }
}

extension MacroStepWithTime {
  /// The duration of the turn, roll, fade or wait, to 65.535 s; see ``time``.
  public var duration: Duration {
    get { .milliseconds(1) * Int(time) }
    set { time = newValue.count(of: .milliseconds(1)) }
  }
}

extension Macro.WaitUntilStopped {
  /// The maximum time that the macro waits, to 65.535 s; see ``limit``.
  public var timeLimit: Duration {
    get { .milliseconds(1) * Int(limit) }
    set { limit = newValue.count(of: .milliseconds(1)) }
  }
}
