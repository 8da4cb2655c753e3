// Every message that this library knows, found by ID.

/// Every message that this library knows.
///
/// Each feature lists its own, at the top of its file;
/// dissector, simulator, property test and `Docs/Protocol.md` read the lists from here.
public enum Catalogue {
  /// All requests, in the order of their IDs.
  public static let commands: [any Request.Type] = requestLists.flatMap { $0 }.sorted {
    ($0.id.device, $0.id.command) < ($1.id.device, $1.id.command)
  }

  /// All events, in the order of their IDs.
  public static let events: [any Event.Type] = eventLists.flatMap { $0 }.sorted {
    $0.id.rawValue < $1.id.rawValue
  }

  private static let requestLists: [[any Request.Type]] = [
    Core.commands, Core.powerCommands, Diagnostics.commands, Bootloader.commands, Motion.commands,
    Sensing.commands, Lights.commands, Settings.commands, Configuration.commands, Soul.blockCommands,
    Soul.commands,
    Macros.commands, OrbBasic.commands, Factory.commands,
  ]

  private static let eventLists: [[any Event.Type]] = [
    Core.events, Diagnostics.events, Sensing.events, Motion.events, Configuration.events, Soul.blockEvents,
    Soul.events,
    Macros.events, OrbBasic.events,
  ]

  private static let commandsByID = Dictionary(commands.map { ($0.id, $0) }) { first, _ in first }
  private static let eventsByID = Dictionary(events.map { ($0.id, $0) }) { first, _ in first }

  /// The request with this ID, or nil.
  public static func command(_ id: CommandID) -> (any Request.Type)? { commandsByID[id] }

  /// The event with this ID, or nil.
  public static func event(_ id: EventID) -> (any Event.Type)? { eventsByID[id] }
}
