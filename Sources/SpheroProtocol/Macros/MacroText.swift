// A macro as a small text: a step on each line, its fields by name or in their order.

/// Why a text is not a macro: where, what stands there, and what would do.
public struct MacroTextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  @nonexhaustive public enum Code: Hashable, Sendable {
    /// The line begins with no step.
    case unknownStep
    /// A word does not fit the fields of its step.
    case badField
    /// The head stands after a step, or twice.
    case misplacedHead
    /// A quotation mark is never closed.
    case openQuote
    /// The text has too many lines.
    case tooManyLines
    /// The text has no step at all.
    case empty
  }

  /// What is wrong.
  public let code: Code
  /// The line, counted from 1.
  public let line: Int
  /// The character of the line, counted from 1.
  public let column: Int
  /// What stands there, or the beginning of it.
  public let text: String
  /// What is wrong with it, and what would do.
  public let reason: String

  /// One sentence for people.
  public var description: String {
    code == .empty ? "the macro is empty: \(reason)" : "line \(line), column \(column): \(reason)"
  }
}

extension Macro {
  /// The most lines of a text; a longer one is refused.
  public static let mostLines = 100_000

  /// Reads a macro from text.
  ///
  /// Each line is a step by its name, with its fields as `field=value`, or their values in the order of the fields:
  /// `roll speed=80 heading=90`, `rgb 255 0 0`, `comment "there and back"`. Fields that are left out keep their defaults.
  /// In front of the steps may stand the head, `macro flags=markEnd+stopAtEnd`. `#` begins a comment.
  /// The steps `end` and `streamEnd` are added when the macro is sent, and stand in no text.
  ///
  /// - Throws: ``MacroTextError`` with the first word that fits nothing.
  public init(text: some StringProtocol) throws(MacroTextError) {
    self.init()
    var number = 0
    var hasHead = false
    // A line of Windows ends with CR and LF, which are one character.
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline }) {
      number += 1
      guard number <= Self.mostLines else {
        throw MacroTextError(
          code: .tooManyLines, line: number, column: 1, text: "",
          reason: "a macro has at most \(Self.mostLines) lines")
      }
      var scanner = MacroLine(line, number: number)
      let words = try scanner.words()
      guard let first = words.first else { continue }
      guard first.text.lowercased() == "macro" else {
        commands.append(try MacroCommand(words, first))
        continue
      }
      guard !hasHead, commands.isEmpty else {
        throw first.error(.misplacedHead, "'macro' can appear only once, in front of all steps")
      }
      hasHead = true
      let head = try Head(words, first)
      (id, flags, extendedFlags) = (head.macro.id, head.macro.flags, head.macro.extendedFlags)
    }
    guard !commands.isEmpty else {
      throw MacroTextError(
        code: .empty, line: number, column: 1, text: "", reason: "write a step like 'rgb 255 0 0' on a line")
    }
  }

  /// The head of a macro as a message of its own.
  fileprivate struct Head: Message {
    var macro = Macro()
    init() {}
    mutating func layout(_ wire: inout some Wire) throws(WireError) {
      // The byte is on the wire where a word names it.
      let isAsked = wire.remaining == nil
      try wire.field("id", &macro.id)
      try wire.field("flags", &macro.flags)
      if isAsked || macro.flags.contains(.extended) {
        try wire.field("extendedFlags", &macro.extendedFlags)
      }
      if macro.extendedFlags != 0 { macro.flags.insert(.extended) }
    }
  }
}

/// A word of a line, and where it stands.
private struct MacroWord {
  var text: String
  var line: Int
  var column: Int
  /// Where the first quotation mark stands in the text, which ends the name of a field.
  var isQuoted = false

  func error(_ code: MacroTextError.Code, _ reason: String) -> MacroTextError {
    MacroTextError(code: code, line: line, column: column, text: String(text.prefix(80)), reason: reason)
  }

  /// The word for a message: what a file holds must not drive a terminal.
  var shown: String { FieldValue.text(String(text.prefix(80))).printable }
}

/// Takes the words of a line apart.
private struct MacroLine {
  private let characters: [Character]
  private let number: Int

  init(_ line: some StringProtocol, number: Int) { (characters, self.number) = (Array(line), number) }

  /// The words: what stands between quotation marks belongs together, and `#` begins a comment.
  mutating func words() throws(MacroTextError) -> [MacroWord] {
    var words: [MacroWord] = []
    var word: MacroWord?
    var quote: Int?
    for (index, character) in characters.enumerated() {
      if character == "\"" {
        // A word that begins with a quotation mark is a value, whatever stands in it.
        if word == nil { word = MacroWord(text: "", line: number, column: index + 1, isQuoted: true) }
        quote = quote == nil ? index : nil
      } else if quote == nil, character == " " || character == "\t" || character == "#" {
        if let word { words.append(word) }
        word = nil
        if character == "#" { return words }
      } else {
        if word == nil { word = MacroWord(text: "", line: number, column: index + 1) }
        word?.text.append(character)
      }
    }
    if let quote {
      throw MacroTextError(
        code: .openQuote, line: number, column: quote + 1, text: "\"",
        reason: "this quotation mark is never closed")
    }
    if let word { words.append(word) }
    return words
  }
}

extension Message {
  /// Fills a message from the words after its name.
  fileprivate init(_ words: [MacroWord], _ name: MacroWord) throws(MacroTextError) {
    let fields = Self.table.map { $0.name }
    var values: [String: String] = [:]
    var places: [String: MacroWord] = [:]
    var next = 0
    for word in words.dropFirst() {
      let mark = word.isQuoted ? nil : word.text.firstIndex(of: "=")
      var field: String
      if let mark {
        let key = String(word.text[..<mark])
        field = fields.first { $0 == key || Key.text($0) == key } ?? key
        guard fields.contains(field) else {
          throw word.error(.badField, "'\(word.shown)' names no field of \(name.text); \(Self.form(fields))")
        }
      } else {
        guard next < fields.count else {
          throw word.error(
            .badField, "'\(word.shown)' is one value too many for \(name.text); \(Self.form(fields))")
        }
        field = fields[next]
        next += 1
      }
      guard values[field] == nil else {
        throw word.error(.badField, "'\(field)' is given twice; give each field once")
      }
      values[field] = mark.map { String(word.text[word.text.index(after: $0)...]) } ?? word.text
      places[field] = word
    }
    do throws(WireError) {
      try self.init(assigning: values)
      // A value may fit its field and still not be what can be sent.
      _ = try payload()
    } catch {
      throw (error.field.flatMap { places[$0] } ?? name).error(.badField, error.description)
    }
  }

  private static func form(_ fields: [String]) -> String {
    fields.isEmpty ? "it has none" : "it has \(fields.joined(separator: ", "))"
  }
}

extension MacroCommand {
  /// Reads a step from the words of a line.
  fileprivate init(_ words: [MacroWord], _ name: MacroWord) throws(MacroTextError) {
    var finder = Finder(words: words, name: name)
    Macro.visitSteps(&finder)
    if let error = finder.error { throw error }
    guard let command = finder.command else {
      throw name.error(.unknownStep, "'\(name.shown)' is not a step")
    }
    guard command.opcode != Macro.End.opcode, command.opcode != Macro.StreamEnd.opcode else {
      throw name.error(.unknownStep, "'\(name.shown)' is added when the macro is sent; leave it out")
    }
    self = command
  }

  /// Finds the step that a word names.
  private struct Finder: MacroStepVisitor {
    let words: [MacroWord]
    let name: MacroWord
    var command: MacroCommand?
    var error: MacroTextError?

    mutating func step<S: MacroStep>(_ type: S.Type, _ name: StaticString) {
      guard "\(name)".lowercased() == self.name.text.lowercased() else { return }
      do throws(MacroTextError) {
        if S.opcode == Macro.Comment.opcode {
          command = try comment()
        } else {
          command = MacroCommand(try S(words, self.name))
        }
      } catch { self.error = error }
    }

    /// A comment counts its bytes itself.
    private func comment() throws(MacroTextError) -> MacroCommand {
      var texts = words.dropFirst()
      guard var text = texts.popFirst() else { return MacroCommand(Macro.Comment()) }
      if let surplus = texts.first {
        throw surplus.error(
          .badField, "'\(surplus.shown)' follows the text; put a text of several words in \" \"")
      }
      if !text.isQuoted, text.text.hasPrefix("text=") { text.text.removeFirst(5) }
      let step = Macro.Comment(text: WireText(bytes: Array(text.text.utf8)))
      do throws(WireError) { _ = try step.payload() } catch {
        throw text.error(.badField, error.description)
      }
      return MacroCommand(step)
    }
  }
}
