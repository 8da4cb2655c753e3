// Files: opened so that nothing waits for another program; and the time of day.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension SystemError {
  /// Whether nobody has the other end of a pipe open.
  package var hasNoReader: Bool { code == ENXIO }
  /// Whether there is no such file.
  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }
  /// Whether there is such a file already.
  package var isExisting: Bool { code == EEXIST }
  /// Whether the user may not do that.
  package var isNotPermitted: Bool { code == EACCES || code == EPERM }
}

extension System {
  /// Makes a file or empties the one that is there, and opens it for writing, without waiting for anybody.
  ///
  /// - Parameters:
  ///   - path: The file, pipe or device.
  ///   - isReplacing: Whether a file with something in it is emptied.
  /// - Returns: The descriptor.
  /// - Throws: The error of the call; ``SystemError/hasNoReader`` for a named pipe that nobody reads,
  ///   ``SystemError/isExisting`` for a file that is not replaced.
  package static func createFile(_ path: String, isReplacing: Bool) throws(SystemError) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    if !isReplacing {
      do throws(SystemError) { return try check { unsafe open(path, flags | O_EXCL, 0o644) } } catch {
        var status = stat()
        let isFile = unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        guard error.isExisting, !isFile || status.st_size == 0 else { throw error }
      }
    }
    return try check { unsafe open(path, flags | O_TRUNC, 0o644) }
  }

  /// Whether a path is a named pipe.
  package static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Whether a descriptor is a file, and neither a pipe nor a device.
  package static func isFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Opens a file for reading, without waiting for anybody.
  package static func openFile(_ path: String) throws(SystemError) -> Int32 {
    // Passed on directly, the path would become an array first.
    try check { unsafe path.withCString { unsafe open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) } }
  }

  /// Writes as much as fits to a pipe whose reader may have gone: an error, never the signal SIGPIPE.
  ///
  /// - Returns: How many bytes were taken; 0 where none fits now.
  package static func writeWithoutSignal(
    _ descriptor: Int32, _ bytes: ArraySlice<UInt8>
  ) throws(SystemError) -> Int {
    #if canImport(Darwin)
      // The signal goes to the process there; the descriptor itself says that it is not raised.
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
    // The sets are local, and the signal that a write raises goes to the thread that writes.
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

  /// The time since the beginning of 1970 by the wall clock, which may be set while the program runs.
  package static func wallClock() -> Duration {
    var time = timespec()
    // The clock exists on every system, so the call does not fail.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
