// System calls on files that do not wait for other programs, and the wall clock.

import SpheroLibc

extension SystemError {
  /// Whether the pipe has no reader.
  package var hasNoReader: Bool { code == ENXIO }
  /// Whether the file does not exist.
  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }
  /// Whether the file exists already.
  package var alreadyExists: Bool { code == EEXIST }
  /// Whether the user lacks the permission.
  package var isPermissionDenied: Bool { code == EACCES || code == EPERM }
}

extension System {
  /// Creates a file, or truncates it if `isReplacing`, and opens it for writing without waiting for a reader.
  ///
  /// - Throws: The error of the call; ``SystemError/hasNoReader`` for a named pipe without a reader,
  ///   ``SystemError/alreadyExists`` for a regular file with contents unless `isReplacing`.
  package static func createFile(_ path: String, isReplacing: Bool) throws(SystemError) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    if isReplacing { return try check { unsafe open(path, flags | O_TRUNC, 0o644) } }
    do throws(SystemError) { return try check { unsafe open(path, flags | O_EXCL, 0o644) } } catch {
      var status = stat()
      func hasContents() -> Bool { status.st_mode & S_IFMT == S_IFREG && status.st_size > 0 }
      guard error.alreadyExists, unsafe stat(path, &status) != 0 || !hasContents() else { throw error }
      // Not truncated: another program may have written to the file meanwhile.
      let descriptor = try check { unsafe open(path, flags, 0o644) }
      guard unsafe fstat(descriptor, &status) == 0, !hasContents() else {
        close(descriptor)
        throw error
      }
      return descriptor
    }
  }

  /// Whether a path is a named pipe.
  package static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Whether a descriptor is a regular file.
  package static func isFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Opens a file for reading without waiting for a writer.
  package static func openFile(_ path: String) throws(SystemError) -> Int32 {
    // A String argument would be copied to an array first.
    try check { unsafe path.withCString { unsafe open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) } }
  }

  /// Writes the bytes that fit to a pipe; without a reader it throws, and raises no SIGPIPE.
  ///
  /// - Returns: The number of bytes taken; 0 where none fits now.
  package static func writeWithoutSignal(
    _ descriptor: Int32, _ bytes: ArraySlice<UInt8>
  ) throws(SystemError) -> Int {
    #if canImport(Darwin)
      // Darwin sends the signal to the process; this flag of the descriptor suppresses it.
      _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
      return try write(descriptor, bytes)
    #else
      return try writeWithSignalBlocked(descriptor, bytes)
    #endif
  }

  private static func writeWithSignalBlocked(
    _ descriptor: Int32, _ bytes: ArraySlice<UInt8>
  ) throws(SystemError) -> Int {
    var (pipe, former, pending) = (sigset_t(), sigset_t(), sigset_t())
    // The sets are local, and a write raises the signal in its own thread.
    unsafe sigemptyset(&pipe)
    unsafe sigaddset(&pipe, SIGPIPE)
    unsafe sigpending(&pending)
    let wasPending = unsafe sigismember(&pending, SIGPIPE) == 1
    unsafe pthread_sigmask(SIG_BLOCK, &pipe, &former)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
    do throws(SystemError) { return try write(descriptor, bytes) } catch {
      unsafe sigpending(&pending)
      if error.isBrokenPipe, !wasPending, unsafe sigismember(&pending, SIGPIPE) == 1 {
        var number: Int32 = 0
        unsafe sigwait(&pipe, &number)
      }
      throw error
    }
  }

  /// The time since the beginning of 1970 by the wall clock, which can be set while the program runs.
  package static func wallClock() -> Duration {
    var time = timespec()
    // The clock exists on every system; the call does not fail.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
