// The state of a page that drives a robot: turns commands and bytes into output, events and a view.

package import SpheroBluetooth
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
/// At ``nextDeadline`` it calls ``receive(_:at:)`` with an empty array. After each of these calls, it sends the result of
/// ``takeOutput(at:)`` until that is nil. Docs/Page.md lists the commands and their results.
package struct Page: Sendable {
  static let viewMask = Odometry.mask.union([.quat, .imu])
  /// How long leaving waits for undoing an aim and aborting a program; the shutdown has the rest of a second.
  private static let undoTimeout = Duration.milliseconds(300)
  /// The size in bytes of the buffer that transfers commands, bytes and results.
  static let maximumAnswerSize = 1 << 22

  var connection = ConnectionState.closed
  var conversation: Conversation?
  /// The pending requests, and the names of their commands.
  var requests: [RequestID: (purpose: RequestPurpose, command: String)] = [:]
  /// When the conversation leaves at the latest; nil unless it waits for undoing an aim or aborting a program.
  private var shutdownDeadline: Duration?
  var robot = RobotReport()
  var stream = SelectedStream()
  var detection: Sensing.ConfigureCollisionDetection? = CollisionPreset.normal.detection
  var stick = Stick()
  var aiming = Aiming()
  var tilt: Tilt?
  var gamepad = Gamepad()
  var light = Light()
  /// Attitude, trail and rate of the samples.
  var monitor = Monitor(columns: [], rate: 20)
  var guidance = Guidance()
  var program = Program()
  var measurements = Measurements()
  var events = EventQueue()
  var viewChanges = ViewChanges()
  var pathChanges = PathChanges()
  var recording = Recording()
  var opened: OpenedRecording?
  /// The walls of a simulated robot's room; missing for other robots.
  var walls = FieldValue.missing
  /// The link to a robot over Bluetooth LE; nil with another line.
  package var link: BluetoothLink?
  private(set) var now = Duration.zero
  /// The time since 1970 at zero of the clock.
  private(set) var wallClockStart = Duration.zero

  package init() { resetStream() }

  static func columns(of mask: SensorMask, divisor: UInt16) -> StreamColumns {
    StreamColumns(StreamColumnOptions(mask: mask, divisor: Int(divisor)))
  }

  // MARK: The line

  /// Handles bytes from the line; an empty array only advances time.
  package mutating func receive(_ bytes: [UInt8], at now: Duration) {
    advance(to: now)
    guard !bytes.isEmpty, conversation != nil else { return }
    robot.lastHeard = now
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
    return [
      stick.end, tilt?.deadline, aiming.deadline, connection.isOpen ? robot.nextQuery : nil, shutdownDeadline,
      guidance.run?.nextStep, program.run?.nextStep, measurements.rest?.deadline, conversation.nextDeadline,
    ].compactMap { $0 }.min()
  }

  /// Advances the clock and performs what is due.
  package mutating func advance(to time: Duration) {
    now = max(now, time)
    guard conversation != nil else { return }
    if let end = stick.end, end <= now { expire() }
    if let deadline = tilt?.deadline, deadline <= now { endTilt(isSilent: true) }
    if let deadline = aiming.deadline, deadline <= now { beginAim() }
    if connection.isOpen, let due = robot.nextQuery, due <= now {
      robot.scheduleQuery(at: now)
      send(Core.GetPowerState(), .power)
    }
    conversation?.advance(to: now)
    handleUpdates()
    stepGuidance()
    stepProgram()
    expireRest()
    if let shutdownDeadline, shutdownDeadline <= now || requests.isEmpty { endConversation() }
  }

  /// Restores the robot and ends the conversation, after undoing an aim and aborting a program in progress.
  mutating func leave() {
    // Another `leave` must not cut the undo short.
    guard shutdownDeadline == nil else { return }
    stick.reset()
    endInputs()
    endGuidance(reporting: "the page has left")
    let mustWait = aiming.isActive || program.run != nil
    endProgram(reporting: "the page has left")
    perform(aiming.ring.cancel())
    guard mustWait else { return endConversation() }
    shutdownDeadline = now + Self.undoTimeout
  }

  private mutating func endConversation() {
    shutdownDeadline = nil
    conversation?.shutDown(at: now)
    handleUpdates()
  }

  // MARK: The conversation

  /// Begins a conversation on an open line, with the word `aim` also an aim when the robot has connected.
  mutating func connect(_ words: inout CommandParser) throws(PageError) {
    let wallClock = Duration.milliseconds(try words.number(in: 0...1e15))
    let mustAim = words.skip("aim")
    try words.end {}
    wallClockStart = wallClock - now
    var settings = HostSettings()
    settings.wallClockStart = wallClockStart
    settings.shutdownTimeout = .seconds(1) - Self.undoTimeout
    // Responses to an earlier page must not match requests of this one.
    settings.firstSequence = UInt8(wallClock.components.seconds % 255 + 1)
    conversation = Conversation(settings, at: now)
    connection.handle(.connection)
    (requests, robot, shutdownDeadline) = ([:], RobotReport(), nil)
    stream.restart()
    stick.reset()
    aiming.restart(mustBegin: mustAim)
    endInputs()
    (guidance, program) = (Guidance(), Program())
    restartMeasurements()
    // The robot reports its own colour.
    light.restart()
    walls = .missing
    clearPath()
    resetStream()
    send(Core.GetBluetoothInfo(), .name)
    send(Core.GetPowerState(), .power)
    send(Lights.GetRGBLED(), .color)
    send(Core.SetPowerNotification(isOn: true), .setting)
    if let detection { send(detection, .setting) }
    subscribe()
    handleUpdates()
  }

  mutating func send(_ request: some Request, _ purpose: RequestPurpose) {
    if let encoded = try? EncodedRequest(request) { send(encoded, purpose) }
  }

  mutating func send(_ request: EncodedRequest, _ purpose: RequestPurpose) {
    if let id = conversation?.enqueue(request, at: now) { requests[id] = (purpose, request.name) }
  }

  /// Requests the selected stream with the fields that the view requires.
  mutating func subscribe() {
    if let former = stream.subscription { conversation?.unsubscribe(former, at: now) }
    stream.subscription = nil
    guard var request = stream.request else { return }
    request.mask.formUnion(Self.viewMask.union(measurements.mask))
    do throws(SessionError) { stream.subscription = try conversation?.subscribe(request, at: now) } catch {
      report(error)
    }
  }

  /// Resets columns and measurements for a new stream; the trail continues.
  mutating func resetStream() {
    stream.resetColumns(filter: measurements.filter, calibration: measurements.calibration)
    let trail = monitor.trail
    monitor = Monitor(columns: [], rate: Double(StreamRequest.sampleRate) / Double(stream.divisor))
    (monitor.color, monitor.trail) = (light.visible, trail)
  }

  mutating func clearPath() {
    (monitor.trail, pathChanges) = (Trail(), PathChanges())
    robot.marks = []
  }
}
