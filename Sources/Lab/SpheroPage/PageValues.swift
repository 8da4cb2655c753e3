// The values of which the page consists; each changes its own state alone.

import SpheroControls
import SpheroDrawing
import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

enum RequestPurpose: Hashable, Sendable {
  case name, power, color
  /// The response is ignored, but an error is reported.
  case setting
  /// The locator starts at its origin again.
  case locator
  /// The user requested it.
  case raw(CommandID)
  case guidance
  /// A request of a program, and the command that aborts it.
  case program, abort
}

struct RobotReport: Sendable {
  private static let maximumMarkCount = 200
  /// The interval at which the battery is queried.
  private static let queryPeriod = Duration.seconds(30)

  var name: String?
  var battery: Core.GetPowerState.Response?
  var odometry: Odometry?
  private(set) var collisions = (count: 0, last: Sensing.Collision?.none, time: Duration.zero)
  /// The places of the latest collisions.
  var marks: [Playback.Mark] = []
  var lastHeard: Duration?
  /// When the battery is queried next; nil before the robot has answered.
  private(set) var nextQuery: Duration?

  mutating func append(_ collision: Sensing.Collision, at now: Duration) {
    collisions = (collisions.count + 1, collision, now)
    marks.append(
      Playback.Mark(
        time: now / .seconds(1), x: odometry?.position.x, y: odometry?.position.y,
        direction: collision.direction?.degrees(digits: 0)))
    marks.removeFirst(max(0, marks.count - Self.maximumMarkCount))
  }

  mutating func scheduleQuery(at now: Duration) { nextQuery = now + Self.queryPeriod }
}

/// The stream that the user has selected, and the form of its samples.
struct SelectedStream: Sendable {
  /// The fields that a new page streams.
  static let initialMask: SensorMask = [.accel, .gyro, .imu, .velocity]

  var request: StreamRequest? = StreamRequest(mask: initialMask)
  /// The fields of sample events and recorded rows.
  var mask = initialMask
  var columns = Page.columns(of: [], divisor: 20)
  private var printer = RecordPrinter(.json, kind: "sample", columns: [])
  var subscription: SubscriptionID?
  private(set) var sampleCount = 0
  private(set) var lastSample: Duration?

  var divisor: UInt16 { request?.divisor ?? 20 }

  /// The rate in hertz that was requested; nil without a stream.
  var rate: Double? { request.map { Double(StreamRequest.sampleRate) / Double($0.divisor) } }

  mutating func restart() { (subscription, sampleCount, lastSample) = (nil, 0, nil) }

  mutating func resetColumns(filter: SignalFilter, calibration: RestCalibration?) {
    var options = StreamColumnOptions(mask: mask, divisor: Int(divisor))
    (options.filter, options.showsUnfiltered) = (filter, true)
    options.calibration = calibration
    columns = StreamColumns(options)
    printer = RecordPrinter(.json, kind: "sample", columns: columns.columns)
  }

  mutating func append(_ sample: TimedSample, at now: Duration) -> [UInt8] {
    sampleCount += 1
    lastSample = now
    var line: [UInt8] = []
    printer.append(to: &line) { columns.add(sample, to: &$0) }
    return line
  }
}

struct Stick: Sendable {
  /// An input that holds the joystick; the pointer takes precedence over the others.
  enum Hand: Hashable, Sendable {
    /// A pointer or a key.
    case pointer
    case gamepad, tilt
  }

  private static let holdTime = Duration.milliseconds(500)

  private(set) var point = Point(x: 0, y: 0)
  /// When the puck returns to the centre; nil while the joystick is released.
  private(set) var end: Duration?
  private(set) var hand = Hand.pointer
  /// The speed at the rim, 0...1.
  var speed = Drive.defaultVelocityScale
  private(set) var drive = Drive.stop

  var isHeld: Bool { end != nil }

  func isHeld(by hand: Hand) -> Bool { isHeld && self.hand == hand }

  mutating func push(to point: Point, by hand: Hand, at now: Duration) {
    (self.point, end, self.hand) = (Pad.unit.clamped(point), now + Self.holdTime, hand)
  }

  mutating func release() { (point, end) = (Point(x: 0, y: 0), nil) }

  /// Releases the joystick after something else has stopped the ball, so that ``takeDrive()`` returns no further stop.
  mutating func reset() {
    release()
    drive = .stop
  }

  /// The drive that is to be sent; nil if it was sent already.
  mutating func takeDrive() -> Drive? {
    let wanted = isHeld ? joystick.drive(at: point) : .stop
    guard wanted != drive else { return nil }
    drive = wanted
    return wanted
  }

  var joystick: Joystick { Joystick(pad: .unit, velocityScale: speed, response: Page.response) }
}

struct Aiming: Sendable {
  /// A rotation gesture of two touches, or of the right stick of a gamepad about its centre.
  struct Twist: Sendable {
    var gesture = RotationGesture()
    /// The part of the rotation that the ring has followed, in degrees.
    var followed = 0.0
    /// Whether this gesture began the aim, so that its end ends the aim.
    var hasBegun = false
    /// Whether the rest of the gesture has no effect, because the robot was stopped or another input has ended the aim.
    var isBlocked = false
  }

  /// How long an aim after connecting waits for the heading of the robot.
  private static let timeout = Duration.seconds(1)

  var ring = CalibrationRing()
  /// The angle of the ring since the aim began, in degrees clockwise; also beyond a full turn.
  private(set) var turn = 0.0
  /// Whether an aim begins when the robot has connected.
  private var mustBegin = false
  /// When that aim begins without the heading of the robot; nil if it is not pending.
  var deadline: Duration?
  var twist: Twist?
  /// Whether the tail light is on for aiming, and must be switched off after reconnection.
  var isTailLightLeft = false

  var isActive: Bool { ring.isActive }

  /// Prepares a new conversation, with which an aim begins or not.
  mutating func restart(mustBegin: Bool) {
    (ring, twist, isTailLightLeft, self.mustBegin) = (CalibrationRing(), nil, false, mustBegin)
  }

  /// Waits for the heading of a robot that has connected, if an aim is to begin.
  mutating func awaitHeading(at now: Duration) { if mustBegin { deadline = now + Self.timeout } }

  mutating func begin(at heading: Heading) -> [CalibrationRing.Action] {
    (turn, deadline) = (0, nil)
    return ring.begin(at: heading)
  }

  mutating func turn(to degrees: Double) -> [CalibrationRing.Action] {
    guard ring.isActive, abs(degrees) <= 36_000 else { return [] }
    turn = degrees
    return ring.turn(sinceBeginning: degrees)
  }

  /// Ends an aim and keeps the heading of the ball; returns whether there was one.
  mutating func abandon() -> Bool {
    guard ring.isActive else { return false }
    ring = CalibrationRing()
    return true
  }

  /// Ends an aim whose link is lost: it does not continue after reconnection, which switches the light off.
  mutating func loseLink() { if abandon() { isTailLightLeft = true } }
}

/// The colour: the picker, and what the page knows of the colour of the robot.
struct Light: Sendable {
  var picker = ColorPicker(previous: NamedColor.white.rgb)
  /// The colour that the robot shows; nil while it is unknown.
  private var shown: RGB?
  /// The colour that is seen on a simulated robot, whatever set it; nil for a real robot.
  var seen: RGB?
  /// The brightness of the tail light that the user has selected, 0...1.
  var tail = 0.0
  /// Whether the previous colour is that of the robot before a change.
  private var hasPrevious = false
  /// Whether the user is picking: changes have begun and are not finished.
  private var isPicking = false

  /// The colours of the two preview windows; nil while they are unknown.
  var previous: RGB? { hasPrevious ? picker.previous : nil }
  var current: RGB? { shown.map { _ in picker.current } }
  /// The colour to draw the robot with: the one that is seen on it, or else the one that it shows as far as is known.
  var visible: RGB? { seen ?? shown }

  /// Forgets the colours and the tail light of the former robot; the wheel remains.
  mutating func restart() { (shown, seen, tail, hasPrevious, isPicking) = (nil, nil, 0, false, false) }

  /// Shows the colour that the robot reports, unless the user has picked another one meanwhile.
  mutating func handle(_ color: RGB) {
    guard shown == nil else { return }
    picker.wheel.show(color)
    picker.restart()
    shown = color
    // The change is not the user's.
    _ = picker.takeEvents()
  }

  /// Changes the colour by a function of the wheel; the first change makes the colour of the robot the previous one.
  mutating func change(_ change: (inout ColorWheel) -> Void) {
    var changed = picker.wheel
    change(&changed)
    if !isPicking, changed.color != picker.color {
      (hasPrevious, isPicking) = (shown != nil, true)
      picker.restart()
    }
    picker.wheel = changed
    shown = picker.color
  }

  /// Ends a change of the colour; without one, does nothing.
  mutating func finish() {
    guard isPicking else { return }
    isPicking = false
    picker.finish()
  }

  /// Shows the colour of a preview window again, and ends the change; returns whether that colour is known.
  mutating func select(_ swatch: ColorPicker.Swatch) -> Bool {
    guard (swatch == .previous ? previous : current) != nil else { return false }
    finish()
    picker.select(swatch)
    picker.finish()
    shown = picker.color
    return true
  }
}
