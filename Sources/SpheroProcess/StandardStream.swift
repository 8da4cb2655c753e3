// The standard output and the standard error of the process.

import SpheroSystem

/// The reason why results cannot be written.
package enum OutputError: Error, Equatable {
  /// The reader has closed the pipe, which is a normal end.
  case closed
  /// A system call failed, for example because the disk is full.
  case failed(reason: String)
}

/// One of the standard streams of the process.
package struct StandardStream: Sendable {
  private let descriptor: Int32
  /// Whether it is a file, which takes bytes at any time.
  let isFile: Bool

  package var isTerminal: Bool { System.isTerminal(descriptor) }

  private init(descriptor: Int32) { (self.descriptor, isFile) = (descriptor, System.isFile(descriptor)) }

  /// Results.
  package static let output = StandardStream(descriptor: 1)
  /// Remarks and errors.
  package static let error = StandardStream(descriptor: 2)

  /// The width of the terminal; nil without a terminal, or where it does not report the width.
  package var columns: Int? { System.terminalSize(descriptor)?.width }

  /// The bytes that a writable pipe takes at once (PIPE_BUF on Linux).
  private static let maximumWriteCount = 4_096

  /// Writes all bytes; suspends while the reader is slow.
  ///
  /// - Throws: ``OutputError``; `CancellationError`.
  package func write(_ text: String) async throws { try await write(Array(text.utf8)) }

  /// Writes all bytes; suspends while the reader is slow.
  nonisolated(nonsending) package func write(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      if isFile || System.isWritable(descriptor) {
        rest = rest.dropFirst(try writeAvailable(rest.prefix(Self.maximumWriteCount)))
      } else {
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  /// Writes all bytes, and blocks the thread: for the start and the exit of a process.
  package func writeBlocking(_ text: String) throws(OutputError) { try writeBlocking(Array(text.utf8)) }

  /// Writes all bytes, and blocks the thread.
  package func writeBlocking(_ bytes: [UInt8]) throws(OutputError) {
    var rest = bytes[...]
    while !rest.isEmpty { rest = rest.dropFirst(try writeAvailable(rest)) }
  }

  private func writeAvailable(_ bytes: ArraySlice<UInt8>) throws(OutputError) -> Int {
    do throws(SystemError) { return try System.write(descriptor, bytes) } catch {
      throw error.isBrokenPipe ? .closed : .failed(reason: System.message(of: error.code))
    }
  }
}
