// The state of the connection to one robot, from the choice of a port to its closing.

import SpheroProtocol

/// The state of the connection to one robot, as a state machine.
///
/// The page passes what happens at the port, the conversation passes the answers of the robot. An event that does not
/// fit the phase changes nothing.
struct ConnectionState: Hashable, Sendable {
  /// The raw values are those of the view.
  enum Phase: String, CaseIterable, Sendable {
    /// There is no port.
    case closed
    /// The user chooses a port.
    case choosing
    /// The browser opens the port.
    case opening
    /// The robot has not answered yet, on a new port or on one that is open again.
    case connecting
    /// The robot has answered, and samples arrive.
    case live
    /// The robot has answered, and samples do not arrive.
    case silent
    /// The port has gone, and the page tries to open it again.
    case lost
    /// The conversation is being ended.
    case leaving
    /// The conversation has ended as the user wished; the port is to be closed.
    case left
    /// The conversation has ended by an error; the port is to be closed.
    case ended
    /// The module has failed, which only the page can observe.
    case failed
  }

  enum Event: CaseIterable, Sendable {
    case portChoice, portOpening, portRefusal, portClosing
    /// A conversation begins on an open port.
    case connection
    case answer, sample, silence
    /// The port was lost.
    case loss
    /// The lost port is open again.
    case reconnection
    /// The user ends the conversation.
    case leave
    /// The conversation has ended without an error.
    case end
    /// The conversation has ended by an error.
    case failure
  }

  private(set) var phase = Phase.closed

  /// Handles an event, and returns whether it fits the phase.
  @discardableResult
  mutating func handle(_ event: Event) -> Bool {
    guard let next = Self.phase(after: event, in: phase) else { return false }
    phase = next
    return true
  }

  /// The phase after an event; nil if the event does not fit.
  private static func phase(after event: Event, in phase: Phase) -> Phase? {
    switch (event, phase) {
    case (.portChoice, .closed): .choosing
    case (.portOpening, .choosing): .opening
    case (.portRefusal, .choosing), (.portRefusal, .opening): .closed
    // The page also closes the port if the conversation does not end in time.
    case (.portClosing, _): .closed
    case (.connection, _): .connecting
    case (.answer, .connecting), (.silence, .live), (.silence, .silent): .silent
    case (.sample, .live), (.sample, .silent): .live
    case (.loss, .connecting), (.loss, .live), (.loss, .silent), (.loss, .lost): .lost
    case (.reconnection, .lost): .connecting
    case (.leave, .connecting), (.leave, .live), (.leave, .silent), (.leave, .lost), (.leave, .leaving):
      .leaving
    case (.leave, .ended), (.failure, .leaving): .left
    case (.end, _) where phase.hasConversation: .left
    case (.failure, _) where phase.hasConversation: .ended
    default: nil
    }
  }

  /// Whether the robot has answered on an open port that is not being left.
  var isOpen: Bool { phase.isOpen }

  /// Whether settings of the user reach the robot, now or when it has answered.
  var takesSettings: Bool { isOpen || phase == .connecting }
}

extension ConnectionState.Phase {
  fileprivate var isOpen: Bool { self == .live || self == .silent }

  /// Whether there is a conversation.
  fileprivate var hasConversation: Bool {
    switch self {
    case .connecting, .live, .silent, .lost, .leaving: true
    case .closed, .choosing, .opening, .left, .ended, .failed: false
    }
  }

  /// The label of the phase, and why controls that need a robot are disabled; nil where they are not.
  fileprivate var texts: (label: String, reason: String?) {
    switch self {
    case .closed, .choosing: ("Not connected", "Connect a robot first.")
    case .opening: ("Opening the port…", "The port is being opened.")
    case .connecting: ("Waiting for the robot…", "The robot has not answered yet.")
    case .live: ("Connected", nil)
    case .silent: ("No samples", nil)
    case .lost: ("Connection lost", "The connection is lost; the page is trying again.")
    case .leaving, .left, .ended: ("Disconnecting…", "The page is disconnecting.")
    case .failed: ("The page has failed", "The page has failed. Reload it.")
    }
  }
}

/// What the page shows of the state of the connection.
struct ConnectionStatus: Sendable {
  /// The time without a byte from the robot after which the page reports no answer instead of no samples.
  private static let answerPatience = Duration.seconds(2)

  let phase: ConnectionState.Phase
  /// The time since the last sample; nil before the first one.
  var sampleAge: Duration?
  /// The time since the last byte; nil before the first one.
  var answerAge: Duration?

  /// A phrase about the absence of samples, and for how long; nil while they arrive.
  private var silence: (text: String, age: Duration?)? {
    guard phase == .silent else { return nil }
    if let answerAge, answerAge >= Self.answerPatience { return ("No answer", answerAge) }
    return sampleAge.map { ("No samples", $0) } ?? ("No samples yet", nil)
  }

  var view: FieldValue {
    let silence = silence
    let caution = "No feedback: where the robot is and how fast it moves is unknown."
    return .record([
      Field("link", .text(phase.rawValue)),
      Field("text", .text(silence?.text ?? phase.texts.label)),
      // Apart from the text, because screen readers must not announce each second.
      Field("age", .text(silence?.age.map { " for \($0.components.seconds) s" } ?? "")),
      Field("reason", .text(phase.texts.reason)),
      Field("caution", .text(phase == .silent ? caution : nil)),
      Field("has_line", .flag(phase.hasConversation || phase == .left || phase == .ended)),
      Field("is_on", .flag(phase.hasConversation && phase != .leaving)),
      Field("is_leaving", .flag(phase == .leaving || phase == .left)),
      Field("is_over", .flag(phase == .left || phase == .ended)),
      Field("can_drive", .flag(phase.isOpen)), Field("can_record", .flag(phase.hasConversation)),
    ])
  }
}
