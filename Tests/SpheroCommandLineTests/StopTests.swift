// sphero stop in a second terminal, while another command holds the port.

import Foundation
import SpheroTransport
import TestSupport
import Testing

@testable import SpheroSerial
@testable import SpheroServing

#if os(Linux)
  @Suite(.timeLimit(.minutes(5))) struct StopTests {
    /// Serves a simulated robot in another process, and rolls it by a third one.
    private func whileRolling(
      by starter: [String] = [], overTCP host: String? = nil,
      _ body: (_ port: String, _ roll: Run) async throws -> Void
    ) async throws {
      let number = try freePort()
      let port = host.map { "tcp:\($0):\(number)" } ?? freshPath()
      let robot = try Run(["simulate"] + (host == nil ? ["--link", port] : ["--listen", "\(number)"]))
      defer { robot.signal(SIGKILL) }
      #expect(try await robot.line() == (host == nil ? port : "tcp:127.0.0.1:\(number)"))
      let kept = freshPath()
      defer { try? FileManager.default.removeItem(atPath: kept) }
      let roll = try Run(
        ["roll", "90", "--for", "5m", "--port", port, "-v", "--capture", kept], by: starter)
      defer { roll.signal(SIGKILL) }
      try await waitUntil("sphero", holds: host == nil ? port : "tcp:127.0.0.1:\(number)")
      try await untilSent("02 30", in: kept)
      try await body(port, roll)
      #expect(robot.process.isRunning, "the simulator has the device open, and is not its holder")
      robot.signal(SIGINT)
      #expect(try await robot.end().code == 130)
    }

    private func waitUntil(_ program: String, holds port: String) async throws {
      let isHeld = await eventually {
        let holder =
          HolderSearch.holder(of: port) ?? HolderSearch.holder(ofName: AbstractSocketLock.name(ofPort: port))
        return holder?.process.program == program
      }
      try #require(isHeld, "no process holds \(port)")
    }

    /// Over TCP, the simulator accepts one client at a time.
    @Test(arguments: [nil, "127.0.0.1", "localhost"]) func aRollingSpheroIsEndedAsByControlC(
      overTCP host: String?
    ) async throws {
      try await whileRolling(overTCP: host) { port, roll in
        let stop = try await sphero("stop", "--port", port, "-v")
        #expect(stop.code == 0, "\(stop.error)")
        #expect(stop.error.contains("state=stop"))
        let outcome = try await roll.end()
        #expect(outcome.code == 130)
        #expect(outcome.error.contains("speed=0 heading=90° state=stop"), "its own stop")
      }
    }

    @Test func aRollUnderTimeoutIsEndedToo() async throws {
      try await whileRolling(by: ["/usr/bin/env", "timeout", "300"]) { port, roll in
        let (stopped, rolled) = (try await sphero("stop", "--port", port), try await roll.end())
        #expect(stopped.code == 0 && rolled.code == 130)
      }
    }

    @Test func aSuspendedRollIsEndedToo() async throws {
      try await whileRolling { port, roll in
        roll.signal(SIGSTOP)
        let (stopped, rolled) = (try await sphero("stop", "--port", port), try await roll.end())
        #expect(stopped.code == 0 && rolled.code == 130)
      }
    }

    /// The robot ends a macro by itself when the link drops; a program in BASIC ends with the stop.
    @Test(arguments: [
      ("loopStart 200\nroll 20 0 255\nloopEnd\n", false),
      ("10 goroll 0, 20, 1\n20 delay 100\n30 goto 10\n", true),
    ]) func aProgramWhoseSpheroWasKilledIsEnded(_ text: String, rolls: Bool) async throws {
      let (port, file) = (freshPath(), freshPath())
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(atPath: file) }
      let robot = try Run(["simulate", "--link", port])
      defer { robot.signal(SIGKILL) }
      #expect(try await robot.line() == port)
      let program = try Run(["program", file, "--port", port])
      try await waitUntil("sphero", holds: port)
      try await Task.sleep(for: .seconds(2))
      program.signal(SIGKILL)
      _ = try await program.end()
      try await Task.sleep(for: .seconds(2))
      #expect(try await isRolling(port) == rolls)
      #expect(try await sphero("stop", "--port", port).code == 0)
      try await Task.sleep(for: .seconds(2))
      #expect(try await !isRolling(port))
    }

    private func isRolling(_ port: String) async throws -> Bool {
      let sample = try await sphero(
        "stream", "-q", "--port", port, "--mask", "velocity", "--count", "1", "--format", "csv")
      let values = sample.output.split(separator: "\n").last?.split(separator: ",").compactMap { Double($0) }
      return try #require(values, "\(sample)").suffix(2).contains { abs($0) > 0.01 }
    }

    /// A robot whose answers are lost receives the aborts and the stop.
    @Test func aRobotWithoutAnswersIsStopped() async throws {
      var behaviour = BareRobot.Behaviour()
      behaviour.status = { _, _ in nil }
      let robot = try BareRobot(behaviour)
      defer { robot.close() }
      let stop = try await sphero("stop", "--port", robot.path, "--timeout", "100ms")
      #expect(stop.code == 69 && stop.error.contains("no robot answers"), "\(stop)")
      #expect(robot.commands.prefix(2).map(\.id) == [[0x02, 0x55], [0x02, 0x63]])
      #expect(robot.payloads(0x02, 0x30) == [[0, 0, 0, 0]])
    }

    @Test func anotherProgramIsNamedAndLeftAlone() async throws {
      let line = try PseudoTerminal()
      defer { line.close() }
      let script = "exec 9<> \"$1\"; flock 9; exec sleep 300"
      let other = Process()
      other.executableURL = URL(filePath: "/bin/sh")
      other.arguments = ["-c", script, "sh", line.path]
      try other.start()
      defer { other.terminate() }
      try await waitUntil("sleep", holds: line.path)
      let stop = try await sphero("stop", "--port", line.path)
      #expect(stop.code == 69)
      #expect(stop.error.contains("\(line.path) is held by sleep (pid \(other.processIdentifier))"))
      #expect(stop.error.contains("kill \(other.processIdentifier)"))
      #expect(other.isRunning)
    }
  }
#endif
