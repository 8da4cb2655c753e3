// Helper programs: output, limits, and the end of their process group.

#if os(Linux)
  import Foundation
  import SpheroProcess
  import TestSupport
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct HelperProgramTests {
    /// The output of a shell script, whose first line is the number of its process.
    private func output(
      of script: String, within limit: Duration, atMost count: Int
    ) async throws -> (process: pid_t?, text: Substring) {
      let bytes = try await HelperProgram.output(
        of: "sh", ["-c", "echo $$; " + script], within: limit, atMost: count)
      let text = String(decoding: bytes ?? [], as: UTF8.self)
      let lines = text.split(separator: "\n", maxSplits: 1)
      return (lines.first.flatMap { pid_t($0) }, lines.dropFirst().first ?? "")
    }

    /// Whether a process group has ended, after its processes have been reaped.
    private func isGone(_ group: pid_t) async -> Bool { await eventually { kill(-group, 0) != 0 } }

    @Test func aProgramThatEndsIsReadWhole() async throws {
      let (process, text) = try await output(of: "echo two; echo three", within: .seconds(600), atMost: 1_000)
      #expect(text == "two\nthree\n")
      #expect(await isGone(try #require(process)))
    }

    @Test func aFloodIsCutAndEnded() async throws {
      let (process, text) = try await output(
        of: "while :; do echo flood; done", within: .seconds(600), atMost: 1_000)
      #expect(text.utf8.count < 1_000 && text.utf8.count > 980 && text.hasPrefix("flood\nflood\n"))
      #expect(await isGone(try #require(process)))
    }

    /// The limit ends a silent program and its children, also on a busy computer.
    @Test func theLimitEndsAProgramThatHangs() async throws {
      let file = FileManager.default.temporaryDirectory.appending(path: "sphero-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: file) }
      let script = "echo $$ > \(file); sleep 600 & sleep 600"
      let bytes = try await HelperProgram.output(
        of: "sh", ["-c", script], within: .milliseconds(500), atMost: 1_000)
      #expect(bytes == nil)
      // On a busy computer it may have been killed before it printed its number.
      guard let text = try? String(contentsOfFile: file, encoding: .utf8),
        let process = pid_t(text.split(separator: "\n").first ?? "")
      else { return }
      #expect(await isGone(process))
    }

    private static let silent: [(script: String, output: [UInt8]?)] = [
      ("exit 0", []), ("exit 3", nil), ("kill -ABRT $$", nil), ("exec >&-; sleep 600", nil),
    ]

    @Test(arguments: silent)
    func aProgramWithoutOutputSucceedsOrNot(_ script: String, _ expected: [UInt8]?) async throws {
      let limit = Duration.seconds(script.contains("600") ? 1 : 600)
      let bytes = try await HelperProgram.output(of: "sh", ["-c", script], within: limit, atMost: 10)
      #expect(bytes == expected)
    }

    @Test func thereIsNoSuchProgram() async throws {
      let bytes = try await HelperProgram.output(
        of: "no-such-program-of-sphero", [], within: .seconds(600), atMost: 10)
      #expect(bytes == nil)
    }
  }
#endif
