// Macros as text: one step per line, its fields by name or in their order.

/// An error in the text of a macro.
public struct MacroTextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  @nonexhaustive public enum Code: Hashable, Sendable {
    /// The first word is not the name of a step, or is that of a step that is added when the macro is sent.
    case unknownStep
    /// A word does not match the fields of its step.
    case badField
    /// The head follows a step, or appears twice.
    case misplacedHead
    /// A quotation mark is not closed.
    case openQuote
    /// The text has too many lines.
    case tooManyLines
    /// The text has no step.
    case empty
  }

  /// The kind of the error.
  public let code: Code
  /// The number of the line, counted from 1.
  public let line: Int
  /// The character of the line, counted from 1.
  public let column: Int
  /// The erroneous word, at most 80 characters; empty if the error is in the text as a whole.
  public let text: String
  /// The cause and the correction.
  public let reason: String

  /// Position and reason in one sentence.
  public var description: String {
    code == .empty ? "the macro is empty: \(reason)" : "line \(line), column \(column): \(reason)"
  }
}

extension Macro {
  /// The largest number of lines of a text.
  public static let maximumLineCount = 100_000

  /// Parses the text of a macro.
  ///
  /// Each line is the name of a step, followed by its fields as `field=value` or by values in the order of the fields:
  /// `roll speed=80 heading=90`, `rgb 255 0 0`, `comment "there and back"`. Omitted fields have their default values.
  /// A head, `macro flags=markEnd+stopAtEnd`, may precede the steps. `#` starts a comment.
  /// The steps `end` and `streamEnd` are added when the macro is sent, and are not part of the text.
  public init(text: some StringProtocol) throws(MacroTextError) {
    var errors: [MacroTextError] = []
    self.init(text, &errors, limit: 1)
    if let error = errors.first { throw error }
  }

  /// Finds the errors in a text for ``init(text:)``, at most one for each line; the search ends after `limit` errors.
  public static func errors(in text: some StringProtocol, limit: Int = 100) -> [MacroTextError] {
    var errors: [MacroTextError] = []
    _ = Macro(text, &errors, limit: limit)
    return errors
  }

  /// Parses a text; skips each erroneous line and appends its error, and ends after `limit` errors.
  private init(_ text: some StringProtocol, _ errors: inout [MacroTextError], limit: Int) {
    self.init()
    var hasHead = false
    // CR LF is a single character.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline })
    for (number, line) in zip(1..., lines) {
      do throws(MacroTextError) {
        // The last line break is not followed by a line.
        guard number <= Self.maximumLineCount || line.isEmpty && number == lines.count else {
          throw MacroToken(line: number, column: 1)
            .error(.tooManyLines, "a macro has at most \(Self.maximumLineCount) lines")
        }
        try append(MacroToken.tokens(of: line, number: number), &hasHead)
      } catch {
        errors.append(error)
        guard errors.count < limit, error.code != .tooManyLines else { return }
      }
    }
    guard commands.isEmpty, errors.isEmpty else { return }
    errors.append(
      MacroToken(line: lines.count, column: 1).error(.empty, "write a step like 'rgb 255 0 0' on a line"))
  }

  private mutating func append(_ tokens: [MacroToken], _ hasHead: inout Bool) throws(MacroTextError) {
    guard let first = tokens.first else { return }
    guard first.text.lowercased() == "macro" else {
      commands.append(try MacroCommand(tokens, first))
      return
    }
    guard !hasHead, commands.isEmpty else {
      throw first.error(.misplacedHead, "'macro' can appear only once, in front of all steps")
    }
    hasHead = true
    var head = Head()
    try head.assign(tokens.dropFirst(), first)
    self = head.macro
  }

  fileprivate struct Head: Message {
    var macro = Macro()
    init() {}
    mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try macro.layoutHead(&wire, isExtended: true)
      if macro.extendedFlags != 0 { macro.flags.insert(.extended) }
    }
  }
}

private struct MacroToken {
  var text = ""
  var line: Int
  var column: Int
  /// Whether the token begins with a quotation mark, so that it is a value even if it contains `=`.
  var isQuoted = false

  /// The tokens of a line: quotation marks keep spaces in a token, and `#` starts a comment.
  static func tokens(of line: some StringProtocol, number: Int) throws(MacroTextError) -> [MacroToken] {
    var tokens: [MacroToken] = []
    var token: MacroToken?
    var quote: Int?
    for (column, character) in zip(1..., line) {
      if character == "\"" {
        if token == nil { token = MacroToken(line: number, column: column, isQuoted: true) }
        quote = quote == nil ? column : nil
      } else if quote == nil, character == " " || character == "\t" || character == "#" {
        if let token { tokens.append(token) }
        token = nil
        if character == "#" { return tokens }
      } else {
        if token == nil { token = MacroToken(line: number, column: column) }
        token?.text.append(character)
      }
    }
    if let quote {
      throw MacroToken(text: "\"", line: number, column: quote)
        .error(.openQuote, "this quotation mark is never closed")
    }
    if let token { tokens.append(token) }
    return tokens
  }

  func error(_ code: MacroTextError.Code, _ reason: String) -> MacroTextError {
    MacroTextError(code: code, line: line, column: column, text: String(text.prefix(80)), reason: reason)
  }

  /// The token without control characters, which would affect a terminal.
  var printable: String { FieldValue.text(String(text.prefix(80))).printable }

  /// Parses `field=value`, and values in the order of the fields; returns the value of each field, and its token.
  static func values(
    _ tokens: some Sequence<MacroToken>, of fields: [String], _ name: MacroToken
  ) throws(MacroTextError) -> (texts: [String: String], sources: [String: MacroToken]) {
    var texts: [String: String] = [:]
    var sources: [String: MacroToken] = [:]
    var positional = fields[...]
    for token in tokens {
      let mark = token.isQuoted ? nil : token.text.firstIndex(of: "=")
      let key = mark.map { token.text[..<$0] }
      let named = key.map { key in fields.first { $0 == key || Key.text($0) == key } }
      guard let field = named ?? positional.popFirst() else {
        let problem = mark == nil ? "is one value too many for" : "names no field of"
        let form = fields.isEmpty ? "it has none" : "it has \(fields.joined(separator: ", "))"
        throw token.error(.badField, "'\(token.printable)' \(problem) \(name.text); \(form)")
      }
      let value = mark.map { String(token.text[$0...].dropFirst()) } ?? token.text
      guard texts.updateValue(value, forKey: field) == nil else {
        throw token.error(.badField, "'\(field)' is given twice; give each field once")
      }
      sources[field] = token
    }
    return (texts, sources)
  }
}

extension Message {
  /// Assigns the fields, of which the first `skipped` are not part of the text, from the tokens after the name.
  fileprivate mutating func assign(
    _ tokens: some Sequence<MacroToken>, _ name: MacroToken, skipping skipped: Int = 0
  ) throws(MacroTextError) {
    let fields = table.dropFirst(skipped).map { $0.name }
    let values = try MacroToken.values(tokens, of: fields, name)
    var assigner = FieldAssigner(values.texts)
    do throws(WireError) {
      try layout(&assigner)
      // Encoding also checks the ranges.
      _ = try payload()
    } catch {
      throw (error.field.flatMap { values.sources[$0] } ?? name).error(.badField, error.description)
    }
  }
}

extension MacroCommand {
  fileprivate init(_ tokens: [MacroToken], _ name: MacroToken) throws(MacroTextError) {
    guard let known = Self.all.first(where: { $0.name.lowercased() == name.text.lowercased() }) else {
      throw name.error(.unknownStep, "'\(name.printable)' is not a step")
    }
    guard !known.isAddedDuringSending else {
      throw name.error(.unknownStep, "'\(name.printable)' is added when the macro is sent; leave it out")
    }
    guard known.opcode != Macro.Comment.opcode else {
      self = MacroCommand(try Macro.Comment(tokens.dropFirst()))
      return
    }
    self = known
    // The name determines the opcode, which is the first field.
    try assign(tokens.dropFirst(), name, skipping: 1)
    if step(as: Macro.Marker.self)?.marker == 0 {
      throw name.error(.badField, "marker 0 reports the end of the macro; number markers from 1")
    }
  }
}

extension Macro.Comment {
  /// Parses a comment, whose count is not part of the text.
  fileprivate init(_ tokens: ArraySlice<MacroToken>) throws(MacroTextError) {
    guard var text = tokens.first else {
      self.init()
      return
    }
    if let surplus = tokens.dropFirst().first {
      throw surplus.error(
        .badField, "'\(surplus.printable)' follows the text; put a text of several words in \" \"")
    }
    if !text.isQuoted, text.text.hasPrefix("text=") { text.text.removeFirst(5) }
    self.init(text: WireText(bytes: Array(text.text.utf8)))
    do throws(WireError) { _ = try payload() } catch { throw text.error(.badField, error.description) }
  }
}
