// Every message that this library knows: visited one by one, named by ID.

/// Visits the kinds of messages, as a ``Wire`` visits the fields of one.
public protocol CatalogueVisitor {
  /// Visits a command.
  ///
  /// - Parameters:
  ///   - type: The command.
  ///   - name: Its name: the feature and the type, like `Motion.Roll`.
  mutating func command<R: Request>(_ type: R.Type, _ name: StaticString)

  /// Visits an event.
  ///
  /// - Parameters:
  ///   - type: The event.
  ///   - name: Its name: the feature and the type, like `Sensing.Collision`.
  mutating func event<E: Event>(_ type: E.Type, _ name: StaticString)
}

/// A list of messages: the library's own ``Catalogue``, or one of yours.
///
/// Give yours to a ``Dissector``, and messages that this library does not know have names and fields there.
public protocol MessageCatalogue: SendableMetatype {
  /// Visits all messages.
  ///
  /// - Parameter visitor: What walks through.
  static func visit(_ visitor: inout some CatalogueVisitor)
}

/// Every message that this library knows.
///
/// Each feature lists its own, at the top of its file, and names them there.
/// Dissector, property test and `Docs/Protocol.md` walk these lists.
public enum Catalogue: MessageCatalogue {
  /// Visits all messages, feature by feature.
  ///
  /// - Parameter visitor: What walks through.
  public static func visit(_ visitor: inout some CatalogueVisitor) {
    Core.commands(&visitor)
    Core.powerCommands(&visitor)
    Diagnostics.commands(&visitor)
    Bootloader.commands(&visitor)
    Motion.commands(&visitor)
    Sensing.commands(&visitor)
    Lights.commands(&visitor)
    Settings.commands(&visitor)
    Configuration.commands(&visitor)
    Soul.blockCommands(&visitor)
    Soul.commands(&visitor)
    Macros.commands(&visitor)
    OrbBasic.commands(&visitor)
    Factory.commands(&visitor)
    Core.events(&visitor)
    Diagnostics.events(&visitor)
    Sensing.events(&visitor)
    Motion.events(&visitor)
    Configuration.events(&visitor)
    Soul.blockEvents(&visitor)
    Soul.events(&visitor)
    Macros.events(&visitor)
    OrbBasic.events(&visitor)
  }

  /// The name of the command with this ID, or nil.
  public static func name(of id: CommandID) -> String? { names.commands[id].map { "\($0)" } }

  /// The name of the event with this ID, or nil.
  public static func name(of id: EventID) -> String? { names.events[id].map { "\($0)" } }

  private static let names: Names = {
    var names = Names()
    visit(&names)
    return names
  }()

  private struct Names: CatalogueVisitor {
    var commands: [CommandID: StaticString] = [:]
    var events: [EventID: StaticString] = [:]
    mutating func command<R: Request>(_ type: R.Type, _ name: StaticString) { commands[R.id] = name }
    mutating func event<E: Event>(_ type: E.Type, _ name: StaticString) { events[E.id] = name }
  }
}

// Where messages of the library have names: Embedded Swift cannot ask a type for its own.
extension Request {
  /// The name in the catalogue, like `Motion.Roll`; the ID where the catalogue does not have it.
  public static var name: String { Catalogue.name(of: id) ?? "command \(id)" }

  /// Name and fields: `Motion.Roll speed=128 heading=90° state=drive`.
  public var description: String { named(Self.name) }
}

extension Event {
  /// The name in the catalogue, like `Sensing.Collision`; the ID where the catalogue does not have it.
  public static var name: String { Catalogue.name(of: id) ?? "event \(id)" }

  /// Name and fields: `Core.PowerChange state=low`.
  public var description: String { named(Self.name) }
}

extension Message {
  /// A name and the fields after it.
  func named(_ name: String) -> String {
    fields.reduce(name) { $0 + " " + $1.name + "=" + Dissection.shortened($1.value) }
  }
}
