// Runs another program and reads its output, with a time limit and a size limit.

import SpheroLibc
import SpheroSystem

package enum HelperProgram {
  private static let pollInterval = Duration.milliseconds(5)

  /// Runs bluetoothctl, whose lists are short; the result is that of ``output(of:_:within:atMost:)``.
  package static func bluetoothctl(
    _ arguments: [String], within limit: Duration = .seconds(2)
  ) async throws -> String? {
    try await output(of: "bluetoothctl", arguments, within: limit, atMost: 1 << 16)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Runs a program of the search path without input; its process group is killed at the end of its output or at a limit.
  ///
  /// - Returns: The output within both limits, also of a program that fails; nil if the program does not exist, if it
  ///   fails or reaches the time limit without output, and on systems other than Linux.
  package static func output(
    of name: String, _ arguments: [String], within limit: Duration, atMost count: Int
  ) async throws -> [UInt8]? {
    #if os(Linux)
      guard let ends = try? System.makePipe() else { return nil }
      // Programs expect that writes to their output block.
      _ = fcntl(ends.write, F_SETFL, 0)
      let child = start(name, arguments, output: ends.write)
      System.close(ends.write)
      defer { System.close(ends.read) }
      guard let child else { return nil }
      defer { end(child) }
      var bytes: [UInt8] = []
      let deadline = ContinuousClock.now + limit
      while bytes.count < count, ContinuousClock.now < deadline {
        guard System.isReadable(ends.read) else {
          try await Task.sleep(for: pollInterval)
          continue
        }
        guard let piece = try? System.read(ends.read, atMost: count - bytes.count), !piece.isEmpty else {
          // The output has ended. If it is empty, the exit status shows whether the program has failed.
          if !bytes.isEmpty { return bytes }
          while ContinuousClock.now < deadline {
            if let succeeds = hasSucceeded(child) { return succeeds ? [] : nil }
            try await Task.sleep(for: pollInterval)
          }
          return nil
        }
        bytes += piece
      }
      return bytes.isEmpty ? nil : bytes
    #else
      return nil
    #endif
  }

  #if os(Linux)
    /// Starts a program in a new process group; nil where that fails.
    private static func start(_ name: String, _ arguments: [String], output: Int32) -> pid_t? {
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      unsafe posix_spawn_file_actions_init(&actions)
      unsafe posix_spawnattr_init(&attributes)
      defer {
        unsafe posix_spawn_file_actions_destroy(&actions)
        unsafe posix_spawnattr_destroy(&attributes)
      }
      unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
      unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
      // This process blocks signals and ignores some; the program starts with the defaults.
      var (none, usual) = (System.signals([]), System.signals([SIGPIPE, SIGXFSZ]))
      unsafe posix_spawnattr_setsigmask(&attributes, &none)
      unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
      unsafe posix_spawnattr_setpgroup(&attributes, 0)
      let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
      unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
      // The output must not be localized; the other variables locate the programs and the bus.
      let kept = ["PATH", "HOME", "DBUS_SYSTEM_BUS_ADDRESS"].compactMap { name in
        ProcessContext.environment(name).map { "\(name)=\($0)" }
      }
      let words = unsafe ([name] + arguments).map { unsafe strdup($0) }
      let environment = unsafe (kept + ["LC_ALL=C"]).map { unsafe strdup($0) }
      let texts = unsafe words + environment
      defer { for index in unsafe texts.indices { unsafe free(texts[index]) } }
      var child: pid_t = 0
      // The arrays end with a null pointer and live until after the call.
      let code = unsafe posix_spawnp(&child, name, &actions, &attributes, words + [nil], environment + [nil])
      return code == 0 ? child : nil
    }

    /// Whether a program has ended with the exit status 0; nil while it runs. It is not reaped.
    private static func hasSucceeded(_ child: pid_t) -> Bool? {
      var status = unsafe siginfo_t()
      guard unsafe waitid(P_PID, id_t(child), &status, WEXITED | WNOHANG | WNOWAIT) == 0,
        unsafe status._sifields._sigchld.si_pid == child
      else { return nil }
      return unsafe status.si_code == Int32(CLD_EXITED) && status._sifields._sigchld.si_status == 0
    }

    private static func end(_ child: pid_t) {
      _ = kill(-child, SIGKILL)
      var status: Int32 = 0
      _ = try? System.check { unsafe waitpid(child, &status, 0) }
    }
  #endif
}
