// Headings, angles, colours and drives beside the integers of the wire, whose module knows no maths.

public import SpheroControls
public import SpheroOrientation
public import SpheroProtocol

extension Motion.Roll {
  /// Makes the command of a heading and a speed of 0...1; other speeds count as the nearest of these, not a number as 0.
  public init(_ direction: Heading, speed: Double, state: State = .drive) {
    let drive = Drive(heading: direction, speed: speed)
    self.init(speed: drive.speedByte, heading: direction.wholeDegrees, state: state)
  }

  /// Makes the command of what a control asks and ``HeadingHold`` has given a heading.
  public init(_ command: RollCommand) { self.init(speed: command.speed, heading: command.heading) }

  /// Makes the command of what a control asks; a control that names no heading keeps this one.
  public init(_ drive: Drive, holding heading: Heading) {
    var hold = HeadingHold(heading: heading)
    self.init(hold.command(for: drive))
  }

  /// The heading, clockwise from the aim; setting it rounds to whole degrees.
  public var direction: Heading {
    get { Heading(degrees: Double(heading)) ?? .ahead }
    set { heading = newValue.wholeDegrees }
  }

  /// What the command asks of the robot, by heading and speed alone.
  public var drive: Drive { Drive(heading: direction, speed: Double(speed) / 255) }
}

extension Motion.SetHeading {
  /// Makes the command that calls the present direction this heading.
  public init(_ direction: Heading) { self.init(heading: direction.wholeDegrees) }

  /// The heading that the present direction shall have; setting it rounds to whole degrees.
  public var direction: Heading {
    get { Heading(degrees: Double(heading)) ?? .ahead }
    set { heading = newValue.wholeDegrees }
  }
}

extension Motion.SetRotationRate {
  /// The turn in a second, in steps of 0.784 degrees; what lies beyond the wire's 0...255 steps counts as the end.
  public var turnPerSecond: Angle {
    get { .degrees(Double(rate) * Quantity.rotationSteps.perCount) }
    set {
      let steps = (newValue.degrees / Quantity.rotationSteps.perCount).rounded()
      rate = steps > 0 ? UInt8(min(steps, 255)) : 0
    }
  }
}

extension Motion.SelfLevel {
  /// The angle within which the robot counts as upright, 0...90 degrees; zero is the factory's.
  public var tiltLimit: Angle {
    get { .degrees(Double(angleLimit)) }
    set { angleLimit = newValue.degrees > 0 ? UInt8(min(newValue.degrees.rounded(), 90)) : 0 }
  }
}

extension Lights.SetRGBLED {
  /// Makes the command of a colour.
  ///
  /// - Parameters:
  ///   - color: The colour.
  ///   - persist: Whether it becomes the colour that the robot shows when it connects; that writes to its flash.
  public init(_ color: RGB, persist: Bool = false) {
    self.init(red: color.red, green: color.green, blue: color.blue, persist: persist)
  }

  /// The colour.
  public var color: RGB {
    get { RGB(red: red, green: green, blue: blue) }
    set { (red, green, blue) = (newValue.red, newValue.green, newValue.blue) }
  }
}

extension RGB {
  /// Makes the colour that a robot says it shows.
  public init(_ response: Lights.GetRGBLED.Response) {
    self.init(red: response.red, green: response.green, blue: response.blue)
  }
}

extension Lights.SetBackLED {
  /// Makes the command of a brightness of 0...1; others count as the nearest of these, not a number as 0.
  public init(fraction: Double) {
    self.init(brightness: Drive(heading: nil, speed: fraction).speedByte)
  }
}
