// A step of a macro: its opcode and what follows it.

/// A step of a macro.
///
/// Most begin something and wait `delay` milliseconds, 0...255, before the next.
/// SD1 and SD2 are delays, SPD1 and SPD2 speeds that ``Macros/SetMacroParameter`` or a step sets.
/// Speeds are 0...255, headings 0...359 degrees clockwise.
/// Sphero Macros 0.92.
public enum MacroCommand: Hashable, Sendable {
  /// Ends the macro; ``Macro`` adds it behind the last command.
  case end
  /// Sets SD1.
  case setSystemDelay1(UInt16)
  /// Sets SD2.
  case setSystemDelay2(UInt16)
  /// Switches the control system, as ``Motion/SetStabilization`` does.
  case stabilization(mode: Motion.SetStabilization.Mode, delay: UInt8)
  /// Makes the present orientation the heading, as ``Motion/SetHeading`` does.
  case setHeading(heading: UInt16, delay: UInt8)
  /// Rolls on a heading.
  case roll(speed: UInt8, heading: UInt16, delay: UInt8)
  /// Rolls on a heading and waits for SD1; to be avoided,
  /// since the order of its bytes is doubtful: the document corrected the same order in ``roll(speed:heading:delay:)``.
  case rollSystemDelay1(heading: UInt16, speed: UInt8)
  /// Sets the colour.
  case rgb(red: UInt8, green: UInt8, blue: UInt8, delay: UInt8)
  /// Sets the colour and waits for SD2.
  case rgbSystemDelay2(red: UInt8, green: UInt8, blue: UInt8)
  /// Sets the tail light.
  case backLED(brightness: UInt8, delay: UInt8)
  /// Drives each motor by itself, as ``Motion/SetRawMotors`` does.
  case rawMotors(motors: Motion.SetRawMotors, delay: UInt8)
  /// Waits.
  case wait(UInt16)
  /// Goes on with another macro.
  case goto(UInt8)
  /// Runs another macro and comes back; that one may not do so again.
  case gosub(UInt8)
  /// Puts the robot to sleep; 0 is until it is shaken. The document prints milliseconds.
  case sleep(UInt16)
  /// Sets SPD1.
  case setSystemSpeed1(UInt16)
  /// Sets SPD2.
  case setSystemSpeed2(UInt16)
  /// Rolls on a heading at SPD1 and waits for SD1.
  case rollSystemSpeed1(UInt16)
  /// Rolls on a heading at SPD2 and waits for SD1.
  case rollSystemSpeed2(UInt16)
  /// Sets how fast the robot turns, as ``Motion/SetRotationRate`` does.
  case rotationRate(UInt8)
  /// Fades to a colour while the macro goes on.
  case fade(red: UInt8, green: UInt8, blue: UInt8, time: UInt16)
  /// Sends ``Macros/Marker``; 0 is reserved for the end.
  case marker(UInt8)
  /// Waits until the robot stands, but no longer than the limit.
  case waitUntilStopped(UInt16)
  /// Turns by an angle while the macro goes on.
  case rotate(angle: Int16, time: UInt16)
  /// Ends a stream; ``Macro`` adds it to the last piece.
  case streamEnd
  /// Rolls on a heading and waits long.
  case rollLong(speed: UInt8, heading: UInt16, time: UInt16)
  /// Begins a loop.
  case loopStart(UInt8)
  /// Ends a loop.
  case loopEnd
  /// Does nothing, but counts as a command.
  case comment(WireText)
  /// Turns by an angle in the time SD1.
  case rotateSystemDelay1(Int16)
  /// Turns by an angle in the time SD2.
  case rotateSystemDelay2(Int16)
  /// Goes on with another macro at the next impact; 0 ends that.
  case branchOnCollision(UInt8)
  /// Begins a loop with the count of ``Macros/SetMacroParameter``.
  case loopStartSystem
  /// Changes the speed and keeps the heading.
  case setSpeed(speed: UInt8, delay: UInt8)
  /// Configures collision detection, as ``Sensing/ConfigureCollisionDetection`` does.
  case configureCollision(Sensing.ConfigureCollisionDetection)
  /// A step that this library does not know; how many bytes are its own is not known either,
  /// so it holds all that follow but the last, which ends the macro.
  case unknown(opcode: UInt8, rest: [UInt8])
}

extension MacroCommand {
  /// The byte that stands for the step.
  public var opcode: UInt8 { code.opcode }

  /// The name of the step: its case.
  public var name: String { "\(code.name)" }

  /// Whether this library does not know the step; a robot aborts there.
  public var isUnknown: Bool {
    if case .unknown = self { true } else { false }
  }

  private var code: (opcode: UInt8, name: StaticString) {
    switch self {
    case .end: (0x00, "end")
    case .setSystemDelay1: (0x01, "setSystemDelay1")
    case .setSystemDelay2: (0x02, "setSystemDelay2")
    case .stabilization: (0x03, "stabilization")
    case .setHeading: (0x04, "setHeading")
    case .roll: (0x05, "roll")
    case .rollSystemDelay1: (0x06, "rollSystemDelay1")
    case .rgb: (0x07, "rgb")
    case .rgbSystemDelay2: (0x08, "rgbSystemDelay2")
    case .backLED: (0x09, "backLED")
    case .rawMotors: (0x0A, "rawMotors")
    case .wait: (0x0B, "wait")
    case .goto: (0x0C, "goto")
    case .gosub: (0x0D, "gosub")
    case .sleep: (0x0E, "sleep")
    case .setSystemSpeed1: (0x0F, "setSystemSpeed1")
    case .setSystemSpeed2: (0x10, "setSystemSpeed2")
    case .rollSystemSpeed1: (0x11, "rollSystemSpeed1")
    case .rollSystemSpeed2: (0x12, "rollSystemSpeed2")
    case .rotationRate: (0x13, "rotationRate")
    case .fade: (0x14, "fade")
    case .marker: (0x15, "marker")
    case .waitUntilStopped: (0x19, "waitUntilStopped")
    case .rotate: (0x1A, "rotate")
    case .streamEnd: (0x1B, "streamEnd")
    case .rollLong: (0x1D, "rollLong")
    case .loopStart: (0x1E, "loopStart")
    case .loopEnd: (0x1F, "loopEnd")
    case .comment: (0x20, "comment")
    case .rotateSystemDelay1: (0x21, "rotateSystemDelay1")
    case .rotateSystemDelay2: (0x22, "rotateSystemDelay2")
    case .branchOnCollision: (0x23, "branchOnCollision")
    case .loopStartSystem: (0x24, "loopStartSystem")
    case .setSpeed: (0x25, "setSpeed")
    case .configureCollision: (0x27, "configureCollision")
    case .unknown(let opcode, _): (opcode, "unknown")
    }
  }

  /// One of each known step, in the order of their opcodes.
  public static let all: [MacroCommand] = [
    .end, .setSystemDelay1(0), .setSystemDelay2(0), .stabilization(mode: .on, delay: 0),
    .setHeading(heading: 0, delay: 0), .roll(speed: 0, heading: 0, delay: 0),
    .rollSystemDelay1(heading: 0, speed: 0), .rgb(red: 0, green: 0, blue: 0, delay: 0),
    .rgbSystemDelay2(red: 0, green: 0, blue: 0), .backLED(brightness: 0, delay: 0),
    .rawMotors(motors: .init(), delay: 0), .wait(0), .goto(0), .gosub(0), .sleep(0), .setSystemSpeed1(0),
    .setSystemSpeed2(0), .rollSystemSpeed1(0), .rollSystemSpeed2(0), .rotationRate(0),
    .fade(red: 0, green: 0, blue: 0, time: 0), .marker(0), .waitUntilStopped(0), .rotate(angle: 0, time: 0),
    .streamEnd, .rollLong(speed: 0, heading: 0, time: 0), .loopStart(0), .loopEnd, .comment(""),
    .rotateSystemDelay1(0), .rotateSystemDelay2(0), .branchOnCollision(0), .loopStartSystem,
    .setSpeed(speed: 0, delay: 0), .configureCollision(.init()),
  ]

  static let byOpcode = Dictionary(uniqueKeysWithValues: all.map { ($0.opcode, $0) })
}
