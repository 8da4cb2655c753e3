// The state of the connection to one robot, from the choice of a port to its closing.

import SpheroProtocol

/// The state of the connection to one robot, as a state machine; the raw values are those of the view.
enum ConnectionState: String, CaseIterable, Sendable {
  case closed
  case choosing
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

  /// An event of the connection; those of the port have the words of the command `port` as raw values.
  enum Event: String, CaseIterable, Sendable {
    case portChoice = "choosing"
    case portOpening = "opening"
    case portRefusal = "refused"
    case portClosing = "closed"
    /// A conversation begins on an open port.
    case connection
    case answer, sample, silence
    case loss
    /// The lost port is open again.
    case reconnection
    case leave
    /// The conversation has ended without an error.
    case end
    /// The conversation has ended by an error.
    case failure
  }

  /// Handles an event, and returns whether it fits the state; another one changes nothing.
  @discardableResult
  mutating func handle(_ event: Event) -> Bool {
    switch (event, self) {
    case (.portChoice, .closed): self = .choosing
    case (.portOpening, .choosing): self = .opening
    case (.portRefusal, .choosing), (.portRefusal, .opening): self = .closed
    // The page also closes the port if the conversation does not end in time.
    case (.portClosing, _): self = .closed
    case (.connection, _): self = .connecting
    case (.answer, .connecting), (.silence, .live), (.silence, .silent): self = .silent
    case (.sample, .live), (.sample, .silent): self = .live
    case (.loss, _) where hasConversation && self != .leaving: self = .lost
    case (.reconnection, .lost): self = .connecting
    case (.leave, _) where hasConversation: self = .leaving
    case (.leave, .ended), (.failure, .leaving): self = .left
    case (.end, _) where hasConversation: self = .left
    case (.failure, _) where hasConversation: self = .ended
    default: return false
    }
    return true
  }

  /// Whether the robot has answered on an open port that is not being left.
  var isOpen: Bool { self == .live || self == .silent }

  /// Whether settings of the user reach the robot, now or when it has answered.
  var takesSettings: Bool { isOpen || self == .connecting }

  private var hasConversation: Bool { takesSettings || self == .lost || self == .leaving }

  /// The label of the state, and why controls that need a robot are disabled; nil where they are not.
  private var texts: (label: String, reason: String?) {
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

  /// The time without a byte from the robot after which the page reports no answer instead of no samples.
  private static let answerPatience = Duration.seconds(2)

  /// What the page shows of the state, with the times since the last sample and the last byte; nil before the first one.
  func view(sampleAge: Duration? = nil, answerAge: Duration? = nil) -> FieldValue {
    let isSilent = self == .silent
    var (text, age) = (texts.label, isSilent ? sampleAge : nil)
    if isSilent, let answerAge, answerAge >= Self.answerPatience {
      (text, age) = ("No answer", answerAge)
    } else if isSilent, age == nil {
      text += " yet"
    }
    let caution = "No feedback: where the robot is and how fast it moves is unknown."
    return [
      "link": .text(rawValue), "text": .text(text),
      // Apart from the text, because screen readers must not announce each second.
      "age": .text(age.map { " for \($0.components.seconds) s" } ?? ""),
      "reason": .text(texts.reason), "caution": .text(isSilent ? caution : nil),
      "has_line": .flag(hasConversation || self == .left || self == .ended),
      "is_on": .flag(hasConversation && self != .leaving),
      "is_leaving": .flag(self == .leaving || self == .left),
      "is_over": .flag(self == .left || self == .ended),
      "can_drive": .flag(isOpen), "can_record": .flag(hasConversation),
    ]
  }
}
