// Files: input, with advice in its errors, and results.

import SpheroCapture
import SpheroProcess
import SpheroTransport

extension InputStream {
  /// Opens a file; `-` is stdin. An error has exit code 66.
  static func opened(
    _ path: String, advice: String = "Name a file that you may read, or - for stdin."
  ) throws(Failure) -> InputStream {
    do throws(LinkError) { return try InputStream(path) } catch {
      throw Failure(.noInput, error.message, advice: advice)
    }
  }

  /// Waits for the next bytes; returns nil at the end. An error has exit code 66.
  func nextBytes(advice: String = "Check that the file can be read.") async throws -> [UInt8]? {
    try Task.checkCancellation()
    do { return try await read() } catch let error as LinkError {
      throw Failure(.noInput, error.message, advice: advice)
    }
  }

  /// Passes lines to `body` as they arrive, until the end. An error of the input has exit code 66.
  func forEachLine(
    longest: Int, advice: String, _ body: (LineSplitter.Line) async throws -> Void
  ) async throws {
    var splitter = LineSplitter(limit: longest)
    while let bytes = try await nextBytes(advice: advice) {
      splitter.append(bytes)
      while let line = splitter.next() { try await body(line) }
      // Input that never pauses must not starve the other tasks of the event loop.
      try await Task.sleep(for: .milliseconds(1))
    }
    splitter.finish()
    if let line = splitter.next() { try await body(line) }
  }
}

struct TextFile: Sendable {
  let name: String
  let bytes: [UInt8]
  /// The text; invalid UTF-8 is replaced by U+FFFD.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Reads a file to its end; `-` is stdin. An unreadable file has exit code 66, a file of more than `limit` bytes 65.
  init(_ path: String, atMost limit: Int, advice: String) async throws {
    name = path == "-" ? "stdin" : path
    let missing = "Check that the file is there and can be read."
    let input = try InputStream.opened(path, advice: missing)
    var bytes: [UInt8] = []
    while bytes.count <= limit, let more = try await input.nextBytes(advice: missing) { bytes += more }
    guard bytes.count <= limit else {
      throw Failure(.badData, "\(name) has more than \(limit) bytes", advice: advice)
    }
    self.bytes = bytes
  }

  func validText() throws(Failure) -> String {
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      guard let column = Self.invalidColumn(of: line) else { continue }
      throw Failure(
        .badData, "\(name): line \(index + 1), column \(column): this is not UTF-8",
        advice: "Store the text as UTF-8.")
    }
    return text
  }

  /// The column, in characters from 1, of the first byte that is not UTF-8; nil if the line is valid.
  static func invalidColumn(of line: some Collection<UInt8>) -> Int? {
    var (parser, bytes, length) = (Unicode.UTF8.ForwardParser(), line.makeIterator(), 0)
    while true {
      switch parser.parseScalar(from: &bytes) {
      case .valid(let scalar): length += scalar.count
      case .emptyInput: return nil
      case .error: return String(decoding: line.prefix(length), as: UTF8.self).count + 1
      }
    }
  }
}

struct ResultFile {
  var path: String
  var overwrites: Bool
  var advice: String

  private static let otherFolder = "Choose a file in a folder that you may write to."

  func check() throws(Failure) {
    guard ResultFiles.exists(path) else {
      do throws(LinkError) { return try ResultFiles.checkFolder(of: path) } catch {
        throw Failure(.cannotCreate, error.message, advice: Self.otherFolder)
      }
    }
    if !overwrites { throw Failure(.cannotCreate, "\(path) is already there", advice: advice) }
  }

  func write(_ text: String) throws(Failure) {
    do throws(LinkError) { try ResultFiles.write(text, to: path, overwrites: overwrites) } catch {
      if case .failed(_, operation: "write", _) = error {
        throw Failure(.linkLost, error.message, advice: "Make room, or write elsewhere.")
      }
      try check()
      throw Failure(.cannotCreate, error.message, advice: Self.otherFolder)
    }
  }
}
