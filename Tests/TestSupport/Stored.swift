// Holds the stored form of a value against a text that was typed by hand.

import Foundation
import Testing

/// The JSON of a value, its keys in the order of the alphabet.
public func json(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}

/// Whether a value is stored as a text, and read back from it as the same.
public func isStored<Value: Codable & Equatable>(_ value: Value, as text: String) throws -> Bool {
  let (written, read) = (try json(value), try JSONDecoder().decode(Value.self, from: Data(text.utf8)))
  if written != text { Issue.record("\(written)") }
  return written == text && read == value
}

/// The sentence with which a text is refused; nil where it is not.
public func refusal<Value: Decodable>(of text: String, as type: Value.Type) -> String? {
  do {
    _ = try JSONDecoder().decode(type, from: Data(text.utf8))
    return nil
  } catch DecodingError.dataCorrupted(let context) {
    return context.debugDescription
  } catch { return "another error: \(error)" }
}
