// The shell blocks and transcripts of all pages are run with the built command.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ShellBlockTests {
  /// The folder of the built `sphero`.
  private static let products: URL = {
    let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
    return bundle?.deletingLastPathComponent()
      ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
  }()

  /// The pages with a block that is run.
  static let pages = Page.all.filter { !blocks(of: $0).isEmpty }

  private static func blocks(of page: Page) -> [Block] {
    page.blocks.filter { block in
      guard ["sh", "console"].contains(block.language) else { return false }
      guard let mark = block.mark else { return true }
      return mark.hasPrefix("needs:") || mark.hasPrefix("recipe:")
    }
  }

  /// Whether all programs and Python modules of `needs: jq python3:pandas` are installed.
  private func isRunnable(_ block: Block) async throws -> Bool {
    guard let mark = block.mark, mark.hasPrefix("needs:") else { return true }
    for need in mark.dropFirst("needs:".count).split(separator: " ") {
      let parts = need.split(separator: ":").map(String.init)
      let command = parts.count == 2 ? "\(parts[0]) -c 'import \(parts[1])'" : "command -v \(need)"
      if try await shell(command, in: FileManager.default.temporaryDirectory).code != 0 {
        print("skipped: \(block) needs \(need)")
        return false
      }
    }
    return true
  }

  private func shell(_ script: String, in folder: URL) async throws -> (output: String, code: Int32) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-euo", "pipefail", "-c", script]
    process.currentDirectoryURL = folder
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = Self.products.path + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    environment["SPHERO_PORT"] = "sim:"
    environment["COLUMNS"] = "80"
    process.environment = environment
    let output = folder.appending(path: ".output-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: output) }
    let handle = try FileHandle(forWritingTo: output)
    (process.standardOutput, process.standardError, process.standardInput) = (
      handle, handle, FileHandle.nullDevice
    )
    try process.start()
    let deadline = ContinuousClock.now + .seconds(120)
    while process.isRunning, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(10)) }
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      return ("the block did not end within 120 s", -1)
    }
    return (String(decoding: try Data(contentsOf: output), as: UTF8.self), process.terminationStatus)
  }

  @Test(arguments: pages) func theBlocksOfAPageRun(_ page: Page) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let examples = Page.root.appending(path: "Fixtures/examples")
    for file in try FileManager.default.contentsOfDirectory(atPath: examples.path) {
      try FileManager.default.copyItem(at: examples.appending(path: file), to: folder.appending(path: file))
    }
    for block in Self.blocks(of: page) where try await isRunnable(block) {
      if block.language == "sh" {
        let (output, code) = try await shell(block.text, in: folder)
        #expect(code == 0, "\(block):\n\(block.text)\(output)")
      } else {
        try await expectTranscript(block, in: folder)
      }
    }
  }

  /// Runs each line after `$ `, and compares the output with the following lines.
  private func expectTranscript(_ block: Block, in folder: URL) async throws {
    var command: String?
    var expected: [Substring] = []
    func check() async throws {
      guard let line = command else { return }
      let (output, _) = try await shell(line, in: folder)
      var lines = output.split(separator: "\n", omittingEmptySubsequences: false)
      if lines.last?.isEmpty == true { lines.removeLast() }
      while expected.last?.isEmpty == true { expected.removeLast() }
      #expect(Self.matches(lines[...], expected[...]), "\(block): \(line)\n\(output)")
    }
    for line in block.text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("$ ") {
        try await check()
        (command, expected) = (String(line.dropFirst(2)), [])
      } else {
        expected.append(line)
      }
    }
    try await check()
  }

  /// Whether lines match a pattern, in which `…` stands for any text of a line, and alone for any lines.
  static func matches(_ lines: ArraySlice<Substring>, _ pattern: ArraySlice<Substring>) -> Bool {
    guard let first = pattern.first else { return lines.isEmpty }
    if first == "…" {
      return (0...lines.count).contains { matches(lines.dropFirst($0), pattern.dropFirst()) }
    }
    guard let line = lines.first, matches(line, first) else { return false }
    return matches(lines.dropFirst(), pattern.dropFirst())
  }

  private static func matches(_ line: Substring, _ pattern: Substring) -> Bool {
    let parts = pattern.split(separator: "…", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else { return line == pattern }
    guard line.hasPrefix(first) else { return false }
    var rest = line.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() {
      guard let range = rest.range(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.count >= last.count && rest.hasSuffix(last)
  }

  @Test(arguments: [
    (["a", "b"], ["a", "b"], true), (["a", "b"], ["a"], false), (["a"], ["a", "b"], false),
    (["abc"], ["a…c"], true),
    (["abd"], ["a…c"], false), (["a", "b", "c"], ["a", "…"], true), (["a"], ["…"], true),
    (["ac"], ["a…b…c"], false),
    (["a", "b", "c"], ["…", "c"], true), (["a", "b"], ["…", "c"], false),
  ])
  func patternsMatch(_ lines: [String], _ pattern: [String], _ isMatch: Bool) {
    #expect(Self.matches(lines.map { $0[...] }[...], pattern.map { $0[...] }[...]) == isMatch)
  }
}
