// The textual descriptions of the values of this module; numbers have at most six decimals.

import SpheroOrientation

extension Drive: CustomStringConvertible {
  /// Heading and speed: `90° at 50 %`, `at 50 %` if the robot keeps its heading, or `stop`.
  public var description: String {
    guard self != .stop else { return "stop" }
    return (heading.map { "\($0) " } ?? "") + "at \((speed * 100).reading) %"
  }
}

extension Position: CustomStringConvertible {
  public var description: String { "(\(x.reading), \(y.reading)) cm" }
}

extension Aim: CustomStringConvertible {
  /// Direction and length: `90°, 25 cm`, or the length if there is no direction.
  public var description: String { (heading.map { "\($0), " } ?? "") + "\(distance.reading) cm" }
}

extension HSB: CustomStringConvertible {
  public var description: String {
    "\(hue.reading)°, \((saturation * 100).reading) %, \((brightness * 100).reading) %"
  }
}

extension NamedColor: CustomStringConvertible {
  public var description: String { rawValue }
}

extension RollCommand: CustomStringConvertible {
  /// Heading and speed as on the wire: `90° at 128/255`.
  public var description: String { "\(heading)° at \(speed)/255" }
}

extension Point: CustomStringConvertible {
  public var description: String { "(\(x.reading), \(y.reading))" }
}

extension Levers: CustomStringConvertible {
  public var description: String { "gas \((gas * 100).reading) %, steer \((steer * 100).reading) %" }
}

extension CalibrationRing.Action: CustomStringConvertible {
  public var description: String {
    switch self {
    case .setTailLight(let isOn): isOn ? "tail light on" : "tail light off"
    case .rotate(let heading): "turn to \(heading)"
    case .setHeadingZero: "call this ahead"
    }
  }
}
