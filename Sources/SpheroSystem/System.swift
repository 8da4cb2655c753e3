// System calls on descriptors and files, polling, Internet addresses, and the wall clock.

package import SpheroLibc

/// The error number of a failed system call.
package struct SystemError: Error, Equatable {
  package let code: Int32

  package init(code: Int32) { self.code = code }

  package var wouldBlock: Bool { code == EAGAIN || code == EWOULDBLOCK }
  /// Whether a pipe that would be opened for writing has no reader.
  package var hasNoReader: Bool { code == ENXIO }
  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }
  package var alreadyExists: Bool { code == EEXIST }
  package var isPermissionDenied: Bool { code == EACCES || code == EPERM }
  package var isBrokenPipe: Bool { code == EPIPE }
}

/// System calls with Swift types, retried after EINTR.
package enum System {
  package static var processID: Int32 { getpid() }

  package static func message(of code: Int32) -> String {
    // strerror returns a static, NUL-terminated string for every number.
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }

  /// Repeats a call while signals interrupt it; throws the error number after a negative result.
  @discardableResult
  package static func check<Count: SignedInteger>(_ call: () -> Count) throws(SystemError) -> Count {
    while true {
      let result = call()
      if result >= 0 { return result }
      let code = errno
      if code != EINTR { throw SystemError(code: code) }
    }
  }

  /// Reads available bytes; empty at the end of the file or if the other end has hung up.
  package static func read(_ descriptor: Int32, atMost count: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(SystemError) {
        // The buffer has room for `count` bytes, and only what the call reports counts as initialised.
        initialized = try check { unsafe SpheroLibc.read(descriptor, buffer.baseAddress, count) }
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }

  #if canImport(Darwin)
    /// An option of the socket suppresses SIGPIPE.
    private static let noSignal: Int32 = 0
  #else
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #endif

  /// Writes the bytes that fit, to a socket without SIGPIPE; returns their number, 0 if the call would block.
  package static func write(
    _ descriptor: Int32, _ bytes: ArraySlice<UInt8>, isSocket: Bool = false
  ) throws(SystemError) -> Int {
    do throws(SystemError) {
      return try check {
        unsafe bytes.withUnsafeBytes { buffer in
          unsafe isSocket
            ? SpheroLibc.send(descriptor, buffer.baseAddress, buffer.count, noSignal)
            : SpheroLibc.write(descriptor, buffer.baseAddress, buffer.count)
        }
      }
    } catch {
      if error.wouldBlock { return 0 }
      throw error
    }
  }

  package static func close(_ descriptor: Int32) { _ = SpheroLibc.close(descriptor) }

  /// Creates a non-blocking pipe that is not inherited.
  package static func makePipe() throws(SystemError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    try check { unsafe pipe(&ends) }
    for end in ends { setNonBlocking(end) }
    return (ends[0], ends[1])
  }

  /// Changes a descriptor so that it does not block and is not inherited.
  package static func setNonBlocking(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Whether a descriptor has bytes to read or has ended.
  package static func isReadable(_ descriptor: Int32) -> Bool { hasEvent(POLLIN, on: descriptor) }

  /// Whether a write to a descriptor would not block, now or within `timeout` milliseconds; -1 is no limit.
  package static func isWritable(_ descriptor: Int32, timeout: Int32 = 0) -> Bool {
    hasEvent(POLLOUT, on: descriptor, timeout: timeout)
  }

  /// Whether the other end of a pipe or socket is closed, so that nothing can be written any more.
  package static func isBroken(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe SpheroLibc.poll(&polled, 1, 0) > 0 && polled.revents & Int16(POLLERR | POLLHUP) != 0
  }

  /// Whether a descriptor can be polled; Darwin's `/dev/tty` cannot.
  package static func isPollable(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe SpheroLibc.poll(&polled, 1, 0) >= 0 && polled.revents & Int16(POLLNVAL) == 0
  }

  private static func hasEvent(
    _ event: some BinaryInteger, on descriptor: Int32, timeout: Int32 = 0
  ) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    // A failed poll counts as an event, because the call that follows reports the error.
    return (try? check { unsafe SpheroLibc.poll(&polled, 1, timeout) }) != 0
  }

  /// Creates a file for writing; a regular file with contents is truncated if `isReplacing`, otherwise an error.
  ///
  /// A named pipe without a reader is the error ``SystemError/hasNoReader``.
  package static func createFile(_ path: String, isReplacing: Bool) throws(SystemError) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    if isReplacing { return try check { unsafe open(path, flags | O_TRUNC, 0o644) } }
    let descriptor: Int32
    var status = stat()
    func isRegular() -> Bool { status.st_mode & S_IFMT == S_IFREG }
    do throws(SystemError) { descriptor = try check { unsafe open(path, flags | O_EXCL, 0o644) } } catch {
      guard error.alreadyExists, unsafe stat(path, &status) != 0 || !isRegular() || status.st_size == 0 else {
        throw error
      }
      // The file is not truncated, because another program may have written to it meanwhile.
      descriptor = try check { unsafe open(path, flags, 0o644) }
    }
    guard unsafe fstat(descriptor, &status) == 0, isRegular() else { return descriptor }
    // Two programs may open an empty file at the same time: only the one with the lock writes. If that program has
    // already ended, the file has contents.
    let isTaken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    guard !isTaken, unsafe fstat(descriptor, &status) == 0, status.st_size == 0 else {
      close(descriptor)
      throw SystemError(code: EEXIST)
    }
    return descriptor
  }

  /// The type of the file at a path, such as `S_IFREG`.
  static func fileType(_ path: String) throws(SystemError) -> mode_t {
    var status = stat()
    try check { unsafe stat(path, &status) }
    return status.st_mode & S_IFMT
  }

  package static func isPipe(_ path: String) -> Bool { (try? fileType(path)) == S_IFIFO }

  /// The permissions of a file that a rename may replace; nil for a link and for anything else.
  package static func permissionsOfFile(_ path: String) -> mode_t? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return status.st_mode & 0o777
  }

  /// Whether a path is a device, a pipe or a socket, where a write replaces nothing.
  package static func isDevice(_ path: String) -> Bool {
    (try? fileType(path)).map { $0 != S_IFREG && $0 != S_IFDIR } ?? false
  }

  package static func isFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Opens a file for reading without waiting for a writer.
  package static func openFile(_ path: String) throws(SystemError) -> Int32 {
    // A String that is passed directly would first be copied to an array.
    try check { unsafe path.withCString { unsafe open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) } }
  }

  /// Writes the bytes that fit to a pipe as ``write(_:_:isSocket:)``; throws if it has no reader, and raises no SIGPIPE.
  package static func writeWithoutSignal(
    _ descriptor: Int32, _ bytes: ArraySlice<UInt8>
  ) throws(SystemError) -> Int {
    #if canImport(Darwin)
      // Darwin sends the signal to the process; this flag of the descriptor suppresses it.
      _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
      return try write(descriptor, bytes)
    #else
      // A write raises the signal in its own thread.
      var (pipe, former, pending) = (signals([SIGPIPE]), sigset_t(), sigset_t())
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
    #endif
  }

  /// The 4 or 16 bytes of a numeric Internet address; nil for another text.
  package static func internetBytes(_ text: some StringProtocol) -> [UInt8]? {
    // A C string ends at a NUL, and the rest would be ignored.
    guard !text.utf8.contains(0) else { return nil }
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      // inet_pton writes exactly 4 or 16 bytes.
      if unsafe inet_pton(family, String(text), &bytes) == 1 { return bytes }
    }
    return nil
  }

  /// The number of a network interface by its name or number; nil if there is none with this name, and for 0.
  package static func interfaceNumber(_ text: String) -> UInt32? {
    let number = unsafe UInt32(text) ?? if_nametoindex(text)
    return number == 0 ? nil : number
  }

  /// The name of a network interface, or its number if it has none.
  package static func interfaceName(_ number: UInt32) -> String {
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard unsafe if_indextoname(number, &name) != nil else { return "\(number)" }
    return text(ofCString: name)
  }

  /// The text of a buffer up to its first NUL.
  package static func text(ofCString buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The usual text of an Internet address of 4 or 16 bytes; empty for any other count.
  package static func internetText(_ bytes: [UInt8]) -> String {
    guard bytes.count == 4 || bytes.count == 16 else { return "" }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard unsafe inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
    return Self.text(ofCString: text)
  }

  /// The time since the beginning of 1970 by the wall clock, which can be set while the program runs.
  package static func wallClock() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}

/// Descriptors for `poll`; the list keeps its memory between waits.
package struct PollList: Sendable {
  private var polled: [pollfd] = []

  package init(_ descriptors: [Int32] = []) { for descriptor in descriptors { append(descriptor) } }

  package mutating func removeAll() { polled.removeAll(keepingCapacity: true) }

  /// Adds a descriptor; `poll` ignores a negative one.
  package mutating func append(_ descriptor: Int32) {
    polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
  }

  /// Waits until one of the descriptors can be read or has hung up, at most `timeout` milliseconds; -1 is no limit.
  package mutating func wait(timeout: Int32) throws(SystemError) {
    let count = nfds_t(polled.count)
    try System.check { unsafe poll(&polled, count, timeout) }
  }

  package func hasEvent(at index: Int) -> Bool {
    polled.indices.contains(index) && polled[index].revents != 0
  }
}
