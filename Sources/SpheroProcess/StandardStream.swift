// The standard streams.

import SpheroLibc
import SpheroSystem

/// The reason why results cannot be written.
package enum OutputError: Error, Equatable {
  /// The reader has closed the pipe, which is a normal end.
  case closed
  /// A system call failed, for example because the disk is full.
  case failed(reason: String)
}

package struct StandardStream: Sendable {
  private let descriptor: Int32
  /// Whether the stream is a file, which accepts bytes at any time.
  private let isFile: Bool

  package var isTerminal: Bool { System.isTerminal(descriptor) }

  private init(descriptor: Int32) {
    // A terminal counts as writable as soon as it has room for one byte; while it is paused, a longer write would block
    // the event loop.
    let terminal = System.isTerminal(descriptor) ? try? System.reopenTerminal(descriptor) : nil
    (self.descriptor, isFile) = (terminal ?? descriptor, System.isFile(descriptor))
  }

  package static let output = StandardStream(descriptor: 1)
  package static let error = StandardStream(descriptor: 2)

  /// The columns and rows of the terminal; nil without a terminal, or where it does not report its size.
  package var size: (width: Int, height: Int)? { System.terminalSize(descriptor) }

  /// Whether the reader of a pipe has closed it.
  package var isClosed: Bool { System.isBroken(descriptor) }

  /// The number of bytes that a writable pipe accepts without blocking (PIPE_BUF on Linux).
  private static let maximumWriteCount = 4_096

  /// Writes all bytes; suspends while the reader is slow. Throws ``OutputError``, `CancellationError`.
  package func write(_ text: String) async throws { try await write(Array(text.utf8)) }

  nonisolated(nonsending) package func write(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let mayWrite = isFile || System.isWritable(descriptor)
      let piece = isFile ? rest : rest.prefix(Self.maximumWriteCount)
      let count = mayWrite ? try writeAvailable(piece) : 0
      rest = rest.dropFirst(count)
      if count == 0 { try await Task.sleep(for: .milliseconds(5)) }
    }
  }

  /// Writes what a terminal or a pipe takes within 100 ms; the rest is discarded.
  package func writeBriefly(_ text: String) { System.writeBriefly(descriptor, Array(text.utf8)) }

  package func writeBlocking(_ text: String) throws(OutputError) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = try writeAvailable(rest)
      rest = rest.dropFirst(count)
      // A terminal is not blocking, and a program that shares a pipe may have made it non-blocking. A terminal with room
      // for half of a line break counts as writable, and takes nothing.
      if count == 0 {
        _ = System.isWritable(descriptor, timeout: -1)
        usleep(5_000)
      }
    }
  }

  private func writeAvailable(_ bytes: ArraySlice<UInt8>) throws(OutputError) -> Int {
    do throws(SystemError) { return try System.write(descriptor, bytes) } catch {
      throw error.isBrokenPipe ? .closed : .failed(reason: System.message(of: error.code))
    }
  }
}
