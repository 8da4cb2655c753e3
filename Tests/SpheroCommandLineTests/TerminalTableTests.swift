// Tables on real terminals of several widths, and the same records in pipes.

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct TerminalTableTests {
    private static let words = [
      "stream", "--port", "sim:seed=1", "--mask", "accel,imu,quat", "--divisor", "20", "-q",
    ]

    /// The lines on a terminal.
    private func lines(
      _ words: [String], columns: Int, environment: [String: String] = [:]
    ) async throws -> [String] {
      let run = try TerminalRun(
        [Run.executable.path] + words, environment: ["COLUMNS": ""].merging(environment) { $1 },
        columns: columns)
      #expect(await run.end() == 0)
      return run.output.split(separator: "\r\n").map(String.init)
    }

    @Test func theFirstCommandOfTheReadmeFitsItsTerminal() async throws {
      let words = Self.words + ["--count", "3"]
      let pipe = try await Run(words).end()
      let full = pipe.output.split(separator: "\n").map(String.init)
      #expect(full.map(\.count) == [112, 112, 112, 112])
      #expect(try await lines(words, columns: 120) == full)
      let narrow = try await lines(words, columns: 80)
      #expect(narrow.count == 5 && narrow.allSatisfy { $0.count < 80 })
      #expect(narrow.first?.split(separator: " ") == ["time", "pitch", "roll", "yaw", "accel_g"])
      // All digits remain.
      let numbers = full.dropFirst().map { $0.split(separator: " ") }
      #expect(narrow.dropFirst(2).map { $0.split(separator: " ") } == numbers)
      #expect(try await lines(words, columns: 200, environment: ["COLUMNS": "80"]) == narrow)
    }

    @Test func resizingChangesTheTable() async throws {
      let run = try TerminalRun(
        [Run.executable.path] + Self.words, environment: ["COLUMNS": ""], columns: 80, rows: 30)
      #expect(await run.shows("accel_g"))
      run.resize(columns: 120, rows: 40)
      #expect(await run.shows("accel_x_g"))
      run.resize(columns: 60, rows: 40)
      #expect(await run.shows("accel_g"))
      run.signal(SIGINT)
      #expect(await run.end() == 1_000 + SIGINT)
      let lines = run.output.split(separator: "\r\n")
      #expect(lines.prefix { !$0.contains("accel_x_g") }.allSatisfy { $0.count < 80 })
    }

    @Test func recordedSamplesFitToo() async throws {
      let path = freshPath()
      defer { try? FileManager.default.removeItem(atPath: path) }
      #expect(try await Run(Self.words + ["--count", "3", "--capture", path]).end().code == 0)
      let table = try await lines(["decode", "--samples", "-q", path], columns: 80)
      #expect(table.count == 5 && table.allSatisfy { $0.count < 80 })
      #expect(
        table.dropFirst(2) == (try await lines(Self.words + ["--count", "3"], columns: 80)).dropFirst(2))
    }

    @Test func severalRobotsShareOneTable() async throws {
      let table = try await lines(
        Self.words + ["--port", "sim:seed=2", "--count", "5"], columns: 80)
      #expect(table.allSatisfy { $0.count < 80 })
      #expect(table.filter { $0.contains("accel_g") }.count == 1)
      #expect(table.first?.hasPrefix("robot") == true && table[1].contains("  s   deg  deg  deg"))
      #expect(table.filter { $0.hasPrefix("sim:seed=") }.count == 10)
    }
  }
#endif
