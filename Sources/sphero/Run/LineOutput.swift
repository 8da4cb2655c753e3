// The output of the lines of a run: JSON objects with the number of their line.

import SpheroProcess
import SpheroProtocol
import SpheroSystem

/// The shared output of all lines of a run; the outputs of different lines are not interleaved.
actor RunOutput {
  private var isBusy = false
  private var pending: [CheckedContinuation<Void, Never>] = []

  /// Prints whole lines after all earlier calls.
  func print(_ bytes: [UInt8]) async throws {
    if isBusy { await withCheckedContinuation { pending.append($0) } }
    isBusy = true
    defer {
      // The output stays busy for the next call.
      if pending.isEmpty { isBusy = false } else { pending.removeFirst().resume() }
    }
    try await StandardStream.output.write(bytes)
  }
}

/// The output of one line of a run.
final class LineOutput: Sendable {
  private let number: Int
  private let output: RunOutput
  private let remarks = Locked<[String]>([])
  /// The maximum number of remarks in an answer.
  private static let maximumRemarks = 64

  init(_ number: Int, _ output: RunOutput) { (self.number, self.output) = (number, output) }

  /// Prints JSON objects, one a line, with the number of the line of the run after their kind.
  func print(_ lines: [UInt8]) async throws {
    var bytes: [UInt8] = []
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      // The kind is the first member, as in `{"kind":"sample",`.
      let end = line.firstIndex(of: UInt8(ascii: ",")) ?? line.endIndex - 1
      bytes += line[..<end] + Array(",\"line\":\(number)".utf8) + line[end...] + [UInt8(ascii: "\n")]
    }
    try await output.print(bytes)
  }

  /// Adds a remark to the answer.
  func add(remark: String) {
    remarks.withLock { if $0.count < Self.maximumRemarks { $0.append(remark) } }
  }

  /// Prints the answer: whether the line succeeded, or why it failed.
  func answer(_ words: String, _ failure: Failure?) async throws {
    let fields = Self.fields(number, words, failure, remarks.withLock { $0 })
    try await output.print(Array((JSON.line([Field("kind", .text("answer"))] + fields) + "\n").utf8))
  }

  static func fields(_ number: Int, _ words: String, _ failure: Failure?, _ remarks: [String]) -> [Field] {
    [
      Field("line", .count(number)), Field("words", .text(words)),
      Field("code", .count(failure?.code.rawValue ?? 0)), Field("error", .text(failure?.message)),
      Field("advice", .text(failure?.advice)), Field("remarks", .list(remarks.map { .text($0) })),
    ]
  }
}
