// Files that commands read incrementally, and files for results.

import SpheroLibc
import SpheroSystem
package import SpheroTransport

package enum ResultFiles {
  /// Whether a file or folder exists at a path; false for a device and a broken link.
  package static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0 && !System.isDevice(path)
  }

  /// Throws an error if the folder of a new file does not exist or may not be written to.
  package static func checkFolder(of path: String) throws(LinkError) {
    // A device or a named pipe is not created.
    if unsafe access(path, F_OK) == 0 { return }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    do throws(SystemError) { _ = try System.check { unsafe access(folder, W_OK) } } catch {
      throw .failed(path, operation: "create", code: error.code)
    }
  }

  /// Writes a text to a new file or to a device; an existing file is an error unless `overwrites`.
  package static func write(_ text: String, to path: String, overwrites: Bool) throws(LinkError) {
    let flags =
      O_WRONLY | O_CREAT | (overwrites || System.isDevice(path) ? O_TRUNC : O_EXCL) | O_CLOEXEC | O_NONBLOCK
    // A failed write must not cost an earlier file, which a rename replaces in one step.
    let permissions = overwrites ? System.permissionsOfFile(path) : nil
    let place = permissions == nil ? path : "\(path).\(getpid())"
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try System.check { unsafe open(place, flags, permissions ?? 0o644) }
    } catch {
      throw .failed(path, operation: "create", code: error.code)
    }
    defer { System.close(descriptor) }
    // Only the opening must not wait, for the reader of a named pipe.
    _ = fcntl(descriptor, F_SETFL, 0)
    var rest = Array(text.utf8)[...]
    do throws(SystemError) {
      while !rest.isEmpty { rest = rest.dropFirst(try System.write(descriptor, rest)) }
      if permissions != nil { try System.check { unsafe rename(place, path) } }
    } catch {
      // The next attempt would not replace half a file.
      if permissions != nil || flags & O_EXCL != 0 { _ = unsafe unlink(place) }
      throw .failed(path, operation: "write", code: error.code)
    }
  }
}

/// A file, a pipe or the standard input, read incrementally.
package final class InputStream: Sendable {
  private let descriptor: Int32
  /// The path, or `stdin`.
  package let path: String
  private let filter = Locked(ByteOrderMarkFilter())

  /// Opens a file; `-` is the standard input.
  package init(_ path: String) throws(LinkError) {
    self.path = path == "-" ? "stdin" : path
    guard path != "-" else {
      descriptor = 0
      return
    }
    do throws(SystemError) {
      #if canImport(Darwin)
        // A named pipe without a writer would be at its end.
        descriptor = try System.check { unsafe open(path, O_RDONLY | O_CLOEXEC) }
      #else
        // To wait for the writer of a named pipe would block the event loop.
        descriptor = try System.openFile(path)
      #endif
    } catch {
      throw .failed(path, operation: "open", code: error.code)
    }
  }

  /// Closes the file, but not the standard input.
  deinit { if descriptor > 0 { System.close(descriptor) } }

  /// Waits for bytes without a byte order mark, and for the foreground of a terminal; returns nil at the end.
  package func read() async throws -> [UInt8]? {
    while true {
      let piece = try await readPiece()
      let bytes = filter.withLock { $0(piece) }
      if !bytes.isEmpty { return bytes }
      // The filter may hold back the first bytes of a mark; only an empty piece is the end.
      if piece.isEmpty { return nil }
    }
  }

  private func readPiece() async throws -> [UInt8] {
    let clock = ContinuousClock()
    let start = clock.now
    while !System.isReadable(descriptor) || isInBackground {
      // The poll interval grows with the wait: fast answers are read at once, and long waits are cheap.
      let pause = (clock.now - start) / 10
      try await Task.sleep(for: min(max(pause, .milliseconds(1)), .milliseconds(20)))
    }
    do throws(SystemError) {
      return try System.read(descriptor, atMost: 1 << 16)
    } catch {
      // Another program may have read the bytes of a shared pipe or terminal.
      if error.wouldBlock { return try await readPiece() }
      throw LinkError.failed(path, operation: "read", code: error.code)
    }
  }

  package var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Whether the descriptor is a terminal whose foreground is another process group, so that a read stops the process.
  private var isInBackground: Bool {
    let group = tcgetpgrp(descriptor)
    return group >= 0 && group != getpgrp()
  }
}
