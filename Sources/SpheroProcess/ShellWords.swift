// Splits the lines of a script into words.

/// Splits a line into words with the quoting rules of a shell.
package enum ShellWords {
  /// An unclosed quotation mark, or a backslash at the end of the line.
  package struct UnterminatedQuote: Error, Hashable, Sendable {
    package let mark: Character
    /// The position of the mark in characters, counted from 1.
    package let column: Int
  }

  /// The words of a line, and whether one of them is `&&` or ends with `;` outside of quotation marks: a separator of
  /// commands in a shell.
  ///
  /// Spaces and tabs separate words. Characters in '…' are literal; in "…" and outside of quotation marks, a backslash
  /// makes the next character literal. `#` at the beginning of a word begins a comment.
  package static func split(_ line: some StringProtocol) throws(UnterminatedQuote)
    -> (words: [String], hasSeparator: Bool)
  {
    var words: [String] = []
    var word: String?
    // The number of the last characters of the word that are neither quoted nor escaped.
    var plainCount = 0
    var hasSeparator = false
    func isSeparator(_ word: String) -> Bool {
      plainCount > 0 && word.hasSuffix(";") || plainCount == 2 && word == "&&"
    }
    // The open quotation mark, and the backslash before the current character.
    var quote: UnterminatedQuote?
    var escape: UnterminatedQuote?
    for (index, character) in line.enumerated() {
      let mark = UnterminatedQuote(mark: character, column: index + 1)
      if escape != nil {
        word = (word ?? "") + String(character)
        (escape, plainCount) = (nil, 0)
      } else if character == "\\", quote?.mark != "'" {
        escape = mark
      } else if let open = quote {
        if character == open.mark { quote = nil } else { word?.append(character) }
        plainCount = 0
      } else if character == "'" || character == "\"" {
        quote = mark
        word = word ?? ""
      } else if character == " " || character == "\t" {
        if let word {
          words.append(word)
          hasSeparator = hasSeparator || isSeparator(word)
        }
        (word, plainCount) = (nil, 0)
      } else if character == "#", word == nil {
        return (words, hasSeparator)
      } else {
        word = (word ?? "") + String(character)
        plainCount += 1
      }
    }
    if let open = quote ?? escape { throw open }
    if let word { words.append(word) }
    return (words, hasSeparator || word.map(isSeparator) ?? false)
  }
}
