// Splits a line into words with the quoting rules of a shell.

/// Splits a line into words with the quoting rules of a shell.
package enum ShellWords {
  /// An unclosed quotation mark, or a backslash at the end of the line.
  package struct UnterminatedQuote: Error, Hashable, Sendable {
    package let mark: Character
    /// The position in characters, from 1.
    package let column: Int
  }

  /// The words of a line.
  ///
  /// Blanks and tabs separate words. Characters in '…' are literal; in "…" and outside of quotation marks, a backslash
  /// makes the next character literal. `#` at the beginning of a word starts a comment.
  ///
  /// - Throws: ``UnterminatedQuote``.
  package static func split(_ line: some StringProtocol) throws(UnterminatedQuote) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: (mark: Character, column: Int)?
    var escape: Int?
    for (index, character) in line.enumerated() {
      if escape != nil {
        word = (word ?? "") + String(character)
        escape = nil
      } else if character == "\\", quote?.mark != "'" {
        escape = index + 1
      } else if let open = quote {
        if character == open.mark { quote = nil } else { word?.append(character) }
      } else if character == "'" || character == "\"" {
        quote = (character, index + 1)
        word = word ?? ""
      } else if character == " " || character == "\t" {
        if let word { words.append(word) }
        word = nil
      } else if character == "#", word == nil {
        return words
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let quote { throw UnterminatedQuote(mark: quote.mark, column: quote.column) }
    if let escape { throw UnterminatedQuote(mark: "\\", column: escape) }
    if let word { words.append(word) }
    return words
  }
}
