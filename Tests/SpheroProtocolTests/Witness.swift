// A second witness of the layouts: literal bytes and words, typed from the documents and never made by what is tested.

import SpheroProtocol
import TestSupport
import Testing

/// Literal bytes, what they mean, and the properties that hold it.
enum Witness {
  /// Holds a message against literal bytes in both directions, and its fields against literal words.
  ///
  /// - Parameters:
  ///   - type: The message.
  ///   - hexadecimal: The payload; every field has another value, so that none can stand in for its neighbour.
  ///   - words: The fields with their names and units, as people read them.
  ///   - sourceLocation: The line of the table.
  ///   - set: Gives each property its value.
  /// - Throws: ``WireError`` where the message cannot be written or read at all.
  static func check<M: Message>(
    _ type: M.Type, _ hexadecimal: String, _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation, set: (inout M) -> Void
  ) throws {
    let literal = bytes(hexadecimal)
    var message = M()
    set(&message)
    let written = try message.payload()
    #expect(written == literal, "\(M.self)", sourceLocation: sourceLocation)
    let read = try M(payload: literal)
    #expect(read == message, "\(M.self)", sourceLocation: sourceLocation)
    let told = read.fields.map(\.description).joined(separator: " ")
    #expect(told == words, "\(M.self)", sourceLocation: sourceLocation)
    let described = M.describe(literal)
    #expect(described.fields == read.fields, "\(M.self)", sourceLocation: sourceLocation)
    #expect(described.remarks.isEmpty, "\(M.self)", sourceLocation: sourceLocation)
    log?.names.append(M.reflectedName)
  }

  /// Holds a request against its ID and literal bytes.
  static func check<R: Request>(
    request type: R.Type, _ device: UInt8, _ command: UInt8, _ hexadecimal: String, _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation, set: (inout R) -> Void
  ) throws {
    try check(R.self, hexadecimal, words, sourceLocation: sourceLocation, set: set)
    #expect(R.id.device == device && R.id.command == command, "\(R.self)", sourceLocation: sourceLocation)
  }

  /// Holds an event against its ID and literal bytes.
  static func check<E: Event>(
    event type: E.Type, _ id: UInt8, _ hexadecimal: String, _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation, set: (inout E) -> Void
  ) throws {
    try check(E.self, hexadecimal, words, sourceLocation: sourceLocation, set: set)
    #expect(E.id.rawValue == id, "\(E.self)", sourceLocation: sourceLocation)
  }

  /// Where the messages are noted that are held against literal bytes, by whoever asks whether all were.
  @TaskLocal static var log: Log?
  /// Names of messages; of one task alone.
  final class Log: @unchecked Sendable { var names: [String] = [] }

  /// Holds values against their literal numbers and names.
  static func codes<Value: WireChoice>(
    _ table: [(value: Value, raw: Value.RawValue, name: String)],
    sourceLocation: SourceLocation = #_sourceLocation
  ) where Value.RawValue: Equatable {
    for (value, raw, name) in table {
      #expect(value.rawValue == raw, "\(name)", sourceLocation: sourceLocation)
      #expect(Value(rawValue: raw) == value, "\(name)", sourceLocation: sourceLocation)
      #expect(value.name == name, sourceLocation: sourceLocation)
    }
    #expect(
      Value.named.map { $0.rawValue } == table.map(\.raw), "\(Value.self)", sourceLocation: sourceLocation)
  }
}
