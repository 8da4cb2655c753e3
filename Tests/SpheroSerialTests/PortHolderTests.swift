// The holder of a device, and takeovers.

import Foundation
import SpheroSystem
import SpheroTransport
import TestSupport
import Testing

@testable import SpheroSerial
@testable import SpheroServing

#if os(Linux)
  @Suite(.timeLimit(.minutes(5))) struct PortHolderTests {
    /// A program that opens a pseudo-terminal.
    private final class Child: @unchecked Sendable {
      let process = Process()
      var pid: Int32 { process.processIdentifier }

      /// Runs shell commands with `$1` for the device, and waits until it is held.
      init(_ script: String, on path: String, becoming program: String = "sleep") async throws {
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script, "sh", path]
        try process.start()
        try await PortHolderTests.waitUntil(program, holds: path)
      }

      deinit { kill(pid, SIGKILL) }

      func end() { kill(pid, SIGKILL) }
    }

    /// Waits until a child has become a program and holds a device.
    private static func waitUntil(_ program: String, holds path: String) async throws {
      let isHeld = await eventually { HolderSearch.holder(of: path)?.process.program == program }
      try #require(isHeld, "no process holds \(path)")
    }

    /// Locks the device in a program that ends: the lock table then names a process that no longer exists.
    private static let locks = "exec 9<> \"$1\"; flock 9; exec sleep 300"
    private static let opens = "exec 9<> \"$1\"; exec sleep 300"
    private static let oneTry = RetryPolicy(attempts: 1)

    /// Threads of tests may block signals; programs that they start must not.
    @Test func aProgramOfATestHeedsSignals() throws {
      var (all, former) = (sigset_t(), sigset_t())
      unsafe sigfillset(&all)
      unsafe pthread_sigmask(SIG_SETMASK, &all, &former)
      defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sleep")
      process.arguments = ["20"]
      try process.start()
      process.terminate()
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM)
      var now = sigset_t()
      unsafe pthread_sigmask(SIG_SETMASK, nil, &now)
      #expect(unsafe sigismember(&now, SIGTERM) == 1, "the thread blocks what it did")
    }

    @Test func aDeviceThatIsLockedSaysByWhom() async throws {
      let robot = try PseudoTerminal()
      defer { robot.close() }
      let child = try await Child(Self.locks, on: robot.path)
      let error = LinkError.busy(robot.path, PortHolder(processID: child.pid, program: "sleep"))
      await #expect(throws: error) { try await SerialDevice.open(robot.path, retryPolicy: Self.oneTry) }
      #expect(error.message == "\(robot.path) is held by sleep (pid \(child.pid))")
      child.end()
    }

    @Test func theProcessThatTookTheLockIsFoundInTheTable() async throws {
      let robot = try PseudoTerminal()
      defer { robot.close() }
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["flock", "--no-fork", robot.path, "sleep", "300"]
      try process.start()
      defer { process.terminate() }
      try await PortHolderTests.waitUntil("sleep", holds: robot.path)
      #expect(HolderSearch.holder(of: robot.path)?.process.processID == process.processIdentifier)
      let file = try #require(System.identity(of: robot.path))
      let table = try #require(System.text(of: "/proc/locks"))
      #expect(HolderSearch.lockHolders(in: table, of: file) == [process.processIdentifier])
    }

    @Test func aProgramThatTakesNoLockIsFoundByItsDescriptor() async throws {
      let robot = try PseudoTerminal()
      defer { robot.close() }
      #expect(HolderSearch.holder(of: robot.path) == nil, "who serves the device does not hold it")
      let child = try await Child(Self.opens, on: robot.path)
      #expect(HolderSearch.holder(of: robot.path)?.process.processID == child.pid)
      child.end()
    }

    @Test func aDeviceIsTakenFromAProgramThatHeedsTheSignal() async throws {
      let robot = try PseudoTerminal()
      defer { robot.close() }
      let child = try await Child(Self.locks, on: robot.path)
      let line = try await SerialDevice.open(
        robot.path, retryPolicy: Self.oneTry, takeover: Takeover(from: "sleep"))
      child.process.waitUntilExit()
      #expect(child.process.terminationReason == .uncaughtSignal && child.process.terminationStatus == SIGINT)
      await line.close()
    }

    /// As `sphero stop --wait 0` does.
    @Test func aLimitOfNoTimeInterruptsTheHolder() async throws {
      let robot = try PseudoTerminal()
      defer { robot.close() }
      let child = try await Child(Self.locks, on: robot.path)
      var policy = Self.oneTry
      policy.limit = .zero
      let line = try await SerialDevice.open(
        robot.path, retryPolicy: policy, takeover: Takeover(from: "sleep"))
      child.process.waitUntilExit()
      #expect(child.process.terminationStatus == SIGINT)
      await line.close()
    }

    @Test func aSuspendedProgramIsWokenToEnd() async throws {
      let robot = try PseudoTerminal()
      defer { robot.close() }
      let child = try await Child(Self.locks, on: robot.path)
      kill(child.pid, SIGSTOP)
      let line = try await SerialDevice.open(
        robot.path, retryPolicy: Self.oneTry, takeover: Takeover(from: "sleep"))
      await line.close()
    }

    @Test func aProgramThatIgnoresTheSignalIsNamedInBoundedTime() async throws {
      let robot = try PseudoTerminal()
      defer { robot.close() }
      let child = try await Child("trap '' INT; " + Self.locks, on: robot.path)
      let start = ContinuousClock.now
      let holder = PortHolder(processID: child.pid, program: "sleep")
      await #expect(throws: LinkError.busy(robot.path, holder)) {
        try await SerialDevice.open(
          robot.path, takeover: Takeover(from: "sleep", within: .milliseconds(300)))
      }
      #expect(ContinuousClock.now - start < .seconds(60))
      #expect(child.process.isRunning)
      child.end()
    }

    @Test func aProgramIsAskedOnce() async throws {
      let robot = try PseudoTerminal()
      defer { robot.close() }
      let notes = FileManager.default.temporaryDirectory.appending(path: "signals-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: notes) }
      let script =
        "trap 'echo INT >> \"\(notes.path)\"' INT; exec 9<> \"$1\"; flock 9; : > \"\(notes.path)\"; "
      let child = try await Child(
        script + "while :; do sleep 0.02 9>&-; done", on: robot.path, becoming: "sh")
      // The script creates the file once the device is locked and `flock`, which also has it open, has ended.
      try #require(await eventually { FileManager.default.fileExists(atPath: notes.path) })
      let holder = PortHolder(processID: child.pid, program: "sh")
      await #expect(throws: LinkError.busy(robot.path, holder)) {
        try await SerialDevice.open(
          robot.path, takeover: Takeover(from: "sh", within: .seconds(2)))
      }
      #expect(await eventually { (try? String(contentsOf: notes, encoding: .utf8))?.isEmpty == false })
      #expect(try String(contentsOf: notes, encoding: .utf8) == "INT\n")
      child.end()
    }

    @Test func anotherProgramIsNamedAtOnceAndLeftAlone() async throws {
      let robot = try PseudoTerminal()
      defer { robot.close() }
      let child = try await Child(Self.locks, on: robot.path)
      let holder = PortHolder(processID: child.pid, program: "sleep")
      await #expect(throws: LinkError.busy(robot.path, holder)) {
        try await SerialDevice.open(robot.path, takeover: Takeover(from: "sphero", within: .seconds(60)))
      }
      try await Task.sleep(for: .milliseconds(50))
      #expect(child.process.isRunning)
      child.end()
    }

    @Test func takingOverCanBeCancelled() async throws {
      let robot = try PseudoTerminal()
      defer { robot.close() }
      let child = try await Child("trap '' INT; " + Self.locks, on: robot.path)
      let opening = Task {
        try await SerialDevice.open(robot.path, takeover: Takeover(from: "sleep", within: .seconds(60)))
      }
      try await Task.sleep(for: .milliseconds(100))
      opening.cancel()
      await #expect(throws: CancellationError.self) { try await opening.value }
      child.end()
    }
  }
#endif

@Suite(.timeLimit(.minutes(5))) struct ProcessTableTests {
  /// Lines as Linux 6.12 prints them.
  private static let table = """
    1: POSIX  ADVISORY  WRITE 10031 fe:00:5324951 1073741824 1073742335
    2: FLOCK  ADVISORY  WRITE 10032 00:18:5 0 EOF
    2: -> FLOCK  ADVISORY  WRITE 10033 00:18:5 0 EOF
    3: FLOCK  ADVISORY  READ  10034 00:18:5 0 EOF
    4: FLOCK  ADVISORY  WRITE 10035 00:18:50 0 EOF
    5: FLOCK  ADVISORY  WRITE 10036 10:18:5 0 EOF
    6: FLOCK  ADVISORY  WRITE 0 00:18:5 0 EOF
    7: FLOCK  ADVISORY  WRITE 99999999999 00:18:5 0 EOF
    8: POSIX  ADVISORY  WRITE 10037 00:18:5 0 EOF
    9: FLOCK
    10: FLOCK ADVISORY WRITE 10038 00:18
    11: OFDLCK ADVISORY  WRITE -1 00:18:5 0 0
    """

  @Test func onlyLocksOfTheFileCount() {
    let file = "00:18:5"
    #expect(HolderSearch.lockHolders(in: Self.table, of: file) == [10_032, 10_034])
    #expect(HolderSearch.lockHolders(in: Self.table, of: "10:18:5") == [10_036])
    #expect(HolderSearch.lockHolders(in: Self.table, of: "00:18:6") == [])
    #expect(HolderSearch.lockHolders(in: "", of: file) == [])
  }

  // MAJOR and MINOR of makedev(3), by hand.
  @Test(
    arguments: [
      (0xFE00, 0xFE, 0), (0x18, 0, 0x18), (0x8801, 0x88, 1), (0x1234_5000_0126_7089, 0x1234_5670, 0x1289),
      (0x0000_0000_FFF0_00FF, 0, 0xF_FFFF),
    ] as [(UInt64, UInt64, UInt64)])
  func deviceNumbersComeApart(_ device: UInt64, _ major: UInt64, _ minor: UInt64) {
    #expect(System.numbers(ofDevice: device) == (major, minor))
  }

  @Test(
    arguments: [
      ("123 (sphero) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20", 123, "sphero"),
      ("7 (a) b (c) d) R 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711", 7, "a) b (c) d"),
      ("7 (\u{1B}[31m) R 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711\n", 7, "?[31m"),
      ("7 () R 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711", 7, ""),
    ] as [(String, Int32, String)])
  func aProcessIsReadFromItsLine(_ line: String, _ number: Int32, _ program: String) throws {
    let holder = try #require(DeviceHolder(parsing: line))
    #expect(holder.process == PortHolder(processID: number, program: program) && holder.start == 4_711)
  }

  @Test(arguments: ["", ")(", "7 (a", "7 a) R", "x (a) R 1", "7 (a) R 1 2 3"])
  func anotherLineIsNone(_ line: String) { #expect(DeviceHolder(parsing: line) == nil) }
}
