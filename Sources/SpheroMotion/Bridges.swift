// SpheroMotion bridges samples and wire integers to the maths. This file: commands and responses in headings, angles, colours and fractions.

public import SpheroControls
public import SpheroOrientation
public import SpheroProtocol

extension Motion.Roll {
  /// Creates the command from a heading, rounded to whole degrees, and a speed clamped to 0...1; NaN counts as 0.
  public init(_ direction: Heading, speed: Double, state: State = .drive) {
    let drive = Drive(heading: direction, speed: speed)
    self.init(speed: drive.speedByte, heading: direction.wholeDegrees, state: state)
  }

  public init(_ command: RollCommand) { self.init(speed: command.speed, heading: command.heading) }

  /// Creates the command of a drive request; `heading` is used if the request has none.
  public init(_ drive: Drive, holding heading: Heading) {
    var hold = HeadingHold(heading: heading)
    self.init(hold.command(for: drive))
  }

  /// The heading, clockwise from the aim; setting it rounds to whole degrees.
  public var direction: Heading {
    get { Heading(degrees: Double(heading)) ?? .ahead }
    set { heading = newValue.wholeDegrees }
  }

  /// Heading and speed as a drive request.
  public var drive: Drive { Drive(heading: direction, speed: Double(speed) / 255) }
}

extension Motion.SetHeading {
  /// Creates the command that assigns this heading, rounded to whole degrees, to the present orientation.
  public init(_ direction: Heading) { self.init(heading: direction.wholeDegrees) }

  /// The heading that the present orientation gets; setting it rounds to whole degrees.
  public var direction: Heading {
    get { Heading(degrees: Double(heading)) ?? .ahead }
    set { heading = newValue.wholeDegrees }
  }
}

extension Motion.SetRotationRate {
  /// The angle per second; setting it rounds to steps of 0.784 degrees and clamps to 0...255 steps.
  public var turnPerSecond: Angle {
    get { .degrees(Double(rate) * Quantity.rotationSteps.perCount) }
    set {
      let steps = (newValue.degrees / Quantity.rotationSteps.perCount).rounded()
      rate = steps > 0 ? UInt8(min(steps, 255)) : 0
    }
  }
}

extension Motion.SelfLevel {
  /// The largest tilt that counts as level, 0...90 degrees; 0 is the default of the firmware, 3 degrees.
  public var tiltLimit: Angle {
    get { .degrees(Double(angleLimit)) }
    set { angleLimit = newValue.degrees > 0 ? UInt8(min(newValue.degrees.rounded(), 90)) : 0 }
  }
}

extension Lights.SetRGBLED {
  /// Creates the command of a colour; with `persist`, the robot also stores it in flash and shows it on connecting.
  public init(_ color: RGB, persist: Bool = false) {
    self.init(red: color.red, green: color.green, blue: color.blue, persist: persist)
  }

  public var color: RGB {
    get { RGB(red: red, green: green, blue: blue) }
    set { (red, green, blue) = (newValue.red, newValue.green, newValue.blue) }
  }
}

extension RGB {
  /// The stored user colour.
  public init(_ response: Lights.GetRGBLED.Response) {
    self.init(red: response.red, green: response.green, blue: response.blue)
  }
}

extension Lights.SetBackLED {
  /// Creates the command from a brightness clamped to 0...1; NaN counts as 0.
  public init(fraction: Double) { self.init(brightness: Drive(heading: nil, speed: fraction).speedByte) }
}
