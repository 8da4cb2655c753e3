// A line taken apart into words, as a shell does with what is typed.

/// Takes a line apart into words.
package enum ShellWords {
  /// A quotation mark that is never closed, or a backslash with nothing after it.
  package struct OpenEnd: Error, Hashable, Sendable {
    /// The quotation mark or the backslash.
    package let mark: Character
    /// Its place in the line, counted from 1.
    package let column: Int
  }

  /// The words of a line.
  ///
  /// Blanks and tabs stand between words. What stands in '…' is taken as it is; in "…" and outside of both,
  /// a backslash takes the next character as it is. `#` at the beginning of a word begins a comment.
  ///
  /// - Throws: ``OpenEnd``.
  package static func split(_ line: some StringProtocol) throws(OpenEnd) -> [String] {
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
    if let quote { throw OpenEnd(mark: quote.mark, column: quote.column) }
    if let escape { throw OpenEnd(mark: "\\", column: escape) }
    if let word { words.append(word) }
    return words
  }
}
