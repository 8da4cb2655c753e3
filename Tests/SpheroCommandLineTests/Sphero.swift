// Runs the built `sphero` as a process.

import Foundation
import TestSupport
import Testing

/// A running process.
final class Run: @unchecked Sendable {
  let process = Process()
  private let output = Pipe()
  private let error = Pipe()

  /// The program that was built with the tests.
  static let executable: URL = {
    let products = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }?
      .deletingLastPathComponent()
    let folder = products ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    return folder.appending(path: "sphero")
  }()

  /// Starts the program, or another one that starts it with the same words.
  init(
    _ words: [String], by starter: [String] = [], environment: [String: String] = [:],
    input: FileHandle = .nullDevice
  ) throws {
    let line = starter + [Self.executable.path] + words
    process.executableURL = URL(filePath: line[0])
    process.arguments = Array(line.dropFirst())
    var surroundings = ProcessInfo.processInfo.environment
    surroundings["SPHERO_PORT"] = nil
    process.environment = surroundings.merging(environment) { $1 }
    process.standardOutput = output
    process.standardError = error
    process.standardInput = input
    try process.start()
  }

  /// Waits for the next line of output.
  func line() async throws -> String {
    try await blocking {
      var line: [UInt8] = []
      while let byte = try self.output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A {
        line.append(byte)
      }
      return String(decoding: line, as: UTF8.self)
    }
  }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits until the program handles signals; before that, the first one would end it.
  func handlesSignals() async throws {
    #if os(Linux)
      let isReady = await eventually {
        let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let mask = status?.firstMatch(of: /SigBlk:\s*([0-9a-f]+)/).flatMap { UInt64($0.1, radix: 16) }
        return mask.map { $0 >> (SIGINT - 1) & 1 == 1 } ?? false
      }
      try #require(isReady, "the program never took over the signals")
    #else
      try await Task.sleep(for: .seconds(1))
    #endif
  }

  /// The reading end of its output.
  var outputDescriptor: Int32 { output.fileHandleForReading.fileDescriptor }

  /// Closes the reading end of its output.
  func stopReading() throws { try output.fileHandleForReading.close() }

  /// Waits for the end; kills the program after the limit of the test.
  func end() async throws -> Outcome {
    try await withTaskCancellationHandler {
      try await outcome()
    } onCancel: {
      signal(SIGKILL)
    }
  }

  private func outcome() async throws -> Outcome {
    try await blocking {
      let text = try? self.output.fileHandleForReading.readToEnd()
      let remarks = try self.error.fileHandleForReading.readToEnd()
      self.process.waitUntilExit()
      return Outcome(
        self.process, output: String(decoding: text ?? Data(), as: UTF8.self),
        error: String(decoding: remarks ?? Data(), as: UTF8.self))
    }
  }
}

/// Runs blocking code on a separate thread, since tests share few.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}

/// The outcome of a run.
struct Outcome: Sendable {
  /// The exit code as a shell reports it: 128 plus the number of a signal that ended the program.
  var code: Int32
  /// The signal that ended the program; nil after an exit.
  var signal: Int32?
  var output: String
  var error: String
  var lines: [Substring] { output.split(separator: "\n") }

  /// The end of a process, and what it printed.
  init(_ process: Process, output: String, error: String) {
    let status = process.terminationStatus
    signal = process.terminationReason == .uncaughtSignal ? status : nil
    code = signal.map { 128 + $0 } ?? status
    (self.output, self.error) = (output, error)
  }
}

func sphero(_ words: String..., environment: [String: String] = [:]) async throws -> Outcome {
  try await Run(words, environment: environment).end()
}

/// Runs a program of PATH to its end.
func program(_ words: [String]) async throws -> Outcome {
  try await blocking {
    let process = Process()
    let (output, error) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    (process.standardOutput, process.standardError) = (output, error)
    try process.start()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let remarks = try error.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(
      process, output: String(decoding: text, as: UTF8.self),
      error: String(decoding: remarks, as: UTF8.self))
  }
}

/// Runs a script that prints without a pause, as the input of a program; it ends when nothing reads its output.
func output(ofEndless script: String) throws -> FileHandle {
  let (process, pipe) = (Process(), Pipe())
  process.executableURL = URL(filePath: "/bin/sh")
  process.arguments = ["-c", script]
  (process.standardOutput, process.standardError) = (pipe, FileHandle.nullDevice)
  try process.start()
  return pipe.fileHandleForReading
}

/// Waits until a capture contains a command with a device and a number like `02 30`.
func untilSent(
  _ command: String, in path: String, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let isThere = await eventually {
    // One line may hold several commands.
    (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n").contains {
      $0.contains(" > ") && $0.contains("FF FF \(command) ")
    } ?? false
  }
  try #require(isThere, "\(command) was never sent", sourceLocation: sourceLocation)
}

/// Waits until a pipe is full.
func untilFull(_ descriptor: Int32) async throws {
  var count: Int32 = 0
  let isFull = await eventually(every: .milliseconds(500)) {
    let before = count
    _ = unsafe ioctl(descriptor, UInt(FIONREAD), &count)
    return count > 1 << 15 && count == before
  }
  try #require(isFull, "nothing but \(count) bytes came")
}

/// An unused path.
func freshPath() -> String {
  FileManager.default.temporaryDirectory.appending(path: "sphero-\(UUID().uuidString)").path
}
