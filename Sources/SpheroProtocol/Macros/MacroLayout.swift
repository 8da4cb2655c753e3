// The bytes of each step of a macro, laid out once.

extension MacroCommand: Message {
  /// Makes the step that ends a macro.
  public init() { self = .end }

  /// The opcode as a field.
  struct Opcode: WireChoice {
    let rawValue: UInt8
    init(rawValue: UInt8) { self.rawValue = rawValue }
    static var named: [Opcode] { all.map { Opcode(rawValue: $0.opcode) } }
    var name: String { byOpcode[rawValue]?.name ?? "unknown \(Hexadecimal.text([rawValue]))h" }
  }

  /// Visits the opcode and what follows it.
  public mutating func layout(_ wire: inout some Wire) throws(WireError) {
    var opcode = Opcode(rawValue: opcode)
    try wire.field("opcode", &opcode)
    if opcode.rawValue != self.opcode {
      self = Self.byOpcode[opcode.rawValue] ?? .unknown(opcode: opcode.rawValue, rest: [])
    }
    switch self {
    case .end, .streamEnd, .loopEnd, .loopStartSystem: break
    case .setSystemDelay1(var time):
      try wire.field("time", &time, .milliseconds)
      self = .setSystemDelay1(time)
    case .setSystemDelay2(var time):
      try wire.field("time", &time, .milliseconds)
      self = .setSystemDelay2(time)
    case .stabilization(var mode, var delay):
      try wire.field("mode", &mode)
      try wire.field("delay", &delay, .milliseconds)
      self = .stabilization(mode: mode, delay: delay)
    case .setHeading(var heading, var delay):
      try wire.field("heading", &heading, .degrees, in: 0...359)
      try wire.field("delay", &delay, .milliseconds)
      self = .setHeading(heading: heading, delay: delay)
    case .roll(var speed, var heading, var delay):
      try wire.field("speed", &speed)
      try wire.field("heading", &heading, .degrees, in: 0...359)
      try wire.field("delay", &delay, .milliseconds)
      self = .roll(speed: speed, heading: heading, delay: delay)
    case .rollSystemDelay1(var heading, var speed):
      try wire.field("heading", &heading, .degrees, in: 0...359)
      try wire.field("speed", &speed)
      self = .rollSystemDelay1(heading: heading, speed: speed)
    case .rgb(var red, var green, var blue, var delay):
      try wire.field("red", &red)
      try wire.field("green", &green)
      try wire.field("blue", &blue)
      try wire.field("delay", &delay, .milliseconds)
      self = .rgb(red: red, green: green, blue: blue, delay: delay)
    case .rgbSystemDelay2(var red, var green, var blue):
      try wire.field("red", &red)
      try wire.field("green", &green)
      try wire.field("blue", &blue)
      self = .rgbSystemDelay2(red: red, green: green, blue: blue)
    case .backLED(var brightness, var delay):
      try wire.field("brightness", &brightness)
      try wire.field("delay", &delay, .milliseconds)
      self = .backLED(brightness: brightness, delay: delay)
    case .rawMotors(var motors, var delay):
      try motors.layout(&wire)
      try wire.field("delay", &delay, .milliseconds)
      self = .rawMotors(motors: motors, delay: delay)
    case .wait(var time):
      try wire.field("time", &time, .milliseconds)
      self = .wait(time)
    case .goto(var macro):
      try wire.field("macro", &macro)
      self = .goto(macro)
    case .gosub(var macro):
      try wire.field("macro", &macro)
      self = .gosub(macro)
    case .sleep(var time):
      try wire.field("time", &time)
      self = .sleep(time)
    case .setSystemSpeed1(var speed):
      try wire.field("speed", &speed)
      self = .setSystemSpeed1(speed)
    case .setSystemSpeed2(var speed):
      try wire.field("speed", &speed)
      self = .setSystemSpeed2(speed)
    case .rollSystemSpeed1(var heading):
      try wire.field("heading", &heading, .degrees, in: 0...359)
      self = .rollSystemSpeed1(heading)
    case .rollSystemSpeed2(var heading):
      try wire.field("heading", &heading, .degrees, in: 0...359)
      self = .rollSystemSpeed2(heading)
    case .rotationRate(var rate):
      try wire.field("rate", &rate, .rotationSteps)
      self = .rotationRate(rate)
    case .fade(var red, var green, var blue, var time):
      try wire.field("red", &red)
      try wire.field("green", &green)
      try wire.field("blue", &blue)
      try wire.field("time", &time, .milliseconds)
      self = .fade(red: red, green: green, blue: blue, time: time)
    case .marker(var marker):
      try wire.field("marker", &marker)
      self = .marker(marker)
    case .waitUntilStopped(var limit):
      try wire.field("limit", &limit, .milliseconds)
      self = .waitUntilStopped(limit)
    case .rotate(var angle, var time):
      try wire.field("angle", &angle, .degrees)
      try wire.field("time", &time, .milliseconds)
      self = .rotate(angle: angle, time: time)
    case .rollLong(var speed, var heading, var time):
      try wire.field("speed", &speed)
      try wire.field("heading", &heading, .degrees, in: 0...359)
      try wire.field("time", &time, .milliseconds)
      self = .rollLong(speed: speed, heading: heading, time: time)
    case .loopStart(var count):
      try wire.field("count", &count)
      self = .loopStart(count)
    case .comment(var text):
      var count = UInt16(clamping: text.bytes.count)
      try wire.field("count", &count, in: 0...Self.longestComment)
      try wire.field("text", &text, count: Int(count))
      self = .comment(text)
    case .rotateSystemDelay1(var angle):
      try wire.field("angle", &angle, .degrees)
      self = .rotateSystemDelay1(angle)
    case .rotateSystemDelay2(var angle):
      try wire.field("angle", &angle, .degrees)
      self = .rotateSystemDelay2(angle)
    case .branchOnCollision(var macro):
      try wire.field("macro", &macro)
      self = .branchOnCollision(macro)
    case .setSpeed(var speed, var delay):
      try wire.field("speed", &speed)
      try wire.field("delay", &delay, .milliseconds)
      self = .setSpeed(speed: speed, delay: delay)
    case .configureCollision(var detection):
      try detection.layout(&wire)
      self = .configureCollision(detection)
    case .unknown(let opcode, var rest):
      try wire.field("rest", &rest, count: wire.remaining.map { max(0, $0 - 1) } ?? rest.count)
      self = .unknown(opcode: opcode, rest: rest)
    }
  }

  /// No buffer of the robot holds more.
  private static let longestComment: UInt16 = 2048
}
