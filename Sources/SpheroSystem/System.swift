// The system calls on descriptors, each behind a check, with EINTR retried.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The error number of a failed system call.
package struct SystemError: Error, Equatable {
  package let code: Int32

  /// Takes an error number.
  package init(code: Int32) { self.code = code }

  /// Whether there is merely nothing to read or no room to write at present.
  package var isNotNow: Bool { code == EAGAIN || code == EWOULDBLOCK }

  /// Whether nobody reads the pipe any more.
  package var isBrokenPipe: Bool { code == EPIPE }
}

/// System calls as Swift would have them.
package enum System {
  /// What the system says about an error number.
  package static func message(of code: Int32) -> String {
    // strerror returns a static, NUL-terminated string for every number.
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }

  /// Runs a call again while signals interrupt it; a negative result becomes the error number.
  @discardableResult
  package static func check<Count: SignedInteger>(_ call: () -> Count) throws(SystemError) -> Count {
    while true {
      let result = call()
      if result >= 0 { return result }
      let code = errno
      if code != EINTR { throw SystemError(code: code) }
    }
  }

  /// Reads what is there.
  ///
  /// - Returns: The bytes; empty where the other end has hung up.
  package static func read(_ descriptor: Int32, atMost count: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(SystemError) {
        // The buffer has room for `count` bytes, and only what the call reports counts as initialised.
        initialized = try check { unsafe Self.libcRead(descriptor, buffer.baseAddress, count) }
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }

  private static func libcRead(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int)
    -> Int
  {
    #if canImport(Darwin)
      unsafe Darwin.read(descriptor, buffer, count)
    #elseif canImport(Musl)
      unsafe Musl.read(descriptor, buffer, count)
    #else
      unsafe Glibc.read(descriptor, buffer, count)
    #endif
  }

  /// Writes as much as fits.
  ///
  /// - Returns: How many bytes were taken; 0 where none fits now.
  package static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
    do throws(SystemError) {
      return try check {
        unsafe bytes.withUnsafeBytes { buffer in
          #if canImport(Darwin)
            unsafe Darwin.write(descriptor, buffer.baseAddress, buffer.count)
          #elseif canImport(Musl)
            unsafe Musl.write(descriptor, buffer.baseAddress, buffer.count)
          #else
            unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
          #endif
        }
      }
    } catch {
      if error.isNotNow { return 0 }
      throw error
    }
  }

  /// Closes a descriptor; there is nothing to be done where that fails.
  package static func close(_ descriptor: Int32) {
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #else
      _ = Glibc.close(descriptor)
    #endif
  }

  /// Makes a pipe whose ends do not block and are not inherited.
  package static func makePipe() throws(SystemError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    try check { unsafe pipe(&ends) }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    return (ends[0], ends[1])
  }

  /// Whether a descriptor has bytes to read, or its end, at once.
  package static func isReadable(_ descriptor: Int32) -> Bool { hasEvent(POLLIN, on: descriptor) }

  /// Whether a descriptor takes some bytes at once.
  package static func isWritable(_ descriptor: Int32) -> Bool { hasEvent(POLLOUT, on: descriptor) }

  /// Whether a descriptor can be waited for; Darwin's `/dev/tty` cannot.
  package static func isPollable(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe libcPoll(&polled, 1, 0) >= 0 && polled.revents & Int16(POLLNVAL) == 0
  }

  private static func hasEvent(_ event: some BinaryInteger, on descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    // Where polling fails, the call that follows will tell why.
    return unsafe libcPoll(&polled, 1, 0) != 0
  }

  /// Waits until one of the descriptors can be read or has hung up.
  ///
  /// - Returns: The events of each, in order; all zero after the time-out.
  package static func poll(_ descriptors: [Int32], timeout: Int32) throws(SystemError) -> [Int16] {
    var list = PollList()
    for descriptor in descriptors { list.append(descriptor) }
    try list.wait(timeout: timeout)
    return list.events
  }

  static func libcPoll(_ polled: UnsafeMutablePointer<pollfd>, _ count: nfds_t, _ timeout: Int32)
    -> Int32
  {
    #if canImport(Darwin)
      unsafe Darwin.poll(polled, count, timeout)
    #elseif canImport(Musl)
      unsafe Musl.poll(polled, count, timeout)
    #else
      unsafe Glibc.poll(polled, count, timeout)
    #endif
  }
}
