// The link to a robot over Bluetooth LE: its handshake, packets as writes and notifications, and errors.

/// The link to an Ollie, BB-8 or SPRK+ as a value: the owner passes in completed operations, notifications and the time,
/// and takes out operations, events and the next deadline.
///
/// The owner performs one operation at a time: over an ATT client, Web Bluetooth or CoreBluetooth.
/// The handshake unlocks the radio service, wakes the main processor and subscribes to the responses, in this order.
/// A packet is cut into pieces; the robot confirms the last one, and the next packet waits for that.
public struct BluetoothLink: Sendable {
  /// What the link does, in this order.
  public enum Step: Int, Hashable, Sendable, CaseIterable {
    /// Finds the characteristics.
    case discover
    /// Unlocks the radio service.
    case unlock
    /// Wakes the main processor.
    case wake
    /// Subscribes to the responses.
    case subscribe
    /// Transfers packets.
    case ready

    /// A verb for errors, with its object.
    var name: String {
      switch self {
      case .discover: "list its characteristics"
      case .unlock: "unlock its radio service"
      case .wake: "wake up"
      case .subscribe: "send notifications"
      case .ready: "accept a command"
      }
    }
  }

  /// An operation that the owner performs, then reports by ``completed(at:)`` or ``fail(_:)``.
  public enum Operation: Hashable, Sendable {
    /// Connect where necessary, and find the characteristics of both services.
    case discover
    /// Write a value; with `isConfirmed`, as a write request, which the robot answers.
    case write([UInt8], to: RobotCharacteristic, isConfirmed: Bool)
    /// Subscribe to the notifications of a characteristic.
    case subscribe(to: RobotCharacteristic)
  }

  /// An event that the owner passes on.
  public enum Event: Hashable, Sendable {
    /// The robot accepts packets.
    case connected
    /// The robot has confirmed a packet, and accepts the next one.
    case sent
    /// Bytes of the robot; packets may begin and end anywhere in them.
    case received([UInt8])
    /// The link has ended.
    case failed(BluetoothError)
  }

  /// The text that unlocks the radio service.
  static let antiDOS: [UInt8] = Array("011i3".utf8)
  /// The payload of a write at the default MTU of 23 bytes.
  public static let defaultPieceCount = 20
  /// The time for one operation, except ``Operation/discover``.
  public static let operationTimeout = Duration.seconds(5)
  /// The time to connect and to find the characteristics.
  public static let discoveryTimeout = Duration.seconds(10)
  /// The time between the first confirmed packet and the first byte of the robot.
  public static let silenceTimeout = Duration.seconds(5)

  /// What the link does now.
  public private(set) var step = Step.discover
  /// The maximum number of bytes of a write, at least 1.
  public private(set) var pieceCount = defaultPieceCount
  /// The operation that is pending or performed.
  private var operation: Operation?
  private var isStarted = false
  /// The bytes of the packet that are not written yet.
  private var rest: ArraySlice<UInt8> = []
  /// Whether a packet is not confirmed yet.
  private var isSending = false
  private var deadline: Duration?
  private var silenceDeadline: Duration?
  private var hasReceived = false
  /// The error that ended the link; nil until then.
  package private(set) var error: BluetoothError?
  private var hasEnded: Bool { error != nil }
  private var events: [Event] = []

  /// Creates a link that starts to connect at `now`.
  public init(at now: Duration) {
    operation = .discover
    deadline = now + Self.discoveryTimeout
  }

  /// Sets the maximum number of bytes of a write: the MTU of the connection minus 3, clamped to 1...512.
  ///
  /// An attribute has at most 512 bytes (Bluetooth Core Specification, Vol 3, Part F, 3.2.9); a server drops a longer write.
  public mutating func setPieceCount(_ count: Int) { pieceCount = min(max(1, count), 512) }

  /// Removes and returns the next operation; nil while one is performed, and without one.
  public mutating func takeOperation() -> Operation? {
    guard !hasEnded, !isStarted, let operation else { return nil }
    isStarted = true
    return operation
  }

  /// Removes and returns the events, oldest first.
  public mutating func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  /// Whether ``send(_:at:)`` may be called.
  public var canSend: Bool { !hasEnded && step == .ready && !isSending }

  /// Sends a packet; does nothing unless ``canSend``, and for a packet without bytes.
  public mutating func send(_ packet: [UInt8], at now: Duration) {
    guard canSend, !packet.isEmpty else { return }
    (rest, isSending) = (packet[...], true)
    writePiece(at: now)
  }

  private mutating func writePiece(at now: Duration) {
    let piece = rest.prefix(pieceCount)
    rest = rest.dropFirst(piece.count)
    perform(.write(Array(piece), to: .commands, isConfirmed: rest.isEmpty), at: now)
  }

  private mutating func perform(_ next: Operation, at now: Duration) {
    (operation, isStarted, deadline) = (next, false, now + Self.operationTimeout)
  }

  /// Records that the operation is complete.
  public mutating func completed(at now: Duration) {
    guard !hasEnded, isStarted else { return }
    (operation, isStarted, deadline) = (nil, false, nil)
    switch step {
    case .discover:
      step = .unlock
      perform(.write(Self.antiDOS, to: .antiDOS, isConfirmed: true), at: now)
    case .unlock:
      step = .wake
      perform(.write([1], to: .wake, isConfirmed: true), at: now)
    case .wake:
      step = .subscribe
      perform(.subscribe(to: .responses), at: now)
    case .subscribe:
      step = .ready
      events.append(.connected)
    case .ready where !rest.isEmpty: writePiece(at: now)
    case .ready:
      isSending = false
      if !hasReceived { silenceDeadline = silenceDeadline ?? now + Self.silenceTimeout }
      events.append(.sent)
    }
  }

  /// Records a notification of the responses.
  public mutating func receive(_ bytes: [UInt8]) {
    guard !hasEnded, !bytes.isEmpty else { return }
    (hasReceived, silenceDeadline) = (true, nil)
    events.append(.received(bytes))
  }

  /// Ends the link with an error.
  public mutating func fail(_ error: BluetoothError) {
    guard !hasEnded else { return }
    self.error = error
    (operation, deadline, silenceDeadline, rest) = (nil, nil, nil, [])
    events.append(.failed(error))
  }

  /// Records that the connection ended.
  public mutating func disconnect() { fail(.disconnected(step)) }

  /// Ends the link if an operation or the first byte of the robot is overdue.
  public mutating func advance(to now: Duration) {
    if let deadline, now >= deadline {
      fail(.timedOut(step))
    } else if let silenceDeadline, now >= silenceDeadline {
      fail(.silent)
    }
  }

  /// When ``advance(to:)`` must be called at the latest; nil while nothing is awaited.
  public var nextDeadline: Duration? { [deadline, silenceDeadline].compactMap { $0 }.min() }
}

/// An error of the link to a robot over Bluetooth LE; each has one cause and one next step.
@nonexhaustive public enum BluetoothError: Error, Hashable, Sendable {
  /// The device lacks a characteristic, so it is another device or a robot with the later protocol.
  case missingCharacteristic(RobotCharacteristic)
  /// The responses have no client characteristic configuration (2902h), so the robot cannot notify.
  case missingConfiguration
  /// The robot refused an operation with an error code of the Attribute Protocol, like 03h, write not permitted.
  case refused(BluetoothLink.Step, code: UInt8)
  /// The robot did not complete an operation in time.
  case timedOut(BluetoothLink.Step)
  /// The robot accepted a command, but has never sent a byte.
  case silent
  /// The connection ended.
  case disconnected(BluetoothLink.Step)
  /// The device sent data that violates the Attribute Protocol.
  case malformed(BluetoothLink.Step)
}

extension BluetoothError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String { message + ". " + advice }

  /// What went wrong: one sentence without a full stop.
  public var message: String {
    switch self {
    case .missingCharacteristic(let characteristic):
      "the device has no characteristic " + characteristic.uuid + ", so it is no Ollie, BB-8 or SPRK+"
    case .missingConfiguration: "the robot offers no notifications"
    case .refused(let step, let code):
      "the robot refused to " + step.name + " (attribute error " + Self.hexadecimal(code) + ")"
    case .timedOut(let step): "the robot did not " + step.name + " in time"
    case .silent: "the robot accepts commands, but sends no responses"
    case .disconnected(.ready): "the robot disconnected"
    case .disconnected(let step): "the robot disconnected before it could " + step.name
    case .malformed(let step): "the device sent malformed data when asked to " + step.name
    }
  }

  /// The next step.
  public var advice: String {
    switch self {
    case .missingCharacteristic: "Choose a device whose name begins with 2B-, BB-, SK- or 1C-."
    case .missingConfiguration, .malformed:
      "Put the robot on its charger and take it off again, then try again."
    case .refused: "Restart the robot by its charger; if the error stays, report it with the code."
    case .timedOut, .disconnected: "Keep the robot near and awake, and close other programs that use it."
    case .silent: "Put the robot on its charger and take it off again; its main processor may not run."
    }
  }

  /// Whether another attempt may succeed: the robot is absent, asleep or in use.
  package var isTransient: Bool {
    switch self {
    case .timedOut, .disconnected: true
    default: false
    }
  }

  private static func hexadecimal(_ code: UInt8) -> String {
    (code < 0x10 ? "0" : "") + String(code, radix: 16, uppercase: true) + "h"
  }
}
