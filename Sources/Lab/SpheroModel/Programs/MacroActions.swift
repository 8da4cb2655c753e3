// The effects of macro steps on the robot and on the parameters of macros.

import SpheroProtocol

extension MacroCommand {
  /// Executes a step on the robot or on a parameter; ``MacroRun`` executes the steps of control flow.
  ///
  /// - Returns: The delay before the next step.
  func perform(_ parameters: inout MacroParameters, _ actions: inout some Actuators) -> Duration {
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
