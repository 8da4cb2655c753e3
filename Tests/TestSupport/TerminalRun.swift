// A program on a pseudo-terminal that is its controlling one, as in a window.

#if os(Linux)
  public import Foundation

  /// A program that runs on a terminal of its own, in a session of its own.
  public final class TerminalRun: @unchecked Sendable {
    /// The process.
    public private(set) var processID: pid_t = 0
    private let controller: Int32
    /// Kept open, so that the terminal lives on after the program.
    private let device: Int32
    private let lock = NSLock()
    private var bytes: [UInt8] = []
    private var searched = 0
    private var reading = Reading.continues

    /// What the window does.
    private enum Reading {
      case continues, pauses, ends
    }

    /// What the terminal was set to before the program started.
    public private(set) var firstAttributes = Attributes(flags: [], characters: [])

    /// What a terminal is set to: flags and control characters.
    public struct Attributes: Equatable, Sendable {
      /// The four words of flags.
      public let flags: [UInt32]
      /// The control characters.
      public let characters: [UInt8]
      /// Whether typed characters are shown, and whole lines are edited.
      public var isCooked: Bool { flags[3] & UInt32(ECHO | ICANON) == UInt32(ECHO | ICANON) }
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - words: Its path and its arguments.
    ///   - environment: What is added to the environment.
    ///   - columns: The width of the terminal.
    ///   - rows: Its height.
    /// - Throws: Where there is no terminal or no such program.
    public init(_ words: [String], environment: [String: String] = [:], columns: Int = 100, rows: Int = 30)
      throws
    {
      var (controller, device): (Int32, Int32) = (-1, -1)
      var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
      guard unsafe openpty(&controller, &device, nil, nil, &size) == 0 else {
        throw POSIXError(.init(rawValue: errno) ?? .EIO)
      }
      for end in [controller, device] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (self.controller, self.device) = (controller, device)
      firstAttributes = Self.attributes(of: device)
      var name = [CChar](repeating: 0, count: 256)
      _ = unsafe ttyname_r(device, &name, name.count)
      var actions = unsafe posix_spawn_file_actions_t()
      unsafe posix_spawn_file_actions_init(&actions)
      defer { unsafe posix_spawn_file_actions_destroy(&actions) }
      // The first terminal that the leader of a session opens becomes its controlling one.
      unsafe posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
      unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
      unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
      var attributes = posix_spawnattr_t()
      unsafe posix_spawnattr_init(&attributes)
      defer { unsafe posix_spawnattr_destroy(&attributes) }
      // 0x80 is POSIX_SPAWN_SETSID, which glibc declares for GNU programs only. Signals that the parent ignores
      // return to their default action, because a shell cannot undo an ignored signal.
      unsafe posix_spawnattr_setflags(
        &attributes, 0x80 | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
      var signals = sigset_t()
      unsafe sigfillset(&signals)
      unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
      // Threads of the tests block signals, which a program would inherit.
      unsafe sigemptyset(&signals)
      unsafe posix_spawnattr_setsigmask(&attributes, &signals)
      var surroundings = ProcessInfo.processInfo.environment
      for name in ["SPHERO_PORT", "NO_COLOR", "COLORTERM"] { surroundings[name] = nil }
      surroundings["TERM"] = "xterm-256color"
      surroundings.merge(environment) { $1 }
      var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
      var variables = unsafe surroundings.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
      defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
      defer { for index in unsafe variables.indices { unsafe free(variables[index]) } }
      var process: pid_t = 0
      let failure = processStart.withLock {
        unsafe posix_spawn(&process, words[0], &actions, &attributes, &arguments, &variables)
      }
      guard failure == 0 else { throw POSIXError(.init(rawValue: failure) ?? .EIO) }
      processID = process
      Thread.detachNewThread { [weak self, controller] in Self.read(controller) { self?.take($0) ?? .ends } }
    }

    deinit {
      kill(processID, SIGKILL)
      close(device)
    }

    /// Reads until the window is closed, and closes it: a close from another thread while a read waits is an error.
    private static func read(_ controller: Int32, _ take: ([UInt8]) -> Reading) {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      var reading = Reading.continues
      while reading != .ends {
        if reading == .pauses {
          usleep(10_000)
          reading = take([])
          continue
        }
        let count = unsafe Glibc.read(controller, &buffer, buffer.count)
        guard count > 0 else { break }
        reading = take(Array(buffer[..<count]))
      }
      close(controller)
    }

    private func take(_ new: [UInt8]) -> Reading {
      lock.withLock {
        bytes += new
        return reading
      }
    }

    /// Reads nothing more of what the program writes, as a terminal behind a link that is stuck.
    ///
    /// It holds from the next bytes on that the program writes.
    public func stopReading() { lock.withLock { reading = .pauses } }

    /// Whether the terminal takes nothing more until the window reads.
    public var isFull: Bool {
      var polled = pollfd(fd: device, events: Int16(POLLOUT), revents: 0)
      return unsafe poll(&polled, 1, 0) == 0
    }

    /// Closes the window, once the program writes something.
    public func hangUp() { lock.withLock { reading = .ends } }

    /// All that was written to the terminal.
    public var output: String { String(decoding: lock.withLock { bytes }, as: UTF8.self) }

    /// Waits until a text is written, after what was found before.
    ///
    /// - Returns: Whether it came in time.
    public func shows(_ text: String, within limit: Duration = .seconds(60)) async -> Bool {
      let wanted = Array(text.utf8)
      return await eventually(within: limit, every: .milliseconds(20)) { lock.withLock { find(wanted) } }
    }

    /// Looks for bytes after what was found before; what was searched in vain is not searched again.
    private func find(_ wanted: [UInt8]) -> Bool {
      let place = Data(bytes[searched...]).range(of: Data(wanted)).map { searched + $0.lowerBound }
      searched = place.map { $0 + wanted.count } ?? max(searched, bytes.count - wanted.count + 1)
      return place != nil
    }

    /// Types.
    public func type(_ text: String) {
      let bytes = Array(text.utf8)
      _ = unsafe Glibc.write(controller, bytes, bytes.count)
    }

    /// Changes the size; the program in the foreground receives SIGWINCH.
    public func resize(columns: Int, rows: Int) {
      var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
      _ = unsafe ioctl(controller, UInt(TIOCSWINSZ), &size)
    }

    /// Sends a signal to the program.
    public func signal(_ number: Int32) { kill(processID, number) }

    /// What the terminal is set to.
    public var attributes: Attributes { Self.attributes(of: device) }

    private static func attributes(of device: Int32) -> Attributes {
      var settings = termios()
      unsafe tcgetattr(device, &settings)
      let characters = unsafe withUnsafeBytes(of: settings.c_cc) { unsafe Array($0) }
      return Attributes(
        flags: [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag],
        characters: characters)
    }

    /// Waits until what was written so far is read: a mark that is written after it comes last.
    private func untilAllIsRead() async {
      guard lock.withLock({ reading == .continues }) else { return }
      let mark = Array("\u{1}all of it\u{1}".utf8)
      guard unsafe Glibc.write(device, mark, mark.count) == mark.count else { return }
      _ = await eventually {
        lock.withLock {
          guard let place = Data(bytes).range(of: Data(mark)) else { return false }
          bytes.removeSubrange(place)
          searched = min(searched, bytes.count)
          return true
        }
      }
    }

    /// Waits for the end.
    ///
    /// - Returns: The exit code, or 1000 and the number of the signal; nil where it does not end in time.
    public func end(within limit: Duration = .seconds(60)) async -> Int32? {
      let deadline = ContinuousClock.now + limit
      while ContinuousClock.now < deadline {
        var status: Int32 = 0
        if unsafe waitpid(processID, &status, WNOHANG) == processID {
          await untilAllIsRead()
          return status & 0x7F == 0 ? status >> 8 & 0xFF : 1_000 + status & 0x7F
        }
        try? await Task.sleep(for: .milliseconds(20))
      }
      return nil
    }
  }
#endif
