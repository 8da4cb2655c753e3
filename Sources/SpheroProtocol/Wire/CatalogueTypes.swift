// The kinds of messages as values, found by ID.

// Embedded Swift has no types as values; there, a `CatalogueVisitor` meets them one at a time.
#if !hasFeature(Embedded)
  extension Catalogue {
    /// All requests, in the order of their IDs.
    public static var commands: [any Request.Type] { types.commands }

    /// All events, in the order of their IDs.
    public static var events: [any Event.Type] { types.events }

    /// The request with this ID, or nil.
    public static func command(_ id: CommandID) -> (any Request.Type)? { commandsByID[id] }

    /// The event with this ID, or nil.
    public static func event(_ id: EventID) -> (any Event.Type)? { eventsByID[id] }

    private static let types: Types = {
      var types = Types()
      visit(&types)
      types.commands.sort { ($0.id.device, $0.id.command) < ($1.id.device, $1.id.command) }
      types.events.sort { $0.id.rawValue < $1.id.rawValue }
      return types
    }()

    private struct Types: CatalogueVisitor {
      var commands: [any Request.Type] = []
      var events: [any Event.Type] = []
      mutating func command<R: Request>(_ type: R.Type, _ name: StaticString) { commands.append(type) }
      mutating func event<E: Event>(_ type: E.Type, _ name: StaticString) { events.append(type) }
    }

    private static let commandsByID = Dictionary(commands.map { ($0.id, $0) }) { first, _ in first }
    private static let eventsByID = Dictionary(events.map { ($0.id, $0) }) { first, _ in first }
  }
#endif
