// The storage of macros, and the decoder of their commands.

import SpheroProtocol

/// The stored macros of a robot.
struct MacroStore: Hashable, Sendable {
  /// The bytes of flash for all macros of the user (Sphero Macros 0.92).
  static let largestHeap = 2048
  /// The maximum number of the user's macros.
  static let mostEntries = 16
  /// Bytes of RAM for the temporary macro, and for the pending steps of a stream.
  static let largestBuffer = 1024
  /// The IDs of the user's macros.
  static let userIDs: ClosedRange<UInt8> = 32...253

  private var system: [UInt8: [UInt8]] = [:]
  var user: [UInt8: [UInt8]] = [:]
  private var temporary: [UInt8] = []
  /// Whether the next chunk begins a new temporary macro.
  var isBufferClean = true

  /// - Parameter macros: Macros of the system; one with an ID outside 1...31 or that cannot be encoded is ignored.
  init(system macros: [Macro]) {
    for macro in macros where (1...31).contains(macro.id) {
      if let bytes = try? macro.payload() { system[macro.id] = bytes }
    }
  }

  /// Decodes a stored macro; nil for an ID without one.
  func load(_ id: UInt8) -> LoadedMacro? {
    if id == Macro.temporaryID { return LoadedMacro(temporary, id: id) }
    guard let bytes = user[id] ?? system[id] else { return nil }
    return LoadedMacro(bytes, id: id)
  }

  /// Stores a macro of the user under an ID without one.
  mutating func save(_ bytes: [UInt8], id: UInt8) -> Status {
    guard Self.userIDs.contains(id) else { return .badParameter }
    let used = user.values.reduce(0) { $0 + $1.count }
    guard user[id] == nil, user.count < Self.mostEntries, bytes.count <= Self.largestHeap - used else {
      return .failedToExecute
    }
    user[id] = bytes
    return .ok
  }

  mutating func saveTemporary(_ bytes: [UInt8]) { (temporary, isBufferClean) = (bytes, false) }

  /// Extends the temporary macro, or begins a new one in a clean buffer.
  mutating func append(_ chunk: [UInt8]) -> Status {
    let kept = isBufferClean ? [] : temporary
    guard chunk.count <= Self.largestBuffer - kept.count else { return .failedToExecute }
    saveTemporary(kept + chunk)
    return .ok
  }
}

/// The decoded commands of a macro, or of a piece of a stream, up to the first error.
struct LoadedMacro: Hashable, Sendable {
  /// A command and its size on the wire in bytes.
  struct Step: Hashable, Sendable {
    var command: MacroCommand
    var size: Int
  }

  /// The ID by which the macro was loaded; the ID in its first byte may differ.
  var id: UInt8
  var flags: Macro.Flags
  /// The commands, up to and including `Macro.End`, which a stream does not have.
  var steps: [Step] = []
  /// Whether invalid bytes follow the last step; a stream then aborts, and any other macro ends.
  var isBroken = false

  /// Decodes the bytes of a macro; nil if they have no header.
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
      // Commands after the end of a macro are unreachable; in a stream the end has no meaning.
      guard command != .end || id != Macro.streamID else { continue }
      steps.append(Step(command: command, size: reader.offset - start))
      if command == .end { return }
    }
  }
}
