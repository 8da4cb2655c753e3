// The check of the text of a program that runs inside the robot.

import SpheroHost
import SpheroModel
import SpheroProtocol

/// An error in the text of a program.
struct ProgramTextError: Error, Hashable, Sendable {
  /// The line and the character of the line, counted from 1; nil if the error concerns the whole text.
  var line: Int?
  var column: Int?
  /// A sentence without a full stop.
  let message: String
  /// The next step.
  let advice: String

  init(line: Int? = nil, column: Int? = nil, message: String, advice: String) {
    (self.line, self.column, self.message, self.advice) = (line, column, message, advice)
  }

  fileprivate init(_ error: MacroTextError) {
    let isPlaced = error.code != .empty
    let isNumbered = error.code == .unknownStep && UInt(error.text) != nil
    self.init(
      line: isPlaced ? error.line : nil, column: isPlaced ? error.column : nil, message: error.reason,
      advice: isNumbered
        ? "If this is orbBasic, select it as the language."
        : "Correct this line; the examples show the form of a macro.")
  }

  fileprivate init(_ error: ProgramError) {
    self.init(
      line: error.line, column: error.line.map { _ in 1 }, message: error.message, advice: error.advice)
  }

  fileprivate init(_ error: OrbBasicProgramError) {
    self.init(
      line: error.line, column: error.column, message: error.code.name, advice: error.advice)
  }
}

/// A program whose text was checked.
struct PreparedProgram: Sendable {
  let program: EncodedProgram
  /// What the text contains, like `5 steps, 41 bytes`.
  let summary: String
  /// The row of the text, from 1, of each line number of BASIC.
  private(set) var rows: [UInt16: Int] = [:]

  /// The longest text that is examined, far more than the memory of any robot.
  private static let maximumByteCount = 1_000_000

  /// Checks a text and prepares its requests.
  init(_ text: String, in language: ProgramLanguage) throws(ProgramTextError) {
    guard text.utf8.count <= Self.maximumByteCount else {
      throw ProgramTextError(
        message: "the text has \(text.utf8.count) bytes, at most \(Self.maximumByteCount) are read",
        advice: "Shorten it.")
    }
    switch language {
    case .macro: try self.init(macro: text)
    case .basic: try self.init(basic: text)
    }
  }

  /// All errors in a text, of which ``init(_:in:)`` throws the first; each line has at most one.
  static func errors(in text: String, _ language: ProgramLanguage) -> [ProgramTextError] {
    let first: ProgramTextError
    do throws(ProgramTextError) {
      _ = try PreparedProgram(text, in: language)
      return []
    } catch { first = error }
    guard first.line != nil else { return [first] }
    let all =
      switch language {
      case .macro: Macro.errors(in: text).map { ProgramTextError($0) }
      case .basic: OrbBasicProgram.errors(in: text).map { ProgramTextError($0) }
      }
    return ([first] + all.filter { $0.line != first.line }).sorted { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  private init(macro text: String) throws(ProgramTextError) {
    var macro: Macro
    do throws(MacroTextError) { macro = try Macro(text: text) } catch { throw ProgramTextError(error) }
    guard !macro.flags.contains(.unkillable) else {
      throw ProgramTextError(
        message: "a macro with the flag 'unkillable' cannot be stopped", advice: "Leave the flag out.")
    }
    do throws(WireError) {
      let count = try macro.payload().count
      let storage: Macro.Storage = count > Macro.maximumTemporaryLength ? .stream : .temporary
      program = try EncodedProgram(macro, as: storage)
      let steps = macro.commands.count
      let way = storage == .stream ? ", sent while it runs" : ""
      summary = "\(steps) step\(steps == 1 ? "" : "s"), \(count) bytes\(way)"
    } catch { throw ProgramTextError(message: error.description, advice: "Shorten the macro.") }
  }

  private init(basic text: String) throws(ProgramTextError) {
    let basic: OrbBasicProgram
    do throws(ProgramError) { basic = try OrbBasicProgram(text) } catch { throw ProgramTextError(error) }
    if let error = OrbBasicProgram.firstError(in: text) { throw ProgramTextError(error) }
    let count = basic.lineNumbers.count
    summary = "\(count) line\(count == 1 ? "" : "s"), \(basic.text.utf8.count + 1) bytes"
    program = EncodedProgram(basic)
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline })
    for (row, line) in zip(1..., lines) {
      if let number = UInt16(line.prefix { $0.isASCII && $0.isNumber }) { rows[number] = row }
    }
  }
}
