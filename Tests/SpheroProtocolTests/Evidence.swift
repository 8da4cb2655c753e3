// The messages that appear in recordings of robots; all others are known from documents only.

import SpheroProtocol

/// The recordings of each message, named like the files in `Fixtures/captures`; `EvidenceTests` verifies the lists.
enum Evidence {
  /// The recordings in which a program sends this command.
  static func recordings(of id: CommandID) -> [String] { commands[id] ?? [] }

  /// The recordings in which a robot responds to this command with a payload.
  static func recordings(ofResponseTo id: CommandID) -> [String] { responses[id] ?? [] }

  /// The recordings in which a robot sends this event.
  static func recordings(of id: EventID) -> [String] { events[id] ?? [] }

  private static let commands: [CommandID: [String]] = [
    CommandID(0x00, 0x02): ["get-version"],
    CommandID(0x00, 0x30): ["enter-bootloader", "is-page-blank"],
    CommandID(0x00, 0x41): ["l2-diagnostics"],
    CommandID(0x01, 0x04): ["enter-bootloader", "is-page-blank"],
    CommandID(0x01, 0x05): ["is-page-blank"],
    CommandID(0x02, 0x40): ["get-factory-config"],
    CommandID(0x02, 0x42): ["l2-diagnostics", "set-device-mode"],
    CommandID(0x02, 0x44): ["get-device-mode", "l2-diagnostics", "set-device-mode"],
    CommandID(0x02, 0x46): ["get-soul"],
    CommandID(0x02, 0x50): ["macro-load-long-temp", "macro-load-short-temp", "macro-load-short-user"],
    CommandID(0x02, 0x51): ["macro-load-short-temp"],
    CommandID(0x02, 0x52): ["macro-load-short-user"],
    CommandID(0x02, 0x54): ["macro-load-long-temp", "macro-load-short-temp", "macro-load-short-user"],
    CommandID(0x02, 0x58): ["macro-load-long-temp"],
    CommandID(0x02, 0x60): ["basic-large-print", "basic-print"],
    CommandID(0x02, 0x61): ["basic-large-print", "basic-print"],
    CommandID(0x02, 0x62): ["basic-large-print", "basic-print"],
    CommandID(0x02, 0x63): ["basic-large-print", "basic-print"],
  ]

  private static let responses: [CommandID: [String]] = [
    CommandID(0x00, 0x02): ["get-version"],
    CommandID(0x01, 0x05): ["is-page-blank"],
    CommandID(0x02, 0x15): ["read-locator-ollie"],
    CommandID(0x02, 0x44): ["get-device-mode", "l2-diagnostics", "set-device-mode"],
  ]

  private static let events: [EventID: [String]] = [
    EventID(0x02): ["l1-diagnostics", "session-l1-diagnostics"],
    EventID(0x03): ["all-sensors-ollie"],
    EventID(0x04): ["get-factory-config"],
    EventID(0x06): ["macro-load-long-temp", "macro-load-short-temp", "macro-load-short-user"],
    EventID(0x07): ["collision-bb8"],
    EventID(0x08): ["basic-large-print", "basic-print"],
    EventID(0x0D): ["get-soul"],
  ]
}
