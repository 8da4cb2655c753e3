// The standard streams of the process: where results and remarks go.

import SpheroSystem

/// Why results cannot be written.
package enum OutputError: Error, Equatable {
  /// The reader of the pipe has gone away: an end like any other.
  case closed
  /// The disk is full, or the descriptor is bad.
  case failed(reason: String)
}

/// One of the standard streams of the process.
package struct StandardStream: Sendable {
  private let descriptor: Int32
  /// Whether it takes bytes at any time, as a file does; the reader of a pipe may be slow.
  let isFile: Bool

  /// Whether a person looks at it.
  package var isTerminal: Bool { System.isTerminal(descriptor) }

  private init(descriptor: Int32) { (self.descriptor, isFile) = (descriptor, System.isFile(descriptor)) }

  /// Where results go.
  package static let output = StandardStream(descriptor: 1)
  /// Where everything else goes.
  package static let error = StandardStream(descriptor: 2)

  /// The columns of the terminal; nil where there is none, or where it does not know.
  package var columns: Int? { System.terminalSize(descriptor)?.width }

  /// The most that fits a pipe at once where it takes anything (PIPE_BUF on Linux).
  private static let pieceCount = 4_096

  /// Writes all bytes; waits without blocking a thread where the reader is slow.
  ///
  /// - Throws: ``OutputError``; `CancellationError` where the task is cancelled while it waits.
  package func write(_ text: String) async throws { try await write(Array(text.utf8)) }

  /// Writes all bytes, as ``write(_:)`` of a text does; runs where the caller does.
  nonisolated(nonsending) package func write(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      if isFile || System.isWritable(descriptor) {
        rest = rest.dropFirst(try take(rest.prefix(Self.pieceCount)))
      } else {
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  /// Writes all bytes, and blocks the thread meanwhile: for the beginning and the end of a process.
  package func writeAtOnce(_ text: String) throws(OutputError) { try writeAtOnce(Array(text.utf8)) }

  /// Writes all bytes, as ``writeAtOnce(_:)`` of a text does.
  package func writeAtOnce(_ bytes: [UInt8]) throws(OutputError) {
    var rest = bytes[...]
    while !rest.isEmpty { rest = rest.dropFirst(try take(rest)) }
  }

  private func take(_ bytes: ArraySlice<UInt8>) throws(OutputError) -> Int {
    do throws(SystemError) { return try System.write(descriptor, bytes) } catch {
      throw error.isBrokenPipe ? .closed : .failed(reason: System.message(of: error.code))
    }
  }
}
