// What a step of a macro is, and the list of all that are known.

/// A step of a macro: a message after an opcode.
///
/// Most begin something and wait `delay` milliseconds, 0...255, before the next.
/// SD1 and SD2 are delays, SPD1 and SPD2 speeds that ``Macros/SetMacroParameter`` or a step sets.
/// Sphero Macros 0.92.
public protocol MacroStep: Message {
  /// The byte that stands for the step.
  static var opcode: UInt8 { get }
}

/// Visits the kinds of steps, as a ``CatalogueVisitor`` visits those of messages.
public protocol MacroStepVisitor {
  /// Visits a step.
  ///
  /// - Parameters:
  ///   - type: The step.
  ///   - name: Its name, like `roll`.
  mutating func step<S: MacroStep>(_ type: S.Type, _ name: StaticString)
}

extension Macro {
  /// Visits all steps, in the order of their opcodes.
  ///
  /// - Parameter visitor: What walks through.
  public static func visitSteps(_ visitor: inout some MacroStepVisitor) {
    visitor.step(End.self, "end")
    visitor.step(SetSystemDelay1.self, "setSystemDelay1")
    visitor.step(SetSystemDelay2.self, "setSystemDelay2")
    visitor.step(Stabilization.self, "stabilization")
    visitor.step(SetHeading.self, "setHeading")
    visitor.step(Roll.self, "roll")
    visitor.step(RollSystemDelay1.self, "rollSystemDelay1")
    visitor.step(RGB.self, "rgb")
    visitor.step(RGBSystemDelay2.self, "rgbSystemDelay2")
    visitor.step(BackLED.self, "backLED")
    visitor.step(RawMotors.self, "rawMotors")
    visitor.step(Wait.self, "wait")
    visitor.step(Goto.self, "goto")
    visitor.step(Gosub.self, "gosub")
    visitor.step(Sleep.self, "sleep")
    visitor.step(SetSystemSpeed1.self, "setSystemSpeed1")
    visitor.step(SetSystemSpeed2.self, "setSystemSpeed2")
    visitor.step(RollSystemSpeed1.self, "rollSystemSpeed1")
    visitor.step(RollSystemSpeed2.self, "rollSystemSpeed2")
    visitor.step(RotationRate.self, "rotationRate")
    visitor.step(Fade.self, "fade")
    visitor.step(Marker.self, "marker")
    visitor.step(WaitUntilStopped.self, "waitUntilStopped")
    visitor.step(Rotate.self, "rotate")
    visitor.step(StreamEnd.self, "streamEnd")
    visitor.step(RollLong.self, "rollLong")
    visitor.step(LoopStart.self, "loopStart")
    visitor.step(LoopEnd.self, "loopEnd")
    visitor.step(Comment.self, "comment")
    visitor.step(RotateSystemDelay1.self, "rotateSystemDelay1")
    visitor.step(RotateSystemDelay2.self, "rotateSystemDelay2")
    visitor.step(BranchOnCollision.self, "branchOnCollision")
    visitor.step(LoopStartSystem.self, "loopStartSystem")
    visitor.step(SetSpeed.self, "setSpeed")
    visitor.step(ConfigureCollision.self, "configureCollision")
  }
}
