// Where macros lie in the robot, and how their bytes become commands.

import SpheroProtocol

/// The macros that the robot holds.
struct MacroStore: Hashable, Sendable {
  /// Bytes of flash for the user's macros (Sphero Macros 0.92).
  static let largestHeap = 2048
  /// Entries of the user's macros.
  static let mostEntries = 16
  /// Bytes of RAM for the temporary macro and for what a stream holds.
  static let largestBuffer = 1024
  /// IDs of the user's macros.
  static let userIDs: ClosedRange<UInt8> = 32...253

  private var system: [UInt8: [UInt8]] = [:]
  private var user: [UInt8: [UInt8]] = [:]
  private var temporary: [UInt8] = []
  /// Whether the next chunk begins a new temporary macro.
  private var isBufferClean = true

  /// Holds macros of the system; one that cannot be encoded or has another ID than 1...31 is left out.
  init(system macros: [Macro]) {
    for macro in macros where (1...31).contains(macro.id) {
      if let bytes = try? macro.payload() { system[macro.id] = bytes }
    }
  }

  /// A stored macro, ready to run, or nil where there is none; the stream is not stored.
  func load(_ id: UInt8) -> LoadedMacro? {
    if id == Macro.temporaryID { return LoadedMacro(temporary, id: id) }
    guard let bytes = user[id] ?? system[id] else { return nil }
    return LoadedMacro(bytes, id: id)
  }

  /// Stores a macro of the user.
  mutating func save(_ bytes: [UInt8], id: UInt8) -> Status {
    guard Self.userIDs.contains(id) else { return .badParameter }
    let used = user.values.reduce(0) { $0 + $1.count }
    guard user[id] == nil, user.count < Self.mostEntries, bytes.count <= Self.largestHeap - used else {
      return .failedToExecute
    }
    user[id] = bytes
    return .ok
  }

  /// Replaces the temporary macro.
  mutating func saveTemporary(_ bytes: [UInt8]) {
    temporary = bytes
    isBufferClean = false
  }

  /// Adds to the temporary macro, or begins a new one in a clean buffer.
  mutating func append(_ chunk: [UInt8]) -> Status {
    let kept = isBufferClean ? [] : temporary
    guard chunk.count <= Self.largestBuffer - kept.count else { return .failedToExecute }
    temporary = kept + chunk
    isBufferClean = false
    return .ok
  }

  /// Lets the next chunk begin a new temporary macro.
  mutating func cleanBuffer() { isBufferClean = true }

  /// Forgets the macros of the user.
  mutating func forgetUserMacros() { user = [:] }

  /// Forgets the temporary macro.
  mutating func forgetTemporaryMacro() { (temporary, isBufferClean) = ([], true) }
}

/// The commands of a macro, or of a piece of a stream, decoded as far as they can be.
struct LoadedMacro: Hashable, Sendable {
  /// A command and its bytes on the wire.
  struct Step: Hashable, Sendable {
    var command: MacroCommand
    var size: Int
  }

  /// The ID under which it runs, whatever its first byte says.
  var id: UInt8
  /// How it runs.
  var flags: Macro.Flags
  /// Its commands, with the one that ends it; a stream has no such command.
  var steps: [Step] = []
  /// Whether bytes follow that are no command, so that a stream aborts after the last step; other macros always do.
  var isBroken = false

  /// Decodes the bytes of a macro; nil where they hold no head.
  init?(_ bytes: [UInt8], id: UInt8) {
    (self.id, flags) = (id, [])
    var reader = Reader(bytes)
    do throws(WireError) {
      var stored: UInt8 = 0
      try reader.field("id", &stored)
      try reader.field("flags", &flags)
      if flags.contains(.extended) { try reader.field("extendedFlags", &stored) }
    } catch {
      return nil
    }
    while reader.offset < bytes.count {
      let start = reader.offset
      guard let command = try? MacroCommand(from: &reader), !command.isUnknown else {
        isBroken = true
        return
      }
      // Nothing jumps over the end of a macro; in a stream it has no meaning.
      guard command != .end || id != Macro.streamID else { continue }
      steps.append(Step(command: command, size: reader.offset - start))
      if command == .end { return }
    }
  }
}
