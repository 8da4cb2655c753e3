// What the lines of a run print: objects of JSON with the number of their line, one after the other.

import SpheroProcess
import SpheroProtocol
import SpheroSystem

/// The output that all lines of a run share: whole lines, one after the other, however slowly they are read.
actor RunOutput {
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Prints whole lines once nobody else prints.
  func print(_ bytes: [UInt8]) async throws {
    if isBusy { await withCheckedContinuation { waiting.append($0) } }
    isBusy = true
    defer {
      // Who waits longest is next, and the output stays busy for it.
      if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }
    try await StandardStream.output.write(bytes)
  }
}

/// What one line of a run prints and remarks.
final class LineOutput: Sendable {
  let number: Int
  private let output: RunOutput
  private let remarks = Locked<[String]>([])
  /// The most remarks of an answer.
  private static let mostRemarks = 64

  init(_ number: Int, _ output: RunOutput) { (self.number, self.output) = (number, output) }

  /// Prints whole lines, each an object.
  func print(_ lines: [UInt8]) async throws {
    var bytes: [UInt8] = []
    for line in lines.split(separator: 0x0A) {
      bytes += Self.tagged(line, number)
      bytes.append(0x0A)
    }
    try await output.print(bytes)
  }

  /// Keeps a remark for the answer.
  func add(remark: String) {
    remarks.withLock { if $0.count < Self.mostRemarks { $0.append(remark) } }
  }

  /// Tells that the line is done, or why it is not.
  func answer(_ words: String, _ failure: Failure?) async throws {
    let fields = Self.fields(number, words, failure, remarks.withLock { $0 })
    try await output.print(Array((JSON.line([Field("kind", .text("answer"))] + fields) + "\n").utf8))
  }

  /// What an answer tells.
  static func fields(_ number: Int, _ words: String, _ failure: Failure?, _ remarks: [String]) -> [Field] {
    [
      Field("line", .count(number)), Field("words", .text(words)),
      Field("code", .count(failure?.code.rawValue ?? 0)), Field("error", .text(failure?.message)),
      Field("advice", .text(failure?.advice)), Field("remarks", .list(remarks.map { .text($0) })),
    ]
  }

  /// An object with the number of its line after the kind.
  static func tagged(_ object: ArraySlice<UInt8>, _ number: Int) -> [UInt8] {
    let start = Array("{\"kind\":\"".utf8)
    guard object.starts(with: start),
      let end = object.dropFirst(start.count).firstIndex(of: UInt8(ascii: "\""))
    else {
      let text = FieldValue.text(String(decoding: object, as: UTF8.self))
      return Array(
        JSON.line([Field("kind", .text("text")), Field("line", .count(number)), Field("text", text)]).utf8)
    }
    return object[...end] + Array(",\"line\":\(number)".utf8) + object[(end + 1)...]
  }
}
