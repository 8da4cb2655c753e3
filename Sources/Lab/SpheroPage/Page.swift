// The state of a page that drives a robot: turns commands and bytes into output, events and a view.

import SpheroCapture
import SpheroControls
import SpheroDrawing
import SpheroHost
import SpheroModel
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

/// The state of a page that drives a robot, without input and output.
///
/// The owner passes user input to ``execute(_:at:)`` and bytes from the line to ``receive(_:at:)``.
/// After each of these calls it sends the result of ``takeOutput(at:)`` until that is nil,
/// and it calls ``advance(to:)`` by ``nextDeadline``. Docs/Page.md lists the commands and their results.
package struct Page: Sendable {
  /// The purpose of a request, which determines the use of its response.
  enum Purpose: Hashable, Sendable {
    case name, power, color
    /// The response is ignored, but an error is reported.
    case setting
    /// The user requested it.
    case raw(CommandID)
    /// A command of a guided motion.
    case guidance
    /// A request of a program, and the command that aborts it.
    case program, abort
  }

  /// An input that holds the joystick; a pointer or a key takes precedence over the others.
  enum Hand: Hashable, Sendable {
    case pointer, gamepad, tilt
  }

  struct Stick: Sendable {
    var point = Point(x: 0, y: 0)
    /// When the puck returns to the centre; nil while the joystick is released.
    var end: Duration?
    /// The last input.
    var hand = Hand.pointer
    /// The speed at the rim, 0...1.
    var speed = Drive.defaultVelocityScale
  }

  /// The state of the conversation; the raw values are those of the view.
  enum Link: String, Hashable, Sendable {
    case closed, connecting, open, lost, leaving, left
  }

  /// The fields that the view requires.
  static let viewMask = Odometry.mask.union([.quat, .imu])
  /// How long the joystick is held without further input.
  static let holdTime = Duration.milliseconds(500)
  /// How long an aim after connecting waits for the heading of the robot.
  static let aimTimeout = Duration.seconds(1)
  /// How long leaving waits until aiming is undone; the conversation has the rest of a second.
  private static let undoTimeout = Duration.milliseconds(300)
  /// The interval at which the battery is queried.
  static let queryPeriod = Duration.seconds(30)
  /// The number of collisions whose places are kept.
  static let maximumMarkCount = 200
  /// The stream before the user selects another one.
  private static let defaultRequest = StreamRequest(mask: [.accel, .gyro, .imu, .velocity])

  var conversation: Conversation?
  var link = Link.closed
  var purposes: [RequestID: Purpose] = [:]
  var nextQuery: Duration?
  /// When the conversation leaves at the latest; nil unless aiming is being undone.
  private var shutdownDeadline: Duration?
  var subscription: SubscriptionID?
  /// The selected stream; nil for none.
  var request: StreamRequest? = Page.defaultRequest
  /// The fields of sample events and recorded rows.
  var shown = Page.defaultRequest.mask
  var columns = Page.columns(of: [], divisor: 20)
  var samplePrinter = RecordPrinter(.json, kind: "sample", columns: [])
  var detection: Sensing.ConfigureCollisionDetection? = CollisionPreset.normal.detection
  var stick = Stick()
  var drive = Drive.stop
  var ring = CalibrationRing()
  /// The angle of the ring since the aim began, in degrees clockwise; also beyond a full turn.
  var ringTurn = 0.0
  /// Whether an aim begins when the robot has connected.
  var mustAim = false
  /// When that aim begins without the heading of the robot; nil if it is not pending.
  var aimDeadline: Duration?
  var twist: Twist?
  var tilt: Tilt?
  var gamepad = Gamepad()
  /// Whether the tail light is on for aiming, and must be switched off after reconnection.
  var mustSwitchTailOff = false
  var wheel = ColorWheel(pad: .unit)
  var preview = ColorPreview()
  var monitor = Monitor(columns: [], rate: 20)
  var battery: Core.GetPowerState.Response?
  var name: String?
  var odometry: Odometry?
  var collisions = (count: 0, last: Sensing.Collision?.none, time: Duration.zero)
  /// The places of the latest collisions.
  var marks: [Playback.Mark] = []
  var sampleCount = 0
  /// The times of the last bytes and of the last sample from the robot.
  var lastHeard: Duration?
  var lastSample: Duration?
  /// The guided motion in progress, and its stream.
  var guidance: GuidedRun?
  var guidanceSubscription: SubscriptionID?
  /// The program that runs inside the robot.
  var program: ProgramRun?
  /// The abort of a program whose line was lost.
  var pendingAbort: EncodedRequest?
  var measurements = Measurements()
  var events = EventQueue()
  var recording = Recording()
  var opened: OpenedRecording?
  var now = Duration.zero
  /// The time since 1970 at zero of the clock.
  var wallClockStart = Duration.zero

  package init() { resetStream() }

  static func columns(of mask: SensorMask, divisor: UInt16) -> StreamColumns {
    StreamColumns(StreamColumnOptions(mask: mask, divisor: Int(divisor)))
  }

  // MARK: The line

  /// Handles bytes from the line; an empty array only advances time.
  package mutating func receive(_ bytes: [UInt8], at now: Duration) {
    advance(to: now)
    guard !bytes.isEmpty, conversation != nil else { return }
    lastHeard = now
    recording.append(bytes, from: .robot, at: now)
    conversation?.receive(bytes, at: now)
    handleUpdates()
  }

  /// Removes and returns the next bytes to send; nil if there are none now.
  package mutating func takeOutput(at now: Duration) -> [UInt8]? {
    advance(to: now)
    let bytes = conversation?.takeOutput(at: now)
    if let bytes { recording.append(bytes, from: .host, at: now) }
    handleUpdates()
    return bytes
  }

  /// When ``advance(to:)`` must be called; nil if only bytes are awaited.
  package var nextDeadline: Duration? {
    guard let conversation else { return nil }
    let own = [
      stick.end, tilt?.deadline, aimDeadline, link == .open ? nextQuery : nil, shutdownDeadline,
      guidance?.nextStep, program?.nextStep,
      conversation.nextDeadline,
    ]
    return own.compactMap { $0 }.min()
  }

  /// Advances the clock and performs what is due.
  package mutating func advance(to time: Duration) {
    now = max(now, time)
    guard conversation != nil else { return }
    if let end = stick.end, end <= now { expire() }
    if let deadline = tilt?.deadline, deadline <= now { endTilt(isSilent: true) }
    if let aimDeadline, aimDeadline <= now { beginAim() }
    if link == .open, let due = nextQuery, due <= now {
      nextQuery = now + Self.queryPeriod
      send(Core.GetPowerState(), .power)
    }
    conversation?.advance(to: now)
    handleUpdates()
    stepGuidance()
    stepProgram()
    expireRest()
    if let shutdownDeadline, shutdownDeadline <= now || purposes.isEmpty { endConversation() }
  }

  /// Restores the robot and ends the conversation, after undoing an aim and aborting a program in progress.
  mutating func leave() {
    (stick.end, drive, link) = (nil, .stop, .leaving)
    endInputs()
    endGuidance(reporting: "the page has left")
    let mustWait = ring.isActive || program != nil
    endProgram(reporting: "the page has left")
    perform(ring.cancel())
    guard mustWait else { return endConversation() }
    shutdownDeadline = now + Self.undoTimeout
  }

  private mutating func endConversation() {
    shutdownDeadline = nil
    conversation?.shutDown(at: now)
    handleUpdates()
  }

  // MARK: The conversation

  /// Begins a conversation on an open line, optionally with an aim when the robot has connected.
  mutating func connect(wallClock: Duration, mustAim: Bool) {
    self.mustAim = mustAim
    wallClockStart = wallClock - now
    var settings = HostSettings()
    settings.wallClockStart = wallClockStart
    settings.shutdownTimeout = .seconds(1) - Self.undoTimeout
    // Responses to an earlier page must not match requests of this one.
    settings.firstSequence = UInt8(wallClock.components.seconds % 255 + 1)
    conversation = Conversation(settings, at: now)
    (link, nextQuery, subscription, purposes, shutdownDeadline) = (.connecting, nil, nil, [:], nil)
    (battery, name, odometry, sampleCount) = (nil, nil, nil, 0)
    (lastHeard, lastSample) = (nil, nil)
    (stick.end, drive, ring, mustSwitchTailOff) = (nil, .stop, CalibrationRing(), false)
    endInputs()
    (guidance, guidanceSubscription, program, pendingAbort) = (nil, nil, nil, nil)
    (collisions, marks) = ((0, nil, .zero), [])
    (measurements.rest, measurements.calibration, measurements.game) = (nil, nil, nil)
    measurements.mustStabilize = false
    // The robot reports its own colour.
    (monitor.color, preview) = (nil, ColorPreview())
    resetStream()
    send(Core.GetBluetoothInfo(), .name)
    send(Core.GetPowerState(), .power)
    send(Lights.GetRGBLED(), .color)
    send(Core.SetPowerNotification(isOn: true), .setting)
    if let detection { send(detection, .setting) }
    subscribe()
    handleUpdates()
  }

  mutating func send(_ request: some Request, _ purpose: Purpose) {
    if let encoded = try? EncodedRequest(request) { send(encoded, purpose) }
  }

  mutating func send(_ request: EncodedRequest, _ purpose: Purpose) {
    if let id = conversation?.enqueue(request, at: now) { purposes[id] = purpose }
  }

  /// Requests the selected stream with the fields that the view requires.
  mutating func subscribe() {
    if let subscription { conversation?.unsubscribe(subscription, at: now) }
    subscription = nil
    guard var request else { return }
    request.mask.formUnion(Self.viewMask.union(measurements.mask))
    do throws(SessionError) { subscription = try conversation?.subscribe(request, at: now) } catch {
      report(error)
    }
  }

  /// Resets columns and measurements for a new stream.
  mutating func resetStream() {
    let divisor = request?.divisor ?? 20
    var options = StreamColumnOptions(mask: shown, divisor: Int(divisor))
    (options.filter, options.showsUnfiltered) = (measurements.filter, true)
    options.calibration = measurements.calibration
    columns = StreamColumns(options)
    samplePrinter = RecordPrinter(.json, kind: "sample", columns: columns.columns)
    let former = monitor
    monitor = Monitor(columns: [], rate: Double(StreamRequest.sampleRate) / Double(divisor))
    (monitor.color, monitor.battery) = (former.color, former.battery)
  }

  /// Removes the trail and the marks of collisions.
  mutating func clearPath() {
    monitor.clearTrail()
    marks = []
  }
}
