// A robot for a page: words and bytes go in; bytes, news and what there is to draw come out.

import SpheroCapture
import SpheroControls
import SpheroDrawing
import SpheroHost
import SpheroModel
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

/// What a page on which a robot is driven knows and decides, as a value without input and output.
///
/// Whoever owns it hands in what hands do (``say(_:at:)``) and what comes on the line (``receive(_:at:)``),
/// after each of these calls sends what ``takeOutput(at:)`` gives until that is nil,
/// and calls ``advance(to:)`` at ``nextDeadline`` at the latest.
/// Docs/Page.md lists the words and the answers.
package struct Page: Sendable {
  /// Why a request was sent, and so what its answer means.
  enum Inquiry: Hashable, Sendable {
    case name, power, color, quiet
    /// A person asked for it.
    case raw(CommandID)
  }

  /// A hand on the joystick.
  struct Stick: Sendable {
    /// Where the puck is.
    var point = Point(x: 0, y: 0)
    /// When it falls back to the middle; nil while nobody holds it.
    var end: Duration?
    /// The speed at the rim, 0...1.
    var speed = 0.4
  }

  /// What has become of the conversation.
  enum Link: Hashable, Sendable {
    case closed, connecting, open, lost, leaving, left
  }

  /// The fields that the view is made of.
  static let viewMask = Odometry.mask.union([.quat, .imu])
  /// How long the joystick holds that nobody pushes again.
  static let holdTime = Duration.milliseconds(500)
  /// How long leaving waits at most until an aim that was begun is undone; the conversation has the rest of the second.
  static let undoTimeout = Duration.milliseconds(300)
  /// How often the battery is asked for.
  static let inquiryPeriod = Duration.seconds(30)

  var conversation: Conversation?
  var link = Link.closed
  var inquiries: [RequestID: Inquiry] = [:]
  var nextInquiry: Duration?
  /// When the conversation leaves at the latest; nil unless an aim is being undone before.
  var departure: Duration?
  var subscription: SubscriptionID?
  /// The stream that is wanted; nil for none.
  var request: StreamRequest? = Page.firstRequest
  /// What stands in a sample's news and rows.
  var shown = Page.firstRequest.mask
  var columns: StreamColumns
  var samplePrinter: RecordPrinter
  var detection: Sensing.ConfigureCollisionDetection? = CollisionPreset.normal.detection
  var stick = Stick()
  var drive = Drive.stop
  var ring = CalibrationRing()
  /// Whether the tail light is on for aiming, and the line that could switch it off is lost.
  var mustDarken = false
  var wheel = ColorWheel(pad: .unit)
  var monitor: Monitor
  var battery: Core.GetPowerState.Response?
  var name: String?
  var odometry: Odometry?
  var collisions = (count: 0, last: Sensing.Collision?.none, time: Duration.zero)
  var sampleCount = 0
  /// When bytes came from the robot last; nil before the first ones.
  var lastHeard: Duration?
  /// When a sample came last; nil before the first one.
  var lastSample: Duration?
  var news = NewsQueue()
  var recording = Recording()
  var opened: OpenedRecording?
  var now = Duration.zero
  /// The time since 1970 at zero of the clock.
  var wallClockStart = Duration.zero

  /// The stream that a page wants until somebody chooses another.
  private static let firstRequest = StreamRequest(mask: [.accel, .gyro, .imu, .velocity])

  /// Makes a page without a robot.
  package init() {
    columns = Self.columns(of: Self.firstRequest.mask, divisor: Self.firstRequest.divisor)
    samplePrinter = RecordPrinter(.json, kind: "sample", columns: columns.columns)
    monitor = Monitor(columns: [], rate: 20)
  }

  static func columns(of mask: SensorMask, divisor: UInt16) -> StreamColumns {
    StreamColumns(StreamColumnOptions(mask: mask, divisor: Int(divisor)))
  }

  // MARK: The line

  /// Takes bytes that came on the line; none let time pass.
  package mutating func receive(_ bytes: [UInt8], at now: Duration) {
    advance(to: now)
    guard !bytes.isEmpty, conversation != nil else { return }
    lastHeard = now
    recording.passed(bytes, from: .robot, at: now)
    conversation?.receive(bytes, at: now)
    settle()
  }

  /// Takes the next bytes to be sent; nil where there are none now.
  package mutating func takeOutput(at now: Duration) -> [UInt8]? {
    advance(to: now)
    guard let bytes = conversation?.takeOutput(at: now) else {
      settle()
      return nil
    }
    recording.passed(bytes, from: .host, at: now)
    settle()
    return bytes
  }

  /// When ``advance(to:)`` is to be called at the latest; nil where it waits for bytes alone.
  package var nextDeadline: Duration? {
    guard let conversation else { return nil }
    let own = [stick.end, link == .open ? nextInquiry : nil, departure, conversation.nextDeadline]
    return own.compactMap { $0 }.min()
  }

  /// Lets time pass.
  package mutating func advance(to time: Duration) {
    now = max(now, time)
    guard conversation != nil else { return }
    if let end = stick.end, end <= now { release() }
    if link == .open, let due = nextInquiry, due <= now {
      nextInquiry = now + Self.inquiryPeriod
      ask(Core.GetPowerState(), .power)
    }
    conversation?.advance(to: now)
    settle()
    if let departure, departure <= now || inquiries.isEmpty { depart() }
  }

  /// Puts the robot back and ends the conversation; an aim that was begun is undone first.
  mutating func leave() {
    (stick.end, drive, link) = (nil, .stop, .leaving)
    guard ring.isActive else { return depart() }
    perform(ring.cancel())
    departure = now + Self.undoTimeout
  }

  private mutating func depart() {
    departure = nil
    conversation?.leave(at: now)
    settle()
  }

  // MARK: The conversation

  /// Begins a conversation on a line that is open.
  mutating func connect(wallClock: Duration) {
    wallClockStart = wallClock - now
    var settings = HostSettings()
    settings.wallClockStart = wallClockStart
    settings.leaveTimeout = .seconds(1) - Self.undoTimeout
    // An answer to a former page is not taken for one to this page.
    settings.firstSequence = UInt8(wallClock.components.seconds % 255 + 1)
    conversation = Conversation(settings, at: now)
    (link, nextInquiry, subscription, inquiries) = (.connecting, nil, nil, [:])
    departure = nil
    (battery, name, odometry, sampleCount) = (nil, nil, nil, 0)
    (lastHeard, lastSample) = (nil, nil)
    (stick.end, drive, ring, mustDarken) = (nil, .stop, CalibrationRing(), false)
    collisions = (0, nil, .zero)
    // The robot tells its colour.
    monitor.color = nil
    makeMonitor()
    ask(Core.GetBluetoothInfo(), .name)
    ask(Core.GetPowerState(), .power)
    ask(Lights.GetRGBLED(), .color)
    ask(Core.SetPowerNotification(isOn: true), .quiet)
    if let detection { ask(detection, .quiet) }
    subscribe()
    settle()
  }

  /// Sends a request; its answer is reported by what was asked for.
  mutating func ask(_ request: some Request, _ inquiry: Inquiry) {
    guard let encoded = try? EncodedRequest(request) else { return }
    ask(encoded, inquiry)
  }

  mutating func ask(_ request: EncodedRequest, _ inquiry: Inquiry) {
    guard let id = conversation?.enqueue(request, at: now) else { return }
    inquiries[id] = inquiry
  }

  /// Streams what is wanted, and the fields that the view needs.
  mutating func subscribe() {
    if let subscription { conversation?.unsubscribe(subscription, at: now) }
    subscription = nil
    guard var request else { return }
    request.mask.formUnion(Self.viewMask)
    do throws(SessionError) {
      subscription = try conversation?.subscribe(request, at: now)
    } catch { tell(error) }
  }

  /// Forgets what was measured: another stream begins.
  mutating func makeMonitor() {
    let divisor = request?.divisor ?? 20
    columns = Self.columns(of: shown, divisor: divisor)
    samplePrinter = RecordPrinter(.json, kind: "sample", columns: columns.columns)
    let rate = Double(StreamRequest.sampleRate) / Double(divisor)
    var next = Monitor(columns: [], rate: rate)
    (next.color, next.battery) = (monitor.color, monitor.battery)
    monitor = next
  }

  // MARK: Hands

  /// A packet that stops the ball and wants no answer: the page sends it if the module fails.
  static let halt: [UInt8] = {
    guard let stop = try? EncodedRequest(Motion.Roll(speed: 0, heading: 0, state: .stop)) else { return [] }
    let packet = CommandPacket(
      id: stop.command, options: .resetTimeout, sequence: 0, payload: stop.payload)
    return (try? Packet.command(packet).encoded()) ?? []
  }()

  /// Pushes the joystick, for a while.
  mutating func push(to point: Point) {
    guard link == .open, !ring.isActive else { return }
    (stick.point, stick.end) = (Pad.unit.clamped(point), now + Self.holdTime)
    steer()
  }

  /// Sends what the joystick asks for, where that is new.
  mutating func steer() {
    let joystick = Joystick(
      pad: .unit, velocityScale: stick.speed, response: ResponseCurve(deadZone: 0.1))
    let wanted = stick.end == nil ? .stop : joystick.drive(at: stick.point)
    guard wanted != drive else { return }
    drive = wanted
    do throws(SessionError) {
      if let heading = wanted.heading, wanted.speedByte > 0 {
        try conversation?.drive(speed: wanted.speedByte, heading: heading.wholeDegrees, at: now)
      } else {
        try conversation?.stopDriving(at: now)
      }
    } catch { tell(error) }
  }

  /// Lets go of the joystick.
  mutating func release() {
    (stick.point, stick.end) = (Point(x: 0, y: 0), nil)
    steer()
  }

  /// Stops the ball, whatever moves it.
  mutating func stop() {
    if ring.isActive {
      // Where the ball looks now, it stays.
      ring = CalibrationRing()
      ask(Lights.SetBackLED(fraction: 0), .quiet)
    }
    (stick.point, stick.end, drive) = (Point(x: 0, y: 0), nil, .stop)
    do throws(SessionError) { try conversation?.stopDriving(at: now) } catch { tell(error) }
  }

  /// Does what the calibration ring says, in order.
  mutating func perform(_ actions: [CalibrationRing.Action]) {
    for action in actions {
      switch action {
      case .setTailLight(let isOn): ask(Lights.SetBackLED(fraction: isOn ? 1 : 0), .quiet)
      case .rotate(let heading): ask(Motion.Roll(heading, speed: 0), .quiet)
      case .setHeadingZero: ask(Motion.SetHeading(.ahead), .quiet)
      }
    }
  }

  /// Shows the colour of the wheel.
  mutating func showColor() {
    monitor.color = wheel.color
    guard link == .open || link == .connecting else { return }
    ask(Lights.SetRGBLED(wheel.color), .quiet)
  }
}
