// The check of the text of a program that runs inside the robot.

package import SpheroProtocol

package struct ProgramTextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line and the character of the line, counted from 1; nil if the error concerns the whole text.
  package private(set) var line: Int?
  package private(set) var column: Int?
  /// A sentence without a full stop.
  package let message: String
  package let advice: String
  /// The erroneous word of a macro; empty for other errors.
  package private(set) var word = ""
  /// Whether the word is the unknown name of a step.
  package private(set) var isUnknownStep = false

  package var description: String {
    guard let line, let column else { return message }
    return "line \(line), column \(column): \(message)"
  }

  /// Returns the text between a message and its advice on the same line.
  package static func separator(after message: String) -> String { message.hasSuffix("?") ? " " : ". " }

  package init(message: String, advice: String) { (self.message, self.advice) = (message, advice) }

  init(_ error: MacroTextError) {
    guard error.code != .empty else {
      self.init(message: "the macro is empty: \(error.reason)", advice: "Correct the text.")
      return
    }
    self.init(message: error.reason, advice: Self.advice(error))
    (line, column, word) = (error.line, error.column, error.text)
    isUnknownStep = error.code == .unknownStep
  }

  private static func advice(_ error: MacroTextError) -> String {
    if error.code == .unknownStep, UInt(error.text) != nil {
      return error.line == 1
        ? "If this is orbBasic, select that language; a step of a macro has no number before it."
        : "Leave the number out; if this is orbBasic, begin the first line with a number, too."
    }
    if OrbBasicStatement.allCases.contains(where: { $0.rawValue == error.text }) {
      return
        "A line of orbBasic begins with a number, such as '10 \(error.text)'; a macro has steps like 'roll 80 90'."
    }
    if error.reason.hasPrefix("'delay' is ") || error.reason.hasPrefix("'delay=") {
      return "For a longer time, add 'wait', or use 'rollLong'."
    }
    return error.text.contains(",") ? "Separate the values by spaces, not by commas." : "Correct the line."
  }

  init(_ error: OrbBasicTextError) {
    self.init(message: error.message, advice: error.advice)
    (line, column) = (error.line, error.column)
  }

  init(_ error: OrbBasicProgramError) {
    self.init(message: error.code.name, advice: error.advice)
    (line, column) = (error.line, error.column)
  }
}

/// A program inside the robot whose text has no error.
package struct ProgramText: Sendable {
  package enum Program: Sendable {
    case macro(Macro)
    case basic(OrbBasicProgram)
  }

  package let program: Program
  /// What the text contains, like `5 steps, 41 bytes`.
  package let summary: String
  /// Remarks on what a robot executes without an error, but probably not as the author expects.
  package let remarks: [String]

  /// The maximum size of a text in bytes, far more than the memory of any robot.
  package static let maximumByteCount = 1_000_000

  /// Parses a text; in orbBasic, also finds the errors at which a robot would stop.
  package init(_ text: String, in language: ProgramLanguage) throws(ProgramTextError) {
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

  private init(macro text: String) throws(ProgramTextError) {
    let macro: Macro
    do throws(MacroTextError) { macro = try Macro(text: text) } catch { throw ProgramTextError(error) }
    program = .macro(macro)
    do throws(WireError) {
      let (steps, count) = (macro.commands.count, try macro.payload().count)
      let transfer = count > Macro.maximumTemporaryLength ? ", sent while it runs" : ""
      summary = "\(steps) step\(steps == 1 ? "" : "s"), \(count) bytes\(transfer)"
    } catch { throw ProgramTextError(message: error.description, advice: "Shorten the macro.") }
    let names = macro.commands.map { $0.name }
    let start = names.lastIndex { $0.hasPrefix("loopStart") }
    if let start, !names[start...].contains("loopEnd") {
      remarks = ["the loop that step \(start + 1) begins has no 'loopEnd', and repeats nothing"]
    } else {
      remarks = []
    }
  }

  private init(basic text: String) throws(ProgramTextError) {
    let basic: OrbBasicProgram
    do throws(OrbBasicTextError) { basic = try OrbBasicProgram(text) } catch { throw ProgramTextError(error) }
    if let error = OrbBasicProgram.firstError(in: text) { throw ProgramTextError(error) }
    let count = basic.lineNumbers.count
    summary = "\(count) line\(count == 1 ? "" : "s"), \(basic.text.utf8.count + 1) bytes"
    (program, remarks) = (.basic(basic), basic.remarks)
  }

  /// The errors in a text, one for each line and about 100 at most, among them the one that ``init(_:in:)`` throws.
  package static func errors(in text: String, _ language: ProgramLanguage) -> [ProgramTextError] {
    let first: ProgramTextError
    do throws(ProgramTextError) {
      _ = try ProgramText(text, in: language)
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
}
