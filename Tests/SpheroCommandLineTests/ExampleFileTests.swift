// The files that the examples of the help pages name: they exist, or an example writes them.

import Foundation
import TestSupport
import Testing

@testable import sphero

@Suite(.timeLimit(.minutes(5))) struct ExampleFileTests {
  private static let folder = packageRoot.appending(path: "Fixtures/examples")

  private static let examples = Program.subcommands.flatMap { $0.examples }

  /// The words of an example that name files in the current folder, like `run.capture`.
  private static func files(in example: String) -> [String] {
    example.split(whereSeparator: { " |".contains($0) }).map(String.init)
      .filter { $0.wholeMatch(of: #/[a-z]+\.[a-z]{3,7}/#) != nil }
  }

  /// Whether an example writes a file: behind `-o`, `--offsets` and `record`.
  private static func writes(_ example: String, _ file: String) -> Bool {
    ["-o \(file)", "--offsets \(file)", "record \(file)"].contains { example.contains($0) }
  }

  @Test func eachFileExistsOrIsWrittenByAnExample() {
    let names = Set(Self.examples.flatMap(Self.files(in:)))
    #expect(names.count > 10)
    for name in names {
      let exists = FileManager.default.fileExists(atPath: Self.folder.appending(path: name).path)
      #expect(exists || Self.examples.contains { Self.writes($0, name) }, "\(name)")
    }
  }

  /// A command does not replace a file, so that all examples can be performed one after the other.
  @Test func noExampleWritesAFileThatExists() throws {
    var existing = Set(try FileManager.default.contentsOfDirectory(atPath: Self.folder.path))
    for example in Self.examples {
      for file in Self.files(in: example) where Self.writes(example, file) {
        #expect(existing.insert(file).inserted, "\(example)")
      }
    }
  }

  /// The paths below `Fixtures` in the README and the pages of `Docs`.
  @Test func eachFixtureThatAPageNamesExists() throws {
    let docs = packageRoot.appending(path: "Docs")
    let pages = try FileManager.default.contentsOfDirectory(atPath: docs.path)
      .filter { $0.hasSuffix(".md") }.map { docs.appending(path: $0) }
    var count = 0
    for page in pages + [packageRoot.appending(path: "README.md")] {
      for match in try String(contentsOf: page, encoding: .utf8).matches(of: #/Fixtures/[\w/.-]*\w/#) {
        let path = packageRoot.appending(path: String(match.output)).path
        #expect(FileManager.default.fileExists(atPath: path), "\(page.lastPathComponent): \(match.output)")
        count += 1
      }
    }
    #expect(count > 2)
  }

  /// The examples that read files and need no robot.
  private static let readers = examples.filter { example in
    ["sphero decode ", "sphero plot ", "sphero survey --from"].contains { example.hasPrefix($0) }
      && !example.contains("ball.json") || example.hasSuffix("--check")
  }

  @Test(arguments: readers) func thoseWithoutARobotSucceed(_ example: String) async throws {
    let target = freshPath()
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: target) }
    for file in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path) {
      try FileManager.default.copyItem(
        at: Self.folder.appending(path: file), to: URL(filePath: target).appending(path: file))
    }
    let line = "cd \"$1\" && sphero() { \"$0\" \"$@\"; } && \(example) < /dev/null > out"
    let outcome = try await program(["sh", "-c", line, Run.executable.path, target])
    #expect(outcome.code == 0, "\(example): \(outcome.error)")
  }

  /// Those that a simulated robot can perform; the others roll for long or wait for a person.
  @Test(arguments: [
    "program dance.macro", "program blink.bas", "run square.run", "ping --count 1 --port sim:floor=room.txt",
  ])
  func thoseWithARobotSucceed(_ words: String) async throws {
    let line = "cd \"$1\" && exec \"$0\" \(words)"
    let outcome = try await program(
      ["SPHERO_PORT=sim:", "sh", "-c", line, Run.executable.path, Self.folder.path])
    #expect(outcome.code == 0, "\(words): \(outcome.error)")
  }
}
