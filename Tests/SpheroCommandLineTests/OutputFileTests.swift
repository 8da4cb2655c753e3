// Output to a file: all lines, in order, without delay, also if the run ends early.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct OutputFileTests {
  /// Runs a line of a shell, where `$0` is the program and `$1` a file.
  private func shell(_ line: String, _ file: String) async throws -> Outcome {
    try await program(["sh", "-c", line, Run.executable.path, file])
  }

  private func withFile<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let file = freshPath()
    defer { try? FileManager.default.removeItem(atPath: file) }
    return try await body(file)
  }

  @Test func allLinesArrive() async throws {
    try await withFile { file in
      let stream = "\"$0\" stream --port sim: --mask accel --divisor 1 --count 500 --format csv >\"$1\""
      #expect(try await shell(stream, file).code == 0)
      let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == 501)
      let times = lines.dropFirst().compactMap { $0.split(separator: ",").first.flatMap { Double($0) } }
      #expect(times.count == 500 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test func linesAreThereWhileItRuns() async throws {
    try await withFile { file in
      // Lines before the signal cannot result from the shutdown.
      let outcome = try await shell(
        """
        "$0" stream --port sim: --mask accel --divisor 400 --format csv >"$1" &
        for i in $(seq 600); do
          [ "$(wc -l <"$1")" -ge 3 ] && echo seen && break
          sleep 0.1
        done
        kill -INT $!
        wait $!
        """, file)
      #expect(outcome.code == 130 && outcome.output == "seen\n", "\(outcome.error)")
    }
  }

  @Test func aRemarkFollowsEarlierResults() async throws {
    try await withFile { file in
      let ping = "\"$0\" ping --port sim: --count 2 --interval 10ms >\"$1\" 2>&1"
      #expect(try await shell(ping, file).code == 0)
      let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == 4 && lines[3].hasPrefix("sphero: 2 of 2 answered"), "\(lines)")
    }
  }

  @Test func aRemarkOnARecordingFollowsTheSamplesBeforeIt() async throws {
    try await withFile { file in
      let packet = "< FF FE 03 00 07 FF FB 00 01 00 B4 46"
      let recordings =
        "#: capture mask=0x00070000:0x00000000 divisor=20 frames=1\\n0.10 \(packet)\\n0.15 \(packet)\\n"
      let decode =
        "printf '\(recordings)\(recordings)' | \"$0\" decode --samples --format csv - >\"$1\" 2>&1"
      #expect(try await shell(decode, file).code == 0)
      let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
      let remark = try #require(lines.firstIndex { $0.contains("another recording begins") }, "\(lines)")
      #expect(remark == 3 && lines[0].hasPrefix("time_s") && lines[2].hasPrefix("0.050,"), "\(lines)")
    }
  }

  @Test func aFileThatMayNotGrowIsAnErrorAndKeepsWholeLines() async throws {
    try await withFile { file in
      let outcome = try await shell(
        "ulimit -f 8; exec \"$0\" stream --port sim: --mask all --divisor 1 --format csv >\"$1\"",
        file)
      #expect(outcome.code == 74, "\(outcome.error)")
      #expect(outcome.error.contains("cannot write the results"))
    }
  }

  @Test func aFailedReplacementKeepsTheEarlierFile() async throws {
    try await withFile { file in
      let earlier = String(repeating: "earlier", count: 100)
      try earlier.write(toFile: file, atomically: true, encoding: .utf8)
      let plot =
        """
        { echo time_s,yaw_deg; seq 5000 | sed 's/.*/&,&/'; } |
          (ulimit -f "$LIMIT"; exec "$0" plot - --force --output "$1")
        """
      #expect(try await shell("LIMIT=1; \(plot)", file).code == 74)
      #expect(try String(contentsOfFile: file, encoding: .utf8) == earlier)
      #expect(try await shell("LIMIT=unlimited; \(plot)", file).code == 0)
      #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("<svg"))
      let folder = URL(filePath: file).deletingLastPathComponent().path
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(!names.contains { $0.hasPrefix(URL(filePath: file).lastPathComponent + ".") })
    }
  }

  /// A picture that cannot be written completely leaves no file, which the next attempt would refuse to replace.
  @Test func halfAPictureLeavesNoFile() async throws {
    try await withFile { file in
      let outcome = try await shell(
        """
        { echo time_s,yaw_deg; seq 5000 | sed 's/.*/&,&/'; } |
          (ulimit -f 1; exec "$0" plot - --output "$1.svg")
        """, file)
      #expect(outcome.code == 74, "\(outcome.error)")
      #expect(!FileManager.default.fileExists(atPath: file + ".svg"))
    }
  }
}
