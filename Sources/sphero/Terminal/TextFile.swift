// A small text in a file or on the standard input, read as a whole before anything is opened.

import SpheroProcess
import SpheroTransport

/// The text of a file.
struct TextFile: Sendable {
  /// How errors name it.
  let name: String
  let bytes: [UInt8]
  /// The text; bytes that are no UTF-8 are U+FFFD.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Reads a file to its end; `-` is the standard input.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - limit: The most bytes that are read.
  ///   - advice: What to do where it has more.
  /// - Throws: ``Failure`` with exit code 66 where it cannot be read, and 65 where it is too long.
  init(_ path: String, atMost limit: Int, advice: String) async throws {
    name = path == "-" ? "stdin" : path
    var bytes: [UInt8] = []
    do {
      let input = try InputFile(path)
      while bytes.count <= limit, let more = try await input.read() { bytes += more }
    } catch let error as LinkError {
      throw Failure(.noInput, error.message, advice: "Check that the file is there and can be read.")
    }
    guard bytes.count <= limit else {
      throw Failure(.badData, "\(name) has more than \(limit) bytes", advice: advice)
    }
    self.bytes = bytes
  }

  /// The text where all of it is UTF-8.
  ///
  /// - Throws: ``Failure`` with exit code 65 and the place of the first byte that is none.
  func validText() throws(Failure) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    where String(validating: line, as: UTF8.self) == nil {
      let column = String(decoding: line, as: UTF8.self).prefix { $0 != "\u{FFFD}" }.count + 1
      throw Failure(
        .badData, "\(name): line \(index + 1), column \(column): this is not UTF-8",
        advice: "Store the text as UTF-8.")
    }
    return text
  }
}
